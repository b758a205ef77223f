"""Baselines: findings that are accepted until a date. A run fails only for findings that are new or expired.

An entry has the finding's minimal cases, so that they can be judged again: see `fuzz.triage.records`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

from fuzz.triage.ledger import Mark
from fuzz.triage.records import Record
from fuzz.triage.untrusted_input import CASE, FINDING_ID, KIND, MODE, SETUP, read_data, read_text
from oracle import Case

FORMAT = 2
ENTRY: dict[str, Any] = {"id": FINDING_ID, "name": str, "kind": KIND, "modes": [MODE], "until": str, "why": str}
LATER: dict[str, Any] = {"symptom": str, "detail": str, "cases": [CASE]}
"""What entries of format 1 do not have. Their ids are those of format 1, too: see `Finding.first_id`."""

FORMS = {
    1: {"entries": [ENTRY]},
    FORMAT: {"subject": str, "setup": SETUP, "entries": [ENTRY | LATER]},
}


class UnfitBaseline(ValueError):
    """The file is not a baseline."""


@dataclass(frozen=True)
class Baseline:
    """The entries by the id of their finding, and the date on which they are evaluated; the subject that was judged,
    and the function that set it up, as far as they are known.
    """

    entries: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    today: date = field(default_factory=lambda: datetime.now(UTC).date())
    subject: str = ""
    setup: str = ""

    @property
    def known(self) -> frozenset[str]:
        """The ids that are accepted on that date."""
        return frozenset(key for key, entry in self.entries.items() if not self.is_expired(entry))

    @property
    def marks(self) -> frozenset[Mark]:
        """What findings are known by that are accepted on that date."""
        return frozenset((key, self.entries[key]["name"], self.entries[key]["kind"]) for key in self.known)

    def is_expired(self, entry: Mapping[str, Any]) -> bool:
        """Return whether the date is past the entry's last day."""
        return date.fromisoformat(entry["until"]) < self.today

    def list_known(self) -> list[Record]:
        """Return the findings with their cases, expired ones too."""
        return [
            Record(
                *(entry["id"], entry["name"], entry["kind"], tuple(entry["modes"])),
                cases=tuple(Case.from_json(json.dumps(case)) for case in entry.get("cases", ())),
                symptom=entry.get("symptom", ""),
                detail=entry.get("detail", ""),
            )
            for entry in self.entries.values()
        ]

    def complaints(self, findings: Iterable[Mapping[str, Any]]) -> list[str]:
        """Return a line for each of the findings whose entry has expired."""
        found = [self.entries[row["id"]] for row in findings if row["id"] in self.entries]
        return [
            f"expired  {entry['id']} {entry['name']} {entry['kind']}: accepted until {entry['until']}"
            for entry in found
            if self.is_expired(entry)
        ]

    def with_findings(
        self,
        findings: Iterable[Mapping[str, Any]],
        until: date,
        why: str,
        cases: Mapping[str, Sequence[Case]] | None = None,
    ) -> Baseline:
        """Return the baseline with these findings added, and with their cases by id; those that are new or expired are
        accepted until `until`.
        """
        entries = dict(self.entries)
        for row in findings:
            if row["id"] not in self.known:
                own = {key: row[key] for key in ("id", "name", "kind", "modes")}
                own |= {key: row.get(key, "") for key in ("symptom", "detail")}
                own |= {"until": until.isoformat(), "why": why}
                stored = [json.loads(case.json()) for case in (cases or {}).get(row["id"], ())]
                entries[row["id"]] = own | {"cases": stored}
        return replace(self, entries=entries)

    def without(self, ids: Collection[str]) -> Baseline:
        """Return the baseline without these entries."""
        return replace(self, entries={key: entry for key, entry in self.entries.items() if key not in ids})

    def text(self) -> str:
        """Return the text of the baseline's file: an entry a line, so that changes can be read."""
        entries: Sequence[Any] = sorted(self.entries.values(), key=lambda entry: (entry["name"], entry["id"]))
        head = {"format": FORMAT, "subject": self.subject, "setup": self.setup}
        lines = ",\n".join(json.dumps(entry) for entry in entries)
        return f'{json.dumps(head)[:-1]}, "entries": [\n{lines}\n]}}\n'


def holds_baseline(path: Path) -> bool:
    """Return whether a file of JSON holds a baseline, and not a case."""
    return re.match(r'\s*\{\s*"format"\s*:\s*\d', read_text(path)) is not None


def read_baseline(path: Path) -> Baseline:
    """Read the baseline in a file, of this format or of the first. Raises UnfitBaseline."""
    try:
        known = read_data(path, {"format": int})["format"]
        if known not in FORMS:
            raise UnfitBaseline(f"{path} has format {known}; this version reads formats 1 and {FORMAT}")
        data = read_data(path, FORMS[known])
        for entry in data["entries"]:
            date.fromisoformat(entry["until"])
        entries = {entry["id"]: entry for entry in data["entries"]}
        found = Baseline(entries, subject=data.get("subject", ""), setup=data.get("setup", ""))
        found.list_known()
    except UnfitBaseline:
        raise
    except ValueError as error:
        raise UnfitBaseline(f"{path} is not a baseline: {error}") from None
    return found
