"""Programs, judged step by step: each call on the subject's own operands.

NumPy runs the program in lockstep with what the subject did. Before a call, NumPy's operands must be those of the
subject, bit by bit: what earlier calls wrote has to be there. Then the call alone is judged, and NumPy goes on with the
subject's result. So rounding errors of earlier calls need no tolerance, and the faulty call is named.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from oracle.case.model import Case
from oracle.case.vocabulary import MAKERS_OF_GENERATORS
from oracle.compare.comparison import NO_ANSWER, Comparison
from oracle.equality.deviation import Deviation
from oracle.equality.equal_elements import parts_of
from oracle.equality.forms import to_native
from oracle.execution.executors import have_same_bits
from oracle.execution.steps import pose_call
from oracle.modes import Mode
from oracle.reference.display import flatten, format_value
from oracle.reference.dtypes import is_inexact
from oracle.reference.outcome import Outcome, destinations, run_numpy
from oracle.reference.polynomials import list_parts, spell

Compare = Callable[[Case, Outcome, Outcome], Comparison]
"""Compares one call with NumPy's outcome of it."""


class Finished(Exception):
    """Raised to end NumPy's run: a step differs, or was the last one."""


def can_compare_steps(expected: Outcome, actual: Outcome) -> bool:
    """Return whether an outcome has steps that tell all of it: an error must be that of the last step."""
    return bool(actual.steps) and expected.kind != "unsupported" and (actual.ok or not actual.steps[-1][1].ok)


def compare_steps(case: Case, actual: Outcome, mode: Mode, compare: Compare) -> Comparison:
    """Return the comparison of a program whose outcome has steps, up to the first step that differs."""
    lockstep = Lockstep(actual.steps, mode, compare)
    outcome = run_numpy(case, apply=lockstep)
    comparison, after = lockstep.comparison, to_native(outcome.after)
    if outcome.ok and not have_same_bits(after, actual.after):
        there, expected = format_value(actual.after), format_value(after)
        detail = f"the program leaves {there} in its arrays, where its calls leave {expected}"
        comparison.deviations.append(Deviation("value", detail, mode=mode))
    return comparison


def list_operands(case: Case) -> list[Any]:
    """Return the arguments of a call: NumPy's scalars as arrays, in native byte order, with one nan for every nan."""
    return [_without_payloads(to_native(leaf)) for leaf in case.leaves()]


def _without_payloads(leaf: Any) -> Any:
    leaf = np.asarray(leaf) if isinstance(leaf, np.generic) else leaf
    if not isinstance(leaf, np.ndarray) or not is_inexact(leaf.dtype):
        return leaf
    parts = [np.where(np.isnan(part), part.dtype.type(np.nan), part) for part in parts_of(leaf)]
    return np.stack(parts)


class Lockstep:
    """Makes NumPy's calls of a program along the steps of a subject, and compares them."""

    def __init__(self, steps: tuple[tuple[Case, Outcome], ...], mode: Mode, compare: Compare) -> None:
        self.steps, self.mode, self.compare = steps, mode, compare
        self.index = 0
        self.comparison = Comparison()

    def __call__(self, case: Case, function: Any, args: list[Any], kwargs: dict[str, Any]) -> Any:
        """Make a call, which `evaluate` asks for. Raises Finished at the last step, or one that differs."""
        if case.name in MAKERS_OF_GENERATORS:
            return function(*args, **kwargs)
        if self.index == len(self.steps):
            raise Finished
        posed, outcome = self.steps[self.index]
        self.index += 1
        expected = pose_call(case, args, kwargs, spell)
        if not have_same_bits(list_operands(expected), list_operands(posed)):
            detail = f"the operands are {posed}, but the calls before it make {expected}"
            self._stop([Deviation("value", detail, mode=self.mode)], posed)
        self._judge(posed, outcome)
        if not outcome.ok:
            raise Finished
        result = function(*args, **kwargs)
        for target, values in zip(destinations(expected), outcome.after, strict=True):
            overwrite(target, values)
        return adopt(result, outcome.value, flatten([args, list(kwargs.values())]))

    def _judge(self, posed: Case, outcome: Outcome) -> None:
        """Compare a step. Raises Finished if it differs."""
        expected = run_numpy(posed)
        if expected.kind == "unsupported":
            self.comparison.undecided = NO_ANSWER
            raise Finished
        comparison = self.compare(posed, expected, outcome)
        self.comparison.allowed += comparison.allowed
        self.comparison.harness_faults += comparison.harness_faults
        self.comparison.undecided = self.comparison.undecided or comparison.undecided
        if comparison.deviations:
            self._stop(comparison.deviations, posed)

    def _stop(self, deviations: list[Deviation], posed: Case) -> None:
        self.comparison.deviations += [
            replace(one, detail=f"in call {self.index}, {posed.name}: {one.detail}", step=posed) for one in deviations
        ]
        raise Finished


def overwrite(target: np.ndarray, values: np.ndarray) -> None:
    """Write the subject's values to an array of NumPy's. Raises Finished if they do not fit."""
    if target.shape != np.shape(values):
        raise Finished
    np.copyto(target, values, casting="unsafe")


def adopt(result: Any, value: Any, operands: list[Any]) -> Any:
    """Return the subject's value of a call, with which NumPy goes on. NumPy's result is written to instead where it
    shares memory with an operand: it is a view, or what was written to.
    """
    if isinstance(result, np.ndarray) and isinstance(value, np.ndarray):
        if not any(isinstance(each, np.ndarray) and np.may_share_memory(result, each) for each in operands):
            return np.array(value)
        if not have_same_bits(to_native(result), value):
            overwrite(result, value)
        return result
    if isinstance(result, (list, tuple)) and isinstance(value, type(result)) and len(result) == len(value):
        items = [adopt(one, other, operands) for one, other in zip(result, value, strict=True)]
        return type(result)(*items) if hasattr(result, "_fields") else type(result)(items)
    if list_parts(result) is not None and isinstance(value, dict):
        parts = [np.array(part) for name, part in value.items() if name not in ("class", "variable")]
        return type(result)(*parts)
    return np.array(value) if isinstance(value, np.ndarray) else value
