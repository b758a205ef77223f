"""The directory of a stranger's run: files outside it are neither read nor written, and output ends as it should."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from fuzz.__main__ import main
from fuzz.engine import recovery
from fuzz.generate.signatures import parameters_of
from fuzz.triage.atomic_files import write_file, write_inside
from fuzz.triage.output import Archive, OccupiedDirectory
from fuzz.triage.untrusted_input import Unreadable, check_path, read_text
from tests.fuzz.inline import run_inline

ROOT = Path(__file__).parents[2]
HERE = {"PYTHONPATH": f"{ROOT}{os.pathsep}{Path(__file__).parent}"}
REPORTS = ("report.md", "junit.xml", "report.html", "report.sarif", "comment.md", "summary.json", "findings.jsonl")


@pytest.fixture(autouse=True)
def secret(tmp_path):
    """A file outside the run."""
    (tmp_path / "secret").write_text("SECRET\n")


def find_text(folder, text):
    return [path for path in folder.rglob("*") if path.is_file() and text in path.read_bytes()]


@pytest.mark.parametrize("folder", ["repros", "cases"])
def test_a_link_in_a_run_is_not_read(run, tmp_path, capsys, folder):
    path = next((run / folder).iterdir())
    path.unlink()
    path.symlink_to(tmp_path / "secret")
    assert main(["merge", str(run), "--out", str(tmp_path / "merged")]) == 2
    assert "it is a link" in capsys.readouterr().err
    assert find_text(tmp_path / "merged", b"SECRET") == [] if (tmp_path / "merged").exists() else True


@pytest.mark.parametrize("folder", ["repros", "cases"])
def test_a_folder_that_is_a_link_is_not_read(run, tmp_path, capsys, folder):
    shutil.move(run / folder, tmp_path / "elsewhere")
    (run / folder).symlink_to(tmp_path / "elsewhere")
    assert main(["merge", str(run), "--out", str(tmp_path / "merged")]) == 2
    assert "it is a link" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["run.json", "state.json", "findings.jsonl"])
def test_a_file_of_a_run_that_is_a_link_is_refused(run, tmp_path, capsys, name):
    shutil.move(run / name, tmp_path / "elsewhere")
    (run / name).symlink_to(tmp_path / "elsewhere")
    assert main(["merge", str(run), "--out", str(tmp_path / "merged")]) == 2
    assert f"{run / name}: it is a link" in capsys.readouterr().err


@pytest.mark.parametrize("name", REPORTS)
def test_a_report_does_not_write_through_a_link(run, tmp_path, name):
    (run / name).unlink()
    (run / name).symlink_to(tmp_path / "secret")
    status = main(["merge", str(run)])
    assert (tmp_path / "secret").read_text() == "SECRET\n"
    assert status == (2 if name == "findings.jsonl" else 1)
    assert not (run / name).is_symlink() or name == "findings.jsonl"


def test_issues_are_not_written_into_another_folder(run, tmp_path, capsys):
    shutil.rmtree(run / "issues")
    (tmp_path / "elsewhere").mkdir()
    (run / "issues").symlink_to(tmp_path / "elsewhere")
    assert main(["merge", str(run)]) == 2
    assert "it is a link" in capsys.readouterr().err
    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_findings_are_not_appended_through_a_link(run, tmp_path):
    notices = []
    with Archive(run, notices.append) as archive:
        (run / "findings.jsonl").unlink()
        (run / "findings.jsonl").symlink_to(tmp_path / "secret")
        archive._append("findings.jsonl", "{}\n")
    assert (tmp_path / "secret").read_text() == "SECRET\n"
    assert len(notices) == 1


@pytest.mark.parametrize("is_link", [False, True])
def test_a_case_that_a_resumed_run_has_reduced_to_another_is_removed_but_through_no_link(tmp_path, is_link):
    cases = tmp_path / ("elsewhere" if is_link else "run") / "cases"
    cases.mkdir(parents=True)
    for name in ("f-0000000000.json", "f-0000000000-1.json", "note.txt"):
        (cases / name).write_text("{}")
    archive = Archive.make(tmp_path / "made")
    archive.root = tmp_path / "run"
    if is_link:
        archive.root.mkdir()
        (archive.root / "cases").symlink_to(cases)
    archive.conclude({"findings": [], "provenance": [{"started": "2026-11-29T00:00:00+00:00"}]}, [])
    left = {path.name for path in cases.iterdir()}
    assert left == ({"f-0000000000.json", "f-0000000000-1.json", "note.txt"} if is_link else {"note.txt"})


def test_a_file_is_whole_or_as_it_was(tmp_path, monkeypatch):
    write_file(tmp_path / "a" / "file", "one")
    monkeypatch.setattr(Path, "replace", lambda *_: (_ for _ in ()).throw(OSError("no")))
    with pytest.raises(OSError, match="no"):
        write_inside(tmp_path, "a/file", "two")
    assert [path.name for path in (tmp_path / "a").iterdir()] == ["file"]
    assert (tmp_path / "a" / "file").read_text() == "one"


def test_a_link_that_the_command_line_names_is_followed_and_a_device_written(tmp_path):
    (tmp_path / "target").write_text("one")
    (tmp_path / "link").symlink_to(tmp_path / "target")
    write_file(tmp_path / "link", "two")
    assert (tmp_path / "target").read_text() == "two"
    assert (tmp_path / "link").is_symlink()
    write_file(Path("/dev/null"), "three")
    assert Path("/dev/null").is_char_device()


def call(words, **options):
    """Run the command line as a program."""
    environment = os.environ | HERE | options.pop("env", {})
    command = [sys.executable, "-m", "fuzz", *words]
    return subprocess.run(command, env=environment, stderr=subprocess.PIPE, timeout=120, check=False, **options)


def change_rows(run, **fields):
    """Give every line of findings.jsonl these fields."""
    rows = [json.loads(line) for line in (run / "findings.jsonl").read_text().splitlines()]
    (run / "findings.jsonl").write_text("".join(json.dumps(row | fields) + "\n" for row in rows))


def read_column(run, key):
    """What the lines of findings.jsonl have under a key, by id."""
    rows = [json.loads(line) for line in (run / "findings.jsonl").read_text().splitlines()]
    return {row["id"]: row[key] for row in rows}


@pytest.mark.parametrize("excuse", [{"known": True}, {"older": True}, {"reproduced": False, "repro": ""}], ids=str)
def test_a_run_does_not_excuse_what_another_one_found(run, tmp_path, excuse):
    other = tmp_path / "other"
    shutil.copytree(run, other)
    change_rows(other, **excuse)
    for number, runs in enumerate([(run, other), (other, run)]):
        merged = tmp_path / f"merged{number}"
        assert main(["merge", *map(str, runs), "--out", str(merged)]) == 1
        for key in ("known", "older", "reproduced", "repro"):
            assert read_column(merged, key) == read_column(run, key)
        assert {path.name for path in (merged / "repros").iterdir()} == {
            path.name for path in (run / "repros").iterdir()
        }
    status = main(["merge", str(other), str(other), "--out", str(tmp_path / "excused")])
    assert status == main(["merge", str(other)])
    assert status == int("reproduced" in excuse)  # a parameter that is lacking needs no script


def make_calls(run, exponent):
    """Give each finding a call of one structure. That of a number far from what people have is an edge call."""
    array = {"array": "<f8", "shape": [2], "values": [f"0x1.0p{exponent:+}", "0x1.0p+0"]}
    for row in (json.loads(line) for line in (run / "findings.jsonl").read_text().splitlines()):
        (run / row["case"]).write_text(json.dumps({"case": row["name"], "args": [array], "kwargs": {}}))


def write_field(path, **fields):
    path.write_text(json.dumps(json.loads(path.read_text()) | fields))


def test_a_run_does_not_make_a_finding_of_another_one_less_severe(run, tmp_path):
    """The finding of an ordinary call and that of an edge call have one id, if they have one structure."""
    change_rows(run, kind="value", detail="expected 1.0, got 2.0", symptom="other value", reproduced=True)
    other = tmp_path / "other"
    shutil.copytree(run, other)
    make_calls(run, 1)
    make_calls(other, -900)
    for folder in (run, other):
        write_field(folder / "run.json", fail_on="ordinary")
    assert main(["merge", str(run), str(run), "--out", str(tmp_path / "ordinary")]) == 1
    assert main(["merge", str(other), str(other), "--out", str(tmp_path / "edge")]) == 0
    for number, runs in enumerate([(run, other), (other, run)]):
        assert main(["merge", *map(str, runs), "--out", str(tmp_path / f"merged{number}")]) == 1


def test_the_strictest_run_says_which_findings_fail_a_merge(run, tmp_path):
    change_rows(run, kind="value", detail="expected 1.0, got 2.0", symptom="other value", reproduced=True)
    make_calls(run, -900)
    other = tmp_path / "other"
    shutil.copytree(run, other)
    write_field(other / "run.json", fail_on="ordinary")
    assert main(["merge", str(other), str(other), "--out", str(tmp_path / "lenient")]) == 0
    for number, runs in enumerate([(run, other), (other, run)]):
        assert main(["merge", *map(str, runs), "--out", str(tmp_path / f"merged{number}")]) == 1


def negate(data):
    if isinstance(data, dict):
        return {key: negate(value) for key, value in data.items()}
    if isinstance(data, list):
        return [negate(value) for value in data]
    return -data if isinstance(data, int | float) and not isinstance(data, bool) else data


def test_a_run_does_not_subtract_what_another_one_counted(run, tmp_path, capsys):
    other = tmp_path / "other"
    shutil.copytree(run, other)
    state = json.loads((other / "state.json").read_text())
    write_field(other / "state.json", counts=negate(state["counts"]))
    assert main(["merge", str(run), str(other), "--out", str(tmp_path / "merged")]) == 2
    assert "is negative" in capsys.readouterr().err


@pytest.mark.parametrize(("forged", "status"), [({}, 0), ({"name": "sum"}, 1), ({"kind": "crash"}, 1)], ids=str)
def test_an_entry_of_a_baseline_accepts_only_what_people_read_in_it(forged, status, run, tmp_path, monkeypatch):
    """An entry that has the id of a finding, and says that it is another one, does not accept it."""
    baseline = tmp_path / "baseline.json"
    assert main(["baseline", str(run), "--write", str(baseline)]) == 0
    data = json.loads(baseline.read_text())
    write_field(baseline, entries=[entry | forged for entry in data["entries"]])
    monkeypatch.syspath_prepend(Path(__file__).parent)
    run_inline(monkeypatch)
    words = ["run", "negative", "positive", "--subject", "planted_many", "--cases", "64", "--seed", "5"]
    assert main([*words, "--jobs", "1", "--baseline", str(baseline), "--out", str(tmp_path / "again")]) == status


@pytest.mark.parametrize("name", ["nothing", "testing.nothing", "lib._npyio_impl.os.system", "__class__", ""])
def test_the_name_of_a_finding_is_looked_up_in_no_module(run, name):
    error = "TypeError: f() takes 2 positional arguments but 3 were given; NumPy gives 0"
    change_rows(run, name=name, kind="spurious error", detail=error)
    assert main(["merge", str(run)]) == 1
    assert parameters_of(name) == {}


def test_a_full_disk_under_standard_output_loses_no_report(run):
    (run / "report.html").unlink()
    with open("/dev/full", "wb") as full:
        assert call(["merge", str(run)], stdout=full).returncode == 1
    assert (run / "report.html").exists()


def test_a_broken_pipe_has_a_status_of_its_own(run):
    reading, writing = os.pipe()
    os.close(reading)
    with open(writing, "wb") as pipe:
        done = call(["merge", str(run)], stdout=pipe)
    assert done.returncode == 141
    assert b"Traceback" not in done.stderr


@pytest.mark.parametrize(
    "environment",
    [
        {"PYTHONIOENCODING": "latin-1"},
        {"LC_ALL": "POSIX", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "PYTHONIOENCODING": ""},
    ],
    ids=["output in Latin-1", "locale without UTF-8"],
)
def test_every_encoding_will_do(run, environment):
    before = {name: (run / name).read_bytes() for name in REPORTS}
    rows = [json.loads(line) for line in (run / "findings.jsonl").read_text().splitlines()]
    changed = [row | {"message": "≠ é 例"} for row in rows]
    (run / "findings.jsonl").write_text("".join(json.dumps(row) + "\n" for row in changed))
    done = call(["merge", str(run)], env=environment, stdout=subprocess.PIPE)
    assert done.returncode == 1, done.stderr
    assert rb"\u2260" in done.stdout
    assert {name for name in REPORTS if (run / name).read_bytes() != before[name]} >= {"report.html", "findings.jsonl"}


def test_a_directory_that_is_a_link_is_no_run_of_ours(tmp_path):
    (tmp_path / "taken").mkdir()
    (tmp_path / "taken" / "x").write_text("")
    (tmp_path / "link").symlink_to(tmp_path / "taken")
    with pytest.raises(OccupiedDirectory):
        Archive.make(tmp_path / "link")


def test_no_command_runs_a_script_of_a_run(run, tmp_path, monkeypatch):
    for path in (run / "repros").iterdir():
        path.write_text(f"open({str(tmp_path / 'MARK')!r}, 'w')\n# \u202e\n")
    monkeypatch.syspath_prepend(Path(__file__).parent)
    run_inline(monkeypatch)
    monkeypatch.chdir(tmp_path)
    assert main(["merge", str(run)]) == 1
    assert main(["merge", str(run), "--out", str(tmp_path / "merged")]) == 1
    assert main(["diff", str(run), str(run)]) == 0
    assert main(["run", "--resume", str(run), "--subject", "planted_many", "--cases", "64", "--jobs", "1"]) == 1
    assert not (tmp_path / "MARK").exists()
    assert all(path.read_text().replace("\n", "").isprintable() for path in (tmp_path / "merged/repros").iterdir())


def test_no_command_that_is_printed_names_a_program_that_a_file_names(run, tmp_path, capsys):
    for name in ("run.json", "summary.json"):
        data = json.loads((run / name).read_text())
        (run / name).write_text(json.dumps({**data, "interpreter": "hostile/program"}))
    assert main(["merge", str(run), "--out", str(tmp_path / "merged")]) == 1
    assert "hostile/program" not in capsys.readouterr().out
    reports = (tmp_path / "merged" / name for name in ("report.md", "report.html", "comment.md", "junit.xml"))
    assert [path for path in reports if "hostile/program" in path.read_text()] == []


@pytest.mark.parametrize(
    "words", [["merge", "a\n::error::x"], ["run", "--out", "a\rb"], ["baseline", "write", "\x1b[2J"]]
)
def test_no_argument_begins_a_line_of_the_log(words, capsys):
    assert main(words) == 2
    printed = capsys.readouterr()
    assert len(printed.err.splitlines()) == 1
    assert "control character" in printed.err
    assert printed.out == ""


def test_of_more_findings_than_can_be_compared_none_are_read(run, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(recovery, "MOST_FINDINGS", 0)
    assert main(["merge", str(run), "--out", str(tmp_path / "merged")]) == 2
    assert "findings.jsonl: more than 0 findings; no more are read" in capsys.readouterr().err


def test_a_folder_that_becomes_a_link_before_its_file_is_opened_is_not_read(run, tmp_path):
    path = check_path(run, next(f"repros/{one.name}" for one in (run / "repros").iterdir()), "a test")
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / path.name).write_text("SECRET")
    shutil.rmtree(run / "repros")
    (run / "repros").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(Unreadable, match="it is a link"):
        read_text(path, is_inside=True)
