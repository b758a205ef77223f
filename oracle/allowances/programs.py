"""Allowances for programs of several calls: open results of the last call, and rounding errors of the others."""

from __future__ import annotations

from typing import Any

import numpy as np

from oracle.allowances.model import Allowance, Question, Reason, by_answer_to
from oracle.case.model import Case
from oracle.checkers.departure import Departure
from oracle.checkers.numeric import at
from oracle.reference.display import flatten
from oracle.reference.outcome import Outcome, run_numpy, writes_to_results
from oracle.relations import uninitialised as unspecified_elements

JOINING = "atleast_1d"
"""The call around several results, each of which it hands on."""


def strip_to_last_call(case: Case) -> Case | None:
    """Return the outermost call over NumPy's results of the calls before it; None of a case that is no program, or of
    one whose calls do not all succeed, or give series, of which an outcome has the parts only, or generators, whose
    numbers are decided by the calls before.
    """
    if len(case.calls()) == 1:
        return None
    results: dict[int, Any] = {}
    for call in _list_inner_calls(case):
        outcome = run_numpy(call)
        if not outcome.ok or isinstance(outcome.value, dict | np.random.Generator):
            return None
        results[id(call)] = outcome.value

    def settle(value: Any) -> Any:
        if type(value) in (list, tuple):
            return type(value)([settle(item) for item in value])
        return results[id(value)] if type(value) is Case else value

    return Case(case.name, tuple(map(settle, case.args)), {key: settle(value) for key, value in case.kwargs.items()})


def _list_inner_calls(value: Case) -> list[Case]:
    """Return the calls whose results are arguments of this one."""
    pending, calls = [*value.args, *value.kwargs.values()], []
    while pending:
        item = pending.pop()
        if type(item) in (list, tuple):
            pending.extend(item)
        elif type(item) is Case:
            calls.append(item)
    return calls


def _is_program(case: Case, expected: Outcome) -> bool:
    return len(case.calls()) > 1 and expected.ok


def _is_open_in_the_last_call(question: Question) -> np.ndarray | bool:
    """Return whether the outcome, or which element of it, is right for the last call on NumPy's results of the others,
    or for one call alone; or whether it is an error that one of the calls may raise by itself.
    """
    case, path = question.case, question.departure.path
    if question.actual.error is not None and any(
        not question.compare(strip_to_last_call(call) or call) for call in case.calls()[:-1]
    ):
        return True
    if case.name == JOINING:
        if question.actual.ok and not question.expected.ok:
            return _are_right_each(question)
        if not question.actual.ok:
            return False
        index = path[1] if len(path) > 1 else 0
        call, part = case.args[index], np.asarray(question.actual_part)
        if not isinstance(call, Case):
            return False
        part = part.reshape(()) if part.size == 1 and not np.ndim(run_numpy(call).value) else part
        return any(not question.compare(one, part) for one in (call, strip_to_last_call(call)) if one is not None)
    last = strip_to_last_call(case)
    left = None if last is None else question.compare(last)
    return left == [] or _is_answer_to_a_call_handed_on(question) or _are_right_but_for(left, question)


def _are_right_but_for(left: list[Departure] | None, question: Question) -> np.ndarray | bool:
    """Return which elements are right for the last call: those that are not wrong in the one departure that is left."""
    mask = question.departure.wrong
    wrong = left[0].wrong if left and len(left) == 1 and left[0].path == question.departure.path else None
    return ~wrong if wrong is not None and mask is not None and wrong.shape == mask.shape else False


def _are_right_each(question: Question) -> bool:
    """Return whether each result is right for its call alone, though NumPy refuses one of them."""
    values, args = question.actual.value, question.case.args
    values = values if type(values) is tuple else (values,)
    if not values or len(values) != len(args):
        return False
    for value, arg in zip(values, args, strict=True):
        call, part = arg if type(arg) is Case else Case(JOINING, (arg,)), np.asarray(value)
        shapes = [part.shape, ()] if part.shape == (1,) else [part.shape]
        calls = [one for one in (call, strip_to_last_call(call)) if one is not None]
        if all(question.compare(one, part.reshape(shape)) for one in calls for shape in shapes):
            return False
    return True


def _is_answer_to_a_call_handed_on(question: Question) -> bool:
    """Return whether the result is right for a call before the last one, where NumPy's result is the very numbers that
    this call gives, as of `copy`, `reshape` and `view`, or parts of them one after another, as of `array_split`.
    """
    expected, actual = flatten(question.expected.value), flatten(question.actual.value)
    if not expected or not all(isinstance(part, np.ndarray | np.generic) for part in (*expected, *actual)):
        return False
    if [(np.shape(part), part.dtype) for part in expected] != [(np.shape(part), part.dtype) for part in actual]:
        return False
    joined = np.concatenate([np.ravel(part) for part in expected])
    for call in question.case.calls()[:-1]:
        value = run_numpy(call).value
        if isinstance(value, (np.ndarray, np.generic)) and _has_same_elements(value, joined):
            part = np.concatenate([np.ravel(part) for part in actual]).reshape(value.shape)
            if any(not question.compare(one, part) for one in (call, strip_to_last_call(call)) if one is not None):
                return True
    return False


def _has_same_elements(one: Any, other: Any) -> bool:
    return one.dtype == other.dtype and one.size == other.size > 0 and one.tobytes() == other.tobytes()


def _is_inexact(case: Case, expected: Outcome) -> bool:
    return _is_program(case, expected) and not any(
        unspecified_elements.mask_of_promised(call, ()) is not None for call in case.calls()
    )


def _hangs_on_rounding(question: Question) -> bool:
    """Return whether the shape, text or bytes change in NumPy's own result when inputs move by a rounding error."""
    evidence, path = question.evidence, question.departure.path
    if not evidence.is_inexact_program:
        return False
    if question.departure.kind == "shape":
        moved = [np.asarray(at(outcome, path)) for outcome in (*evidence.moved, *evidence.moved_again) if outcome.ok]
        return _is_like_some(np.asarray(question.actual_part), [np.asarray(question.expected_part), *moved])
    is_text = type(question.expected_part) in (str, bytes) and type(question.actual_part) is type(
        question.expected_part
    )
    return is_text and {at(outcome, path) for outcome in evidence.moved} != {question.expected_part}


def _is_like_some(actual: np.ndarray, others: list[np.ndarray]) -> bool:
    """Return whether dims lie between those of results of several shapes; exact elements have to be among those."""
    shapes = {other.shape for other in others}
    if len(shapes) == 1 or {len(shape) for shape in shapes} != {actual.ndim}:
        return False
    least, most = np.min(list(shapes), axis=0), np.max(list(shapes), axis=0)
    known = np.concatenate([other.ravel() for other in others])
    is_known = actual.dtype.kind not in "iub" or bool(np.isin(actual, known).all())
    return is_known and bool(np.all((least <= actual.shape) & (actual.shape <= most)))


def _sort_sets(case: Case) -> Case | None:
    """Return the program with each set sorted that a call is given in an order of NumPy's choice; None without one."""
    sorted_calls: dict[int, Case] = {}

    def sort(value: Any) -> Any:
        if type(value) in (list, tuple):
            return type(value)(map(sort, value))
        if type(value) is not Case:
            return value
        if id(value) not in sorted_calls:
            call = sort_in(value)
            sorted_calls[id(value)] = Case("sort", (call,)) if call.name == "unique_values" else call
        return sorted_calls[id(value)]

    def sort_in(call: Case) -> Case:
        return Case(call.name, tuple(map(sort, call.args)), {key: sort(value) for key, value in call.kwargs.items()})

    has_set = any(call.name == "unique_values" for call in case.calls() if call is not case)
    return sort_in(case) if has_set else None


ALLOWANCES = (
    Allowance(
        id="program.last-call",
        reason=Reason.NUMPY_OPEN,
        names=("*",),
        kinds=("value", "shape", "dtype", "spurious error", "missing error"),
        applies=lambda case, expected: len(case.calls()) > 1 and not writes_to_results(case),
        holds=_is_open_in_the_last_call,
        asks_again=True,
        why="the last call leaves open there what it does alone",
        most=0.3,
        link="docs/verdicts.md",
    ),
    Allowance(
        id="program.order-of-a-set",
        is_choice=True,
        reason=Reason.NUMPY_OPEN,
        names=("*",),
        kinds=("value", "shape"),
        **by_answer_to(_sort_sets),
        why="unique_values returns values in any order: what is made of them is right for the sorted ones, too",
        most=0.3,
        link="https://numpy.org/doc/stable/reference/generated/numpy.unique_values.html",
    ),
    Allowance(
        id="program.rounding-decides",
        reason=Reason.NUMPY_OPEN,
        names=("*",),
        kinds=("value", "shape"),
        applies=_is_inexact,
        holds=_hangs_on_rounding,
        why="a shape, a text or the bytes hang on a rounding error of the calls before",
        most=0.3,
        link="docs/verdicts.md",
    ),
)
