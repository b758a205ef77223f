"""Leases on a cluster whose workers come late, are lost, or cannot be used."""

from __future__ import annotations

import itertools
import time

import pytest

from fuzz.engine import cluster
from fuzz.engine.cluster import ClusterExecutor, ClusterLost
from fuzz.engine.dask_client import CLOSED, CONNECTED, RECONNECTING, Ended, NoCluster, SeenWorker
from fuzz.engine.provenance import find_versions
from fuzz.engine.sandboxes import close_sandboxes, open_sandbox, run_lease
from oracle.harness import Lease, Reply, SandboxError, UnknownSubject

SETUP = {"arguments": {"subject": "numpy"}}


class Workers:
    """Workers without processes. Those that are `stopped` answer nothing; `errors` are raised by functions there."""

    address = "tcp://here:1"

    def __init__(self, *addresses, threads=1):
        self.state = CONNECTED
        self.threads, self.stopped, self.removed = threads, set(), set()
        self.errors, self.once = {}, {}  # by address and function; those of `once` are raised once
        self.held = set()  # functions that do not end
        self.versions = {}
        self.calls, self.ended, self.last = {}, [], []
        self.numbers = itertools.count()
        self.there = {}
        self.add(*addresses)

    def add(self, *addresses):
        for address in addresses:
            self.there[address] = SeenWorker(address, address.rpartition("/")[2], self.threads)

    @property
    def asked(self):
        """The addresses of the workers that have not answered yet."""
        return [address for address, _, _ in self.calls.values()]

    def remove(self, address):
        del self.there[address]
        self.removed.add(address)

    def connect(self):
        pass

    def list_workers(self):
        return dict(self.there)

    def take_removed(self):
        removed, self.removed = self.removed, set()
        return removed

    def submit(self, address, function, *arguments):
        ticket = next(self.numbers)
        self.calls[ticket] = (address, function, arguments)
        return ticket

    def collect(self):
        found, self.ended = self.ended, []
        for ticket, (address, function, arguments) in list(self.calls.items()):
            if address in self.there and address not in self.stopped and function not in self.held:
                del self.calls[ticket]
                found.append(self.answer(ticket, address, function, arguments))
        return found

    def answer(self, ticket, address, function, arguments):
        if (address, function) in self.once:
            return Ended(ticket, error=self.once.pop((address, function)))
        if (address, function) in self.errors:
            return Ended(ticket, error=self.errors[address, function])
        if function is open_sandbox:
            return Ended(ticket, self.versions.get(address, find_versions("numpy")))
        lease = arguments[-1]
        return Ended(ticket, Reply(lease.index, [address for _ in lease.items]))

    def cancel(self, tickets):
        for ticket in tickets:
            self.calls.pop(ticket, None)

    def call_last(self, addresses, function, *arguments):
        self.last += [(address, function) for address in addresses]

    def close(self):
        self.state = CLOSED


@pytest.fixture(autouse=True)
def listen_often(monkeypatch):
    monkeypatch.setattr(cluster, "LISTENING", 0.001)


def make(workers, patience=5.0):
    notices = []
    executor = ClusterExecutor(workers, SETUP, patience, notices.append, notices.append)
    return executor, notices


def lease(number, items=1, function="judge_item"):
    return Lease(number, f"tasks:{function}", list(range(items)))


def wait_for(executor, count):
    """The first results of so many replies, by the index of their lease."""
    found, end = {}, time.monotonic() + 5
    while len(found) < count and time.monotonic() < end:
        found |= {reply.index: reply.results[0] for reply in executor.wait(0.01)}
    return found


def states(executor):
    return {worker.name: worker.state for worker in executor.list_workers()}


def test_each_lease_is_answered_once():
    executor, notices = make(Workers("a", "b"))
    executor.open()
    assert wait_until(lambda: executor.free == 2, executor)
    for number in range(2):
        executor.submit(lease(number))
    assert executor.free == 0
    assert executor.busy
    assert sorted(wait_for(executor, 2).values()) == ["a", "b"]
    assert not executor.busy
    assert not notices


def wait_until(condition, executor):
    end = time.monotonic() + 5
    while not condition() and time.monotonic() < end:
        executor.wait(0.01)
    return condition()


def test_a_worker_gets_no_lease_before_its_sandbox_is_open():
    workers = Workers("cold", "warm")
    workers.stopped.add("cold")
    executor, _ = make(workers)
    executor.open()
    assert executor.free == executor.slots == 1
    for number in range(3):
        executor.submit(lease(number))
        assert wait_for(executor, 1) == {number: "warm"}
    workers.stopped.clear()
    assert wait_until(lambda: executor.slots == 2, executor)


def test_others_do_the_leases_of_a_lost_worker():
    workers = Workers("tcp://a", "tcp://b")
    executor, notices = make(workers)
    executor.open()
    assert wait_until(lambda: executor.free == 2, executor)
    workers.stopped.add("tcp://b")
    executor.submit(lease(0, 12))
    executor.submit(lease(1, 12))
    assert wait_for(executor, 1)
    workers.remove("tcp://b")
    assert list(wait_for(executor, 1).values()) == ["tcp://a"]
    assert len(notices) == 1
    assert notices[0].startswith("worker b (tcp://b) was lost after ")
    assert notices[0].endswith("others do again: 12 tasks")
    (gone,) = [worker for worker in executor.list_workers() if worker.state == "lost"]
    assert gone.redone == {"task": 12}
    assert gone.lost.startswith("20")
    assert executor.slots == 1


def test_new_workers_do_what_all_that_are_lost_left():
    workers = Workers("a", "b")
    executor, _ = make(workers)
    executor.open()
    assert wait_until(lambda: executor.free == 2, executor)
    workers.stopped |= {"a", "b"}
    executor.submit(lease(0))
    executor.submit(lease(1))
    workers.remove("a")
    workers.remove("b")
    executor.wait(0.02)
    assert executor.slots == 0
    assert executor.free < 0  # nothing new is looked for
    workers.add("c")
    assert wait_for(executor, 2) == {0: "c", 1: "c"}


def test_a_worker_that_is_back_at_its_address_was_lost_all_the_same():
    workers = Workers("a")
    executor, notices = make(workers)
    executor.open()
    workers.removed.add("a")
    assert wait_until(lambda: executor.free == 1 and len(executor.list_workers()) == 2, executor)
    assert "lost" in notices[0]


def test_a_worker_that_cannot_be_used_is_named_with_the_remedy():
    workers = Workers("a", "b")
    workers.errors["b", open_sandbox] = UnknownSubject("no module 'mine'")
    executor, notices = make(workers)
    executor.open()
    assert wait_until(lambda: len(notices) == 1, executor)
    assert notices[0].startswith("worker b cannot be used: no module 'mine'; a worker must be able to import numpy")
    assert "PYTHONPATH" in notices[0]
    assert f"numpy {find_versions('numpy')['numpy']}" in notices[0]
    assert states(executor) == {"a": "ready", "b": "unusable"}
    executor.submit(lease(0))
    assert wait_for(executor, 1) == {0: "a"}


def test_a_worker_without_the_harness_is_told_to_get_it():
    workers = Workers("a")
    workers.errors["a", open_sandbox] = ModuleNotFoundError("No module named 'fuzz'", name="fuzz")
    executor, notices = make(workers)
    with pytest.raises(NoCluster, match="no worker of tcp://here:1 can be used: a: No module named 'fuzz'"):
        executor.open()
    assert "install the harness in its environment" in notices[0]


def test_other_versions_are_told():
    workers = Workers("a")
    workers.versions["a"] = find_versions("numpy") | {"numpy": "1.0"}
    executor, notices = make(workers)
    executor.open()
    assert f"worker a has numpy 1.0 instead of {find_versions('numpy')['numpy']}" in notices[0]


def test_it_is_said_what_is_waited_for(monkeypatch):
    monkeypatch.setattr(cluster, "TELLING", 0.02)
    monkeypatch.setattr(cluster, "POLLED", 0.01)
    executor, told = make(Workers(), patience=0.1)
    with pytest.raises(ClusterLost, match=r"none has joined at tcp://here:1; start one with: dask worker"):
        executor.open()
    assert told[0].startswith("waiting for workers, 0 s of 0 s: none has joined at tcp://here:1")
    assert len(told) >= 2
    assert executor.waited > 0.05


def test_a_cluster_without_workers_for_too_long_is_lost():
    workers = Workers("a")
    executor, _ = make(workers, patience=0.05)
    executor.open()
    executor.submit(lease(0))
    workers.stopped.add("a")
    workers.remove("a")
    with pytest.raises(ClusterLost, match="all 1 are lost"):
        wait_for(executor, 1)


def test_a_cluster_whose_scheduler_is_gone_is_lost():
    workers = Workers("a")
    executor, _ = make(workers)
    executor.open()
    workers.state = CLOSED
    with pytest.raises(ClusterLost, match="the scheduler at tcp://here:1 does not answer any more"):
        executor.wait(0.01)


def test_calls_that_a_broken_connection_cancelled_are_made_again():
    workers = Workers("a")
    executor, _ = make(workers)
    executor.open()
    workers.stopped.add("a")
    executor.submit(lease(0))
    workers.state = RECONNECTING
    workers.ended = [Ended(ticket, cancelled=True) for ticket in workers.calls]
    workers.calls.clear()
    assert not executor.wait(0.01)
    workers.state = CONNECTED
    workers.stopped.clear()
    assert wait_for(executor, 1) == {0: "a"}


def test_a_lease_that_no_worker_survives_is_a_crash():
    workers = Workers("0")
    workers.held.add(run_lease)
    executor, _ = make(workers)
    executor.open()
    executor.submit(lease(0, 2))
    for number in range(cluster.MOST_LOSSES - 1):
        workers.add(str(number + 1))
        workers.remove(str(number))
        assert wait_until(lambda after=str(number + 1): workers.asked == [after], executor)
    workers.remove(str(cluster.MOST_LOSSES - 1))
    (reply,) = executor.wait(1.0)
    assert [death.kind for death in reply.results] == ["crash", "crash"]
    assert reply.results[0].detail == f"{cluster.MOST_LOSSES} workers of the cluster were lost in this task"


def test_a_sandbox_that_fails_is_opened_again_and_what_fails_everywhere_is_raised():
    workers = Workers("a")
    executor, notices = make(workers)
    executor.open()
    workers.once["a", run_lease] = SandboxError("no fork")
    executor.submit(lease(0))
    assert wait_for(executor, 1) == {0: "a"}
    assert notices[0] == "the sandbox of worker a failed (no fork): it is opened again"
    workers.errors["a", run_lease] = SandboxError("no fork")
    executor.submit(lease(1))
    with pytest.raises(SandboxError, match="no fork"):
        wait_for(executor, 1)


def test_sandboxes_are_closed_at_the_end():
    workers = Workers("a", "b")
    workers.errors["b", open_sandbox] = UnknownSubject("no module")
    executor, notices = make(workers)
    executor.open()
    assert wait_until(lambda: notices, executor)
    workers.stopped.add("a")
    executor.submit(lease(0))
    executor.close()
    assert workers.last == [("a", close_sandboxes)]
    assert not workers.calls
    assert states(executor) == {"a": "ready", "b": "unusable"}


def test_progress_says_how_much_each_worker_has_answered():
    workers = Workers("a")
    executor, _ = make(workers)
    executor.open()
    workers.stopped.add("a")
    executor.submit(lease(0, 12))
    (worker,) = executor.list_workers()
    assert worker.answered == 0
    workers.stopped.clear()
    wait_for(executor, 1)
    (worker,) = executor.list_workers()
    assert worker.answered == 1
    assert set(worker.data()) == {"address", "name", "state", "joined", "lost", "why", "answered", "redone"}


def test_time_without_workers_is_counted():
    workers = Workers("a")
    executor, _ = make(workers)
    executor.open()
    before = executor.waited
    workers.remove("a")
    executor.wait(0.05)
    assert executor.waited - before > 0.03
    workers.add("b")
    assert wait_until(lambda: executor.free, executor)
    before = executor.waited
    executor.wait(0.02)
    assert executor.waited == before
