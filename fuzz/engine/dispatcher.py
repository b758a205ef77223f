"""Questions to workers, and what is done with each answer; any thread may ask, one answers."""

from __future__ import annotations

import itertools
import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Sequence
from typing import Any

from fuzz.engine.executors import Executor
from oracle import Lease, Reply

Then = Callable[[Reply], None]


class Dispatcher:
    """Keeps questions until there is room for them, and hands each reply to whoever asked."""

    def __init__(self, executor: Executor) -> None:
        self._executor = executor
        self._waiting: deque[tuple[Lease, Then]] = deque()
        self._asked: dict[int, Then] = {}
        self._numbers = itertools.count()
        self._lock = threading.Lock()
        self._sent: dict[int, tuple[str, float]] = {}
        self._spent: Counter[str] = Counter()
        self._answered: Counter[str] = Counter()

    @property
    def waiting(self) -> int:
        """How many questions have found no room yet."""
        return len(self._waiting)

    @property
    def free(self) -> int:
        """How many questions would be worked on at once."""
        return self._executor.free

    def mean_seconds(self, function: str, default: float) -> float:
        """How long an answer takes, by the clock, once it is being worked on."""
        answered = self._answered[function]
        return self._spent[function] / answered if answered else default

    @property
    def busy(self) -> bool:
        return bool(self._asked or self._waiting)

    def ask(self, function: str, items: Sequence[Any], then: Then, *, now: bool = False, **options: Any) -> None:
        """Have `function` of `fuzz.engine.tasks` answer `items`; `now` only if it need not wait."""
        with self._lock:
            lease = Lease(next(self._numbers), f"fuzz.engine.tasks:{function}", items, **options)
            if not now:
                self._waiting.append((lease, then))
                return
        self._submit(lease, then)

    def send_next(self) -> bool:
        """Have the question that has waited longest worked on. Whether there was one."""
        if not self._waiting:
            return False
        self._submit(*self._waiting.popleft())
        return True

    def listen(self, seconds: float) -> None:
        """Wait for replies so long, and hand out those that come."""
        for reply in self._executor.wait(seconds):
            function, begun = self._sent.pop(reply.index)
            self._spent[function] += time.monotonic() - begun  # type: ignore[assignment]
            self._answered[function] += 1
            self._asked.pop(reply.index)(reply)

    def drop(self) -> None:
        """Forget every question that has found no room."""
        self._waiting.clear()

    def _submit(self, lease: Lease, then: Then) -> None:
        self._asked[lease.index] = then
        self._sent[lease.index] = lease.function.partition(":")[2], time.monotonic()
        self._executor.submit(lease)
