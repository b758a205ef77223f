"""Stochastic rounding: whether eager mode gives the same answer when intermediate results are perturbed slightly."""

from __future__ import annotations

import random
import sys
from collections.abc import Sequence
from typing import Any

import numpy as np

from oracle.case.model import Case
from oracle.case.tensor_ops import is_constant
from oracle.execution.convert import to_tensor
from oracle.execution.executors import FETCHER
from oracle.execution.steps import pose_call
from oracle.execution.tensor_ops import evaluate_case
from oracle.ops.numeric import OpDeviation
from oracle.ops.tolerances import tolerance_of
from oracle.reference.display import flatten
from oracle.reference.dtypes import EPSILON, SMALLEST_NORMAL, is_inexact
from oracle.reference.outcome import Outcome
from oracle.subject import load_tensorflow

_JITTERS = 5
_REACH = 8.0  # times the spread of perturbed results that rounding may explain
_SHARES = (0.0, 0.125, 0.125, 0.5, 1.0, 1.0)  # of a call's tolerance, by which results are moved


def explains_rounding(case: Case, deviation: OpDeviation, actual: Outcome) -> bool:
    """Return whether eager mode gives nearly this answer when its intermediate results are rounded differently."""
    runs = [perturb(case, seed) for seed in range(_JITTERS + 1)]
    values = [run[deviation.output] for run in runs if run is not None and len(run) > deviation.output]
    answer = flatten(actual.value)[deviation.output]
    if deviation.kind == "shape":
        return any(value.shape == answer.shape for value in values)
    alike = [np.ravel(value) for value in values if value.shape == answer.shape]
    if not alike or not is_inexact(answer.dtype):
        return any(np.array_equal(np.ravel(answer), value) for value in alike) or len({v.tobytes() for v in alike}) > 1
    return all(_is_reached(np.ravel(part(answer)), [part(value) for value in alike]) for part in (np.real, np.imag))


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


def perturb(case: Case, seed: int) -> list[np.ndarray] | None:
    """Return the results of a program in eager mode, with each intermediate result changed by part of its tolerance;
    None if a call raises.
    """
    rng, fraction = random.Random(seed), _SHARES[seed % len(_SHARES)]
    inputs: dict[int, Any] = {}

    def convert(array: np.ndarray) -> Any:
        if id(array) not in inputs:
            moved = array if is_constant(case, array) else _nudge(array, rng, 2.0 * bool(seed), 0.0)
            inputs[id(array)] = to_tensor(moved)
        return inputs[id(array)]

    def call(step: Case, function: Any, args: list[Any], kwargs: dict[str, Any]) -> Any:
        result = function(*args, **kwargs)
        posed = pose_call(step, args, kwargs, FETCHER.fetch)
        computes = fraction > 0 and any(is_inexact(array.dtype) for array in posed.arrays())

        def move(tensor: Any) -> Any:
            array = FETCHER.array(tensor)
            tolerance = tolerance_of(posed, array)
            nudged = _nudge(array, rng, fraction * max(tolerance.ulps, 4.0), fraction * tolerance.slack)
            return to_tensor(_unflush(nudged, rng) if computes else nudged)

        return sys.modules["tensorflow"].nest.map_structure(move, result)

    try:
        result = evaluate_case(case, load_tensorflow().find, convert, call)
        return [FETCHER.array(part) for part in flatten(FETCHER.fetch(result))]
    except Exception:  # noqa: BLE001 - TensorFlow rejects moved inputs by any class: then nothing is explained
        return None


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
    signs = np.array([rng.choice((0.0, 1.0, -1.0)) for _ in range(array.size)]).reshape(array.shape)
    return np.where(array == 0, (signs * SMALLEST_NORMAL[array.dtype]).astype(array.dtype), array)
