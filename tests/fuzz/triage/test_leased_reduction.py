"""Reductions of what ends its worker: how many candidates they take, and which modes are asked when."""

from __future__ import annotations

import time

import numpy as np
import pytest

from fuzz.differences import Difference
from fuzz.triage.ledger import Ledger
from fuzz.triage.queue import IDLE, TriageQueue
from oracle import Case, Outcome
from oracle.harness import Death, Limits, Reply

CASE = Case("gcd", (np.arange(6), np.arange(6)))
MODES = ("eager", "graph", "saved", "xla")


class Mortal:
    """Workers that die of a name in some modes, and take a second for each case. Requests of the rank IDLE wait."""

    def __init__(self, crashing):
        self.crashing, self.asked, self.idle = crashing, [], []

    def mean_seconds(self, function, default):
        return default

    def drop(self, function="", least=()):
        pass

    def ask(self, function, items, then, *, rank=(0,), **options):
        if rank == (IDLE,):
            self.idle.append((function, items, then))
        else:
            self.answer(function, items, then)

    def answer(self, function, items, then):
        result = {"answer_case": Outcome(0), "write_script": "raise SystemExit(1)", "run_script": 1}.get(function)
        if function == "judge_case":
            _, (mode,) = items[0]
            self.asked.append(mode)
            result = Death("crash", None, "SIGSEGV", f"{mode} 0") if mode in self.crashing else []
        then(Reply(0, [result], seconds=1.0))

    def answer_idle(self):
        while self.idle:
            self.answer(*self.idle.pop(0))


def reduce_all(workers, modes, **options):
    """See a death in each of these modes, and return the ledger once all are reduced."""
    ledger = Ledger()
    queue = TriageQueue(workers, ledger, "made", MODES, Limits(), lambda *_: None, pytest.fail, **options)
    for mode in modes:
        queue.see(Difference(0, 0, "gcd", "crash", (mode,), "int", "SIGSEGV", CASE.json(), fatal=True))
    end = time.monotonic() + 30.0
    while queue.open > len(workers.idle) and time.monotonic() < end:
        queue.collect()
    return ledger, queue


def test_in_which_other_modes_a_case_ends_its_worker_is_asked_last_of_all():
    workers = Mortal({"eager", "saved"})
    ledger, queue = reduce_all(workers, ["eager"])
    assert set(workers.asked) == {"eager"}
    assert [finding.modes for finding in ledger] == [("eager",)]
    workers.answer_idle()
    assert workers.asked[-3:] == ["graph", "saved", "xla"]
    assert [finding.modes for finding in ledger] == [("eager", "saved")]
    assert queue.open == 0


def test_a_death_is_first_tried_on_the_case_that_one_in_another_mode_was_reduced_to():
    alone, both = Mortal({"eager", "xla"}), Mortal({"eager", "xla"})
    reduce_all(alone, ["eager"])
    ledger, _ = reduce_all(both, ["eager", "xla"])
    assert both.asked == [*alone.asked, "xla"]
    assert [finding.modes for finding in ledger] == [("eager", "xla")]


def test_a_death_in_a_mode_that_costs_more_is_another_finding_only_if_cheaper_ones_do_not_show_it():
    workers = Mortal({"xla"})
    ledger, _ = reduce_all(workers, ["xla"])
    assert set(workers.asked) == {"xla", "eager", "graph"}
    assert [finding.modes for finding in ledger] == [("xla",)]


def test_a_reduction_takes_no_candidate_once_its_time_is_spent():
    few, many = Mortal({"eager"}), Mortal({"eager"})
    reduce_all(few, ["eager"], seconds_of_death=0.5)
    reduce_all(many, ["eager"])
    assert len(few.asked) == 2  # a candidate, and the one that is left
    assert len(many.asked) > len(few.asked)
