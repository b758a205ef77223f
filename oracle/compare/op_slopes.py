"""Gradients of programs of ops: what central differences say of them, and why XLA's may differ from eager mode's."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from oracle.case.model import Case
from oracle.case.tensor_ops import find_op
from oracle.execution.tensor_ops import list_passed
from oracle.ops.numeric import OpDeviation, find_deviation
from oracle.ops.reference import largest
from oracle.ops.tolerances import NO_SIGNS, find_declared
from oracle.reference.display import flatten
from oracle.reference.dtypes import EPSILON
from oracle.reference.outcome import Outcome

_STEEPEST = 1e3  # the size of inputs and results of which differences are taken
_SLOPES = 6  # elements of an input by which they are
_STEEP = frozenset({
    "math.floordiv", "math.floormod", "math.floor", "math.ceil", "math.round", "math.rint", "truncatemod", "cast",
    "math.sign", "raw_ops.Mod", "linalg.qr", "linalg.lu", "linalg.svd", "saturate_cast", "bitcast",
})  # fmt: skip
"""Ops whose slope is not what differences tell: steps, and factors that are not unique."""
_TRAVELLED = 256.0  # units in the last place that roundings of several calls may add up to
_SLACK = 256.0  # times the rounding of the largest element by which the others of a slope may be off
_NOISE = frozenset({"rounding", "inaccurate", "sign of zero", "a number for zero", "zero for a number"})


def compare_slopes(
    case: Case, outcome: Outcome, run: Callable[[Case], Outcome]
) -> tuple[Outcome, OpDeviation | None] | None:
    """Return the gradient as differences say it is, and the deviation of eager mode's; None where no differences of
    different widths agree with one another.
    """
    compared: tuple[Outcome, OpDeviation | None] | None = None
    (program,) = case.args
    if not _STEEP.isdisjoint(map(find_op, program.calls())):
        return None
    arrays = list_passed(case)
    by = [array for array in arrays if array.dtype.kind == "f" or array.dtype.name == "bfloat16"]
    for output, (array, slope) in enumerate(zip(by, outcome.value, strict=True)):
        if array.itemsize < 4 or not np.isfinite(array).all() or largest(array) > _STEEPEST:
            continue
        for index in range(min(slope.size, _SLOPES)):
            expected, actual = _take_difference(program, array, index, run), float(slope.flat[index])
            if expected is None:
                continue
            compared = (outcome, None)
            if abs(actual - expected) <= 0.1 * max(1.0, abs(expected)):
                continue
            detail = f"expected about {expected:.4g} by differences, got {actual:.4g}"
            right = np.where(np.arange(slope.size) == index, expected, np.ravel(slope)).reshape(slope.shape)
            values = [*outcome.value]
            values[output] = right.astype(slope.dtype)
            return Outcome(values), OpDeviation("gradient", "", detail, output, index)
    return compared


def _take_difference(program: Case, array: np.ndarray, index: int, run: Callable[[Case], Outcome]) -> float | None:
    """Return the derivative of the sum of a program's result by one element; None where finite differences disagree."""
    sums = {}
    for width in (-(2.0**-4), -(2.0**-6), 0.0, 2.0**-6, 2.0**-4):
        moved = array.copy()
        moved.flat[index] += width
        outcome = run(program.map_arrays(partial(_put, array, moved)))
        sums[width] = float(np.sum(flatten(outcome.value)[0], dtype=np.float64)) if outcome.ok else np.nan
        if not abs(sums[width]) < _STEEPEST:
            return None
    slopes = [(sums[width] - sums[0.0]) / width for width in sums if width]
    slopes.append((sums[2.0**-6] - sums[-(2.0**-6)]) * 2.0**5)
    if max(slopes) - min(slopes) > 0.2 * max(1.0, abs(slopes[-1])):
        return None
    return slopes[-1]


def _put(old: np.ndarray, new: np.ndarray, array: np.ndarray) -> np.ndarray:
    return new if array is old else array


def explain_slope(case: Case, inner: Outcome, eager: Outcome, actual: Outcome, deviation: OpDeviation) -> str:
    """Return why XLA's gradient may differ from eager mode's; "" if nothing explains it. `inner` is what eager mode
    gives for the program that is differentiated.
    """
    expected, other = (flatten(one.value)[deviation.output] for one in (eager, actual))
    if deviation.kind == "value":
        slack = _SLACK * EPSILON[expected.dtype] * largest(expected)
        if find_deviation(expected, other, _TRAVELLED, slack) is None:
            return "ill-conditioned"
    if deviation.symptom in _NOISE:
        return "ill-conditioned"
    steps = inner.steps or ((case.args[0], inner),)
    for posed, outcome in steps:
        values: list[Any] = flatten(outcome.value) if outcome is not steps[-1][1] else list_passed(case)
        reason = find_declared(posed, values)
        if reason:
            return reason
    if deviation.symptom == "an infinity for an infinity" and _has_tie_of_zeros(inner):
        return "tie-of-zeros"
    return ""


def _has_tie_of_zeros(inner: Outcome) -> bool:
    """Return whether a call that ignores the sign of zero returns a zero: later slopes may be its reciprocal."""
    return any(
        find_op(posed) in NO_SIGNS and any(array.size and not np.all(array) for array in flatten(outcome.value))
        for posed, outcome in inner.steps[:-1]
    )
