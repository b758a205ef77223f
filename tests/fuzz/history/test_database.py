from __future__ import annotations

import sqlite3
from datetime import UTC, datetime

import pytest

from fuzz.history.database import Database, UnfitHistory
from tests.fuzz.history.nights import make_summary

AT = datetime(2026, 3, 2, 3, tzinfo=UTC)


def test_a_run_is_appended_once_and_read_again(tmp_path):
    path = tmp_path / "deep" / "history.sqlite"
    with Database(path) as database:
        assert database.add_run(make_summary(["median"]), AT, "1234567")
        assert not database.add_run(make_summary(["median"]), AT, "1234567")
    with Database(path) as database:
        (run,) = database.list_runs()
        (seen,) = database.list_seen([run])
        assert database.list_runs("other") == []
    assert (run.at, run.subject, run.revision, run.names) == (AT, "library", "1234567", ["add", "median"])
    assert (seen.name, seen.kind, seen.modes, seen.count) == ("median", "value", ["eager"], 3)


def test_nothing_is_changed_or_deleted(tmp_path):
    path = tmp_path / "history.sqlite"
    with Database(path) as database:
        database.add_run(make_summary(["median"], {"median": "still"}), AT)
    connection = sqlite3.connect(path)
    for table in ("runs", "seen", "verdicts"):
        column = "at" if table != "seen" else "name"
        for statement in (f"DELETE FROM {table}", f"UPDATE {table} SET {column} = 'x'"):
            with pytest.raises(sqlite3.IntegrityError, match="only appended to"):
                connection.execute(statement)
    connection.close()


def test_another_file_is_no_history(tmp_path):
    text = tmp_path / "text"
    text.write_text("no database" * 100)
    other = tmp_path / "other.sqlite"
    connection = sqlite3.connect(other)
    connection.execute("CREATE TABLE mine (x)")
    connection.close()
    for path in (text, other, tmp_path):
        with pytest.raises(UnfitHistory, match="is not a history"):
            Database(path)
