"""Files that are replayed are data: each refusal is a line that names the file, and no module is imported for one."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest

from fuzz.__main__ import main
from fuzz.cli.case_files import Judged, find_records
from fuzz.differences import Difference
from fuzz.engine.case_judge import CaseJudge, JudgeDied
from fuzz.triage.untrusted_input import Unreadable, read_text
from oracle import Case

CASE = Case("add", (1, 2)).json()
FINDING = "f-0123456789"
ROW = {"id": FINDING, "case": f"cases/{FINDING}.json", "modes": ["eager"]}
SUMMARY = {
    "subject": "this",
    "devices": ["CPU:0"],
    "modes": ["eager"],
    "by_name": {"add": {"cases": 2, "valid": 0.5, "runs": {"eager": 2}, "parameters": {"x1": {"eager": 2}}}},
    "findings": [{"id": FINDING, "name": "add", "kind": "value", "modes": ["eager"], "repro": ""}],
}


def a_run(directory, summary=SUMMARY, row=ROW, case=CASE):
    """A run's directory, as somebody may have sent it."""
    (directory / "cases").mkdir(parents=True)
    (directory / f"cases/{FINDING}.json").write_text(case)
    (directory / "findings.jsonl").write_text(json.dumps(row) + "\n")
    (directory / "summary.json").write_text(json.dumps(summary))
    return directory


def refusal(capsys, *arguments):
    """The one line in which a command refuses its arguments."""
    assert main([str(argument) for argument in arguments]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("fuzz: ")
    assert captured.err.endswith("\n")
    assert captured.err[:-1].isprintable()
    return captured.err[len("fuzz: ") : -1]


@pytest.mark.parametrize("form", ["a file", "a run", "its findings", "its case", "an id"])
def test_there_is_no_other_door(tmp_path, capsys, monkeypatch, form):
    monkeypatch.chdir(tmp_path)
    harmful = Case("add", (1, 2)).json().replace('"add"', '"lib._npyio_impl.os.system"')
    run = a_run(tmp_path / "fuzz-out/001", SUMMARY | {"subject": "numpy"}, case=harmful)
    (tmp_path / "a file").write_text(harmful)
    word = {"a file": "a file", "a run": run, "its findings": run / "findings.jsonl", "an id": FINDING}.get(form)
    message = refusal(capsys, "replay", word or run / f"cases/{FINDING}.json")
    assert message.endswith("'lib._npyio_impl.os.system' is left out: helpers for authors of NumPy-like libraries")


@pytest.mark.parametrize("form", ["", "findings.jsonl", f"cases/{FINDING}.json"])
def test_a_subject_that_only_a_file_names_is_not_imported(tmp_path, capsys, form):
    sys.modules.pop("this", None)
    message = refusal(capsys, "replay", a_run(tmp_path / "run") / form)
    summary = tmp_path / "run/summary.json"
    assert message == (f"{summary}: the run judged this, which is imported only if you pass --subject this")
    assert "this" not in sys.modules


def test_coverage_imports_no_subject_that_only_a_file_names(tmp_path, capsys):
    run = a_run(tmp_path / "run")
    assert "imported only if you pass --subject this" in refusal(capsys, "coverage", "--from", run)
    assert "a run of 'this', not of numpy" in refusal(capsys, "coverage", "--from", run, "--subject", "numpy")


@pytest.mark.parametrize("subject", ["tfnp", "tensorflow.experimental.numpy", "numpy"])
def test_a_subject_that_is_well_known_is_taken_from_the_file(tmp_path, subject):
    run = a_run(tmp_path / "run", SUMMARY | {"subject": subject})
    assert [file.judged.subject for file in find_records(str(run))] == [subject]


def stored_run(number, subject="numpy", call=(1, 2), seconds=0, name=FINDING):
    """A run under fuzz-out whose finding was stored so many seconds after others."""
    row = {"id": name, "case": f"cases/{FINDING}.json", "modes": ["eager"]}
    run = a_run(Path("fuzz-out", number), SUMMARY, row, Case("add", call).json())
    (run / "run.json").write_text(json.dumps({"subject": subject, "setup": ""}))
    os.utime(run / "findings.jsonl", (1e9 + seconds, 1e9 + seconds))
    return run


def test_a_finding_is_looked_up_in_all_runs_the_newest_first(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    stored_run("001", call=(1, 1), seconds=30)
    stored_run("002", call=(2, 2), seconds=20)
    stored_run("nightly", name="f-1111111111", seconds=40)
    stored_run("004", subject="tfnp", call=(4, 4), seconds=10)
    (stored_run("005", seconds=50) / "findings.jsonl").write_text("no finding\n")
    found = {
        (FINDING, None, None): "np.add(1, 1)",
        (FINDING, None, "tfnp"): "np.add(4, 4)",
        (FINDING, Path("fuzz-out/002"), None): "np.add(2, 2)",
        ("f-1111111111", None, None): "np.add(1, 2)",
    }
    for (word, out, subject), call in found.items():
        (file,) = find_records(word, out, Judged(subject))
        assert [str(one.case) for one in file.records] == [call]
    message = refusal(capsys, "replay", "f-1111111112")
    assert message == "no finding f-1111111112 in any of the 5 runs under fuzz-out/; did you mean f-1111111111?"


def test_a_replay_of_several_cases_ends_with_totals(tmp_path, monkeypatch, capsys):
    def judge(self, case, modes=None):
        if case.args[0] == 3:
            raise JudgeDied("the case cannot be judged")
        return [Difference(0, 0, "add", "value", ("eager",), "float", "expected 1, got 2", "{}")] * (case.args[0] == 1)

    monkeypatch.setattr(CaseJudge, "__enter__", lambda self: self)
    monkeypatch.setattr(CaseJudge, "judge", judge)
    paths = [tmp_path / f"{number}.json" for number in range(4)]
    for number, path in enumerate(paths):
        path.write_text(Case("add", (number, 1)).json())
    assert main(["replay", *map(str, paths)]) == 1
    assert capsys.readouterr().out.splitlines()[-1] == "4 cases: 1 undecided, 1 differs, 2 agrees"
    assert main(["replay", str(paths[0])]) == 0
    assert "cases:" not in capsys.readouterr().out


@pytest.mark.parametrize(
    ("summary", "complaint"),
    [
        ({"subject": 5}, "it['subject'] is a int, not str"),
        ({}, "it has no subject"),
        ([], "it is a list, not dict"),
        ({"subject": "os; import this"}, "the run judged 'os; import this', which is not a module"),
        ({"subject": "--subject"}, "which is not a module"),
        ({"subject": "a" * 9000}, "which is not a module"),
        ({"subject": "numpy.f2py"}, "--subject numpy.f2py"),
        ({"subject": "tests.oracle.hostile"}, "--subject tests.oracle.hostile"),
        ({"subject": "numpy\n"}, "which is not a module"),
    ],
)
def test_an_odd_summary_is_refused(tmp_path, capsys, summary, complaint):
    run = a_run(tmp_path / "run", summary)
    assert complaint in refusal(capsys, "replay", run)


@pytest.mark.parametrize(
    ("row", "complaint"),
    [
        ({"case": "../case.json"}, "'../case.json' is not a file of a run"),
        ({"case": "/etc/passwd"}, "'/etc/passwd' is not a file of a run"),
        ({"case": "/dev/zero"}, "'/dev/zero' is not a file of a run"),
        ({"case": f"cases/../cases/{FINDING}.json"}, "is not a file of a run"),
        ({"case": 5}, "line 1: not a finding: it['case'] is a int, not str"),
        ({"id": "[bold]"}, "line 1: not a finding: it['id'] cannot be '[bold]'"),
        ({"modes": "eager"}, "line 1: not a finding: it['modes'] is a str, not list"),
        ({"modes": [1]}, "line 1: not a finding: it['modes'][0] is a int, not str"),
        ({"case": f"cases/{FINDING}.json\n"}, "is not a file of a run"),
    ],
)
def test_an_odd_finding_is_refused(tmp_path, capsys, row, complaint):
    run = a_run(tmp_path / "run", SUMMARY | {"subject": "numpy"}, ROW | row)
    assert complaint in refusal(capsys, "replay", run)


def test_what_is_no_regular_file_is_not_opened(tmp_path, capsys):
    pipe = tmp_path / "pipe.json"
    os.mkfifo(pipe)
    (tmp_path / "zero.json").symlink_to("/dev/zero")
    (tmp_path / "loop.json").symlink_to(tmp_path / "loop.json")
    assert refusal(capsys, "replay", pipe) == f"{pipe}: not a regular file"
    assert refusal(capsys, "replay", tmp_path / "zero.json").endswith("zero.json: it is a link")
    assert "loop.json" in refusal(capsys, "replay", tmp_path / "loop.json")
    assert "findings.jsonl: No such file or directory" in refusal(capsys, "replay", tmp_path)
    assert "no file 'aaaa" in refusal(capsys, "replay", "a" * 200)


def test_a_file_is_read_to_its_limit_only(tmp_path):
    path = tmp_path / "case.json"
    path.write_bytes(b" " * 101)
    with pytest.raises(Unreadable, match=r"case\.json: more than 0 MiB; no more is read"):
        read_text(path, 100)
    assert read_text(path, 101) == " " * 101
    path.write_bytes(b'{"case": "\xff"}')
    with pytest.raises(Unreadable, match=r"case\.json: not UTF-8: invalid start byte at byte 10"):
        read_text(path)


def test_a_name_is_no_markup(tmp_path, capsys, monkeypatch):
    from fuzz.engine.case_judge import CaseJudge

    monkeypatch.setattr(CaseJudge, "__enter__", lambda self: self)
    monkeypatch.setattr(CaseJudge, "judge", lambda self, case, modes=None: [])
    path = tmp_path / "[bold]red[nothing].json"
    path.write_text(CASE)
    assert main(["replay", str(path)]) == 0
    assert "[bold]red[nothing].json" in capsys.readouterr().out
