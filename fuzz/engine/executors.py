"""Executors of leases: a sandbox on this machine, or a sandbox on each machine of a Dask cluster."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from typing import Any, Protocol

from oracle import Lease, Limits, Reply, Sandbox, SandboxError

CONNECTING = 20.0  # seconds to wait for a cluster


class Executor(Protocol):
    """Protocol: takes leases, gives replies in any order. `Sandbox` implements it."""

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

    def close(self) -> None:
        """Cancel unfinished leases and release all resources."""


class UnknownExecutor(ValueError):
    """The text names no executor."""


def make_executor(
    text: str, jobs: int, setup: Mapping[str, Any], limits: Limits, notice: Callable[[str], None] = lambda text: None
) -> Executor:
    """Return the executor that "local" or "dask:ADDRESS" names.

    `setup` holds the arguments of the sandbox; `notice` is called with each problem that was recovered from.
    """
    kind, _, address = text.partition(":")
    if text == "local":
        return Sandbox(jobs, **setup, limits=limits, notice=notice)
    if kind == "dask" and address:
        return DaskExecutor(address, {**setup, "limits": limits})
    raise UnknownExecutor(f"no executor {text!r}; there are local and dask:ADDRESS")


class DaskExecutor:
    """Runs leases as tasks of a Dask cluster: each of its threads has a sandbox with one worker.

    Start Dask's workers with one thread each, one worker for each core.
    """

    def __init__(self, address: str, setup: Mapping[str, Any]) -> None:
        self._address = address
        self._setup = dict(setup)
        self._futures: dict[Any, Lease] = {}
        self._client: Any = None
        self._threads = 0

    def open(self) -> None:
        """Connect to the cluster. Raises SandboxError if Dask is not installed, or no scheduler or worker responds."""
        try:
            from distributed import Client
        except ImportError:
            raise SandboxError(
                'dask needs the extra "cluster" of tfnp: pip install ".[cluster]" in a clone of it'
            ) from None
        try:
            self._client = Client(self._address, timeout=CONNECTING)
            self._client.wait_for_workers(1, timeout=CONNECTING)
        except (OSError, TimeoutError) as error:
            raise SandboxError(f"no dask cluster with workers at {self._address}: {error}") from None
        self._threads = sum(self._client.nthreads().values())

    @property
    def free(self) -> int:
        return self._threads - len(self._futures)

    @property
    def busy(self) -> bool:
        return bool(self._futures)

    def submit(self, lease: Lease) -> None:
        """Send a lease to any free thread."""
        self._futures[self._client.submit(run_lease, self._setup, lease, pure=False, retries=2)] = lease

    def wait(self, seconds: float) -> list[Reply]:
        """Return the replies that have arrived; wait up to `seconds` for the first."""
        end = time.monotonic() + seconds
        done = [future for future in self._futures if future.done()]
        while not done and self._futures and time.monotonic() < end:
            time.sleep(0.01)
            done = [future for future in self._futures if future.done()]
        for future in done:
            del self._futures[future]
        return [future.result() for future in done]

    def close(self) -> None:
        """Cancel unfinished tasks; the cluster itself keeps running."""
        if self._client is not None:
            self._client.cancel(list(self._futures), force=True)
            self._client.close()
            self._client = None


_OWN = threading.local()


def run_lease(setup: dict[str, Any], lease: Lease) -> Reply:
    """Run one lease in this thread's sandbox, which is opened for the first lease and kept open."""
    if getattr(_OWN, "setup", None) != setup:
        if getattr(_OWN, "sandbox", None) is not None:
            _OWN.sandbox.close()
        _OWN.sandbox = Sandbox(1, **setup)
        _OWN.sandbox.open()
        _OWN.setup = setup
    (reply,) = _OWN.sandbox.run([lease])
    return reply
