"""Running error bound of reductions by a ufunc that is not associative, one element after another."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise, product
from typing import Any

import numpy as np

from oracle.equality import ulp
from oracle.equality.iterated_ufunc import apply_once
from oracle.reference.bfloat16 import BFLOAT16
from oracle.transforms import precision

Arguments = dict[str, Any]

FLUSHED = ("nothing", "steps", "all")
"""Which subnormal numbers are zeros: none, those that a step gives, or those that are reduced, too."""


@dataclass(frozen=True)
class Loop:
    """Loop of a reduction: the dtype that it begins with, those of the loop, and what is flushed."""

    ufunc: np.ufunc
    begun: np.dtype
    first: np.dtype
    second: np.dtype
    flushed: str
    compiled: bool


def reduce_in_order(ufunc: np.ufunc, arguments: Arguments, compiled: bool) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Yield what `reduce` or `reduceat` makes of the elements in their order, and its error bound: once for each of the
    ways to flush subnormal numbers, and to begin by way of `out`.
    """
    array, out = np.asarray(arguments["array"]), arguments["out"]
    out = out[0] if isinstance(out, tuple) and out else out
    out_dtype = out.dtype if isinstance(out, np.ndarray) else None
    chosen = arguments["dtype"] if arguments["dtype"] is None else np.dtype(arguments["dtype"])
    options = {} if chosen is None else {"signature": (chosen, None, None)}
    operand = chosen if chosen == BFLOAT16 else array.dtype  # a registered loop is found by an operand only
    dtypes = ufunc.resolve_dtypes((out_dtype, operand, None), casting="unsafe", reduction=True, **options)
    begins = dict.fromkeys((dtypes[0], out_dtype or dtypes[0]))
    for flushed, begun in product(FLUSHED, begins):
        yield _reduce(Loop(ufunc, begun, dtypes[0], dtypes[1], flushed, compiled), arguments, array)


def _reduce(loop: Loop, arguments: Arguments, array: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    axis, options = arguments["axis"], arguments.get("kwargs", {})
    axis = (axis or (0,))[0] if isinstance(axis, tuple) else axis or 0
    rows = np.moveaxis(array, axis, 0)
    mask = np.moveaxis(np.broadcast_to(options.get("where", True), array.shape), axis, 0)
    indices = arguments.get("indices")
    if indices is None:
        return _join(loop, rows, mask, options.get("initial"))
    starts = [int(start) for start in np.asarray(indices)]
    stops = [max(start + 1, stop) for start, stop in pairwise([*starts, len(rows)])]
    parts = [_join(loop, rows[a:b], mask[a:b], None) for a, b in zip(starts, stops, strict=True)]
    values, errors = (np.stack(columns) for columns in zip(*parts, strict=True))
    return np.moveaxis(values, 0, axis), np.moveaxis(errors, 0, axis)


def _join(loop: Loop, rows: np.ndarray, mask: np.ndarray, initial: Any) -> tuple[np.ndarray, np.ndarray]:
    """Join rows one after another, the first by way of the dtype that it begins with."""
    rows = precision.flush_array(rows) if loop.flushed == "all" else rows
    with np.errstate(all="ignore"):
        value = (rows[0] if initial is None else np.full(rows[0].shape, initial)).astype(loop.begun)
        value = (precision.flush_array(value) if loop.flushed == "all" else value).astype(loop.first)
    error = np.zeros(value.shape, np.longdouble)
    operands = rows[initial is None :]
    for row, chosen in zip(operands, mask[initial is None :], strict=True):
        with np.errstate(all="ignore"):
            operand = np.where(
                chosen, row.astype(loop.second), np.ones(row.shape, loop.second)
            )  # others are not joined
        result, moved = apply_once(loop.ufunc, value, error, (operand,), loop.compiled)
        value, error = np.where(chosen, result, value), np.where(chosen, moved, error)
        value = value if loop.flushed == "nothing" else precision.flush_array(value)
    return value, error


SEEDS = range(8)


def accumulate_with_noise(ufunc: np.ufunc, arguments: Arguments, compiled: bool) -> tuple[np.ndarray, np.ndarray]:
    """Return the running results of a ufunc along an axis, and how far they move when each step is off by as much as
    its relation has it, up or down at random (Monte Carlo arithmetic).
    """
    array = np.asarray(arguments["array"])
    dtype = np.dtype(arguments["dtype"]) if arguments["dtype"] is not None else ufunc(array[:0], array[:0]).dtype
    rows = np.moveaxis(array.astype(dtype), arguments["axis"], 0)
    values = _accumulate(ufunc, rows, None, compiled)
    spread = np.zeros(values.shape, np.longdouble)
    with np.errstate(all="ignore"):
        for seed in SEEDS:
            other = _accumulate(ufunc, rows, np.random.default_rng(seed), compiled)
            step = np.where(ulp.classes_differ(values, other), np.inf, np.abs(other - values))
            spread = np.maximum(spread, np.where(np.isnan(step), 0, step))
    return np.moveaxis(values, 0, arguments["axis"]), np.moveaxis(spread, 0, arguments["axis"])


def _accumulate(ufunc: np.ufunc, rows: np.ndarray, random: np.random.Generator | None, compiled: bool) -> np.ndarray:
    values = [rows[0]]
    for row in rows[1:]:
        value, error = apply_once(ufunc, values[-1], np.zeros(row.shape), (row,), compiled)
        if random is not None:
            with np.errstate(all="ignore"):
                value = (value + random.choice([-1.0, 1.0], value.shape) * error).astype(value.dtype)
        values.append(value)
    return np.stack(values)
