"""Worker pool with limits: code that may abort, hang or exhaust memory runs here, and that is an outcome.

The sandbox knows nothing of what it runs. It is given leases, each a function's name and some items; an item that kills
its worker is answered by a `Death`, after it killed a second worker where it came first; the rest goes on elsewhere.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from multiprocessing import connection as channels
from typing import Any

from oracle.sandbox.client import ForkServerClient, ForkServerDied, Worker
from oracle.sandbox.crash import Death
from oracle.sandbox.forkserver import Preparation
from oracle.sandbox.worker import Escaped, Exhausted

_GLANCE = 0.2  # seconds between two looks at the workers' clocks
_MOST_RESTARTS = 3  # of the fork server, without an answer in between


@dataclass(frozen=True)
class Limits:
    """Limits of one step, past which it is a hang or exhausted memory, and of a worker before it is replaced.

    `seconds` are the worker's CPU time, so that a busy machine makes no hangs. A step that only waits has `patience`,
    in seconds of the clock: TensorFlow waits ten before it admits that no memory is left. `memory_bytes` is what a
    worker may reserve beyond what it began with. Each XLA compile leaks some 200 KB, so a worker that holds
    `growth_bytes` more than at first, or has answered `leases`, is replaced.
    """

    seconds: float = 3.0
    patience: float = 30.0
    memory_bytes: int = 4 << 30
    growth_bytes: int = 1 << 30
    leases: int = 2000


@dataclass(frozen=True)
class Lease:
    """Items for one worker: `function` is "module:name" and is called with the prepared context and each item.

    With `confirm`, a death counts only if it happens again in a worker that has done nothing else. `fresh` asks for
    such a worker from the start. What is `risky` is likely to die, and gets workers apart, so that others stay warm.
    `limits` replace the sandbox's, but for memory.
    """

    index: int
    function: str
    items: Sequence[Any]
    confirm: bool = True
    fresh: bool = False
    risky: bool = False
    limits: Limits | None = None


@dataclass(frozen=True)
class Reply:
    """One result an item, in order: what the function returned, a `Failure` if it raised, a `Death` if it killed.

    `unconfirmed` are deaths that did not happen again; the items' results are then those of the second try.
    """

    index: int
    results: list[Any]
    unconfirmed: list[Death] = field(default_factory=list)


class _Task:
    """Progress of a lease: results, and deaths that the next item has caused."""

    def __init__(self, lease: Lease) -> None:
        self.lease = lease
        self.results: list[Any] = []
        self.deaths: list[Death] = []
        self.unconfirmed: list[Death] = []

    @property
    def item(self) -> Any:
        return self.lease.items[len(self.results)]

    @property
    def done(self) -> bool:
        return len(self.results) == len(self.lease.items)

    def answer(self, result: Any) -> None:
        self.unconfirmed += self.deaths
        self.deaths = []
        self.results.append(result)

    def record_death(self, death: Death, alone: bool) -> None:
        """Take note of a death. It stands if it is the second, and nothing but the item can have caused it. One that
        somebody else may have caused never stands alone.
        """
        needs_another = (self.lease.confirm and not (alone and self.deaths)) or (death.killed and not self.deaths)
        if needs_another:
            self.deaths = [death]
        else:
            self.deaths = []
            self.results.append(death)


class Sandbox:
    """A fork server, and up to `jobs` workers forked from it; a context manager.

    `prepare`, "module:function", is called once with `arguments`, in the fork server; what it returns is the first
    argument of all that runs in workers, which `start` may replace in each of them. If preparing starts threads,
    forking is not safe any more, and every worker prepares for itself. `modules` are imported first. A fork server that
    is killed is started again, and what its workers were at begins anew: `notice` is told. `environment` is added to
    this process's variables; by default it keeps libraries quiet, to one thread, and to the same hashes.
    """

    def __init__(
        self,
        jobs: int = 1,
        prepare: str = "",
        arguments: dict[str, Any] | None = None,
        *,
        start: str = "",
        limits: Limits | None = None,
        modules: Sequence[str] = ("tensorflow",),
        notice: Callable[[str], None] = lambda text: None,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        self.jobs = jobs
        self.limits = limits or Limits()
        self._server = ForkServerClient(
            Preparation(prepare, arguments or {}, tuple(modules), start, memory_bytes=self.limits.memory_bytes),
            environment,
        )
        self._workers: list[Worker] = []
        self._waiting: deque[_Task] = deque()
        self._tasks: dict[Worker, _Task] = {}
        self._replies: list[Reply] = []
        self._notice = notice
        self._restarts = 0  # of the fork server, since the last answer

    def __enter__(self) -> Sandbox:
        self.open()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def open(self) -> None:
        """Start the fork server, and wait until it has prepared. Raises what preparing raised."""
        self._server.open()

    def close(self) -> None:
        """End every process, at once."""
        self._server.close()
        for worker in self._workers:
            worker.close()
        self._workers, self._tasks = [], {}
        self._waiting.clear()

    @property
    def free(self) -> int:
        """The number of further leases that would begin at once."""
        return self.jobs - len(self._tasks) - len(self._waiting)

    @property
    def busy(self) -> bool:
        """Return whether a reply is still to come."""
        return bool(self._tasks or self._waiting or self._replies)

    def run(self, leases: Iterable[Lease]) -> Iterator[Reply]:
        """Answer every lease, in any order; no more are taken from `leases` than can begin."""
        source = iter(leases)
        lease = next(source, None)
        while lease is not None or self.busy:
            while lease is not None and self.free > 0:
                self.submit(lease)
                lease = next(source, None)
            yield from self.wait(1.0)

    def submit(self, lease: Lease) -> None:
        """Take on a lease. Its reply comes from a later `wait`."""
        task = _Task(lease)
        if task.done:
            self._replies.append(Reply(lease.index, []))
        else:
            self._waiting.append(task)

    def wait(self, seconds: float) -> list[Reply]:
        """Return the replies as soon as there is one, or none after `seconds`, and watch over the workers."""
        end = time.monotonic() + seconds
        while self._attend(end) and not self._replies:
            pass
        replies, self._replies = self._replies, []
        return replies

    def _attend(self, end: float) -> bool:
        """Assign waiting leases, collect results, and check the clocks. Return whether there is more to wait for."""
        try:
            self._assign()
            left = end - time.monotonic()
            if self._replies or not self._tasks or left <= 0:
                return False
            links = {worker.link: worker for worker in self._tasks}
            for link in channels.wait(list(links), min(_GLANCE, left)):
                self._listen(links[link])  # type: ignore[index]
            self._watch()
        except ForkServerDied as error:
            self._restart_server(error)
        return True

    def _restart_server(self, error: ForkServerDied) -> None:
        """Start the fork server again. What its workers were at waits for others."""
        self._restarts += 1
        if self._restarts > _MOST_RESTARTS:
            raise error
        self._notice(f"{error}: it is started again")
        self._waiting.extendleft(reversed(self._tasks.values()))
        for worker in self._workers:
            worker.close()
        self._workers, self._tasks = [], {}
        self._server.close()
        self._server.open()

    def _assign(self) -> None:
        while self._waiting and len(self._tasks) < self.jobs:
            task = self._waiting.popleft()
            try:
                worker = self._idle(task.lease, fresh=task.lease.fresh or bool(task.deaths))
            except ForkServerDied:
                self._waiting.appendleft(task)
                raise
            self._tasks[worker] = task
            answered = len(task.results)
            if not worker.send(task.lease.function, list(task.lease.items[answered:])):
                self._handle_death(worker)

    def _idle(self, lease: Lease, *, fresh: bool) -> Worker:
        """Return a worker for a lease: one that is idle and fits, or a new one. Those that do not fit stay, warm."""
        for worker in self._workers:
            if worker not in self._tasks and worker.risky == lease.risky and not (fresh and worker.answered):
                return worker
        worker = self._server.fork_worker()
        worker.risky = lease.risky
        self._workers.append(worker)
        return worker

    def _retire(self, worker: Worker) -> None:
        self._workers.remove(worker)
        worker.close()

    def _listen(self, worker: Worker) -> None:
        task = self._tasks[worker]
        try:
            result = worker.receive()
        except (EOFError, OSError):
            self._handle_death(worker)
            return
        self._restarts = 0
        if isinstance(result, Exhausted):
            task.answer(Death("memory", task.item, result.detail, result.step))
        elif isinstance(result, Escaped):
            task.answer(Death("crash", task.item, result.detail, result.step, result.trace))
        else:
            task.answer(result)
        if task.done:
            self._finish(worker, task)

    def _finish(self, worker: Worker, task: _Task) -> None:
        del self._tasks[worker]
        self._replies.append(Reply(task.lease.index, task.results, task.unconfirmed))
        worker.leases += 1
        is_old = worker.leases >= self.limits.leases or worker.growth >= self.limits.growth_bytes
        if task.lease.fresh or is_old or self._is_surplus(worker):
            self._retire(worker)

    def _is_surplus(self, worker: Worker) -> bool:
        return sum(other.risky == worker.risky for other in self._workers) > self.jobs

    def _handle_death(self, worker: Worker) -> None:
        """Handle a worker's death: blame the item it was at, and let the rest of its lease go on."""
        death = worker.death(self._tasks[worker].item)
        task = self._tasks.pop(worker)
        self._workers.remove(worker)
        task.record_death(death, alone=worker.answered == 0)
        worker.close()
        if task.done:
            self._replies.append(Reply(task.lease.index, task.results, task.unconfirmed))
        else:
            self._waiting.appendleft(task)

    def _watch(self) -> None:
        for worker, task in list(self._tasks.items()):
            limits = task.lease.limits or self.limits
            worker.watch(limits.seconds, limits.patience)
