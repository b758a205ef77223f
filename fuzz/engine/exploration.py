"""The items of a campaign that are out for judging, and what came back: in their order, or as it comes.

In order, what is found depends on the seed and the number of cases only. A run that time ends promises no such thing,
and takes each result at once: an item that hangs, or a call that waits, keeps no other result back.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from fuzz.engine.dispatcher import Dispatcher
from fuzz.engine.harness_faults import find_dying_case
from fuzz.engine.item_results import WorkerDeath
from fuzz.engine.scheduler import ItemStream
from oracle.harness import Death, Reply

LEASE_SECONDS = 0.4
MOST_ITEMS = 64
MOST_RESTING = 64  # leases in a row that may be left out, before whoever asks can do something else
Result = tuple[Any, Any]
"""An item and what became of it."""


class Exploration:
    """Sends items to workers in leases of about `LEASE_SECONDS` of wall time, times `time_scale`.

    `observe` is called with each death that did not recur. `first` is the first item that is not judged yet.
    """

    def __init__(
        self,
        dispatcher: Dispatcher,
        stream: ItemStream,
        *,
        ordered: bool,
        time_scale: float,
        first: int,
        observe: Callable[[Death], None],
    ) -> None:
        self._dispatcher, self._stream, self._observe = dispatcher, stream, observe
        self._is_ordered, self._time_scale = ordered, time_scale
        self._sent: dict[int, int] = {}  # first items of the leases that are not consumed, by number
        self._arrived: dict[int, list[Result]] = {}  # by the number of the lease
        self._dying: dict[int, Sequence[Result]] = {}  # while the cases in which workers died are drawn
        self._count = self._consumed = 0  # leases
        self._judged = 0  # items
        self._following = first
        self._lost_seconds: defaultdict[str, float] = defaultdict(float)  # of leases in which a name ended its worker

    @property
    def begun(self) -> bool:
        """Whether any item was sent."""
        return self._count > 0

    @property
    def done(self) -> bool:
        """Whether there are no more items."""
        return self._stream.done

    @property
    def following(self) -> int:
        """The first item that is not consumed."""
        return min(self._sent.values(), default=self._following)

    def count_lost(self, name: str) -> float:
        """Return the seconds that workers spent on items of a name that ended them."""
        return self._lost_seconds.get(name, 0.0)

    def send(self, rests: Callable[[str], bool]) -> bool:
        """Send the next items to a worker, without those of names that rest. Return whether there were any."""
        for _ in range(MOST_RESTING):
            first_open = self.following if self._is_ordered and self._sent else None
            items = self._stream.take(self._find_lease_size(), first_open)
            if not items:
                return False
            self._following = items[-1].index + 1
            if awake := [item for item in items if not rests(item.name)]:
                self._send(awake, fresh=items[0].cold)
                return True
        return False

    def _send(self, items: Sequence[Any], *, fresh: bool) -> None:
        number, self._count = self._count, self._count + 1
        self._sent[number] = items[0].index
        self._judge(items, lambda results: self._draw_died(number, results), now=True, fresh=fresh)

    def collect(self) -> Iterator[Result]:
        """Yield the results that have arrived."""
        while (number := self._find_next()) is not None:
            yield from self._arrived.pop(number)
            del self._sent[number]
            self._consumed += 1

    def give_up(self) -> None:
        """Take what has arrived, in the order of its leases, although others before it have not."""
        for number, results in self._dying.items():
            self._arrived[number] = [(i, WorkerDeath(r) if isinstance(r, Death) else r) for i, r in results]
        self._dying = {}
        self._arrived = dict(sorted(self._arrived.items()))
        self._is_ordered = False

    def _find_next(self) -> int | None:
        if self._is_ordered:
            return self._consumed if self._consumed in self._arrived else None
        return next(iter(self._arrived), None)

    def _find_lease_size(self) -> int:
        if not self._judged:
            return 1
        mean = self._dispatcher.count_seconds("judge_item") / self._judged
        return max(1, min(MOST_ITEMS, int(LEASE_SECONDS * self._time_scale / max(mean, 1e-4))))

    def _judge(self, items: Sequence[Any], then: Callable[[Sequence[Result]], None], **options: Any) -> None:
        """Have items judged, and call `then` with each and its result; of a lease that was cut, with the first few."""

        def take(reply: Reply) -> None:
            for death in reply.unconfirmed:
                self._observe(death)
            results = list(zip(items, reply.results, strict=False))
            self._judged += len(results)
            dead = [i for i, (_, result) in enumerate(results) if isinstance(result, Death)]
            for i in dead:
                self._lost_seconds[items[i].name] += reply.seconds / len(dead)
            then(results)

        self._dispatcher.ask("judge_item", items, take, confirm=True, **options)

    def _draw_died(self, number: int, results: Sequence[Result]) -> None:
        """Have the cases drawn in which workers died, by the NumPy of workers: a `WorkerDeath` for each."""
        tasks = [(item, find_dying_case(death.step)) for item, death in results if isinstance(death, Death)]
        if not tasks:
            self._arrived[number] = list(results)
            return
        self._dying[number] = results

        def take(reply: Reply) -> None:
            texts = iter(reply.results)
            del self._dying[number]
            self._arrived[number] = [
                (i, WorkerDeath.make(r, next(texts)) if isinstance(r, Death) else r) for i, r in results
            ]

        self._dispatcher.ask("draw_item", tasks, take, confirm=False, risky=True)
