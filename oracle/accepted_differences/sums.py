"""Sums in an order that NumPy does not specify: orders of terms that overflow, and bounds of what adds up terms.

Each bound is of the distance from NumPy's result, element by element, by the sizes of the terms (Higham 4.4); it is nan
where nothing but NumPy's own result is right.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import ml_dtypes
import numpy as np

from oracle.accepted_differences import fits
from oracle.accepted_differences.model import Query
from oracle.case.model import Case
from oracle.equality import table
from oracle.equality.evidence import at
from oracle.reference.dtypes import EPSILON, is_inexact, to_longdouble
from oracle.reference.outcome import Outcome, bind_arguments

Arguments = Mapping[str, Any]
UNIT = float(np.finfo(np.float64).eps)


def has_order(case: Case, expected: Outcome) -> bool:
    """Return whether terms or factors are joined in an order, or parts of complex products are added."""
    rules = {table.relation_of(case.name, kind).rule for kind in "fc"}
    return expected.ok and not rules.isdisjoint({"sum", "product", "ulps"})


def are_within_order(query: Query) -> np.ndarray | bool:
    """Return which elements some order of the terms or factors gives."""
    compared = query.deviation.compared
    return compared is not None and is_inexact(compared[1].dtype) and query.evidence.within_order(*compared)


def adds_terms(case: Case, expected: Outcome) -> bool:
    """Return whether the arguments of the terms are known."""
    return expected.ok and bool(bind_arguments(case))


def are_within_bound(query: Query) -> np.ndarray | bool:
    """Return which elements are within the bound that the terms have."""
    bound = BOUNDS[query.case.name](query.arguments, query.expected, query.deviation.path)
    if bound is None:
        return False
    expected, actual = (to_longdouble(np.asarray(part)) for part in (query.expected_part, query.actual_part))
    with np.errstate(all="ignore"):
        return np.isfinite(bound) & (np.abs(actual - expected) <= bound)


def bound_trapezoids(arguments: Arguments, expected: Outcome, path: tuple[Any, ...]) -> np.ndarray:
    """Return the bound of sums with three roundings a term, where abscissas go to and fro, so that terms cancel, and
    where all terms are zeros.
    """
    terms, count = find_trapezoids(arguments)
    with np.errstate(all="ignore"):
        bound = (count + 3) * EPSILON.get(np.asarray(expected.value).dtype, UNIT) * terms
        return np.where((terms == 0) | _goes_to_and_fro(arguments), bound, np.nan)


def find_trapezoids(arguments: Arguments) -> tuple[np.ndarray, int]:
    """Return the sum of the sizes of the terms, in the widest dtype, and how many there are."""
    y, x, axis = np.asarray(arguments["y"]), arguments["x"], arguments["axis"]
    sizes = np.abs(np.where(np.isfinite(y), y, 0)).astype(np.longdouble)
    count = y.shape[axis]
    if x is None:
        return np.trapezoid(sizes, dx=np.abs(np.asarray(arguments["dx"], np.clongdouble)).real, axis=axis), count
    x = np.asarray(x)
    along = axis if x.ndim > 1 else 0
    steps = np.abs(np.diff(to_longdouble(x), axis=along))
    if x.ndim == 1:
        steps = steps.reshape([-1 if i == axis % y.ndim else 1 for i in range(y.ndim)])
    return np.trapezoid(sizes, dx=steps, axis=axis), max(count, x.shape[along])


def _goes_to_and_fro(arguments: Arguments) -> bool:
    x = np.asarray(0 if arguments["x"] is None else arguments["x"])
    if x.ndim == 0 or x.dtype.kind not in "iuf":
        return False
    steps = np.diff(x, axis=arguments["axis"] if x.ndim > 1 else 0)
    return bool((steps > 0).any() and (steps < 0).any())


ROUNDINGS = {"median": 2, "linear_ramp": 7}
"""Units in the last place of the sizes of what it is made of that a border may be away along each axis: the roundings
of the mean of two; those of a difference, a quotient, a product of at most twice the size, and a sum, on both sides.
"""


def bound_borders(arguments: Arguments, expected: Outcome, path: tuple[Any, ...]) -> np.ndarray | None:
    """Return the bound of a mean, a median or a ramp, on the border of a padded array."""
    result, mode = np.asarray(expected.value), arguments["mode"]
    if mode not in ("mean", *ROUNDINGS) or not is_inexact(result.dtype):
        return None
    inside = np.zeros(np.shape(arguments["array"]), bool)
    border = np.pad(inside, arguments["pad_width"], constant_values=True)
    units = ROUNDINGS.get(mode, max(result.shape, default=0) + 1)
    bound = units * result.ndim * float(ml_dtypes.finfo(result.dtype).eps) * _find_sizes(arguments)
    return np.where(border, bound, np.nan)


def _find_sizes(arguments: Arguments) -> np.ndarray:
    """Return how large the numbers are, element by element, of which a border is calculated."""
    array, options = np.asarray(arguments["array"]), arguments["kwargs"]
    sizes = np.abs(to_longdouble(array))
    sizes = np.where(np.isfinite(sizes), sizes, 0)
    if arguments["mode"] == "linear_ramp":
        return np.pad(sizes, arguments["pad_width"], "edge") + np.max(np.abs(options.get("end_values", 0)))
    lengths = {"stat_length": options.get("stat_length")}
    return np.pad(sizes, arguments["pad_width"], "mean" if arguments["mode"] == "mean" else "maximum", **lengths)


def bound_densities(arguments: Arguments, expected: Outcome, path: tuple[Any, ...]) -> np.ndarray | None:
    """Return the bound of two sums of weights, a bin's and all, for densities more precise than their weights."""
    densities, edges = expected.value
    weights = np.asarray(0 if arguments["weights"] is None else arguments["weights"])
    is_coarser = EPSILON.get(weights.dtype, 0) > EPSILON.get(densities.dtype, 1)
    if not arguments["density"] or not is_coarser or path != (0, 0):
        return None
    terms = weights.astype(np.longdouble)
    with np.errstate(all="ignore"):
        error = weights.size * EPSILON[weights.dtype] * np.abs(terms).sum() / np.abs(terms.sum())
        return np.asarray(error * (np.abs(densities.astype(np.longdouble)) + 1 / np.diff(edges.astype(np.longdouble))))


def bound_histogram(arguments: Arguments, expected: Outcome, path: tuple[Any, ...]) -> np.ndarray | None:
    """Return the bound of densities, or of edges at equal distances, each of which is the sum of an end and a product:
    near 0, as near as the ends let it be.
    """
    are_calculated = all(np.ndim(part) == 0 for part in np.atleast_1d(np.asarray(arguments["bins"], object)))
    if path == (0, 0):
        is_one = "a" in arguments
        if is_one or not (arguments["density"] and are_calculated):
            return bound_densities(arguments, expected, path) if is_one else None
        return _bound_volumes(expected)
    part = at(expected, path)
    if part.dtype not in EPSILON or not are_calculated:
        return None
    return np.full(part.shape, _error_of_edges(part))


def _error_of_edges(edges: np.ndarray) -> float:
    return 2 * EPSILON[edges.dtype] * float(np.max(np.abs(edges), initial=0))


def _bound_volumes(expected: Outcome) -> np.ndarray:
    """Return the bound of densities, which are divided by products of differences of edges."""
    densities, edges = np.abs(to_longdouble(expected.value[0])), _list_edges(expected.value)
    relative = np.zeros((), np.longdouble)
    with np.errstate(all="ignore"):
        for one in edges:
            relative = np.add.outer(relative, 2 * _error_of_edges(one) / np.diff(to_longdouble(one)))
        return np.asarray(densities * relative)


def _list_edges(parts: Sequence[Any]) -> Sequence[np.ndarray]:
    """Return the edges along each axis, which `histogramdd` has in a tuple."""
    return parts[1] if isinstance(parts[1], list | tuple) else parts[1:]


def bound_covariances(arguments: Arguments, expected: Outcome, path: tuple[Any, ...]) -> np.ndarray | None:
    """Return the bound of the inverse of the matrix of the normal equations, which holds the covariances of a fit."""
    equations = fits.find_equations(Case("polyfit", (), dict(arguments)), cov=True)
    if equations is None or path[1:] != (1,):
        return None
    covariances = np.asarray(expected.value[1])
    condition = np.linalg.cond(equations.matrix.T @ equations.matrix)
    sizes = np.outer(equations.scale, equations.scale)
    sizes = sizes.reshape(sizes.shape + (1,) * (covariances.ndim - 2))
    largest = np.max(np.abs(covariances * sizes), (0, 1))
    return np.asarray(fits.ROUNDINGS * EPSILON[covariances.dtype] * condition * largest / sizes)


LARGEST_ERROR = 1 / 16
"""The largest relative error of a mean that a variance is excused with."""


def bound_spreads(name: str, arguments: Arguments, expected: Outcome, path: tuple[Any, ...]) -> np.ndarray | None:
    """Return the bound of a variance or its root, whose terms are squares of distances from a mean that is a sum, too:
    its error makes a variance of equal numbers that is not 0 (Chan, Golub and LeVeque, 1983).
    """
    result, array = np.asarray(expected.value), np.asarray(arguments["a"])
    if result.dtype.kind != "f" or result.dtype not in EPSILON or array.dtype.kind not in "biufc":
        return None
    if arguments.get("mean", np._NoValue) is not np._NoValue:
        return None
    options = {"axis": arguments["axis"], "keepdims": arguments["keepdims"] is True}
    counted = find_terms(name, arguments)
    sizes = np.where(counted, np.abs(to_longdouble(array)), 0)
    unit, count = EPSILON[result.dtype] / 2, counted.sum(**options)
    with np.errstate(all="ignore"):
        divided = count / np.maximum(count - find_ddof(arguments), 0)
        steps = np.minimum(count, 4 * np.sqrt(count))  # as errors grow that do not all have one sign
        error = np.minimum(steps * unit, LARGEST_ERROR) * sizes.sum(**options) / count
        root = to_longdouble(result) if name.endswith("std") else np.sqrt(to_longdouble(result))
        of_variance = 2 * (divided * error**2 + (steps + 3) * unit * root**2)
        bound = np.sqrt(root**2 + of_variance) - root if name.endswith("std") else of_variance
        return np.where(bound > 0, bound, np.nan)  # of zeros alone, 0 is the only answer


def find_terms(name: str, arguments: Arguments) -> np.ndarray:
    """Return which elements a mean or a spread is of: those that `where` takes, and that are numbers where nan is left
    out.
    """
    array, where = np.asarray(arguments["a"]), arguments["where"]
    counted = np.broadcast_to(True if where is np._NoValue else np.asarray(where, bool), array.shape)
    return counted & ~np.isnan(array) if name.startswith("nan") and array.dtype.kind in "fc" else counted


def find_ddof(arguments: Arguments) -> float:
    """Return how much the number of terms is lessened by before a sum is divided by it."""
    correction = arguments.get("correction", np._NoValue)
    return float(arguments["ddof"] if correction is np._NoValue else correction)


SPREADS = ("std", "nanstd", "ndarray.std", "var", "nanvar", "ndarray.var")
BOUNDS: dict[str, Callable[[Arguments, Outcome, tuple[Any, ...]], np.ndarray | None]] = {
    **dict.fromkeys(("histogram", "histogram2d", "histogramdd", "histogram_bin_edges"), bound_histogram),
    "pad": bound_borders,
    "polyfit": bound_covariances,
    "trapezoid": bound_trapezoids,
    **{name: partial(bound_spreads, name.removeprefix("ndarray.")) for name in SPREADS},
}
"""The bounds of results, by name."""
