from __future__ import annotations

import numpy as np
import pytest

from fuzz.triage.symptom import compare_dtypes, compare_shapes, compare_values, find_symptom
from oracle import Case, Outcome, run_numpy

NAN, INF = np.nan, np.inf


@pytest.mark.parametrize(
    ("expected", "actual", "symptom"),
    [
        ([NAN, 2.0], [1.0, 2.0], "nan lost"),
        ([1.0, 2.0], [1.0, NAN], "nan made"),
        ([INF], [1.7e308], "infinity lost"),
        ([-INF], [-np.finfo(float).max], "infinity limited"),
        ([INF], [7], "infinity lost"),
        (np.array(["2020"], "M8[Y]"), np.array(["2021"], "M8[Y]"), "other value"),
        ([1e300], [INF], "infinity made"),
        ([INF], [-INF], "sign of infinity"),
        ([0.0], [-0.0], "sign of zero"),
        ([1.0], [1.0000001], "rounding"),
        ([1.0], [1.1], "other value"),
        ([complex(0, NAN)], [0j], "nan lost"),
        ([NAN, 0.0], [0.0, NAN], "other value"),
        ([NAN, INF], [1.0, 2.0], "nan lost"),
        ([True], [False], "other value"),
        ([5], [6], "other value"),
        (["a"], ["b"], "other text"),
        ([1.0], [1.0], ""),
    ],
    ids=str,
)
def test_the_symptom_of_a_value_is_the_most_specific_one(expected, actual, symptom):
    assert compare_values(np.array(expected), np.array(actual)) == symptom
    nested = ({"a": [np.array(expected)]}, ({"a": [np.array(actual)]}))
    assert compare_values(*nested) == symptom


@pytest.mark.parametrize("dtype", [np.float32, np.float16, np.complex64])
def test_rounding_depends_on_the_dtype(dtype):
    step = dtype(1) + dtype(4) * np.finfo(dtype).eps
    assert compare_values(np.array([1], dtype), np.array([step], dtype)) == "rounding"
    assert compare_values(np.array([1], dtype), np.array([1.5], dtype)) == "other value"


@pytest.mark.parametrize(
    ("expected", "actual", "symptom"),
    [
        ("float64", "float32", "narrower float"),
        ("int32", "int64", "wider int"),
        ("bool", "uint8", "uint for bool"),
        ("complex64", "float32", "float for complex"),
    ],
)
def test_the_symptom_of_a_dtype_is_a_pair_of_kinds(expected, actual, symptom):
    assert compare_dtypes(np.dtype(expected), np.dtype(actual)) == symptom
    told = find_symptom("dtype", f"result[0] expected {expected}, got {actual}; and more", Outcome(), Outcome())
    assert told == symptom


@pytest.mark.parametrize(
    ("expected", "actual", "symptom"),
    [
        ((2, 3), (3, 2), "dims permuted"),
        ((2, 3), (6,), "flattened"),
        ((2, 1), (2,), "dims of 1 lost"),
        ((2,), (1, 2), "dims of 1 added"),
        ((2, 3), (3,), "dims lost"),
        ((3,), (2, 3), "dims added"),
        ((2,), (3,), "longer"),
        ((2, 3), (2, 2), "shorter"),
        ((2, 3), (3, 1), "other dims"),
    ],
    ids=str,
)
def test_the_symptom_of_a_shape_is_a_rule(expected, actual, symptom):
    assert compare_shapes(expected, actual) == symptom
    assert find_symptom("shape", f"expected {expected}, got {actual}", Outcome(), Outcome()) == symptom


@pytest.mark.parametrize(
    ("kind", "one", "other"),
    [
        ("spurious error", "TypeError: no axis {}; NumPy gives {}", "ValueError: no axis {}; NumPy gives {}"),
        ("spurious error", "TypeError: no axis {}; NumPy gives {}", "TypeError: no shape {}; NumPy gives {}"),
        (
            "missing error",
            "NumPy raises ValueError: no axis {}; got {}",
            "NumPy raises ValueError: no shape {}; got {}",
        ),
        (
            "different error",
            "NumPy raises TypeError: a {}; got OSError: b {}",
            "NumPy raises TypeError: a {}; got OSError: c {}",
        ),
        ("structure", "expected ({}, 1), got [{}, 1]", "expected ({}, 1), got {{{}: 1}}"),
    ],
)
def test_the_symptom_of_an_error_is_its_class_and_message_without_numbers(kind, one, other):
    def tell(text, *numbers):
        return find_symptom(kind, text.format(*numbers), Outcome(), Outcome(), "sum")

    assert tell(one, 1, 2) == tell(one, 3, 4) != ""
    assert tell(one, 1, 2) != tell(other, 1, 2)


def test_a_missing_parameter_says_everything_by_itself():
    detail = "TypeError: sum() got an unexpected keyword argument 'where'; NumPy gives 1"
    assert find_symptom("spurious error", detail, Outcome(), Outcome()) == ""
    assert find_symptom("crash", "SIGABRT: check.cc:12", Outcome(), Outcome()) == ""


@pytest.mark.parametrize(
    ("name", "args", "answer", "symptom"),
    [
        ("multiply", (np.array([86], np.uint8), 3), np.array([258]), "strong number"),
        ("divide", (np.float32(1), 3.0), np.float64(1 / 3), "strong number"),
        ("add", (1, np.array([1.5], np.float16)), np.array([2.5]), "strong number"),
        ("multiply", (np.array([86], np.uint8), 3), np.array([259]), "int for uint"),  # wrong as well
        ("multiply", (np.array([86], np.uint8), 3), np.array([2], np.int32), "int for uint"),
        ("multiply", (np.array([86], np.uint8), np.array(3)), np.array([258], np.int32), "narrower int"),
        ("sum", (np.ones(2, np.float32), 0), np.float64(2), "wider float"),  # the number is an axis
    ],
)
def test_a_number_that_decides_on_the_dtype_is_a_symptom(name, args, answer, symptom):
    case = Case(name, args)
    expected = run_numpy(case)
    detail = f"expected {expected.value.dtype}, got {answer.dtype}"
    assert find_symptom("dtype", detail, expected, Outcome(answer), name, case) == symptom
