"""The client of a Dask cluster, as much of it as `fuzz.engine.cluster` needs: it never blocks while a campaign runs."""

from __future__ import annotations

import contextlib
import logging
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

CONNECTING = 10.0  # seconds in which a scheduler must answer, at first and after its connection was lost
POLLING, MOST_A_SECOND = 1.0, 100  # seconds between two questions about the workers, of so many in a second at most
CLOSING = 5.0  # seconds for the scheduler to take leave
CONNECTED, RECONNECTING, CLOSED = "connected", "reconnecting", "closed"


class NoCluster(ValueError):
    """There is no cluster at the address, or it cannot be used: the command line or the cluster has to be changed."""


@dataclass(frozen=True)
class SeenWorker:
    """A worker, as its scheduler knows it."""

    address: str
    name: str
    threads: int


@dataclass(frozen=True)
class Ended:
    """A call that has ended. `error` is what it raised; it was `cancelled` if the connection to the scheduler broke."""

    ticket: Any
    result: Any = None
    error: BaseException | None = None
    cancelled: bool = False


class DaskClient:
    """Calls functions in chosen workers, and knows which workers there are."""

    def __init__(self, address: str) -> None:
        self.address = address
        self._client: Any = None
        self._done: Any = None
        self._workers: dict[str, SeenWorker] = {}
        self._removed: set[str] = set()
        self._changed = 0.0  # when a worker was last removed
        self._lock = threading.Lock()
        self._wake, self._over = threading.Event(), threading.Event()

    def connect(self) -> None:
        """Connect to the scheduler. Raises NoCluster if Dask is not installed, or none responds."""
        try:
            from distributed import Client, as_completed
        except ImportError:
            raise NoCluster('dask needs the extra "cluster": python -m pip install distributed') from None
        for name in [name for name in logging.root.manager.loggerDict if name.startswith("distributed")]:
            logging.getLogger(name).setLevel(logging.CRITICAL)  # what goes wrong is told in our own words
        try:
            self._client = Client(self.address, timeout=CONNECTING, set_as_default=False)
        except (OSError, TimeoutError, ValueError, ImportError) as error:
            text = str(error).strip().partition("\n")[0] or type(error).__name__
            raise NoCluster(f"no scheduler of Dask answers at {self.address}: {text}") from None
        self._done = as_completed(loop=self._client.loop, with_results=True, raise_errors=False)
        self._client.subscribe_topic("all", self._hear)
        threading.Thread(target=self._poll, daemon=True).start()

    @property
    def state(self) -> str:
        """Whether the scheduler is CONNECTED; RECONNECTING: all calls are cancelled; or CLOSED for good."""
        if self._client is None or self._client.status in ("closing", "closed"):
            return CLOSED
        return CONNECTED if self._client.status == "running" else RECONNECTING

    def list_workers(self) -> Mapping[str, SeenWorker]:
        """Return the workers by address, as they were about a second ago."""
        with self._lock:
            return dict(self._workers)

    def take_removed(self) -> set[str]:
        """Return the addresses of the workers that were removed since the last call."""
        with self._lock:
            removed, self._removed = self._removed, set()
        return removed

    def submit(self, address: str, function: Callable[..., Any], *arguments: Any) -> Any:
        """Call a function in the worker of an address, and return a ticket for the call."""
        future = self._client.submit(function, *arguments, pure=False, workers=[address], allow_other_workers=False)
        self._done.add(future)
        return future

    def collect(self) -> list[Ended]:
        """Return the calls that have ended since the last call."""
        return [_end(future, result) for future, result in self._done.next_batch(block=False)]

    def cancel(self, tickets: Iterable[Any]) -> None:
        """Forget calls whose results are not needed."""
        tickets = list(tickets)
        if tickets and self.state == CONNECTED:
            self._client.cancel(tickets, force=True)

    def call_last(self, addresses: Iterable[str], function: Callable[..., Any], *arguments: Any) -> None:
        """Call a function in workers as soon as they have a free thread, also when this client is gone."""
        from distributed import fire_and_forget

        if self.state == CONNECTED:
            fire_and_forget([self.submit(address, function, *arguments) for address in addresses])

    def close(self) -> None:
        """Disconnect; the cluster itself keeps running."""
        self._over.set()
        self._wake.set()
        if self._client is not None:
            with contextlib.suppress(Exception):  # there may be nobody to take leave of
                self._client.unsubscribe_topic("all")
                self._client.close(timeout=CLOSING)

    def _hear(self, event: tuple[Any, Mapping[str, Any]]) -> None:
        """Take an event of the scheduler, in the thread of Dask."""
        _, message = event
        if message.get("action") == "remove-worker":
            with self._lock:
                self._workers.pop(message["worker"], None)
                self._removed.add(message["worker"])
                self._changed = time.monotonic()
        if message.get("action") in ("remove-worker", "add-worker"):
            self._wake.set()

    def _poll(self) -> None:
        """Ask for the workers again and again, in a thread of its own, which may have to wait for the answer."""
        while not self._over.is_set():
            begun = time.monotonic()
            with contextlib.suppress(Exception):  # the scheduler is gone: `state` says so
                told = self._client.scheduler_info(n_workers=-1)["workers"]
                with self._lock:
                    if begun > self._changed:
                        self._workers = {
                            address: SeenWorker(address, str(row.get("name") or address), row["nthreads"])
                            for address, row in told.items()
                        }
            self._wake.wait(max(POLLING, len(self._workers) / MOST_A_SECOND))
            self._wake.clear()


def _end(future: Any, result: Any) -> Ended:
    if future.status == "finished":
        return Ended(future, result)
    if future.status == "error" and isinstance(result, tuple):
        return Ended(future, error=result[1])
    return Ended(future, cancelled=True)
