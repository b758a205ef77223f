"""What a ufunc's folds leave open: how many elements NumPy joins at a time, and how precise it is between."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import pairwise, product
from typing import Any

import ml_dtypes
import numpy as np

from oracle import variations

Arguments = dict[str, Any]


def joined(ufunc: np.ufunc, given: Arguments, expected: Any, actual: Any) -> bool:
    """What the ufunc gives, called on two elements at a time. NumPy's reductions join each element with the first
    alone where a processor's wide registers hold several, and the result is that with the last.
    """
    array, out, options = np.asarray(given["array"]), given["out"], given.get("kwargs", {})
    kinds = (None if out is None else out.dtype, array.dtype, None)
    asked = {} if given["dtype"] is None else {"signature": (np.dtype(given["dtype"]), None, None)}
    loop, each, _ = ufunc.resolve_dtypes(kinds, casting="unsafe", reduction=True, **asked)
    axis = given["axis"] if isinstance(given["axis"], int) else (given["axis"] or (0,))[0]
    rows = np.moveaxis(array, axis, 0)
    mask = np.moveaxis(np.broadcast_to(options.get("where", True), array.shape), axis, 0)
    initial = options.get("initial")
    epsilon, dtype = float(ml_dtypes.finfo(loop).eps), np.asarray(expected).dtype

    def found_by(move: float, flushed: str, begun: np.dtype) -> np.ndarray:
        with np.errstate(all="ignore"):
            moved = (rows * (1 + move)).astype(rows.dtype) if move and rows.dtype.kind not in "biu" else rows
            join = partial(_in_turn, ufunc, (begun, loop, each), flushed)
            found = _in_stretches(join, given.get("indices"), moved, mask, initial)
            found = found if "indices" not in given else np.moveaxis(found, 0, axis)
            return found.reshape(np.shape(actual)).astype(dtype)

    agrees = np.zeros(np.shape(actual), bool)
    begins = {loop} if out is None else {loop, out.dtype}
    for flushed, begun in product(("nothing", "steps", "all"), begins):
        result, *others = (found_by(move, flushed, begun) for move in (0.0, epsilon, -epsilon))
        spread = np.max([np.abs(other - result) for other in others], axis=0)  # which powers of powers enlarge
        actual = np.asarray(actual) if flushed == "nothing" else variations.flushed_array(actual)
        agrees |= (result == actual) | (np.isnan(result) & np.isnan(actual))
        agrees |= np.abs(actual - result) <= 64 * epsilon * np.abs(result) + 8 * spread
    return bool(agrees.all())


def carried(ufunc: np.ufunc, given: Arguments, expected: Any, actual: Any) -> bool:
    """NumPy carries half precision in single along one axis, and not along several: what overflows on the way, or not,
    is nobody's promise.
    """
    return np.asarray(expected).dtype == np.float16 and joined(ufunc, given, expected, actual)


def running(ufunc: np.ufunc, given: Arguments, expected: Any, actual: Any) -> bool:
    """All that comes after a result which rounding errors of the first elements move by as much as it is, and more."""
    array, axis = np.asarray(given["array"]).astype(np.asarray(expected).dtype), given["axis"]
    epsilon = float(ml_dtypes.finfo(np.asarray(expected).dtype).eps)
    with np.errstate(all="ignore"):
        moved = [ufunc.accumulate(array * (1 + move * epsilon), axis, given["dtype"]) for move in (-2, -1, 1, 2)]
        spread = np.max([np.abs(other - expected) for other in moved], axis=0)
        is_lost = np.logical_or.accumulate(~(spread <= np.abs(expected)), axis)
        near = np.abs(actual - expected) <= 8 * spread + 64 * epsilon * np.abs(expected)
    return bool(np.all(is_lost | near))


def _in_stretches(
    join: Callable[..., np.ndarray], indices: Any, rows: np.ndarray, mask: np.ndarray, initial: Any
) -> np.ndarray:
    """What `join` makes of all rows, or of those of each stretch."""
    if indices is None:
        return join(rows, mask, initial)
    starts = [int(start) for start in indices]
    stops = [max(start + 1, stop) for start, stop in pairwise([*starts, len(rows)])]
    return np.stack([join(rows[a:b], mask[a:b], initial) for a, b in zip(starts, stops, strict=True)])


def _in_turn(
    ufunc: np.ufunc,
    dtypes: tuple[np.dtype, np.dtype, np.dtype],
    flushed: str,
    rows: np.ndarray,
    mask: np.ndarray,
    initial: Any,
) -> np.ndarray:
    """One after another, the first by way of the `out=` that it is written to; what is subnormal in each step, or to
    begin with too, may be zero.
    """
    begun, loop, each = dtypes
    rows = variations.flushed_array(rows) if flushed == "all" else rows
    start = (rows[0] if initial is None else np.full_like(rows[0], initial)).astype(begun)
    result, first = (variations.flushed_array(start) if flushed == "all" else start).astype(loop), initial is None
    for row, chosen in zip(rows[first:], mask[first:], strict=True):
        with np.errstate(all="ignore"):
            result = np.where(chosen, ufunc(result, row.astype(each)), result)
        result = result if flushed == "nothing" else variations.flushed_array(result)
    return result


def multiplied(given: Arguments, expected: Any, actual: Any) -> bool:
    """Of products of three factors and more, of which some overflow and others are zero, the order says which are. Of
    two of which the smaller is infinite, whether NumPy adds before it multiplies.
    """
    numbers = (np.ndarray, np.generic, bool, int, float, complex)
    factors = [np.asarray(value, np.clongdouble) for value in given["operands"] if isinstance(value, numbers)]
    factors.sort(key=np.size)
    sizes = [np.max(np.abs(factor), initial=1.0) for factor in factors]
    near = np.isclose(actual, expected, rtol=64 * np.finfo(expected.dtype).eps, atol=0, equal_nan=True)
    if len(factors) == 2 and factors[0].size < factors[1].size and np.isinf(sizes[0]):
        return bool(np.all(near | ~np.isfinite(expected) & ~np.isfinite(actual)))
    overflow = len(factors) > 2 and np.prod(sizes) > np.finfo(expected.dtype).max
    return bool(overflow and np.all(near | ~np.isfinite(expected) | ~np.isfinite(actual)))
