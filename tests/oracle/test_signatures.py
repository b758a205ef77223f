"""Signatures: what the installed NumPy tells, or else the stored table."""

from __future__ import annotations

import inspect

import numpy as np
import pytest

from oracle import inspect_signature
from oracle.signatures import PATH, _read_table, list_told, parse_signature


def test_the_stored_table_is_what_numpy_tells():
    assert _read_table() == list_told(), f"python -m oracle.signatures > {PATH}"


@pytest.mark.parametrize("name", ["add", "copyto", "vecdot", "where", "ndarray.sum", "random.Generator.normal"])
def test_a_stored_signature_is_numpys(name):
    function = np
    for part in name.split("."):
        function = getattr(function, part)
    told, stored = inspect.signature(function), parse_signature(_read_table()[name])
    assert [(one.name, one.kind) for one in stored.parameters.values()] == [
        (one.name, one.kind) for one in told.parameters.values()
    ]
    assert str(stored) == str(told)


@pytest.mark.parametrize("function", [np.copyto, np.add, np.add.reduce, np.ndarray.sum])
def test_an_older_numpy_tells_nothing(function, monkeypatch):
    expected = str(inspect.signature(function))

    def refuse(*_):
        raise ValueError("no signature found")

    with monkeypatch.context() as patch:
        patch.setattr(inspect, "signature", refuse)
        found = inspect_signature(function)
        with pytest.raises(ValueError, match="no signature found"):
            inspect_signature(print)
    assert str(found) == expected
