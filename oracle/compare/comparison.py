"""Comparisons: the deviations of an outcome, and what was allowed or undecided."""

from __future__ import annotations

from dataclasses import dataclass, field

from oracle.case.model import Case
from oracle.equality.deviation import Deviation
from oracle.harness_faults import HarnessFault
from oracle.reference.outcome import Outcome

NO_ANSWER = "NumPy has no answer"


@dataclass(frozen=True, slots=True)
class CallDeviation:
    """A deviation of a part of a program by itself: what was expected of that, and its outcome."""

    case: Case
    expected: Outcome
    actual: Outcome
    deviation: Deviation


@dataclass(slots=True)
class Comparison:
    """The deviations of one outcome, those of `parts` of a program of ops, and what was allowed or undecided.

    `allowed` holds ids of allowances, each with the kind of the accepted one. `undecided` says why the outcome
    could not be judged completely; it is empty if it could. `harness_faults` are exceptions of the judge's own code.
    """

    deviations: list[Deviation] = field(default_factory=list)
    parts: list[CallDeviation] = field(default_factory=list)
    allowed: list[tuple[str, str]] = field(default_factory=list)
    undecided: str = ""
    harness_faults: list[HarnessFault] = field(default_factory=list)

    @property
    def deviation(self) -> Deviation | None:
        """The first deviation, or None."""
        return self.deviations[0] if self.deviations else None
