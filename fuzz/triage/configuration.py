"""The table [tool.fuzz] of pyproject.toml: its keys, and the differences that a project means."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from difflib import get_close_matches
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, Protocol

from fuzz.triage.ledger import Finding
from fuzz.triage.untrusted_input import find_misfit
from oracle.harness import CONFIGURATION, UnfitConfiguration, read_table

PATH = re.compile(r"[^\0]+")
FORMS: Mapping[str, Any] = {
    "subject": str,
    "setup": str,
    "modes": [str],
    "devices": [str],
    "names": [str],
    "baseline": PATH,
    "history": PATH,
    "values-only": bool,
    "signatures": str,
    "fail-on": str,
    "by-design": [{"name": str, "why": str}],
}
ENTRY = {"name": str, "kind": str, "symptom": str, "why": str, "until": date}
"""The keys of an entry of by-design; those for kind, symptom and expiry may be missing."""


class HasKind(Protocol):
    """Protocol of a finding, and of a difference in one case."""

    @property
    def name(self) -> str: ...

    @property
    def kind(self) -> str: ...

    @property
    def symptom(self) -> str: ...


@dataclass(frozen=True)
class ByDesignEntry:
    """A difference that a project means: of functions by name or glob, of a kind and a symptom, until a date."""

    name: str
    why: str
    kind: str = ""
    symptom: str = ""
    until: date | None = None

    def covers(self, finding: HasKind, today: date) -> bool:
        """Return whether a finding is meant."""
        is_alike = self.kind in ("", finding.kind) and self.symptom in ("", finding.symptom)
        return fnmatchcase(finding.name, self.name) and is_alike and (self.until is None or today <= self.until)


def read_configuration(path: Path = CONFIGURATION) -> dict[str, Any]:
    """Return the table, empty if there is none. Raises UnfitConfiguration for a key or a value that it cannot have."""
    table = read_table(path)
    for key, value in table.items():
        if key not in FORMS:
            raise UnfitConfiguration(f"{path}: [tool.fuzz] has no key {key!r}{_suggest(key, FORMS)}")
        if wrong := find_misfit(value, FORMS[key], key):
            raise UnfitConfiguration(f"{path}: [tool.fuzz] {wrong}")
    read_by_design(table)  # before a run begins that would end with it
    return table


def read_by_design(table: Mapping[str, Any]) -> list[ByDesignEntry]:
    """Return the entries of by-design. Raises UnfitConfiguration for a key or a value that one cannot have."""
    for entry in table.get("by-design", ()):
        unknown = entry.keys() - ENTRY.keys()
        wrong = f"it has no key {min(unknown)!r}{_suggest(min(unknown), ENTRY)}" if unknown else ""
        wrong = wrong or find_misfit(entry, {key: ENTRY[key] for key in entry}, "an entry")
        wrong = wrong or ("until is a time, not a day" if isinstance(entry.get("until"), datetime) else "")
        if wrong:
            raise UnfitConfiguration(f"{CONFIGURATION}: [[tool.fuzz.by-design]] {wrong}")
    return [ByDesignEntry(**entry) for entry in table.get("by-design", ())]


def covers_any(entries: Sequence[ByDesignEntry], difference: HasKind) -> bool:
    """Return whether a difference is meant by one of the entries today."""
    today = datetime.now(UTC).date()
    return any(entry.covers(difference, today) for entry in entries)


def accept_by_design(findings: Iterable[Finding], entries: Sequence[ByDesignEntry]) -> int:
    """Mark the findings that are meant as known, and return how many were not."""
    meant = [one for one in findings if not one.known and covers_any(entries, one)]
    for finding in meant:
        finding.known = True
    return len(meant)


def _suggest(key: str, known: Iterable[str]) -> str:
    close = get_close_matches(key, list(known), n=3)
    return f"; did you mean {' or '.join(close)}?" if close else f"; there are {', '.join(known)}"
