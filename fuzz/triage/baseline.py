"""Baselines: findings that are accepted until a date. A run fails only for findings that are new or expired."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

from fuzz.triage.untrusted_input import read_data

FORMAT = 1
ENTRY = {"id": str, "name": str, "kind": str, "modes": [str], "until": str, "why": str}
FORM = {"format": int, "entries": [ENTRY]}


class UnfitBaseline(ValueError):
    """The file is not a baseline."""


@dataclass(frozen=True)
class Baseline:
    """The entries by the id of their finding, and the date on which they are evaluated."""

    entries: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    today: date = field(default_factory=lambda: datetime.now(UTC).date())

    @property
    def known(self) -> frozenset[str]:
        """The ids that are accepted on that date."""
        return frozenset(key for key, entry in self.entries.items() if not self.is_expired(entry))

    def is_expired(self, entry: Mapping[str, Any]) -> bool:
        """Return whether the date is past the entry's last day."""
        return date.fromisoformat(entry["until"]) < self.today

    def complaints(self, findings: Iterable[Mapping[str, Any]]) -> list[str]:
        """Return a line for each of the findings whose entry has expired."""
        found = [self.entries[row["id"]] for row in findings if row["id"] in self.entries]
        return [
            f"expired  {entry['id']} {entry['name']} {entry['kind']}: accepted until {entry['until']}"
            for entry in found
            if self.is_expired(entry)
        ]

    def with_findings(self, findings: Iterable[Mapping[str, Any]], until: date, why: str) -> Baseline:
        """Return the baseline with these findings added; those that are new or expired are accepted until `until`."""
        entries = dict(self.entries)
        for row in findings:
            if row["id"] not in self.known:
                own = {key: row[key] for key in ("id", "name", "kind", "modes")}
                entries[row["id"]] = own | {"until": until.isoformat(), "why": why}
        return Baseline(entries, self.today)

    def text(self) -> str:
        """Return the text of the baseline's file."""
        entries: Sequence[Any] = sorted(self.entries.values(), key=lambda entry: (entry["name"], entry["id"]))
        return json.dumps({"format": FORMAT, "entries": entries}, indent=1) + "\n"


def read_baseline(path: Path) -> Baseline:
    """Read the baseline in a file. Raises UnfitBaseline."""
    try:
        data = read_data(path, FORM)
        for entry in data["entries"]:
            date.fromisoformat(entry["until"])
    except ValueError as error:
        raise UnfitBaseline(f"{path} is not a baseline: {error}") from None
    if data["format"] != FORMAT:
        raise UnfitBaseline(f"{path} has format {data['format']}; this version reads format {FORMAT}")
    return Baseline({entry["id"]: entry for entry in data["entries"]})
