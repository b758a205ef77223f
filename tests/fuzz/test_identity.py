"""The identity of findings: two bugs of one function have two ids, and each bug keeps its own."""

from __future__ import annotations

import functools
import itertools
import json
import tempfile
from pathlib import Path

import numpy as np
import pytest

from fuzz.__main__ import main
from fuzz.engine.tasks import WorkerContext, judge_case, reduce_difference
from fuzz.mutants.generated import find_fault
from fuzz.mutants.subjects import name_of
from fuzz.triage.ledger import Finding
from oracle import Case, load_subject

CASES = 600
MANY_CASES = 1500  # so that campaigns of all seeds find the most common of a bug's minimal cases
SEEDS = range(1, 6)
BUGS = (
    ("sum/where/ignored", "sum/keepdims/ignored", "sum/initial/ignored"),
    ("argmax/keepdims/ignored", "argmax/axis/ignored", "argmax/out/ignored"),
    ("cumsum/axis/ignored", "cumsum/dtype/ignored"),
    ("median/axis/ignored", "median/keepdims/ignored", "median/out/ignored"),
    ("sort_puts_nan_first", "sort/axis/ignored"),
    ("diff/n/off-by-one", "diff/axis/ignored"),
)
PAIRS = [pair for bugs in BUGS for pair in itertools.combinations(bugs, 2)]


@functools.cache
def find_ids(*bugs, seed=1, jobs=1, cases=CASES):
    """Return the ids of what a campaign finds in NumPy's function with these bugs."""
    words = ("--subject", name_of(bugs, "numpy"), "--cases", cases, "--seed", seed, "--jobs", jobs)
    return run_campaign(find_fault(bugs[0]).target, *words)


def run_campaign(*words):
    """Return the ids of what a campaign finds and reduces."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder, "run")
        assert main(["run", *map(str, words), "--out", str(out), "--signatures", "off"]) == 1
        rows = [json.loads(line) for line in (out / "findings.jsonl").read_text().splitlines()]
    return frozenset(row["id"] for row in rows if row["reduced"])


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
    ("sum/where/ignored", "sum/initial/ignored"): (
        [Case("sum", (ROWS,), {"where": False}), Case("sum", (ROWS[0] + 1, None), {"where": False})],
        [Case("sum", (ROWS,), {"initial": 2.0}), Case("sum", (ROWS[0], None), {"initial": 7.5})],
    ),
    ("roll_rejects_unsigned_shifts", "roll/shift/first-of-several"): (
        [Case("roll", (ROWS[0], np.uint8(1))), Case("roll", (ROWS.astype("f4"), np.uint8(5)))],
        [Case("roll", (ROWS[0], (1, 2))), Case("roll", (ROWS.ravel(), (3, 1)))],
    ),
    ("median_takes_the_lower_middle", "median_of_infinities_is_nan"): (
        [Case("median", (ROWS[0],)), Case("median", (ROWS[1].astype("f4"),)), Case("median", ([5.0, 7.5],))],
        [Case("median", (np.full(3, np.inf),)), Case("median", (np.inf,)), Case("median", (np.full((2, 3), np.inf),))],
    ),
    ("argmax/keepdims/ignored", "argmax/axis/negative-from-front"): (
        [Case("argmax", (ROWS,), {"keepdims": True}), Case("argmax", (ROWS[0],), {"keepdims": True})],
        [Case("argmax", (ROWS, -1)), Case("argmax", (ROWS[:2].astype("f4"), -1))],
    ),
}


@pytest.mark.parametrize("bugs", WITNESSES, ids="-".join)
def test_the_cases_of_a_bug_are_reduced_to_one_id(bugs):
    one, other = ([*reduce_to_ids(name_of(bugs, "numpy"), cases)] for cases in WITNESSES[bugs])
    assert len(set(one)) == len(set(other)) == 1
    assert set(one) != set(other)


@pytest.mark.full
@pytest.mark.parametrize("pair", PAIRS, ids="-".join)
def test_two_bugs_of_one_function_have_two_ids(pair):
    alone = [find_ids(bug) for bug in pair]
    assert all(alone)
    assert not alone[0] & alone[1]
    both = find_ids(*pair)
    assert both & alone[0]
    assert both & alone[1]


@pytest.mark.full
@pytest.mark.parametrize("bug", [bug for bugs in BUGS for bug in bugs])
def test_a_bug_keeps_its_id(bug):
    """Over seeds, and with more workers."""
    found = [find_ids(bug, seed=seed, cases=MANY_CASES) for seed in SEEDS]
    assert frozenset.intersection(*found)
    assert find_ids(bug, jobs=2) == find_ids(bug)


@pytest.mark.full
def test_a_bug_of_eager_mode_keeps_its_id_in_all_modes(monkeypatch):
    monkeypatch.syspath_prepend(Path(__file__).parent)
    words = ("negative", "--subject", "planted", "--cases", 60, "--seed", 4, "--jobs", 1, "--modes")
    assert run_campaign(*words, "eager") == run_campaign(*words, "eager,graph,xla")
