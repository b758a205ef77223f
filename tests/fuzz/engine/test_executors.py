from __future__ import annotations

import sys
from pathlib import Path

import distributed
import pytest

from fuzz.engine.executors import DaskExecutor, make_executor
from oracle import Lease, Limits, Sandbox, SandboxError


def test_local_is_a_sandbox():
    assert isinstance(make_executor("local", 2, {"modules": ()}, Limits()), Sandbox)


def test_a_cluster_that_is_not_there_is_said_so(monkeypatch):
    monkeypatch.setattr("fuzz.engine.executors.CONNECTING", 0.2)
    with pytest.raises(SandboxError, match=r"no dask cluster with workers at tcp://127\.0\.0\.1:1"):
        make_executor("dask:tcp://127.0.0.1:1", 1, {"modules": ()}, Limits()).open()


@pytest.mark.full
def test_leases_go_round_by_a_cluster(monkeypatch):
    monkeypatch.syspath_prepend(Path(__file__).parents[2] / "oracle")
    setup = {"prepare": "hostile:prepare", "modules": (), "limits": Limits(seconds=1)}
    options = {"n_workers": 1, "threads_per_worker": 2, "processes": False, "dashboard_address": None}
    with distributed.LocalCluster(host="tcp://127.0.0.1", **options) as cluster:
        executor = DaskExecutor(cluster.scheduler_address, setup)
        executor.open()
        assert executor.free == 2
        replies = []
        for number, act in enumerate(["work", "abort"]):
            executor.submit(Lease(number, "hostile:obey", [act, number], confirm=False))
        assert executor.busy
        while executor.busy:
            replies += executor.wait(10.0)
        executor.close()
    first, second = sorted(replies, key=lambda reply: reply.index)
    assert first.results[1] == ("ready", 0)
    assert second.results[0].kind == "crash"
    assert second.results[1] == ("ready", 1)
    assert "hostile" not in sys.modules
