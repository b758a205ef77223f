"""The life of findings on the command line: what is known is judged again first."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import pytest

from fuzz.__main__ import main
from fuzz.engine.recovery import read_findings
from fuzz.history.database import Database
from fuzz.triage.baseline import read_baseline
from tests.fuzz.inline import run_inline

HEAD = "import numpy as np\nfrom numpy import ndarray\n"
NAN_LOST = "def sort(a, axis=-1): return np.sort(np.nan_to_num(a), axis)\n"
SINGLE = "def sort(a, axis=-1): return np.sort(a, axis).astype(np.float32)\n"
RIGHT = "def sort(a, axis=-1): return np.sort(a, axis)\n"
TOO_LONG = "def floor(x): return np.append(np.floor(x), 0)\n"
RUN = ["run", "--subject", "changing", "--cases", "400", "--seed", "3", "--jobs", "1", "--values-only"]


@pytest.fixture(autouse=True)
def library(monkeypatch, tmp_path):
    """Write a library, which is imported anew each time; campaigns run in this process."""
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    run_inline(monkeypatch)

    def write(*functions):
        sys.modules.pop("changing", None)
        Path("changing.py").write_text(HEAD + "".join(functions))

    yield write
    sys.modules.pop("changing", None)


def replay(capsys, *words):
    status = main(["replay", "--subject", "changing", "--json", *words])
    return status, {(row["name"], row["status"]) for row in json.loads(capsys.readouterr().out)}


def rejudged(directory):
    summary = json.loads(Path(directory, "summary.json").read_text())
    return {(row["name"], row["status"]) for row in summary["rejudged"]}


def test_a_baseline_says_what_has_become_of_each_finding(library, capsys):
    library(NAN_LOST, TOO_LONG)
    assert main([*RUN, "--out", "first"]) == 1
    assert main(["baseline", "first", "--write", "base.json"]) == 0
    baseline = read_baseline(Path("base.json"))
    assert baseline.subject == "changing"
    assert {one.symptom for one in baseline.list_known()} >= {"nan lost", "longer"}
    assert all(one.cases for one in baseline.list_known())

    again = [*RUN, "--baseline", "base.json", "--out"]
    assert main([*again, "same"]) == 0
    assert rejudged("same") == {("sort", "still"), ("floor", "still")}

    library(RIGHT, TOO_LONG)
    capsys.readouterr()
    assert main([*again, "mended"]) == 0
    assert rejudged("mended") == {("sort", "fixed"), ("floor", "still")}
    printed = capsys.readouterr().out
    assert "fixed  f-" in printed
    assert re.search(r"Baseline: \d+ known: \d+ still, \d+ fixed", printed)
    assert main(["merge", "mended"]) == 0
    assert rejudged("mended") == {("sort", "fixed"), ("floor", "still")}


def test_replay_says_what_is_fixed_still_there_or_changed(library, capsys):
    library(NAN_LOST, TOO_LONG)
    assert main([*RUN, "--out", "first"]) == 1
    assert main(["baseline", "first", "--write", "base.json"]) == 0
    capsys.readouterr()
    assert replay(capsys, "first/findings.jsonl") == (1, {("sort", "still"), ("floor", "still")})
    library(RIGHT, TOO_LONG)
    assert replay(capsys, "base.json") == (0, {("sort", "fixed"), ("floor", "still")})
    library(SINGLE, TOO_LONG)
    status, shown = replay(capsys, "first")
    assert (status, ("sort", "changed") in shown, ("floor", "still") in shown) == (1, True, True)


@pytest.mark.full
def test_prune_removes_what_is_fixed_from_a_baseline(library, capsys):
    library(NAN_LOST, TOO_LONG)
    assert main([*RUN, "--out", "first"]) == 1
    assert main(["baseline", "first", "--write", "base.json"]) == 0
    library(RIGHT, TOO_LONG)
    assert main(["replay", "base.json", "--prune", "--subject", "changing"]) == 0
    assert {one.name for one in read_baseline(Path("base.json")).list_known()} == {"floor"}
    assert main(["replay", "first", "--prune", "--subject", "changing"]) == 2


def test_a_recorded_case_that_is_not_open_has_regressed(library, capsys):
    library(NAN_LOST)
    assert main([*RUN, "--out", "first"]) == 1
    Path("cases.jsonl").write_text(Path("first/cases.jsonl").read_text())
    capsys.readouterr()
    assert replay(capsys, "cases.jsonl") == (1, {("sort", "regressed")})
    library(RIGHT)
    assert replay(capsys, "cases.jsonl") == (0, {("sort", "fixed")})


def test_a_subject_that_only_a_file_names_is_not_imported(library, capsys):
    library(NAN_LOST)
    assert main([*RUN, "--out", "first"]) == 1
    assert main(["baseline", "first", "--write", "base.json"]) == 0
    for known in ("first", "base.json"):
        assert main(["replay", known]) == 2
        assert "imported only if you pass --subject changing" in capsys.readouterr().err
    assert main(["run", "add", "--subject", "numpy", "--baseline", "base.json", "--out", "other"]) == 2
    assert "base.json is a baseline of changing, not of numpy" in capsys.readouterr().err


@pytest.mark.full
def test_a_baseline_of_the_first_format_accepts_by_its_own_ids(library, capsys):
    library(NAN_LOST, TOO_LONG)
    assert main([*RUN, "--out", "first"]) == 1
    rows = [json.loads(line) for line in Path("first/findings.jsonl").read_text().splitlines()]
    olds = {find_first_id(row): row for row in rows}
    entries = [
        {"id": key, "name": row["name"], "kind": row["kind"], "modes": row["modes"], "until": "2999-01-01", "why": ""}
        for key, row in olds.items()
    ]
    Path("old.json").write_text(json.dumps({"format": 1, "entries": entries}))
    assert main([*RUN, "--baseline", "old.json", "--out", "second"]) == 0
    assert {status for _, status in rejudged("second")} == {"undecided"}


def find_first_id(row):
    return next(one.first_id for one in read_findings(Path("first")) if one.id == row["id"])


@pytest.mark.full
def test_runs_and_replays_are_appended_to_a_history(library, capsys):
    library(NAN_LOST, TOO_LONG)
    assert main([*RUN, "--out", "first", "--history", "h.sqlite"]) == 1
    library(RIGHT, TOO_LONG)
    assert main(["replay", "first", "--subject", "changing", "--history", "h.sqlite"]) == 1
    capsys.readouterr()
    assert main(["history", "first", "--file", "h.sqlite", "--html", "page/h.html", "--feed", "page/h.xml"]) == 0
    printed = capsys.readouterr().out
    assert "h.sqlite: 0 of 1 runs appended" in printed
    assert re.search(r"^open  shape  .*floor", printed, re.MULTILINE)
    assert re.search(r"^fixed  value  .*nan", printed, re.MULTILINE)
    assert "regressed" in Path("page/h.html").read_text()
    assert Path("page/h.xml").read_bytes().startswith(b"<?xml")
    assert main(["history", "--file", "none.sqlite"]) == 2
    assert main(["history", "--file", "first/run.json"]) == 2


def test_replay_and_merge_feed_a_history(library, capsys):
    library(NAN_LOST)
    assert main([*RUN, "--out", "first"]) == 1
    assert main(["merge", "first", "--out", "merged", "--history", "h.sqlite"]) == 1
    assert main(["merge", "first", "--out", "again", "--history", "h.sqlite"]) == 1
    started = json.loads(Path("first/run.json").read_text())["started"]
    rows = json.loads(Path("again/summary.json").read_text())["findings"]
    assert {row["first_seen"] for row in rows} == {started}
    assert f"first seen {started[:10]}" in Path("again/report.html").read_text()
    assert 'href="history.html"' in Path("again/report.html").read_text()
    assert "History of 1 run" in Path("again/history.html").read_text()
    assert main(["replay", "first", "--subject", "changing", "--history", "h.sqlite"]) == 1
    library(RIGHT)
    assert main(["replay", "first", "--subject", "changing", "--history", "h.sqlite"]) == 0
    with Database(Path("h.sqlite")) as database:
        assert len(database.list_runs()) == 1
        assert {one.status for one in database.list_verdicts()[:2]} == {"still"}
        assert {one.status for one in database.list_verdicts()[2:]} == {"fixed"}
    capsys.readouterr()
    assert main(["history", "--file", "h.sqlite"]) == 0
    assert re.search(r"^fixed  value  .*nan", capsys.readouterr().out, re.MULTILINE)
