"""Findings about programs: one for each op, mode, kind of departure and class of dtypes."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from fuzz.tensorflow_subject.trials import Found


@dataclass(frozen=True)
class MinimalProgram:
    """The minimal program in the form that the archive writes."""

    text: str

    def json(self) -> str:
        """Return the text of the program's case file."""
        return self.text


@dataclass
class ProgramFinding:
    """A distinct finding about a program."""

    found: Found
    index: int
    known: bool = False
    count: int = 1
    reproduced: bool | None = None

    @property
    def key(self) -> tuple[str, ...]:
        """The key that makes it distinct."""
        found = self.found
        return (found.way, found.kind, found.symptom, ">".join(found.ops), "+".join(found.passes), found.dtype)

    @property
    def id(self) -> str:
        """An identifier that is the same in every run."""
        return "f-" + hashlib.sha256("|".join(self.key).encode()).hexdigest()[:10]

    @property
    def minimal(self) -> MinimalProgram:
        """The minimal program."""
        return MinimalProgram(self.found.program)

    def list_cases(self) -> dict[str, MinimalProgram]:
        """Return the minimal program by its file in a run's directory."""
        return {f"cases/{self.id}.json": self.minimal}

    @property
    def repro(self) -> str:
        """The path of its script."""
        return f"repros/{self.id}.py" if self.reproduced else ""

    @property
    def root(self) -> str:
        """The cause: mode, Grappler pass, and the ops of the minimal program."""
        passes = f", {' or '.join(self.found.passes)}" if self.found.passes else ""
        return f"{' > '.join(self.found.ops)} ({self.found.way}{passes})"

    def data(self) -> dict[str, Any]:
        """Return the line of findings.jsonl."""
        found = self.found
        others = [way for group in found.agreement if found.way in group for way in group if way != "NumPy"]
        outputs = None
        if found.agreement and found.expected is not None and found.actual is not None:
            outputs = {
                "mode": found.way,
                "expected": found.expected,
                "actual": found.actual,
                "agreement": found.agreement,
            }
        return {
            "id": self.id,
            "name": found.op,
            "kind": found.kind,
            "modes": list(dict.fromkeys([found.way, *others])),
            "attribution": self.attribution,
            "outputs": outputs,
            "dtype": found.dtype,
            "detail": found.detail,
            "message": "",
            "structure": "",
            "minimal": found.source,
            "case": f"cases/{self.id}.json",
            "others": [],
            "repro": self.repro,
            "reproduced": self.reproduced,
            "reduced": found.reduced,
            "known": self.known,
            "count": self.count,
            "index": self.index,
            "sibling": 0,
            "root": self.root,
            "symptom": found.symptom,
            "passes": list(found.passes),
        }

    @property
    def attribution(self) -> str:
        """The op at fault, the mode, and the pass that rewrites it."""
        passes = f", by {' or '.join(self.found.passes)}" if self.found.passes else ""
        node = f", node {self.found.node}" if self.found.node else ""
        return f"tf.{self.found.op} in {self.found.way}{passes}{node}"


def write_issue(finding: ProgramFinding, script: str, versions: Mapping[str, str]) -> str:
    """Return a text for the issue tracker: what is wrong, where, and a script that shows it."""
    found = finding.found
    agreement = " ≠ ".join(" = ".join(group) for group in found.agreement)
    lines = [
        f"# tf.{found.op}: {found.symptom} ({found.way}, {found.dtype})",
        "",
        f"`{found.source}`: {found.detail}.",
        "",
        f"- Op: {finding.attribution}",
        f"- Dtypes: {found.dtype}",
        *([f"- Answers: {agreement}"] if agreement else []),
        f"- Versions: {', '.join(f'{name} {version}' for name, version in versions.items())}; CPU",
        "",
        "The script exits with 1 while the bug is there.",
        "",
        "```python",
        script.rstrip("\n"),
        "```",
        "",
    ]
    return "\n".join(lines)


class ProgramLedger:
    """Findings by key, in the order of their entry."""

    def __init__(self, known: Collection[str] = ()) -> None:
        self.findings: dict[tuple[str, ...], ProgramFinding] = {}
        self._known = known

    def enter(self, found: Found, index: int) -> tuple[ProgramFinding, bool]:
        """Return the entry for a finding, and whether it is new."""
        finding = ProgramFinding(found, index)
        entry = self.findings.get(finding.key)
        if entry is not None:
            entry.count += 1
            return entry, False
        finding.known = finding.id in self._known
        self.findings[finding.key] = finding
        return finding, True

    def rows(self) -> list[dict[str, Any]]:
        """Return the lines of findings.jsonl, which are the same in every run with the same findings."""
        found = sorted(self.findings.values(), key=lambda finding: finding.key)
        return [json.loads(json.dumps(finding.data())) for finding in found]
