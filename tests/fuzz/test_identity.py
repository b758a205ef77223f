"""The identity of findings: two bugs of one function have two ids, and each bug keeps its own."""

from __future__ import annotations

import functools
import json
import sys
import tempfile
from pathlib import Path

import numpy as np
import pytest

from fuzz.__main__ import main
from fuzz.engine.tasks import WorkerContext, judge_case, reduce_difference
from fuzz.triage.ledger import Finding
from oracle import Case, load_subject

sys.path.insert(0, str(Path(__file__).parent))

import paired_bugs

CASES = 600
MANY_CASES = 1500  # so that campaigns of all seeds find the most common of a bug's minimal cases
SEEDS = range(1, 6)
BUGS = [(function, name) for function, bugs in paired_bugs.BUGS.items() for name in bugs]


@functools.cache
def find_ids(function, *names, seed=1, jobs=1, cases=CASES):
    """Return the ids of what a campaign finds in NumPy's function with these bugs."""
    subject = f"paired_bugs.{function}_with_{'_and_'.join(names)}"
    return run_campaign(function, "--subject", subject, "--cases", cases, "--seed", seed, "--jobs", jobs)


def run_campaign(*words):
    """Return the ids of what a campaign finds and reduces."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder, "run")
        assert main(["run", *map(str, words), "--out", str(out), "--signatures", "off"]) == 1
        rows = [json.loads(line) for line in (out / "findings.jsonl").read_text().splitlines()]
    return frozenset(row["id"] for row in rows if row["reduced"])


@pytest.fixture(autouse=True)
def import_path(monkeypatch):
    monkeypatch.syspath_prepend(Path(__file__).parent)


def reduce_to_ids(subject, cases):
    """Return the ids of the findings to which the differences of these cases are reduced."""
    bench = WorkerContext(load_subject(subject), ("CPU:0",))
    for case in cases:
        for seen in judge_case(bench, (case.json(), ("eager",))):
            last, _ = reduce_difference(bench, (seen, ("eager",), False, 0))
            minimal = Case.from_json(last.case)
            yield Finding(last.name, last.kind, last.modes, last.dtype, last.detail, minimal, symptom=last.symptom).id


ROWS = np.arange(12.0).reshape(3, 4)
WITNESSES = {
    "sum_with_nan_lost_and_where": (
        [Case("sum", ([np.nan, 1.0],)), Case("sum", (np.full((2, 3), np.nan), 1)), Case("sum", (np.nan,))],
        [Case("sum", (ROWS,), {"where": False}), Case("sum", (ROWS[0] + 1, None), {"where": False})],
    ),
    "roll_with_negative_and_flattened": (
        [Case("roll", (ROWS[0], -1)), Case("roll", (ROWS.ravel(), -5)), Case("roll", (ROWS[0].astype("f4"), -2))],
        [Case("roll", (ROWS, 1)), Case("roll", (ROWS[1:], 2)), Case("roll", (ROWS.astype("i8"), 5))],
    ),
    "argmax_with_nan_and_ties": (
        [Case("argmax", ([0.0, np.nan, np.nan],)), Case("argmax", (np.array([[2, 1], [np.nan, 5]], "f4"),))],
        [Case("argmax", (np.array([1, 1, 0]),)), Case("argmax", (np.array([[0, 3], [3, 1]], "u1"),))],
    ),
    "cumsum_with_small_integers_and_bool": (
        [Case("cumsum", (np.array([5, 7], "i1"),)), Case("cumsum", (np.array([[3]], "i1"), 0))],
        [Case("cumsum", ([True, False],)), Case("cumsum", (np.array([[True]]), 1))],
    ),
}


@pytest.mark.parametrize("subject", WITNESSES)
def test_the_cases_of_a_bug_are_reduced_to_one_id(subject):
    one, other = ([*reduce_to_ids(f"paired_bugs.{subject}", cases)] for cases in WITNESSES[subject])
    assert len(set(one)) == len(set(other)) == 1
    assert set(one) != set(other)


@pytest.mark.full
@pytest.mark.parametrize("pair", paired_bugs.PAIRS, ids="-".join)
def test_two_bugs_of_one_function_have_two_ids(pair):
    function, one, other = pair
    alone = [find_ids(function, name) for name in (one, other)]
    assert all(alone)
    assert not alone[0] & alone[1]
    both = find_ids(function, one, other)
    assert both & alone[0]
    assert both & alone[1]


@pytest.mark.full
@pytest.mark.parametrize("bug", BUGS, ids="-".join)
def test_a_bug_keeps_its_id(bug):
    """Over seeds, and with more workers."""
    found = [find_ids(*bug, seed=seed, cases=MANY_CASES) for seed in SEEDS]
    assert frozenset.intersection(*found)
    assert find_ids(*bug, jobs=2) == find_ids(*bug)


@pytest.mark.full
def test_a_bug_of_eager_mode_keeps_its_id_in_all_modes():
    words = ("negative", "--subject", "planted", "--cases", 60, "--seed", 4, "--jobs", 1, "--modes")
    assert run_campaign(*words, "eager") == run_campaign(*words, "eager,graph,xla")
