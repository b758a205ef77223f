"""Stochastic rounding: whether eager gives the same answer when intermediate results are perturbed slightly."""

from __future__ import annotations

import random
from collections.abc import Sequence

import numpy as np

from oracle.execution.tensor_programs import Answer, Session
from oracle.reference.dtypes import EPSILON, SMALLEST_NORMAL, is_inexact
from oracle.tensor_programs.model import Program
from oracle.tensor_programs.numeric import OpDeviation
from oracle.tensor_programs.parts import Values, fill_operands
from oracle.tensor_programs.steps import Constant
from oracle.tensor_programs.tolerances import tolerance_of

_JITTERS = 5
_REACH = 8.0  # times the spread of perturbed results that rounding may explain
_SHARES = (0.0, 0.125, 0.125, 0.5, 1.0, 1.0)  # of a step's tolerance, by which results are moved


def explains_rounding(program: Program, deviation: OpDeviation, answer: Answer) -> bool:
    """Return whether eager gives nearly this answer when its intermediate results are rounded differently."""
    runs = [perturb(program, seed) for seed in range(_JITTERS + 1)]
    values = [run[-1][deviation.output] for run in runs if run is not None and len(run[-1]) > deviation.output]
    actual = answer.values[deviation.output]
    if deviation.kind == "shape":
        return any(value.shape == actual.shape for value in values)
    alike = [np.ravel(value) for value in values if value.shape == actual.shape]
    if not alike or not is_inexact(actual.dtype):
        return any(np.array_equal(np.ravel(actual), value) for value in alike) or len({v.tobytes() for v in alike}) > 1
    return all(_is_reached(np.ravel(part(actual)), [part(value) for value in alike]) for part in (np.real, np.imag))


def _is_reached(actual: np.ndarray, values: Sequence[np.ndarray]) -> bool:
    """Return whether each element is within a few spreads of the perturbed values, or of a class that occurs among
    them.
    """
    eps = EPSILON.get(actual.dtype, 2.0**-52)
    results = np.stack([value.astype(np.float64) for value in values])
    target = actual.astype(np.float64)
    same = np.isclose(results, target, rtol=64 * eps, atol=0, equal_nan=True).any(0)
    finite = np.isfinite(results).all(0) & np.isfinite(target)
    with np.errstate(all="ignore"):
        low, high = np.where(finite, results, 0).min(0), np.where(finite, results, 0).max(0)
        reach = _REACH * (high - low) + 64 * eps * np.maximum(abs(low), abs(high))
        near = finite & (target >= low - reach) & (target <= high + reach)
    mixed = ~np.isfinite(results).all(0) & np.isfinite(results).any(0)
    return bool(np.all(same | near | mixed))


def perturb(program: Program, seed: int) -> Values | None:
    """Return the results of every step in eager mode, with each intermediate result changed by part of its
    tolerance.
    """
    rng, fed = random.Random(seed), Session()
    results: Values = []
    arrays = [_nudge(array, rng, 2.0 * bool(seed), 0.0) for array in program.inputs]
    for step in program.steps:
        posed = fill_operands(step, arrays, results)
        values = fed.run(posed.map(lambda value: Constant(value) if isinstance(value, np.ndarray) else value))
        if isinstance(values, Answer):
            return None
        moved = []
        for array in values:
            tolerance = tolerance_of(posed, list(posed.values()), array)
            fraction = _SHARES[seed % len(_SHARES)]
            nudged = _nudge(array, rng, fraction * max(tolerance.ulps, 4.0), fraction * tolerance.slack)
            computes = fraction > 0 and any(
                is_inexact(one.dtype) for one in posed.values() if isinstance(one, np.ndarray)
            )
            moved.append(_unflush(nudged, rng) if computes else nudged)
        results.append(tuple(moved))
    return results


def _nudge(array: np.ndarray, rng: random.Random, ulps: float, slack: float) -> np.ndarray:
    """Return the array with each element changed by up to `ulps` units in the last place plus `slack`."""
    if not is_inexact(array.dtype) or not (ulps or slack) or not array.size:
        return array
    eps = EPSILON[array.dtype]

    def move(values: np.ndarray) -> np.ndarray:
        shares = np.array([rng.choice((-1.0, -0.5, 0.0, 0.5, 1.0)) for _ in range(values.size)]).reshape(values.shape)
        return values * (1 + ulps * eps * shares) + (slack * shares if slack else 0.0)

    with np.errstate(all="ignore"):
        if array.dtype.kind != "c":
            return move(array.astype(np.float64)).astype(array.dtype)
        made = np.empty(array.shape, np.complex128)
        made.real, made.imag = move(array.real.astype(np.float64)), move(array.imag.astype(np.float64))
        return made.astype(array.dtype)


def _unflush(array: np.ndarray, rng: random.Random) -> np.ndarray:
    """Return the array with some zeros replaced by numbers small enough to be flushed to zero."""
    if not is_inexact(array.dtype) or array.dtype.kind == "c":
        return array
    tiny = (
        np.array([rng.choice((0.0, 1.0, -1.0)) for _ in range(array.size)]).reshape(array.shape)
        * SMALLEST_NORMAL[array.dtype]
    )
    return np.where(array == 0, tiny.astype(array.dtype), array)
