"""Finite differences of NumPy's results, by which derivatives of a subject are judged.

A call becomes a scalar, the sum of its float64 and complex128 results times random weights, and is followed along one
random direction of its float64 and complex128 inputs. A subject's derivatives give the first and second slope there,
and so do finite differences of NumPy's results, for several step sizes. How well those agree with one another decides
how far off the subject may be: near kinks, jumps and branch cuts, and where rounding errors dominate, nothing is
concluded.

A call of single precision (float32, complex64) is compared with the differences of the same call of doubles: the
subject's doubles are cast to single precision for the call, and its results back.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from oracle.case.model import Case
from oracle.equality import table
from oracle.reference.dtypes import to_double
from oracle.reference.outcome import Outcome, destinations, run_numpy
from oracle.transforms.precision import has_subnormals

DOUBLES = (np.dtype(np.float64), np.dtype(np.complex128))
SINGLES = (np.dtype(np.float32), np.dtype(np.complex64))
LARGEST = 1e100  # larger numbers overflow when squared
SMALLEST = 1e-300  # smaller numbers are flushed to zero
STEPS = (2.0**-8, 2.0**-10, 2.0**-13)  # relative to each number
ALL_STEPS = (0.0, *STEPS, *(-step for step in STEPS))
EPSILON = 2.0**-52
EPSILON_OF_SINGLES = 2.0**-23
OPS = 64  # roundings behind a result, about
TRUST = (1e-5, 1e-4)  # relative error that a tape may have, of the slope and of the slope's slope
TRUST_OF_SINGLES = (1e-3, 1e-2)

UNFOLLOWED = frozenset(
    {
        *("partition", "argpartition", "ndarray.partition", "unique", "roots"),
        *("nextafter", "spacing"),
        *("arctan2.reduce", "arctan2.reduceat", "power.reduce", "power.reduceat", "ldexp.reduce"),
    }
)
"""Functions that may give their results in another order, beside factors, which have more freedom still; those whose
slope is one thing from one number to the next, and another from afar; and those that NumPy does not join in order."""

STAIRS = frozenset(
    {
        *("around", "ceil", "fix", "floor", "modf", "ndarray.round", "rint", "round", "trunc"),
    }
)
"""Functions that look like slopes where a step is many stairs."""
SAWS = frozenset(
    {
        *("floor_divide", "fmod", "mod", "remainder", "divmod", "unwrap"),
        *("ndarray.__mod__", "ndarray.__rmod__", "ndarray.__floordiv__", "ndarray.__rfloordiv__"),
    }
)
"""Functions that do where a step is many times another number."""
HIGHEST = 2.0**10


@dataclass(frozen=True)
class Differences:
    """Finite differences: first and second slope with error bounds. `smooth` says that all steps agree, so that no
    kink, pole or jump is near.
    """

    slopes: tuple[float, float]
    errors: tuple[float, float]
    smooth: tuple[bool, bool]


TAPE, TAPE_TWICE = "the tape's slope", "the tape's slope's slope"


@dataclass(frozen=True)
class Slopes:
    """A subject's slopes, the sums of their terms' magnitudes, and what they are called.

    `orders` says of each whether it is a first slope (0) or a second one (1). It is compared with the `reference`, or
    with that of NumPy's results if it is None. `unlike` says how the gradient differs from that of an eager tape,
    where finite differences conclude nothing.
    """

    slopes: tuple[float, ...] = ()
    sizes: tuple[float, ...] = ()
    labels: tuple[str, ...] = (TAPE, TAPE_TWICE)
    orders: tuple[int, ...] = (0, 1)
    reference: Differences | None = None
    unlike: str = ""


def find_deviation(case: Case, outcome: Outcome, order: int = 0) -> tuple[str, str] | None:
    """Return the kind and detail of a deviation of a subject's slopes from finite differences, or None.

    An error departs where NumPy's results have a slope of this order.
    """
    if outcome.kind == "unsupported":
        return None
    actual = outcome.value if isinstance(outcome.value, Slopes) else None
    if actual is not None and actual.unlike:
        return "gradient", actual.unlike
    in_doubles = widen(case)
    trust = TRUST if in_doubles is case else TRUST_OF_SINGLES
    reference = actual.reference if actual is not None and actual.reference else differences_of_results(in_doubles)
    if reference is None:
        return None
    if actual is None:
        deviation = _find_error(reference, outcome, order)
    else:
        deviation = _compare(reference, actual, trust)
        if deviation is not None and in_doubles is not case and _is_ill_conditioned(case, reference):
            return None
        if deviation is not None and not is_linear(in_doubles):
            return None
    return deviation if deviation is None or has_smooth_steps(in_doubles) else None


def widen(case: Case) -> Case:
    """Return the case with arrays of single precision as doubles; the case itself if there are none."""
    if not any(array.dtype in SINGLES for array in case.arrays()):
        return case
    return case.map_arrays(lambda array: to_double(array) if array.dtype in SINGLES else array)


def _is_ill_conditioned(case: Case, reference: Differences) -> bool:
    """Return whether slopes change by more than a tape may be off when single numbers move by a few roundings."""
    neighbours = [differences_of_results(widen(each)) for each in list_neighbours(case, SINGLES, EPSILON_OF_SINGLES)]
    moved = [each for each in neighbours if each is not None and each.smooth[0]]
    slope = reference.slopes[0]
    slack = TRUST_OF_SINGLES[0] * abs(slope) + reference.errors[0]
    return len(moved) < len(neighbours) or any(abs(each.slopes[0] - slope) > slack for each in moved)


def _find_error(reference: Differences, outcome: Outcome, order: int) -> tuple[str, str] | None:
    """Return the kind and detail of an error where there is a slope, or None."""
    detail = f"{outcome.error}; the slope is {reference.slopes[order]:.6g}"
    return ("gradient", detail) if reference.smooth[order] else None


def _compare(reference: Differences, actual: Slopes, trust: tuple[float, float]) -> tuple[str, str] | None:
    """Return the kind and detail of the deviation of slopes from finite differences, or None."""
    whose = "NumPy's results" if actual.reference is None else "the tape's gradient"
    for slope, size, label, order in zip(actual.slopes, actual.sizes, actual.labels, actual.orders, strict=False):
        true, error = reference.slopes[order], reference.errors[order]
        detail = f"{label} along a random direction is {slope:.6g}, that of {whose} {true:.6g}"
        if reference.smooth[order] and not abs(slope - true) <= error + trust[order] * size + SMALLEST:
            return "gradient", f"{detail} within {error:.2g}"
    return None


NEIGHBOURS = 4
"""How many neighbours of a point decide how far a gradient may be off where finite differences conclude nothing."""


def list_neighbours(case: Case, dtypes: tuple[np.dtype, ...] = DOUBLES, epsilon: float = EPSILON) -> list[Case]:
    """Return the case with numbers of these dtypes that differ from its own by a few roundings. Zeros stay zeros."""
    random = np.random.default_rng(4)

    def move_slightly(array: np.ndarray) -> np.ndarray:
        factor = 1 + 4 * epsilon * random.uniform(-1, 1, array.shape)
        return np.asarray(array * factor).astype(array.dtype) if array.dtype in dtypes else array

    return [case.map_arrays(move_slightly) for _ in range(NEIGHBOURS)]


def find_unlike(
    gradients: Sequence[np.ndarray], usual: Sequence[np.ndarray], list_others: Callable[[], list[list[np.ndarray]]]
) -> str:
    """Return how gradients differ from the usual ones, or "".

    They differ if one is finite and the other is not, or both are and are not equal but for rounding errors.
    `list_others` returns the usual gradients at neighbours: between those everything is accepted, and all that is not
    finite if one of them is not.
    """
    for position, (mine, other) in enumerate(zip(gradients, usual, strict=True)):
        if not _list_unlike(mine, [other]).any():
            continue
        unlike = _list_unlike(mine, [other, *(others[position] for others in list_others())])
        if unlike.any():
            i = np.flatnonzero(unlike)[0]
            actual, eager = (_to_reals(each)[i] for each in (mine, other))
            return f"element {i} of the gradient of double input {position} is {actual:.6g}, in eager mode {eager:.6g}"
    return ""


def _list_unlike(mine: np.ndarray, usual: Sequence[np.ndarray]) -> np.ndarray:
    """Return which real and imaginary parts are neither between the usual ones nor, like one of them, not finite."""
    actual, others = _to_reals(_without_halves(mine)), np.stack([_to_reals(_without_halves(each)) for each in usual])
    is_usual = np.isfinite(others) & (np.abs(others) < LARGEST)
    known = np.where(is_usual, others, 0)
    slack = TRUST[0] * np.max(np.abs(known), initial=0) + SMALLEST
    least, most = np.where(is_usual, others, np.inf).min(axis=0), np.where(is_usual, others, -np.inf).max(axis=0)
    is_within = (least - slack <= actual) & (actual <= most + slack)
    is_mine_usual = np.isfinite(actual) & (np.abs(actual) < LARGEST)
    return ~np.where(is_mine_usual, is_within, ~is_usual.all(axis=0))


def _without_halves(array: np.ndarray) -> np.ndarray:
    """Return the array with nan in both parts of each complex number that is nan in one: it is nan as a whole."""
    return np.where(np.isnan(array), complex(np.nan, np.nan), array) if array.dtype.kind == "c" else array


def _to_reals(array: np.ndarray) -> np.ndarray:
    return np.ascontiguousarray(array).reshape(-1).view(np.float64)


def is_comparable(case: Case) -> bool:
    """Return whether the case is a deterministic function of float64 or complex128 inputs, in which no element is nan
    or near the ends of the exponents' range.
    """
    inputs = [array for array in case.arrays() if array.dtype in DOUBLES]
    if not any(array.size for array in inputs) or destinations(case):
        return False
    for array in inputs:
        sizes = np.abs(_to_reals(array))
        if not ((sizes == 0) | np.isinf(sizes) | ((sizes >= SMALLEST) & (sizes < LARGEST))).all():
            return False
    return not _is_ambiguous(case)


def has_smooth_steps(case: Case) -> bool:
    """Return whether each call of a program has a slope at NumPy's results of the preceding calls.

    A tape multiplies slopes: an infinite one times zero gives nan, as in `sqrt(x - x)`, though the whole is constant.
    """
    calls = case.calls()
    return len(calls) == 1 or all(map(_is_smooth_by_itself, calls))


def _is_smooth_by_itself(call: Case) -> bool:
    def settle(value: Any) -> Any:
        if type(value) in (list, tuple):
            return type(value)([settle(item) for item in value])
        if type(value) is not Case:
            return value
        result = run_numpy(value).value
        return np.asarray(result) if isinstance(result, np.generic) else result

    alone = Case(call.name, tuple(map(settle, call.args)), {key: settle(value) for key, value in call.kwargs.items()})
    if not any(array.size for array in list_doubles(alone)):
        return True
    reference = differences_of_results(alone)
    return reference is not None and reference.smooth[0]


def is_differentiable(case: Case) -> bool:
    """Return whether the case is a deterministic function of finite float64 or complex128 inputs, and no number
    in it is flushed to zero.
    """
    inputs = [array for array in case.arrays() if array.dtype in DOUBLES]
    if not any(array.size for array in inputs) or destinations(case):
        return False
    if not all(np.isfinite(array).all() and (np.abs(array) < LARGEST).all() for array in inputs):
        return False
    if has_subnormals(case) or any(((np.abs(array) < SMALLEST) & (array != 0)).any() for array in inputs):
        return False
    if any(call.name in STAIRS for call in case.calls()) and any((np.abs(array) > HIGHEST).any() for array in inputs):
        return False
    if (
        any(call.name.partition(".")[0] in SAWS or call.name in SAWS for call in case.calls())
        and _spread(case) > HIGHEST
    ):
        return False
    return not _is_ambiguous(case)


def has_slope(case: Case) -> bool:
    """Return whether all modes of derivatives judge the case: it is differentiable, and has double results, as has one
    of single precision when its numbers are doubles.
    """
    in_doubles = widen(case)
    return are_singles_moderate(case) and is_differentiable(in_doubles) and weights_of(in_doubles) is not None


def are_singles_moderate(case: Case) -> bool:
    """Return whether all numbers of a case of single precision are zeros, or of a size whose powers it holds."""
    if widen(case) is case:
        return True
    leaves = [
        np.asarray(leaf) for leaf in case.leaves() if isinstance(leaf, (int, float, complex, np.number, np.ndarray))
    ]
    sizes = [np.abs(leaf) for leaf in leaves if leaf.dtype.kind in "iufc"]
    return all(bool(((size == 0) | ((size >= 1 / HIGHEST) & (size <= HIGHEST))).all()) for size in sizes)


def _is_ambiguous(case: Case) -> bool:
    """Return whether one of the calls may give its results in another order, or other factors or random numbers."""
    return any(
        call.name in UNFOLLOWED or relation.rule == "shape" or relation.check == "factors" or "where" in call.kwargs
        for call, relation in ((call, table.relation_of(call.name)) for call in case.calls())
    )


def _spread(case: Case) -> float:
    """Return the ratio of the largest to the smallest magnitude in a case; zeros count as 1."""
    leaves = [np.asarray(leaf) for leaf in case.leaves() if isinstance(leaf, (int, float, np.number, np.ndarray))]
    reals = [leaf for leaf in leaves if leaf.dtype.kind in "biuf"]
    sizes = np.concatenate(
        [np.zeros(0), *(np.abs(np.where(leaf == 0, 1, leaf).astype(float)).ravel() for leaf in reals)]
    )
    return float(sizes.max() / sizes.min()) if sizes.size else 1.0


ALONG, ACROSS = 1, 3
"""The direction in which slopes are taken, and another one."""


def directions_of(case: Case, direction: int = ALONG) -> list[np.ndarray]:
    """Return the step of each element of each double array: half to all of its magnitude (or of 1), in a random
    direction.

    Elements that are only tested for zero do not move: a function may jump there and be back.
    """
    random, conditions = np.random.default_rng(direction), _conditions(case)
    return [
        _random(random, array.shape, array.dtype)
        * (0 if any(array is one for one in conditions) else np.where(array == 0, 1, np.abs(array)))
        for array in list_doubles(case)
    ]


CHOOSERS = frozenset({"where", "compress", "extract"})
"""Functions whose first argument is a condition."""


def _conditions(case: Case) -> list[Any]:
    calls = [call for call in case.calls() if call.name in CHOOSERS]
    return [call.args[0] if call.args else call.kwargs.get("condition") for call in calls]


def weights_of(case: Case) -> list[np.ndarray] | None:
    """Return a weight for each element of NumPy's double results; None if there are none."""
    results = list_results(run_numpy(case))
    return None if results is None else weigh_results(results)


def double_weights_of(case: Case) -> list[np.ndarray] | None:
    """Return a weight for each element of NumPy's double results, finite or not; None if there are none."""
    return weigh_results(list_double_results(run_numpy(case)))


def weigh_results(results: Sequence[np.ndarray]) -> list[np.ndarray] | None:
    """Return a random weight for each element of double results; None if there are none."""
    if not any(result.size for result in results):
        return None
    random = np.random.default_rng(2)
    return [_random(random, result.shape, result.dtype) for result in results]


def _random(random: np.random.Generator, shape: tuple[int, ...], dtype: np.dtype) -> np.ndarray:
    def part() -> np.ndarray:
        return random.uniform(0.5, 1, shape) * random.choice([-1.0, 1.0], shape)

    return np.asarray(part() if dtype.kind == "f" else part() + 1j * part())


def list_doubles(case: Case) -> list[np.ndarray]:
    """Return the arrays of doubles, which move."""
    return [array for array in case.arrays() if array.dtype in DOUBLES]


def list_results(outcome: Outcome) -> list[np.ndarray] | None:
    """Return the double results; None if one is not finite or too large."""
    results = list_double_results(outcome)
    if not outcome.ok:
        return None
    return results if all(np.isfinite(part).all() and (np.abs(part) < LARGEST).all() for part in results) else None


def list_double_results(outcome: Outcome) -> list[np.ndarray]:
    """Return the double results, finite or not."""
    return [np.asarray(part) for part in _parts(outcome.value) if getattr(part, "dtype", None) in DOUBLES]


def _parts(value: Any) -> list[Any]:
    if isinstance(value, dict):
        return [part for item in value.values() for part in _parts(item)]
    if isinstance(value, (list, tuple)):
        return [part for item in value for part in _parts(item)]
    return [value] if isinstance(value, (np.ndarray, np.generic)) else []


def keeps_shapes(case: Case) -> bool:
    """Return whether the results keep their shapes after a step in either direction.

    They do not where the number of results depends on which elements are zero, as in `legint` of zero.
    """
    steps = directions_of(case)
    shapes = [
        [part.shape for part in list_double_results(run_numpy(move(case, steps, step)))]
        for step in (0.0, STEPS[-1], -STEPS[-1])
    ]
    return all(each == shapes[0] for each in shapes)


OTHERS = (ACROSS, 5, 6, 7, 8, 9)
"""The directions whose slopes must add up with the first one."""


def is_linear(case: Case) -> bool:
    """Return whether NumPy's slopes along two directions add up to that along their sum, as far as they are known.

    They do not at a kink that is straight along each direction, such as the median of equal elements.
    """
    along = directions_of(case)
    return all(_add_up(case, along, directions_of(case, other)) for other in OTHERS)


def _add_up(case: Case, along: Sequence[np.ndarray], across: Sequence[np.ndarray]) -> bool:
    both = [first + second for first, second in zip(along, across, strict=True)]
    slopes = [differences_of_results(case, steps) for steps in (along, across, both)]
    known = [each for each in slopes if each is not None and each.smooth[0]]
    if len(known) < len(slopes):
        return True
    first, second, total = (each.slopes[0] for each in known)
    slack = sum(each.errors[0] for each in known) + TRUST[0] * (abs(first) + abs(second))
    return abs(first + second - total) <= slack


def differences_of_results(case: Case, steps: Sequence[np.ndarray] | None = None) -> Differences | None:
    """Return NumPy's slopes by central differences along steps; None if one leaves the function's domain."""
    weights, steps = weights_of(case), directions_of(case) if steps is None else steps
    if weights is None:
        return None
    sums: dict[float, float] = {}
    size = 0.0
    for step in ALL_STEPS:
        results = list_results(run_numpy(move(case, steps, step)))
        if results is None or [part.shape for part in results] != [part.shape for part in weights]:
            return None
        terms = [np.real(np.conj(weight) * part) for weight, part in zip(weights, results, strict=True)]
        sums[step] = math.fsum(float(part) for term in terms for part in term.ravel())
        size = max(size, math.fsum(float(abs(part)) for term in terms for part in term.ravel()))
    return estimate_slopes(sums, OPS * EPSILON * size)


def estimate_slopes(sums: dict[float, float], rounding: float) -> Differences:
    """Return slopes from sums at the steps 0 and `STEPS`, of both signs, each with an error of `rounding`."""
    large, middle, small = STEPS
    centre = sums[0.0]
    first = {step: (sums[step] - sums[-step]) / (2 * step) for step in STEPS}
    second = {step: (sums[step] - 2 * centre + sums[-step]) / step**2 for step in STEPS}
    bend = {step: abs(second[step] * step) for step in STEPS}  # the difference of the slopes on both sides
    spread = abs(first[middle] - first[small])
    noise = (rounding / small, rounding / middle**2)
    errors = (10 * spread + bend[small] + noise[0], 10 * abs(second[large] - second[middle]) + noise[1])
    straight = bend[small] <= 0.3 * bend[middle] + noise[0] and 10 * spread <= 0.1 * abs(first[small]) + 4 * noise[0]
    turn = [abs(_bent(sums, *pair) - _bent(sums, *(-step for step in pair))) for pair in pairwise(STEPS)]
    even = turn[1] <= 0.5 * turn[0] + 16 * rounding / (
        small * middle
    )  # the difference of the second slopes on both sides
    curved = straight and even and errors[1] <= 0.1 * abs(second[middle]) + 4 * noise[1]
    return Differences((first[small], second[middle]), errors, (straight, curved))


def _bent(sums: dict[float, float], far: float, near: float) -> float:
    """Return the second slope from sums on one side only."""
    slopes = [(sums[step] - sums[0.0]) / step for step in (far, near)]
    return 2 * (slopes[0] - slopes[1]) / (far - near)


def move(case: Case, steps: Sequence[np.ndarray], step: float) -> Case:
    """Return the case after a step along the direction."""
    by_array = {
        id(array): np.asarray(array + step * move) for array, move in zip(list_doubles(case), steps, strict=True)
    }
    return case.map_arrays(lambda array: by_array.get(id(array), array))
