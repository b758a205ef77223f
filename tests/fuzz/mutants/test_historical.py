"""Bugs that users reported, planted again: each changes the answer to its own example, and they are of many sorts."""

from __future__ import annotations

import json
import re
from collections import Counter

import pytest

from fuzz.__main__ import main
from fuzz.cli.faults import summarise
from fuzz.generate.call_classes import EDGE, INVALID, ORDINARY
from fuzz.mutants import FAULTS
from fuzz.mutants.rates import Rate, Sampling, is_same, measure
from fuzz.mutants.score import Hunted, find_class, selected
from fuzz.mutants.subjects import name_of
from oracle import Mode, Outcome, load_subject, run_numpy
from oracle.harness import GRADIENTS, run_case
from tests.tables import check_each

REPORTED = {name: entry for name, entry in FAULTS.items() if entry.source}
ON_ARRAYS = [name for name, entry in REPORTED.items() if entry.on == "arrays" and not entry.crashing]
MODES = {name: entry for name, entry in REPORTED.items() if entry.on == "tensors"}
SOURCE = re.compile(r"[\w.-]+/[\w.-]+#[1-9]\d*")
SHOWN = "remainder_of_zero_has_the_quotients_sign"


def test_a_reported_bug_changes_the_answer_to_its_example():
    check_each(ON_ARRAYS, check_witness)


def check_witness(name):
    witness, eager = REPORTED[name].witness, Mode("eager")
    right, wrong = (run_case(eager, witness, load_subject(subject)) for subject in ("numpy", name_of(name, "numpy")))
    assert not is_same(right, wrong), name
    assert is_same(right, run_case(eager, witness, load_subject("numpy"))), "the right answer varies"


def test_there_are_a_hundred_with_a_report_each():
    assert len(REPORTED) == 100
    sources = [entry.source for entry in REPORTED.values()]
    assert len(set(sources)) == len(sources)
    assert all(SOURCE.fullmatch(source) for source in sources)
    assert len({source.partition("#")[0] for source in sources}) >= 15


def test_they_are_spread_over_names_kinds_classes_and_modes():
    names = Counter(entry.target for entry in REPORTED.values())
    assert len(names) >= 70
    assert max(names.values()) <= 4
    assert len({entry.kind for entry in REPORTED.values()}) >= 8
    assert {find_class(entry) for entry in REPORTED.values()} == {ORDINARY, EDGE, INVALID}
    modes = {mode for entry in MODES.values() for mode in entry.modes}
    assert {"graph", "xla", "vmap"} < modes
    assert len(modes & GRADIENTS) >= 3


def test_they_are_hunted_only_if_asked_for():
    assert not {entry.name for entry in selected([])} & REPORTED.keys()
    assert {entry.name for entry in selected([], historical=True)} == REPORTED.keys()
    assert [entry.name for entry in selected(["mars-project/*"], historical=True)] == [
        "norm_along_a_negative_axis_keeps_the_shape"
    ]


def test_a_rate_is_the_share_of_calls_whose_answer_changes():
    rate = measure(None, Sampling(SHOWN, "numpy", 200, 20.0))
    assert sum(rate.drawn.values()) == 200
    assert 0 < rate.share < 0.5
    assert rate.changed[ORDINARY] < rate.drawn[ORDINARY]


def test_equal_outcomes_are_the_same():
    witness = REPORTED[SHOWN].witness
    first = run_numpy(witness)
    assert is_same(first, run_numpy(witness))
    assert not is_same(first, Outcome(-first.value))
    assert is_same(Outcome.raised(ValueError("one")), Outcome.raised(ValueError("other")))
    assert not is_same(Outcome.raised(ValueError()), Outcome.raised(TypeError()))
    assert not is_same(first, Outcome.raised(ValueError()))


def test_the_summary_counts_by_class():
    ordinary = Hunted(REPORTED[SHOWN], "numpy", rate=Rate({ORDINARY: 10}, {ORDINARY: 1}))
    edge = Hunted(REPORTED["nanmedian_of_the_last_of_an_odd_number_is_infinite"], "numpy", rate=Rate({EDGE: 10}, {}))
    found = summarise([ordinary, edge])["classes"]
    assert (found[ORDINARY]["faults"], found[EDGE]["faults"], found["all"]["faults"]) == (1, 1, 2)
    assert found["all"]["found"] == 0
    assert found[ORDINARY]["median_rate"] == 10.0
    assert ordinary.data()["source"] == "numpy/numpy#13020"
    assert edge.data()["class"] == EDGE


@pytest.mark.full
def test_the_command_reports_rates_and_classes(tmp_path, capsys):
    path = tmp_path / "faults.json"
    assert main(["lab", "faults", "--historical", SHOWN, "--subject", "numpy", "--json", str(path)]) == 0
    data = json.loads(path.read_text())
    (row,) = data["hunts"]
    assert row["rate"]["drawn"] > 0
    assert row["class"] == ORDINARY
    assert data["classes"]["all"]["found"] == 1
    assert "numpy/numpy#13020" in capsys.readouterr().out
