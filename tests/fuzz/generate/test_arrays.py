"""Pools hold what they say, arrays are what was asked for, and layouts change nothing but the layout."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest

from fuzz.generate import arrays, layouts, operand_pairs, trial_calls
from fuzz.generate.choices import SeedChoices


@pytest.mark.parametrize("dtype", arrays.DTYPES, ids=str)
def test_pools_hold_exact_numbers(dtype):
    for pool in arrays.POOLS[dtype].values():
        array = np.array(pool, dtype)
        assert len(pool) > 1
        assert all(array[place] == value or np.isnan(value) for place, value in enumerate(pool))


@pytest.mark.parametrize("dtype", [np.dtype(code) for code in "efdFD"], ids=str)
def test_every_nan_among_bits_is_quiet(dtype):
    parts = np.concatenate(
        [arrays._bits(SeedChoices(seed), dtype, 4000).view(np.zeros((), dtype).real.dtype) for seed in range(20)]
    )
    missing = parts[np.isnan(parts)]
    assert missing.size
    bits = missing.view(f"u{missing.itemsize}")
    quiet = np.array(np.nan, missing.dtype).view(bits.dtype)
    assert (bits & quiet == quiet).all()
    assert len(set(bits.tolist())) > 2  # either sign, and payloads


@pytest.mark.parametrize("dtype", [d for d in arrays.DTYPES if arrays.kind(d) == "f"], ids=str)
def test_awkward_floats(dtype):
    pool = np.array(arrays.POOLS[dtype]["awkward"], dtype)
    wide = pool.astype(np.float64)
    assert np.isnan(wide).any()
    assert np.isposinf(wide).any()
    assert np.isneginf(wide).any()
    assert (np.signbit(wide) & (wide == 0)).any()
    limits = arrays.ml_dtypes.finfo(dtype)
    assert {float(limits.max), float(limits.tiny), float(limits.smallest_subnormal)} <= set(wide.tolist())


@pytest.mark.parametrize("dtype", [d for d in arrays.DTYPES if d.kind in "iu"], ids=str)
def test_awkward_integers(dtype):
    limits = np.iinfo(dtype)
    assert {limits.min, limits.max} <= set(arrays.POOLS[dtype]["awkward"])


@pytest.mark.parametrize("layout", [one for one in dict.fromkeys(arrays.LAYOUTS) if one], ids=lambda one: one.__name__)
def test_layouts_keep_shape_and_elements(layout):
    plain = np.arange(24.0).reshape(2, 3, 4)
    laid = layout(plain)
    assert laid.shape == plain.shape
    if layout is layouts.stretched:
        assert (laid == plain[:1]).all()
    elif layout is layouts.reversed_:
        assert laid.strides[-1] < 0
    elif layout is layouts.windowed:
        assert (laid[:, 1:, :-1] == laid[:, :-1, 1:]).all()
        assert laid.strides[-2:] == (8, 8)
    else:
        assert (laid == plain).all()
    assert not (laid.flags.c_contiguous and laid.flags.aligned and laid.dtype.isnative and laid.flags.writeable)


def test_shapes_reach_the_lengths_at_which_algorithms_change():
    choices = SeedChoices(5)
    choices.begin(frozenset(), arrays.HUGE)
    shapes = [arrays.shape(choices, 1, 2) for _ in range(60_000)]
    lengths = Counter(map(max, shapes))
    for length in (8, 16, 32, 64, 128, 256, 512, 1024, 8192, 65536):
        assert min(lengths[length - 1], lengths[length], lengths[length + 1]) > 5, length
    assert 0.01 < sum(math.prod(shape) > 8000 for shape in shapes) / len(shapes) < 0.03


def test_long_arrays_differ_at_far_positions():
    choices = SeedChoices(5)
    ends = [(found[-1], found[0]) for found in (arrays.numbers(choices, np.dtype("f4"), 8192) for _ in range(40))]
    assert sum(last != first for last, first in ends) > 20
    assert len(set(arrays.numbers(choices, np.dtype("i4"), 8192, "distinct").tolist())) > 50


def test_every_layout_comes():
    found = {
        (
            array.flags.c_contiguous,
            array.flags.f_contiguous,
            array.flags.aligned,
            array.dtype.isnative,
            0 in array.strides,
        )
        for seed in range(600)
        for array in [arrays.array(SeedChoices(seed), np.dtype("f8"), (2, 3))]
    }
    assert len(found) >= 6


def test_shapes_reach_from_rank_0_to_6_and_past_a_vector_register():
    shapes = [arrays.shape(SeedChoices(seed)) for seed in range(3000)]
    assert {len(shape) for shape in shapes} == set(range(7))
    assert any(0 in shape for shape in shapes)
    assert any(1 in shape for shape in shapes)
    assert {17, 33, 65, 130} <= {side for shape in shapes for side in shape}
    largest = max(map(math.prod, shapes))
    assert 1200 <= largest < 3000


def test_narrowed_shapes_broadcast():
    for seed in range(300):
        choices = SeedChoices(seed)
        full = arrays.shape(choices)
        assert np.broadcast_shapes(arrays.narrowed(choices, full), full) == full


def test_nearly_right_shapes_differ():
    for seed in range(100):
        choices = SeedChoices(seed)
        shape = arrays.shape(choices)
        assert arrays.nearly(choices, shape) != shape


def test_an_answer_is_of_the_structure_alone():
    one = trial_calls.answer(np.add, np.array([1.0, 2.0]), np.float32(3))
    assert (one.shape, one.dtype) == ((2,), np.float64)
    assert trial_calls.answer(np.add, np.array([1, 2]), np.array([1, 2, 3])) is None
    assert trial_calls.answer(np.power, np.array([2]), np.array([-1])) is not None


def test_pairs_of_special_numbers_come_side_by_side():
    left, right = operand_pairs.all_pairs(SeedChoices(3), np.dtype(np.float64), np.dtype(np.float64))
    pairs = {(repr(one), repr(other)) for one, other in zip(left.tolist(), right.tolist(), strict=True)}
    assert {("inf", "inf"), ("-inf", "-inf"), ("0.0", "-0.0"), ("nan", "inf"), ("inf", "-inf")} <= pairs


def test_an_echo_has_equal_and_adjacent_elements():
    other = np.arange(60, dtype=np.int64) + 2**53
    gaps = {
        int(gap)
        for seed in range(40)
        for gap in operand_pairs.echo(SeedChoices(seed), other, other.dtype, other.shape) - other
    }
    assert {0, 1, -1} <= gaps
