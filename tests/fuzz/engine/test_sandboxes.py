"""Sandboxes of a cluster's worker: kept for the leases of a run, and closed when it is over."""

from __future__ import annotations

import pytest

from fuzz.engine import sandboxes
from fuzz.engine.provenance import find_versions
from fuzz.engine.sandboxes import close_sandboxes, make_sandbox, open_sandbox, run_lease
from fuzz.releases.environments import Unavailable
from oracle.harness import Lease, Reply, SandboxError

SETUP = {"modules": (), "arguments": {"subject": "numpy"}}

MADE = []


class Recorder:
    """A sandbox that has no processes."""

    def __init__(self, jobs, notice=None, **options):
        self.is_open = False
        MADE.append(self)

    def open(self):
        self.is_open = True

    def run(self, leases):
        for lease in leases:
            if "fail" in lease.items:
                raise SandboxError("no fork")
            if "end" in lease.items:
                close_sandboxes("one")
            yield Reply(lease.index, list(lease.items))

    def close(self):
        self.is_open = False


@pytest.fixture(autouse=True)
def recorded(monkeypatch):
    monkeypatch.setattr(sandboxes, "Sandbox", Recorder)
    monkeypatch.setattr(sandboxes, "_IDLE", [])
    monkeypatch.setattr(sandboxes, "_OVER", set())
    MADE.clear()


def run(number, item, owner="one"):
    return run_lease(owner, SETUP, Lease(number, "tasks:judge_item", [item]))


def test_a_sandbox_that_was_opened_runs_all_leases():
    assert open_sandbox("one", SETUP) == find_versions("numpy")
    assert [run(number, "go").index for number in range(3)] == [0, 1, 2]
    assert len(MADE) == 1


def test_a_sandbox_that_fails_is_closed_and_another_opened():
    with pytest.raises(SandboxError):
        run(0, "fail")
    run(1, "go")
    assert [one.is_open for one in MADE] == [False, True]


def test_a_sandbox_that_was_running_is_closed_afterwards():
    run(0, "end")
    assert [one.is_open for one in MADE] == [False]


def test_the_interpreter_is_looked_for_where_the_sandbox_is():
    with pytest.raises(Unavailable, match="no interpreter 'nonesuch'"):
        make_sandbox(1, SETUP | {"interpreter": "nonesuch"})
