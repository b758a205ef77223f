"""Measured errors: the farthest with its argument, over the same hard arguments every time, and as a file."""

from __future__ import annotations

import json

import ml_dtypes
import numpy as np
import pytest

from oracle import Case, Mode, load_subject
from oracle.equality.measured import TABLE, table
from tests.oracle.hard_arguments import DTYPES, is_complete, make_arguments
from tests.oracle.measured_recording import Measured, format_table, measure, merge_tables, to_data
from tests.oracle.planted import subject
from tests.oracle.rounding_errors import (
    Distance,
    Unmeasurable,
    distance_between,
    measure_distance,
)

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


REALS = [name for name in DTYPES if "complex" not in name]


class TestArguments:
    @pytest.mark.parametrize("name", ["float32", "float64", "complex64", "complex128"])
    @pytest.mark.parametrize("operands", [1, 2])
    def test_samples_are_the_same_every_time(self, name, operands):
        first, second = (make_arguments(DTYPES[name], operands, 4096) for _ in range(2))
        assert [array.tobytes() for array in first] == [array.tobytes() for array in second]
        assert {array.size for array in first} == {first[0].size}
        assert 1000 < first[0].size < 20000
        assert {array.dtype for array in first} == {DTYPES[name]}
        assert not is_complete(DTYPES[name], operands)


class TestTable:
    def test_it_is_written_and_read(self):
        data = to_data("tfnp", [measured("sin", 2), measured("cos", 0, "float16", "xla"), measured("cos", 1)])
        assert json.loads(format_table(data)) == data
        assert list(data["functions"]) == ["cos", "sin"]
        assert data["functions"]["sin"]["float64"]["eager"] == {
            "ulps": 2, "at": ["0x1p+0"], "error": 0.501, "numpy_error": 0.5, "arguments": 100, "exhaustive": False
        }  # fmt: skip
        assert json.loads(format_table(to_data("tfnp", []))) == to_data("tfnp", [])

    def test_part_of_it_is_brought_up_to_date(self):
        old = to_data("tfnp", [measured("sin", 2), measured("cos", 1)])
        new = to_data("tfnp", [measured("sin", 1), measured("tan", 4)])
        both = merge_tables(old, new)["functions"]
        assert [both[name]["float64"]["eager"]["ulps"] for name in ("cos", "sin", "tan")] == [1, 1, 4]
        with pytest.raises(ValueError, match="other subject"):
            merge_tables(old | {"subject": "numpy"}, new)
        with pytest.raises(ValueError, match="other versions"):
            merge_tables(old | {"versions": {}}, new)

    def test_the_one_in_the_package_is_as_it_would_be_written(self):
        assert format_table(table().data) == TABLE.read_text()

    def test_dtypes_are_what_numpy_answers(self):
        for name, dtypes in (("multiply", {"complex64", "complex128"}), ("float_power", {"float64"})):
            found = list(measure([name], load_subject("numpy"), ("eager",), 64))
            assert {one.distance.dtype for one in found} == dtypes
            assert {(one.distance.ulps, one.distance.unlike) for one in found} == {(0, 0)}
            assert all(one.distance.error == one.distance.numpy_error for one in found)


def measured(name, ulps, dtype="float64", mode="eager"):
    distance = Distance(dtype, ulps, ("0x1p+0",) if ulps else (), 0.5004, 0.5, 100)
    return Measured(name, mode, distance, is_complete(DTYPES[dtype], 1))
