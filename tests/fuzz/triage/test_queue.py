"""The triage queue: what becomes of a sighting whose reduction comes to nothing."""

from __future__ import annotations

import numpy as np
import pytest

from fuzz.sightings import UNSTABLE, Reduced, Sighting
from fuzz.triage.ledger import Ledger
from fuzz.triage.queue import FEW, THOROUGH, TriageQueue
from oracle import Case
from oracle.harness import Failure, Limits, Reply

CASE = Case("histogram", (np.arange(4.0),))
SIGHTING = Sighting(0, 0, "histogram", "value", ("eager",), "float", "expected 0.0, got 1.0", CASE.json())


class Workers:
    """Workers that give one answer to every reduction, and no script."""

    def __init__(self, answer):
        self.answer, self.asked, self.tasks = answer, [], []

    def mean_seconds(self, function, default):
        return default

    def ask(self, function, items, then, *, now=False, **options):
        self.asked.append(function)
        self.tasks += items if function == "reduce_sighting" else []
        result = self.answer if function == "reduce_sighting" else Failure(items[0], "no script")
        then(Reply(0, [result]))


@pytest.mark.parametrize(
    ("answer", "kind", "failures", "asked"),
    [
        (Failure(None, "KeyError: '>f4'"), "value", ["KeyError: '>f4'"], 1),
        (Reduced(None, 1, 0.1), UNSTABLE, [], 1),
    ],
    ids=["failed", "gone"],
)
def test_a_reduction_that_fails_makes_no_nondeterminism(answer, kind, failures, asked):
    """The fault may be there each time: that the harness fails says nothing about it."""
    workers, ledger, failed = Workers(answer), Ledger(), []
    queue = TriageQueue(workers, ledger, "made", ("eager",), Limits(), lambda *_: None, failed.append)
    queue.see(SIGHTING)
    (finding,) = ledger
    assert (finding.name, finding.kind, finding.reduced) == ("histogram", kind, False)
    assert [trace for trace in failed if not trace.startswith("no script")] == failures
    assert workers.asked.count("reduce_sighting") == asked
    assert queue.open == 0


def test_a_cause_with_ten_members_needs_no_eleventh_thorough_reduction():
    """Further names are reduced by a few candidates, and get no script."""
    detail = "AttributeError: 'Tensor' object has no attribute 'astype'; NumPy gives 1.0"
    seen = [
        Sighting(0, 0, name, "spurious error", ("eager",), "float", detail, Case(name, (1.0,)).json())
        for name in ("sin", "cos", "tan", "exp", "log", "sqrt", "floor", "ceil", "rint", "sinh", "cosh", "tanh")
    ]
    workers, ledger = Workers(None), Ledger()
    queue = TriageQueue(workers, ledger, "made", ("eager",), Limits(), lambda *_: None, lambda *_: None)
    for sighting in seen:
        workers.answer = Reduced(sighting, 1, 0.1)
        queue.see(sighting)
    assert len(ledger) == len(seen)
    assert [task[-1] for task in workers.tasks] == [0] * THOROUGH + [FEW] * 2
    assert workers.asked.count("write_script") == THOROUGH
