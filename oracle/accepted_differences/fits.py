"""Fits of polynomials: the bound of least squares, which grows with the condition of the matrix."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

import numpy as np
from numpy.polynomial import polyutils

from oracle.accepted_differences.model import Query
from oracle.case.model import Case
from oracle.equality import linalg
from oracle.reference.dtypes import EPSILON, to_longdouble
from oracle.reference.outcome import Outcome, bind_arguments, find_in_numpy

FITS = re.compile(r"polyfit|polynomial\.\w+\.\w+fit")


class _Equations(NamedTuple):
    """The equations that a fit solves: columns of length 1, what they were divided by, right-hand sides, the cut-off,
    and the degrees of the columns.
    """

    matrix: np.ndarray
    scale: np.ndarray
    right: np.ndarray
    rcond: float
    degrees: np.ndarray


SERIES_FIT = re.compile(r"polynomial\.([A-Z]\w+)\.fit")


def _of_coefficients(case: Case) -> Case:
    """Return the call that fits the coefficients of a series, at points mapped from its domain to its window."""
    named = SERIES_FIT.fullmatch(case.name)
    arguments = bind_arguments(case) if named else {}
    if not named or not arguments:
        return case
    series = getattr(np.polynomial, named[1])
    x = np.asarray(arguments["x"])
    domain, window = arguments["domain"], arguments["window"]
    window = series.window if window is None else window
    if domain is None:
        domain = polyutils.getdomain(x)
        domain = (domain[0] - 1, domain[1] + 1) if domain[0] == domain[1] else domain
    elif isinstance(domain, list) and not domain:
        domain = series.domain
    options = {key: arguments[key] for key in ("rcond", "full", "w")}
    fit = FUNCTIONS[named[1]]
    return Case(fit, (polyutils.mapdomain(x, domain, window), arguments["y"], arguments["deg"]), options)


FUNCTIONS = {
    "Polynomial": "polynomial.polynomial.polyfit",
    "Chebyshev": "polynomial.chebyshev.chebfit",
    "Hermite": "polynomial.hermite.hermfit",
    "HermiteE": "polynomial.hermite_e.hermefit",
    "Laguerre": "polynomial.laguerre.lagfit",
    "Legendre": "polynomial.legendre.legfit",
}


def find_equations(case: Case, cov: bool = False) -> _Equations | None:
    """Return the equations of a fit, with or without covariances; None of one that is none, or is not finite."""
    case = _of_coefficients(case)
    arguments = bind_arguments(case) if FITS.fullmatch(case.name) else {}
    if not arguments or np.ndim(arguments["deg"]) > 1 or bool(arguments.get("cov")) != cov:
        return None
    x, right = np.asarray(arguments["x"]) + 0.0, np.asarray(arguments["y"]) + 0.0
    chosen = np.asarray(arguments["deg"])
    degrees = np.sort(chosen) if chosen.ndim else np.arange(int(chosen) + 1)
    if not degrees.size or len(set(degrees.tolist())) < degrees.size:
        return None
    vander = np.vander if case.name == "polyfit" else find_in_numpy(case.name[:-3] + "vander")
    matrix = vander(x, degrees[-1] + (vander is np.vander))[:, degrees]
    if arguments["w"] is not None:
        weights = np.asarray(arguments["w"]) + 0.0
        matrix, right = matrix * weights[:, None], (right.T * weights).T
    with np.errstate(all="ignore"):
        scale = np.sqrt((np.abs(matrix) ** 2).sum(0))
    scale[scale == 0] = 1
    rcond = len(x) * np.finfo(x.dtype).eps if arguments["rcond"] is None else arguments["rcond"]
    is_finite = np.isfinite(matrix / scale).all() and np.isfinite(right).all()
    return _Equations(matrix / scale, scale, right, float(rcond), degrees) if is_finite and not np.ndim(rcond) else None


def is_fit(case: Case, expected: Outcome) -> bool:
    """Return whether the case is a single call that fits by equations which are finite."""
    return expected.ok and len(case.calls()) == 1 and find_equations(case) is not None


def solves_equations(query: Query) -> bool:
    """Return whether the whole result is right for least squares, by the bound that is NumPy's as well."""
    equations = find_equations(query.case)
    is_of_series = SERIES_FIT.fullmatch(query.case.name) is not None
    if equations is None or not query.is_comparable or (is_of_series and "coef" not in query.deviation.path):
        return False
    solved = np.linalg.lstsq(equations.matrix, equations.right, equations.rcond)
    expected = _as_solution(equations, query.expected.value, solved)
    actual = _as_solution(equations, query.actual.value, solved)
    tells_rank = isinstance(query.actual.value, tuple)
    ranks = (actual[2],) if tells_rank else range(min(equations.matrix.shape) + 1)
    arguments = {"a": equations.matrix, "b": equations.right, "rcond": equations.rcond}
    checks = [linalg.check_call("linalg.lstsq", arguments, expected, (*actual[:2], r, actual[3])) for r in ranks]
    passed = [check for check in checks if not check.deviations]
    if not passed or not _fits_as_well(equations, expected[0], actual[0]):
        return False
    if np.any(_other_coefficients(equations, query.actual.value)):
        return False
    if all(check.undecided for check in passed):
        query.evidence.leave_undecided(passed[0].undecided)
    return True


def _fits_as_well(equations: _Equations, expected: np.ndarray, actual: np.ndarray) -> bool:
    """Return whether what is left of each right side is as small as NumPy's, but for rounding errors of the terms."""
    matrix, right = to_longdouble(equations.matrix), to_longdouble(equations.right)
    left, most = (np.linalg.norm(np.abs(right - matrix @ solution), axis=0) for solution in (actual, expected))
    terms = np.linalg.norm(equations.matrix) * np.linalg.norm(actual, axis=0) + np.linalg.norm(equations.right, axis=0)
    return bool(np.all(left <= most + ROUNDINGS * EPSILON[np.asarray(actual).dtype] * terms))


ROUNDINGS = 64


def has_finite_columns(case: Case, expected: Outcome) -> bool:
    """Return whether some right-hand sides are finite, beside others that are not."""
    arguments = {} if SERIES_FIT.fullmatch(case.name) else bind_arguments(case)
    if not arguments or np.ndim(arguments["y"]) != 2 or arguments["full"] or arguments.get("cov"):
        return False
    finite = np.isfinite(np.asarray(arguments["y"])).all(0)
    return expected.ok and bool(finite.any() and not finite.all())


def are_fits_of_their_columns(query: Query) -> np.ndarray | bool:
    """Return which coefficients are those of a finite right-hand side alone."""
    case, wrong = query.case, query.deviation.wrong
    arguments = bind_arguments(case)
    right = np.asarray(arguments["y"])
    finite = np.isfinite(right).all(0)
    alone = Case(case.name, (), {**arguments, "y": right[:, finite]})
    if wrong is None or query.compare(alone, np.asarray(query.actual_part)[:, finite]):
        return False
    return np.broadcast_to(finite, wrong.shape)


def _other_coefficients(equations: _Equations, result: Any) -> np.ndarray:
    """Return the coefficients of degrees that are not fitted."""
    result = result[0] if isinstance(result, tuple) else result
    return np.delete(np.asarray(result["coef"] if isinstance(result, dict) else result), equations.degrees, 0)


def _as_solution(equations: _Equations, result: Any, solved: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return a fit as `lstsq` gives it; where a fit does not tell, without residuals, and with the rank in `solved`."""
    diagnostics: Any = (np.zeros(0), *solved[2:])
    if isinstance(result, tuple):
        result, diagnostics = result[0], (result[1] if len(result) == 2 else result[1:])[:3]
    result = np.asarray(result["coef"] if isinstance(result, dict) else result)[equations.degrees]
    return ((result.T * equations.scale).T, *diagnostics)
