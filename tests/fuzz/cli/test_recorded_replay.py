"""The command `replay` with files of recorded cases: what it prints, its exit status, and `--prune`."""

from __future__ import annotations

import pytest

from fuzz.__main__ import main
from fuzz.triage.recorded_cases import make_recorded, read_recorded, render_line, write_recorded
from oracle import Case

SUBJECT = ("--subject", "tests.fuzz.planted_many")  # negative is wrong by one there


def recorded(case, **more):
    return make_recorded(case, "value", ("eager",), "2026-11-20", **more)


WRONG, RIGHT = recorded(Case("negative", (5.0,))), recorded(Case("add", (1.0, 2.0)))
OPEN = recorded(Case("negative", (6.0,)), open={"eager": "wrong by one"})
MENDED = recorded(Case("add", (3.0, 4.0)), open={"eager": "was wrong by one"})


def write(path, *cases):
    write_recorded(path, cases)
    return str(path)


@pytest.mark.full
@pytest.mark.parametrize(
    ("cases", "status", "totals"),
    [
        ((RIGHT, OPEN), 0, "2 cases: 1 still, 1 fixed"),
        ((RIGHT, WRONG), 1, "2 cases: 1 regressed, 1 fixed"),
        ((MENDED,), 1, "fixed  "),
    ],
)
def test_a_file_of_recorded_cases_is_judged(tmp_path, capsys, cases, status, totals):
    assert main(["replay", write(tmp_path / "some.jsonl", *cases), *SUBJECT]) == status
    output = capsys.readouterr().out
    assert totals in output
    assert (f"{WRONG.id} differs in eager: value: " in output) == (WRONG in cases)
    assert (f"{MENDED.id} is mended in eager: remove it from `open`" in output) == (MENDED in cases)
    assert RIGHT.id not in output
    assert OPEN.id not in output


@pytest.mark.full
def test_a_directory_of_such_files_and_a_line_of_one(tmp_path, capsys):
    write(tmp_path / "one.jsonl", WRONG)
    path = write(tmp_path / "two.jsonl", RIGHT, OPEN)
    assert main(["replay", str(tmp_path), *SUBJECT]) == 1
    assert "3 cases: 1 regressed, 1 still, 1 fixed" in capsys.readouterr().out
    assert main(["replay", f"{path}::{RIGHT.id}", *SUBJECT]) == 0
    assert main(["replay", "--reduce", f"{path}::{OPEN.id}", *SUBJECT, "--modes", "eager", "--budget", "5"]) == 0


def test_a_subject_that_only_the_run_beside_a_file_names_is_not_imported(tmp_path, capsys):
    (tmp_path / "run.json").write_text('{"subject": "this"}')
    assert main(["replay", write(tmp_path / "cases.jsonl", RIGHT)]) == 2
    assert "the run judged this, which is imported only if you pass --subject this" in capsys.readouterr().err


def test_lines_that_show_the_same_are_dropped(tmp_path, capsys):
    path = tmp_path / "some.jsonl"
    path.write_text(render_line(WRONG) + render_line(RIGHT) + render_line(recorded(Case("negative", (12345.5,)))))
    assert main(["replay", str(path), "--prune"]) == 0
    assert [one.id for one in read_recorded(path)] == [RIGHT.id, WRONG.id]
    assert f"shows the same as {WRONG.id}" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["FILE::add-value-0"], "no case 'add-value-0' in "),
        (["case.json", "--prune"], "--prune takes baselines, or whole files of recorded cases"),
        ([f"FILE::{RIGHT.id}", "--prune"], "--prune takes baselines, or whole files of recorded cases"),
        (["FILE", "--reduce"], "--reduce takes one case, not 2"),
        (["torn.jsonl"], "torn.jsonl, line 1: not JSON"),
    ],
)
def test_what_cannot_be_replayed_is_said(tmp_path, monkeypatch, capsys, words, message):
    monkeypatch.chdir(tmp_path)
    write(tmp_path / "FILE.jsonl", RIGHT, WRONG)
    (tmp_path / "case.json").write_text(RIGHT.case.json())
    (tmp_path / "torn.jsonl").write_text(render_line(RIGHT)[:30])
    assert main(["replay", *(word.replace("FILE", "FILE.jsonl") for word in words), *SUBJECT]) == 2
    assert message in capsys.readouterr().err
    assert len(read_recorded(tmp_path / "FILE.jsonl")) == 2
