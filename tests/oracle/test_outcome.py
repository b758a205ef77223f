"""NumPy's own outcome: values, errors, and what became of the arrays that a case writes to."""

from __future__ import annotations

import warnings

import ml_dtypes
import numpy as np
import pytest

from oracle import Case, Outcome, reference
from oracle.outcome import destinations, overlaps, posed

F = np.array([1.0, 2.0, 3.0])


def test_a_case_is_called_with_copies():
    array = np.array([3, 1, 2])
    assert reference(Case("ndarray.sort", (array,))).after[0].tolist() == [1, 2, 3]
    assert array.tolist() == [3, 1, 2]


def test_functions_that_read_layout_are_asked_of_rows():
    columns = np.asfortranarray(np.arange(6.0).reshape(2, 3))
    assert reference(Case("ravel", (columns,), {"order": "A"})).value.tolist() == [0, 1, 2, 3, 4, 5]
    assert reference(Case("array", (columns,), {"copy": False, "order": "C"})).ok
    assert not reference(Case("array", (columns,), {"copy": False, "order": "F"})).ok
    twice = Case("array", ([columns, columns],))
    assert len(posed(twice).arrays()) == 1
    assert posed(Case("sort", (columns,))).args[0].flags.f_contiguous


def test_choose_is_given_an_output_that_lies_by_rows():
    """Into one that lies backwards NumPy writes past the end."""
    out = np.arange(3)[::-1]
    found = reference(Case("choose", ([0, 0, 1], [7, [8, 9, 10]]), {"out": out, "mode": "clip"}))
    assert found.value.tolist() == found.after[0].tolist() == [7, 7, 10]
    assert out.tolist() == [2, 1, 0]


def test_programs_are_evaluated_inside_out():
    inner = Case("cumsum", (F,))
    assert reference(Case("concatenate", ([inner, Case("negative", (inner,))],))).value.tolist() == [
        1,
        3,
        6,
        -1,
        -3,
        -6,
    ]


def test_constants_methods_and_attributes():
    assert reference(Case("pi")).value == np.pi
    assert reference(Case("ndarray.shape", (F,))).value == (3,)
    assert reference(Case("ndarray.reshape", (F, (3, 1)))).value.shape == (3, 1)


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
    assert reference(case).value == value


def test_numpy_does_not_warn():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert np.isnan(reference(Case("mean", (np.array([]),))).value)
        assert np.isinf(reference(Case("divide", (1.0, np.zeros(2)))).value).all()


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
    outcome = reference(case)
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
    outcome = reference(case)
    assert outcome.ok
    assert len(outcome.after) == count


def test_one_array_for_two_outputs():
    assert overlaps(Case("modf", (F, F, F)))
    assert not overlaps(Case("add", (F, F, F)))


B = np.array([1.5, 2.0], ml_dtypes.bfloat16)


@pytest.mark.parametrize(
    ("case", "dtype"),
    [
        (Case("add", (B, B)), "bfloat16"),
        (Case("add", (B, 1.5)), "bfloat16"),
        (Case("multiply", (2, B)), "bfloat16"),
        (Case("clip", (B, 1, 2.0)), None),
        (Case("where", (np.array([True, False]), B, 0.5)), "bfloat16"),
        (Case("where", (B, False, 2)), "int64"),
        (Case("add", (B, np.float32(1))), "float32"),
        (Case("add", (B, B), {"dtype": np.float32}), "float32"),
        (Case("greater", (B, 1.5)), "bool"),
        (Case("ndarray.__add__", (B, 1.5)), "bfloat16"),
        (Case("sum", (B,)), "bfloat16"),
        (Case("linspace", (B[0], B[1], 3)), None),
        (Case("matmul", (B, B)), None),
        (Case("add", (B, np.float16(1))), None),
        (Case("einsum", ("i,i", B, B)), None),
        (Case("finfo", (B.dtype,)), None),
    ],
    ids=str,
)
def test_bfloat16_is_judged_where_numpy_knows_it(case, dtype):
    outcome = reference(case)
    assert outcome.kind == ("unsupported" if dtype is None else "ok")
    assert dtype is None or outcome.value.dtype.name == dtype


BFLOAT16 = ml_dtypes.bfloat16


@pytest.mark.parametrize(
    "case",
    [
        Case("hstack", ([np.ones(1, np.int8), np.ones(1, np.uint8), np.ones(1, BFLOAT16)],)),
        Case("concat", ([np.ones(1, np.complex128)],), {"dtype": BFLOAT16}),
        Case("rint", (np.ones(1, np.complex64),), {"out": np.ones(1, BFLOAT16)}),
        Case("copyto", (np.ones(1, BFLOAT16), 1j)),
        Case("polydiv", (np.ones(2, np.float32), np.ones((), BFLOAT16))),
        Case("select", ([np.array(False)] * 2, [np.ones((), BFLOAT16), np.ones((), bool)], 1j)),
        Case("apply_along_axis", (np.sort, 0, np.full(1, np.nan, BFLOAT16))),
        Case("setxor1d", (np.full(1, np.nan, BFLOAT16), 1j)),
        Case("select", ([False] * 2, [np.ones((), BFLOAT16), True], 1j)),
    ],
    ids=str,
)
def test_where_bfloat16_has_no_rule_there_is_no_reference(case):
    assert reference(case).kind == "unsupported"


def test_what_is_calculated_in_place_is_calculated_in_bfloat16():
    expected = (B - ml_dtypes.bfloat16(0.7)).tolist()
    assert reference(Case("ndarray.__isub__", (B, 0.7))).after[0].tolist() == expected != (B - np.float32(0.7)).tolist()


def test_a_wrong_call_is_wrong_in_bfloat16_too():
    assert reference(Case("sum", (B, 3))).error.name == "AxisError"


def test_a_number_that_no_float_holds_beside_bfloat16():
    case = Case("clip", (np.zeros(2, ml_dtypes.bfloat16), 0, 2**2000))
    assert reference(case).kind == "error"
