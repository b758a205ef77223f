"""Empirical complexity: exponents of time and memory by size, fitted on a log-log scale, beside NumPy's.

Reading the arguments and writing the result once counts as part of NumPy's cost. So neither a view nor memory that the
system clears lazily makes a library that copies look as if its cost grew by another power.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

FITTED = 3
"""How many of the largest sizes an exponent is fitted to."""
GAP = 0.5
"""How much larger an exponent may be than NumPy's: less than the square root of the size, more than a logarithm, than
caches that are left, or than noise.
"""
STEP_GAP = GAP / 2
"""What each single step must grow faster by: one outlier is no growth."""


@dataclass(frozen=True)
class Rung:
    """The cost of a call at one size.

    `factor` is the size in units of the first. `held` is the bytes of the arguments and NumPy's result, `copying` the
    time to copy them. Peaks are bytes beyond the arguments; None if the system does not report them. `compiling` is how
    much longer the first call took.
    """

    factor: float
    elements: int
    held: int
    copying: float
    numpy_seconds: float
    seconds: float
    numpy_peak: int | None = None
    peak: int | None = None
    compiling: float = 0.0


@dataclass(frozen=True)
class Growth:
    """A cost that grows by another power than NumPy's; `ratio` is the ratio of both costs at the largest size."""

    quantity: str
    exponent: float
    reference: float
    ratio: float

    def __str__(self) -> str:
        return (
            f"{self.quantity} grows as size^{self.exponent:.2f}, NumPy's as size^{self.reference:.2f}; "
            f"at the largest size it is {self.ratio:.3g} x NumPy's"
        )


@dataclass(frozen=True)
class Curve:
    """A cost of the subject and its reference, by size. It is not judged if it ends below `floor`, or below `least`
    times the reference.
    """

    quantity: str
    factors: tuple[float, ...]
    costs: tuple[float, ...]
    references: tuple[float, ...]
    floor: float
    least: float

    @property
    def exponent(self) -> float | None:
        """The power of the size by which the cost grows."""
        return fit_exponent(self.factors, self.costs)

    @property
    def reference(self) -> float | None:
        """The power of the size by which the reference grows."""
        return fit_exponent(self.factors, self.references)

    @property
    def ratio(self) -> float:
        """The cost at the largest size, in units of the reference."""
        return self.costs[-1] / self.references[-1] if self.costs else math.nan

    def judge(self) -> Growth | None:
        """Return the growth, if the cost grows by another power than the reference; else None."""
        exponent, reference = self.exponent, self.reference
        if exponent is None or reference is None or self.costs[-1] < self.floor or self.ratio < self.least:
            return None
        if exponent - reference < GAP or min(self._step_gaps()) < STEP_GAP:
            return None
        return Growth(self.quantity, exponent, reference, self.ratio)

    def _step_gaps(self) -> list[float]:
        ratios = [cost / reference for cost, reference in zip(self.costs, self.references, strict=True)]
        indices = range(len(ratios) - FITTED, len(ratios) - 1)
        return [math.log(ratios[i + 1] / ratios[i]) / math.log(self.factors[i + 1] / self.factors[i]) for i in indices]


def fit_exponent(factors: Sequence[float], costs: Sequence[float]) -> float | None:
    """Return the slope of the least-squares line through the largest sizes on a log-log scale; None for too few."""
    if len(factors) < FITTED:
        return None
    x = [math.log(factor) for factor in factors[-FITTED:]]
    y = [math.log(cost) for cost in costs[-FITTED:]]
    mean_x, mean_y = sum(x) / FITTED, sum(y) / FITTED
    spread = sum((one - mean_x) ** 2 for one in x)
    return sum((one - mean_x) * (other - mean_y) for one, other in zip(x, y, strict=True)) / spread


def time_curve(rungs: Sequence[Rung]) -> Curve:
    """Return the CPU time by size. NumPy's time at the first size is overhead that does not grow."""
    overhead = rungs[0].numpy_seconds if len(rungs) > FITTED else 0.0
    references = [max(rung.numpy_seconds - overhead, 0.0) + rung.copying for rung in rungs]
    return _make_curve("time", rungs, [rung.seconds for rung in rungs], references, floor=1e-3, least=2.0)


def memory_curve(rungs: Sequence[Rung]) -> Curve:
    """Return the peak memory by size, if the system reports it."""
    told = [rung for rung in rungs if rung.peak is not None and rung.numpy_peak is not None]
    peaks = [max(rung.peak or 0, 1 << 18) for rung in told]  # a few pages cannot be measured exactly
    references = [max(rung.numpy_peak or 0, rung.held) for rung in told]
    return _make_curve("memory", told, peaks, references, floor=1 << 24, least=3.0)


def _make_curve(
    quantity: str,
    rungs: Sequence[Rung],
    costs: Sequence[float],
    references: Sequence[float],
    floor: float,
    least: float,
) -> Curve:
    tiny = 1e-9
    return Curve(
        quantity,
        tuple([rung.factor for rung in rungs]),
        tuple([max(cost, tiny) for cost in costs]),
        tuple([max(reference, tiny) for reference in references]),
        floor,
        least,
    )


def judge_growth(rungs: Sequence[Rung]) -> list[Growth]:
    """Return the costs, time and memory, that grow by another power than NumPy's."""
    growths = [curve(rungs).judge() for curve in (time_curve, memory_curve)] if rungs else []
    return [growth for growth in growths if growth is not None]
