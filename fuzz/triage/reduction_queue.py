"""Differences in progress: what each leads to is entered in order, or as it comes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from fuzz.differences import Difference


@dataclass
class ReductionQueue:
    """Differences in progress. If they are `ordered`, their findings are entered in the order of their start, however
    long each takes; else as soon as each is ready.
    """

    ordered: bool = True
    begun: int = 0

    def __post_init__(self) -> None:
        self.ended: dict[int, Callable[[], None]] = {}
        self.reducing: dict[int, Difference] = {}  # those that are open, in order

    def begin(self, difference: Difference) -> int:
        self.reducing[self.begun] = difference
        self.begun += 1
        return self.begun - 1

    def end(self, number: int, enter: Callable[[], None]) -> None:
        self.ended[number] = enter
        while (ready := next(iter(self.reducing if self.ordered else self.ended), None)) in self.ended:
            del self.reducing[ready]
            self.ended.pop(ready)()

    def flush(self) -> None:
        """Enter what is ready, although others before it are not."""
        self.ordered, ended = False, sorted(self.ended)
        for number in ended:
            del self.reducing[number]
            self.ended.pop(number)()

    @property
    def open(self) -> int:
        return len(self.reducing)
