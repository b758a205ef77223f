"""How far a subject is from NumPy: the farthest is found, with its argument; what has other judges does not count."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest

from oracle import Case, Mode
from oracle.compare.measure import distance_between
from oracle.harness import Unmeasurable, measure_distance, without_subnormals
from tests.oracle.planted import subject

X = np.linspace(0.1, 3, 50)


def nudged(array, ulps):
    bits = {2: np.int16, 4: np.int32, 8: np.int64}[array.dtype.itemsize]
    return (array.view(bits) + bits(ulps)).view(array.dtype)


@pytest.mark.parametrize("dtype", [np.float16, ml_dtypes.bfloat16, np.float32, np.float64])
def test_the_farthest_is_found_and_where(dtype):
    given = X.astype(dtype)
    expected = np.exp(given)
    moves = np.zeros(50, int)
    moves[[7, 30, 41]] = 1, 3, -2
    actual = np.array([nudged(expected[i : i + 1], moves[i])[0] for i in range(50)], dtype)
    found = distance_between(Case("exp", (given,)), expected, actual)
    assert (found.ulps, found.at, found.count) == (3, (float(given[30]).hex(),), 50)
    assert 2.4 < found.error < 3.6
    assert found.numpy_error <= 2
    assert (found.unlike, found.dtype) == (0, np.dtype(dtype).name)


def test_what_no_rounding_explains_is_counted_apart():
    given = np.array([1.0, 2.0, np.inf])
    found = distance_between(Case("exp", (given,)), np.exp(given), np.array([np.nan, np.exp(2), np.inf]))
    assert (found.ulps, found.unlike, found.first) == (0, 1, ("0x1.0000000000000p+0",))


def test_what_is_flushed_is_no_distance():
    given = np.array([-87.9, 1], np.float32)
    assert np.exp(given)[0] < np.finfo(np.float32).tiny
    assert distance_between(Case("exp", (given,)), np.exp(given), np.array([0, np.exp(given[1])], np.float32)).ulps == 0


def test_where_numpy_is_astray_the_arbiter_judges():
    case = Case("log1p", (np.array([1e-25 + 0j, 1e-10 + 1e-12j]),))
    exact = case.args[0] - case.args[0] ** 2 / 2
    assert distance_between(case, np.log1p(case.args[0]), exact).ulps <= 1
    assert distance_between(case, np.log1p(case.args[0]), exact * 1.001).unlike == 1  # the other is nearer the truth


def test_pieces_give_every_element():
    found = measure_distance(
        Case("exp", (X,)), Mode("eager"), subject(exp=lambda x: nudged(np.exp(x), 2 * (x == X[-1]))), 7
    )
    assert (found.ulps, found.at, found.count) == (2, (X[-1].hex(),), 56)
    assert found.join(measure_distance(Case("exp", (X,)), Mode("eager"), subject(), 50)).ulps == 2


@pytest.mark.parametrize("function", [lambda x: x[1:], lambda x: x.astype(np.float32), lambda x: 1 / 0, lambda x: None])
def test_what_is_no_answer(function):
    with pytest.raises(Unmeasurable):
        measure_distance(Case("exp", (X,)), Mode("eager"), subject(exp=function), 50)


def test_subnormal_arguments_are_left_out():
    first, second = np.array([1.0, 1e-310, 2.0]), np.array([1e-320, 1.0, 1.0])
    assert [array.tolist() for array in without_subnormals(Case("hypot", (first, second))).args] == [[2.0], [1.0]]
    halves = np.array([6e-8, 1], np.float16)
    assert without_subnormals(Case("exp", (halves,))).args[0].size == 2
