from __future__ import annotations

import os
import random
import signal
import sqlite3
import struct
import subprocess
import sys
import threading
import time
from contextlib import closing
from datetime import UTC, datetime

import pytest

from fuzz.__main__ import main
from fuzz.history.database import BESIDE, JOURNAL_MAGIC, SCHEMAS, Database, UnfitHistory
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


def test_what_no_script_shows_is_not_entered(tmp_path):
    summary = make_summary(["median", "sum"])
    summary["findings"] = [row | {"reproduced": row["name"] != "sum"} for row in summary["findings"]]
    with Database(tmp_path / "h") as database:
        database.add_run(summary, AT)
        assert [one.name for one in database.list_seen(database.list_runs())] == ["median"]


def make_file(path, *statements):
    """A history's file in which these statements were run."""
    with Database(path) as database:
        database.add_run(make_summary(["median"], {"median": "still"}), AT)
    with closing(sqlite3.connect(path)) as connection:
        for statement in statements:
            connection.execute(statement)
        connection.commit()
    return path


@pytest.mark.parametrize(
    "statement",
    [
        "CREATE TRIGGER t AFTER INSERT ON runs BEGIN INSERT INTO verdicts SELECT 'a', 'mine', 'f', 'fixed', ''; END",
        "CREATE VIEW v AS SELECT 1",
        "CREATE TABLE another (x)",
        "CREATE INDEX i ON runs (at)",
        "DROP TRIGGER runs_update",
    ],
)
def test_what_is_not_ours_in_a_file_is_not_run(tmp_path, statement):
    path = make_file(tmp_path / "h", statement)
    before = path.read_bytes()
    with pytest.raises(UnfitHistory, match="its tables or triggers are others"):
        Database(path)
    assert path.read_bytes() == before


ROW = "INSERT INTO runs VALUES ('x', '{}', 'mine', '', '{}', '', '', 1, 1, 1, 1, 1, '{}')"


@pytest.mark.parametrize(
    "statement",
    [
        ROW.format("no date", "{}", "[]"),
        ROW.format("2026-03-02T03:00:00", "{}", "[]"),
        ROW.format("2026-03-02T03:00:00+00:00", "{", "[]"),
        ROW.format("2026-03-02T03:00:00+00:00", "{}", "["),
        ROW.format("2026-03-02T03:00:00+00:00", "{}", "{}"),
        ROW.format("2026-03-02T03:00:00+00:00", "{}", "[1]"),
        ROW.format("2026-03-02T03:00:00+00:00", "{}", "[]").replace("'mine'", "x'00ff'"),
        ROW.format("2026-03-02T03:00:00+00:00", "{}", "[]").replace("1, 1, 1", "'many', 1, 1"),
        "INSERT INTO seen VALUES ('x', 'f', 'c', 't', 'n', 'k', '5', 'm', 1)",
        "INSERT INTO verdicts VALUES ('x', 'mine', 'f', 's', 'r')",
    ],
)
def test_a_cell_of_another_type_is_a_usage_error(tmp_path, capsys, statement):
    path = make_file(tmp_path / "h", statement)
    assert main(["history", "--file", str(path)]) == 2
    assert "is not a history" in capsys.readouterr().err


@pytest.mark.parametrize("part", ["cases", "count"])
def test_a_number_that_sqlite_cannot_hold_is_a_usage_error(tmp_path, part):
    """A stranger's run may have it."""
    summary = make_summary(["median"])
    (summary if part == "cases" else summary["findings"][0])[part] = 10**40
    with Database(tmp_path / "h") as database, pytest.raises(UnfitHistory, match="so large a number"):
        database.add_run(summary, AT)
    with Database(tmp_path / "h") as database:
        assert database.list_runs() == []


def test_texts_of_a_file_are_printable(tmp_path, capsys):
    path = make_file(
        tmp_path / "h",
        "INSERT INTO seen SELECT run, 'g', 'c', char(27) || '[2J' || char(10) || '::x', "
        "name, kind, modes, minimal, count FROM seen",
    )
    assert main(["history", "--file", str(path)]) == 0
    printed = capsys.readouterr().out
    assert r"\x1b[2J ::x" in printed
    assert all(line.isprintable() for line in printed.splitlines())


def make_journal(database, named):
    """A rollback journal after whose use SQLite deletes the file that it names, because no journal in it is there."""
    text = os.fsencode(named)
    page, checksum = 4096, sum(struct.unpack(f"{len(text)}b", text)) & 0xFFFFFFFF
    head = JOURNAL_MAGIC + struct.pack(">5I", 0, 1, database.stat().st_size // page, 512, page)
    tail = struct.pack(">I", (1 << 30) // page + 1) + text + struct.pack(">2I", len(text), checksum) + JOURNAL_MAGIC
    return head.ljust(512, b"\0") + tail


def test_a_journal_deletes_no_other_file(tmp_path, capsys):
    path, precious = make_file(tmp_path / "h"), tmp_path / "precious"
    precious.write_text("a line that names no journal\n")
    (tmp_path / "h-journal").write_bytes(make_journal(path, precious))
    assert main(["history", "--file", str(path)]) == 2
    assert precious.exists()
    assert "h-journal: a journal of another database" in capsys.readouterr().err
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("SELECT * FROM runs").fetchall()  # SQLite by itself does delete it
    assert not precious.exists()


@pytest.mark.parametrize("ending", ["", *BESIDE])
def test_a_pipe_or_a_link_beside_a_history_is_refused(tmp_path, capsys, ending):
    path, other = make_file(tmp_path / "h"), tmp_path / "other"
    other.write_text("mine\n")
    file = tmp_path / f"h{ending}"
    file.unlink(missing_ok=True)
    os.mkfifo(file)
    assert main(["history", "--file", str(path)]) == 2
    assert "not a regular file" in capsys.readouterr().err
    if ending:
        file.unlink()
        file.symlink_to(other)
        assert main(["history", "--file", str(path)]) == 2
        assert other.read_text() == "mine\n"


def test_a_history_may_be_named_by_a_link_and_is_rolled_back(tmp_path):
    """An interrupted transaction of ours leaves a journal; it is rolled back when the history is opened again."""
    path, link = make_file(tmp_path / "h"), tmp_path / "link"
    link.symlink_to(path)
    code = "import os, sqlite3, sys; c = sqlite3.connect(sys.argv[1]); c.execute('PRAGMA cache_size = 1'); "
    code += "c.executemany('INSERT INTO verdicts VALUES (?, 1, 1, 1, 1)', [('x' * 9000,)] * 99); os._exit(0)"
    subprocess.run([sys.executable, "-c", code, str(path)], check=True)
    assert (tmp_path / "h-journal").stat().st_size
    with Database(link) as database:
        assert [one.status for one in database.list_verdicts()] == ["still"]
    assert not (tmp_path / "h-journal").exists()


def make_first_format(path, *subjects):
    """A history of format 1 with a run of each subject, and the verdict that a finding is fixed."""
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(";".join((*SCHEMAS[1], "PRAGMA user_version = 1")))
        for number, subject in enumerate(subjects):
            row = ROW.format("2026-03-02T03:00:00+00:00", "{}", "[]").replace("'x'", f"'{number}'")
            connection.execute(row.replace("'mine'", f"'{subject}'"))
        connection.execute("INSERT INTO verdicts VALUES ('2026-03-02T03:00:00+00:00', 'f', 'fixed', 'r')")
        connection.commit()
    return path


@pytest.mark.parametrize(
    ("subjects", "kept"), [(["mine"], ["mine"]), (["mine", "mine"], ["mine"]), (["mine", "other"], []), ([], [])]
)
def test_verdicts_of_the_first_format_are_kept_where_they_can_be_of_one_subject_only(tmp_path, subjects, kept):
    path = make_first_format(tmp_path / "h", *subjects)
    for _ in range(2):
        with Database(path) as database:
            assert [(one.subject, one.finding, one.status) for one in database.list_verdicts()] == [
                (subject, "f", "fixed") for subject in kept
            ]
            assert [run.subject for run in database.list_runs()] == subjects
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (2,)


@pytest.mark.parametrize("statement", ["CREATE VIEW v AS SELECT 1", "DROP TRIGGER verdicts_update", "VERSION 3"])
def test_a_file_of_the_first_format_that_is_not_ours_is_left_as_it_is(tmp_path, statement):
    path = make_first_format(tmp_path / "h", "mine")
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(statement.replace("VERSION", "PRAGMA user_version ="))
    before = path.read_bytes()
    with pytest.raises(UnfitHistory, match="reads formats 1 and 2" if "3" in statement else "tables or triggers"):
        Database(path)
    assert path.read_bytes() == before


def test_one_of_two_processes_migrates(tmp_path, monkeypatch):
    path = make_first_format(tmp_path / "h", "mine", "other")
    check = Database._check

    def check_while_another_migrates(self, *words):
        monkeypatch.setattr(Database, "_check", check)
        check(self, *words)
        with Database(path) as first:
            first.add_verdicts("mine", [{"id": "f", "status": "still"}], AT)

    monkeypatch.setattr(Database, "_check", check_while_another_migrates)
    with Database(path) as second:
        assert [one.status for one in second.list_verdicts()] == ["still"]


def share_pages(path, page=4096):
    """Let two rows of a history share the pages in which their long texts are: then it has more bytes than its file."""
    row = "INSERT INTO seen SELECT run, '{0}', cause, title, name, kind, modes, '{1}', count FROM seen LIMIT 1"
    make_file(path, *(row.format(finding, letter * 90_000) for finding, letter in (("g", "p"), ("h", "q"))))
    pages = [path.read_bytes()[start : start + page] for start in range(0, path.stat().st_size, page)]
    first = {
        letter: next(n for n, one in enumerate(pages, 1) if one.endswith(letter * 2000)) for letter in (b"p", b"q")
    }
    (leaf,) = (n for n, one in enumerate(pages) if struct.pack(">I", first[b"q"]) in one[2000:] and b"qqq" in one)
    pages[leaf] = pages[leaf].replace(struct.pack(">I", first[b"q"]), struct.pack(">I", first[b"p"]))
    path.write_bytes(b"".join(pages))


def test_rows_that_share_pages_are_refused(tmp_path, capsys):
    share_pages(tmp_path / "h")
    with closing(sqlite3.connect(tmp_path / "h")) as connection:
        assert {text for (text,) in connection.execute("SELECT substr(minimal, -1) FROM seen")} == {")", "p"}
    assert main(["history", "--file", str(tmp_path / "h")]) == 2
    assert "is damaged" in capsys.readouterr().err


def test_a_damaged_file_is_a_usage_error(tmp_path, capsys):
    path = make_file(tmp_path / "h")
    data = path.read_bytes()
    assert main(["history", "--file", str(path)]) == 0
    draw = random.Random(5)
    for _ in range(60):
        begin = draw.randrange(100, len(data) - 64)
        path.write_bytes(data[:begin] + draw.randbytes(draw.choice((1, 8, 64))) + data[begin + 64 :])
        assert main(["history", "--file", str(path)]) in (0, 2)
        assert "Traceback" not in capsys.readouterr().err
    path.write_bytes(data[: len(data) // 2])
    assert main(["history", "--file", str(path)]) == 2


def test_statements_have_an_end_and_can_be_interrupted(tmp_path, monkeypatch):
    endless = "WITH RECURSIVE t(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM t) SELECT count(*) FROM t"
    with Database(tmp_path / "h") as database:
        monkeypatch.setattr("fuzz.history.database.SECONDS", 0.3)
        with pytest.raises(UnfitHistory, match="interrupted"):
            database._read(endless, {})
        monkeypatch.setattr("fuzz.history.database.SECONDS", 60.0)
        before = signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background job ignores it
        threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
        begun = time.monotonic()
        with pytest.raises(KeyboardInterrupt):
            database._read(endless, {})
        signal.signal(signal.SIGINT, before)
        assert time.monotonic() - begun < 30.0  # half of the limit: a loaded machine is slow
