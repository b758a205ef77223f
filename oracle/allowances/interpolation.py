"""Allowances for interpolation and the trapezoidal rule: equal abscissas, and rounding errors where terms cancel."""

from __future__ import annotations

from typing import Any

import numpy as np

from oracle.allowances.model import Allowance, Exchange, Question, Reason
from oracle.case.model import Case
from oracle.checkers import ulp
from oracle.reference.bfloat16 import BFLOAT16
from oracle.reference.dtypes import EPSILON, to_longdouble
from oracle.reference.outcome import Outcome, bind_arguments

UNIT = float(np.finfo(np.float64).eps)


def _wrap(arguments: dict[str, Any]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return where a periodic function is asked for, its points in ascending order, and their values."""
    period = abs(float(arguments["period"]))
    points, values = np.asarray(arguments["xp"], float) % period, np.asarray(arguments["fp"])
    order = np.argsort(points, kind="stable")
    points, values = points[order], values[order]
    points = np.concatenate([points - period, points, points + period])
    return np.asarray(arguments["x"], float) % period, points, np.tile(values, 3)


def _is_unsorted(case: Case, expected: Outcome) -> bool:
    """Return whether the points do not increase, of which NumPy's manual says that the result is meaningless."""
    arguments = bind_arguments(case)
    if not arguments or arguments["period"] is not None or np.ndim(arguments["xp"]) != 1 or not expected.ok:
        return False
    points = np.asarray(arguments["xp"])
    return points.dtype.kind in "iuf" and not bool((points[1:] >= points[:-1]).all())


def _are_of_the_values(question: Question) -> np.ndarray | bool:
    """Return which elements lie between the smallest and the largest value, those beside the points included."""
    arguments, actual = bind_arguments(question.case), np.asarray(question.actual_part)
    ends = [arguments[name] for name in ("fp", "left", "right") if arguments[name] is not None]
    values = np.concatenate([np.ravel(end) for end in ends])
    if values.dtype.kind not in "iuf" or actual.dtype.kind != "f":
        return False
    with np.errstate(invalid="ignore"):
        return (actual >= values.min()) & (actual <= values.max())


def _has_equal_abscissas(case: Case, expected: Outcome) -> bool:
    """Return whether several points of a period are one, and have several values."""
    arguments = bind_arguments(case)
    if not arguments or arguments["period"] is None or not np.size(arguments["xp"]):
        return False
    _, points, values = _wrap(arguments)
    return bool(((points[1:] == points[:-1]) & (values[1:] != values[:-1])).any())


def _are_between_some_values(question: Question) -> np.ndarray:
    """Return which elements lie on a line from one of the values of the point before to one of those of the next."""
    x, points, values = _wrap(bind_arguments(question.case))
    actual = np.asarray(question.actual_part)
    pairs = zip(x.ravel(), actual.ravel(), strict=True)
    return np.reshape([_is_on_a_line(float(abscissa), points, values, y) for abscissa, y in pairs], actual.shape)


def _is_on_a_line(x: float, points: np.ndarray, values: np.ndarray, y: Any) -> bool:
    is_left, is_right = points <= x, points > x
    if not (is_left.any() and is_right.any()):  # nan, or beyond all periods
        return False
    left, right = points[is_left].max(), points[is_right].min()
    ends = values[points == left][:, None], values[points == right]
    if ends[0].size * ends[1].size == 1:  # then nothing is open
        return False
    fraction = (x - left) / (right - left)
    lines = ends[0] + fraction * (ends[1] - ends[0])
    with np.errstate(all="ignore"):
        is_near = np.abs(lines - y) <= _bound(ends[0], ends[1], fraction, lines)
    return bool((np.isfinite(lines) & is_near).any())


def _bound(before: Any, after: Any, fraction: Any, result: Any) -> Any:
    """Return the error bound of two interpolations: five roundings of the part of the step, one of the result."""
    return UNIT * (5 * fraction * np.abs(after - before) + np.abs(result))


def _interpolates(case: Case, expected: Outcome) -> bool:
    arguments = bind_arguments(case)
    return bool(arguments) and arguments["period"] is None and np.size(arguments["xp"]) > 1


def _are_near_the_line(question: Question) -> np.ndarray:
    """Return which elements are within the rounding errors of an interpolation between their neighbours."""
    arguments = bind_arguments(question.case)
    x, points = np.asarray(arguments["x"], float), np.asarray(arguments["xp"], float)
    values = np.asarray(arguments["fp"])
    left = np.clip(np.searchsorted(points, x, "right") - 1, 0, len(points) - 2)
    before, after = values[left], values[left + 1]
    expected, actual = np.asarray(question.expected_part), np.asarray(question.actual_part)
    with np.errstate(all="ignore"):
        fraction = (x - points[left]) / (points[left + 1] - points[left])
        is_between = (fraction >= 0) & (fraction <= 1) & np.isfinite(expected)
        return is_between & (np.abs(actual - expected) <= _bound(before, after, fraction, expected))


def _terms_of_trapezoids(arguments: dict[str, Any]) -> tuple[np.ndarray, int]:
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


def _integrates_to_and_fro(case: Case, expected: Outcome) -> bool:
    """Return whether the abscissas go forth and back, so that terms cancel."""
    arguments = bind_arguments(case)
    if not arguments or arguments["x"] is None:
        return False
    x = np.asarray(arguments["x"])
    steps = np.diff(x, axis=arguments["axis"] if x.ndim > 1 else 0)
    return x.dtype.kind in "iuf" and bool((steps > 0).any() and (steps < 0).any())


def _are_near_in_terms(question: Question) -> np.ndarray:
    """Return which elements are within the forward error bound of sums (Higham 4.4) and three roundings a term."""
    expected, actual = np.asarray(question.expected_part), np.asarray(question.actual_part)
    terms, count = _terms_of_trapezoids(bind_arguments(question.case))
    with np.errstate(all="ignore"):
        is_near = np.abs(actual - expected) <= (count + 3) * EPSILON.get(expected.dtype, UNIT) * terms
    return np.isfinite(terms) & is_near


def _may_vanish(case: Case, expected: Outcome) -> bool:
    return bool(bind_arguments(case)) and bool(np.any(np.asarray(expected.value) == 0))


def _are_sums_of_zeros(question: Question) -> np.ndarray:
    """Return which elements are zero in both, as all of their terms are."""
    expected, actual = np.asarray(question.expected_part), np.asarray(question.actual_part)
    terms, _ = _terms_of_trapezoids(bind_arguments(question.case))
    return (terms == 0) & (expected == 0) & (actual == 0)


def _may_overflow(case: Case, expected: Outcome) -> bool:
    arguments = bind_arguments(case)
    return bool(arguments) and not np.isfinite(expected.value).all()


def _overflow_with_terms(question: Question) -> np.ndarray:
    """Return which elements are finite in neither, where finite terms may overflow in some order."""
    expected, actual = np.asarray(question.expected_part), np.asarray(question.actual_part)
    with np.errstate(all="ignore"):
        terms, _ = _terms_of_trapezoids(bind_arguments(question.case))
    return (2 * terms > ulp.largest(expected.dtype)) & ~np.isfinite(expected) & ~np.isfinite(actual)


_PERIOD = Case("interp", (np.array([1.0, 2.5]), np.array([0, 3, 2]), np.array([1, 3, 5])), {"period": 3})
_PERIODIC = np.interp([1.0, 2.5], [0, 3, 2], [1, 3, 5], period=3)
_LINE = Case("interp", (np.array([18]), np.array([6, 21]), [5, -1]))
_FRO = Case("trapezoid", (np.arange(2.0), np.array([0, 9e18, 0, 0, 1])))
_HUGE = np.array([-1.7e308, np.inf, -1.7e308, -1.7e308])
_ZEROS = Case("trapezoid", (np.zeros(2),), {"dx": -1.0})
_SUM = Case("trapezoid", (_HUGE,))
_UNSORTED = Case("interp", (0.0, np.array([-1.0, 1.0, 0.0]), np.array([0.0, 1.0, 0.0])))

ALLOWANCES = (
    Allowance(
        id="interpolation.unsorted",
        reason=Reason.NUMPY_OPEN,
        names=("interp",),
        applies=_is_unsorted,
        holds=_are_of_the_values,
        why="the points do not increase: between which of them a number lies depends on the steps of a search",
        witness=Exchange(_UNSORTED, np.float64(0.0)),
        counter=(
            Exchange(_UNSORTED, np.float64(-0.5)),
            Exchange(_UNSORTED, np.float64(np.nan)),
            Exchange(_UNSORTED, np.float32(0.0)),
            Exchange(Case("interp", (0.0, np.array([-1.0, 1.0]), np.array([0.0, 1.0]))), np.float64(0.0)),
        ),
        most=0.3,
    ),
    Allowance(
        id="interpolation.equal-abscissas",
        reason=Reason.NUMPY_OPEN,
        names=("interp",),
        applies=_has_equal_abscissas,
        holds=_are_between_some_values,
        why="points that are one period apart are one point with several values, and a sort that is not stable decides "
        "which of them counts on either side",
        witness=Exchange(_PERIOD, _PERIODIC[::-1]),
        counter=(
            Exchange(_PERIOD, np.array([3.5, 3.5])),
            Exchange(_PERIOD, np.array([1.0, 5.0])),
            Exchange(_PERIOD, _PERIODIC[::-1].astype(np.float32)),
            Exchange(Case("interp", (1.0, [0.0, 2.0], [1.0, 5.0]), {"period": 3}), np.asarray(4.0)),
        ),
        most=0.1,
    ),
    Allowance(
        id="interpolation.rounding",
        reason=Reason.NUMPY_OPEN,
        names=("interp",),
        applies=_interpolates,
        holds=_are_near_the_line,
        why="where neighbours cancel, rounding errors of the slope are as large as the neighbours let them be",
        witness=Exchange(_LINE, np.array([0.2])),
        counter=(
            Exchange(_LINE, np.array([0.2 + 1e-14])),
            Exchange(_LINE, np.array([0.2], np.float32)),
            Exchange(Case("interp", (np.array([18, 21]), np.array([6, 21]), [5, -1])), np.array([0.2, 0.0])),
        ),
        most=0.1,
    ),
    Allowance(
        id="trapezoid.to-and-fro",
        reason=Reason.NUMPY_OPEN,
        names=("trapezoid",),
        applies=_integrates_to_and_fro,
        holds=_are_near_in_terms,
        why="where abscissas go to and fro terms cancel, and the order of a sum is nobody's promise",
        witness=Exchange(_FRO, np.array(0.0)),
        counter=(
            Exchange(_FRO, np.array(1e5)),
            Exchange(_FRO, np.array([0.0])),
            Exchange(Case("trapezoid", (np.arange(2.0), np.array([0, 9e8, 0, 0, 1]))), np.array(0.0)),
            Exchange(Case("trapezoid", (np.arange(2.0), np.array([0, 9e18]))), np.array(0.0)),
        ),
    ),
    Allowance(
        id="trapezoid.sign-of-zero",
        reason=Reason.NUMPY_OPEN,
        names=("trapezoid",),
        applies=_may_vanish,
        holds=_are_sums_of_zeros,
        why="the sign of a sum of zeros tells whether it began with a zero or with its first term",
        witness=Exchange(_ZEROS, np.array(-0.0)),
        counter=(
            Exchange(_ZEROS, np.array(-1e-300)),
            Exchange(_ZEROS, np.array(-0.0, np.float32)),
            Exchange(Case("trapezoid", (np.array([0.0, 1e-300]),)), np.array(-0.0)),
        ),
        most=0.2,
    ),
    Allowance(
        id="trapezoid.overflow",
        reason=Reason.NUMPY_OPEN,
        names=("trapezoid",),
        applies=_may_overflow,
        holds=_overflow_with_terms,
        why="terms that overflow meet infinity: the order of a sum decides whether it is infinite or nan",
        witness=Exchange(_SUM, np.asarray(np.inf)),
        counter=(
            Exchange(Case("trapezoid", (np.array([3e38, 3e38, -3e38], BFLOAT16),)), np.array(1, BFLOAT16)),
            Exchange(_SUM, np.asarray(3.0)),
            Exchange(Case("trapezoid", (np.array([1.0, np.inf, 2.0]),)), np.asarray(np.nan)),
            Exchange(Case("trapezoid", (np.array([1e308, 1e307]),)), np.asarray(np.inf)),
        ),
    ),
)
