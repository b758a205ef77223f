"""Probability integral transform: tests of draws by the uniformity of their probabilities.

A draw x of a continuous distribution has P(X <= x) uniform on [0, 1]; of a discrete one, or a rounded one, a uniform
number between P(X < x) and P(X <= x) is (Rosenblatt, 1952; the randomized transform of Ferguson, 1967). So draws with
any parameters, and conditional draws one after the other, are one sample of independent uniform numbers, and the normal
numbers of the same probabilities one of independent standard normal numbers. Their sum is normal and the sum of their
squares chi-squared for every size, so that the tests of mean and variance are exact; so are the sums of the logarithms
of the probabilities to either side, which are gamma numbers (Fisher's combination test), and the sum of products of
disjoint pairs, which is normal given one of each pair. The test of the distribution function rests on the inequality of
Dvoretzky, Kiefer and Wolfowitz with Massart's constant, which holds for every size.

All tests together raise a false alarm with a probability of less than `ALARM` a call.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from oracle.equality.probabilities import gamma_tails, normal_scores, normal_tails

ALARM = 1e-9
PART = ALARM / 25
"""What each of at most twenty-five one-sided tests may contribute."""

MOST_DRAWS = 20_000
"""Of more draws so many are tested for their distribution, chosen at random; all are for their support."""

USUAL = 4.0
_SEED = 0x7D5C0F7A3B1E


class UnknownDistributionError(Exception):
    """The checker does not know what NumPy promises of these draws; the message says why."""


@dataclass(frozen=True)
class Intervals:
    """For each draw x: P(X < x), P(X <= x), P(X > x) and P(X >= x), each accurate where it is small."""

    below: np.ndarray
    up_to: np.ndarray
    above: np.ndarray
    onward: np.ndarray

    @property
    def width(self) -> np.ndarray:
        """The probability of the draw itself, or of the interval that is rounded to it."""
        return np.where(self.below < 0.5, self.up_to - self.below, self.onward - self.above)

    def probabilities(self) -> tuple[np.ndarray, np.ndarray]:
        """Return the probabilities to either side of a point that is chosen at random within each interval."""
        fraction = checker_generator().random(self.below.shape)
        lower = self.below + fraction * (self.up_to - self.below)
        upper = self.above + (1 - fraction) * (self.onward - self.above)
        return lower, upper

    def select(self, mask: np.ndarray) -> Intervals:
        """Return some of them."""
        return Intervals(self.below[mask], self.up_to[mask], self.above[mask], self.onward[mask])


def checker_generator(stream: int = 0) -> np.random.Generator:
    """Return a generator with a fixed seed, from a stream that no subject draws from."""
    return np.random.Generator(np.random.SFC64([_SEED, stream]))


def join(parts: Sequence[Intervals]) -> Intervals:
    """Return one sample of several."""
    names = ("below", "up_to", "above", "onward")
    return Intervals(*(np.concatenate([getattr(part, name).ravel() for part in parts]) for name in names))


def find_extremes(intervals: Intervals, resolution: float) -> np.ndarray:
    """Return which draws are so far out in a tail that not one of so many should be. `resolution` is the largest step
    of a uniform random number that the draws may have been made from.
    """
    bound = PART / max(intervals.below.size, 1)
    return (intervals.up_to + resolution < bound) | (intervals.onward + resolution < bound)


def are_coincidence(width: np.ndarray, resolution: float, bound: float) -> bool:
    """Return whether draws of these probabilities, all equal to others that they are independent of, may be."""
    return float(np.log(np.maximum(width, resolution)).sum()) > math.log(bound)


def describe_fault(groups: Sequence[Intervals]) -> str:
    """Return what is wrong with one of several samples as a whole, or an empty text."""
    return next(filter(None, (_describe_sample(group, PART / len(groups)) for group in groups)), "")


def _describe_sample(intervals: Intervals, bound: float) -> str:
    """Return what has a probability of less than sixteen times the bound."""
    sample = intervals.select(intervals.width < 1 - 1e-12)
    count = sample.below.size
    if count < 2:
        return ""
    lower, upper = sample.probabilities()
    scores = normal_scores(lower, upper)
    mean = float(scores.sum()) / math.sqrt(count)
    if abs(mean) > _quantile(bound):
        direction = "large" if mean > 0 else "small"
        return f"the draws are too {direction}: the mean of their normal scores is {mean:+.1f} sigma off"
    squares = float((scores**2).sum())
    too_little = too_much = False
    if not is_usual(squares, count):
        too_little, too_much = (float(tail[0]) < bound for tail in gamma_tails(count / 2, squares / 2))
    if too_little or too_much:
        direction = "little" if too_little else "much"
        return f"the draws vary too {direction}: their normal scores have a variance of {squares / count:.3g}, not 1"
    for probabilities, extreme in ((lower, "small"), (upper, "large")):
        logarithms = -float(np.log(np.maximum(probabilities, SMALLEST)).sum())
        if is_usual(2 * logarithms, 2 * count):
            continue
        if any(float(tail[0]) < bound for tail in gamma_tails(float(count), logarithms)):
            mean_logarithm = logarithms / count
            return (
                f"the draws are not as {extreme} as they should be: the mean of -log p is {mean_logarithm:.3g}, not 1"
            )
    for first, second, where in _pair(scores):
        size = math.sqrt(float((second**2).sum()))
        if size and abs(together := float((first * second).sum()) / size) > _quantile(bound):
            return f"the draws depend on one another: those of {where} by {together:+.1f} sigma"
    distance = _largest_distance(scores)
    if distance > math.sqrt(math.log(2 / bound) / (2 * count)):
        return f"the draws have another distribution: Kolmogorov-Smirnov distance {distance:.3f} of {count} draws"
    for tail, side in ((sample.above, "large"), (sample.below, "small")):
        least = float(tail.min())
        if count * math.log1p(-min(least, 1 - 1e-12)) < math.log(bound):
            return f"none of {count} draws is as {side} as one of {1 / least:.3g} should be"
    return ""


SMALLEST = 5e-324


def _pair(scores: np.ndarray) -> Iterator[tuple[np.ndarray, np.ndarray, str]]:
    """Yield disjoint pairs of draws: neighbours, and those of the two halves."""
    even, half = scores[: len(scores) // 2 * 2], len(scores) // 2
    yield even[::2], even[1::2], "neighbours"
    if half > 1:
        yield scores[:half], scores[-half:], "the first and the second half"


def is_usual(squares: float, count: int) -> bool:
    """Return whether a chi-squared number is within about four standard deviations, by the approximation of Wilson and
    Hilferty (1931), so that no test by its exact tails would complain; of few degrees of freedom that is too rough.
    """
    if count < 8:
        return False
    variance = 2 / (9 * count)
    return abs((squares / count) ** (1 / 3) - (1 - variance)) < USUAL * math.sqrt(variance)


def _largest_distance(scores: np.ndarray) -> float:
    """Return the Kolmogorov-Smirnov statistic of numbers that should be standard normal."""
    uniform = np.sort(normal_tails(scores)[0])
    steps = np.arange(len(uniform) + 1) / len(uniform)
    return float(max((steps[1:] - uniform).max(), (uniform - steps[:-1]).max()))


@lru_cache(maxsize=1024)
def _quantile(bound: float) -> float:
    return float(-normal_scores(np.array([bound]), np.array([1.0]))[0])
