"""What a run leaves behind: plain data, from which every report is made and can be made again."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

SUMMARY = "summary.json"

_SIDES = (
    re.compile(r"^(?P<where>.*?)\bexpected (?P<expected>.+?), got (?P<actual>.+)$", re.DOTALL),
    re.compile(r"^(?P<where>)NumPy raises (?P<expected>.+?); got (?P<actual>.+)$", re.DOTALL),
    re.compile(r"^(?P<where>)(?P<actual>.+); NumPy gives (?P<expected>.+)$", re.DOTALL),
)


@dataclass(frozen=True)
class Record:
    """A run's summary, as summary.json has it, and the scripts that show its findings, by finding."""

    summary: Mapping[str, Any]
    scripts: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def load(cls, directory: Path) -> Record:
        """The record of a run's directory. Raises OSError or ValueError where there is none."""
        summary = json.loads((directory / SUMMARY).read_text())
        scripts = {row["id"]: (directory / row["repro"]).read_text() for row in summary["findings"] if row["repro"]}
        return cls(summary, scripts)

    @property
    def findings(self) -> Sequence[Mapping[str, Any]]:
        """The findings, as lines of findings.jsonl have them."""
        return self.summary["findings"]

    @property
    def new(self) -> list[Mapping[str, Any]]:
        """The findings that nobody has accepted."""
        return [row for row in self.findings if not row.get("known")]

    @property
    def by_name(self) -> dict[str, list[Mapping[str, Any]]]:
        """The findings of each name, in the order of the alphabet."""
        groups: dict[str, list[Mapping[str, Any]]] = {}
        for row in sorted(self.findings, key=lambda row: (row["name"].lower(), row["kind"], row["id"])):
            groups.setdefault(row["name"], []).append(row)
        return groups

    @property
    def by_kind(self) -> dict[str, int]:
        """How many findings there are of each kind, most first."""
        return dict(Counter(row["kind"] for row in self.findings).most_common())

    @property
    def complaints(self) -> Sequence[str]:
        """Accepted divergences that are gone or expired."""
        return self.summary.get("stale", ())

    @property
    def headline(self) -> str:
        """The verdict in a line."""
        subject, interrupted = self.summary["subject"], " so far" if self.summary.get("interrupted") else ""
        if not self.summary.get("cases"):
            return f"{subject}: nothing was judged"
        known = len(self.findings) - len(self.new)
        tail = f" ({counted(known, 'known one')})" if known else ""
        if not self.new and not self.complaints:
            return f"{subject} agrees with NumPy{interrupted}{tail}"
        names = len({row["name"] for row in self.new})
        parts = [f"{counted(len(self.new), 'disagreement')} in {counted(names, 'name')}{tail}"] if self.new else []
        parts += [counted(len(self.complaints), "stale divergence")] if self.complaints else []
        return f"{subject}: {', '.join(parts)}{interrupted}"

    @property
    def is_clean(self) -> bool:
        """Whether there is nothing to complain about."""
        return not self.new and not self.complaints


def counted(number: int, noun: str) -> str:
    """A number of things: "1 case", "1,204 cases"."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def sides(detail: str) -> tuple[str, str, str]:
    """Where in the result, what NumPy gives, and what the subject does, as a detail words it; or only the last."""
    for pattern in _SIDES:
        found = pattern.match(detail)
        if found:
            return found["where"].strip(), found["expected"], found["actual"]
    return "", "", detail


def duration(seconds: float) -> str:
    """Seconds as one says them: 42 s, 3 min 5 s, 1 h 2 min."""
    whole = round(seconds)
    if whole < 60:
        return f"{seconds:.1f} s" if seconds < 10 else f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600} h {whole % 3600 // 60} min"
