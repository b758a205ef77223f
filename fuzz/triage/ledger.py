"""The ledger of findings: one entry for each distinct difference, however often it was seen."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from fuzz.differences import DEATHS, choose_cheapest, find_parameter
from fuzz.triage.severity import classify_finding
from fuzz.triage.structure import outline_case
from fuzz.triage.untrusted_input import (
    CASE_FILE,
    ENCODED,
    FINDING_ID,
    KIND,
    LINES,
    LOCATION,
    MODE,
    SCRIPT_FILE,
    TIME,
    Default,
)
from oracle import Case
from oracle.harness import is_of_ops

EAGER = "eager"
Mark = tuple[str, str, str]
"""An id, a name and a kind."""

MOST_CASES = 5
"""How many minimal cases a finding keeps, at most."""

OUTPUTS = {"mode": str, "expected": dict, "actual": dict, "agreement": [[str, ...]]}
FINDING: dict[str, Any] = {
    "id": FINDING_ID,
    "name": str,
    "kind": KIND,
    "modes": [MODE, ...],
    "dtype": str,
    "detail": str,
}
FINDING |= {"case": CASE_FILE, "repro": SCRIPT_FILE, "reproduced": (bool, type(None)), "reduced": bool, "known": bool}
FINDING |= {
    "older": Default(bool, False),
    "first_seen": Default(TIME, ""),
    "location": Default(LOCATION, ""),
    "count": int,
    "index": int,
    "sibling": int,
    "attribution": str,
}
FINDING |= {"message": LINES, "symptom": str, "others": [CASE_FILE], "outputs": Default((OUTPUTS, type(None)), None)}
"""The form of a line of findings.jsonl, as far as a run goes on with it: the rest is made of its cases."""

DIFFERENCE: dict[str, Any] = {
    "index": int,
    "sibling": int,
    "name": str,
    "kind": KIND,
    "modes": [MODE, ...],
    "dtype": str,
}
DIFFERENCE |= {"detail": str, "case": ENCODED, "times": int, "fatal": bool, "attribution": str, "cold": bool}
DIFFERENCE |= {"message": LINES, "outputs": ENCODED, "symptom": str}
"""The form of a difference in state.json."""


@dataclass
class Finding:
    """A distinct difference, with the smallest case that shows it, and a few `others`, which differ in numbers.

    One that is `known` is accepted, an `older` one was there before the change that is judged: neither fails a run.
    `first_seen` is the start of the first run of a history that has seen it, in UTC, of ISO 8601. `location` is the
    file of the subject's function, relative to the run's directory, and the line: `../../mylib/arrays.py:7`.
    """

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
    older: bool = False
    first_seen: str = ""
    location: str = ""
    repro: str = ""
    attribution: str = ""
    outputs: str = ""
    message: str = ""
    symptom: str = ""
    others: list[Case] = field(default_factory=list)

    @cached_property
    def structure(self) -> str:
        """The structure of the minimal case; none if a parameter is lacking, or the process ended."""
        return "" if self.kind in DEATHS or find_parameter(self.detail) else outline_case(self.minimal)

    @property
    def call(self) -> Case:
        """The minimal case of a finding about a call of NumPy's API."""
        assert isinstance(self.minimal, Case)
        return self.minimal

    @property
    def root(self) -> str:
        """The cause of a finding about a program: its ops and the mode; that of a call is told by its detail."""
        mode = choose_cheapest(self.modes).partition("@")[0]
        return f"{outline_case(self.minimal)} ({mode})" if is_of_ops(self.minimal) else ""

    @property
    def key(self) -> tuple[str, ...]:
        """The key that makes the finding distinct: name, kind, symptom, dtype class, the structure of the minimal case,
        the mode if eager mode agrees, and the parameter that a subject lacks, which is lacking in every mode.
        """
        parameter, mode = find_parameter(self.detail), choose_cheapest(self.modes)
        mode = "" if parameter or mode == EAGER else mode
        return (self.name, self.kind, self.symptom, self.dtype, self.structure, mode, parameter)

    @cached_property
    def id(self) -> str:
        """An identifier that is the same in every run: a digest of the key."""
        return "f-" + hashlib.sha256("|".join(self.key).encode()).hexdigest()[:10]

    @property
    def first_id(self) -> str:
        """The id that it has in baselines of format 1, where it stands for every symptom."""
        parameter = find_parameter(self.detail)
        key = (self.name, self.kind, "" if parameter else "+".join(self.modes), self.dtype, parameter)
        return "f-" + hashlib.sha256("|".join(key).encode()).hexdigest()[:10]

    @property
    def marks(self) -> tuple[Mark, Mark]:
        """What an accepted finding is known by. Its name and kind are what people read: an entry that names others, and
        has the id of this one, is not of it.
        """
        return (self.id, self.name, self.kind), (self.first_id, self.name, self.kind)

    def list_cases(self) -> dict[str, Case]:
        """Return its minimal cases by their files in a run's directory."""
        numbered = enumerate(self.others, 2)
        return {f"cases/{self.id}.json": self.minimal} | {f"cases/{self.id}-{i}.json": one for i, one in numbered}

    def join(self, other: Finding) -> bool:
        """Count what was entered again, and add its minimal cases while there is room; return whether one is new."""
        self.count += other.count
        known = {one.id for one in (self.minimal, *self.others)}
        room = MOST_CASES - 1 - len(self.others) if self.reduced and other.reduced else 0
        new = [one for one in (other.minimal, *other.others) if one.id not in known][:room]
        self.others += new
        return bool(new)

    def data(self) -> dict[str, Any]:
        """Return the finding as a line of findings.jsonl, which can be read by itself."""
        return {
            "id": self.id,
            "name": self.name,
            "kind": self.kind,
            "call_class": classify_finding(self.kind, self.minimal, self.symptom),
            "modes": list(self.modes),
            "attribution": self.attribution,
            "outputs": json.loads(self.outputs) if self.outputs else None,
            "dtype": self.dtype,
            "detail": self.detail,
            "message": self.message,
            "symptom": self.symptom,
            "structure": self.structure,
            "minimal": str(self.minimal),
            **({"root": self.root} if self.root else {}),
            "case": f"cases/{self.id}.json",
            "others": list(self.list_cases())[1:],
            "repro": self.repro,
            "reproduced": self.reproduced,
            "reduced": self.reduced,
            "known": self.known,
            "older": self.older,
            **({"first_seen": self.first_seen} if self.first_seen else {}),
            **({"location": self.location} if self.location else {}),
            "count": self.count,
            "index": self.index,
            "sibling": self.sibling,
        }

    @classmethod
    def from_data(cls, data: Mapping[str, Any], minimal: Case, others: Iterable[Case] = ()) -> Finding:
        """Return the finding of a line of the form FINDING, with the cases that were read for it."""
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
        fields = {
            key: data[key] for key in (*own, "attribution", "message", "symptom", "older", "first_seen", "location")
        }
        outputs = json.dumps(data["outputs"]) if data["outputs"] else ""
        return cls(modes=tuple(data["modes"]), minimal=minimal, outputs=outputs, others=list(others), **fields)


class Ledger:
    """Findings by key. The order of entries decides about the ledger's content, nothing else does."""

    def __init__(self, known: Iterable[Mark] = ()) -> None:
        self._findings: dict[tuple[str, ...], Finding] = {}
        self._known = frozenset(known)

    def __iter__(self) -> Iterator[Finding]:
        return iter(sorted(self._findings.values(), key=lambda finding: finding.key))

    def __len__(self) -> int:
        return len(self._findings)

    def enter(self, finding: Finding) -> tuple[Finding, bool]:
        """Return the entry for a finding and whether it is new; an entry that exists is counted once more, and keeps
        the minimal case, too.
        """
        entry = self._findings.get(finding.key)
        if entry is not None:
            entry.join(finding)
            return entry, False
        finding.known = not self._known.isdisjoint(finding.marks)
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
