from __future__ import annotations

import json
import os
import sys
from datetime import date
from pathlib import Path

import pytest

from fuzz.__main__ import main, program
from fuzz.cli.configuration import make_defaults
from fuzz.triage.configuration import ByDesignEntry
from fuzz.triage.ledger import Finding
from oracle import Case
from tests.fuzz.inline import run_inline

RUN = ["run", "--cases", "200", "--seed", "3", "--jobs", "1", "--out"]


@pytest.fixture(autouse=True)
def library(monkeypatch, tmp_path):
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.chdir(tmp_path)
    run_inline(monkeypatch)
    text = "import numpy as np\nfrom numpy import ndarray\n"
    text += "def floor(x): return np.append(np.floor(x), 0)\ndef ceil(x): return np.append(np.ceil(x), 0)\n"
    Path("configured.py").write_text(text)
    yield
    sys.modules.pop("configured", None)


def read_run(directory):
    summary = json.loads(Path(directory, "summary.json").read_text())
    return summary["subject"], set(summary["by_name"]), {row["name"] for row in summary["findings"] if not row["known"]}


def test_a_run_takes_what_the_project_always_passes(capsys):
    assert main(["init", "configured"]) == 0
    assert main([*RUN, "one", "--values-only"]) == 1
    assert read_run("one") == ("configured", {"floor", "ceil"}, {"floor", "ceil"})
    assert Path(".fuzz/history.sqlite").exists()
    assert main(["init", "configured"]) == 2
    assert "has a table [tool.fuzz] already" in capsys.readouterr().err
    text = '[tool.fuzz]\nsubject = "configured"\nnames = ["floor"]\nvalues-only = true\nbaseline = "base.json"\n'
    Path("pyproject.toml").write_text(text)
    assert main([*RUN, "two"]) == 1
    assert read_run("two") == ("configured", {"floor"}, {"floor"})
    assert main([*RUN, "three", "ceil"]) == 1
    assert read_run("three")[1] == {"ceil"}
    assert main(["baseline", "two", "--write", "base.json"]) == 0
    assert main([*RUN, "four"]) == 0
    assert main(["replay", "two"]) == 1


def test_the_table_says_which_findings_fail_a_run(capsys):
    Path("pyproject.toml").write_text('[tool.fuzz]\nsubject = "configured"\nfail-on = "edge"\n')
    assert main([*RUN, "one", "floor"]) == 1
    assert json.loads(Path("one/summary.json").read_text())["fail_on"] == "edge"
    Path("pyproject.toml").write_text('[tool.fuzz]\nsubject = "configured"\nfail-on = "rare"\n')
    assert main([*RUN, "two", "floor"]) == 2
    assert "'rare' is not one of 'ordinary', 'edge', 'any'" in capsys.readouterr().err


def test_what_is_meant_does_not_fail_a_run():
    text = '[tool.fuzz]\nsubject = "configured"\nvalues-only = true\n[[tool.fuzz.by-design]]\nname = "fl*"\n'
    Path("pyproject.toml").write_text(text + 'why = "a bound above"\n')
    assert main([*RUN, "one"]) == 1
    assert "floor" not in read_run("one")[2]
    assert "ceil" in read_run("one")[2]


@pytest.mark.parametrize(
    ("entry", "covers"),
    [
        ({"name": "median"}, True),
        ({"name": "med*", "kind": "value", "symptom": "nan lost"}, True),
        ({"name": "median", "kind": "dtype"}, False),
        ({"name": "median", "symptom": "nan made"}, False),
        ({"name": "median", "until": date(2026, 6, 1)}, True),
        ({"name": "median", "until": date(2026, 5, 31)}, False),
    ],
    ids=str,
)
def test_an_entry_covers_a_kind_and_a_symptom_until_a_day(entry, covers):
    finding = Finding("median", "value", ("eager",), "float", "", Case("median", (1.0,)), symptom="nan lost")
    assert ByDesignEntry(**entry, why="").covers(finding, date(2026, 6, 1)) is covers


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[tool.fuzz]\nsubjet = 'a'", "has no key 'subjet'; did you mean subject?"),
        ("[tool.fuzz]\nmodes = 'eager'", "modes is a str, not list"),
        ("[tool]\nfuzz = 1", "is no table"),
        ("[tool.fuzz", "pyproject.toml"),
        ("[[tool.fuzz.by-design]]\nname = 'a'", "has no why"),
    ],
)
def test_what_the_table_cannot_have_is_a_mistake(capsys, text, message):
    Path("pyproject.toml").write_text(text)
    assert main(["explain"]) == 2
    assert message in capsys.readouterr().err


def test_every_command_that_appends_to_a_history_takes_it_from_the_table():
    Path("pyproject.toml").write_text('[tool.fuzz]\nsubject = "configured"\nhistory = "h.sqlite"\n')
    defaults = make_defaults({name: program.commands[name] for name in ("replay", "merge", "coverage")}, ())
    assert {name: values["history"] for name, values in defaults.items()} == dict.fromkeys(defaults, "h.sqlite")


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ("history = 'a\\u0000b'", "history cannot be"),
        ("baseline = 'a\\u0000b'", "baseline cannot be"),
        ("[[tool.fuzz.by-design]]\nname = 'a'\nwhy = 'b'\nuntil = 2020-01-01T00:00:00", "until is a time, not a day"),
        ("[[tool.fuzz.by-design]]\nname = 'a'\nwhy = 'b'\n'\\u001b[2J' = 1", "it has no key"),
    ],
)
def test_a_table_that_a_run_cannot_use_ends_it_before_it_begins(table, said, capsys):
    Path("pyproject.toml").write_text(f"[tool.fuzz]\n{table}\n".replace("'", '"'))
    assert main([*RUN, "out", "--subject", "configured"]) == 2
    printed = capsys.readouterr()
    assert said in printed.err
    assert printed.err.strip().isprintable()
    assert printed.out == ""


@pytest.mark.parametrize("make", [os.mkfifo, lambda path: path.symlink_to("elsewhere")], ids=["pipe", "link"])
def test_a_table_is_written_to_no_pipe_and_through_no_link(make, capsys):
    make(Path("pyproject.toml"))
    assert main(["init", "configured"]) == 2
    assert "pyproject.toml: " in capsys.readouterr().err
    assert not Path("elsewhere").exists()
