"""Known findings, judged again: whether each is still there, changed, fixed, or back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from fuzz.differences import SIGNATURE, Difference, find_parameter
from fuzz.triage.root_cause import rank_kind
from fuzz.triage.untrusted_input import KIND
from oracle.harness import AnyCase, make_line

REGRESSED, CHANGED, STILL, UNDECIDED, FIXED = STATUSES = ("regressed", "changed", "still", "undecided", "fixed")
"""What may have become of a finding, the worst first: a fixed one is back; another bug shows in its cases; it is as it
was; it cannot be judged, or no case of it was stored; all its cases agree.
"""


@dataclass(frozen=True)
class KnownFinding:
    """A finding of an earlier run, with its minimal cases. One that `is_fixed` should not be there any more."""

    id: str
    name: str
    kind: str
    modes: tuple[str, ...]
    cases: tuple[AnyCase, ...] = ()
    symptom: str = ""
    detail: str = ""
    is_fixed: bool = False

    def resembles(self, difference: Difference) -> bool:
        """Return whether a difference in one of its cases is this finding: of its kind, about the same parameter, with
        its symptom, if that is known. A call with a parameter that a signature lacks shows as an error about it, or as
        a TypeError that names none, as functions written in C raise.
        """
        parameter, shown = find_parameter(self.detail), find_parameter(difference.detail)
        if self.kind == SIGNATURE and not shown:
            return (
                bool(parameter) and difference.kind == "spurious error" and difference.detail.startswith("TypeError: ")
            )
        if self.kind == SIGNATURE or parameter != shown:
            return bool(parameter) and parameter == shown
        return self.kind == difference.kind and self.symptom in ("", difference.symptom)


@dataclass(frozen=True)
class Rejudged:
    """The status of a known finding, and in `shown` what its cases show now, in a line."""

    known: KnownFinding
    status: str
    shown: str = ""

    @property
    def order(self) -> tuple[Any, ...]:
        """A sort key, the worst first."""
        known = self.known
        return (STATUSES.index(self.status), rank_kind(known.kind), known.name, known.id)

    def data(self) -> dict[str, Any]:
        """Return it as summary.json has it."""
        known = self.known
        return {"id": known.id, "name": known.name, "kind": known.kind, "status": self.status, "shown": self.shown}


REJUDGED: dict[str, Any] = {"id": str, "name": str, "kind": KIND, "status": frozenset(STATUSES), "shown": str}
"""The form of a known finding that was judged again, in a run's files."""


def decide_status(known: KnownFinding, differences: Sequence[Difference] | None) -> Rejudged:
    """Return what has become of a finding, from all that its cases show now; None if they could not be judged."""
    if differences is None or not known.cases:
        return Rejudged(known, UNDECIDED, "no case is stored" if not known.cases else "")
    if not differences:
        return Rejudged(known, FIXED)
    alike = next((one for one in differences if known.resembles(one)), None)
    shown = alike or differences[0]
    text = make_line(f"{shown.kind}: {shown.detail}")
    if known.is_fixed:
        return Rejudged(known, REGRESSED, text)
    return Rejudged(known, STILL if alike is not None else CHANGED, text)


def describe_statuses(statuses: Iterable[str]) -> str:
    """Return how many there are of each status: "3 known: 1 changed, 2 still"."""
    counts: Mapping[str, int] = Counter(statuses)
    parts = [f"{counts[status]} {status}" for status in STATUSES if counts.get(status)]
    return f"{sum(counts.values())} known: {', '.join(parts)}" if parts else "nothing known"
