"""The command `coverage --subjects`: several libraries, one file and one page, to be continued."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from fuzz.__main__ import main
from fuzz.adapters import REQUIREMENTS
from fuzz.cli import library_surveys
from fuzz.cli.library_surveys import find_environment
from fuzz.coverage import SURVEY
from fuzz.triage.untrusted_input import find_misfit
from tests.fuzz.inline import InlineSandbox

LIBRARY, RIGHT = "tests.fuzz.small_library", "numpy"
NAMES = ("median", "roll", "tile", "strings.lower")


@pytest.fixture(autouse=True)
def run_here(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)

    def make_sandbox(jobs, setup, notice=None):
        return InlineSandbox(jobs, setup["prepare"], setup["arguments"], start=setup["start"])

    monkeypatch.setattr("fuzz.cli.coverage.make_sandbox", make_sandbox)


def compare(*options, subjects=f"{LIBRARY},{RIGHT}", names=NAMES):
    command = ["coverage", *names, "--subjects", subjects, "--jobs", "1", "--json", "survey.json"]
    return main([*command, *map(str, options)])


def read(path="survey.json"):
    return json.loads(Path(path).read_text())


def test_each_library_is_on_the_page_and_in_the_file(capsys):
    assert compare("--html", "survey.html") == 0
    data = read()
    assert not find_misfit(data, SURVEY)
    assert [row["subject"] for row in data["libraries"]] == [LIBRARY, RIGHT]
    small, numpy = (row["totals"] for row in data["libraries"])
    assert (small["wrong"] + small["wrong at edges"], small["NumPy's own"]) == (2, 1)
    assert numpy["agrees"] + numpy["agrees, with allowances"] == 4
    example = data["libraries"][0]["examples"]["roll"]["shown"][0]
    assert example["call"].startswith("np.roll(")
    assert example["reduced"]
    page = Path("survey.html").read_text()
    assert "How far 2 libraries agree with NumPy" in page
    assert data["command"] in page
    assert json.dumps(example["case"]) not in page
    printed = capsys.readouterr().out
    assert f"{LIBRARY}: " in printed
    assert "no time" not in printed


def test_a_library_that_the_file_has_is_kept(capsys):
    assert compare(subjects=LIBRARY) == 0
    before = read()["libraries"][0]
    assert compare() == 0
    assert read()["libraries"][0] == before
    assert "(as before)" in capsys.readouterr().out
    assert compare("--seed", 3) == 2
    assert "survey.json is a survey with another seed: give another --json FILE" in capsys.readouterr().err


def test_one_library_that_cannot_be_judged_leaves_the_others(capsys):
    assert compare("--html", "survey.html", subjects=f"no_such_module,{RIGHT}") == 3
    assert [bool(row["error"]) for row in read()["libraries"]] == [True, False]
    assert "no_such_module: not judged: UnknownSubject" in capsys.readouterr().out
    assert "could not be judged: UnknownSubject" in Path("survey.html").read_text()
    assert compare(subjects=f"no_such_module,{RIGHT}") == 3  # it is tried again


def test_when_the_time_is_over_the_page_says_what_is_left(capsys):
    assert compare("--time", "1ms", subjects=LIBRARY) == 0
    row = read()["libraries"][0]
    assert row["unfinished"] == 3
    assert "no time for all calls of 3 names" in capsys.readouterr().out


def test_changes_since_an_earlier_survey_are_listed(capsys):
    compare(subjects=LIBRARY)
    Path("survey.json").rename("then.json")
    assert compare("--since", "then.json", subjects=LIBRARY) == 0
    assert f"Since then.json, {LIBRARY}: 0 names changed" in capsys.readouterr().out
    assert compare("--since", "survey.html", subjects=LIBRARY) == 2


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--subject", "numpy"], "--subject is about one library"),
        (["--badge", "badge.json"], "--badge is about one library"),
        (["--python", "python3"], "--python is about one library"),
        (["--subjects", "a b"], "no module 'a b'"),
        (["--subjects", "tensorflow"], "coverage is about NumPy's names"),
    ],
)
def test_what_makes_no_sense_is_a_usage_error(options, message, capsys):
    assert compare(*options) == 2
    assert message in capsys.readouterr().err


def test_what_is_installed_needs_no_environment(monkeypatch):
    made = []
    monkeypatch.setattr(library_surveys, "make_environment", lambda needed: made.append(needed) or Path("/env/python"))
    assert find_environment("numpy.ma") == find_environment("tests.fuzz.small_library") == ""
    monkeypatch.setitem(REQUIREMENTS, "absent_library.numpy", ("absent-library",))
    assert find_environment("absent_library.numpy") == "/env/python"
    assert made == [("absent-library", "numpy", "ml_dtypes", "mpmath")]
