"""Comparisons: the deviations of an outcome, and what was allowed or undecided."""

from __future__ import annotations

from dataclasses import dataclass, field

from oracle.equality.deviation import Deviation
from oracle.harness_faults import HarnessFault

NO_ANSWER = "NumPy has no answer"


@dataclass(slots=True)
class Comparison:
    """The deviations of one outcome, and what was allowed or undecided.

    `allowed` holds ids of allowances, each with the kind of the accepted one. `undecided` says why the outcome
    could not be judged completely; it is empty if it could. `harness_faults` are exceptions of the judge's own code.
    """

    deviations: list[Deviation] = field(default_factory=list)
    allowed: list[tuple[str, str]] = field(default_factory=list)
    undecided: str = ""
    harness_faults: list[HarnessFault] = field(default_factory=list)

    @property
    def deviation(self) -> Deviation | None:
        """The first deviation, or None."""
        return self.deviations[0] if self.deviations else None
