from __future__ import annotations

import sys
import time
from pathlib import Path

import distributed
import pytest

from fuzz.engine import dask_client
from fuzz.engine.cluster import ClusterExecutor
from fuzz.engine.dask_client import CLOSED, DaskClient, NoCluster
from oracle.harness import Lease, Limits


def test_an_address_without_a_scheduler_is_said_to_be_so(monkeypatch):
    monkeypatch.setattr(dask_client, "CONNECTING", 0.2)
    client = DaskClient("tcp://127.0.0.1:1")
    with pytest.raises(NoCluster, match=r"no scheduler of Dask answers at tcp://127\.0\.0\.1:1"):
        client.connect()
    assert client.state == CLOSED
    client.close()


@pytest.mark.full
def test_leases_go_round_by_a_cluster(monkeypatch):
    monkeypatch.syspath_prepend(Path(__file__).parents[2] / "oracle")
    setup = {"prepare": "hostile:prepare", "modules": (), "limits": Limits(seconds=1)}
    options = {"n_workers": 1, "threads_per_worker": 2, "processes": False, "dashboard_address": None}
    with distributed.LocalCluster(host="tcp://127.0.0.1", **options) as cluster:
        executor = ClusterExecutor(DaskClient(cluster.scheduler_address), setup, 20.0)
        executor.open()
        end = time.monotonic() + 20
        while executor.slots < 2 and time.monotonic() < end:
            executor.wait(0.1)
        assert executor.free == 2
        replies = []
        for number, act in enumerate(["work", "abort"]):
            executor.submit(Lease(number, "hostile:obey", [act, number], confirm=False))
        while executor.busy:
            replies += executor.wait(10.0)
        assert [(worker.state, worker.answered) for worker in executor.list_workers()] == [("ready", 2)]
        executor.close()
    first, second = sorted(replies, key=lambda reply: reply.index)
    assert first.results[1] == ("ready", 0)
    assert second.results[0].kind == "crash"
    assert second.results[1] == ("ready", 1)
    assert "hostile" not in sys.modules
