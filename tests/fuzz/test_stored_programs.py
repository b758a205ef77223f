"""Runs of `--subject tensorflow` taken up again: what works, and what is refused in one line."""

from __future__ import annotations

import json

import numpy as np
import pytest

from fuzz.__main__ import main
from oracle import Constant, Input, Program, Step, encode_program

DIVIDED = Program(
    (np.array([1e38, 1.0], np.float32),), (Step("math.divide", (Input(0), Constant(np.array(2e38, np.float32)))),)
)
RIGHT = Program((np.array([1.0, 4.0], np.float32),), (Step("math.sqrt", (Input(0),)),))
ROW = {
    "id": "f-0123456789",
    "name": "math.divide",
    "kind": "value",
    "modes": ["graph"],
    "minimal": "tf.math.divide(a, b)",
}
ROW |= {"detail": "expected 0.5, got 0.0", "root": "math.divide (graph)", "case": "cases/f-0123456789.json"}


@pytest.fixture
def run(tmp_path):
    """A function that makes the directory of a run, cut short, with findings of these ids."""

    def make(name, *ids):
        root = tmp_path / name
        (root / "cases").mkdir(parents=True)
        (root / "run.json").write_text(json.dumps({"format": 1, "subject": "tensorflow"}))
        rows = [ROW | {"id": identity, "case": f"cases/{identity}.json"} for identity in ids]
        (root / "findings.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
        for identity in ids:
            (root / "cases" / f"{identity}.json").write_text(encode_program(DIVIDED))
        return root

    return make


@pytest.mark.full
def test_kept_programs_are_judged_again(run, tmp_path, capsys):
    (tmp_path / "right.json").write_text(encode_program(RIGHT))
    root = run("one", "f-0123456789")
    assert main(["replay", str(root), str(tmp_path / "right.json"), "--modes", "graph"]) == 1
    told = capsys.readouterr().out
    assert "differs  f-0123456789  tensorflow, graph" in told
    assert "value in graph: expected 0.5" in told
    assert "agrees  right" in told


@pytest.mark.full
def test_a_kept_program_is_reduced(run, tmp_path, capsys):
    case = run("one", "f-0123456789") / "cases" / "f-0123456789.json"
    smaller = tmp_path / "smaller.json"
    assert main(["reduce", str(case), "--modes", "graph", "--write", str(smaller)]) == 1
    assert "value in graph" in capsys.readouterr().out
    assert json.loads(smaller.read_text())["inputs"][0]["shape"] == [1]


def test_two_runs_are_compared(run, capsys):
    first, second = run("one", "f-0000000001", "f-0000000002"), run("two", "f-0000000002", "f-0000000003")
    assert main(["diff", str(first), str(second)]) == 1
    assert "1 new, 1 gone, 1 in both" in capsys.readouterr().out
    assert main(["diff", str(first), str(first)]) == 0


def test_findings_are_accepted(run, tmp_path):
    written = tmp_path / "baseline.json"
    assert main(["baseline", str(run("one", "f-0123456789")), "--write", str(written)]) == 0
    assert [entry["id"] for entry in json.loads(written.read_text())["entries"]] == ["f-0123456789"]


@pytest.mark.parametrize(
    "words",
    [
        ["run", "--resume", "RUN"],
        ["merge", "RUN", "RUN"],
        ["report", "RUN"],
        ["coverage", "--subject", "tensorflow"],
        ["replay", "RUN", "--modes", "vmap"],
        ["replay", "RUN", "--setup", "json:dumps"],
        ["replay", "RUN", "--subject", "tfnp"],
        ["replay", "RUN", "CALL"],
        ["reduce", "RUN/cases/f-0123456789.json", "--budget", "9"],
        ["replay", "BROKEN"],
    ],
)
def test_what_is_not_offered_is_told_in_one_line(run, tmp_path, capsys, words):
    root = run("one", "f-0123456789")
    (tmp_path / "call.json").write_text('{"name": "sin", "args": [1]}')
    (tmp_path / "broken.json").write_text('{"format": "tensorflow program 1", "steps": 1}')
    places = {"RUN": str(root), "CALL": str(tmp_path / "call.json"), "BROKEN": str(tmp_path / "broken.json")}
    given = [places.get(word, word.replace("RUN/", f"{root}/")) for word in words]
    assert main(given) == 2
    told = capsys.readouterr().err.strip().split("\n")
    assert len(told) == 1
    assert told[0].startswith("fuzz: ")
