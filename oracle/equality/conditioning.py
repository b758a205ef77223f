"""Condition estimation: how far NumPy's results move when inputs change by a rounding error."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from oracle.equality import table, ulp
from oracle.equality.equal_elements import parts_of
from oracle.equality.evidence import Evidence, Path, flat_at, is_like
from oracle.equality.ulp import farther, gap_between
from oracle.reference.dtypes import is_inexact
from oracle.reference.outcome import Outcome

VACUOUS = "the error bound is as large as the value"
CLASS_BY_ROUNDING = "a rounding error decides whether it is finite"
BRANCH_BY_ROUNDING = "a rounding error decides on which side of a jump it is"


@dataclass(slots=True)
class Judgement:
    """Masks of the elements that are wrong, and of those undecided, by reason."""

    wrong: np.ndarray
    undecided: dict[str, np.ndarray] = field(default_factory=dict)


class Perturbations:
    """NumPy's outcomes for perturbed inputs."""

    def __init__(self, evidence: Evidence, path: Path, expected: np.ndarray, within: tuple[int, ...] | None) -> None:
        self.evidence, self.path, self.expected, self.within = evidence, path, expected, within
        unmoved = flat_at(evidence.expected, path)
        self.unmoved = unmoved if isinstance(unmoved, np.ndarray) and unmoved.shape == expected.shape else expected
        self.others = self._take(evidence.moved)
        if not self.others:
            self.others = self._take(evidence.moved_again)

    @property
    def count(self) -> int:
        """The number of perturbed runs that gave an answer of this form."""
        return len(self.others)

    def _take(self, outcomes: list[Outcome]) -> list[np.ndarray]:
        results = [flat_at(outcome, self.path) for outcome in outcomes]
        return [other for other in results if is_like(other, self.expected)]

    def judge(self, actual: np.ndarray, tolerance: np.ndarray, bad: np.ndarray, signs: np.ndarray) -> Judgement:
        """Return what is still wrong, given the elements past the plain tolerance, and where signs of zeros differ."""
        factor = table.relation_of(self.evidence.case.name, self.expected.dtype.kind).condition
        still = bad & self._is_past(actual, tolerance, factor)
        if still.any():
            again = self._take(self.evidence.moved_again)
            self.others = self.others + [other for other in again if not any(other is known for known in self.others)]
            still = bad & self._is_past(actual, tolerance, factor)
        if table.jumps(self.evidence.case.name):
            return Judgement(still | signs, {BRANCH_BY_ROUNDING: bad & ~still})
        flips = self._flips()
        spread = self._spread()
        bound = factor * spread + tolerance
        size = np.abs(ulp.widest(np.where(np.isfinite(self.expected), self.expected, 0)))
        size = size if self.within is None else np.max(size, self.within, keepdims=True)
        let_go = bad & ~still
        is_class = let_go & flips
        vacuous = let_go & ~flips & (bound >= size)
        free = (spread > 0) | flips | self._has_negative_zeros()
        return Judgement(still | (signs & ~free), {CLASS_BY_ROUNDING: is_class, VACUOUS: vacuous})

    def _has_negative_zeros(self) -> bool:
        arrays = [array for array in self.evidence.case.arrays() if is_inexact(array.dtype)]
        return any(bool(((array.real == 0) & np.signbit(array.real)).any()) for array in arrays)

    def _is_lost(self, actual: np.ndarray) -> np.ndarray:
        """Return which complex elements are finite, but in no perturbed run."""
        if self.expected.dtype.kind != "c":
            return np.zeros(self.expected.shape, bool)
        lost = np.logical_and.reduce([~np.isfinite(other) for other in self.others])
        return lost & np.isfinite(self.expected) & np.isfinite(actual)

    def _flips(self) -> np.ndarray:
        """Return where a perturbation makes a finite element infinite or nan, or changes an infinity."""
        flips = [ulp.classes_differ(self.unmoved, other) for other in self.others]
        return np.logical_or.reduce(flips)

    def _spread(self) -> np.ndarray:
        steps = [gap_between(self.unmoved, other) for other in self.others]
        spread = np.max(steps, axis=0)
        return spread if self.within is None else np.max(spread, self.within, keepdims=True)

    def _is_past(self, actual: np.ndarray, tolerance: np.ndarray, factor: float) -> np.ndarray:
        """Return which elements no perturbation explains.

        For a discontinuous function each element must be near one of the results; otherwise its distance may be
        `factor` times the largest move.
        """
        expected = self.expected
        if table.jumps(self.evidence.case.name):
            near = [~farther(other, actual, tolerance) for other in (expected, *self.others)]
            return ~np.logical_or.reduce(near)
        bound = factor * self._spread() + tolerance
        past = farther(expected, actual, bound)
        flips = self._flips()
        if (past & flips).any():
            reached = [self._is_reached(other, actual, bound) for other in self.others]
            past = past & ~(flips & np.logical_or.reduce([*reached, self._are_parts_reached(actual, bound)]))
        past = past & ~self._is_lost(actual)
        return past & ~self._is_rounded(actual, tolerance) if past.any() else past

    def _is_rounded(self, actual: np.ndarray, tolerance: np.ndarray) -> np.ndarray:
        """Return which elements are no farther from NumPy's results in all rounding modes than these are apart, where
        these are finite and leave a digit.
        """
        results = [self.unmoved, *self._take(self.evidence.rounded)]
        if any(result.dtype != actual.dtype for result in results):
            return np.zeros(self.expected.shape, bool)
        results = [ulp.widest(result) for result in results]
        is_near = np.ones(self.expected.shape, bool)
        for part, result in zip(parts_of(np.stack(results)), parts_of(ulp.widest(actual)), strict=True):
            least, most = part.min(0), part.max(0)
            with np.errstate(all="ignore"):
                width = most - least
                is_telling = np.isfinite(width) & ((width < np.maximum(np.abs(least), np.abs(most))) | (width == 0))
                is_near &= is_telling & (result >= least - width - tolerance) & (result <= most + width + tolerance)
        return is_near

    def _is_reached(self, other: np.ndarray, actual: np.ndarray, bound: np.ndarray) -> np.ndarray:
        """Return where the result has the class of a perturbed one, and is near it if finite.

        If NumPy's own result is not finite, "near" means within the perturbed result's magnitude.
        """
        size = np.abs(ulp.widest(np.where(np.isfinite(other), other, 0)))
        return ~farther(other, actual, np.where(np.isfinite(self.expected), bound, size))

    def _are_parts_reached(self, actual: np.ndarray, bound: np.ndarray) -> np.ndarray:
        """Return where a complex result is infinite, and each part is that of some result, perturbed or not, or zero
        between infinities of both signs; or where results are infinite and zero, so that no digit is left.
        """
        if self.expected.dtype.kind != "c":
            return np.zeros(self.expected.shape, bool)
        results = np.stack([self.expected, *self.others])
        near = []
        for part, result in ((results.real, actual.real), (results.imag, actual.imag)):
            is_between = (result == 0) & (part == np.inf).any(0) & (part == -np.inf).any(0)
            near.append(is_between | (~farther(part, result, bound)).any(0))
        is_lost = np.isinf(results).any(0) & (results == 0).any(0)
        return (near[0] & near[1] | is_lost) & np.isinf(actual) & ~np.isnan(actual)
