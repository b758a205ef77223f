"""Rosenblatt transform: dependent draws (vectors, choices, permutations) made independent.

A vector is taken apart one component after the other, each given those before it. An order is taken apart into its
Lehmer code: the rank of each item among those that are left is uniform, and independent of the ranks before. Each
function takes the bound arguments and the result, and returns a `Sample`.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import combinations, islice
from typing import Any

import numpy as np

from oracle.equality import tails
from oracle.equality.probabilities import Tails, normal_tails, table_tails
from oracle.equality.uniformity import MOST_DRAWS, PART, Intervals, UnknownDistributionError, checker_generator, join

Arguments = Mapping[str, Any]

MOST_RANKS = 256
MOST_LANES = 64
MOST_PAIRS = 50
MOST_STEPS = 4_000_000
"""So many ranks of an order are tested, so many lanes and pairs of components, as far as it takes no more steps."""
MOST_BLOCKS = 64
"""More components than so many are tested in blocks of neighbours."""


@dataclass(frozen=True)
class Sample:
    """Transformed draws as intervals, in a group for each component, and the impossible elements with the reason.

    `undecided` says what is not judged.
    """

    wrong: np.ndarray
    why: str
    groups: tuple[Intervals, ...] = ()
    undecided: str = ""


def _discrete(tails_of: Callable[..., Tails], draws: np.ndarray, *parameters: Any) -> Intervals:
    up_to, above = tails_of(draws, *parameters)
    below, onward = tails_of(draws - 1, *parameters)
    return Intervals(below, up_to, above, onward)


def _continuous(tails_of: Tails) -> Intervals:
    lower, upper = tails_of
    return Intervals(lower, lower, upper, upper)


def _with_pool(parts: list[Intervals]) -> tuple[Intervals, ...]:
    """Return the independent samples, and all of them as one."""
    return (*parts, join(parts)) if len(parts) > 1 else tuple(parts)


def check_integers(arguments: Arguments, actual: np.ndarray) -> Sample:
    """Judge draws of `integers` and `randint`, in exact arithmetic."""
    low, high = arguments["low"], arguments["high"]
    low, high = (0, low) if high is None else (low, high)
    low, high, draws = (_as_integers(part) for part in (low, high, actual))
    low, high = (
        np.broadcast_to(low, actual.shape),
        np.broadcast_to(high, actual.shape) + bool(arguments.get("endpoint")),
    )
    wrong = np.asarray((draws < low) | (draws >= high), bool)
    if wrong.any():
        return Sample(wrong, "outside of the bounds")
    index, count = (np.asarray(part, float).ravel() for part in (draws - low, high - low))
    return Sample(wrong, "", (_discrete(tails.discrete_uniform_tails, index, count),))


def _as_integers(value: Any) -> np.ndarray:
    """Return integers as Python's own where the difference of two may not fit in 64 bits."""
    array = np.asarray(value)
    if array.dtype.kind == "b" or not array.size:
        return array.astype(np.int64)
    if array.dtype.kind == "f" and (array == np.floor(array)).all():
        array = array.astype(object)
    if array.dtype.kind not in "iuO" or any(isinstance(item, float) and item != int(item) for item in array.flat):
        raise UnknownDistributionError("bounds that are no integers")
    is_small = all(-(2**62) < int(extreme) < 2**62 for extreme in (array.min(), array.max()))
    return array.astype(np.int64 if is_small else object)


def check_multinomial(arguments: Arguments, actual: np.ndarray) -> Sample:
    """Judge counts of categories, the last of which has the remaining probability: each is binomial given those
    before.
    """
    total = np.broadcast_to(np.asarray(arguments["n"], float), actual.shape[:-1])
    probability = np.array(arguments["pvals"], float)
    probability[..., -1] = np.maximum(1 - probability[..., :-1].sum(axis=-1), 0)
    probability = np.broadcast_to(np.where(probability < 1e-12, 0.0, probability), actual.shape)
    draws = actual.astype(float)
    impossible = (draws < 0) | (draws > total[..., None]) | ((probability == 0) & (draws != 0))
    if impossible.any():
        return Sample(impossible, "impossible counts")
    wrong = np.broadcast_to((draws.sum(axis=-1) != total)[..., None], actual.shape)
    if wrong.any() or not actual.shape[-1]:
        return Sample(wrong, "counts that do not add up to n")
    parts, left, remaining_chance = [], total.ravel(), np.ones(left_shape := total.size)
    for column in range(actual.shape[-1] - 1):
        count, part = draws[..., column].ravel(), probability[..., column].ravel()
        chance = np.where(remaining_chance > 0, np.clip(part / np.maximum(remaining_chance, 1e-300), 0, 1), 0.0)
        parts.append(_discrete(tails.binomial_tails, count, left, np.broadcast_to(chance, left_shape)))
        left, remaining_chance = left - count, remaining_chance - part
    return Sample(wrong, "", _with_pool(parts))


def check_multivariate_hypergeometric(arguments: Arguments, actual: np.ndarray) -> Sample:
    """Judge counts of colors: each is hypergeometric given those before."""
    colors = np.broadcast_to(np.asarray(arguments["colors"], float), actual.shape)
    total = np.broadcast_to(np.asarray(arguments["nsample"], float), actual.shape[:-1])
    draws = actual.astype(float)
    impossible = (draws < 0) | (draws > colors)
    if impossible.any():
        return Sample(impossible, "impossible counts")
    wrong = np.broadcast_to((draws.sum(axis=-1) != total)[..., None], actual.shape)
    if wrong.any():
        return Sample(wrong, "counts that do not add up to nsample")
    parts, left, others = [], total.ravel(), colors.sum(axis=-1).ravel()
    for column in range(actual.shape[-1] - 1):
        count, of_color = draws[..., column].ravel(), colors[..., column].ravel()
        others = others - of_color
        parts.append(_discrete(tails.hypergeometric_tails, count, of_color, others, left))
        left = left - count
    return Sample(wrong, "", _with_pool(parts))


def check_dirichlet(arguments: Arguments, actual: np.ndarray) -> Sample:
    """Judge parts of one: of what is left, each component takes a part that has a beta distribution."""
    alpha = np.broadcast_to(np.asarray(arguments["alpha"], float), actual.shape)
    epsilon = np.finfo(actual.dtype).eps * 8 * max(actual.shape[-1], 1)
    outside = ~((actual >= 0) & (actual <= 1 + epsilon))
    if outside.any():
        return Sample(outside, "parts outside of [0, 1]")
    wrong = np.broadcast_to((np.abs(actual.sum(axis=-1) - 1) > epsilon)[..., None], actual.shape)
    if wrong.any():
        return Sample(wrong, "parts that do not add up to 1")
    if (alpha < 0.1).any():
        return Sample(wrong, "", undecided="the distribution for alpha below 0.1, where parts underflow")
    columns = actual.shape[-1] - 1
    if columns < 1:
        return Sample(wrong, "")
    vectors, alpha = _choose_vectors(actual.reshape(-1, columns + 1), alpha.reshape(-1, columns + 1))
    first, others = vectors[:, :-1], _sum_after(vectors)
    tails_of = tails.beta_tails(alpha[:, :-1], _sum_after(alpha), first / (first + others), others / (first + others))
    lower, upper = (tail.reshape(-1, columns) for tail in tails_of)
    blocks = np.array_split(np.arange(columns), min(columns, MOST_BLOCKS))
    parts = [_continuous((lower[:, block].ravel(), upper[:, block].ravel())) for block in blocks]
    return Sample(wrong, "", _with_pool(parts))


def _choose_vectors(vectors: np.ndarray, alpha: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return some vectors of many, chosen at random, with their parameters: about MOST_DRAWS components."""
    most = max(MOST_DRAWS // (vectors.shape[1] - 1), 2)
    if len(vectors) <= most:
        return vectors, alpha
    chosen = np.sort(checker_generator(1001).choice(len(vectors), most, replace=False))
    return vectors[chosen], alpha[chosen]


def _sum_after(values: np.ndarray) -> np.ndarray:
    """Return for each but the last number along the last axis the sum of those after it."""
    return np.cumsum(values[..., :0:-1], axis=-1)[..., ::-1]


def check_multivariate_normal(arguments: Arguments, actual: np.ndarray) -> Sample:
    """Judge vectors along the eigenvectors of the covariance: independent normal numbers, zero where it is singular."""
    mean, covariance = np.asarray(arguments["mean"], float), np.asarray(arguments["cov"], float)
    if not np.isfinite(covariance).all() or not np.isfinite(mean).all():
        raise UnknownDistributionError("a mean or a covariance that is not finite")
    if not np.allclose(covariance, covariance.T, rtol=1e-10, atol=0):
        raise UnknownDistributionError("a covariance that is not symmetric")
    variances, vectors = np.linalg.eigh(covariance)
    largest = float(np.abs(variances).max(initial=0))
    if (variances < -1e-10 * largest).any():
        raise UnknownDistributionError("a covariance that is not positive semidefinite")
    centred = (actual.reshape(-1, mean.size) - mean) @ vectors
    is_zero = variances <= 1e-9 * largest
    rounding = 1e-12 * float(np.abs(mean).max(initial=0))
    off = (np.abs(centred[:, is_zero]) > 1e-4 * largest**0.5 + rounding).any(axis=1)
    wrong = np.broadcast_to(off.reshape(*actual.shape[:-1], 1), actual.shape)
    if off.any():
        return Sample(wrong, "outside of the subspace of a singular covariance")
    scale = np.sqrt(variances[~is_zero])
    if scale.size and rounding > 1e-6 * float(scale.min()):
        return Sample(wrong, "", undecided="the distribution of deviations that are lost beside the mean")
    scores = centred[:, ~is_zero] / scale
    columns = [_continuous(normal_tails(column)) for column in scores.T]
    pairs = list(islice(combinations(scores.T, 2), MOST_PAIRS))  # whose sums show correlations
    sums = [_continuous(normal_tails((left + right) / 2**0.5)) for left, right in pairs]
    return Sample(wrong, "", (*_with_pool(columns), *sums))


def check_choice(arguments: Arguments, actual: np.ndarray) -> Sample:
    """Judge items of a population, drawn with or without replacement, with or without weights."""
    population, size = arguments["a"], arguments["size"]
    items = np.arange(int(population)) if np.ndim(population) == 0 else np.asarray(population)
    axis = int(arguments.get("axis", 0)) % items.ndim
    dims = 0 if size is None else 1 if np.ndim(size) == 0 else len(size)
    axes = list(range(axis, axis + dims))
    front = np.moveaxis(actual, axes, list(range(dims)))
    shape = front.shape[:dims]
    rows = front.reshape(int(np.prod(shape, dtype=int)), -1)
    known, drawn = _keys(np.moveaxis(items, axis, 0).reshape(items.shape[axis], -1), rows)

    def spread(is_wrong: np.ndarray) -> np.ndarray:
        flags = np.broadcast_to(is_wrong.reshape((*shape, *[1] * (front.ndim - dims))), front.shape)
        return np.moveaxis(flags, list(range(dims)), axes)

    weights = (
        np.full(len(known), 1 / max(len(known), 1)) if arguments["p"] is None else np.asarray(arguments["p"], float)
    )
    chances: dict[Any, float] = {}
    for key, weight in zip(known, weights.tolist(), strict=True):
        chances[key] = chances.get(key, 0.0) + weight
    foreign = np.array([chances.get(key, 0.0) <= 0 for key in drawn], bool)
    if foreign.any():
        return Sample(spread(foreign), "no items of the population, or items of probability 0")
    if arguments["replace"]:
        if is_never_drawn_again(len(chances), drawn):
            return Sample(spread(~foreign), f"of {len(drawn)} draws with replacement no item is drawn twice")
        table, index_of = np.array(list(chances.values()))[None], {key: i for i, key in enumerate(chances)}
        index = np.array([index_of[key] for key in drawn], float)
        row = np.zeros(index.shape, int)
        none = np.zeros(actual.shape, bool)
        return Sample(none, "", (_discrete(lambda k: table_tails(table, row, k), index),) if known else ())
    return _without_replacement(arguments, known, drawn, weights, spread)


def is_never_drawn_again(count: int, drawn: list[Any]) -> bool:
    """Return whether draws with replacement from so many items are all different, and ought not to be: items of equal
    probability are the least likely to be drawn again.
    """
    if len(drawn) < 2 or len(set(drawn)) < len(drawn):
        return False
    return float(np.log1p(-np.arange(len(drawn)) / count).sum()) < math.log(PART)


def _without_replacement(
    arguments: Arguments,
    known: list[Any],
    drawn: list[Any],
    weights: np.ndarray,
    spread: Callable[[np.ndarray], np.ndarray],
) -> Sample:
    surplus = _find_surplus(known, drawn)
    if surplus.any():
        return Sample(spread(surplus), "items drawn again without replacement")
    if arguments["p"] is not None:
        if len(set(known)) < len(known):
            return Sample(spread(surplus), "", undecided="weighted choices of equal items without replacement")
        positions = np.array(_positions(known, drawn), int)
        return Sample(spread(surplus), "", (_weighted_intervals(weights, positions),) if len(drawn) else ())
    if arguments.get("shuffle", True):
        return Sample(spread(surplus), "", (rank_intervals(known, drawn),))
    order = np.array(_positions(known, drawn), float)  # varies less than with replacement (Hoeffding, 1963)
    return Sample(spread(surplus), "", (_discrete(tails.discrete_uniform_tails, order, float(len(known))),))


def _weighted_intervals(weights: np.ndarray, positions: np.ndarray) -> Intervals:
    """Return the interval of each item among those that are left, by weight: successive sampling. NumPy returns items
    in the order in which they were drawn.
    """
    left = np.array(weights, float)
    rows = []
    for position in positions[: min(MOST_RANKS, MOST_STEPS // max(len(left), 1))].tolist():
        below, weight, above = left[:position].sum(), left[position], left[position + 1 :].sum()
        rows.append(np.array([below, below + weight, above, weight + above]) / (below + weight + above))
        left[position] = 0.0
    return Intervals(*np.array(rows).T)


def check_permutation(arguments: Arguments, actual: np.ndarray) -> Sample:
    """Judge all rows along an axis in another order: of `permutation`, and of what `shuffle` leaves in its array."""
    items = np.arange(int(arguments["x"])) if np.ndim(arguments["x"]) == 0 else np.asarray(arguments["x"])
    axis = int(arguments.get("axis") or 0) % items.ndim
    before, after = (np.moveaxis(array, axis, 0) for array in (items, actual))
    count = before.shape[0]
    known, drawn = _keys(before.reshape(count, -1), after.reshape(count, -1))
    surplus = _find_surplus(known, drawn)
    wrong = np.moveaxis(np.broadcast_to(surplus.reshape((-1, *[1] * (after.ndim - 1))), after.shape), 0, axis)
    return Sample(wrong, "no permutation of the items", () if surplus.any() else (rank_intervals(known, drawn),))


def check_permuted(arguments: Arguments, actual: np.ndarray) -> Sample:
    """Judge each lane along an axis in an order of its own, or all elements in one."""
    items, axis = np.asarray(arguments["x"]), arguments["axis"]
    before, after = (_split_lanes(array, axis) for array in (items, actual))
    mask, parts = np.zeros(after.shape, bool), []
    for lane in range(len(before)):
        known, drawn = _keys(before[lane].reshape(-1, 1), after[lane].reshape(-1, 1))
        mask[lane] = _find_surplus(known, drawn)
        if lane < MOST_LANES and not mask[lane].any():
            parts.append(rank_intervals(known, drawn, lane))
    moved = items.shape if axis is None else np.moveaxis(items, axis, -1).shape
    wrong: np.ndarray = mask.reshape(moved)
    wrong = wrong if axis is None else np.moveaxis(wrong, -1, axis)
    return Sample(wrong, "no permutation of the items", () if wrong.any() or not parts else (join(parts),))


def _split_lanes(array: np.ndarray, axis: int | None) -> np.ndarray:
    """Return the lanes along an axis as rows; all elements as one of them without an axis."""
    moved = array.reshape(1, -1) if axis is None else np.moveaxis(array, axis, -1)
    return moved.reshape(-1, moved.shape[-1])


def rank_intervals(known: list[Any], drawn: list[Any], lane: int = 0) -> Intervals:
    """Return the Lehmer code of an order: the rank of each item among those that were not drawn before it."""
    order, total = _positions(known, drawn, lane), len(known)
    count = min(len(order), MOST_RANKS, max(MOST_STEPS // max(total, 1), 2))
    is_left = np.ones(total, bool)
    ranks = np.empty(count)
    for step, position in enumerate(order[:count]):
        ranks[step] = is_left[:position].sum()
        is_left[position] = False
    return _discrete(tails.discrete_uniform_tails, ranks, total - np.arange(count, dtype=float))


def _positions(known: list[Any], drawn: list[Any], lane: int = 0) -> list[int]:
    """Return where in the population each item comes from; of equal items, in a random order by lane."""
    positions: dict[Any, list[int]] = {}
    for position in checker_generator(1 + lane).permutation(len(known)).tolist():
        positions.setdefault(known[position], []).append(position)
    return [positions[key].pop() for key in drawn]


def _find_surplus(known: list[Any], drawn: list[Any]) -> np.ndarray:
    """Return which items were drawn more often than there are any."""
    left = Counter(known)
    left.subtract(drawn)
    excess = {key for key, count in left.items() if count < 0}
    return np.array([key in excess for key in drawn], bool)


def _keys(known: np.ndarray, drawn: np.ndarray) -> tuple[list[Any], list[Any]]:
    """Return rows of two arrays as keys to compare bit by bit: all nan are one, and so are texts and their bytes."""
    if "O" in known.dtype.kind + drawn.dtype.kind or known.dtype.kind in "UST":
        return tuple([tuple(map(_text, row)) for row in array.tolist()] for array in (known, drawn))  # type: ignore[return-value]
    if known.dtype.newbyteorder("=") != drawn.dtype.newbyteorder("="):
        raise UnknownDistributionError("items of another dtype than the population")
    if known.dtype.kind in "iub" and known.shape[1] == 1:
        return known.ravel().tolist(), drawn.ravel().tolist()
    return _bits(known), _bits(drawn)


def _bits(rows: np.ndarray) -> list[bytes]:
    rows = np.array(rows, rows.dtype.newbyteorder("="), order="C")
    if rows.dtype.kind not in "iub":
        rows[np.isnan(rows)] = np.nan
    return [row.tobytes() for row in rows]


def _text(item: Any) -> Any:
    return item.decode("utf-8", "replace") if isinstance(item, bytes) else item


CHECKERS: dict[str, Callable[[Arguments, np.ndarray], Sample]] = {
    "choice": check_choice,
    "dirichlet": check_dirichlet,
    "integers": check_integers,
    "multinomial": check_multinomial,
    "multivariate_hypergeometric": check_multivariate_hypergeometric,
    "multivariate_normal": check_multivariate_normal,
    "permutation": check_permutation,
    "permuted": check_permuted,
    "randint": check_integers,
    "shuffle": check_permutation,
}
"""By the last part of the name of the function and of the method."""
