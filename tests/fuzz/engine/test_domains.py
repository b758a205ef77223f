"""Domains: whose names a subject has, which options apply, and what becomes of items that end their worker."""

from __future__ import annotations

import json

import numpy as np
import pytest

from fuzz.differences import Difference
from fuzz.engine.campaign import Campaign
from fuzz.engine.domain import Unusable
from fuzz.engine.domains import NUMPY_CALLS, check_modes, check_options, find_domain
from fuzz.engine.run_options import Options
from fuzz.engine.tallies import Survey, Tally
from oracle.harness import NAMES, OPS, WAYS, Death, Input, Program, Reply, Step

PROGRAM = Program((np.ones(2, np.float32),), (Step("math.cumsum", (Input(0),)),))
CRASHING = 3  # the number of the program that ends its worker
CRASHED = "xla 2"


class Workers:
    """An executor whose workers end in the first round, because of one program."""

    def __init__(self):
        self.replies, self.judged = [], []

    free, busy = 1, False

    def open(self):
        pass

    close = open

    def submit(self, lease):
        function = lease.function.rpartition(":")[2]
        self.replies.append(Reply(lease.index, [getattr(self, function)(item) for item in lease.items]))

    def cut(self):
        return []

    def wait(self, seconds):
        replies, self.replies = self.replies, []
        return replies

    def find_modes(self, asked):
        return WAYS

    def survey(self, task):
        return Survey(tuple(task[0]), ("CPU:0",), modes=WAYS, siblings=128)

    def judge_item(self, item):
        self.judged.append((item.numbers, item.ending is not None))
        if CRASHING in item.numbers and item.ending is None:
            return Death("crash", item, "SIGSEGV: somewhere", CRASHED)
        tallies = tuple(Tally(item.index, item.name, 10, valid=10, runs={"eager": 10}) for _ in item.numbers)
        if item.ending is not None:
            identity = (item.index, CRASHING, PROGRAM.name, item.ending.kind, ("xla",), "float")
            tallies[0].differences = [Difference(*identity, item.ending.detail, PROGRAM.json(), fatal=True)]
        return tallies

    def judge_case(self, task):
        return Death("crash", task, "SIGSEGV: somewhere", "xla 0") if task[1] == ("xla",) else []

    def answer_case(self, text):
        return []

    def write_script(self, difference):
        return "", "import os\nos.abort()\n"

    def run_script(self, source):
        return Death("crash", source, "SIGABRT", "beginning") if source else 0


def test_a_round_that_ends_its_worker_is_judged_program_by_program():
    workers = Workers()
    summary = Campaign(Options(cases=128, seed=1, subject="tensorflow", modes=WAYS), executor=workers).run()
    singles = [((number,), False) for number in range(10)]
    assert workers.judged == [(tuple(range(10)), False), *singles, ((CRASHING,), True)]
    (finding,) = summary.findings
    assert (finding.name, finding.kind, finding.modes, finding.count) == ("math.cumsum", "crash", ("xla",), 1)
    assert finding.reproduced  # by the second of its scripts
    data = json.loads(json.dumps(summary.data()))
    assert data["cases"] == 100
    assert data["names"]["total"] == len(OPS)
    assert data["causes"][0]["title"] == "math.cumsum (xla)"
    assert not data["lost"]


def test_every_subject_has_a_domain():
    assert find_domain("tfnp") is find_domain(None) is NUMPY_CALLS
    assert find_domain("tfnp").names == tuple(NAMES)
    assert set(find_domain("tensorflow").names) == OPS


def test_modes_and_options_that_say_nothing_about_a_domain_are_refused():
    check_modes("tfnp", ("vmap",))
    check_options("tfnp", ("setup", "errors"))
    check_options("tensorflow", ("devices", "seed"))
    with pytest.raises(Unusable, match="tensorflow runs in eager, graph, xla, not in vmap"):
        check_modes("tensorflow", ("eager", "vmap"))
    with pytest.raises(Unusable, match="tensorflow does not take --values-only"):
        check_options("tensorflow", ("seed", "values_only"))
