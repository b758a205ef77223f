"""Perturbed answers: NumPy's own answer to a call, changed as little as other arithmetic might change it.

They are where the judge has to decide: some are right by a definition, or within a bound, and some are just beyond.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from oracle import Case, Outcome, run_numpy

STEPS = (1, 1, 2, 4, 16, 256, 2**20, 2**28)  # units in the last place
NARROWER = {"f8": np.float32, "c16": np.complex64, "f4": np.float16}


def perturb(rng: random.Random, expected: Outcome, case: Case) -> Outcome:
    """Return an answer that is NumPy's own, or near it."""
    change = rng.choice([move_elements, move_elements, move_elements, reorder, lose_signs, narrow, flush, swap_special])
    if not expected.ok or rng.random() < 0.3:
        return run_numpy(rng.choice([nudge, narrow_inputs, shuffle_inputs])(rng, case))
    return replace(expected, value=change_part(rng, expected.value, change), after=change_after(rng, expected, change))


def change_after(rng: random.Random, expected: Outcome, change: Callable[..., Any]) -> tuple[np.ndarray, ...]:
    """Return what the call wrote, changed as its result may be."""
    return tuple(change_part(rng, array, change) for array in expected.after)


def change_part(rng: random.Random, value: Any, change: Callable[[random.Random, np.ndarray], Any]) -> Any:
    """Return a result with the change in each of its arrays of numbers, or in one."""
    if isinstance(value, dict):
        return {key: change_part(rng, item, change) for key, item in value.items()}
    if isinstance(value, (tuple, list)):
        items = [change_part(rng, item, change) if rng.random() < 0.7 else item for item in value]
        return type(value)(*items) if hasattr(value, "_fields") else type(value)(items)
    if isinstance(value, (np.ndarray, np.generic)) and value.dtype.kind in "biufcV" and not value.dtype.fields:
        with np.errstate(all="ignore"):
            return change(rng, np.array(value))
    return value


def move_elements(rng: random.Random, array: np.ndarray) -> np.ndarray:
    """Move some elements by a few units in the last place."""
    if array.dtype.kind not in "fc" or array.dtype.char in "gG":
        return array
    parts = array.reshape(-1).view(array.real.dtype)
    eps, step = np.finfo(parts.dtype).eps, rng.choice(STEPS)
    some = rng.choice([1.0, 0.3])
    moved = [part * (1 + rng.choice([-1, 1]) * step * eps) if rng.random() < some else part for part in parts]
    return np.array(moved, parts.dtype).view(array.dtype).reshape(array.shape)


def reorder(rng: random.Random, array: np.ndarray) -> np.ndarray:
    """Exchange two elements, or all along an axis."""
    flat = array.reshape(-1).copy()
    if flat.size < 2:
        return array
    one, other = rng.randrange(flat.size), rng.randrange(flat.size)
    flat[[one, other]] = flat[[other, one]]
    return rng.choice([flat.reshape(array.shape), np.flip(array), np.sort(array, axis=None).reshape(array.shape)])


def lose_signs(rng: random.Random, array: np.ndarray) -> np.ndarray:
    """Change the signs of zeros, or of a column."""
    if array.dtype.kind not in "fc":
        return array
    changed = array.copy()
    if rng.random() < 0.6 or not array.ndim:
        changed[changed == 0] = rng.choice([0.0, -0.0])
    else:
        changed[..., :1] *= -1
    return changed


def narrow(rng: random.Random, array: np.ndarray) -> np.ndarray:
    """Round to half of the precision."""
    narrower = NARROWER.get(array.dtype.str[1:])
    return array if narrower is None else array.astype(narrower).astype(array.dtype)


def flush(rng: random.Random, array: np.ndarray) -> np.ndarray:
    """Make tiny elements zeros, and huge ones infinite."""
    if array.dtype.kind != "f" or array.dtype.char == "g":
        return array
    limits = np.finfo(array.dtype)
    changed = np.where(np.abs(array) < limits.tiny, np.copysign(np.zeros((), array.dtype), array), array)
    return np.where(np.abs(changed) > limits.max / 2, np.copysign(np.array(np.inf, array.dtype), changed), changed)


def swap_special(rng: random.Random, array: np.ndarray) -> np.ndarray:
    """Replace nan by an infinity or a zero, and the other way round."""
    if array.dtype.kind not in "fc":
        return array
    changed, special = array.copy(), (np.nan, np.inf, -np.inf, 0.0)
    which = rng.choice([np.isnan(changed), np.isinf(changed), changed == 0])
    changed[which] = rng.choice(special)
    return changed


def nudge(rng: random.Random, case: Case) -> Case:
    """Return the case with its arrays moved by a rounding error."""
    return case.map_arrays(lambda array: keep_layout(array, move_elements(rng, np.array(array))))


def narrow_inputs(rng: random.Random, case: Case) -> Case:
    """Return the case with its arrays rounded to half of their precision."""
    with np.errstate(all="ignore"):
        return case.map_arrays(lambda array: keep_layout(array, narrow(rng, np.array(array))))


def shuffle_inputs(rng: random.Random, case: Case) -> Case:
    """Return the case with two elements of its arrays exchanged."""
    return case.map_arrays(lambda array: keep_layout(array, reorder(rng, np.array(array))))


def keep_layout(array: np.ndarray, changed: np.ndarray) -> np.ndarray:
    """Return the changed elements, which may be written to as the array may."""
    changed = np.array(changed, array.dtype)
    changed.flags.writeable = array.flags.writeable
    return changed
