"""Statistical tests of random draws: support, repeated values, moments and distribution, from the call alone.

`numpy.random` promises distributions; the numbers themselves only where the table of relations calls them exact. A
draw is judged by the arguments of its call: `oracle.equality.distributions` is the table of distributions,
`oracle.equality.joint_draws` takes vectors, choices and orders apart, and `oracle.equality.uniformity` tests the result
with a probability of a false alarm below 1e-9 a call. One draw is held to its support and to the 1e-10 quantiles. Two
and more are held to their mean, variance and distribution, too, each as strictly as so many draws allow: a shift by a
tenth of a standard deviation shows from about 5,000 draws on, a standard deviation half as large again from about 150.
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any

import numpy as np

from oracle.case.model import Case
from oracle.equality import table
from oracle.equality.deviation import CheckResult, Deviation, Path
from oracle.equality.distributions import Distribution, find_distribution
from oracle.equality.joint_draws import CHECKERS
from oracle.equality.uniformity import (
    MOST_DRAWS,
    PART,
    Intervals,
    UnknownDistributionError,
    are_coincidence,
    checker_generator,
    describe_fault,
    find_extremes,
    join,
)
from oracle.reference.outcome import Outcome, destinations, find_in_numpy, run_numpy
from oracle.signatures import inspect_signature

DRAWS = 10_000
"""How many the cases of a campaign ask for: enough to see a shift by a tenth of a standard deviation."""


def is_drawn(name: str) -> bool:
    """Return whether results of this name are random and not NumPy's own numbers: `check_draws` has to judge them."""
    return table.relation_of(name).check == "draws" and _is_known(name)


def is_random(case: Case, *, streams: bool = True) -> bool:
    """Return whether results are not NumPy's own numbers: those of `is_drawn`, what is drawn without a seed, and
    without `streams`, as of a library that has its own, what is drawn with one.
    """
    if not streams and _is_known(case.name):
        return True
    source = case.args[0] if case.args else None
    if isinstance(source, Case) and source.name == "random.default_rng" and not (source.args or source.kwargs):
        return _is_known(case.name)
    return is_drawn(case.name)


def _is_known(name: str) -> bool:
    return find_distribution(name) is not None or name.rpartition(".")[2] in CHECKERS


def is_seeded(call: Case) -> bool:
    """Return whether the call draws from a generator that the case seeds, and so gives the same every time."""
    source = call.args[0] if call.args else call.kwargs.get("self")
    if not call.name.startswith("random.Generator.") or not isinstance(source, Case):
        return False
    seed = source.args[0] if source.args else source.kwargs.get("seed")
    return source.name == "random.default_rng" and seed is not None


def check_draws(case: Case, expected: Any, actual: Any) -> CheckResult:
    """Judge the draws of a case's outermost call.

    `expected` and `actual` are values, or outcomes: of these, what the call wrote to `out=` or shuffled is judged as
    well. Structure, dtype and shape are for others to compare: where they differ, this is undecided. The values of
    `expected` are not looked at, but for nan, of which NumPy makes some where parameters are past its algorithms.
    """
    with np.errstate(all="ignore"):
        try:
            arguments = _bind(case)
            parts = list(_parts(case, arguments, expected, actual))
            checks = [_check_part(case, arguments, *part) for part in parts]
        except UnknownDistributionError as unknown:
            return CheckResult(undecided=str(unknown))
    deviations = tuple(deviation for check in checks for deviation in check.deviations)
    return CheckResult(deviations, next((check.undecided for check in checks if check.undecided), ""))


def _bind(case: Case) -> dict[str, Any]:
    """Return the arguments by parameter, with the results of inner calls that are certain in place of the calls."""
    if not _is_known(case.name) or not case.name.startswith("random."):
        raise UnknownDistributionError(f"{case.name} draws from no distribution that is known")
    try:
        bound = _signature(case.name).bind(*case.args, **case.kwargs)
    except (TypeError, ValueError) as error:
        raise UnknownDistributionError(f"arguments that do not fit NumPy's signature: {error}") from None
    bound.apply_defaults()
    return {name: _settle(value) for name, value in bound.arguments.items() if name not in ("self", "args", "kwargs")}


@cache
def _signature(name: str) -> inspect.Signature:
    return inspect_signature(find_in_numpy(name))


def _settle(value: Any) -> Any:
    if isinstance(value, (list, tuple)):
        return type(value)([_settle(item) for item in value])
    if not isinstance(value, Case):
        return value
    if any(call.name.startswith("random.") for call in value.calls()):
        raise UnknownDistributionError("parameters that are random themselves")
    outcome = run_numpy(value)
    if not outcome.ok:
        raise UnknownDistributionError("parameters that NumPy cannot calculate")
    return outcome.value


def _parts(case: Case, arguments: dict[str, Any], expected: Any, actual: Any) -> Iterator[tuple[Path, Any, Any]]:
    """Yield the parts to be judged, with their path in the outcome."""
    is_in_place = case.name.endswith(".shuffle")
    if not isinstance(actual, Outcome) or not isinstance(expected, Outcome):
        if is_in_place and actual is None:
            raise UnknownDistributionError("what was shuffled is not part of the value")
        yield (0,), expected, actual
        return
    if not is_in_place:
        yield (0,), expected.value, actual.value
    target = arguments.get("x" if is_in_place else "out")
    for index, array in enumerate(destinations(case)):
        if array is target and index < min(len(expected.after), len(actual.after)):
            yield (1, index), expected.after[index], actual.after[index]


def _check_part(case: Case, arguments: dict[str, Any], path: Path, expected: Any, actual: Any) -> CheckResult:
    expected, actual = np.asarray(expected), np.asarray(actual)
    if expected.shape != actual.shape or expected.dtype.kind != actual.dtype.kind:
        raise UnknownDistributionError("a result of another shape or dtype than NumPy's")
    if not actual.size:
        return CheckResult()
    if actual.dtype.kind == "f" and case.name.rpartition(".")[2] not in REARRANGING:
        if np.isnan(expected).any():
            raise UnknownDistributionError("parameters for which NumPy draws nan, too")
        if np.isnan(actual).any() and not _may_be_nan(case, arguments, actual):
            return _fault(path, "nan, which the distribution does not have", np.isnan(actual))
    row = find_distribution(case.name)
    if row is not None:
        if _find_outside(row, arguments, expected).any():
            raise UnknownDistributionError("parameters for which NumPy draws outside of the support, too")
        return _check_scalars(row, arguments, path, actual)
    sample = CHECKERS[case.name.rpartition(".")[2]](arguments, actual)
    if sample.wrong.any():
        return _fault(path, sample.why, sample.wrong, actual)
    if not sample.groups:
        return CheckResult(undecided=sample.undecided)
    return _check_groups(sample.groups, path, actual)


def _may_be_nan(case: Case, arguments: dict[str, Any], actual: np.ndarray) -> bool:
    """Return whether all nan are where NumPy's algorithm makes some now and then."""
    row = find_distribution(case.name)
    if row is None:
        return case.name.endswith(".dirichlet") and bool((np.asarray(arguments["alpha"], float) < 0.1).any())
    return not (np.isnan(actual) & row.is_known(*_parameters(row, arguments, actual.shape))).any()


REARRANGING = frozenset({"choice", "permutation", "permuted", "shuffle"})
"""Functions whose results are items of an argument."""


def _check_groups(groups: tuple[Intervals, ...], path: Path, actual: np.ndarray) -> CheckResult:
    """Judge draws that were transformed out of their places."""
    together = join(groups)
    if np.isnan(together.up_to).any() or np.isnan(together.onward).any():
        return CheckResult(undecided="parameters past what the checker calculates")
    everywhere = np.ones(actual.shape, bool)
    if find_extremes(together, _resolution(actual.dtype)).any():
        return _fault(path, "farther out in a tail than so few draws may be", everywhere)
    fault = describe_fault(groups)
    return _fault(path, fault, everywhere) if fault else CheckResult()


def _fault(path: Path, detail: str, wrong: np.ndarray, actual: np.ndarray | None = None) -> CheckResult:
    if actual is not None:
        index = tuple(int(i) for i in np.argwhere(wrong)[0])
        detail = f"{detail}: {actual[index]!s}" + (f" at {list(index)}" if index else "")
        detail += f"; {int(wrong.sum())} of {wrong.size} elements" if wrong.sum() > 1 else ""
    return CheckResult((Deviation("value", detail, path, wrong),))


def _resolution(dtype: np.dtype) -> float:
    """Return the step of the uniform random numbers that draws of a dtype are made from."""
    return float(np.finfo(dtype).eps) if dtype.kind == "f" else float(np.finfo(float).eps)


def _parameters(row: Distribution, arguments: dict[str, Any], shape: tuple[int, ...]) -> list[np.ndarray]:
    try:
        parameters = [np.broadcast_to(np.asarray(arguments[name], float), shape) for name in row.parameters]
    except (TypeError, ValueError) as error:
        raise UnknownDistributionError(f"parameters that are no numbers of the result's shape: {error}") from None
    if not all(np.isfinite(parameter).all() for parameter in parameters):
        raise UnknownDistributionError("parameters that are not finite")
    return parameters


def _check_scalars(row: Distribution, arguments: dict[str, Any], path: Path, actual: np.ndarray) -> CheckResult:
    """Judge draws of single numbers, each with parameters of its own."""
    parameters = _parameters(row, arguments, actual.shape)
    draws = actual.astype(float)
    outside = _find_outside(row, arguments, actual)
    if outside.any():
        return _fault(path, "outside of the support", outside, actual)
    point = np.broadcast_to(row.point(*parameters), actual.shape)
    near = 0.0 if row.is_discrete else 4 * _resolution(actual.dtype)
    off = ~np.isnan(point) & ~(np.abs(draws - point) <= near * np.abs(point)) & (draws != point)
    if off.any():
        return _fault(path, "not the only value of the distribution", off, actual)
    is_known = np.broadcast_to(row.is_known(*parameters), actual.shape)
    chosen = np.flatnonzero(np.isnan(point) & is_known)
    undecided = "" if is_known.all() else "the distribution for parameters past NumPy's algorithms, or the checker's"
    if chosen.size > MOST_DRAWS:
        chosen = np.sort(checker_generator(1000).choice(chosen, MOST_DRAWS, replace=False))
    some = [parameter.ravel()[chosen] for parameter in parameters]
    intervals = _intervals(row, actual.ravel()[chosen], some)
    if any(np.isnan(part).any() for part in (intervals.up_to, intervals.onward)):
        return CheckResult(undecided="parameters past what the checker calculates")
    check = _judge(row, path, actual, some, chosen, intervals)
    return check if check.deviations else CheckResult(undecided=undecided)


def _find_outside(row: Distribution, arguments: dict[str, Any], draws: np.ndarray) -> np.ndarray:
    """Return which draws are outside of the support."""
    parameters = _parameters(row, arguments, draws.shape)
    low, high = row.support(*parameters)
    slack = np.zeros(()) if row.is_discrete or not parameters else _slack(draws.dtype, low, high)
    values = draws.astype(float)
    return np.broadcast_to((values < low - slack) | (values > high + slack), draws.shape)


def _slack(dtype: np.dtype, low: Any, high: Any) -> np.ndarray:
    """Return how far rounding may take a number past a finite bound: NumPy's manual says that it may."""
    ends = [np.where(np.isfinite(end), np.abs(end), 0.0) for end in (low, high)]
    return 2 * _resolution(dtype) * np.maximum(*ends)


def _intervals(row: Distribution, draws: np.ndarray, parameters: list[np.ndarray]) -> Intervals:
    """Return the probabilities to either side of each draw, and of the numbers that are rounded to it."""
    if row.is_discrete:
        columns = np.stack([draws.astype(float), *parameters])
        columns, index = np.unique(columns, axis=1, return_inverse=True)
        tails = [*row.tails(columns[0] - 1, *columns[1:]), *row.tails(columns[0], *columns[1:])]
        below, onward, up_to, above = (part[index.ravel()] for part in tails)
        return Intervals(below, up_to, above, onward)
    limits = np.finfo(draws.dtype)
    inside = np.clip(draws, limits.min, limits.max)
    is_tiny = np.abs(draws) < limits.smallest_normal  # which may have been flushed to zero
    before = np.where(is_tiny, -limits.smallest_normal, np.nextafter(inside, -limits.max)).astype(float)
    after = np.where(is_tiny, limits.smallest_normal, np.nextafter(inside, limits.max)).astype(float)
    (below, onward), (up_to, above) = row.tails(before, *parameters), row.tails(after, *parameters)
    up_to, above = np.where(draws >= limits.max, 1.0, up_to), np.where(draws >= limits.max, 0.0, above)
    below, onward = np.where(draws <= limits.min, 0.0, below), np.where(draws <= limits.min, 1.0, onward)
    return Intervals(below, np.maximum(up_to, below), above, np.maximum(onward, above))


def _judge(
    row: Distribution,
    path: Path,
    actual: np.ndarray,
    parameters: list[np.ndarray],
    chosen: np.ndarray,
    intervals: Intervals,
) -> CheckResult:
    resolution = _resolution(actual.dtype)
    extreme = find_extremes(intervals, resolution)
    if extreme.any():
        wrong = np.zeros(actual.size, bool)
        wrong[chosen[extreme]] = True
        detail = f"farther out in a tail than any of {chosen.size} draws may be"
        return _fault(path, detail, wrong.reshape(actual.shape), actual)
    everywhere = np.ones(actual.shape, bool)
    if fault := _describe_repetition(actual, chosen, intervals, resolution, row.is_discrete):
        return _fault(path, fault, everywhere)
    if fault := describe_fault((intervals,)):
        return _fault(path, fault + _moments(row, actual.ravel()[chosen], parameters), everywhere)
    return CheckResult()


def _moments(row: Distribution, draws: np.ndarray, parameters: list[np.ndarray]) -> str:
    """Return mean and standard deviation of the draws, and those of the distribution, if all have the same, as text."""
    if any(np.unique(parameter).size > 1 for parameter in parameters):
        return ""
    first = [parameter[:1] for parameter in parameters]
    mean, variance = (float(np.ravel(moment(*first))[0]) for moment in (row.mean, row.variance))
    if not np.isfinite([mean, variance]).all():
        return ""
    sample = float(np.mean(draws, dtype=float)), float(np.std(draws, dtype=float))
    return f"; mean {sample[0]:.4g}, std {sample[1]:.4g}, where {mean:.4g} and {variance**0.5:.4g} are expected"


FEW = 100
"""Among so many draws two equal ones are noticed; among more, several."""

FINEST = 64 * 2.0**-52
"""The step of the probabilities that double-precision draws are made from: some algorithms have fewer digits."""


def _find_repeated(draws: np.ndarray, width: np.ndarray) -> Any:
    """Return a draw that comes twice, if so many of those that are improbable do that it is no coincidence."""
    values, counts = np.unique(draws[width <= FINEST], return_counts=True)
    pairs, expected = int((counts - 1).sum()), counts.sum() ** 2 / 2 * FINEST  # at most, as a Poisson number
    if not pairs or pairs * math.log(expected) - math.lgamma(pairs + 1) > math.log(2 * PART):
        return None
    return values[counts > 1][0]


def _describe_repetition(
    actual: np.ndarray, chosen: np.ndarray, intervals: Intervals, resolution: float, is_discrete: bool
) -> str:
    """Say which draws are equal that are so with a probability below the bound; an empty text if none are."""
    draws, width = actual.ravel()[chosen], intervals.width
    if draws.size > 1 and (draws == draws[0]).all() and not are_coincidence(width[1:], resolution, PART):
        return f"all {draws.size} draws are {draws[0]!s}"
    if not is_discrete and actual.dtype == np.float64:
        for count in (FEW, draws.size):
            if (repeated := _find_repeated(draws[:count], width[:count])) is not None:
                return f"{repeated!s} is drawn twice among {min(count, draws.size)}, or several are"
    if chosen.size != actual.size or actual.ndim < 2:
        return ""
    for axis in (axis for axis, dim in enumerate(actual.shape) if dim > 1):
        first, second = np.take(actual, 0, axis), np.take(actual, 1, axis)
        probable = np.take(width.reshape(actual.shape), 1, axis)
        if np.array_equal(first, second) and not are_coincidence(probable, resolution, PART / actual.ndim):
            return f"the first two draws along axis {axis} are the same"
    return ""


def distribution_cases(name: str, seeds: Iterable[int] = (0, 1)) -> Iterator[Case]:
    """Yield cases with enough draws to test the distribution of a name, several parameters each; none for other names.

    Methods draw from a generator with each of the seeds. Functions draw from the global state: one case each.
    """
    if not name.startswith("random.") or not _is_known(name):
        return
    for seed in seeds if name.startswith("random.Generator.") else (0,):
        source = (Case("random.default_rng", (seed,)),) if name.startswith("random.Generator.") else ()
        for args, kwargs in _examples(name):
            yield Case(name, (*source, *args), kwargs)


def _examples(name: str) -> Iterator[tuple[tuple[Any, ...], dict[str, Any]]]:
    last, is_method = name.rpartition(".")[2], name.startswith("random.Generator.")
    row = find_distribution(name)
    if last in ("rand", "randn"):
        yield (DRAWS,), {}
    elif row is not None:
        for values in row.examples:
            yield tuple(int(v) if row.is_discrete and v == int(v) else v for v in values), {"size": DRAWS}
        if is_method and last in ("random", "standard_exponential", "standard_gamma", "standard_normal"):
            yield row.examples[0], {"size": DRAWS, "dtype": np.float32}
    else:
        yield from (example for example in EXAMPLES[last] if is_method or not METHODS_ONLY & set(example[1]))


METHODS_ONLY = {"axis", "shuffle"}

_ORDER = np.arange(1000)
_VECTORS = (
    (([0.0, 0.0], np.eye(2)), {"size": DRAWS}),
    (([1.0, -2.0, 3.0], [[4.0, 1.0, 0.5], [1.0, 2.0, 0.0], [0.5, 0.0, 1.0]]), {"size": DRAWS}),
    (([1.0, 2.0], [[1.0, 1.0], [1.0, 1.0]]), {"size": DRAWS}),
)
EXAMPLES: dict[str, tuple[tuple[tuple[Any, ...], dict[str, Any]], ...]] = {
    "choice": (
        ((5, DRAWS), {"p": [0.1, 0.0, 0.4, 0.3, 0.2]}),
        ((np.array([2.5, -1.0, 7.0]), DRAWS), {}),
        ((100, DRAWS), {}),
        ((1000, 500), {"replace": False}),
        ((1000, 500), {"replace": False, "shuffle": False}),
        ((400, 200), {"replace": False, "p": np.arange(1.0, 401) / 80200}),
        ((np.arange(12).reshape(3, 4), DRAWS), {"axis": 1}),
        ((np.arange(12).reshape(3, 4), DRAWS), {"axis": 0, "p": [0.7, 0.0, 0.3]}),
    ),
    "dirichlet": ((([1.0, 2.0, 3.0], DRAWS), {}), (([0.5, 0.5], DRAWS), {})),
    "integers": (((0, 10, DRAWS), {}), ((-5, 5, DRAWS), {"endpoint": True}), ((0, 2**62, DRAWS), {})),
    "multinomial": (((20, [0.2, 0.3, 0.5], DRAWS), {}), ((3, [0.25, 0.0, 0.25, 0.5], DRAWS), {})),
    "multivariate_hypergeometric": (
        (([30, 40, 50], 20, DRAWS), {}),
        (([30, 40, 50], 20, DRAWS), {"method": "count"}),
    ),
    "multivariate_normal": _VECTORS,
    "permutation": (((1000,), {}), ((_ORDER,), {})),
    "permuted": (((_ORDER,), {}), ((_ORDER.reshape(10, 100),), {"axis": 1})),
    "randint": (((0, 10, DRAWS), {}), ((-5, 5, DRAWS), {}), ((0, 2**62, DRAWS), {"dtype": np.int64})),
    "shuffle": (((_ORDER,), {}),),
}
"""Arguments for what draws no single numbers of a named distribution."""
