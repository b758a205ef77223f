"""Which of NumPy's parameters a call gives."""

from __future__ import annotations

import numpy as np
import pytest

from fuzz.signatures import given, parameters_of
from oracle import Case

X = np.zeros(2)


@pytest.mark.parametrize(
    ("case", "names"),
    [
        (Case("sum", (X,)), "a"),
        (Case("sum", (X, 0), {"keepdims": True}), "a axis keepdims"),
        (Case("add", (X, X, X), {"casting": "no"}), "x1 x2 out casting"),
        (Case("meshgrid", (X, X), {"indexing": "ij"}), "xi indexing"),
        (Case("pad", (X, 1), {"constant_values": 2}), "array pad_width kwargs"),
        (Case("add.reduce", (X,), {"keepdims": True}), "array kwargs"),
        (Case("ndarray.sort", (X,), {"kind": "stable"}), "self kind"),
        (Case("fromstring", ("1 2",), {"sep": " "}), "string sep"),
        (Case("pi"), ""),
    ],
    ids=str,
)
def test_a_call_gives_parameters_by_place_and_by_name(case, names):
    assert given(case) == set(names.split())


def test_what_is_no_function_has_none():
    assert not parameters_of("pi")
    assert list(parameters_of("roll")) == ["a", "shift", "axis"]
