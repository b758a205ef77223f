"""Executors of leases: a sandbox on this machine, or a sandbox in each thread of a Dask cluster."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from fuzz.engine.cluster import ClusterExecutor
from fuzz.engine.dask_client import DaskClient
from fuzz.engine.sandboxes import make_sandbox
from fuzz.triage.events import WorkerState
from oracle.harness import Lease, Limits, Reply

PATIENCE = 600.0  # seconds to wait for the workers of a cluster


class Executor(Protocol):
    """Protocol: takes leases, gives replies in any order. `Sandbox` implements what leases need."""

    @property
    def free(self) -> int:
        """The number of leases that would start at once."""

    @property
    def busy(self) -> bool:
        """Whether replies are outstanding."""

    def open(self) -> None:
        """Get ready for leases."""

    def submit(self, lease: Lease) -> None:
        """Accept a lease."""

    def wait(self, seconds: float) -> list[Reply]:
        """Return the replies that have arrived; wait up to `seconds` for the first."""

    def cut(self) -> list[Reply]:
        """Give up all leases, and return what has been answered so far."""

    def close(self) -> None:
        """Cancel unfinished leases and release all resources."""


class UnknownExecutor(ValueError):
    """The text names no executor."""


def make_executor(
    text: str,
    jobs: int,
    setup: Mapping[str, Any],
    limits: Limits,
    notice: Callable[[str], None] = lambda text: None,
    tell: Callable[[str], None] = lambda text: None,
    patience: float = PATIENCE,
) -> Executor:
    """Return the executor that "local" or "dask:ADDRESS" names.

    `setup` holds the arguments of the sandbox; `notice` is called with each problem that was recovered from, `tell`
    with what is waited for. `patience` is how many seconds a cluster may be without workers.
    """
    kind, _, address = text.partition(":")
    setup = {**setup, "limits": limits}
    if text == "local":
        return make_sandbox(jobs, setup, notice)
    if kind == "dask" and address:
        return ClusterExecutor(DaskClient(address), setup, patience, notice, tell)
    raise UnknownExecutor(f"no executor {text!r}; there are local and dask:ADDRESS")


def count_slots(executor: Executor, jobs: int) -> int:
    """Return how many leases run at once, at least 1: as many as a cluster has sandboxes, or `jobs` on this machine."""
    return max(1, executor.slots if isinstance(executor, ClusterExecutor) else jobs)


def list_workers(executor: Executor) -> Sequence[WorkerState]:
    """Return the workers of a cluster that there are or were; none of an executor on this machine."""
    return executor.list_workers() if isinstance(executor, ClusterExecutor) else ()


def count_waiting(executor: Executor) -> float:
    """Return the seconds in which no worker of a cluster was ready: they are no time of a run."""
    return executor.waited if isinstance(executor, ClusterExecutor) else 0.0
