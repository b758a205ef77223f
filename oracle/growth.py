"""Empirical complexity: exponents of time and memory by size, fitted on a log-log scale beside NumPy's.

What any library has to do counts as NumPy's own: to read the arguments and to write the result once. So neither a view
nor memory that the system clears lazily makes the growth of one who copies look like another power.
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
    """Cost of a call at one size: CPU seconds and bytes.

    `factor` is the size in units of the first. `held` are the bytes of the arguments and of NumPy's result, `copying`
    is the time that it takes to copy them. The peaks are what the call holds at most beyond its arguments; they are
    None where the system does not tell. `compiling` is what the first call took more than others.
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
    """A cost that grows by another power than NumPy's: `ratio` is that of the costs at the largest size."""

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
    """A cost of the subject and its reference, by size. It is too small to be judged below `floor` at the end, or
    below `least` times the reference.
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
        """Return the growth by another power than the reference's, or None."""
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
    """Return the slope of the least-squares line through the largest sizes, log-log; None if they are too few."""
    if len(factors) < FITTED:
        return None
    x = [math.log(factor) for factor in factors[-FITTED:]]
    y = [math.log(cost) for cost in costs[-FITTED:]]
    mean_x, mean_y = sum(x) / FITTED, sum(y) / FITTED
    spread = sum((one - mean_x) ** 2 for one in x)
    return sum((one - mean_x) * (other - mean_y) for one, other in zip(x, y, strict=True)) / spread


def time_curve(rungs: Sequence[Rung]) -> Curve:
    """Return the CPU time by size. Of NumPy's, what it takes at the first size is overhead that does not grow."""
    overhead = rungs[0].numpy_seconds if len(rungs) > FITTED else 0.0
    references = [max(rung.numpy_seconds - overhead, 0.0) + rung.copying for rung in rungs]
    return _curve("time", rungs, [rung.seconds for rung in rungs], references, floor=1e-3, least=2.0)


def memory_curve(rungs: Sequence[Rung]) -> Curve:
    """Return the peak of memory by size, where the system tells it."""
    told = [rung for rung in rungs if rung.peak is not None and rung.numpy_peak is not None]
    peaks = [max(rung.peak or 0, 1 << 18) for rung in told]  # less than some pages is not counted exactly
    references = [max(rung.numpy_peak or 0, rung.held) for rung in told]
    return _curve("memory", told, peaks, references, floor=1 << 24, least=3.0)


def _curve(
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
    """Return what grows by another power than NumPy's: time, memory, both or nothing."""
    growths = [curve(rungs).judge() for curve in (time_curve, memory_curve)] if rungs else []
    return [growth for growth in growths if growth is not None]
