"""Discontinuous functions, at points that no rounding error can explain."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial, reduce
from typing import Any

import numpy as np

from oracle.case.model import Case
from oracle.equality.forms import to_native
from oracle.reference.dtypes import EPSILON, SMALLEST_NORMAL
from oracle.reference.outcome import bind_arguments

MOST_QUARTERS = 2.0**18
"""Sums and remainders of fewer quarters are exact in single precision."""


def find_settled(case: Case, expected: np.ndarray) -> np.ndarray:
    """Return which elements of a result are made by comparing and subtracting without rounding."""
    find = FINDERS.get(case.name)
    nowhere = np.zeros(expected.shape, bool)
    if find is None or len(case.calls()) > 1:
        return nowhere
    mask = np.atleast_1d(find(bind_arguments(case.map_arrays(to_native)), expected))
    return mask if mask.shape == expected.shape else nowhere


def _unwraps_quarters(arguments: dict[str, Any], expected: np.ndarray) -> np.ndarray:
    """Return all elements where angles, period and least jump are small multiples of a quarter; else none."""
    operands = [
        np.asarray(arguments.get(name)) for name in ("p", "period", "discont") if arguments.get(name) is not None
    ]
    is_exact = expected.dtype.itemsize >= 4 and all(
        array.dtype.kind in "iuf" and bool(np.all((np.rint(4 * array) == 4 * array) & (abs(4 * array) < MOST_QUARTERS)))
        for array in operands
    )
    return np.full(expected.shape, is_exact)


def _is_at_an_end(arguments: dict[str, Any], expected: np.ndarray) -> np.ndarray:
    """Return where the abscissa is the first or last of ascending points: `left` and `right` apply beyond it."""
    x, points = np.asarray(arguments.get("x")), np.asarray(arguments.get("xp"))
    if arguments.get("period") is not None or points.ndim != 1 or points.dtype.kind not in "iuf" or not points.size:
        return np.zeros(x.shape, bool)
    rises = bool(np.all(points[1:] > points[:-1]))
    return rises & ((x == points[0]) | (x == points[-1]))


NEAR = 16  # units in the last place of the largest edge


def _counts_far_from_edges(name: str, arguments: dict[str, Any], expected: np.ndarray) -> np.ndarray:
    """Return the bins at whose edges no rounding error decides: edges that are given, or far from any point.

    The outermost edges are those of the range, or the extremes of the points: these are not rounded, either.
    """
    nowhere, weights = np.zeros(expected.shape, bool), arguments.get("weights")
    if weights is not None and not _adds_up_exactly(np.asarray(weights)):
        return nowhere
    points = _points_of(name, arguments)
    if not {some.dtype.kind for some in points} <= set("iuf"):
        return nowhere
    edges, are_exact = _edges_of(name, arguments, points)
    if expected.shape != tuple(len(some) - 1 for some in edges):
        return nowhere
    open_bins = []
    for some, along, is_exact in zip(points, edges, are_exact, strict=True):
        is_open = _has_points_near(some, along, is_rounded=not is_exact)
        if is_open[[0, -1]].any():
            return nowhere
        open_bins.append(is_open[1:] | is_open[:-1])
    return ~reduce(np.logical_or.outer, open_bins)


def _has_points_near(points: np.ndarray, edges: np.ndarray, *, is_rounded: bool) -> np.ndarray:
    """Return for each edge whether a rounding error of it may move a point past it; those at both ends have none."""
    dtype = points.dtype if points.dtype.kind == "f" else np.dtype(float)
    reach = NEAR * EPSILON[dtype] * float(abs(edges).max()) + 2 * float(SMALLEST_NORMAL[dtype])
    ordered, along = np.sort(points.astype(np.longdouble)), edges.astype(np.longdouble)
    first, past = (np.searchsorted(ordered, along, side) for side in ("left", "right"))
    far = np.array([np.inf], np.longdouble)
    nearest = np.minimum(along - np.append(-far, ordered)[first], np.append(ordered, far)[past] - along)
    is_on = first < past
    is_on[[0, -1]] = False
    return (nearest <= reach) | (is_on & is_rounded)


def _adds_up_exactly(weights: np.ndarray) -> bool:
    """Return whether sums of these weights are small multiples of a quarter in their own dtype."""
    if weights.dtype.kind not in "biuf":
        return False
    quarters = 4 * weights.astype(np.longdouble)
    total = float(abs(quarters).sum()) * EPSILON.get(weights.dtype, 0)
    return total < 1 and bool((np.rint(quarters) == quarters).all())


def _points_of(name: str, arguments: dict[str, Any]) -> list[np.ndarray]:
    """Return the points of a histogram for each axis."""
    if name == "histogram":
        return [np.ravel(arguments["a"])]
    if name == "histogram2d":
        return [np.asarray(arguments["x"]), np.asarray(arguments["y"])]
    sample = arguments["sample"]
    return list(np.atleast_2d(sample if isinstance(sample, list | tuple) else np.asarray(sample).T))


def _edges_of(name: str, arguments: dict[str, Any], points: list[np.ndarray]) -> tuple[list[np.ndarray], list[bool]]:
    """Return for each axis of a histogram NumPy's edges, and whether these are given."""
    bins, limits = arguments["bins"], arguments["range"]
    if name == "histogram":
        weights = None if arguments["weights"] is None else np.ravel(arguments["weights"])
        return [np.histogram_bin_edges(points[0], bins, limits, weights)], [_are_several(bins)]
    if name == "histogram2d" and _are_several(bins) and len(bins) not in (1, 2):
        bins = [bins, bins]
    edges = np.histogramdd(np.stack(points, 1), bins, limits)[1]
    return list(edges), [_are_several(bins) and _are_several(bins[axis]) for axis in range(len(points))]


def _are_several(bins: Any) -> bool:
    return isinstance(bins, list | tuple) or getattr(bins, "ndim", 0) > 0


FINDERS: dict[str, Callable[[dict[str, Any], np.ndarray], np.ndarray]] = {
    "unwrap": _unwraps_quarters,
    "interp": _is_at_an_end,
    **{name: partial(_counts_far_from_edges, name) for name in ("histogram", "histogram2d", "histogramdd")},
}
