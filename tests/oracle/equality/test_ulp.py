"""How close is close: what is let through by each family, and what is not."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest

from oracle import Case, Mode, Outcome, run_numpy
from oracle.equality.table import (
    adds_products,
    allowed_ulps,
    divides,
    growth,
    multiplies,
    relation_of,
)
from oracle.equality.ulp import classes_differ, complex_ulps_apart, ulps_apart, zero_signs_differ
from oracle.harness import NAMES, find_deviation
from tests.oracle.elements import judge_elements, left_over
from tests.oracle.planted import answer, kinds

X = np.linspace(0.1, 30, 50)


class TestElements:
    @pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64, ml_dtypes.bfloat16])
    def test_ulps_count_representable_numbers(self, dtype):
        one = np.array([1, -1, 0], dtype)
        step = np.nextafter(one, np.array(2, dtype)) if dtype != ml_dtypes.bfloat16 else (one + np.array(2**-7, dtype))
        assert ulps_apart(one[:1], step[:1]).tolist() == [1]
        assert ulps_apart(one, one).tolist() == [0, 0, 0]

    def test_ulps_across_zero_and_at_the_end(self):
        tiny, largest = np.array([5e-324]), np.array([np.finfo(float).max])
        assert ulps_apart(tiny, -tiny) == 2
        assert ulps_apart(np.array([0.0]), np.array([-0.0])) == 0
        assert ulps_apart(largest, np.array([np.inf])) == 1
        assert ulps_apart(np.array([np.nan, np.nan, 1]), np.array([np.nan, 1, np.nan])).tolist() == [0, np.inf, np.inf]

    def test_complex_ulps_are_of_the_modulus(self):
        one, other = np.array([1 + 1e-20j]), np.array([1 + 1e-17j])
        assert complex_ulps_apart(one, other) < 0.1
        assert complex_ulps_apart(np.array([1 + 0j]), np.array([1 + 1e-15j])) > 4

    def test_classes_and_zeros(self):
        left = np.array([np.nan, np.inf, np.inf, 1, complex(1, np.nan)])
        right = np.array([np.nan, -np.inf, np.inf, 2, complex(np.nan, 1)])
        assert classes_differ(left, right).tolist() == [False, True, False, False, True]
        assert zero_signs_differ(np.array([0.0, -0.0, 1]), np.array([-0.0, -0.0, 1])).tolist() == [True, False, False]
        assert zero_signs_differ(np.array([complex(1, 0.0)]), np.array([complex(1, -0.0)])).all()


def moved(ulps):
    """The function's result, each element that many units in the last place away."""

    def move(result):
        bits = {2: np.int16, 4: np.int32, 8: np.int64}[result.dtype.itemsize]
        return (result.view(bits) + bits(ulps)).view(result.dtype)

    return move


class TestFamilies:
    @pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
    @pytest.mark.parametrize("name", ["sin", "exp", "log", "tanh", "arctan", "cbrt"])
    def test_a_transcendental_function_has_a_few_ulps(self, name, dtype):
        case = Case(name, (X.astype(dtype) / 10,))
        value = getattr(np, name)(case.args[0])
        allowed = int(allowed_ulps(name, np.dtype(dtype), False))
        assert left_over(case, moved(allowed)(value)) == []
        assert left_over(case, moved(allowed + 1)(value)) == ["value"]
        assert allowed <= 9

    @pytest.mark.parametrize("name", ["sqrt", "negative", "floor", "square", "reciprocal", "rint"])
    def test_an_exactly_rounded_function_has_none(self, name):
        value = getattr(np, name)(X)
        assert left_over(Case(name, (X,)), moved(1)(value)) == ["value"]

    def test_special_values_have_no_neighbours(self):
        case = Case("exp", (np.array([np.inf, -np.inf, np.nan, 0.0]),))
        assert answer(case, np.array([np.inf, 0.0, np.nan, 1.0])) == []
        for wrong in (
            [np.nan, 0, np.nan, 1],
            [np.inf, -0.0, np.nan, 1],
            [np.inf, 0, np.inf, 1],
            [-np.inf, 0, np.nan, 1],
        ):
            assert answer(case, np.array(wrong)) == ["value"]

    def test_where_numpy_errs_the_truth_decides(self):
        angle = np.array([355.0], np.float32)
        assert kinds(Case("sin", (angle,)), sin=lambda x: np.sin(x.astype(np.float64)).astype(np.float32)) == []
        assert kinds(Case("sin", (angle,)), sin=lambda x: np.sin(x) * np.float32(1.0001)) == ["value"]

    def test_where_numpy_cancels_a_better_formula_decides(self):
        tiny = np.array([1e-25 + 0j, 1e-10 + 1e-12j])
        assert np.log1p(tiny)[0] == 0
        assert answer(Case("log1p", (tiny,)), tiny - tiny**2 / 2) == []
        assert answer(Case("log1p", (tiny,)), tiny * 1.001) == ["value"]

    def test_a_sum_that_cancels_is_judged_by_its_terms(self):
        case = Case("sum", (np.array([1e8, 1.0, -1e8], np.float32),))
        assert answer(case, np.float32(0)) == []
        assert answer(case, np.float32(1000)) == ["value"]
        exact = Case("sum", (np.array([4.0, 1.0, -4.0], np.float32),))
        assert answer(exact, np.float32(1.00001)) == ["value"]

    @pytest.mark.parametrize(("length", "kinds"), [(2000, []), (4, ["value"])])
    def test_the_longer_a_sum_the_more_may_be_lost(self, length, kinds):
        case = Case("trapezoid", (np.full(length, np.pi),))
        assert left_over(case, run_numpy(case).value * (1 + 100 * 2.0**-52)) == kinds

    def test_sums_on_the_way_are_as_precise_as_what_is_summed(self):
        values = np.array([[1.0, 0.0], [-1.0, -3.14]], np.float32)
        case = Case("einsum", (values, [...], 1.0, [], []), {"optimize": True})
        assert answer(case, np.float64(np.float32(-3.14))) == []
        assert answer(case, np.float64(-3.1401)) == ["value"]
        assert answer(Case("einsum", (values, [0, 1], 1.0, [], [])), np.float64(-3.140001)) == ["value"]

    @pytest.mark.parametrize("dtype", [np.float32, np.complex64])
    def test_products_of_matrices(self, dtype):
        a = (np.arange(12).reshape(3, 4) * dtype(0.3)).astype(dtype)
        case = Case("matmul", (a, a.T))
        wide = (a.astype(np.complex128) @ a.T).astype(np.complex64).real
        value = (a @ a.T).astype(dtype)
        assert answer(case, value if dtype is np.complex64 else wide) == []
        assert answer(case, value * dtype(1.001)) == ["value"]

    def test_what_is_ill_conditioned_may_move_with_its_inputs(self):
        data = (1e4 + np.arange(10) * 0.1).astype(np.float32)
        case = Case("var", (data,))
        assert kinds(case, var=lambda x: np.float32(np.mean((x - np.mean(x)) ** 2))) == []
        assert kinds(case, var=lambda x: np.float32(np.var(x) * 1.5)) == ["value"]

    def test_transforms_are_judged_against_their_largest_element(self):
        data = np.arange(16.0)
        exact = np.fft.fft(data)
        assert answer(Case("fft.fft", (data,)), exact + 1e-14) == []
        assert answer(Case("fft.fft", (data,)), exact + 1e-10) == ["value"]

    def test_complex_products_are_judged_by_modulus(self):
        a, b = np.array([1 + 1j], np.complex64), np.array([1 + (1 + 2**-22) * 1j], np.complex64)
        exact = (a.astype(np.complex128) * b).astype(np.complex64)
        assert answer(Case("multiply", (a, b)), exact) == []
        assert answer(Case("multiply", (a, b)), exact * np.complex64(1.00001)) == ["value"]

    def test_powers_may_err_with_their_logarithm_unless_compiled(self):
        far, near = Case("power", (np.array([2.0]), 900)), Case("power", (np.array([2.0]), 3))
        assert left_over(far, np.array([2.0**900 * (1 + 500 * 2.0**-52)])) == []
        assert growth("power", np.dtype(float), False) > growth("power", np.dtype(float), True) == 0
        assert left_over(near, np.array([8 * (1 + 20 * 2.0**-52)])) == ["value"]

    def test_parts_of_complex_numbers_are_flushed_by_themselves(self):
        case = Case("log", (np.array([complex(0.0, 1e-308)]),))
        assert left_over(case, np.array([complex(-np.inf, np.pi / 2)])) == []
        assert left_over(case, np.array([complex(-np.inf, 2.0)])) == ["value"]


class TestPrograms:
    def test_errors_are_handed_on(self):
        inner = Case("exp", (np.array([100.0, 1.0]),))
        case = Case("subtract", (inner, np.exp(np.array([100.0, 1.0]))))
        assert answer(case, np.array([2.0**92, 0.0])) == []
        assert answer(case, np.array([1e40, 0.0])) == ["value"]

    def test_what_a_rounding_error_decides_is_not_judged(self):
        data = np.array([0.5, 2.0])
        case = Case("greater", (Case("exp", (data,)), np.exp(data)))
        assert answer(case, np.array([True, False])) == []
        assert answer(Case("greater", (Case("exp", (data,)), 5.0)), np.array([True, True])) == ["value"]


class TestTable:
    def test_a_method_is_as_close_as_its_ufunc(self):
        assert relation_of("power.outer") is relation_of("power")
        assert relation_of("arctan2.outer").rule == "ulps"
        assert {adds_products(name) for name in ("outer", "linalg.outer", "multiply.outer")} == {True}

    def test_a_method_of_arrays_is_as_close_as_the_function(self):
        assert relation_of("ndarray.sum") is relation_of("sum")
        assert divides("ndarray.mean")
        assert multiplies("ndarray.__matmul__")

    def test_what_is_done_again_is_as_close_as_its_condition_allows(self):
        assert relation_of("arctan2.at").rule == "conditioned"
        assert relation_of("subtract.at").rule == "exact"

    def test_numbers_are_small(self):
        for name in NAMES:
            for code in "efd":
                elementwise = relation_of(name).rule == "ulps"
                for compiled in (False, True):
                    assert allowed_ulps(name, np.dtype(code), compiled) <= (18 if elementwise else 64)
        for name in ("add", "multiply", "divide", "sqrt", "sort", "astype", "concatenate", "greater", "take"):
            assert relation_of(name).rule == "exact"


def test_subnormal_numbers_may_be_rounded_and_so_may_what_is_nearly_subnormal():
    case = Case("log10", (np.array([1e-308, 100.0]),))
    assert left_over(case, np.array([-307.8, 2.0])) == []
    assert left_over(case, np.array([-307.5, 2.0])) == ["value"]
    assert left_over(case, np.array([-307.8, 2.1])) == ["value"]
    assert left_over(Case("sqrt", (np.array([2.3e-308]),)), np.array([0.0])) == []


def test_what_is_too_small_for_the_inputs_is_flushed_in_a_wider_output_too():
    case = Case("power", (np.array(2.0, np.float32), np.array(-128.0, np.float32), np.array(0.0)))
    assert judge_elements(case, np.array(0.0)) == "flushed"
    assert judge_elements(case, np.array(1.0)) == "wrong"


def test_of_complex_powers_that_overflow_either_part_may_be_infinite():
    case = Case("vander", (np.array([complex(-9e190, 3e164), 1j]), 4))
    expected = run_numpy(case).value
    other = np.where(np.isfinite(expected), expected, complex(np.nan, np.inf))
    assert left_over(case, other) == []
    assert left_over(case, np.where(np.isfinite(expected), 0, expected)) == ["value"]


def test_complex_powers_promise_no_signs_of_zeros():
    case = Case("vander", (np.array([1e-200j, 1.0]), 4))
    expected = run_numpy(case).value
    assert answer(case, np.where(expected == 0, 0, expected)) == []
    assert answer(case, np.where(expected == 0, 1, expected)) == ["value"]


def test_the_truth_decides_of_python_numbers_too():
    assert answer(Case("log1p", (1e-10j,)), np.asarray(5e-21 + 1e-10j)) == []
    assert answer(Case("log1p", (1e-10j,)), np.asarray(5e-19 + 1e-10j)) == ["value"]


def test_of_two_numbers_that_flush_to_zero_either_is_the_smaller():
    tiny, zero = ml_dtypes.bfloat16(9e-41), ml_dtypes.bfloat16(-0.0)
    case = Case("minimum", (np.array(tiny), np.array(zero)))
    assert find_deviation(case, run_numpy(case), Outcome(np.array(tiny)), Mode("eager")) is None
    assert find_deviation(case, run_numpy(case), Outcome(np.array(tiny, np.float32)), Mode("eager")).kind == "dtype"
    assert (
        find_deviation(case, run_numpy(case), Outcome(np.array(ml_dtypes.bfloat16(-1))), Mode("eager")).kind == "value"
    )
