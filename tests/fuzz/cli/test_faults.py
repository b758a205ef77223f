"""The command `faults`: which faults it hunts, and the score by kind."""

from __future__ import annotations

import json

import numpy as np
import pytest

from fuzz.__main__ import main
from fuzz.cli.faults import choose, format_line, summarise
from fuzz.mutants import FAULTS
from fuzz.mutants.generated import find_fault
from fuzz.mutants.score import WRITTEN, Hunted
from fuzz.mutants.witnesses import Search
from oracle import Case

ACCEPTED = Case("sort", (np.array([0.0]),))


def hunted(name, search=None):
    return Hunted(FAULTS.get(name) or find_fault(name), "numpy", search=search)


def test_faults_written_by_hand_are_hunted_unless_others_are_named():
    assert {entry.operator for entry in choose([], False, None, [])} == {""}
    assert {entry.name for entry in choose(["sum/axis/*"], False, None, ["off-by-one"])} == {"sum/axis/off-by-one"}
    both = {entry.operator for entry in choose(["sin"], False, None, [])}
    assert {"", "ignored", "dtype-kept"} <= both


def test_the_score_tells_faults_without_a_witness_from_those_that_were_missed():
    hunts = [
        hunted("sin_returns_zero"),
        hunted("sum/axis/ignored", Search(5, 1, ACCEPTED)),
        hunted("sort/kind/ignored", Search(9, 2, None, ACCEPTED)),
    ]
    data = summarise(hunts)
    kinds = data["kinds"]
    assert list(kinds) == ["ignored", WRITTEN, "all"]
    medians = {"median_core_seconds": None, "median_rate": None}
    assert kinds["ignored"] == {"faults": 2, "found": 0, "missed": 1, "no_witness": 1, **medians}
    assert data["missed"] == ["sin_returns_zero", "sum/axis/ignored"]
    assert data["no_witness"] == ["sort/kind/ignored"]
    assert data["hunts"][2]["witness_search"]["accepted"] == str(ACCEPTED)
    assert "changes the answer to 2 of 9 calls, and the judge accepts np.sort(" in format_line(hunts[2])
    json.dumps(data)


def test_reported_faults_have_no_kinds(capsys):
    assert main(["lab", "faults", "--historical", "--sample", "3"]) == 2
    assert "no kinds and no sample" in capsys.readouterr().err


def test_a_reported_fault_is_asked_for_by_an_option(capsys):
    assert main(["lab", "faults", "kron_rejects_empty_arrays"]) == 2
    assert "it is hunted with --historical" in capsys.readouterr().err


def test_an_unknown_id_is_a_mistake(capsys):
    assert main(["lab", "faults", "sum/axis/of-by-one"]) == 2
    assert "did you mean sum/axis/off-by-one" in capsys.readouterr().err


@pytest.mark.full
def test_the_fuzzer_finds_most_of_the_sample(tmp_path):
    path = tmp_path / "faults.json"
    main(["lab", "faults", "--sample", "300", "--subject", "numpy", "--time", "20s", "--json", str(path)])
    score = json.loads(path.read_text())["kinds"]["all"]
    assert score["faults"] == 300
    assert score["missed"] <= 0.1 * score["found"]
