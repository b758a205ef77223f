"""Subjects that wait or hang, and time that ends before everything is judged or reduced."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

from fuzz.engine.campaign import Campaign
from fuzz.engine.dispatcher import Dispatcher
from fuzz.engine.exploration import MOST_ITEMS, Exploration
from fuzz.engine.item_results import WorkerDeath
from fuzz.engine.run_options import Options
from oracle.harness import Death, Limits, Reply

LIMITS = Limits(seconds=1.0, patience=1.0)


@pytest.fixture(autouse=True)
def planted_modules(monkeypatch):
    monkeypatch.syspath_prepend(Path(__file__).parents[1])


def run(monkeypatch, names, last_case, end, **options):
    monkeypatch.setattr("fuzz.engine.campaign.find_deadlines", lambda seconds, preparing: (last_case, end))
    given = {"seed": 3, "limits": LIMITS, "subject": "planted_waiting", "modes": ("eager",), "seconds": 60.0}
    return Campaign(Options(**given, names=names, **options)).run()


def test_wrong_answers_of_a_subject_that_waits_are_findings(monkeypatch):
    """It uses no CPU time: leases end by wall time, and what was answered when the time is over counts."""
    summary = run(monkeypatch, ("roll",), 5.0, 5.5)
    assert ("roll", "value") in {(finding.name, finding.kind) for finding in summary.findings}
    assert summary.counts.total >= 4
    assert summary.counts.find_spent("roll", "eager")["subject"] > 0.4
    assert summary.data()["cases_per_core_second"]["eager"] < 10


@pytest.mark.full
def test_a_name_that_hangs_does_not_starve_the_others(monkeypatch):
    summary = run(monkeypatch, ("sort", "flip"), 7.0, 8.0)
    assert summary.counts.cases["flip"] >= 100
    assert summary.counts.cases["sort"] > 0
    assert {("flip", "value"), ("sort", "hang")} <= {(finding.name, finding.kind) for finding in summary.findings}


@dataclass(frozen=True)
class Item:
    index: int
    name: str = "add"
    cold: bool = False


class Items:
    """A stream of so many items."""

    def __init__(self, count):
        self.left = [Item(i) for i in range(count)]

    @property
    def done(self):
        return not self.left

    def take(self, count, consumed):
        taken, self.left = self.left[:count], self.left[count:]
        return taken


class Executor:
    """Keeps leases until it is told to answer them."""

    free = 1

    def __init__(self):
        self.leases, self.replies = [], []

    def submit(self, lease):
        self.leases.append(lease)

    def answer(self, number, results=None):
        lease = self.leases[number]
        self.replies.append(Reply(lease.index, results or [f"judged {item.index}" for item in lease.items]))

    def wait(self, seconds):
        replies, self.replies = self.replies, []
        return replies

    def cut(self):
        return self.wait(0.0)


def explore(ordered, count=6):
    executor = Executor()
    dispatcher = Dispatcher(executor)
    options = {"ordered": ordered, "time_scale": 1.0, "first": 0, "observe": print}
    return executor, dispatcher, Exploration(dispatcher, Items(count), **options)


def awake(name):
    return False


@pytest.mark.parametrize(("ordered", "indices"), [(True, []), (False, [1])])
def test_results_are_taken_in_order_or_as_they_come(ordered, indices):
    executor, dispatcher, exploration = explore(ordered)
    assert exploration.send(awake)
    assert exploration.send(awake)
    executor.answer(1)
    dispatcher.listen(0.0)
    assert [item.index for item, _ in exploration.collect()] == indices
    assert exploration.following == 0
    executor.answer(0)
    dispatcher.listen(0.0)
    assert [item.index for item, _ in exploration.collect()] == [i for i in (0, 1) if i not in indices]
    assert exploration.following == 2


def test_the_size_of_leases_depends_on_wall_time():
    executor, dispatcher, exploration = explore(False, 2 * MOST_ITEMS)
    exploration.send(awake)
    executor.answer(0)
    dispatcher.listen(0.0)
    exploration.send(awake)
    assert len(executor.leases[1].items) == MOST_ITEMS  # the first took no time
    executor, dispatcher, exploration = explore(False, 2 * MOST_ITEMS)
    exploration.send(awake)
    dispatcher._sent[0] = ("judge_item", dispatcher._sent[0][1] - 0.15)
    executor.answer(0)
    dispatcher.listen(0.0)
    exploration.send(awake)
    assert len(executor.leases[1].items) == 2


def test_what_a_lease_has_answered_counts_when_time_is_over():
    executor, dispatcher, exploration = explore(True)
    exploration._judged = 1  # so that leases have several items
    exploration.send(awake)
    executor.answer(0, ["judged 0"])
    dispatcher.cut()
    exploration.give_up()
    assert [(item.index, result) for item, result in exploration.collect()] == [(0, "judged 0")]


def test_a_death_counts_also_if_its_case_was_not_drawn_in_time():
    executor, dispatcher, exploration = explore(True)
    exploration.send(awake)
    executor.answer(0, [Death("hang", executor.leases[0].items[0], "waited", "eager 0")])
    dispatcher.listen(0.0)
    assert list(exploration.collect()) == []
    dispatcher.cut()
    exploration.give_up()
    ((_, result),) = exploration.collect()
    assert isinstance(result, WorkerDeath)


def test_items_of_names_that_rest_are_left_out():
    executor, _, exploration = explore(False)
    assert not exploration.send(lambda name: True)
    assert not executor.leases
    assert exploration.done
