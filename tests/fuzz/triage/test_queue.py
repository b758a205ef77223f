"""The triage queue: what becomes of a difference whose reduction comes to nothing."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from fuzz.differences import UNSTABLE, Difference
from fuzz.triage.ledger import Ledger
from fuzz.triage.queue import AT_ONCE, FEW, FIRST, LAST, REDUCED_AT, THOROUGH, THOROUGHLY, TriageQueue
from oracle import Case
from oracle.harness import Failure, Limits, Reply

SMALL = Case("sum", (np.ones(1),))
CASE = Case("histogram", (np.arange(4.0),))
DIFFERENCE = Difference(0, 0, "histogram", "value", ("eager",), "float", "expected 0.0, got 1.0", CASE.json())


class Workers:
    """Workers that give one answer to every reduction, and no script."""

    def __init__(self, answer):
        self.answer, self.asked, self.tasks = answer, [], []

    def mean_seconds(self, function, default):
        return default

    def ask(self, function, items, then, *, now=False, **options):
        self.asked.append(function)
        self.tasks += items if function == "reduce_difference" else []
        result = self.answer if function == "reduce_difference" else Failure(items[0], "no script")
        then(Reply(0, [result]))


@pytest.mark.parametrize(
    ("answer", "kind", "failures", "asked"),
    [
        (Failure(None, "KeyError: '>f4'"), "value", ["KeyError: '>f4'"], 2),
        ((None, None), UNSTABLE, [], 2),
    ],
    ids=["failed", "gone"],
)
def test_a_reduction_that_fails_makes_no_nondeterminism(answer, kind, failures, asked):
    """The fault may be there each time: that the harness fails says nothing about it."""
    workers, ledger, failed = Workers(answer), Ledger(), []
    queue = TriageQueue(workers, ledger, "made", ("eager",), Limits(), lambda *_: None, failed.append)
    queue.see(DIFFERENCE)
    (finding,) = ledger
    assert (finding.name, finding.kind, finding.reduced) == ("histogram", kind, False)
    assert [trace for trace in failed if not trace.startswith("no script")] == failures
    assert workers.asked.count("reduce_difference") == asked
    assert queue.open == 0


def test_a_cause_with_ten_members_needs_no_eleventh_thorough_reduction():
    """Further names are reduced by a few candidates. The script of each is tried."""
    detail = "AttributeError: 'Tensor' object has no attribute 'astype'; NumPy gives 1.0"
    seen = [
        Difference(0, 0, name, "spurious error", ("eager",), "float", detail, Case(name, (1.0,)).json())
        for name in ("sin", "cos", "tan", "exp", "log", "sqrt", "floor", "ceil", "rint", "sinh", "cosh", "tanh")
    ]
    workers, ledger = Workers(None), Ledger()
    queue = TriageQueue(workers, ledger, "made", ("eager",), Limits(), lambda *_: None, lambda *_: None)
    for difference in seen:
        workers.answer = (difference, None)
        queue.see(difference)
    assert len(ledger) == len(seen)
    assert [task[-1] for task in workers.tasks] == [FIRST, 0] * THOROUGH + [FIRST, FEW] * 2
    assert workers.asked.count("write_script") == len(seen)


class Later(Workers):
    """Workers that give replies when they are told to."""

    def __init__(self):
        super().__init__(None)
        self.requests = []

    def ask(self, function, items, then, *, rank=(0,), **options):
        self.requests.append((rank, function, items[0], then))

    def drop(self, function="", least=()):
        self.requests = [one for one in self.requests if function != one[1] or one[0] < least]

    def answer_next(self, answers):
        """Answer the request that comes first, and return which it was."""
        self.requests.sort(key=lambda request: request[0])
        rank, function, item, then = self.requests.pop(0)
        then(Reply(0, [answers[function](item)]))
        return rank[0], function


def make_queue(workers, ordered, shown, glimpsed):
    ledger = Ledger()

    def observe(finding, source):
        shown.append((finding.name, source))

    def glimpse(finding):
        glimpsed.append((finding.name, finding.reduced))

    modes = ("eager", "graph", "saved", "xla")
    return ledger, TriageQueue(workers, ledger, "made", modes, Limits(), observe, print, glimpse, ordered=ordered)


def see(queue, name, kind, case, modes=("eager",)):
    queue.see(Difference(0, 0, name, kind, modes, "float", f"a {kind} of {name}", case.json()))


ANSWERS = {
    "reduce_difference": lambda task: (task[0], None),
    "attribute_difference": lambda task: replace(task[0], modes=task[1], attribution="node Add"),
    "write_script": lambda seen: "raise SystemExit(1)",
    "run_script": lambda source: 1,
}


def test_every_difference_is_reduced_a_little_before_any_is_reduced_thoroughly_the_most_severe_first():
    workers, shown, glimpsed = Later(), [], []
    ledger, queue = make_queue(workers, True, shown, glimpsed)
    see(queue, "sqrt", "different error", Case("sqrt", ("text",)))
    see(queue, "sum", "value", Case("sum", (np.ones(3),)))
    assert [workers.answer_next(ANSWERS) for _ in range(2)] == [(AT_ONCE, "reduce_difference")] * 2
    assert glimpsed == [("sqrt", False), ("sum", False)]
    assert not list(ledger)
    done = [workers.answer_next(ANSWERS) for _ in range(3)]
    assert done == [(THOROUGHLY, "reduce_difference"), (THOROUGHLY, "reduce_difference"), (AT_ONCE, "write_script")]
    done = [workers.answer_next(ANSWERS) for _ in range(5)]
    assert [(finding.name, finding.reproduced) for finding in ledger] == [("sqrt", True), ("sum", True)]
    assert done[-2:] == [(LAST, "attribute_difference")] * 2
    spread = {(finding.modes, finding.attribution) for finding in ledger}
    assert spread == {(("eager", "graph", "saved", "xla"), "node Add")}
    assert queue.open == 0


def test_what_is_not_reduced_when_time_ends_is_a_finding_as_far_as_it_is_reduced():
    workers, shown = Later(), []
    ledger, queue = make_queue(workers, True, shown, [])
    see(queue, "sum", "value", Case("sum", (np.ones(3),)))
    see(queue, "sqrt", "value", Case("sqrt", (np.ones(3),)))
    workers.answer_next(ANSWERS | {"reduce_difference": lambda task: (replace(task[0], case=SMALL.json()), None)})
    queue.give_up()
    assert {(finding.name, finding.reduced, str(finding.minimal)) for finding in ledger} == {
        ("sum", False, str(SMALL)),
        ("sqrt", False, str(Case("sqrt", (np.ones(3),)))),
    }
    assert queue.untried == sorted(finding.id for finding in ledger)


def test_what_decides_which_finding_it_is_is_asked_at_once_and_other_modes_once():
    workers = Later()
    _, queue = make_queue(workers, False, [], [])
    see(queue, "sum", "value", Case("sum", (np.ones(3),)), ("xla",))
    asked = []
    answers = ANSWERS | {"reduce_difference": lambda task: asked.append(task[1]) or (task[0], None)}
    while workers.requests:
        workers.answer_next(answers)
    assert asked == [(), ("eager", "graph", "xla")]


def test_in_a_hurry_scripts_are_tried_of_what_is_not_reduced_thoroughly():
    workers, shown = Later(), []
    ledger, queue = make_queue(workers, False, shown, [])
    see(queue, "sum", "value", Case("sum", (np.ones(3),)))
    see(queue, "sqrt", "value", Case("sqrt", (np.ones(3),)))
    for _ in range(2):
        workers.answer_next(ANSWERS)
    queue.hurry()
    queue.hurry()
    done = [workers.answer_next(ANSWERS)[1] for _ in range(4)]
    assert sorted(done) == ["run_script"] * 2 + ["write_script"] * 2
    assert not workers.requests
    queue.give_up()
    assert {(finding.name, finding.reduced, finding.reproduced) for finding in ledger} == {
        ("sum", False, True),
        ("sqrt", False, True),
    }


def test_where_time_may_end_a_script_is_tried_before_the_thorough_reduction():
    workers, shown = Later(), []
    ledger, queue = make_queue(workers, False, shown, [])
    see(queue, "sqrt", "different error", Case("sqrt", ("text",)))
    see(queue, "sum", "value", CASE)
    smaller = ANSWERS | {"reduce_difference": lambda task: (replace(task[0], case=SMALL.json()), None)}
    done = [workers.answer_next(smaller)[1] for _ in range(6)]
    assert done == ["reduce_difference"] * 2 + ["write_script", "run_script"] * 2
    assert (shown, queue.backlog) == ([], 0.0)
    assert workers.answer_next(ANSWERS) == (THOROUGHLY, "reduce_difference")
    assert shown == [("sum", ""), ("sum", "raise SystemExit(1)")]  # the same call: its script is not tried again
    queue.give_up()
    assert {(finding.name, finding.reduced, finding.reproduced) for finding in ledger} == {
        ("sum", True, True),
        ("sqrt", False, True),
    }
    assert shown[2:] == [("sqrt", ""), ("sqrt", "raise SystemExit(1)")]


def test_a_thorough_reduction_that_leads_to_another_call_has_its_script_tried():
    workers = Later()
    ledger, queue = make_queue(workers, False, [], [])
    see(queue, "sum", "value", Case("sum", (np.ones(3),)))
    for _ in range(3):
        workers.answer_next(ANSWERS)
    smaller = ANSWERS | {"reduce_difference": lambda task: (replace(task[0], case=SMALL.json()), None)}
    done = [workers.answer_next(smaller)[1] for _ in range(3)]
    assert done == ["reduce_difference", "write_script", "run_script"]
    assert [(finding.minimal.id, finding.reproduced) for finding in ledger] == [(SMALL.id, True)]


def test_further_differences_of_a_kind_are_not_reduced_twice():
    """A first reduction shows what was seen, which is shown already."""
    workers = Later()
    _, queue = make_queue(workers, False, [], [])
    for _ in range(min(REDUCED_AT - {1})):
        see(queue, "sum", "value", CASE)
    assert [rank[0] for rank, *_ in workers.requests] == [AT_ONCE, THOROUGHLY]
