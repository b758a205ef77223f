"""The database of a history: an SQLite file to which runs and verdicts are only appended."""

from __future__ import annotations

import hashlib
import json
import platform
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import Any

from fuzz.triage.root_cause import Cause, find_key

FORMAT = 1
COVERAGE = "coverage"
"""How the engine of a coverage begins: the names that it is a share of, and its depth, follow."""
TABLES = ("runs", "seen", "verdicts")
SCHEMA = """
CREATE TABLE IF NOT EXISTS runs (
    id TEXT PRIMARY KEY, at TEXT NOT NULL, subject TEXT NOT NULL, revision TEXT NOT NULL, versions TEXT NOT NULL,
    machine TEXT NOT NULL, engine TEXT NOT NULL, cases INTEGER NOT NULL, core_seconds REAL NOT NULL,
    present INTEGER NOT NULL, exercised INTEGER NOT NULL, agreeing INTEGER NOT NULL, names TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS seen (
    run TEXT NOT NULL REFERENCES runs (id), finding TEXT NOT NULL, cause TEXT NOT NULL, title TEXT NOT NULL,
    name TEXT NOT NULL, kind TEXT NOT NULL, modes TEXT NOT NULL, minimal TEXT NOT NULL, count INTEGER NOT NULL,
    PRIMARY KEY (run, finding)
);
CREATE TABLE IF NOT EXISTS verdicts (
    at TEXT NOT NULL, finding TEXT NOT NULL, status TEXT NOT NULL, revision TEXT NOT NULL
);
"""


class UnfitHistory(ValueError):
    """The file is not a history."""


@dataclass(frozen=True)
class Run:
    """A run of the history: when, of what, how long, and which names it judged."""

    id: str
    at: datetime
    subject: str
    revision: str
    versions: Mapping[str, str]
    machine: str
    engine: str
    cases: int
    core_seconds: float
    present: int
    exercised: int
    agreeing: int
    names: Sequence[str]

    @property
    def is_coverage(self) -> bool:
        """Whether it is a coverage, whose calls are the same each time."""
        return self.engine.startswith(COVERAGE)


@dataclass(frozen=True)
class Seen:
    """A finding that a run has seen, `count` times, with the cause that it is grouped under."""

    run: Run
    finding: str
    cause: str
    title: str
    name: str
    kind: str
    modes: Sequence[str]
    minimal: str
    count: int


@dataclass(frozen=True)
class Verdict:
    """The status of a known finding when its cases were judged again; see `fuzz.triage.known_cases`."""

    at: datetime
    finding: str
    status: str
    revision: str


class Database:
    """Context manager around a history's file, which is made if it does not exist. Raises UnfitHistory."""

    def __init__(self, path: Path) -> None:
        self._path = path
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._connection = sqlite3.connect(path)
            self._prepare()
        except (sqlite3.Error, OSError) as error:
            raise UnfitHistory(f"{path} is not a history: {error}") from None

    def _prepare(self) -> None:
        (version,) = self._connection.execute("PRAGMA user_version").fetchone()
        if version not in (0, FORMAT):
            raise UnfitHistory(f"{self._path} has format {version}; this version reads format {FORMAT}")
        if version == 0 and self._connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
            raise UnfitHistory(f"{self._path} is not a history: it has other tables")
        self._connection.executescript(SCHEMA)
        for table in TABLES:
            for change in ("UPDATE", "DELETE"):
                self._connection.execute(
                    f"CREATE TRIGGER IF NOT EXISTS {table}_{change.lower()} BEFORE {change} ON {table} "
                    "BEGIN SELECT RAISE(ABORT, 'a history is only appended to'); END"
                )
        self._connection.execute(f"PRAGMA user_version = {FORMAT}")
        self._connection.commit()

    def __enter__(self) -> Database:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._connection.close()

    def add_run(
        self, summary: Mapping[str, Any], at: datetime, revision: str = "", machine: str = "", engine: str = "seeds"
    ) -> bool:
        """Append a run, as summary.json has it, with what it found and what became of known findings. Return False if
        the history has it already.
        """
        identity = _identify(summary, at, engine)
        if self._connection.execute("SELECT 1 FROM runs WHERE id = ?", (identity,)).fetchone():
            return False
        names = summary["names"]
        judged = sorted(name for name, counts in summary["by_name"].items() if counts["cases"])
        row = (
            *(identity, _format(at), summary["subject"], revision, json.dumps(summary.get("versions", {}))),
            *(machine, engine, summary["cases"], sum(summary.get("core_seconds", {}).values())),
            *(names["present"], names["exercised"], names["agreeing"], json.dumps(judged)),
        )
        with self._connection:
            self._connection.execute(f"INSERT INTO runs VALUES ({', '.join('?' * len(row))})", row)
            for found in summary["findings"]:
                cause = Cause(find_key(found), (found,))
                own = (identity, found["id"], cause.id, cause.title, found["name"], found["kind"])
                shown = (json.dumps(found["modes"]), found["minimal"], found["count"])
                self._connection.execute("INSERT INTO seen VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", (*own, *shown))
        self.add_verdicts(summary.get("rejudged", ()), at, revision)
        return True

    def add_coverage(self, data: Mapping[str, Any], at: datetime) -> bool:
        """Append a coverage, as `coverage --json` has it. Return False if the history has it already."""
        totals = data["totals"]
        summary = {key: data[key] for key in ("subject", "versions", "seed", "cases")}
        summary["names"] = {key: totals[key] for key in ("present", "exercised", "agreeing")}
        summary["by_name"] = {row["name"]: {"cases": sum(row["runs"].values())} for row in data["names"]}
        engine = f"{COVERAGE} {data['against']} {data['depth']}"
        return self.add_run({**summary, "findings": ()}, at, data["revision"], platform.node(), engine)

    def add_verdicts(self, rejudged: Sequence[Mapping[str, Any]], at: datetime, revision: str = "") -> None:
        """Append what has become of known findings."""
        rows = [(_format(at), row["id"], row["status"], revision) for row in rejudged]
        with self._connection:
            self._connection.executemany("INSERT INTO verdicts VALUES (?, ?, ?, ?)", rows)

    def list_runs(self, subject: str = "") -> list[Run]:
        """Return the runs and coverages of a subject, or all, in order of time."""
        rows = self._connection.execute("SELECT * FROM runs ORDER BY at, id").fetchall()
        runs = [_read_run(row) for row in rows]
        return [run for run in runs if subject in ("", run.subject)]

    def list_seen(self, runs: Sequence[Run]) -> list[Seen]:
        """Return what these runs have seen, in order of time."""
        by_id = {run.id: run for run in runs}
        rows = self._connection.execute("SELECT * FROM seen ORDER BY rowid").fetchall()
        found = [_read_seen(row, by_id[row[0]]) for row in rows if row[0] in by_id]
        return sorted(found, key=lambda one: one.run.at)

    def list_verdicts(self) -> list[Verdict]:
        """Return the verdicts in order of time."""
        rows = self._connection.execute("SELECT * FROM verdicts ORDER BY at, rowid").fetchall()
        return [Verdict(_parse(at), *row) for at, *row in rows]


def _read_run(row: Sequence[Any]) -> Run:
    key, at, subject, revision, versions, machine, engine, cases, seconds, present, exercised, agreeing, names = row
    origin = (json.loads(versions), machine, engine)
    counts = (cases, seconds, present, exercised, agreeing)
    return Run(key, _parse(at), subject, revision, *origin, *counts, json.loads(names))


def _read_seen(row: Sequence[Any], run: Run) -> Seen:
    _, finding, cause, title, name, kind, modes, minimal, count = row
    return Seen(run, finding, cause, title, name, kind, json.loads(modes), minimal, count)


def _identify(summary: Mapping[str, Any], at: datetime, engine: str) -> str:
    parts = [summary["subject"], summary["seed"], summary.get("shard", ""), summary["cases"], _format(at)]
    parts += [engine] if engine.startswith(COVERAGE) else []
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:16]


def _format(at: datetime) -> str:
    return at.isoformat()


def _parse(text: str) -> datetime:
    return datetime.fromisoformat(text)
