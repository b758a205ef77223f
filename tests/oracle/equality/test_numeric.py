"""What a result may be where NumPy's own is a matter of rounding: of fused products, and of what underflows."""

from __future__ import annotations

import ml_dtypes
import numpy as np

from oracle import Case, run_numpy
from oracle.transforms import precision
from tests.oracle.elements import left_over
from tests.oracle.planted import answer, kinds

SMALL = np.array(complex(-2e-19, -8e-20), np.complex64)


def test_where_finite_products_overflow_beside_infinity_their_sum_may_be_nan():
    nan = np.asarray(np.nan)
    assert left_over(Case("matmul", (np.array([-np.inf, 9e307]), np.array([1.0, 2.0]))), nan) == []
    assert left_over(Case("matmul", (np.array([-np.inf, 9e307]), np.array([1.0, 1.0]))), nan) == ["value"]


def test_where_finite_terms_overflow_beside_infinity_their_sum_may_be_nan():
    nan = np.asarray(np.float32(np.nan))
    assert left_over(Case("nansum", (np.array([-np.inf, 3e38, 3e38], np.float32),)), nan) == []
    assert left_over(Case("nansum", (np.array([-np.inf, 3e38, 1e37], np.float32),)), nan) == ["value"]


def test_which_part_of_an_infinite_sum_of_complex_products_is_nan_is_open():
    for dtype in (np.complex128, "complex128"):
        case = Case("vecmat", (np.array([0.0, 1.0]), np.array([[0.0], [np.inf]])), {"dtype": dtype})
        assert left_over(case, np.array([complex(np.inf, np.nan)])) == []
        assert left_over(case, np.array([0j])) == ["value"]


def test_one_of_two_products_may_vanish_beside_the_other():
    assert left_over(Case("square", (SMALL,)), np.asarray(4e-38 + 3.2e-38j, np.complex64)) == []
    assert left_over(Case("square", (SMALL,)), np.asarray(7e-38 + 3.2e-38j, np.complex64)) == ["value"]


def test_a_zero_too_small_to_be_one_keeps_no_sign():
    assert left_over(Case("divide", (1.0, 9e307 + 1j)), np.asarray(0j)) == []
    assert left_over(Case("divide", (1.0, complex(2, 0.0))), np.asarray(complex(0.5, -0.0))) == ["value"]
    for number, kind in ((5.7714996e-12 - 7.8408147e28j, []), (5 - 7j, ["value"])):
        case = Case("divide", (np.array(number, np.complex64), np.array(number, np.complex64)))
        ours = np.conjugate(run_numpy(case).value)  # whose terms are subnormal, and NumPy's way to round them
        assert left_over(case, np.asarray(ours)) == kind


def test_the_root_of_what_underflows_may_be_zero():
    assert left_over(Case("std", (np.array([0, -1e-22], np.float32),)), np.asarray(np.float32(0))) == []
    assert left_over(Case("std", (np.array([0, -1e-18], np.float32),)), np.asarray(np.float32(0))) == ["value"]


def test_a_result_is_as_good_as_the_dtype_asked_for():
    asked = {"dtype": np.dtype(ml_dtypes.bfloat16)}
    bfloat16 = ml_dtypes.bfloat16
    assert answer(Case("var", (np.full(7, 0.1),), asked), np.asarray(bfloat16(9.6e-9))) == []
    assert answer(Case("var", (np.full(7, 0.1),), asked), np.asarray(bfloat16(1e-3))) == ["value"]
    for case in (Case("sum", ([0.1], None, "f")), Case("sum", ([0.1],), {"dtype": "float32"})):
        assert precision.epsilon(case, np.dtype(np.float64)) == 2.0**-23


def test_the_truth_is_asked_for_in_more_precision_than_a_letter_names():
    for asked in ({"dtype": "F"}, {"dtype": "complex128"}, {"dtype": np.complex64, "where": np.array(True)}):
        case = Case("log1p", (np.array(-7e-15),), asked)
        dtype = np.dtype(asked["dtype"])
        assert answer(case, np.asarray(-7e-15, dtype)) == []
        assert answer(case, np.asarray(-7e-14, dtype)) == ["value"]


def test_what_rounding_alone_makes_normal_may_be_flushed():
    case = Case("multiply", (np.array(2.0**-63 * (1 - 2.0**-24), np.float32), np.array(2.0**-63, np.float32)))
    assert left_over(case, np.asarray(np.float32(0))) == []


def test_the_sum_behind_a_mean_may_overflow():
    case = Case("mean", (np.array([3e38, 3e38, -3e38, -3e38], np.float32),))
    assert left_over(case, np.asarray(np.float32(np.inf))) == []
    assert left_over(Case("mean", (np.array([1, 3], np.float32),)), np.asarray(np.float32(np.inf))) == ["value"]


def test_a_remainder_is_as_good_as_what_cancels_in_it():
    quotient, rest = np.polydiv(5, 100 + 0.1j)
    case = Case("polydiv", (5, 100 + 0.1j))
    assert answer(case, (quotient, rest + 1e-16)) == []
    assert answer(case, (quotient, rest + 1e-9)) == ["value"]
    assert answer(case, (quotient + 1e-9, rest)) == ["value"]


def test_either_part_of_a_long_product_of_complex_numbers_may_overflow():
    case = Case("cumprod", (np.array([1e200 + 1e200j, 9e107 + 9e107j, 1.0]),))
    with np.errstate(all="ignore"):
        value = np.cumprod(case.args[0])
    assert left_over(case, np.array([*value[:1], complex(0, np.inf), complex(np.nan, np.nan)])) == []


def test_what_numpy_does_not_join_in_order_is_judged_in_order():
    case = Case("power.reduce", (np.array([1.5, 2.0, 3.0]),))
    assert answer(case, np.asarray(1.5**6)) == []
    assert answer(case, np.asarray(1.5**6 * 1.001)) == ["value"]
    small = Case("arctan2.reduce", (np.array([1e-30, 1e30, 0.0], np.float32),))
    assert answer(small, np.asarray(np.float32(0))) == []
    assert answer(small, np.asarray(np.float32(1))) == ["value"]


def test_a_mean_of_what_overflows_beside_infinity_may_be_nan():
    for number, value, kind in ((65504, -np.inf, []), (100, np.nan, ["value"])):
        numbers = np.full(29, -np.inf, np.float16)
        numbers[:6] = number, 0, 0, 0, 0, 16
        case = Case("nanmean", (numbers,), {"where": np.isin(np.arange(29), (0, 5, 28))})
        assert not np.array_equal(run_numpy(case).value, value, equal_nan=True)
        assert left_over(case, np.asarray(np.float16(value))) == kind


def test_numbers_that_cancel_are_moved_until_they_part():
    case = Case("polynomial.legendre.legcompanion", (np.array([0.0, 3, 0, 4]),))
    found = run_numpy(case).value
    for units, wrong in ((8, []), (400, ["value"])):
        other = found.copy()
        other[1, 2] += units * np.spacing(other[1, 2])
        assert answer(case, other) == wrong


def test_einsum_may_add_before_it_multiplies_by_an_infinite_scalar():
    diagonal, nan = np.array([[0, 0], [0, 1]]), np.asarray(np.nan)
    assert answer(Case("einsum", ("ll,->", diagonal, np.inf)), nan) == []
    assert answer(Case("einsum", ("ll,->", diagonal, 1e300)), nan) == ["value"]
    assert answer(Case("einsum", ("i,i->", np.array([0, 1]), np.array([1, np.inf]))), nan) == ["value"]


def test_what_a_wider_output_held_before_is_still_there():
    case = Case("log10", (np.array(10, np.float16),), {"out": np.array([0, 1j]), "where": np.array([True, False])})

    def writes(numbers):
        def log10(x, out, where):
            out[:] = numbers
            return out

        return log10

    assert kinds(case, log10=writes([1, 1j])) == []
    assert kinds(case, log10=writes([1, 2j])) == ["value"]
    assert kinds(case, log10=writes([1 + 1j, 1j])) == ["value"]
