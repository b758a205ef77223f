"""Allowances for sets: their order, which of equal elements remains, and arrays wrongly said to be sets."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np

from oracle.allowances.model import Allowance, Exchange, Question, Reason, by_answer_to
from oracle.case.model import Case
from oracle.checkers.equality import are_equal, has_zeros_of_both_signs, have_same_elements, is_zero, parts_of
from oracle.reference.dtypes import is_inexact
from oracle.reference.outcome import Outcome, bind_arguments, run_numpy

OPERATIONS = ("intersect1d", "setdiff1d", "setxor1d")


def _operands(arguments: dict[str, Any]) -> list[np.ndarray]:
    """Return the arrays of which sets are made."""
    names = ("ar", "x", "ar1", "ar2", "element", "test_elements")
    return [np.asarray(arguments[name]) for name in names if name in arguments]


def _asks_for_no_order(case: Case, expected: Outcome) -> bool:
    arguments = bind_arguments(case)
    is_single_array = isinstance(expected.value, np.ndarray) and bool(arguments)
    return is_single_array and (case.name == "unique_values" or not arguments["sorted"])


def _are_in_another_order(question: Question) -> bool:
    """Return whether the values are NumPy's in any order, with zeros of any sign where both are in the array."""
    expected, actual = (
        np.asarray(question.expected_part),
        np.asarray(question.actual_part).astype(question.expected_part.dtype),
    )
    if have_same_elements(expected, actual, 0).all():
        return True
    is_open = has_zeros_of_both_signs(*_operands(bind_arguments(question.case)))
    return is_open and bool(are_equal(np.sort(expected), np.sort(actual)).all())


def _chooses_among_zeros(case: Case, expected: Outcome) -> bool:
    """Return whether zeros of both signs are in the arrays, and no index says which of them is meant."""
    arguments = bind_arguments(case)
    if not arguments or arguments.get("return_index") or arguments.get("return_indices"):
        return False
    return has_zeros_of_both_signs(*_operands(arguments))


def _are_zeros_of_another_sign(question: Question) -> np.ndarray | bool:
    """Return which elements are equal to NumPy's but for the sign of a zero, of which both are in the arrays."""
    expected, actual = np.asarray(question.expected_part), np.asarray(question.actual_part)
    operands = _operands(bind_arguments(question.case))
    free = are_equal(expected, actual)
    for i, (one, other) in enumerate(zip(parts_of(expected), parts_of(actual), strict=True)):
        is_open = has_zeros_of_both_signs(*[parts_of(array)[i] for array in operands if i < len(parts_of(array))])
        free = free & (is_open | (is_zero(one, negative=True) == is_zero(other, negative=True)))
    return free


def _chooses_among_nan(case: Case, expected: Outcome) -> bool:
    """Return whether complex numbers with nan in several places are one element, and no index says which is meant."""
    arguments = bind_arguments(case)
    if not arguments or arguments.get("return_index") or not arguments.get("equal_nan", True):
        return False
    arrays = [array[np.isnan(array)] for array in _operands(arguments) if array.dtype.kind == "c"]
    return len({(np.isnan(value.real), np.isnan(value.imag)) for array in arrays for value in array}) > 1


def _are_other_nan(question: Question) -> np.ndarray:
    """Return which elements are nan as NumPy's is, and equal to an element of the arrays, part by part."""
    expected, actual = np.asarray(question.expected_part), np.asarray(question.actual_part)
    arrays = [np.ravel(array).astype(actual.dtype) for array in _operands(bind_arguments(question.case))]
    elements = np.concatenate(arrays)
    is_there = are_equal(actual[..., None], elements).any(-1)
    return np.isnan(expected) & np.isnan(actual) & is_there


def _tells_nan_apart(case: Case, expected: Outcome) -> bool:
    """Return whether nan is no other nan, and several are there."""
    arguments = bind_arguments(case)
    if not arguments or arguments.get("equal_nan", False):
        return False
    (array,) = _operands(arguments)
    return array.dtype.kind in "fcV" and int(np.isnan(array).sum()) > 1


def _are_indices_of_nan(question: Question) -> np.ndarray | bool:
    """Return which elements are nan, and have the index of an equal nan that no other has."""
    if question.departure.path != (0, _index_of_inverse(question.case)):
        return False
    array = _operands(bind_arguments(question.case))[0].reshape(np.shape(question.expected_part))
    values, inverse = np.asarray(question.actual.value[0]), np.asarray(question.actual_part)
    is_nan = np.isnan(array)
    if not np.array_equal(np.sort(inverse[is_nan]), np.sort(np.asarray(question.expected_part)[is_nan])):
        return False
    return is_nan & are_equal(array, values[np.where(is_nan, inverse, 0)])


def _index_of_inverse(case: Case) -> int:
    if case.name == "unique":
        return 1 + bool(bind_arguments(case).get("return_index"))
    return 2 if case.name == "unique_all" else 1


def _is_no_set(case: Case, expected: Outcome) -> bool:
    """Return whether elements that are said to be unique are not, or are not in the common dtype."""
    arguments = bind_arguments(case)
    if not arguments:
        return False
    arrays = _operands(arguments)
    if not arguments["assume_unique"]:
        arrays = [np.unique(array) for array in arrays]
    return any(np.unique(array).size != array.size for array in _in_common_dtype(arrays))


def _in_common_dtype(arrays: list[np.ndarray]) -> list[np.ndarray]:
    """Return the arrays in the dtype of both; as they are where NumPy knows none, as for bfloat16 beside integers."""
    try:
        common = np.result_type(*arrays)
    except TypeError:
        return arrays
    return [array.astype(common) for array in arrays]


def _with_unique_elements(case: Case) -> Case:
    """Return the call over arrays of the common dtype, without the claim that their elements are unique."""
    arguments = bind_arguments(case)
    options = {"invert": arguments["invert"]} if case.name == "isin" else {}
    return Case(case.name, tuple(_in_common_dtype(_operands(arguments))), options)


def _tell_members(question: Question) -> np.ndarray | bool:
    """Return which elements say truly whether an element is in the other array."""
    answer = run_numpy(_with_unique_elements(question.case))
    return answer.ok and np.asarray(question.actual_part == answer.value)


def _with_invert_as_bool(case: Case) -> Case | None:
    """Return the call with a bool for an `invert` that is a text, of which NumPy makes an array of texts."""
    arguments = bind_arguments(case)
    is_text = isinstance(arguments.get("invert"), (str, bytes))
    return Case("isin", (), {**arguments, "invert": bool(arguments["invert"])}) if is_text else None


def _has_the_right_values(question: Question) -> np.ndarray | bool:
    """Return whether the values are those of the true set, or NumPy's, in their order and no more often than in the
    arrays; which indices are of such a value, or of one that is not in both arrays and so has none.
    """
    answer = run_numpy(_with_unique_elements(question.case))
    if not answer.ok:
        return False
    if len(question.departure.path) > 1 and question.departure.path[1] > 0:
        return _are_indices_of_values(question, np.asarray(answer.value))
    if np.ndim(question.actual_part) != 1 or not _keeps_order(question):
        return False
    actual = np.unique(np.asarray(question.actual_part))
    sets = [np.unique(np.asarray(value)).astype(actual.dtype) for value in (answer.value, question.expected_part)]
    return any(actual.shape == values.shape and bool(are_equal(actual, values).all()) for values in sets)


def _keeps_order(question: Question) -> bool:
    """Return whether the values are sorted, or those of a difference in the order of the first array, and each is there
    no more often than in the arrays.
    """
    actual, name = np.asarray(question.actual_part), question.case.name
    arrays = [array.ravel().astype(actual.dtype) for array in _operands(bind_arguments(question.case))]
    if name == "setdiff1d" and bind_arguments(question.case)["assume_unique"]:
        remaining = iter(_without_nan(arrays[0]))
        return all(value in remaining for value in _without_nan(actual))
    present = Counter(value for array in arrays for value in _without_nan(array))
    counts = Counter(_without_nan(actual))
    is_sorted = bool(are_equal(np.sort(actual), actual).all())
    return is_sorted and all(count <= present[value] for value, count in counts.items())


def _without_nan(array: np.ndarray) -> list[Any]:
    return array[~np.isnan(array)].tolist() if is_inexact(array.dtype) else array.tolist()


def _are_indices_of_values(question: Question, common: np.ndarray) -> np.ndarray | bool:
    """Return which indices are of a true value in their array, or of a value that is not in both; of one that is
    repeated, NumPy may have a wrong index: there one right index is enough, and none where NumPy has none.
    """
    values, indices = np.asarray(question.actual.value[0]), np.asarray(question.actual_part)
    if indices.shape != values.shape:
        return False
    array = _operands(bind_arguments(question.case))[question.departure.path[1] - 1].ravel().astype(values.dtype)
    if not array.size:
        return ~np.isin(values, common)

    def are_right(indices: np.ndarray, values: np.ndarray) -> np.ndarray:
        within = np.clip(indices, 0, array.size - 1)
        return (indices == within) & are_equal(array[within], values)

    by_numpy = np.asarray(question.expected.value[0]), np.asarray(question.expected_part)
    is_right_there = are_right(by_numpy[1], by_numpy[0])
    lost = np.setdiff1d(by_numpy[0], by_numpy[0][is_right_there])
    is_right = are_right(indices, values)
    is_again = np.isin(values, values[is_right]) & np.isin(values, by_numpy[0][~is_right_there])
    return is_right | ~np.isin(values, common) | np.isin(values, lost) | is_again


_TWICE = np.array([2, 1, 2])
_VALUES = Case("unique_values", (_TWICE,))
_SIGNS = np.array([0.0, -0.0, 1.0])
_COUNTS, _COUNTED = Case("unique_counts", (_SIGNS,)), np.unique_counts(_SIGNS)
_INVERSE = Case("unique_inverse", (np.array([np.nan, 1.0, np.nan]),))
_NAN = np.array([1.0, np.nan, np.nan])
_OF_NAN = Case("unique", (np.array([1, complex(np.nan, 0), complex(0, np.nan)]),))
_OTHER_NAN = complex(0, np.nan) if np.isnan(np.unique(*_OF_NAN.args)[1].real) else complex(np.nan, 0)
_MEMBERS = Case("isin", (np.array([1.0, 1.0, 2.0, 3.0]), np.arange(2.0, 22.0)), {"assume_unique": True})
_TABLE = np.arange(2.0, 22.0)
_BY_TEXT = Case("isin", (np.arange(3.0), _TABLE), {"invert": "a"})
_COMMON = Case("intersect1d", (np.array([1, 1, 3]), np.array([3, 3, 4])), {"assume_unique": True})
_BOTH = Case("intersect1d", (np.array([1, 3, 3]), np.array([3, 4])), {"assume_unique": True, "return_indices": True})
_REPEATED = Case("intersect1d", (np.zeros(2), 0.0), {"assume_unique": True, "return_indices": True})


def _swap_first(values: np.ndarray) -> np.ndarray:
    """Return what NumPy gives with another zero in front."""
    return np.concatenate([-values[:1], values[1:]])


ALLOWANCES = (
    Allowance(
        id="set.order",
        reason=Reason.NUMPY_OPEN,
        names=("unique", "unique_values"),
        applies=_asks_for_no_order,
        holds=_are_in_another_order,
        why="unique_values, and unique with sorted=False, return values in any order",
        witness=Exchange(_VALUES, np.unique_values(_TWICE)[::-1]),
        counter=(
            Exchange(_VALUES, np.array([1, 1])),
            Exchange(_VALUES, np.array([1, 2, 2])),
            Exchange(_VALUES, np.array([1, 2], np.int32)),
            Exchange(Case("unique", (_TWICE,)), np.array([2, 1])),
        ),
        most=0.7,
    ),
    Allowance(
        id="set.sign-of-zero",
        reason=Reason.NUMPY_OPEN,
        names=("unique", "unique_counts", "unique_inverse", "unique_values", "union1d", *OPERATIONS),
        applies=_chooses_among_zeros,
        holds=_are_zeros_of_another_sign,
        why="zeros of both signs are one element, and a sort that is not stable decides which of them is left",
        witness=Exchange(_COUNTS, type(_COUNTED)(_swap_first(_COUNTED.values), np.array([2, 1]))),
        counter=(
            Exchange(_COUNTS, type(_COUNTED)(_swap_first(_COUNTED.values) + np.arange(2), np.array([2, 1]))),
            Exchange(_COUNTS, type(_COUNTED)(_swap_first(_COUNTED.values), np.array([1, 2]))),
            Exchange(_COUNTS, type(_COUNTED)(_swap_first(_COUNTED.values).astype(np.float32), np.array([2, 1]))),
            Exchange(Case("unique", (np.array([0.0, 1.0]),)), np.array([-0.0, 1.0])),
        ),
    ),
    Allowance(
        id="set.which-nan",
        reason=Reason.NUMPY_OPEN,
        names=("unique", "union1d"),
        applies=_chooses_among_nan,
        holds=_are_other_nan,
        why="complex numbers with nan are one element, and a hash or a sort decides which of them is left",
        witness=Exchange(_OF_NAN, np.array([1, _OTHER_NAN])),
        counter=(
            Exchange(_OF_NAN, np.array([2, complex(np.nan, 0)])),
            Exchange(_OF_NAN, np.array([1, complex(5, np.nan)])),
            Exchange(_OF_NAN, np.array([1, complex(np.nan, 0), complex(0, np.nan)])),
            Exchange(Case("union1d", (np.array([complex(np.nan, 0)]), np.zeros(0))), np.array([complex(0, np.nan)])),
        ),
        most=0.1,
    ),
    Allowance(
        id="set.inverse-of-nan",
        reason=Reason.NUMPY_OPEN,
        names=("unique", "unique_all", "unique_inverse"),
        applies=_tells_nan_apart,
        holds=_are_indices_of_nan,
        why="where each nan is an element of its own, their order is that of a sort which cannot tell them apart",
        witness=Exchange(_INVERSE, type(np.unique_inverse(_NAN))(_NAN, np.array([2, 0, 1]))),
        counter=(
            Exchange(_INVERSE, type(np.unique_inverse(_NAN))(_NAN, np.array([2, 0, 2]))),
            Exchange(_INVERSE, type(np.unique_inverse(_NAN))(_NAN, np.array([2, 1, 0]))),
            Exchange(_INVERSE, type(np.unique_inverse(_NAN))(_NAN[::-1], np.array([2, 0, 1]))),
        ),
        most=0.1,
    ),
    Allowance(
        id="set.membership-in-no-set",
        reason=Reason.NUMPY_OPEN,
        names=("isin",),
        applies=_is_no_set,
        holds=_tell_members,
        why="elements that are wrongly said to be unique count as members of the other array: the right answer will do",
        witness=Exchange(_MEMBERS, np.array([False, False, True, True])),
        counter=(
            Exchange(_MEMBERS, np.array([False, False, False, True])),
            Exchange(_MEMBERS, np.array([False, True, True, True])),
            Exchange(_MEMBERS, np.array([0, 0, 1, 1])),
        ),
        most=0.1,
    ),
    Allowance(
        id="set.invert-is-text",
        reason=Reason.NUMPY_OPEN,
        names=("isin",),
        **by_answer_to(_with_invert_as_bool),
        why="invert is to be a bool: NumPy makes an array of a text, and joins it to an array of truth values as texts",
        witness=Exchange(_BY_TEXT, np.isin(np.arange(3.0), _TABLE, invert=True)),
        counter=(
            Exchange(_BY_TEXT, np.array([True, False, False])),
            Exchange(_BY_TEXT, np.array([1, 1, 0])),
        ),
        most=0.1,
    ),
    Allowance(
        id="set.operation-on-no-set",
        reason=Reason.NUMPY_OPEN,
        names=OPERATIONS,
        kinds=("value", "shape"),
        applies=_is_no_set,
        holds=_has_the_right_values,
        why="arrays whose elements are not unique though it was said, or not in the common dtype, are no sets: "
        "how often an element is in the result is open",
        witness=Exchange(_COMMON, np.array([3])),
        counter=(
            Exchange(_COMMON, np.array([1, 3, 4])),
            Exchange(_COMMON, np.array([4])),
            Exchange(_COMMON, np.array([3, 3, 3, 3, 3])),
            Exchange(_COMMON, np.array([3, 3, 1])),
            Exchange(_COMMON, np.array([3.0])),
            Exchange(_BOTH, (np.array([3]), np.array([2]), np.array([1]))),
            Exchange(_REPEATED, (np.array([5]), np.array([2]), np.array([-1]))),
            Exchange(_REPEATED, (np.array([0]), np.array([2]), np.array([1]))),
        ),
        most=0.1,
    ),
)
