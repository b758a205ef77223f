"""Comparison of programs of TensorFlow's ops: eager mode call by call with NumPy, every other mode with eager mode.

What differs is told of the smallest program that differs: a call on its own operands, or the first calls of a program.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from oracle.case.model import Case
from oracle.case.tensor_ops import CONDITIONED, EXACT, FAMILY_OF, GRADIENT, NORMWISE, SUM, find_op, is_choice
from oracle.case.vocabulary import PROGRAM
from oracle.compare.comparison import NO_ANSWER, CallDeviation, Comparison
from oracle.compare.op_rounding import explains_rounding
from oracle.compare.op_slopes import compare_slopes, explain_slope
from oracle.equality.deviation import Deviation
from oracle.modes import Mode
from oracle.ops.numeric import OpDeviation, find_deviation
from oracle.ops.reference import compute_expected, has_subnormals
from oracle.ops.tolerances import find_declared, tolerance_of
from oracle.reference.display import flatten
from oracle.reference.dtypes import is_inexact
from oracle.reference.error_classes import UNSUPPORTED, classify_error
from oracle.reference.outcome import Outcome

Run = Callable[[Mode, Case], Outcome]
"""Runs a case in a mode."""

_REFUSES = re.compile(r"Detected unsupported operations|No registered '|must be a compile-time constant")
"""How XLA says that it has no kernel for an op and its dtype, or needs an operand's value to compile it: by
InvalidArgumentError, as it says that a shape is wrong.
"""
_TRAVELLED = 256.0  # units in the last place that roundings of several calls may add up to


@dataclass
class OpComparison:
    """A comparison in progress: the case, what eager mode gives, the mode, and how cases are run."""

    case: Case
    eager: Outcome
    mode: Mode
    run: Run

    def __post_init__(self) -> None:
        self.comparison = Comparison()

    @property
    def calls(self) -> list[tuple[Case, tuple[Case, Outcome]]]:
        """The calls of the program, each with the call on its own operands and what eager mode gives; none if they
        were not recorded.
        """
        steps = self.eager.steps or (((self.case, self.eager),) if self.case.name != GRADIENT else ())
        calls = self.case.calls()
        return list(zip(calls, steps, strict=True)) if len(calls) == len(steps) else []

    def allow(self, reason: str) -> None:
        """Count a difference that is accepted for a reason."""
        self.comparison.allowed.append((reason, "value"))

    def report(self, case: Case, expected: Outcome, actual: Outcome, deviation: OpDeviation) -> None:
        """Report a difference of a case."""
        told = Deviation(deviation.kind, deviation.detail, mode=self.mode)
        self.comparison.parts.append(CallDeviation(case, expected, actual, told))

    def compare_with_references(self) -> None:
        """Report each call of eager mode that NumPy or mpmath contradicts, and slopes that differences contradict."""
        for case, outcome, reference in self._list_references():
            if reference is None:
                self.comparison.undecided = NO_ANSWER
            elif reference[1] is not None:
                self.report(case, reference[0], outcome, reference[1])
        if self.comparison.parts:
            self.comparison.undecided = ""

    def _list_references(self) -> Iterator[tuple[Case, Outcome, tuple[Outcome, OpDeviation | None] | None]]:
        """Yield each call on its own operands, or the gradient, with eager mode's outcome, and the right one with the
        deviation from that; None where nothing says what is right.
        """
        if self.case.name == GRADIENT or not self.calls:
            run = partial(self.run, Mode("eager", self.mode.device))
            is_slope = self.case.name == GRADIENT
            yield self.case, self.eager, compare_slopes(self.case, self.eager, run) if is_slope else None
        for _, (posed, outcome) in self.calls:
            values = list_arrays(outcome)
            expected = compute_expected(posed, [value.dtype for value in values])
            if expected is None:
                yield posed, outcome, None
            else:
                right = Outcome(tuple(expected) if isinstance(outcome.value, list | tuple) else expected[0])
                yield posed, outcome, (right, _contradict(posed, expected, values, self.comparison.allowed))

    def compare_with_eager(self, actual: Outcome) -> None:
        """Report a deviation from eager mode that neither a tolerance nor an accepted difference explains."""
        is_long = len(self.case.calls()) > 1
        deviation = depart(self.eager, actual, self.mode, _TRAVELLED if self.mode.is_compiled and is_long else 0.0)
        if deviation is None:
            return
        dtype = list_arrays(self.eager)[deviation.output].dtype if deviation.kind == "value" else None
        if deviation.symptom == "sign of zero" and dtype is not None and dtype.kind == "c":
            self.allow("complex-zero")
        elif deviation.kind == "spurious error" and self.mode.is_compiled and _is_unsupported(actual):
            self.allow("unsupported")
        elif not actual.ok:
            self._blame_beginning(actual, deviation)
        elif self.mode.is_compiled:
            self._blame_compiled(actual, deviation)
        else:
            self._blame_graph(actual, deviation)

    def _list_beginnings(self) -> Iterator[tuple[Case, Case, Outcome, Outcome]]:
        """Yield the programs of the first calls, each with its last call on its own operands, and what eager mode and
        the mode give.
        """
        for call, (posed, outcome) in self.calls[:-1]:
            yield call, posed, outcome, self.run(self.mode, call)

    def _blame_beginning(self, actual: Outcome, deviation: OpDeviation) -> None:
        """Report the shortest beginning of the program that differs in the same way."""
        for call, _, outcome, answer in self._list_beginnings():
            first = depart(outcome, answer, self.mode, _TRAVELLED)
            if first is not None and first.kind == deviation.kind:
                self.report(call, outcome, answer, first)
                return
        self.report(self.case, self.eager, actual, deviation)

    def _blame_graph(self, actual: Outcome, deviation: OpDeviation) -> None:
        """Report the shortest beginning for which the graph differs from eager mode, unless it only computes an op
        otherwise that need not be correctly rounded.
        """
        if self.case.name == GRADIENT:
            if deviation.symptom == "rounding":
                self.allow("rewritten")
            else:
                self.report(self.case, self.eager, actual, deviation)
            return
        for call, posed, outcome, answer in self._list_beginnings():
            first = depart(outcome, answer, self.mode)
            if first is not None and first.kind != "spurious error":
                self._report_unless_rewritten(call, posed, outcome, answer, first)
                return
        posed = self.calls[-1][1][0] if self.calls else self.case
        self._report_unless_rewritten(self.case, posed, self.eager, actual, deviation)

    def _report_unless_rewritten(
        self, case: Case, posed: Case, expected: Outcome, actual: Outcome, deviation: OpDeviation
    ) -> None:
        """Report a graph's deviation, unless its last call is not of an exact op and the result is as close as another
        way of computing it may be.
        """
        if is_choice(case):
            posed = next((step[0] for call, step in self.calls if call is case.args[0]), posed)
        if deviation.symptom in ("rounding", "inaccurate") and FAMILY_OF[find_op(posed)] != EXACT:
            tolerance = tolerance_of(posed, list_arrays(expected)[deviation.output])
            if deviation.ulps <= tolerance.ulps:
                self.allow("rewritten")
                return
        if _is_right_instead(posed, expected, actual):
            self.allow("another-way")
        else:
            self.report(case, expected, actual, deviation)

    def _blame_compiled(self, actual: Outcome, deviation: OpDeviation) -> None:
        """Report the first call that XLA computes otherwise from eager mode's operands, or the whole program."""
        if self.case.name == GRADIENT:
            inner = self.run(Mode("eager", self.mode.device), self.case.args[0])
            reason = explain_slope(self.case, inner, self.eager, actual, deviation)
            if reason:
                self.allow(reason)
            else:
                self.report(self.case, self.eager, actual, deviation)
            return
        steps = [step for _, step in self.calls]
        answers = [actual]
        if len(steps) > 1:
            together = self.run(self.mode, Case(PROGRAM, tuple(posed for posed, _ in steps)))
            if not together.ok:
                self._blame_composition(actual, deviation)
                return
            answers = [Outcome(value) for value in together.value]
        for (posed, outcome), answer in zip(steps, answers, strict=False):
            first = compare_call(posed, list_arrays(outcome), list_arrays(answer), self.comparison.allowed)
            if first is None:
                continue
            if _is_right_instead(posed, outcome, answer):
                self.allow("another-way")
            else:
                self.report(posed, outcome, answer, first)
            return
        self._blame_composition(actual, deviation)

    def _blame_composition(self, actual: Outcome, deviation: OpDeviation) -> None:
        """Report the program if each call by itself is right, unless rounding or an accepted difference explains it."""
        steps = [step for _, step in self.calls]
        if len(steps) == 1:
            return  # within its tolerance it agrees
        reason = next(filter(None, (find_declared(posed, list_arrays(outcome)) for posed, outcome in steps)), "")
        if not reason and deviation.kind == "value":
            left, right = (list_arrays(one)[deviation.output] for one in (self.eager, actual))
            reason = "overflow-in-between" if _both_overflow(self.case, left, right, deviation) else ""
        if deviation.kind == "value" and reason:
            self.allow(reason)
        elif deviation.kind in ("value", "shape") and explains_rounding(self.case, deviation, actual):
            self.allow("ill-conditioned")
        elif deviation.kind != "value":
            self._blame_beginning(actual, deviation)
        else:
            self.report(self.case, self.eager, actual, deviation)


def compare_ops(case: Case, eager: Outcome, actual: Outcome, mode: Mode, run: Run) -> Comparison:
    """Compare an outcome of a program of ops, of which eager mode gives a result, with that and with NumPy."""
    compared = OpComparison(case, eager, mode, run)
    if mode.name == "eager":
        compared.compare_with_references()
    else:
        compared.compare_with_eager(actual)
    return compared.comparison


def list_arrays(outcome: Outcome) -> list[np.ndarray]:
    """Return the arrays of a result, in order."""
    return [np.asarray(part) for part in flatten(outcome.value) if part is not None]


Allowed = list[tuple[str, str]]


def judge_call(call: Case, values: Sequence[np.ndarray], allowed: Allowed) -> OpDeviation | None:
    """Return the deviation of a call's results from NumPy's or mpmath's; None if they agree."""
    expected = compute_expected(call, [value.dtype for value in values])
    return None if expected is None else _contradict(call, expected, values, allowed)


def _contradict(
    call: Case, expected: Sequence[np.ndarray], values: Sequence[np.ndarray], allowed: Allowed
) -> OpDeviation | None:
    """Return the deviation of a call's results from references; None if they agree, or the difference is accepted."""
    for output, (reference, actual) in enumerate(zip(expected, values, strict=False)):
        tolerance = tolerance_of(call, actual)
        deviation = find_deviation(reference, actual, tolerance.ulps, tolerance.slack, signs=tolerance.signs)
        if deviation is None:
            continue
        reason = tolerance.declared or ("subnormal" if has_subnormals(reference) else "")
        if not reason:
            return replace(deviation, output=output)
        allowed.append((reason, "value"))
    return None


def compare_call(
    call: Case, expected: Sequence[np.ndarray], actual: Sequence[np.ndarray], allowed: Allowed
) -> OpDeviation | None:
    """Return the deviation of a call's results from eager mode's; None if they agree, or the difference is accepted."""
    for output, (left, right) in enumerate(zip(expected, actual, strict=True)):
        tolerance = tolerance_of(call, left)
        deviation = find_deviation(left, right, tolerance.ulps, tolerance.slack, signs=tolerance.signs)
        if deviation is None:
            continue
        reason = tolerance.declared or ("overflow-in-between" if _both_overflow(call, left, right, deviation) else "")
        if not reason or deviation.kind != "value":
            return replace(deviation, output=output)
        allowed.append((reason, "value"))
    return None


def depart(expected: Outcome, actual: Outcome, mode: Mode, ulps: float = 0.0) -> OpDeviation | None:
    """Return the deviation of an outcome from eager mode's. A graph runs the same kernels, so that every bit counts."""
    if not actual.ok:
        kind = "spurious error" if actual.kind == "error" else actual.kind
        return OpDeviation(kind, "", f"expected a result, got {actual.error or actual.kind}")
    sign = None
    for output, (left, right) in enumerate(zip(list_arrays(expected), list_arrays(actual), strict=False)):
        deviation = find_deviation(left, right, ulps, flushes=mode.is_compiled)
        if deviation is not None and deviation.symptom != "sign of zero":
            return replace(deviation, output=output)
        if deviation is not None and sign is None:
            sign = replace(deviation, output=output)
    return sign


def _is_right_instead(call: Case, eager: Outcome, actual: Outcome) -> bool:
    """Return whether NumPy contradicts eager mode, which is a difference of eager mode, and not the other outcome."""
    if judge_call(call, list_arrays(eager), []) is None:
        return False
    return actual.ok and judge_call(call, list_arrays(actual), []) is None


def _is_unsupported(outcome: Outcome) -> bool:
    error = outcome.error
    if error is None:
        return False
    told = f"{error.message} {error.full_message[:300]}"
    return classify_error(error) == UNSUPPORTED or _REFUSES.search(told) is not None


def _both_overflow(case: Case, left: np.ndarray, right: np.ndarray, deviation: OpDeviation) -> bool:
    """Return whether sums of finite numbers overflow in both results: the order of summation then decides on it."""
    has_sum = any(FAMILY_OF[find_op(call)] in (SUM, NORMWISE, CONDITIONED) for call in case.calls())
    if deviation.index < 0 or not has_sum:
        return False
    ends: list[Any] = [np.ravel(array)[deviation.index] for array in (left, right)]
    inputs = [array for array in case.arrays() if is_inexact(array.dtype)]
    return all(np.isfinite(array).all() for array in inputs) and not any(np.isfinite(end) for end in ends)
