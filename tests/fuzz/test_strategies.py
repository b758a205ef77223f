"""The public strategies: they keep their promises, read well, and shrink to what is simple."""

from __future__ import annotations

import math

import ml_dtypes
import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, find, given, settings
from hypothesis import strategies as st
from hypothesis.errors import InvalidArgument

from fuzz.strategies import arrays, broadcastable_arrays, calls, dtypes, indices, programs, scalars, shapes
from oracle import Case, run_numpy

QUICKLY = settings(
    database=None,
    derandomize=True,
    deadline=None,
    max_examples=60,
    suppress_health_check=list(HealthCheck),
    phases=(Phase.generate,),
)
SHRINKING = settings(QUICKLY, max_examples=2000, phases=(Phase.generate, Phase.shrink))


def drawn(strategy, count=60):
    """What a strategy draws first."""
    made = []

    @settings(QUICKLY, max_examples=count)
    @given(strategy)
    def collect(value):
        made.append(value)

    collect()
    return made


def smallest(strategy, condition=lambda value: True):
    return find(strategy, condition, settings=SHRINKING)


def test_dtypes_are_of_their_kinds():
    assert {dtype.kind for dtype in drawn(dtypes("iu"))} == {"i", "u"}
    assert np.dtype(ml_dtypes.bfloat16) in drawn(dtypes("f", bfloat16=True), 200)
    assert np.dtype(ml_dtypes.bfloat16) not in drawn(dtypes("f"), 200)
    assert np.float16 not in drawn(dtypes("f", exclude=[np.float16], bfloat16=True), 200)
    assert not any(array.dtype.kind == "V" for array in drawn(arrays(), 200))
    assert smallest(dtypes()) == np.float32


def test_shapes_keep_their_bounds():
    made = drawn(shapes(min_dims=1, max_dims=3, min_side=2, max_side=5), 150)
    assert {len(shape) for shape in made} == {1, 2, 3}
    assert {side for shape in made for side in shape} == {2, 3, 4, 5}
    assert any(0 in shape for shape in drawn(shapes(), 300))
    assert smallest(shapes()) == ()


def test_arrays_are_as_asked_for():
    assert {(array.dtype, array.shape) for array in drawn(arrays(np.int8, (2, 3), layouts=False))} == {
        (np.dtype(np.int8), (2, 3))
    }
    made = drawn(arrays(st.sampled_from([np.int8, np.float64]), shapes(max_dims=1), elements="positive"))
    assert {array.dtype.newbyteorder("=") for array in made} == {np.dtype(np.int8), np.dtype(np.float64)}
    assert all((array > 0).all() and array.ndim < 2 for array in made)
    assert {array.shape for array in drawn(arrays(np.int8, 3))} == {(3,)}
    assert {*np.concatenate(drawn(arrays(np.int32, 9, elements=[3, 5]))).tolist()} == {3, 5}


def test_layouts_vary_only_where_asked_for():
    made = drawn(arrays(np.float32, (3, 4)), 1000)
    assert any(array.flags.f_contiguous for array in made)
    assert any(not array.dtype.isnative for array in made)
    assert any(not array.flags.writeable for array in made)
    made = drawn(arrays(np.float32, (3, 4), layouts=False), 200)
    assert all(array.flags.c_contiguous and array.dtype.isnative and array.flags.writeable for array in made)


def test_awkward_numbers_come():
    numbers = np.concatenate([array.ravel() for array in drawn(arrays(np.float64, (5,)), 300)])
    assert np.isnan(numbers).any()
    assert np.isinf(numbers).any()
    assert (np.abs(numbers) == 5e-324).any()


def test_arrays_shrink():
    simplest = smallest(arrays())
    assert (simplest.dtype, simplest.shape, float(simplest)) == (np.float32, (), 0.0)
    negative = smallest(arrays(np.float32), lambda array: (array < -1).any())
    assert (negative.shape, float(negative) in (-1.5, -2.0, -math.inf)) == ((), True)
    large = smallest(arrays(np.int64), lambda array: array.size > 3)
    assert large.size <= 5
    assert not large.any()
    assert math.isnan(smallest(arrays(np.float16), lambda array: np.isnan(array).any()).ravel()[0])


def test_broadcastable_arrays_broadcast():
    made = drawn(broadcastable_arrays(3, dtype=dtypes("f"), shape=(2, 3, 4)))
    assert {len(each) for each in made} == {3}
    assert all(len(np.broadcast_shapes(*(array.shape for array in each))) <= 3 for each in made)
    assert len({array.shape for each in made for array in each}) > 4
    assert all(array.ndim < 7 for each in drawn(broadcastable_arrays()) for array in each)


def test_indices_are_valid():
    array = np.arange(12).reshape(3, 4)
    made = drawn(indices((3, 4)), 200)
    for index in made:
        array[index]
    flat = [part for index in made for part in (index if isinstance(index, tuple) else (index,))]
    assert {slice, type(None), type(...), int, np.ndarray, list} <= {type(part) for part in flat}
    assert smallest(indices(5)) == ()


def test_invalid_indices_come_if_asked_for():
    def fails(index):
        try:
            np.zeros((3, 4))[index]
        except (IndexError, TypeError, ValueError):
            return True
        return False

    assert any(fails(index) for index in drawn(indices((3, 4), invalid=True), 300))


def test_scalars_are_of_either_kind():
    assert {type(value) for value in drawn(scalars(np.int16))} == {int, np.int16}
    assert {type(value) for value in drawn(scalars(dtypes("f"), python=True))} == {float}
    assert {type(value) for value in drawn(scalars("float32", python=False))} == {np.float32}


@pytest.mark.full
def test_calls_are_given_by_function_or_name():
    for strategy in (calls(np.linalg.norm), calls("linalg.norm")):
        assert {case.name for case in drawn(strategy)} == {"linalg.norm"}
    made = drawn(calls("roll"), 400)
    assert any("axis" in case.kwargs for case in made)
    assert any("a" in case.kwargs for case in made)
    assert not run_numpy(smallest(calls("roll"), lambda case: not run_numpy(case).ok)).ok
    made = drawn(calls("roll", without=["axis"], valid=True), 120)
    assert all(run_numpy(case).ok and "axis" not in case.kwargs for case in made)
    assert str(smallest(calls("sin"))) == "np.sin(np.array(0.0, np.float32))"


def test_programs_nest_calls():
    made = drawn(programs([np.add, "sum", "reshape"]), 20)
    assert all(isinstance(case, Case) and len(case.calls()) >= 2 for case in made)


def test_strategies_read_as_they_were_written():
    assert repr(arrays(np.int8, (2, 3))) == "arrays(dtype=int8, shape=(2, 3))"
    assert repr(calls("roll", valid=True)) == "calls('roll', valid=True)"
    assert repr(shapes(max_dims=2)) == "shapes(max_dims=2)"


@pytest.mark.parametrize(
    ("strategy", "message"),
    [
        (calls("rol"), "did you mean roll"),
        (dtypes("O"), "no dtypes of the kinds 'O'"),
        (shapes(min_dims=3, max_dims=2), "no shapes of 3 to 2 dimensions"),
        (arrays("float32", 3, elements="odd"), "no elements 'odd'; there are any"),
        (arrays("M8[s]", 3), "no numbers of datetime64"),
    ],
)
def test_mistakes_are_told(strategy, message):
    with pytest.raises(InvalidArgument, match=message):
        drawn(strategy, 1)
