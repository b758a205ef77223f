"""The command `coverage`: the same calls each time, a denominator, a least share, and what changed since."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from fuzz.__main__ import main
from fuzz.cli import coverage
from fuzz.history.database import Database
from tests.fuzz.inline import InlineSandbox

LIBRARY, RIGHT = "tests.fuzz.small_library", "numpy"
NAMES = ("median", "roll", "tile", "strings.lower")


@pytest.fixture(autouse=True)
def run_here(monkeypatch, tmp_path):
    monkeypatch.setattr(coverage, "Sandbox", InlineSandbox)
    monkeypatch.chdir(tmp_path)


def cover(*options, subject=LIBRARY, names=NAMES, jobs=1):
    command = ["coverage", *names, "--subject", subject, "--modes", "eager", "--jobs", str(jobs), *map(str, options)]
    return main(command)


def read(path):
    return json.loads(Path(path).read_text())


def test_the_share_is_of_the_names_chosen(capsys):
    assert cover("--against", "main", "--json", "main.json", "--badge", "badge.json") == 0
    assert [row["name"] for row in read("main.json")["names"]] == ["median", "roll", "tile"]
    assert (read("badge.json")["label"], read("badge.json")["message"]) == ("NumPy main namespace", "1 of 3 agree")
    assert "has 3 of the 3 names of NumPy's main namespace" in capsys.readouterr().out
    assert cover("--against", "array-api", "--badge", "badge.json") == 0
    assert (read("badge.json")["label"], read("badge.json")["message"]) == ("array API", "1 of 2 agree")


def test_too_small_a_share_fails(capsys):
    assert cover("--against", "main", "--fail-under", 33) == 0
    assert cover("--against", "main", "--fail-under", "33.4") == 1
    assert "33.3 % agree, less than 33.4 %" in capsys.readouterr().out


def test_since_makes_the_same_calls_and_shows_what_changed(capsys):
    cover("--seed", 7, "--json", "then.json", names=("median", "tile"))
    capsys.readouterr()
    names = ("median", "tile")
    assert cover("--since", "then.json", "--json", "now.json", subject=RIGHT, names=names) == 0
    assert "1 now agreeing (median)" in capsys.readouterr().out
    assert read("now.json")["seed"] == 7
    assert cover("--since", "now.json", names=names) == 0
    assert "1 no longer agreeing (median)" in capsys.readouterr().out
    assert cover("--since", "now.json", subject=RIGHT, names=names) == 0
    assert "nothing changed" in capsys.readouterr().out
    assert cover("--since", "now.json", "--seed", 8) == 2
    assert "now.json is made of other calls: leave out --seed 8" in capsys.readouterr().err


def test_the_calls_of_one_coverage_do_not_depend_on_time(capsys):
    assert cover("--time", "1m") == 2
    assert "--time is the time of each library of --subjects" in capsys.readouterr().err


def test_a_history_gets_coverages(capsys):
    assert cover("--history", "history.sqlite", "--html", "one.html") == 0
    assert cover("--history", "history.sqlite", "--html", "two.html", "--against", "main") == 0
    assert cover("--history", "history.sqlite", "--html", "two.html", subject=RIGHT) == 0
    with Database(Path("history.sqlite")) as database:
        runs = database.list_runs(LIBRARY)
    assert [(run.engine, run.exercised) for run in runs] == [("coverage numpy quick", 3), ("coverage main quick", 3)]
    assert "<polyline" not in Path("one.html").read_text() + Path("two.html").read_text()  # a curve is that of days
    assert cover("--json", "now.json") == 0
    with Database(Path("history.sqlite")) as database:
        database.add_coverage(read("now.json"), datetime.now(UTC) - timedelta(days=9))
    assert cover("--history", "history.sqlite", "--html", "three.html") == 0
    assert "in 3 coverages" in Path("three.html").read_text()
    assert "<polyline" in Path("three.html").read_text()
    assert main(["history", "--file", "history.sqlite", "--html", "history.html"]) == 0


def test_a_difference_that_is_meant_is_allowed(capsys):
    Path("pyproject.toml").write_text('[[tool.fuzz.by-design]]\nname = "median"\nwhy = "nan counts as missing"\n')
    assert cover("--json", "meant.json", names=("median", "roll")) == 0
    rows = {row["name"]: row for row in read("meant.json")["names"]}
    assert (rows["median"]["differs"], rows["median"]["allowed"]) == ([], ["eager"])
    assert rows["roll"]["differs"] == ["eager"]
