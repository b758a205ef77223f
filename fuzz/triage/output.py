"""The directory of a run, written while the run goes on, so that nothing is lost however it ends.

`run.json` has the options, from the start. For each finding `cases/`, `repros/` and a line of `findings.jsonl` are
written at once, and another line when more is known: the last line of an id counts. `state.json` is the checkpoint from
which the run can be resumed. `summary.json` and `cases.jsonl`, the findings as recorded cases, are written at the end.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from fuzz.triage.atomic_files import write_inside
from fuzz.triage.events import Found, Joined, Reproduced, Saved, Started, Stopped
from fuzz.triage.ledger import Finding
from fuzz.triage.recorded_cases import record_findings, render_recorded
from fuzz.triage.untrusted_input import CASE_FILE

DEFAULT = Path("fuzz-out")
RUN, STATE, SUMMARY, FINDINGS = "run.json", "state.json", "summary.json", "findings.jsonl"
RECORDED = "cases.jsonl"


class OccupiedDirectory(ValueError):
    """The directory holds another run, is being written to by another process, or cannot be created."""


class Archive:
    """The directory of one run. What cannot be written is kept in memory and tried again at the end.

    `notice` is called with the first problem, and with another only after everything could be written meanwhile.
    `scripts` holds the scripts of the findings that reproduce.
    """

    def __init__(self, root: Path, notice: Callable[[str], None] = lambda text: None) -> None:
        self.root = root
        self.scripts: dict[str, str] = {}
        self._notice = notice
        self._unwritten: dict[str, str] = {}
        self._is_reported = False
        self._lock: int | None = None

    @classmethod
    def make(cls, out: Path | None = None, notice: Callable[[str], None] = lambda text: None) -> Archive:
        """Create the directory for a run: `out`, which must be empty, or the next free number under `fuzz-out`.

        Raises OccupiedDirectory rather than mix two runs.
        """
        try:
            if out is None:
                return cls(_numbered(), notice)
            if out.exists() and (not out.is_dir() or any(out.iterdir())):
                raise OccupiedDirectory(f"{out} is not empty: give another --out, or remove it")
            out.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise OccupiedDirectory(f"{out or DEFAULT} cannot be made: {error.strerror or error}") from None
        return cls(out, notice)

    def __enter__(self) -> Archive:
        self.lock()
        return self

    def __exit__(self, *_: object) -> None:
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def lock(self) -> None:
        """Lock the directory against other processes while this one lives. Raises OccupiedDirectory."""
        self._lock = os.open(self.root, os.O_RDONLY)
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(self._lock)
            self._lock = None
            raise OccupiedDirectory(f"{self.root} is being written by another process") from None

    def watch(self, event: Any) -> None:
        """Observe a campaign: write each finding as soon as it is made."""
        if isinstance(event, Started):
            self.write(RUN, _text(event.run))
        elif isinstance(event, Found | Joined):
            self.keep(event.finding)
        elif isinstance(event, Reproduced):
            self.keep(event.finding, event.source)
        elif isinstance(event, Saved):
            self._save(event.state)
        elif isinstance(event, Stopped):
            self.conclude(event.summary.data(), event.summary.findings)
            self._save(event.state)

    def keep(self, finding: Finding, source: str = "") -> None:
        """Write a finding: its minimal cases, its script if that has reproduced it, and its line of findings.jsonl."""
        for path, case in finding.list_cases().items():
            self.write(path, case.json() + "\n")
        if source and finding.reproduced:
            self.scripts[finding.id] = source
            self.write(finding.repro, source)
        self._append(FINDINGS, json.dumps(finding.data()) + "\n")

    def conclude(self, summary: Mapping[str, Any], findings: Iterable[Finding] | None = None) -> None:
        """Write summary.json, and rewrite findings.jsonl with one line for each finding.

        Findings that are calls of NumPy's names are written as recorded cases, too, ready for a suite of regressions.
        """
        self.write(SUMMARY, _text(summary))
        self.write(FINDINGS, "".join(json.dumps(line) + "\n" for line in summary["findings"]))
        if findings is not None:
            findings = list(findings)
            started = [row["started"] for row in summary["provenance"]]
            since = min(map(datetime.fromisoformat, started)).date()
            self.write(RECORDED, render_recorded(record_findings(findings, since)))
            self._remove_replaced(findings)
        for name, text in list(self._unwritten.items()):
            self.write(name, text)

    def _remove_replaced(self, findings: Iterable[Finding]) -> None:
        """Remove cases of findings that there were for want of time, and that a resumed run has reduced to others."""
        listed = {name for finding in findings for name in finding.list_cases()}
        with contextlib.suppress(OSError):
            folder = os.open(self.root / "cases", os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
            try:
                for name in os.listdir(folder):
                    if CASE_FILE.fullmatch(f"cases/{name}") and f"cases/{name}" not in listed:
                        os.unlink(name, dir_fd=folder)
            finally:
                os.close(folder)

    def _save(self, state: Mapping[str, Any]) -> None:
        """Write state.json, unless a finding cannot be written: a resumed run looks only for what the state lacks."""
        self._unwritten.pop(STATE, None)
        for name, text in list(self._unwritten.items()):
            if name != FINDINGS:
                self.write(name, text)
        if FINDINGS in self._unwritten:
            self._append(FINDINGS, "")
        if self.is_complete:
            self.write(STATE, json.dumps(state))
            self._is_reported = not self.is_complete

    @property
    def is_complete(self) -> bool:
        """Whether everything has been written."""
        return not self._unwritten

    def write(self, name: str, text: str) -> None:
        """Write a file atomically."""
        try:
            write_inside(self.root, name, text)
        except OSError as error:
            self._miss(name, text, error)
        else:
            self._unwritten.pop(name, None)

    def _append(self, name: str, line: str) -> None:
        """Append a line to a file after those that are missing there, or nothing: not before the files it names."""
        text = self._unwritten.pop(name, "") + line
        if any(other != STATE for other in self._unwritten):
            self._unwritten[name] = text
            return
        try:
            flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
            with open(os.open(self.root / name, flags, 0o666), "ab", buffering=0) as file:
                size = file.tell()
                data = text.encode()
                if file.write(data) < len(data):
                    file.truncate(size)
                    raise OSError("no room for a whole line")
        except OSError as error:
            self._miss(name, text, error)

    def _miss(self, name: str, text: str, error: OSError) -> None:
        if not self._is_reported:
            self._is_reported = True
            self._notice(
                f"{self.root / name} cannot be written ({error.strerror or error}): the run continues in memory"
            )
        self._unwritten[name] = text


def _text(data: Mapping[str, Any]) -> str:
    return json.dumps(data, indent=1) + "\n"


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
