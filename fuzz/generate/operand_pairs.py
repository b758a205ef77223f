"""Second operands: elements of the first one, or next to them; special numbers of one dtype beside those of another."""

from __future__ import annotations

import math
from typing import Any

import ml_dtypes
import numpy as np

from fuzz.generate import arrays
from fuzz.generate.call_classes import NUMBERS
from fuzz.generate.choices import Choices


def echo(choices: Choices, other: Any, dtype: np.dtype, shape: arrays.Shape) -> np.ndarray:
    """Draw elements of another array, which this shape broadcasts to: as they are, next to them, negated, at
    other positions, or new ones. Comparisons, ties, differences and bounds depend on such.
    """
    plain = np.asarray(other)
    own = np.array(arrays.numbers(choices.values, dtype, math.prod(shape)), dtype).reshape(shape)
    extra = plain.ndim - len(shape)
    fits = extra >= 0 and all(dim in (1, full) for dim, full in zip(shape, plain.shape[extra:], strict=True))
    if arrays.TEXT in {dtype, plain.dtype} or not own.size or not plain.size or not fits:
        return arrays.laid(choices, own)
    if not np.can_cast(plain.dtype, dtype, "same_kind") and {plain.dtype.kind, dtype.kind} != {"i", "u"}:
        return arrays.laid(choices, own)
    plain = plain[(0,) * extra][tuple([slice(dim) for dim in shape])] if extra else plain[tuple(map(slice, shape))]
    with np.errstate(all="ignore"):
        same = np.array(plain, dtype)
    change = choices.values.pick(ECHOES)
    if change == "twin":
        found = same.copy()
        if choices.values.flag():
            position = choices.values.integer(0, found.size - 1)
            found.flat[position] = own.flat[position]
        return arrays.laid(choices, found)
    changes = arrays.picked(choices.values, range(len(CHANGES)), np.dtype(np.int8), shape)
    changed = _changed(same, own)
    if dtype.kind == "u" and NUMBERS not in choices.edges:  # negated, or below 0, they would be large
        changed = [np.where(one > same + 1, same, one) for one in changed[:-2]] + changed[-2:]
    found = np.select([changes == index for index in range(len(CHANGES))], changed)
    return arrays.laid(choices, np.array(found, dtype).reshape(shape))


ECHOES = ("twin", "mixed", "mixed")
CHANGES = ("same", "same", "negated", "above", "below", "moved", "own")


def _changed(same: np.ndarray, own: np.ndarray) -> list[np.ndarray]:
    """The array in each way of CHANGES."""
    with np.errstate(all="ignore"):
        if arrays.kind(same.dtype) in "fc":
            eps = ml_dtypes.finfo(same.dtype).eps
            above, below = same * (1 + eps).astype(same.dtype), same * (1 - 4 * eps).astype(same.dtype)
        elif same.dtype.kind == "b":
            above, below = ~same, same
        else:
            one = same.dtype.type(1)
            above, below = same + one, same - one
        negated = ~same if same.dtype.kind == "b" else -same
    return [same, same, negated, above, below, np.roll(same, 1), own]


def all_pairs(choices: Choices, left: np.dtype, right: np.dtype) -> tuple[np.ndarray, np.ndarray]:
    """Two vectors in which each of some numbers of one dtype, special and small, stands beside each of the other."""
    operands = [_notable(choices.values, dtype) for dtype in (left, right)]
    grids = np.meshgrid(*operands, indexing="ij")
    return arrays.laid(choices, grids[0].ravel(), exactly=True), arrays.laid(choices, grids[1].ravel(), exactly=True)


def overflowing_division(choices: Choices) -> tuple[Any, Any]:
    """Draw the lowest integer of a dtype among others, and -1: as an array, a scalar or a number of Python's."""
    dtype = choices.pick(arrays.SIGNED)
    lowest = int(np.iinfo(dtype).min)
    shape = arrays.shape(choices, 0, 2)
    divided = arrays.filled(choices, dtype, shape, (lowest, lowest, 7, -1, 0))
    by = choices.pick(("array", "scalar", "number"))
    minus = arrays.filled(choices, dtype, shape, (-1,)) if by == "array" else dtype.type(-1) if by == "scalar" else -1
    return divided if shape else dtype.type(lowest), minus


NOTABLE = 14


def _notable(choices: Choices, dtype: np.dtype) -> np.ndarray:
    """The special numbers of a dtype, filled up with others to so many as every dtype has."""
    pools = arrays.POOLS[dtype]
    special = pools.get("special", pools["small"])[: NOTABLE - 2]
    more = choices.picks(pools.get("halves", pools["awkward"]), NOTABLE - len(special))
    return np.array([*special, *more], dtype)
