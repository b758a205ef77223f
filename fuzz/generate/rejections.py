"""Rejected calls: how many of the calls drawn of a name NumPy rejects, by class, and for which reasons."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container
from dataclasses import dataclass, field
from typing import Any

from fuzz.generate.call_classes import INVALID
from fuzz.generate.calls import draw_call
from fuzz.generate.choices import SeedChoices
from fuzz.generate.coverage_gaps import quiet
from oracle import run_numpy
from oracle.harness import step

DRAWS = 200
MOST_REASONS = 3
LONGEST_REASON = 90


@dataclass
class Rejections:
    """The calls of a name, and those that NumPy rejected, by class; the messages for calls that were meant to be
    valid.
    """

    name: str
    drawn: Counter[str] = field(default_factory=Counter)
    rejected: Counter[str] = field(default_factory=Counter)
    reasons: Counter[str] = field(default_factory=Counter)

    @property
    def share(self) -> float:
        """The share of all calls that NumPy rejects."""
        return self.rejected.total() / self.drawn.total() if self.drawn else 0.0

    @property
    def unintended(self) -> float:
        """The share of the calls meant to be valid that NumPy rejects."""
        meant = self.drawn.total() - self.drawn[INVALID]
        return (self.rejected.total() - self.rejected[INVALID]) / meant if meant else 0.0

    def data(self) -> dict[str, Any]:
        """Return the counts as JSON-serializable data."""
        return {"drawn": self.drawn, "rejected": self.rejected, "reasons": dict(self.reasons.most_common(MOST_REASONS))}


def count_rejections(bench: Any, task: tuple[str, Container[str]]) -> Rejections:
    """Draw calls of a name from the first seeds, and let NumPy judge them, without the steps in `task` in which NumPy
    hangs or crashes. Runs in a worker.
    """
    name, excluded = task
    found = Rejections(name)
    with quiet():
        for seed in range(DRAWS):
            if f"{name} {seed}" in excluded:
                continue
            step(f"{name} {seed}")
            call = draw_call(SeedChoices(seed), name)
            answer = run_numpy(call.case)
            found.drawn[call.call_class] += 1
            if not answer.ok:
                found.rejected[call.call_class] += 1
                if call.fault is None:
                    found.reasons[str(answer.error)[:LONGEST_REASON]] += 1
    return found
