"""Worker pool with limits: code that may abort, hang or exhaust memory runs here, and that is an outcome.

The sandbox knows nothing about what it runs. It gets leases, each with a function's name and some items. The result of
an item that ends its worker is a `Death`, once it has ended a second worker in which it ran first; the remaining items
continue in another worker.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing import connection as channels
from typing import Any

from oracle.sandbox.client import (
    ForkServerClient,
    ForkServerDied,
    Interpreter,
    PreparationError,
    SandboxError,
    Unconfined,
    Worker,
)
from oracle.sandbox.confinement import ALLOW_ROOT, describe_danger, may_administer
from oracle.sandbox.crash import Death
from oracle.sandbox.forkserver import Preparation
from oracle.sandbox.worker import SPENT, Escaped, Exhausted

_GLANCE = 0.2  # seconds between two checks of the workers' clocks
_MOST_RESTARTS = 3  # of the fork server, without an answer in between


@dataclass(frozen=True)
class Limits:
    """Limits of one step, beyond which it is a hang or exhausted memory, and of a worker before it is replaced.

    `seconds` is CPU time, so that a busy machine causes no hangs. `patience` limits the wall time of a step that only
    waits, and not for a processor: TensorFlow waits ten seconds before it reports that memory is exhausted.
    `memory_bytes` is what a worker may reserve beyond what it started with. Each XLA compilation leaks some 200 KB, and
    libraries keep traces, so a worker that has grown by `growth_bytes` since its start, or has processed `leases`, is
    replaced after its lease. Nothing is lost, and no result depends on it.
    """

    seconds: float = 3.0
    patience: float = 30.0
    memory_bytes: int = 4 << 30
    growth_bytes: int = 512 << 20
    leases: int = 2000


@dataclass(frozen=True)
class Lease:
    """Items for one worker: `function` is "module:name" and is called with the prepared context and each item.

    With `confirm`, a death counts only if it recurs in a fresh worker. `fresh` asks for a fresh worker from the start.
    A `risky` lease is likely to end its worker, and gets workers apart, so that others stay warm. `limits` replace the
    sandbox's, except for memory.
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
    """One result for each item, in order: the function's result, a `Failure` if it raised, a `Death` if it ended the
    worker.

    `unconfirmed` holds deaths that did not recur; the results of their items are those of the second try. `seconds`
    is how long whoever asked had to wait. A lease that was cut has fewer results than items.
    """

    index: int
    results: list[Any]
    unconfirmed: list[Death] = field(default_factory=list)
    seconds: float = 0.0


class _Task:
    """Progress of a lease: its results, and the deaths caused by the next item."""

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
        """Record a death. It counts if it is the second, and only the item can have caused it; one that something else
        on the machine may have caused is always tried again.
        """
        needs_another = (self.lease.confirm and not (alone and self.deaths)) or (death.killed and not self.deaths)
        if needs_another:
            self.deaths = [death]
        else:
            self.deaths = []
            self.results.append(death)


class Sandbox:
    """Context manager of a fork server and up to `jobs` workers forked from it, not counting as many that only wait.

    `prepare`, "module:function", is called once with `arguments` in the fork server; its result is the first argument
    of every function that workers run. `start` may replace it in each worker. If preparing starts threads, forking is
    unsafe, and every worker prepares itself. `modules` are imported first. If the fork server is killed, it is started
    again and unfinished leases are repeated; `notice` is called. `environment` is added to the environment variables;
    by default it makes libraries quiet, single-threaded, and their hashes fixed. All runs in
    another `interpreter`, if there is one.
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
        interpreter: Interpreter | None = None,
    ) -> None:
        self.jobs = jobs
        self.limits = limits or Limits()
        self._server = ForkServerClient(
            Preparation(prepare, arguments or {}, tuple(modules), start, memory_bytes=self.limits.memory_bytes),
            environment,
            interpreter,
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
        """Start the fork server, and wait until it has prepared. Raises what preparing raised, and Unconfined.

        In a container root can remove the container's files and those mounted there: then `notice` is called.
        """
        danger = describe_danger()
        if danger and may_administer():
            raise Unconfined(f"{danger}: run as another user, or pass --allow-root (or set {ALLOW_ROOT}=1)")
        if danger:
            self._notice(danger)
        self._server.open()

    def close(self) -> None:
        """Kill all processes."""
        self._server.close()
        for worker in self._workers:
            worker.close()
        self._workers, self._tasks = [], {}
        self._waiting.clear()

    @property
    def free(self) -> int:
        """The number of further leases that would start at once."""
        return self._slots - len(self._tasks) - len(self._waiting)

    @property
    def _slots(self) -> int:
        """The number of leases that may run at once: a worker whose call sleeps leaves its processor to another one."""
        return self.jobs + min(self.jobs, sum(worker.is_idle for worker in self._tasks))

    @property
    def busy(self) -> bool:
        """Return whether replies are outstanding."""
        return bool(self._tasks or self._waiting or self._replies)

    def run(self, leases: Iterable[Lease]) -> Iterator[Reply]:
        """Run every lease, and yield replies in any order. No more leases are taken from `leases` than can start."""
        source = iter(leases)
        lease = next(source, None)
        while lease is not None or self.busy:
            while lease is not None and self.free > 0:
                self.submit(lease)
                lease = next(source, None)
            yield from self.wait(1.0)

    def submit(self, lease: Lease) -> None:
        """Accept a lease. Its reply comes from a later `wait`."""
        task = _Task(lease)
        if task.done:
            self._replies.append(Reply(lease.index, []))
        else:
            self._waiting.append(task)

    def wait(self, seconds: float) -> list[Reply]:
        """Return the replies as soon as there is one, or an empty list after `seconds`. Limits are enforced
        meanwhile.
        """
        end = time.monotonic() + seconds
        while self._attend(end) and not self._replies:
            pass
        replies, self._replies = self._replies, []
        return replies

    def cut(self) -> list[Reply]:
        """Give up all leases, and return those that are done, and what the others have answered so far."""
        with suppress(ForkServerDied):
            for worker in list(self._tasks):
                while worker in self._tasks and worker.link.poll():
                    self._listen(worker)
        tasks = (*self._tasks.values(), *self._waiting)
        replies = [*self._replies, *(Reply(task.lease.index, task.results, task.unconfirmed) for task in tasks)]
        self._waiting.clear()
        self._tasks, self._replies = {}, []
        return replies

    def _attend(self, end: float) -> bool:
        """Assign waiting leases, collect results, and enforce limits. Return whether to wait further."""
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

    def _restart_server(self, error: SandboxError) -> None:
        """Start the fork server again, also if it ends before it is ready. Unfinished leases are queued again."""
        self._restarts += 1
        if self._restarts > _MOST_RESTARTS:
            raise error
        self._notice(f"{error}: it is started again")
        self._waiting.extendleft(reversed(self._tasks.values()))
        for worker in self._workers:
            worker.close()
        self._workers, self._tasks = [], {}
        self._server.close()
        try:
            self._server.open()
        except PreparationError as died:
            self._restart_server(died)

    def _assign(self) -> None:
        while self._waiting and len(self._tasks) < self._slots:
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
        """Return a worker for a lease: an idle one that fits, or a new one. Others are kept warm."""
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
            received = worker.receive()
        except (EOFError, OSError):
            self._handle_death(worker)
            return
        if received is None:
            return
        (result,) = received
        self._restarts = 0
        if isinstance(result, Exhausted):
            task.answer(Death("memory", task.item, result.detail, result.step))
        elif isinstance(result, Escaped):
            task.answer(Death("crash", task.item, result.detail, result.step, result.trace))
        else:
            task.answer(result)
        if task.done:
            self._finish(worker, task)
        elif worker.growth == SPENT:
            self._replace(worker)

    def _replace(self, worker: Worker) -> None:
        """End a worker that cannot go on, and queue the rest of its lease for another."""
        self._waiting.appendleft(self._tasks.pop(worker))
        worker.kill()
        self._retire(worker)

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
        """Record a worker's death for its current item, and queue the rest of its lease."""
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
