"""Classes of calls: how often each comes, what ordinary calls have not, and what is wrong with invalid ones."""

from __future__ import annotations

import math
import warnings
from collections import Counter

import numpy as np
import pytest

from fuzz.generate.arrays import BFLOAT16
from fuzz.generate.call_classes import EDGE, HOSTILE, INVALID, ORDINARY, SORTS
from fuzz.generate.calls import draw_call, generated_names
from fuzz.generate.choices import SeedChoices, SequenceChoices
from fuzz.generate.signatures import parameters_of
from oracle import run_numpy
from tests.tables import check_each, each_topic

NAMED = generated_names()
LARGE = 1e6


def draw_many(name, count, **options):
    return [draw_call(SeedChoices(seed), name, **options) for seed in range(count)]


def answers(call):
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        return run_numpy(call.case)


def test_sixty_of_a_hundred_calls_are_ordinary():
    found = Counter(call.call_class for call in draw_many("take", 10_000))
    assert found.keys() == {ORDINARY, EDGE, INVALID}
    assert 0.57 < found[ORDINARY] / found.total() < 0.64
    assert 0.33 < found[EDGE] / found.total() < 0.37
    assert 0.03 < found[INVALID] / found.total() < 0.06


@each_topic(NAMED, 60)
def test_numbers_of_ordinary_calls_are_finite_and_moderate(names):
    check_each(names, check_ordinary)


def check_ordinary(name):
    calls = [call for call in draw_many(name, 40) if call.call_class == ORDINARY]
    assert sum(array.size == 0 for call in calls for array in call.case.arrays()) <= 3, name
    for call in calls:
        for array in call.case.arrays():
            assert array.dtype.isnative, call.case
            assert array.dtype != BFLOAT16, call.case
            assert array.flags.aligned, call.case
            if array.dtype.kind in "fciu" and not name.rpartition(".")[2].startswith("nan"):
                assert np.isfinite(array).all(), call.case
                assert not (np.abs(array.astype(complex)) > LARGE).any(), call.case


@pytest.mark.parametrize("name", ["add", "sum", "sort", "concatenate", "take", "linalg.norm", "quantile", "interp"])
def test_nearly_every_edge_call_has_an_edge(name):
    calls = [call for call in draw_many(name, 1500) if call.call_class == EDGE]
    assert sum(is_edge(call.case) for call in calls) > 0.78 * len(calls)


def is_edge(case):
    many = len(case.kwargs) > 1
    return many or any(map(is_unusual, case.arrays())) or any(map(is_unusual_scalar, case.leaves()))


def is_unusual(array):
    is_laid = not (array.flags.c_contiguous and array.flags.writeable and array.dtype.isnative and array.flags.aligned)
    if is_laid or not array.size or array.dtype == BFLOAT16:
        return True
    if array.dtype.kind not in "fciu":
        return False
    wide = array.astype(complex)
    parts = np.concatenate([wide.real.ravel(), wide.imag.ravel()])
    is_zero_alone = not parts.any()
    return (
        not np.isfinite(parts).all() or (np.signbit(parts) & (parts == 0)).any() or is_zero_alone or _is_extreme(array)
    )


def _is_extreme(array):
    if array.dtype.kind in "iu":
        limits = np.iinfo(array.dtype)
        return any(abs(int(value)) > 40_000 or int(value) in (limits.min, limits.max) for value in array.ravel())
    sizes = np.abs(array[np.isfinite(array) & (array != 0)])
    return bool(sizes.size) and bool(sizes.max() > 40_000 or sizes.min() < 1e-3)


def is_unusual_scalar(leaf):
    if isinstance(leaf, bool) or not isinstance(leaf, int | float | complex | np.generic) or isinstance(leaf, np.str_):
        return False
    return is_unusual(np.array(leaf)) if not isinstance(leaf, int) else abs(leaf) > 120


@each_topic(NAMED, 60)
def test_an_invalid_call_has_one_fault(names):
    check_each(names, check_fault)


def check_fault(name):
    for call in draw_many(name, 60):
        assert (call.fault is not None) == (call.call_class == INVALID), call
        if call.fault is not None:
            assert call.fault.sort in SORTS
            own = {*parameters_of(name), "self", "casting", "order", "out"}
            assert call.fault.parameter in own or call.fault.parameter[:1] in "xa", call


def test_numpy_rejects_most_invalid_calls_and_few_others():
    rejected, drawn = Counter(), Counter()
    for name in NAMED[::4]:
        for call in draw_many(name, 30):
            is_valid = call.call_class != INVALID
            drawn[is_valid] += 1
            rejected[is_valid] += not answers(call).ok
    assert rejected[True] < 0.03 * drawn[True]
    assert rejected[False] > 0.6 * drawn[False]


@each_topic(NAMED, 60)
def test_drawing_never_fails(names):
    check_each(names, check_drawing)


def check_drawing(name):
    for seed in range(50, 80):
        draw_call(SeedChoices(seed), name, hostile=True)
        draw_call(SeedChoices(seed), name, turn=2 * seed + 1)
        draw_call(SeedChoices(seed), name)


def test_required_calls_are_meant_to_be_valid():
    calls = draw_many("sum", 400, required=frozenset({"axis"}))
    assert {call.call_class for call in calls} == {ORDINARY, EDGE}


def test_a_hostile_call_is_nonsense_that_no_other_call_contains():
    hostile, others = draw_many("roll", 500, hostile=True), draw_many("roll", 3000)
    assert {call.call_class for call in hostile} == {HOSTILE}
    odd = {type(leaf) for call in hostile for leaf in call.case.leaves()} | {
        key for call in hostile for key in call.case.kwargs
    }
    assert {str, slice, "bogus"} <= odd
    usual = {type(leaf) for call in others for leaf in call.case.leaves()} | {
        key for call in others for key in call.case.kwargs
    }
    assert not {slice, "bogus"} & usual


@pytest.mark.parametrize("name", ["add", "sum", "pad", "linalg.solve"])
def test_siblings_have_the_same_class_and_fault(name):
    for seed in range(60):
        call = draw_call(SeedChoices(seed), name)
        assert draw_call(SeedChoices(seed, 3), name).data() == call.data()


def test_the_simplest_call_is_ordinary():
    assert draw_call(SequenceChoices([]), "add").call_class == ORDINARY
    assert math.isfinite(draw_call(SequenceChoices([]), "add").case.args[0])
