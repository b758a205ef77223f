"""NumPy's own outcome: values, errors, and what became of the arrays that a case writes to."""

from __future__ import annotations

import warnings

import ml_dtypes
import numpy as np
import pytest

from oracle import Case, Outcome, run_numpy
from oracle.harness import NAMES
from oracle.reference.outcome import copy_for_numpy, destinations, overlaps

F = np.array([1.0, 2.0, 3.0])


def test_a_case_is_called_with_copies():
    array = np.array([3, 1, 2])
    assert run_numpy(Case("ndarray.sort", (array,))).after[0].tolist() == [1, 2, 3]
    assert array.tolist() == [3, 1, 2]


def test_functions_that_read_layout_are_asked_of_rows():
    columns = np.asfortranarray(np.arange(6.0).reshape(2, 3))
    assert run_numpy(Case("ravel", (columns,), {"order": "A"})).value.tolist() == [0, 1, 2, 3, 4, 5]
    assert run_numpy(Case("array", (columns,), {"copy": False, "order": "C"})).ok
    assert not run_numpy(Case("array", (columns,), {"copy": False, "order": "F"})).ok
    twice = Case("array", ([columns, columns],))
    assert len(copy_for_numpy(twice).arrays()) == 1
    assert copy_for_numpy(Case("sort", (columns,))).args[0].flags.f_contiguous


def test_choose_is_given_an_output_that_lies_by_rows():
    """Into one that lies backwards NumPy writes past the end."""
    out = np.arange(3)[::-1]
    found = run_numpy(Case("choose", ([0, 0, 1], [7, [8, 9, 10]]), {"out": out, "mode": "clip"}))
    assert found.value.tolist() == found.after[0].tolist() == [7, 7, 10]
    assert out.tolist() == [2, 1, 0]


@pytest.mark.parametrize(
    ("case", "value"),
    [
        (Case("isscalar", (Case("minimum", (1.0, 0.0)),)), False),
        (Case("isscalar", (np.float64(0),)), True),
        (Case("array_repr", (Case("sum", (np.ones(2),)),)), "array(2.)"),
        (Case("format_float_scientific", (Case("reshape", (np.float32(2.1), ())),)), "2.1e+00"),
    ],
    ids=str,
)
def test_a_tensor_without_dimensions_is_one_thing(case, value):
    assert run_numpy(case).value == value


def test_numpy_does_not_warn():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert np.isnan(run_numpy(Case("mean", (np.array([]),))).value)
        assert np.isinf(run_numpy(Case("divide", (1.0, np.zeros(2)))).value).all()


@pytest.mark.parametrize(
    ("case", "bases"),
    [
        (Case("sum", (F, 3)), ("IndexError", "ValueError", "AxisError")),
        (Case("reshape", (F, 2)), ("ValueError",)),
        (Case("add", ("a", 1)), ("TypeError",)),
        (Case("linalg.inv", (np.zeros((2, 2)),)), ("ValueError", "LinAlgError")),
        (Case("add", (np.zeros(1, np.uint8), 300)), ("ArithmeticError", "OverflowError")),
        (Case("result_type", (np.dtype("M8[D]"), np.dtype("f4"))), ("TypeError", "DTypePromotionError")),
        (Case("nothing"), ("AttributeError",)),
    ],
    ids=str,
)
def test_an_error_is_the_public_classes_one_would_catch(case, bases):
    outcome = run_numpy(case)
    assert outcome.kind == "error"
    assert outcome.error.bases == bases
    assert "\n" not in outcome.error.message


def test_memory_is_no_common_error():
    assert Outcome.raised(MemoryError()).kind == "memory"
    assert Outcome.raised(type("ResourceExhaustedError", (Exception,), {})("OOM")).kind == "memory"


@pytest.mark.parametrize(
    ("message", "kept"),
    [
        ("first\nsecond", "first"),
        ("<object object at 0x7f12ab34cd56> is bad", "<object object> is bad"),
        ("{{function_node __wrapped__Add_device_/job:localhost}} no [Op:AddV2] name: x", "no"),
        ("graph __inference_body_4866[_Xla=1] on XLA_CPU_JIT", "graph __inference_ on XLA_CPU_JIT"),
        ("", ""),
    ],
)
def test_messages_are_the_same_from_run_to_run(message, kept):
    assert Outcome.raised(ValueError(message)).error.message == kept


@pytest.mark.parametrize(
    ("case", "count"),
    [
        (Case("add", (F, F)), 0),
        (Case("add", (F, F, F)), 1),
        (Case("add", (F, F), {"out": np.zeros(3)}), 1),
        (Case("modf", (F,), {"out": (np.zeros(3), None)}), 1),
        (Case("sum", (F, 0, None, np.zeros(()))), 1),
        (Case("stack", ([F, F], 0, np.zeros((2, 3)))), 1),
        (Case("copyto", (np.zeros(3), F)), 1),
        (Case("put", (), {"a": np.zeros(3), "ind": [0], "v": [1.0]}), 1),
        (Case("add.at", (np.zeros(3), 0, 1)), 1),
        (Case("ndarray.__setitem__", (np.zeros(3), 0, 1)), 1),
        (Case("negative", (Case("add", (F, F), {"out": np.zeros(3)}),)), 1),
    ],
    ids=str,
)
def test_what_a_case_writes_to(case, count):
    assert len(destinations(case)) == count
    outcome = run_numpy(case)
    assert outcome.ok
    assert len(outcome.after) == count


def test_one_array_for_two_outputs():
    assert overlaps([Case("modf", (F, F, F))])
    assert not overlaps([Case("add", (F, F, F))])


B = np.array([1.5, 2.0], ml_dtypes.bfloat16)


@pytest.mark.parametrize(
    ("case", "dtype"),
    [
        (Case("add", (B, B)), "bfloat16"),
        (Case("add", (B, 1.5)), "bfloat16"),
        (Case("multiply", (2, B)), "bfloat16"),
        (Case("clip", (B, 1, 2.0)), "bfloat16"),
        (Case("where", (np.array([True, False]), B, 0.5)), "bfloat16"),
        (Case("where", (B, False, 2)), "int64"),
        (Case("add", (B, np.float32(1))), "float32"),
        (Case("add", (B, B), {"dtype": np.float32}), "float32"),
        (Case("greater", (B, 1.5)), "bool"),
        (Case("ndarray.__add__", (B, 1.5)), "bfloat16"),
        (Case("sum", (B,)), "bfloat16"),
        (Case("linspace", (B[0], B[1], 3)), "bfloat16"),
        (Case("matmul", (B, B)), "bfloat16"),
        (Case("add", (B, np.float16(1))), "float32"),
        (Case("einsum", ("i,i", B, B)), "bfloat16"),
        (Case("linalg.norm", (B,)), "bfloat16"),
        (Case("linalg.inv", (np.eye(2).astype(B.dtype),)), "float64"),
        (Case("cov", (B,)), "float64"),
        (Case("sum", (B,), {"dtype": np.float16}), "float16"),
        (Case("sum", (np.ones(2, np.float16),), {"dtype": B.dtype}), "bfloat16"),
        (Case("histogram_bin_edges", (B,), {"weights": np.ones(2)}), "bfloat16"),
        (Case("hstack", ([np.ones(1, np.int8), np.ones(1, np.uint8), B],)), "bfloat16"),
        (Case("concatenate", ([np.ones(1, np.int16), B],)), "float32"),
        (Case("select", ([False] * 2, [B[0], True], 1j)), "complex64"),
        (Case("finfo", (B.dtype,)), None),
        (Case("logaddexp", (0.0, B), {"dtype": "float16"}), None),
        (Case("logaddexp.accumulate", (np.ones(2),), {"dtype": B.dtype}), "bfloat16"),
    ],
    ids=str,
)
def test_bfloat16_is_judged_where_numpy_knows_it(case, dtype):
    outcome = run_numpy(case)
    assert outcome.kind == ("unsupported" if dtype is None else "ok")
    assert dtype is None or outcome.value.dtype.name == dtype


@pytest.mark.parametrize("name", ["meshgrid", "broadcast_arrays", "atleast_2d"])
def test_each_half_keeps_its_dtype_where_they_do_not_meet(name):
    value = run_numpy(Case(name, (0.0, np.ones(2, np.float16), B))).value
    assert [part.dtype for part in value] == [np.float64, np.float16, BFLOAT16]


BFLOAT16 = ml_dtypes.bfloat16


def test_complex_numbers_are_cast_to_bfloat16_as_numpy_casts_them():
    """ml_dtypes registers the cast as one of the same kind, so NumPy takes the real part."""
    out = np.zeros(1, BFLOAT16)
    assert run_numpy(Case("concat", ([np.full(1, 2 + 3j)],), {"dtype": BFLOAT16})).value.tolist() == [2]
    assert run_numpy(Case("rint", (np.full(1, 2 + 3j, np.complex64),), {"out": out})).after[0].tolist() == [2]
    assert run_numpy(Case("copyto", (out, 2j))).after[0].tolist() == [0]
    assert run_numpy(Case("ediff1d", (out,), {"to_end": 2 + 3j})).value.tolist() == [2]


def test_bfloat16_beside_other_dtypes_is_a_float_between_int8_and_float32():
    for other, common in ((np.int8, BFLOAT16), (np.float16, np.float32), (np.int16, np.float32), (np.int64, float)):
        assert run_numpy(Case("result_type", (np.dtype(BFLOAT16), other))).value == np.dtype(common)


def test_sums_of_bfloat16_are_added_in_float32_and_rounded_once():
    assert run_numpy(Case("sum", (np.ones(300, BFLOAT16),))).value == 300
    out = np.zeros(2, BFLOAT16)
    outcome = run_numpy(Case("sum", (np.ones((300, 2), BFLOAT16), 0, None, out)))
    assert outcome.value.tolist() == outcome.after[0].tolist() == [300, 300]
    assert (outcome.value.dtype, outcome.after[0].dtype) == (BFLOAT16, BFLOAT16)
    assert run_numpy(Case("cumsum", (np.ones(300, BFLOAT16),))).value[-1] == 256  # the result's dtype is what adds
    assert run_numpy(Case("nancumsum", (np.array([1, np.nan, 2], BFLOAT16),))).value.tolist() == [1, 1, 3]


def test_nan_is_last_in_bfloat16_too():
    numbers = np.array([2, np.nan, 1], BFLOAT16)
    assert np.isnan(run_numpy(Case("sort", (numbers,))).value[2])
    assert np.isnan(run_numpy(Case("apply_along_axis", (np.sort, 0, numbers))).value[2])
    assert run_numpy(Case("nanmax", (numbers,))).value == 2
    largest = float(ml_dtypes.finfo(BFLOAT16).max)
    for given, expected in (({}, largest), ({"posinf": 3.0}, 3.0), ({"posinf": None}, largest)):
        assert run_numpy(Case("nan_to_num", (np.array([np.inf], BFLOAT16),), given)).value.tolist() == [expected]


def test_a_number_beside_bfloat16_is_rounded_to_it_first():
    q = float(BFLOAT16(0.3))
    assert run_numpy(Case("quantile", (np.arange(5).astype(BFLOAT16), 0.3))).value == BFLOAT16(4 * q)


def test_few_calls_with_bfloat16_have_no_reference():
    kinds = [run_numpy(case).kind for name in NAMES for case in _cases_with_bfloat16(name)]
    assert len(kinds) > 700
    assert kinds.count("unsupported") < 0.02 * len(kinds)


def _cases_with_bfloat16(name):
    """The function applied to an array."""
    x = np.array([[1.5, 2.0], [0.5, 1.0]], BFLOAT16)
    if not name.startswith(("random", "strings", "ndarray", "exceptions")):
        yield Case(name, (x,))


def test_what_is_calculated_in_place_is_calculated_in_bfloat16():
    expected = (B - ml_dtypes.bfloat16(0.7)).tolist()
    assert run_numpy(Case("ndarray.__isub__", (B, 0.7))).after[0].tolist() == expected != (B - np.float32(0.7)).tolist()


def test_a_number_that_no_float_holds_beside_bfloat16():
    case = Case("clip", (np.zeros(2, ml_dtypes.bfloat16), 0, 2**2000))
    assert run_numpy(case).kind == "error"
