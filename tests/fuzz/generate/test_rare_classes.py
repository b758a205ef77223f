"""Classes of calls that bugs were reported in, and how often they are drawn: numbers of arrays, and rare operands."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from fuzz.generate.calls import draw_case
from fuzz.generate.choices import SeedChoices
from oracle import run_numpy

DRAWN = 400


def draw(name, count=DRAWN):
    return [draw_case(SeedChoices(seed), name) for seed in range(count)]


LISTS = {"concatenate": 0, "stack": 0, "hstack": 0, "dstack": 0, "column_stack": 0, "lexsort": 0, "select": 0}


@pytest.mark.parametrize("name", LISTS)
def test_lists_have_as_many_arrays_as_trees_chunks_and_kernels_have_limits(name):
    calls = [call for call in draw(name) if call.args or call.kwargs]
    lengths = Counter(
        len(value)
        for call in calls
        for value in [*call.args, *call.kwargs.values()][:1]
        if isinstance(value, list | tuple)
    )
    assert {4, 8, 17, 70} <= lengths.keys()
    assert 0.02 * DRAWN < sum(count for length, count in lengths.items() if length > 3) < 0.2 * DRAWN


@pytest.mark.parametrize(("name", "most"), [("broadcast_arrays", 70), ("meshgrid", 8), ("ix_", 8), ("atleast_1d", 17)])
def test_functions_of_any_number_of_arrays_get_many(name, most):
    assert max(len(call.args) for call in draw(name)) == most


def first(call):
    """The first argument, also where it is given by keyword."""
    return (*call.args, *call.kwargs.values())[0]


def shares(name, holds, count=DRAWN):
    """The share of the calls that NumPy accepts for which a predicate holds."""
    calls = [call for call in draw(name, count) if run_numpy(call).ok]
    return sum(map(holds, calls)) / len(calls)


def is_lowest_by_minus_one(call):
    first, second = (np.asarray(value) for value in call.args[:2])
    if first.dtype.kind != "i" or second.dtype.kind != "i" or not first.size:
        return False
    return bool(np.any(first == np.iinfo(first.dtype).min) and np.any(second == -1) and first.size < 100)


def is_mixed_pair(call):
    kinds = {isinstance(value, np.generic) for value in call.args[:2]}
    return kinds == {True, False} and all(np.ndim(value) == 0 for value in call.args[:2])


def takes_booleans(call):
    indices = call.kwargs.get("indices", call.args[-1] if call.args else 0)
    return len(call.args) != 1 and np.size(indices) > 0 and np.asarray(indices).dtype == bool


def is_long_beside_one(call):
    shapes = sorted((np.shape(value) for value in call.args[:2]), key=len)
    return shapes[0] == () and len(shapes[1]) == 1 and shapes[1][0] >= 32


@pytest.mark.parametrize(
    ("name", "holds", "least"),
    [
        ("floor_divide", is_lowest_by_minus_one, 0.01),
        ("remainder", is_lowest_by_minus_one, 0.01),
        ("left_shift", is_mixed_pair, 0.03),
        ("add", is_mixed_pair, 0.03),
        ("less", is_long_beside_one, 0.03),
        ("take", takes_booleans, 0.01),
        ("sum", lambda call: np.ndim(first(call)) > 5, 0.01),
        ("histogram", lambda call: np.size(first(call)) > 1 and len(set(np.ravel(first(call)))) == 1, 0.02),
        ("prod", lambda call: np.size(call.kwargs.get("where", True)) > 1 and not np.any(call.kwargs["where"]), 0.003),
    ],
)
def test_rare_operands_have_their_share(name, holds, least):
    assert shares(name, holds, 1200) >= least


def test_bounds_may_have_more_dimensions_than_what_is_clipped():
    answered = [(call, run_numpy(call)) for call in draw("clip")]
    wider = [call for call, found in answered if found.ok and np.ndim(found.value) > np.ndim(first(call))]
    assert len(wider) > 0.02 * DRAWN


def test_statistics_have_one_observation():
    calls = [call for call in draw("cov", 1500) if run_numpy(call).ok and call.args and np.ndim(call.args[0]) == 2]
    axes = [1 if call.kwargs.get("rowvar", True) else 0 for call in calls]
    single = [call for call, axis in zip(calls, axes, strict=True) if call.args[0].shape[axis] == 1]
    assert len(single) > 5


def test_ranges_end_at_infinities_now_and_then():
    ends = [call.kwargs.get("range") for call in draw("histogram", 3000)]
    assert any(isinstance(end, tuple) and np.isinf(end).any() for end in ends)
