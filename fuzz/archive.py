"""The directory that a run leaves behind: `cases/` and `repros/` while it goes on, and its lines of data at its end."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from fuzz.events import Found, Reproduced, Stopped
from fuzz.findings import Finding

DEFAULT = Path("fuzz-out")


class OccupiedDirectory(ValueError):
    """The directory holds what another run has left."""


class Archive:
    """One run's directory."""

    def __init__(self, root: Path) -> None:
        self.root = root

    @classmethod
    def make(cls, out: Path | None = None) -> Archive:
        """Make the directory for a run: `out`, which must be empty, or the next free number under `fuzz-out`.

        Raises OccupiedDirectory rather than mix two runs.
        """
        if out is None:
            return cls(_numbered())
        if out.exists() and (not out.is_dir() or any(out.iterdir())):
            raise OccupiedDirectory(f"{out} is not empty: give another --out, or remove it")
        out.mkdir(parents=True, exist_ok=True)
        return cls(out)

    def watch(self, event: Any) -> None:
        """Observe a campaign: write down what it finds when it finds it, so that nothing can lose it."""
        if isinstance(event, Found):
            self.keep(event.finding)
        elif isinstance(event, Reproduced):
            self.keep(event.finding, event.source)
        elif isinstance(event, Stopped):
            self.conclude(event.summary.data())

    def keep(self, finding: Finding, source: str = "") -> None:
        """Write down a finding's minimal case, and its script once that was seen to reproduce it."""
        self._write(f"cases/{finding.id}.json", finding.minimal.json() + "\n")
        if source and finding.reproduced:
            self._write(finding.repro, source)

    def conclude(self, summary: dict[str, Any]) -> None:
        """Write summary.json, and findings.jsonl with a line for each finding."""
        self._write("summary.json", json.dumps(summary, indent=1) + "\n")
        self._write("findings.jsonl", "".join(json.dumps(line) + "\n" for line in summary["findings"]))

    def _write(self, name: str, text: str) -> None:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def _numbered() -> Path:
    DEFAULT.mkdir(exist_ok=True)
    taken = [int(path.name) for path in DEFAULT.iterdir() if path.name.isdecimal()]
    number = max(taken, default=0) + 1
    while True:
        path = DEFAULT / f"{number:03}"
        try:
            path.mkdir()
        except FileExistsError:
            number += 1
        else:
            return path
