"""How changes of verdicts are named and grouped."""

from __future__ import annotations

import numpy as np
import pytest

from oracle import Case, Mode, Outcome
from oracle.corpus.changes import VerdictChange, group_changes, report
from oracle.corpus.records import RecordedOutcome
from oracle.corpus.replay import Replay


def change(before, now, count=2):
    record = RecordedOutcome.of(Case("add", (np.ones(count), 1.0)), Mode("eager"), True, Outcome(None))
    return VerdictChange("one", before, Replay(record, now, ["value: expected 1, got 2"]))


@pytest.mark.parametrize(
    ("before", "now", "kind"),
    [
        ({}, {"differences": ["dtype", "value"]}, "agrees -> differs (dtype, value)"),
        ({"differences": ["value"]}, {"undecided": "no"}, "differs (value) -> undecided (no)"),
        ({"allowed": ["a: value"]}, {"allowed": ["b: value"]}, "allowance a: value lost; allowance b: value added"),
        ({}, {"allowed": ["a: value"]}, "agrees -> allowed; allowance a: value added"),
        ({}, {"faults": ["x: KeyError in f"]}, "fault x: KeyError in f added"),
        ({"differences": ["value"], "allowed": ["a: dtype"]}, {"differences": ["value"]}, "allowance a: dtype lost"),
        ({"undecided": "a"}, {"undecided": "b"}, "undecided (a) -> undecided (b)"),
        (
            {"differences": ["value"], "undecided": "a"},
            {"differences": ["value"]},
            "differs (value) and undecided (a) -> differs (value)",
        ),
    ],
)
def test_a_kind_says_what_changed(before, now, kind):
    assert change(before, now).kind == kind


def test_the_most_frequent_kind_comes_first_with_its_simplest_case():
    wrong = {"differences": ["value"]}
    changes = [change({}, {"undecided": "no"}), *(change({}, wrong, count) for count in (9, 1, 5))]
    assert [len(group) for group in group_changes(changes).values()] == [3, 1]
    first, _ = report(changes)
    assert first.startswith("3 x agrees -> differs (value)\n    of add\n    one ")
    assert "np.add(np.array([1.0], np.float64), 1.0)\n    value: expected 1, got 2" in first
