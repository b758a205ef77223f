from __future__ import annotations

import pytest

from fuzz.engine.cluster import ClusterExecutor
from fuzz.engine.executors import UnknownExecutor, count_slots, list_workers, make_executor
from oracle.harness import Limits, Sandbox


def test_local_is_a_sandbox():
    executor = make_executor("local", 2, {"modules": ()}, Limits())
    assert isinstance(executor, Sandbox)
    assert count_slots(executor, 2) == 2
    assert list_workers(executor) == ()


def test_dask_is_a_cluster():
    executor = make_executor("dask:tcp://127.0.0.1:1", 2, {"modules": ()}, Limits())
    assert isinstance(executor, ClusterExecutor)
    assert list_workers(executor) == []
    assert count_slots(executor, 2) == 1


@pytest.mark.parametrize("text", ["dask", "dask:", "slurm", "local:1"])
def test_another_executor_is_refused(text):
    with pytest.raises(UnknownExecutor, match=f"no executor '{text}'; there are local and dask:ADDRESS"):
        make_executor(text, 1, {}, Limits())
