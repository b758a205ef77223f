"""Requests to workers, with a callback for each reply. Any thread may send requests; one thread delivers replies."""

from __future__ import annotations

import heapq
import itertools
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from fuzz.engine.executors import Executor
from oracle.harness import Lease, Reply

Then = Callable[[Reply], None]
About = tuple[str, str]
"""The name and the mode that a request is about."""
Rank = tuple[int, ...]
"""What decides which request is sent next: the least one, then the oldest."""
URGENT: Rank = (0,)
"""The rank of requests whose replies other things wait for."""


TASKS = "fuzz.engine.tasks"
"""The module of the functions that workers call."""


class Dispatcher:
    """Queues requests until a worker is free, and passes each reply to the callback of its request.

    `note` is called with each function that a worker ran, for how long, and what that was about.
    """

    def __init__(
        self,
        executor: Executor,
        note: Callable[[str, float, About | None], None] = lambda function, seconds, about: None,
    ) -> None:
        self._executor, self._note = executor, note
        self._waiting: list[tuple[Rank, int, Lease, Then]] = []  # a heap
        self._asked: dict[int, Then] = {}
        self._numbers = itertools.count()
        self._lock = threading.Lock()
        self._sent: dict[int, tuple[str, float]] = {}
        self._about: dict[int, About] = {}
        self._spent: Counter[str] = Counter()
        self._answered: Counter[str] = Counter()

    @property
    def waiting(self) -> int:
        """The number of queued requests."""
        return len(self._waiting)

    @property
    def urgent(self) -> bool:
        """Whether a queued request is urgent."""
        return bool(self._waiting) and self._waiting[0][0] == URGENT

    @property
    def free(self) -> int:
        """The number of requests that would start at once."""
        return self._executor.free

    def mean_seconds(self, function: str, default: float) -> float:
        """Return the mean wall time of a request for this function, from start to reply, or `default`."""
        answered = self._answered[function]
        return self._spent[function] / answered if answered else default

    def count_seconds(self, function: str) -> float:
        """Return the wall time that workers took for a function, all requests together."""
        return float(self._spent[function])

    def find_share(self, function: str) -> float:
        """Return the share of a function in the wall time that workers took until now, also for what is not done."""
        now, spent = time.monotonic(), Counter(self._spent)
        for running, begun in self._sent.values():
            spent[running] += now - begun  # type: ignore[assignment] # a Counter of seconds, which typeshed types as one of ints
        total = spent.total()
        return spent[function] / total if total else 0.0

    @property
    def busy_seconds(self) -> float:
        """The wall time that workers took for all requests together."""
        return float(self._spent.total())

    @property
    def busy(self) -> bool:
        return bool(self._asked or self._waiting)

    def ask(
        self,
        function: str,
        items: Sequence[Any],
        then: Then,
        *,
        now: bool = False,
        about: About | None = None,
        rank: Rank = URGENT,
        **options: Any,
    ) -> None:
        """Request that `function` of the module of tasks is called with each of `items`; `then` gets the reply.

        With `now` it does not wait for others. Those of the least `rank` come first. The time counts for what it is
        `about`.
        """
        with self._lock:
            lease = Lease(next(self._numbers), f"{TASKS}:{function}", items, **options)
            if about is not None:
                self._about[lease.index] = about
            if not now:
                heapq.heappush(self._waiting, (rank, lease.index, lease, then))
                return
        self._submit(lease, then)

    def send_next(self) -> bool:
        """Start the request that comes first. Return whether there was one."""
        with self._lock:
            if not self._waiting:
                return False
            _, _, lease, then = heapq.heappop(self._waiting)
        self._submit(lease, then)
        return True

    def listen(self, seconds: float) -> None:
        """Wait up to `seconds` for replies, and deliver those that come."""
        for reply in self._executor.wait(seconds):
            self._take(reply)

    def cut(self) -> None:
        """Drop all queued requests, and end those that run: what they answered already is delivered."""
        self.drop()
        for reply in self._executor.cut():
            self._take(reply)

    def drop(self, function: str = "", least: Rank = ()) -> None:
        """Drop the queued requests, all or those for a function from a rank on."""
        with self._lock:
            name = f"{TASKS}:{function}"
            self._waiting = [one for one in self._waiting if function and (one[2].function != name or one[0] < least)]
            heapq.heapify(self._waiting)

    def _take(self, reply: Reply) -> None:
        function, begun = self._sent.pop(reply.index)
        spent = time.monotonic() - begun
        self._spent[function] += spent  # type: ignore[assignment] # a Counter of seconds, which typeshed types as one of ints
        self._answered[function] += 1
        self._note(function, spent, self._about.pop(reply.index, None))
        then = self._asked.pop(reply.index)
        if reply.results:
            then(replace(reply, seconds=spent))

    def _submit(self, lease: Lease, then: Then) -> None:
        self._asked[lease.index] = then
        self._sent[lease.index] = lease.function.partition(":")[2], time.monotonic()
        self._executor.submit(lease)
