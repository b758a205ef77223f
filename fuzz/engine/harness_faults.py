"""Harness faults of a run: what the judge's own code raised, or died of, by the location where it did."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from fuzz.differences import label_mode, parse_step
from fuzz.triage.untrusted_input import LINES
from oracle import Case
from oracle.harness import Death, HarnessFault, make_line

_SIBLING = re.compile(r".* of (\d+)$")


@dataclass(frozen=True)
class FaultRow:
    """One location, with the first case that showed it, as JSON, and how often it was seen.

    `part` is the id of an allowance, or the step in which a worker died.
    """

    location: str
    part: str
    error: str
    mode: str
    case: str
    count: int = 1

    def __post_init__(self) -> None:
        for key in ("location", "part", "error"):
            object.__setattr__(self, key, make_line(getattr(self, key)))


HARNESS_FAULT = {"location": str, "part": str, "error": str, "mode": str, "case": LINES, "count": int}


@dataclass
class HarnessFaults:
    """Harness faults by location."""

    rows: dict[str, FaultRow] = field(default_factory=dict)

    def add_raised(self, fault: HarnessFault) -> None:
        """Add an exception of the judge's own code."""
        mode = label_mode(str(fault.mode))
        self.add(FaultRow(fault.location, fault.part, str(fault.error), mode, write_case(fault.case)))

    def add_death(self, death: Death, case: Case | None) -> None:
        """Add the death of a worker in a step that runs nothing of the subject's."""
        text = "" if case is None else write_case(case)
        self.add(FaultRow(death.detail, death.step, f"{death.kind}: {death.detail}", "", text))

    def add(self, row: FaultRow) -> None:
        """Add what was seen at a location, beside what was seen there before."""
        first = self.rows.get(row.location, replace(row, count=0))
        self.rows[row.location] = replace(first, count=first.count + row.count)

    def merge(self, other: HarnessFaults) -> None:
        """Add the faults of another item, or of another part of the run."""
        for row in other.rows.values():
            self.add(row)

    def data(self) -> list[dict[str, Any]]:
        """Return the rows as summary.json has them, the most frequent first."""
        return [asdict(row) for row in sorted(self.rows.values(), key=lambda row: (-row.count, row.location))]

    @classmethod
    def from_data(cls, rows: Sequence[Mapping[str, Any]]) -> HarnessFaults:
        """Return the faults from rows of the form HARNESS_FAULT."""
        return cls({row["location"]: FaultRow(**row) for row in rows})


def write_case(case: Case) -> str:
    """Return the case as JSON; as text, if a part of it has no JSON."""
    try:
        return case.json()
    except (TypeError, ValueError):
        return str(case)


def find_dying_case(step: str) -> int | None:
    """Return the sibling that a step was about, of the subject or outside of it: "eager 2", "reference of 2"; None if
    it does not say so.
    """
    location, found = parse_step(step), _SIBLING.match(step)
    return location[1] if location is not None else int(found[1]) if found else None
