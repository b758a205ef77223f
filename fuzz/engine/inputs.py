"""Sources of calls: a seed, or the choice sequences that a campaign starts from."""

from __future__ import annotations

import base64
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Protocol

from fuzz.generate.calls import draw_case
from fuzz.generate.choices import SeedChoices
from fuzz.triage.untrusted_input import ENCODED, Row
from oracle.harness import has_slope

ENGINES = ("seeds", "mutation", "hypothesis")
LATEST = 8  # sequences of a name to mutate: the latest that showed something new
MOST_DRAWN = 64  # calls that are drawn until one has a derivative
SEED_BITS = 48  # those of an item's seed

SHOWN: dict[str, Any] = {"stored": {str: {ENCODED: [str]}}, "shown": {str: [Row(int, ENCODED)]}}
"""The form of what `Inputs` knows, as JSON has it."""


class Drawn(Protocol):
    """Protocol: the fields of an item that say how its calls are drawn. See `fuzz.engine.scheduler.Item`."""

    @property
    def name(self) -> str: ...
    @property
    def seed(self) -> int: ...
    @property
    def siblings(self) -> int: ...
    @property
    def program(self) -> bool: ...
    @property
    def keywords(self) -> bool: ...
    @property
    def without(self) -> frozenset[str]: ...
    @property
    def required(self) -> frozenset[str]: ...
    @property
    def sequence(self) -> bytes: ...
    @property
    def mutates(self) -> bool: ...
    @property
    def by_hypothesis(self) -> bool: ...
    @property
    def differentiable(self) -> bool: ...
    @property
    def turn(self) -> int | None: ...


def find_seed(item: Drawn) -> int:
    """Return the seed that an item's calls are drawn from: its own, or the first of some that draws a call with a
    derivative, if it is to have one and any of them does.
    """
    return _find_differentiable(item.name, item.seed, item.required) if item.differentiable else item.seed


@lru_cache(maxsize=64)
def _find_differentiable(name: str, seed: int, required: frozenset[str]) -> int:
    following = random.Random(seed)
    seeds = (seed, *(following.getrandbits(SEED_BITS) for _ in range(MOST_DRAWN)))
    return next((one for one in seeds if has_slope(draw_case(SeedChoices(one), name, required))), seed)


class UnknownDatabase(ValueError):
    """The text names no database."""


@dataclass(frozen=True)
class Stored:
    """A choice sequence from the database, and the modes in which it disagreed."""

    sequence: bytes
    modes: tuple[str, ...] = ()


@dataclass
class Inputs:
    """The choice sequences that a campaign starts from, by name: those of the corpus, and those that showed something
    new.

    A sequence is used one epoch after its item, as is everything that the schedule learns, so that items do not depend
    on how far ahead workers are.
    """

    stored: Mapping[str, Sequence[Stored]] = field(default_factory=dict)
    shown: dict[str, list[tuple[int, bytes]]] = field(default_factory=dict)

    @property
    def turns(self) -> int:
        """The number of turns it takes to replay the corpus."""
        return max(map(len, self.stored.values()), default=0)

    def replayed(self, name: str, turn: int) -> Stored | None:
        """Return the sequence of the corpus that a name replays in this turn, if any."""
        stored = self.stored.get(name, ())
        return stored[turn] if turn < len(stored) else None

    def learn(self, index: int, name: str, sequence: bytes) -> None:
        """Add the sequence of item `index`, which showed something new."""
        self.shown.setdefault(name, []).append((index, sequence))

    def parent(self, name: str, settled: int, point: int) -> bytes:
        """Return a sequence to mutate, from the corpus and from items before `settled`, or b"". `point` selects it."""
        shown = [sequence for index, sequence in self.shown.get(name, ()) if index < settled][-LATEST:]
        options = [*shown, *(stored.sequence for stored in self.stored.get(name, ()))]
        return options[point % len(options)] if options else b""

    def data(self, settled: int) -> dict[str, Any]:
        """Return the state that decides about items from `settled` on, as JSON-serializable data."""
        shown = {}
        for name, found in self.shown.items():
            old = [one for one in found if one[0] < settled][-LATEST:]
            shown[name] = [[index, _text(one)] for index, one in (*old, *(one for one in found if one[0] >= settled))]
        stored = {name: {_text(one.sequence): list(one.modes) for one in found} for name, found in self.stored.items()}
        return {"stored": stored, "shown": shown}

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Inputs:
        """Restore the state from data of the form SHOWN."""
        stored = {
            name: [Stored(_sequence(text), tuple(modes)) for text, modes in found.items()]
            for name, found in data["stored"].items()
        }
        shown = {name: [(int(i), _sequence(text)) for i, text in found] for name, found in data["shown"].items()}
        return cls(stored, shown)


def _text(sequence: bytes) -> str:
    return base64.b64encode(sequence).decode()


def _sequence(text: str) -> bytes:
    return base64.b64decode(text, validate=True)
