"""An executor of leases on a cluster: which worker has which lease, and what becomes of it if that does not answer.

Each thread of a worker has a sandbox of its own, and gets leases once that is open. Leases of a worker that is lost are
done by others: a lease gives the same reply wherever it runs. The scheduler says which workers are lost.
"""

from __future__ import annotations

import secrets
import time
from collections import Counter, deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from fuzz.engine.dask_client import CLOSED, CONNECTED, DaskClient, Ended, NoCluster, SeenWorker
from fuzz.engine.provenance import find_versions
from fuzz.engine.sandboxes import close_sandboxes, open_sandbox, run_lease
from fuzz.releases.environments import Unavailable
from fuzz.triage.events import LOST, READY, STARTING, UNUSABLE, WorkerState
from oracle.harness import Death, Lease, Reply, SandboxError

TELLING = 15.0  # seconds between two lines about what is waited for
MOST_LOSSES = 5  # workers that a lease may lose or fail on
POLLED = 2.0  # seconds in which the scheduler has surely said which workers there are
LISTENING = 0.01


class ClusterLost(SandboxError):
    """The cluster is gone: its scheduler, or all workers for longer than is waited for them."""


@dataclass
class _Worker:
    """A worker: what it runs, by ticket (None opens a sandbox), and how many sandboxes it has."""

    seen: SeenWorker
    joined: str
    state: str = STARTING
    open: int = 0
    running: dict[Any, Lease | None] = field(default_factory=dict)
    answered: int = 0
    redone: int = 0
    lost: str = ""
    why: str = ""

    @property
    def free(self) -> int:
        """The number of sandboxes that run nothing."""
        leases = sum(lease is not None for lease in self.running.values())
        return max(0, self.open - leases) if self.state == READY else 0

    def describe(self) -> WorkerState:
        """Return the worker as it is shown."""
        named = (self.seen.address, self.seen.name, self.state, self.joined, self.lost, self.why)
        return WorkerState(*named, self.answered, {"task": self.redone} if self.redone else {})


class ClusterExecutor:
    """Runs leases in the workers of a cluster. `notice` is called with what goes wrong, `tell` with what is waited for.

    Without a worker that can be used for `patience` seconds, `open` and `wait` raise ClusterLost.
    """

    def __init__(
        self,
        cluster: DaskClient,
        setup: Mapping[str, Any],
        patience: float,
        notice: Callable[[str], None] = lambda text: None,
        tell: Callable[[str], None] = lambda text: None,
    ) -> None:
        self._cluster, self._setup, self._patience = cluster, dict(setup), patience
        self._notice, self._tell = notice, tell
        self._run = secrets.token_hex(8)
        self._workers: dict[str, _Worker] = {}  # those that are there, by address
        self._gone: list[_Worker] = []
        self._open: dict[int, Lease] = {}  # leases without a reply
        self._queue: deque[Lease] = deque()
        self._owners: dict[Any, _Worker] = {}  # of tickets
        self._losses: Counter[int] = Counter()
        self._replies: list[Reply] = []
        self._begun = self._useful = self._told = 0.0
        self._versions: Mapping[str, str] = {}
        self._looked = 0.0
        self.waited = 0.0
        """The seconds in which no worker was ready."""

    def open(self) -> None:
        """Connect to the cluster, and wait for a worker that is ready.

        Raises NoCluster if there is no cluster at the address, or no worker can be used; ClusterLost if none comes.
        """
        self._cluster.connect()
        self._begun = self._useful = self._looked = time.monotonic()
        self._told = self._begun + POLLED - TELLING
        arguments = self._setup.get("arguments", {})
        self._versions = find_versions(arguments.get("subject", "numpy"), self._setup.get("interpreter", ""))
        while not self.slots:
            self._attend()
            if self._workers and all(worker.state == UNUSABLE for worker in self._workers.values()):
                raise NoCluster(f"no worker of {self._cluster.address} can be used: {self._list_reasons()}")
            time.sleep(LISTENING)

    @property
    def slots(self) -> int:
        """The number of leases that run at once."""
        return sum(worker.open for worker in self._workers.values() if worker.state == READY)

    @property
    def free(self) -> int:
        return sum(worker.free for worker in self._workers.values()) - len(self._queue)

    @property
    def busy(self) -> bool:
        return bool(self._open or self._replies)

    def submit(self, lease: Lease) -> None:
        """Accept a lease, and send it to a free worker."""
        self._open[lease.index] = lease
        self._queue.append(lease)
        self._assign()

    def wait(self, seconds: float) -> list[Reply]:
        """Return the replies that have arrived; wait up to `seconds` for the first. Raises ClusterLost."""
        end = time.monotonic() + seconds
        self._attend()
        while not self._replies and time.monotonic() < end:
            time.sleep(LISTENING)
            self._attend()
        return self.cut()

    def cut(self) -> list[Reply]:
        """Return the replies that have arrived; `close` cancels what is not done."""
        replies, self._replies = self._replies, []
        return replies

    def close(self) -> None:
        """Cancel unfinished leases, have sandboxes closed, and disconnect; the cluster itself keeps running."""
        try:
            self._cluster.cancel(list(self._owners))
            used = [worker.seen.address for worker in self._workers.values() if worker.state != UNUSABLE]
            self._cluster.call_last(used, close_sandboxes, self._run)
        finally:
            self._cluster.close()

    def list_workers(self) -> list[WorkerState]:
        """Return the workers that are there, and those that were, in the order in which they joined."""
        workers = [worker.describe() for worker in (*self._gone, *self._workers.values())]
        return sorted(workers, key=lambda one: (one.joined, one.address))

    def _attend(self) -> None:
        """Take what has ended, look after the workers, and send what waits. Raises ClusterLost."""
        state, now = self._cluster.state, time.monotonic()
        self.waited += 0.0 if self.slots else now - self._looked
        self._looked = now
        if state == CLOSED:
            raise ClusterLost(f"the scheduler at {self._cluster.address} does not answer any more")
        for ended in self._cluster.collect():
            self._take(ended)
        if state == CONNECTED:
            self._look_around(now)
            self._assign()
        if any(worker.state in (STARTING, READY) for worker in self._workers.values()):
            self._useful = self._told = now
        elif now - self._useful > self._patience:
            raise ClusterLost(f"{self._describe_waiting()}: none came in {_format_seconds(self._patience)} (--wait)")
        elif now - self._told >= TELLING:
            self._told = now
            waited = f"{_format_seconds(now - self._useful)} of {_format_seconds(self._patience)}"
            self._tell(f"waiting for workers, {waited}: {self._describe_waiting()}")

    def _look_around(self, now: float) -> None:
        """Greet the workers that have come, and give up those that are gone."""
        removed, seen = self._cluster.take_removed(), self._cluster.list_workers()
        for address in [address for address in self._workers if address in removed or address not in seen]:
            self._lose(self._workers.pop(address), now)
        for address in [address for address in seen if address not in self._workers]:
            worker = _Worker(seen[address], datetime.now(UTC).isoformat(timespec="seconds"))
            self._workers[address] = worker
            self._start(worker)

    def _start(self, worker: _Worker) -> None:
        """Have the worker open a sandbox for each of its threads: it gets no leases before."""
        worker.state, worker.open = STARTING, 0
        for _ in range(worker.seen.threads):
            self._call(worker, None, open_sandbox, self._run, self._setup)

    def _call(self, worker: _Worker, lease: Lease | None, function: Callable[..., Any], *arguments: Any) -> None:
        ticket = self._cluster.submit(worker.seen.address, function, *arguments)
        worker.running[ticket] = lease
        self._owners[ticket] = worker

    def _assign(self) -> None:
        """Send the leases that wait to workers that are free."""
        while self._queue:
            worker = max(self._workers.values(), key=lambda one: one.free, default=None)
            if worker is None or not worker.free:
                return
            lease = self._queue.popleft()
            self._call(worker, lease, run_lease, self._run, self._setup, lease)

    def _take(self, ended: Ended) -> None:
        """Take the end of a call of a worker that is not lost."""
        worker = self._owners.pop(ended.ticket, None)
        if worker is None:
            return
        lease = worker.running.pop(ended.ticket)
        if lease is None:
            self._take_opened(worker, ended)
        elif ended.error is not None:
            self._take_failure(worker, lease, ended.error)
        elif ended.cancelled:
            self._queue.appendleft(lease)
        else:
            worker.answered += 1
            self._answer(ended.result)

    def _answer(self, reply: Reply) -> None:
        del self._open[reply.index]
        self._replies.append(reply)

    def _take_opened(self, worker: _Worker, ended: Ended) -> None:
        """Take a worker into use, or say why it cannot be used, and what to do."""
        if ended.cancelled:
            self._call(worker, None, open_sandbox, self._run, self._setup)
        elif ended.error is not None:
            worker.state, worker.why = UNUSABLE, " ".join(str(ended.error).split()) or type(ended.error).__name__
            self._notice(f"worker {self._label(worker)} cannot be used: {worker.why}; {self._find_remedy(ended.error)}")
        elif worker.state != UNUSABLE:
            worker.open += 1
            if worker.state == STARTING:
                worker.state = READY
                self._compare_versions(worker, ended.result)

    def _find_remedy(self, error: BaseException) -> str:
        if isinstance(error, Unavailable):
            return f"--python {self._setup.get('interpreter')} is looked for on each worker's machine"
        if isinstance(error, ModuleNotFoundError) and error.name in ("fuzz", "oracle"):
            return "install the harness in its environment, or start it with PYTHONPATH"
        subject = self._setup.get("arguments", {}).get("subject", "numpy").partition(".")[0]
        needed = ", ".join(f"{name} {version}" for name, version in self._versions.items() if version)
        start = "start it with the PYTHONPATH of this process, in an environment like this one"
        return f"a worker must be able to import {subject}: {start} ({needed})"

    def _compare_versions(self, worker: _Worker, versions: Mapping[str, str]) -> None:
        other = [name for name, version in self._versions.items() if versions.get(name) != version]
        told = ", ".join(f"{name} {versions.get(name, 'none')} instead of {self._versions[name]}" for name in other)
        if told:
            self._notice(f"worker {self._label(worker)} has {told}: its answers may differ from others'")

    def _take_failure(self, worker: _Worker, lease: Lease, error: BaseException) -> None:
        """Have a lease done by others whose sandbox failed, and the sandboxes of the worker opened again."""
        self._losses[lease.index] += 1
        if self._losses[lease.index] >= MOST_LOSSES:
            raise SandboxError(f"{error} (in {MOST_LOSSES} workers, of late in {self._label(worker)})") from error
        self._notice(f"the sandbox of worker {self._label(worker)} failed ({error}): it is opened again")
        self._queue.appendleft(lease)
        if worker.state == READY:
            self._start(worker)

    def _lose(self, worker: _Worker, now: float) -> None:
        """Give up a worker that is gone: its leases are queued again, before all others."""
        is_used, worker.state = worker.state != UNUSABLE, LOST
        worker.lost = datetime.now(UTC).isoformat(timespec="seconds")
        self._gone.append(worker)
        for lease in filter(None, worker.running.values()):
            worker.redone += len(lease.items)
            self._losses[lease.index] += 1
            if self._losses[lease.index] >= MOST_LOSSES:
                detail = f"{MOST_LOSSES} workers of the cluster were lost in this task"
                self._answer(Reply(lease.index, [Death("crash", item, detail, "") for item in lease.items]))
            else:
                self._queue.appendleft(lease)
        if is_used:
            count = worker.redone
            told = f"others do again: {count} task{'' if count == 1 else 's'}" if count else "it had no task"
            what = f"was lost after {_format_seconds(now - self._begun)}"
            self._notice(f"worker {self._label(worker)} {what}; {told}")
        for ticket in worker.running:
            self._owners.pop(ticket, None)
        self._cluster.cancel(list(worker.running))
        worker.running.clear()

    def _label(self, worker: _Worker) -> str:
        return worker.describe().label

    def _list_reasons(self) -> str:
        """Return each reason with one of its workers."""
        reasons = {one.why: self._label(one) for one in self._workers.values() if one.why}
        return "; ".join(f"{label}: {why}" for why, label in reasons.items())

    def _describe_waiting(self) -> str:
        """Return what there is instead of workers that can be used."""
        address = self._cluster.address
        if not self._workers:
            been = f"all {len(self._gone)} are lost" if self._gone else "none has joined"
            return f"{been} at {address}; start one with: dask worker {address} --nthreads 1"
        return f"of the workers at {address} {len(self._workers)} unusable ({self._list_reasons()})"


def _format_seconds(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest} s" if minutes and rest else f"{minutes} min" if minutes else f"{rest} s"
