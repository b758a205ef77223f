"""Records: findings that are known, and cases that are kept; judged again, each has a status.

A record is still there, changed, fixed, back, or cannot be judged.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from fuzz.differences import SIGNATURE, Difference, find_parameter
from fuzz.triage.ledger import Finding
from fuzz.triage.root_cause import rank_kind
from fuzz.triage.untrusted_input import KIND
from oracle import Case
from oracle.harness import make_line

REGRESSED, CHANGED, STILL, UNDECIDED, FIXED = STATUSES = ("regressed", "changed", "still", "undecided", "fixed")
"""What may have become of a finding, the worst first: a fixed one is back; another bug shows in its cases; it is as it
was; it cannot be judged, or no case of it was stored; all its cases agree.
"""


@dataclass(frozen=True)
class Record:
    """A finding of an earlier run with its minimal cases, or a case that was kept. Of a case file no kind is known.

    One that `is_fixed` should not be there any more, but in the modes that `open` has a reason for; what is `flaky` may
    show in a mode, what is `slow` is not judged there. Judged again it has a `status`, the modes in which it was
    judged, and in `seen` what its cases show; `trouble` says why it could not be judged.
    """

    id: str
    name: str
    kind: str
    modes: tuple[str, ...]
    cases: tuple[Case, ...] = ()
    symptom: str = ""
    detail: str = ""
    is_fixed: bool = False
    since: str = ""
    why: str = ""
    open: Mapping[str, str] = field(default_factory=dict)
    flaky: Mapping[str, str] = field(default_factory=dict)
    slow: Mapping[str, str] = field(default_factory=dict)
    status: str = ""
    seen: tuple[Difference, ...] = ()
    trouble: str = ""

    @property
    def case(self) -> Case:
        """The only case, or the smallest one."""
        return self.cases[0]

    @property
    def shown(self) -> str:
        """What its cases show, in a line, or why that is not known."""
        alike = next((one for one in self.seen if self.resembles(one)), None)
        found = alike or next(iter(self.seen), None)
        return make_line(f"{found.kind}: {found.detail}") if found is not None else self.trouble

    @property
    def order(self) -> tuple[Any, ...]:
        """A sort key, the worst first."""
        return (STATUSES.index(self.status), rank_kind(self.kind), self.name, self.id)

    def resembles(self, difference: Difference) -> bool:
        """Return whether a difference in one of its cases is this finding: of its kind, about the same parameter, with
        its symptom, if these are known. A call with a parameter that a signature lacks shows as an error about it, or
        as a TypeError that names none, as functions written in C raise.
        """
        if not self.kind:
            return True
        parameter, shown = find_parameter(self.detail), find_parameter(difference.detail)
        if self.kind == SIGNATURE and not shown:
            return (
                bool(parameter) and difference.kind == "spurious error" and difference.detail.startswith("TypeError: ")
            )
        if self.kind == SIGNATURE or (self.detail and parameter != shown):
            return bool(parameter) and parameter == shown
        return self.kind == difference.kind and self.symptom in ("", difference.symptom)

    def list_texts(self) -> dict[str, str]:
        """Return by mode what its cases show."""
        found: dict[str, str] = {}
        for difference in self.seen:
            for mode in difference.modes:
                text = f"{difference.kind}: {difference.detail}"
                found[mode] = f"{found[mode]}; {text}" if mode in found else text
        return found

    def list_back(self) -> dict[str, str]:
        """Return the modes in which it differs although it is neither open nor flaky there, with what differs."""
        return {mode: text for mode, text in self.list_texts().items() if mode not in {*self.open, *self.flaky}}

    def list_changes(self) -> list[str]:
        """Return a line for each mode in which it is not as it is recorded."""
        shown = self.list_texts()
        mended = [mode for mode in self.modes if mode in self.open and mode not in shown and mode not in self.flaky]
        back = [f"{self.id} differs in {mode}: {text}" for mode, text in self.list_back().items()]
        return back + [f"{self.id} is mended in {mode}: remove it from `open`" for mode in mended]

    def data(self) -> dict[str, Any]:
        """Return it as summary.json has it."""
        return {"id": self.id, "name": self.name, "kind": self.kind, "status": self.status, "shown": self.shown}


REJUDGED: dict[str, Any] = {"id": str, "name": str, "kind": KIND, "status": frozenset(STATUSES), "shown": str}
"""The form of a record that was judged again, in a run's files."""


def make_record(finding: Finding) -> Record:
    """Return a finding of a run as one that is known."""
    cases = tuple(finding.list_cases().values())
    return Record(finding.id, finding.name, finding.kind, finding.modes, cases, finding.symptom, finding.detail)


def decide_status(
    record: Record, seen: Sequence[Difference] | None, modes: Sequence[str] | None = None, trouble: str = ""
) -> Record:
    """Return the record with what has become of it, from all that its cases show now, in these modes, by default its
    own; None if they could not be judged.
    """
    if seen is None or not record.cases:
        return replace(record, status=UNDECIDED, trouble=trouble if record.cases else "no case is stored")
    judged = replace(record, seen=tuple(seen), modes=record.modes if modes is None else tuple(modes))
    return replace(judged, status=_find_status(judged))


def _find_status(judged: Record) -> str:
    if judged.is_fixed:
        is_open = any(mode in judged.open for mode in judged.list_texts())
        return REGRESSED if judged.list_back() else STILL if is_open else FIXED
    if not judged.seen:
        return FIXED
    return STILL if any(map(judged.resembles, judged.seen)) else CHANGED


def describe_statuses(statuses: Iterable[str]) -> str:
    """Return how many there are of each status: "3 known: 1 changed, 2 still"."""
    counts: Mapping[str, int] = Counter(statuses)
    parts = [f"{counts[status]} {status}" for status in STATUSES if counts.get(status)]
    return f"{sum(counts.values())} known: {', '.join(parts)}" if parts else "nothing known"
