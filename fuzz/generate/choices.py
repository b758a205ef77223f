"""Sources of choices: a seed, Hypothesis, or a choice sequence. Generators are plain functions of `Choices`.

A choice sequence holds the integers and floats that Hypothesis has drawn, in order: it can be replayed without it.
"""

from __future__ import annotations

import itertools
import random
import struct
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from hypothesis import strategies

from fuzz.generate.call_classes import EDGES

T = TypeVar("T")

LONGEST_SHAPE = 6
MOST_ELEMENTS = 1200
FEW = 8  # up to so many choices, fractions are drawn as fast as bytes
WIDEST_FRACTION = 2**50  # beyond this many possibilities the 53 bits of a random fraction are too few
LARGEST_FLAG = 99  # a flag is an integer up to this one, and true where that is large
ONE_STREAM = 127  # an integer up to this one, which means that one seed makes the elements of all arrays
VALUE_SEEDS = 16  # the number of value seeds that fit into one integer with a seed
LARGEST_STREAM = 2**53 - 1
FEW_ELEMENTS = 8  # elements that are drawn for an array
PADDING = 40  # choices without effect: about as many as the elements of four arrays take
RICH = 4  # one large array in so many has any elements
LARGEST_SEED = 2**32 - 1


class Choices(ABC):
    """A source of decisions. Simple options come first and at the low end, which is where shrinking leads.

    `values` is a separate source for the elements of arrays, so that siblings can share everything else; `sizes` is one
    for the sizes of arrays in place of those that are drawn, if siblings have others. `edges` says
    what may be unusual about the call that is drawn, see `fuzz.generate.call_classes`; `most` how many elements its
    arrays may have.
    """

    values: Choices
    sizes: Choices | None = None
    edges: frozenset[str] = EDGES
    most: int = MOST_ELEMENTS

    def begin(self, edges: frozenset[str], most: int = MOST_ELEMENTS) -> None:
        """Begin a call that may have these edges."""
        self.edges = self.values.edges = edges
        self.most = most

    @abstractmethod
    def integer(self, low: int, high: int) -> int:
        """Return an integer between `low` and `high`, both included."""

    @abstractmethod
    def floats(self) -> float:
        """Return any float: every bit pattern is possible."""

    def flag(self, probability: float = 0.5) -> bool:
        """Return True with about this probability. False is simpler."""
        return self.integer(0, LARGEST_FLAG) >= LARGEST_FLAG + 1 - round((LARGEST_FLAG + 1) * probability)

    def pick(self, options: Sequence[T]) -> T:
        return options[self.integer(0, len(options) - 1)]

    def picks(self, options: Sequence[T], count: int) -> list[T]:
        """Return `count` options, each picked independently."""
        return [self.pick(options) for _ in range(count)]


class SeedChoices(Choices):
    """Pseudorandom choices, fast. Seeds are integers of any size; equal seeds give equal choices everywhere."""

    __slots__ = ("_choices", "_fraction", "_random", "edges", "most", "sizes", "values")

    def __init__(self, seed: int, value_seed: int = 0, *, resized: bool = False) -> None:
        self._start(random.Random(seed))
        self.values = SeedChoices.__new__(SeedChoices)
        self.values._start(random.Random((value_seed + 1 << 256) + seed))
        self.values.values = self.values
        self.sizes = SeedChoices(value_seed + 1 << 512 | seed) if resized else None

    def _start(self, source: random.Random) -> None:
        self.sizes = None
        self._random = source
        self._fraction = source.random
        self._choices = source.choices
        self.edges = EDGES
        self.most = MOST_ELEMENTS

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
    """Choices drawn by Hypothesis, which shrinks them: integers towards 0, options towards the first.

    Hypothesis shrinks one choice and keeps those after it. So that these keep their meaning, as many choices are drawn
    for a short shape as for a long one, and for a small array as for a large one. `made` is the choice sequence, as
    Hypothesis stores it.
    """

    __slots__ = ("_draw", "made", "values")

    def __init__(self, draw: Callable[[strategies.SearchStrategy], Any]) -> None:
        self._draw = draw
        self.made: list[Any] = []
        self.values = _Contents(self)

    def picks(self, options: Sequence[T], count: int) -> list[T]:
        return [self.pick(options) for _ in range(max(count, LONGEST_SHAPE))][:count]

    def integer(self, low: int, high: int) -> int:
        from hypothesis import strategies

        return self._keep(self._draw(strategies.integers(low, high)))

    def floats(self) -> float:
        from hypothesis import strategies

        return self._keep(self._draw(strategies.floats()))

    def seed(self, largest: int) -> int:
        """Return a seed for the elements of arrays, or the index of one element, at most `largest`."""
        return self.integer(0, largest)

    def pad(self) -> None:
        """Make choices without effect."""
        for _ in range(PADDING):
            self.integer(0, 1)

    def _keep(self, choice: Any) -> Any:
        self.made.append(choice)
        return choice


class _Contents(Choices):
    """Elements of arrays, drawn between the choices of the structure.

    Rarely do all of them come from one seed; otherwise a few elements are drawn, which can be shrunk
    one by one, and a seed arranges them. In simpler arrays they are repeated, from the first that is not the simplest,
    so that the element that matters remains when the array shrinks. Large arrays may have any elements.

    The sequence of a single stream is padded: if it were shorter than others, Hypothesis would take it as simpler.
    """

    __slots__ = ("_is_begun", "_stream", "_structure", "values")

    def __init__(self, structure: HypothesisChoices) -> None:
        self._structure = structure
        self._stream: Choices | None = None
        self._is_begun = False
        self.values = self

    def integer(self, low: int, high: int) -> int:
        return (self._begin() or self._structure).integer(low, high)

    def floats(self) -> float:
        return (self._begin() or self._structure).floats()

    def flag(self, probability: float = 0.5) -> bool:
        return (self._begin() or self._structure).flag(probability)

    def pick(self, options: Sequence[T]) -> T:
        return (self._begin() or self._structure).pick(options)

    def picks(self, options: Sequence[T], count: int) -> list[T]:
        stream = self._begin()
        if stream is not None:
            return stream.picks(options, count)
        seed = self._structure.seed(LARGEST_SEED)
        few = [self._structure.seed(len(options) - 1) for _ in range(FEW_ELEMENTS)]
        if not seed:
            start = next((position for position, index in enumerate(few) if index), 0)
            return [options[index] for index in itertools.islice(itertools.cycle(few[start:] + few[:start]), count)]
        is_rich = count > FEW_ELEMENTS and seed % RICH == 0
        return SeedChoices(seed).picks(options if is_rich else [options[index] for index in few], count)

    def _begin(self) -> Choices | None:
        """Return the stream that all elements come from, if they come from one; the first call decides that."""
        if not self._is_begun:
            self._is_begun = True
            if self._structure.integer(0, ONE_STREAM) == ONE_STREAM:
                self._stream = SeedChoices(*divmod(self._structure.seed(LARGEST_STREAM), VALUE_SEEDS)).values
                self._structure.pad()
        return self._stream


class SequenceChoices(HypothesisChoices):
    """Makes the choices of a sequence, as Hypothesis does: what does not fit, or is past the end, is the simplest.

    Siblings share everything but the sources of array elements; `made` is the sequence of the sibling.
    """

    __slots__ = ("_left", "_sibling")

    def __init__(self, sequence: Sequence[Any], sibling: int = 0) -> None:
        super().__init__(_draw_nothing)
        self._left = iter(sequence)
        self._sibling = sibling

    def integer(self, low: int, high: int) -> int:
        return self._keep(self._integer(low, high))

    def floats(self) -> float:
        choice = next(self._left, None)
        return self._keep(choice if type(choice) is float else 0.0)

    def seed(self, largest: int) -> int:
        return self._keep((self._integer(0, largest) + self._sibling) % (largest + 1))

    def pad(self) -> None:
        for _ in range(PADDING):
            next(self._left, None)
            self.made.append(0)

    def _integer(self, low: int, high: int) -> int:
        choice = next(self._left, None)
        return choice if type(choice) is int and low <= choice <= high else min(max(0, low), high)


def _draw_nothing(strategy: strategies.SearchStrategy) -> Any:
    raise AssertionError("a sequence draws from itself")
