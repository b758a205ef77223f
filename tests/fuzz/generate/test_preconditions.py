"""Preconditions hold in every call but hostile ones, which violate them now and then."""

from __future__ import annotations

import numpy as np
import pytest

from fuzz.generate.call_classes import INVALID
from fuzz.generate.calls import draw_call
from fuzz.generate.choices import SeedChoices
from fuzz.generate.preconditions import PRECONDITIONS, holds
from fuzz.generate.signatures import parameters_of
from oracle import Case, run_numpy


@pytest.mark.parametrize("name", PRECONDITIONS)
def test_preconditions_hold(name):
    for seed in range(400):
        call = draw_call(SeedChoices(seed), name)
        if call.call_class != INVALID and run_numpy(call.case).ok:
            assert holds(call.case), (seed, call)


@pytest.mark.parametrize("name", PRECONDITIONS)
def test_hostile_calls_violate_them(name):
    assert any(map(_is_violated, (draw_call(SeedChoices(seed), name, hostile=True).case for seed in range(600))))


def _is_violated(case):
    try:
        return not holds(case)
    except (TypeError, ValueError, IndexError, KeyError):
        return False


def test_predicates_tell_what_is_wrong():
    assert holds(Case("interp", (1.0, np.array([1.0, 2.0]), np.array([3.0, 4.0]))))
    assert not holds(Case("interp", (1.0, np.array([2.0, 1.0]), np.array([3.0, 4.0]))))
    assert holds(Case("interp", (1.0, np.array([2.0, 1.0]), np.array([3.0, 4.0])), {"period": 3}))
    assert not holds(Case("interp", (1.0, np.array([4.0, 1.0]), np.array([3.0, 4.0])), {"period": 3}))
    assert not holds(Case("searchsorted", (np.array([3, 1]), 2)))
    assert holds(Case("searchsorted", (np.array([3, 1]), 2), {"sorter": np.array([1, 0])}))
    assert not holds(Case("isin", (np.array([1, 1]), np.array([1])), {"assume_unique": True}))
    assert not holds(Case("linalg.svd", (np.array([[1.0, 2.0], [0.0, 1.0]]),), {"hermitian": True}))


@pytest.mark.parametrize(("name", "known"), PRECONDITIONS.items())
def test_each_is_of_a_parameter_and_has_a_reason(name, known):
    assert known.parameter in parameters_of(name)
    assert known.reason
