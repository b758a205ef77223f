"""The ledger of findings: one entry for each distinct disagreement, however often it was seen."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from fuzz.sightings import find_parameter
from fuzz.triage.severity import classify_finding
from oracle import Case

FINDING = {"id": str, "name": str, "kind": str, "modes": [str], "dtype": str, "detail": str, "case": str, "repro": str}
FINDING |= {"reproduced": (bool, type(None)), "reduced": bool, "known": bool, "count": int, "index": int}
FINDING |= {"sibling": int, "attribution": str, "message": str}
"""What a line of findings.jsonl must have, for a run to go on with it."""


@dataclass
class Finding:
    """A distinct disagreement, with the smallest case that shows it."""

    name: str
    kind: str
    modes: tuple[str, ...]
    dtype: str
    detail: str
    minimal: Case
    index: int = 0
    sibling: int = 0
    count: int = 1
    reduced: bool = True
    reproduced: bool | None = None
    known: bool = False
    repro: str = ""
    attribution: str = ""
    outputs: str = ""
    message: str = ""

    @property
    def key(self) -> tuple[str, ...]:
        """The key that makes the finding distinct: name, kind, modes, dtype class, and the parameter that a subject
        lacks. Such a parameter is lacking in every mode, so that modes do not matter then.
        """
        parameter = find_parameter(self.detail)
        return (self.name, self.kind, "" if parameter else "+".join(self.modes), self.dtype, parameter)

    @cached_property
    def id(self) -> str:
        """An identifier that is the same in every run: a digest of the key."""
        return "f-" + hashlib.sha256("|".join(self.key).encode()).hexdigest()[:10]

    def data(self) -> dict[str, Any]:
        """Return the finding as a line of findings.jsonl, which can be read by itself."""
        return {
            "id": self.id,
            "name": self.name,
            "kind": self.kind,
            "call_class": classify_finding(self.kind, self.minimal),
            "modes": list(self.modes),
            "attribution": self.attribution,
            "outputs": json.loads(self.outputs) if self.outputs else None,
            "dtype": self.dtype,
            "detail": self.detail,
            "message": self.message,
            "minimal": str(self.minimal),
            "case": f"cases/{self.id}.json",
            "repro": self.repro,
            "reproduced": self.reproduced,
            "reduced": self.reduced,
            "known": self.known,
            "count": self.count,
            "index": self.index,
            "sibling": self.sibling,
        }

    @classmethod
    def from_data(cls, data: Mapping[str, Any], minimal: Case) -> Finding:
        """Return the finding of a line of the form FINDING, with the case that was read for it."""
        own = (
            "name",
            "kind",
            "dtype",
            "detail",
            "index",
            "sibling",
            "count",
            "reduced",
            "reproduced",
            "known",
            "repro",
        )
        fields = {key: data[key] for key in (*own, "attribution", "message")}
        outputs = json.dumps(data["outputs"]) if data.get("outputs") else ""
        return cls(modes=tuple(data["modes"]), minimal=minimal, outputs=outputs, **fields)


class Ledger:
    """Findings by key. The order of entries decides about the ledger's content, nothing else does."""

    def __init__(self, known: Iterable[str] = ()) -> None:
        self._findings: dict[tuple[str, ...], Finding] = {}
        self._known = frozenset(known)

    def __iter__(self) -> Iterator[Finding]:
        return iter(sorted(self._findings.values(), key=lambda finding: finding.key))

    def __len__(self) -> int:
        return len(self._findings)

    def enter(self, finding: Finding) -> tuple[Finding, bool]:
        """Return the entry for a finding and whether it is new; an entry that exists is counted once more."""
        entry = self._findings.get(finding.key)
        if entry is not None:
            entry.count += finding.count
            return entry, False
        finding.known = finding.id in self._known
        self._findings[finding.key] = finding
        return finding, True

    def restore(self, findings: Iterable[Finding]) -> None:
        """Restore findings of an earlier process."""
        for finding in findings:
            self.enter(finding)

    def by_kind(self) -> dict[str, int]:
        """Return the number of findings of each kind."""
        counts: dict[str, int] = {}
        for finding in self:
            counts[finding.kind] = counts.get(finding.kind, 0) + 1
        return counts
