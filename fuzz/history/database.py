"""The database of a history: an SQLite file to which runs and verdicts are only appended."""

from __future__ import annotations

import hashlib
import json
import platform
import sqlite3
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import Any

from fuzz.triage.root_cause import Cause, find_key
from fuzz.triage.severity import NOT_REPRODUCED, find_status
from fuzz.triage.untrusted_input import RUN_LIMITS, TIME, Text, Unreadable, check_regular, take
from oracle.harness import make_line, parse_json

FORMAT = 2
COVERAGE = "coverage"
"""How the engine of a coverage begins: the names that it is a share of, and its depth, follow."""
TABLES = ("runs", "seen", "verdicts")
_TRIGGERS = tuple(
    f"CREATE TRIGGER IF NOT EXISTS {table}_{change.lower()} BEFORE {change} ON {table} "
    "BEGIN SELECT RAISE(ABORT, 'a history is only appended to'); END"
    for table in TABLES
    for change in ("UPDATE", "DELETE")
)
SCHEMA = (
    """CREATE TABLE IF NOT EXISTS runs (
    id TEXT PRIMARY KEY, at TEXT NOT NULL, subject TEXT NOT NULL, revision TEXT NOT NULL, versions TEXT NOT NULL,
    machine TEXT NOT NULL, engine TEXT NOT NULL, cases INTEGER NOT NULL, core_seconds REAL NOT NULL,
    present INTEGER NOT NULL, exercised INTEGER NOT NULL, agreeing INTEGER NOT NULL, names TEXT NOT NULL
)""",
    """CREATE TABLE IF NOT EXISTS seen (
    run TEXT NOT NULL REFERENCES runs (id), finding TEXT NOT NULL, cause TEXT NOT NULL, title TEXT NOT NULL,
    name TEXT NOT NULL, kind TEXT NOT NULL, modes TEXT NOT NULL, minimal TEXT NOT NULL, count INTEGER NOT NULL,
    PRIMARY KEY (run, finding)
)""",
    """CREATE TABLE IF NOT EXISTS verdicts (
    at TEXT NOT NULL, subject TEXT NOT NULL, finding TEXT NOT NULL, status TEXT NOT NULL, revision TEXT NOT NULL
)""",
    *_TRIGGERS,
)
SCHEMAS = {
    1: tuple(
        one.replace("at TEXT NOT NULL, subject TEXT NOT NULL, finding", "at TEXT NOT NULL, finding") for one in SCHEMA
    ),
    FORMAT: SCHEMA,
}
"""The tables and triggers of each format: in format 1 verdicts have no subject."""

UPGRADES = {
    0: SCHEMA,
    1: (
        "CREATE TEMP TABLE earlier AS SELECT * FROM verdicts",
        "DROP TABLE verdicts",
        *SCHEMA,
        """INSERT INTO verdicts SELECT at, (SELECT min(subject) FROM runs), finding, status, revision FROM earlier
        WHERE (SELECT count(DISTINCT subject) FROM runs) = 1""",
        "DROP TABLE earlier",
    ),
    FORMAT: (),
}
"""What makes a file of this format from an empty one, or from one of an earlier format.

The verdicts of format 1 are those of the subject of its runs. Where its runs are of several subjects, nothing says of
whose finding a verdict is, because libraries with the same bug share its id: these verdicts are removed, and a finding
counts as open until it is judged again.
"""

BESIDE = ("-journal", "-wal", "-shm")
"""How the names of the files end that SQLite keeps beside a database."""

JOURNAL_MAGIC = bytes.fromhex("d9d505f920a163d7")
"""The end of a rollback journal that names another file, which SQLite deletes after it has rolled back
(https://sqlite.org/atomiccommit.html#_multi_file_commit). A transaction in one database never writes one.
"""

SECONDS = 60.0
"""How long the statements of one call may take."""

WAITING, ATTEMPTS = 1.0, 60  # seconds for which SQLite waits for another process, and how often
STEPS = 10_000  # of SQLite's machine between two looks at the clock, and at signals
MOST_BYTES = 1 << 30
RUN: dict[str, Any] = {"id": str, "at": TIME, "subject": str, "revision": str, "versions": {str: str}, "machine": str}
RUN |= {"engine": str, "cases": int, "core_seconds": (int, float), "present": int, "exercised": int, "agreeing": int}
RUN |= {"names": [str]}
SEEN: dict[str, Any] = {"run": str, "finding": str, "cause": str, "title": str, "name": str, "kind": str}
SEEN |= {"modes": [str], "minimal": Text(100_000), "count": int}
VERDICT: dict[str, Any] = {"at": TIME, "subject": str, "finding": str, "status": str, "revision": str}
"""The forms of rows: their columns in order, with those that hold JSON decoded."""


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
class SeenFinding:
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
class StatusEntry:
    """The status of a subject's known finding when its cases were judged again; see `fuzz.triage.records`."""

    at: datetime
    subject: str
    finding: str
    status: str
    revision: str


class Database:
    """Context manager around a history's file, which is made if it does not exist. Raises UnfitHistory."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._end = 0.0
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            _check_files(path)
            self._connection = sqlite3.connect(path, timeout=WAITING)
        except (sqlite3.Error, OSError, Unreadable) as error:
            raise UnfitHistory(f"{path} is not a history: {error}") from None
        self._connection.set_progress_handler(self._is_late, STEPS)
        try:
            with self._statements():
                self._prepare()
        except BaseException:
            self._connection.close()
            raise

    def _is_late(self) -> bool:
        return time.monotonic() > self._end

    @contextmanager
    def _statements(self) -> Iterator[None]:
        """Bound the time of statements. Raises UnfitHistory for what SQLite refuses, KeyboardInterrupt for a signal."""
        self._end = time.monotonic() + SECONDS
        try:
            yield
        except sqlite3.OperationalError as error:
            if str(error) == "interrupted" and not self._is_late():  # a signal's handler raised in `_is_late`
                raise KeyboardInterrupt from None
            raise UnfitHistory(f"{self._path} is not a history: {error}") from None
        except sqlite3.IntegrityError:
            raise
        except OverflowError:  # SQLite's integers have 64 bits
            raise UnfitHistory(f"{self._path} cannot hold so large a number") from None
        except sqlite3.Error as error:
            raise UnfitHistory(f"{self._path} is not a history: {error}") from None

    def _prepare(self) -> None:
        """Make the tables, or compare those that are there with ours: nothing else of a file is run."""
        self._connection.execute("PRAGMA trusted_schema = OFF")
        (version,) = self._connection.execute("PRAGMA user_version").fetchone()
        if version not in (0, *SCHEMAS):
            raise UnfitHistory(f"{self._path} has format {version}; this version reads formats 1 and {FORMAT}")
        found = _read_schema(self._connection)
        if version == 0 and found:
            raise UnfitHistory(f"{self._path} is not a history: it has other tables")
        if found:
            self._check(found, SCHEMAS[version])
        if version != FORMAT:
            with self._appending():
                self._upgrade()

    def _upgrade(self) -> None:
        """Give the file this format, unless another process has done so since."""
        (version,) = self._connection.execute("PRAGMA user_version").fetchone()
        for statement in (*UPGRADES[version], f"PRAGMA user_version = {FORMAT}"):
            self._connection.execute(statement)

    def _check(self, found: Sequence[Any], schema: Sequence[str]) -> None:
        """Raise UnfitHistory if the file has tables, triggers, views or indices other than ours, is too large, or is
        damaged.
        """
        with closing(sqlite3.connect(":memory:")) as own:
            own.executescript(";".join(schema))
            if found != _read_schema(own):
                raise UnfitHistory(f"{self._path} is not a history: its tables or triggers are others")
        (pages,), (size,) = (
            self._connection.execute(f"PRAGMA {one}").fetchone() for one in ("page_count", "page_size")
        )
        if pages * size > MOST_BYTES:
            raise UnfitHistory(f"{self._path} has more than {MOST_BYTES >> 30} GiB")
        (damage,) = self._connection.execute("PRAGMA quick_check(1)").fetchone()
        if damage != "ok":  # rows that share pages have more bytes than the file
            raise UnfitHistory(f"{self._path} is damaged: {make_line(damage)}")

    @contextmanager
    def _appending(self) -> Iterator[None]:
        """Append in one transaction, which waits while another process does, and may be interrupted then."""
        with self._statements():
            for _ in range(ATTEMPTS):
                try:
                    self._connection.execute("BEGIN IMMEDIATE")
                    break
                except sqlite3.OperationalError as error:
                    if "locked" not in str(error):
                        raise
            with self._connection:
                yield

    def __enter__(self) -> Database:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._connection.close()

    def add_run(
        self, summary: Mapping[str, Any], at: datetime, revision: str = "", machine: str = "", engine: str = "seeds"
    ) -> bool:
        """Append a run, as summary.json has it, with what it found, unless a script did not show it, and what became of
        known findings. Return False if the history has it already.
        """
        identity = _identify(summary, at, engine)
        with self._statements():
            if self._connection.execute("SELECT 1 FROM runs WHERE id = ?", (identity,)).fetchone():
                return False
        names = summary["names"]
        judged = sorted(name for name, counts in summary["by_name"].items() if counts["cases"])
        row = (
            *(identity, _format(at), summary["subject"], revision, json.dumps(summary.get("versions", {}))),
            *(machine, engine, summary["cases"], sum(summary.get("core_seconds", {}).values())),
            *(names["present"], names["exercised"], names["agreeing"], json.dumps(judged)),
        )
        with self._appending():
            self._connection.execute(f"INSERT INTO runs VALUES ({', '.join('?' * len(row))})", row)
            for found in (row for row in summary["findings"] if find_status(row) != NOT_REPRODUCED):
                cause = Cause(find_key(found), (found,))
                own = (identity, found["id"], cause.id, cause.title, found["name"], found["kind"])
                shown = (json.dumps(found["modes"]), found["minimal"], found["count"])
                self._connection.execute("INSERT INTO seen VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", (*own, *shown))
        self.add_verdicts(summary["subject"], summary.get("rejudged", ()), at, revision)
        return True

    def add_coverage(self, data: Mapping[str, Any], at: datetime) -> bool:
        """Append a coverage, as `coverage --json` has it. Return False if the history has it already."""
        totals = data["totals"]
        summary = {key: data[key] for key in ("subject", "versions", "seed", "cases")}
        summary["names"] = {key: totals[key] for key in ("present", "exercised", "agreeing")}
        summary["by_name"] = {row["name"]: {"cases": sum(row["runs"].values())} for row in data["names"]}
        engine = f"{COVERAGE} {data['against']} {data['depth']}"
        return self.add_run({**summary, "findings": ()}, at, data["revision"], platform.node(), engine)

    def add_verdicts(
        self, subject: str, rejudged: Sequence[Mapping[str, Any]], at: datetime, revision: str = ""
    ) -> None:
        """Append what has become of a subject's known findings."""
        rows = [(_format(at), subject, row["id"], row["status"], revision) for row in rejudged]
        with self._appending():
            self._connection.executemany("INSERT INTO verdicts VALUES (?, ?, ?, ?, ?)", rows)

    def list_runs(self, subject: str = "") -> list[Run]:
        """Return the runs and coverages of a subject, or all, in order of time. Raises UnfitHistory for a cell that is
        none of ours, as the other lists do.
        """
        rows = self._read("SELECT * FROM runs ORDER BY at, id", RUN)
        runs = [Run(**row | {"at": _parse(row["at"])}) for row in rows]
        return [run for run in runs if subject in ("", run.subject)]

    def list_seen(self, runs: Sequence[Run]) -> list[SeenFinding]:
        """Return what these runs have seen, in order of time."""
        by_id = {run.id: run for run in runs}
        rows = self._read("SELECT * FROM seen ORDER BY rowid", SEEN)
        found = [SeenFinding(**row | {"run": by_id[row["run"]]}) for row in rows if row["run"] in by_id]
        return sorted(found, key=lambda one: one.run.at)

    def list_verdicts(self) -> list[StatusEntry]:
        """Return the verdicts in order of time."""
        rows = self._read("SELECT * FROM verdicts ORDER BY at, rowid", VERDICT)
        return [StatusEntry(**row | {"at": _parse(row["at"])}) for row in rows]

    def _read(self, statement: str, form: Mapping[str, Any]) -> list[dict[str, Any]]:
        """Return the rows of a table in a form."""
        with self._statements():
            rows = self._connection.execute(statement).fetchall()
        try:
            return [take(_decode(dict(zip(form, row, strict=True)), form), form, "a row") for row in rows]
        except ValueError as error:
            raise UnfitHistory(f"{self._path} is not a history: {error}") from None


def _check_files(path: Path) -> None:
    """Raise Unreadable if a history, which may be named by a link, or a file that SQLite keeps beside it is no regular
    file, or if SQLite would delete another file after a rollback.
    """
    target = path.resolve()
    for file in (target, *(target.with_name(target.name + ending) for ending in BESIDE)):
        check_regular(file)
    journal = target.with_name(target.name + BESIDE[0])
    if journal.exists():
        with journal.open("rb") as stream:
            stream.seek(max(0, journal.stat().st_size - len(JOURNAL_MAGIC)))
            if stream.read() == JOURNAL_MAGIC:
                raise Unreadable(f"{journal}: a journal of another database")


def _read_schema(connection: sqlite3.Connection) -> list[Any]:
    return connection.execute("SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY type, name").fetchall()


def _decode(row: dict[str, Any], form: Mapping[str, Any]) -> dict[str, Any]:
    """Return the row with the cells decoded that hold JSON. Raises ValueError."""
    encoded = {key: row[key] for key, one in form.items() if isinstance(one, dict | list) and isinstance(row[key], str)}
    return row | {key: parse_json(text, limits=RUN_LIMITS) for key, text in encoded.items()}


def _identify(summary: Mapping[str, Any], at: datetime, engine: str) -> str:
    parts = [summary["subject"], summary["seed"], summary.get("shard", ""), summary["cases"], _format(at)]
    parts += [engine] if engine.startswith(COVERAGE) else []
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:16]


def _format(at: datetime) -> str:
    return at.isoformat()


def _parse(text: str) -> datetime:
    return datetime.fromisoformat(text)
