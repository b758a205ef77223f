"""Where choices come from: a seed, Hypothesis, a recording. Generators are plain functions of a `Choices`."""

from __future__ import annotations

import random
import struct
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from hypothesis import strategies

T = TypeVar("T")

LONGEST_SHAPE = 6
FEW = 8  # up to so many choices, fractions are drawn as fast as bytes
WIDEST_FRACTION = 2**50  # beyond this many possibilities the 53 bits of a random fraction are too few


class Choices(ABC):
    """A source of decisions. Simple options stand first and at the low end: that is where shrinking goes.

    `values` is a source of its own for the contents of arrays, so that siblings can share all the rest.
    """

    values: Choices

    @abstractmethod
    def integer(self, low: int, high: int) -> int:
        """Return an integer between `low` and `high`, both included."""

    @abstractmethod
    def floats(self) -> float:
        """Return any float at all: every bit pattern may come."""

    def flag(self, probability: float = 0.5) -> bool:
        """Return True with about this probability. False is the simpler answer."""
        return self.integer(0, 99) >= 100 - round(100 * probability)

    def pick(self, options: Sequence[T]) -> T:
        return options[self.integer(0, len(options) - 1)]

    def picks(self, options: Sequence[T], count: int) -> list[T]:
        """Return `count` options, each picked independently."""
        return [self.pick(options) for _ in range(count)]


class SeedChoices(Choices):
    """Pseudorandom choices, fast. Seeds are integers of any size; equal seeds choose equally everywhere."""

    __slots__ = ("_choices", "_fraction", "_random", "values")

    def __init__(self, seed: int, value_seed: int = 0) -> None:
        self._start(random.Random(seed))
        self.values = SeedChoices.__new__(SeedChoices)
        self.values._start(random.Random((value_seed + 1 << 256) + seed))
        self.values.values = self.values

    def _start(self, source: random.Random) -> None:
        self._random = source
        self._fraction = source.random
        self._choices = source.choices

    def integer(self, low: int, high: int) -> int:
        width = high - low + 1
        if width < WIDEST_FRACTION:
            return low + int(self._fraction() * width)
        return low + self._random.randrange(width)

    def floats(self) -> float:
        return struct.unpack("<d", self._random.randbytes(8))[0]

    def flag(self, probability: float = 0.5) -> bool:
        return self._fraction() < probability

    def pick(self, options: Sequence[T]) -> T:
        return options[int(self._fraction() * len(options))]

    def picks(self, options: Sequence[T], count: int) -> list[T]:
        width = len(options)
        if count < FEW or width > 0xFFFF:
            return self._choices(options, k=count)
        return [options[number % width] for number in memoryview(self._random.randbytes(2 * count)).cast("H")]


class HypothesisChoices(Choices):
    """Choices drawn by Hypothesis, which shrinks them: integers towards `low`, options towards the first.

    Hypothesis makes one choice smaller and leaves those after it as they were. So that they mean what they meant, as
    many are drawn for a short shape as for a long one, and for a small array as for a large one.
    """

    __slots__ = ("_draw", "values")

    def __init__(self, draw: Callable[[strategies.SearchStrategy], Any]) -> None:
        self._draw = draw
        self.values = _HypothesisValues(draw) if type(self) is HypothesisChoices else self

    def picks(self, options: Sequence[T], count: int) -> list[T]:
        return [self.pick(options) for _ in range(max(count, LONGEST_SHAPE))][:count]

    def integer(self, low: int, high: int) -> int:
        return self._draw(strategies.integers(low, high))

    def floats(self) -> float:
        return self._draw(strategies.floats())


class _HypothesisValues(HypothesisChoices):
    """Contents of arrays: all elements from a seed, or, simpler, a few over and over."""

    __slots__ = ()

    def picks(self, options: Sequence[T], count: int) -> list[T]:
        seed = self.integer(0, 2**32 - 1)
        period = [self.pick(options) for _ in range(4)]
        return SeedChoices(seed).picks(options, count) if seed else (period * (count // 4 + 1))[:count]


class Recording(Choices):
    """Passes choices on from another source, and keeps them: `made`, and `values.made`."""

    __slots__ = ("_source", "made", "values")

    def __init__(self, source: Choices) -> None:
        self._source = source
        self.made: list[Any] = []
        self.values = self if source.values is source else Recording(source.values)

    def integer(self, low: int, high: int) -> int:
        return self._keep(self._source.integer(low, high))

    def floats(self) -> float:
        return self._keep(self._source.floats())

    def flag(self, probability: float = 0.5) -> bool:
        return self._keep(self._source.flag(probability))

    def pick(self, options: Sequence[T]) -> T:
        return options[self._keep(self._source.pick(range(len(options))))]

    def picks(self, options: Sequence[T], count: int) -> list[T]:
        places = self._source.picks(range(len(options)), count)
        self.made.extend(places)
        return [options[place] for place in places]

    def _keep(self, choice: Any) -> Any:
        self.made.append(choice)
        return choice


class RecordedChoices(Choices):
    """Makes recorded choices again: those of the structure, and those of array contents.

    A choice out of bounds moves to the nearest possible one, and past the end every choice is the simplest, so that
    every list of numbers is a recording. Where the two kinds were recorded from one stream, leave `values` out.
    """

    __slots__ = ("_left", "values")

    def __init__(self, made: Sequence[Any], values: Sequence[Any] | None = None) -> None:
        self._left = iter(made)
        self.values = self if values is None else RecordedChoices(values)

    def integer(self, low: int, high: int) -> int:
        return min(max(int(next(self._left, low)), low), high)

    def floats(self) -> float:
        return float(next(self._left, 0.0))

    def flag(self, probability: float = 0.5) -> bool:
        return bool(next(self._left, False))
