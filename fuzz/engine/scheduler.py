"""The schedule of a campaign. Item i is a function of the master seed and i, whoever runs it and whenever."""

from __future__ import annotations

import bisect
import hashlib
import inspect
import itertools
import math
import random
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from itertools import dropwhile
from typing import Any, NamedTuple

import numpy as np

from fuzz.differences import Difference, choose_cheapest, rank_cost
from fuzz.engine import rejections
from fuzz.generate.signatures import parameters_of
from fuzz.triage.untrusted_input import Row
from oracle.harness import GRADIENTS, find_mode

# Tracing a function costs far more than calling it, so each trace serves a few cases; more would be fewer structures.
SIBLINGS = 4

# Of each name the first turns have few: new structures come before further values. Where a library compiles every call,
# a structure costs some thirty times as much as a further value of it, so that a few of those are nearly free.
ALONE, FEW = 8, 100  # turns of one case, and those until which items have few
FEW_COMPILED = 8  # cases of the first turns where the adapter asks for more than SIBLINGS


class Choice(NamedTuple):
    """The number of candidates for the call of every second turn, and the number of calls that are chosen so. Among
    20 calls drawn so, 139 of 165 times one met the conditions of a reported bug of the name; 115 times without.
    """

    candidates: int
    turns: int


# Drawing and classifying a call takes 0.3 ms: little where a call is compiled, much where it takes a microsecond.
CHOSEN, CHOSEN_COMPILED = Choice(4, 6), Choice(16, 64)

LATE_FACTOR = 2
"""Modes that are `late` have so many times fewer turns where modes take turns by their cost."""

EVERY, ROOT, COST = "every", "root", "cost"
TURNS = {EVERY: lambda cost: 1, ROOT: lambda cost: round(math.sqrt(cost)), COST: lambda cost: cost}
"""How often modes have their turn, by how many times as much an item costs as in the cheapest: in every item; once in
the square root of that many items, so that few names have hundreds of runs in each mode within a minute; or once in
that many, so that all modes take the same time.
"""

MIXED, INVALID, HOSTILE = "mixed", "invalid", "hostile"
CALLS = (MIXED, INVALID, HOSTILE)
"""The calls that items draw: of all classes but hostile ones; invalid ones only, to judge classes of errors; or hostile
ones, which contain nonsense, to see whether anything crashes.
"""

ENGINES = ("seeds", "hypothesis")  # what draws calls

EPOCH = 256  # items of an epoch, after which what was learnt takes effect
MOST_CRASHES = 2  # deaths of a name in a mode after which it is not run there
EPOCH_COMPILED = 8  # the same where the adapter asks for more than SIBLINGS, so that an item takes seconds
LATELY = 4  # latest items of a name whose new features count
UNGUIDED = 0.25  # weight, relative to the mean, of a name without new features in guided turns
COLD = 64  # one item in so many is judged in a fresh process
ALONE_COMPILED = 24  # turns in which an option is given alone that no answered call has had
RELAPSE = 16  # one item in so many gives parameters that the subject lacks


@dataclass(frozen=True)
class Candidates:
    """The number of calls that one is chosen from, the turn of its name, and the seed of all turns."""

    count: int
    turn: int
    seed: int


@dataclass(frozen=True)
class Item:
    """A structure of a case, and how many sets of values (siblings) it is filled with; a mode may run the first few
    only.

    `runs` holds pairs of a mode and its number of siblings; `without` are parameters that the function lacks,
    `dropped` those to leave out besides, `required` those to give. With `samples` the distribution of a random
    function is tested on large samples, too. With `keywords` arguments are given by keyword wherever NumPy allows
    it. A `cold` item is judged in a fresh process, to see whether its first answer differs from later ones. If it
    is `differentiable`, calls are drawn until one has a derivative. `turn` says which pair of options has its turn,
    see `draw_call`; None where pairs come at random. `candidates` says of how many calls the one is drawn that
    shows most that none of its name has shown, and which such turn it is. Calls are drawn again as long as they
    have one of the `rejected` forms.

    The calls are drawn from the seed, by our own generators or `by_hypothesis`. `calls` is one of CALLS.
    """

    index: int
    name: str
    seed: int
    siblings: int
    runs: tuple[tuple[str, int], ...]
    program: bool = False
    without: frozenset[str] = frozenset()
    required: frozenset[str] = frozenset()
    dropped: frozenset[str] = frozenset()
    samples: bool = False
    keywords: bool = False
    cold: bool = False
    by_hypothesis: bool = False
    calls: str = MIXED
    differentiable: bool = False
    turn: int | None = None
    candidates: Candidates | None = None
    rejected: frozenset[str] = frozenset()


LEARNT = {"deaths": [Row(str, str, int)], "lacks": {str: {str: int}}, "novelty": {str: [Row(int, (int, float))]}}
LEARNT |= {"rejections": rejections.FORM}


class Schedule:
    """All names in turn, in an order that the seed shuffles. How often a mode has its turn depends on its cost.

    The schedule learns: every second turn goes to names that recently showed new features, weighted by their cost; a
    name that crashed in a mode is not run there again; parameters that a subject lacks, or rejects, are seldom given,
    because they would hide everything else. What is learnt takes effect one epoch later, so that it does not depend on
    how far ahead workers are. One item in `programs` is a nested program, one in `keywords` gives all arguments by
    keyword where possible; 0 means none. `never` holds, by name, the parameters that a subject does not offer: they are
    never given. An item has up to `siblings` cases. `engine` is one of ENGINES, `turns` a key of TURNS, `calls` one of
    CALLS.
    """

    def __init__(
        self,
        names: Sequence[str],
        modes: Sequence[str],
        seed: int,
        programs: int = 0,
        keywords: int = 0,
        engine: str = "seeds",
        never: Mapping[str, Sequence[str]] | None = None,
        siblings: int = SIBLINGS,
        turns: str = COST,
        calls: str = MIXED,
    ) -> None:
        self.siblings = siblings
        self._never = {name: frozenset(parameters) for name, parameters in (never or {}).items()}
        self.names = sorted(names)
        random.Random(seed).shuffle(self.names)
        self.modes = sorted(dict.fromkeys(modes), key=rank_cost)
        self.seed = seed
        self.programs = programs
        self.keywords = keywords
        self.calls = calls
        self.engine = engine
        self.epoch = max(len(self.names), EPOCH_COMPILED if siblings > SIBLINGS else EPOCH)
        least = min(_find_cost(mode) for mode in self.modes)
        self._turns = {mode: max(1, TURNS[turns](_find_cost(mode) // least)) for mode in self.modes}
        begins = {mode: find_mode(mode.partition("@")[0]).late for mode in self.modes}
        self._late = begins if turns == COST and min(begins.values()) == 0 else dict.fromkeys(self.modes, 0)
        self._turns |= {mode: LATE_FACTOR * self._turns[mode] for mode, begin in self._late.items() if begin}
        self._deaths: dict[tuple[str, str], list[int]] = {}
        self._lacks: dict[str, dict[str, int]] = {}
        self._rejections = rejections.Rejections()
        self._crashing: set[str] = set()
        self._novelty: dict[str, list[tuple[int, float]]] = {}
        self._sums: dict[int, list[float] | None] = {}

    def item(self, index: int, left: int | None = None) -> Item:
        """Return item `index`, with at most `left` siblings."""
        turn, position = divmod(index, len(self.names))
        weights = self._weights(self.settled(index))
        is_guided = weights is not None and turn % 2 == 1
        name = self._drawn(index, weights) if weights and is_guided else self.names[position]
        beat = index if is_guided else turn // 2 if weights else turn
        siblings = self._find_siblings(turn) if left is None else min(left, self._find_siblings(turn))
        runs = tuple(
            (mode, siblings)
            for mode in self.modes
            if self._is_due(mode, name, beat) and not self._is_muted(mode, name, index)
            if turn >= self._late[mode]
        )
        program = bool(self.programs) and index % self.programs == self.programs - 1
        seed = _hash(f"{self.seed}/{index}")
        keywords = bool(self.keywords) and _hash(f"{self.seed}/{index}/keywords") % self.keywords == 0
        without, dropped, rejected = self._never.get(name, frozenset()), frozenset[str](), frozenset[str]()
        if seed % RELAPSE:
            without |= self._lacking(name, index)
            found = self._rejections.find(name, self.settled(index))
            rejected = frozenset(form for form in found if " " in form)
            dropped |= found - rejected
        is_plain = self.calls == MIXED and self.engine == "seeds" and not program
        alone = self._find_alone(name, index, without | dropped) if is_plain and seed % RELAPSE else None
        if alone is not None:
            dropped |= _list_options(name) - alone
        samples = index < len(self.names) and name.startswith("random.")
        cold = not program and not samples and _hash(f"{self.seed}/{index}/cold") % COLD == 0
        is_mixed = self.calls == MIXED
        has_derivative = is_mixed and any(mode.partition("@")[0] in GRADIENTS for mode, _ in runs)
        is_plain = is_plain and not has_derivative and alone is None
        candidates = self._find_candidates(turn) if is_plain else None
        can_have_pair = is_plain and not is_guided and candidates is None
        has_pair = can_have_pair and _hash(f"{self.seed}/{index}/pair") % 2 == 1
        return Item(
            index,
            name,
            seed,
            siblings,
            runs,
            program,
            without,
            required=alone or frozenset(),
            dropped=dropped,
            samples=samples and self.calls == MIXED,
            keywords=keywords,
            cold=cold,
            by_hypothesis=self.engine == "hypothesis" and not program,
            calls=self.calls,
            differentiable=has_derivative and not program,
            turn=2 * beat + 1 if has_pair else None,
            candidates=candidates,
            rejected=rejected,
        )

    def _find_alone(self, name: str, index: int, without: frozenset[str]) -> frozenset[str] | None:
        """Return the only option that an item is to give, or that it gives none, where a library compiles calls: what
        it rejects is then known from a few calls. None if every option was taken, or is left out.
        """
        turn = index // len(self.names)
        if self.siblings <= SIBLINGS or turn >= ALONE_COMPILED:
            return None
        taken, number = self._rejections.list_taken(name, self.settled(index)), _hash(f"{self.seed}/{index}/alone")
        if turn == 0 or (not taken and number % 2):
            return frozenset()
        untaken = sorted(_list_options(name) - without - taken)
        return frozenset({untaken[turn % len(untaken)]}) if untaken else None

    def _find_candidates(self, turn: int) -> Candidates | None:
        """Return what the item of a turn is chosen from: every second one of the first turns is, the others are not."""
        number, half = CHOSEN_COMPILED if self.siblings > SIBLINGS else CHOSEN, turn // 2
        if turn % 2 or half >= number.turns:
            return None
        return Candidates(number.candidates, half, self.seed)

    def _find_siblings(self, turn: int) -> int:
        """Return the number of cases of the items of a turn."""
        if self.siblings > SIBLINGS:
            return min(self.siblings, FEW_COMPILED if turn < FEW else self.siblings)
        return min(self.siblings, 1 if turn < ALONE else SIBLINGS)

    def count_cases(self, index: int) -> int:
        """Return the number of cases of the items before `index`."""
        turn, position = divmod(index, len(self.names))
        full = sum(len(self.names) * self._find_siblings(one) for one in range(min(turn, FEW)))
        return full + (max(0, turn - FEW) * len(self.names)) * self.siblings + position * self._find_siblings(turn)

    def data(self, following: int) -> dict[str, Any]:
        """Return what was learnt, as far as it decides about items from `following` on, as JSON-serializable data."""
        settled, novelty = self.settled(following), {}
        for name, rates in self._novelty.items():
            old = [rate for rate in rates if rate[0] < settled][-LATELY:]
            novelty[name] = old + [rate for rate in rates if rate[0] >= settled]
        deaths = [[name, mode, index] for (name, mode), found in self._deaths.items() for index in found]
        return {"deaths": deaths, "lacks": self._lacks, "novelty": novelty, "rejections": self._rejections.data()}

    def restore(self, data: Mapping[str, Any]) -> None:
        """Restore what was learnt from data of the form LEARNT."""
        for name, mode, index in data["deaths"]:
            self.learn_death(index, name, mode)
        self._lacks = {name: dict(found) for name, found in data["lacks"].items()}
        self._rejections.restore(data["rejections"])
        self._novelty = {name: [(int(index), rate) for index, rate in rates] for name, rates in data["novelty"].items()}

    def turns(self) -> dict[str, int]:
        """Return for each mode n, where one item in n runs in it."""
        return dict(self._turns)

    def learn_death(self, index: int, name: str, mode: str) -> None:
        """Learn that item `index` crashed or hung in a mode."""
        self._deaths.setdefault((name, mode), []).append(index)
        self._crashing.add(name)

    def learn_fatal(self, difference: Difference) -> None:
        """Learn that a case ended its process, or exhausted its memory."""
        self.learn_death(difference.index, difference.name, choose_cheapest(difference.modes))

    def learn_novelty(self, item: Item, features: int) -> None:
        """Learn that an item showed this many new features."""
        cost = sum(_find_cost(mode) for mode, _ in item.runs) or 1
        self._novelty.setdefault(item.name, []).append((item.index, features / cost))

    def _weights(self, settled: int) -> list[float] | None:
        """Return the cumulative weights of the names for guided turns; None while nothing was learnt."""
        if settled not in self._sums:
            lately = [self._lately(name, settled) for name in self.names]
            mean = sum(lately) / len(lately)
            shares = [UNGUIDED + rate / mean for rate in lately] if mean else []
            self._sums = {settled: list(itertools.accumulate(shares)) or None}
        return self._sums[settled]

    def _lately(self, name: str, settled: int) -> float:
        rates = [rate for index, rate in self._novelty.get(name, ()) if index < settled][-LATELY:]
        return sum(rates) / len(rates) if rates else 0.0

    def _drawn(self, index: int, weights: list[float]) -> str:
        point = _hash(f"{self.seed}/{index}/name") / (1 << 48) * weights[-1]
        return self.names[min(bisect.bisect_right(weights, point), len(self.names) - 1)]

    def is_crashing(self, name: str) -> bool:
        """Return whether a name has crashed or hung in any mode."""
        return name in self._crashing

    def learn_lack(self, index: int, name: str, parameter: str) -> None:
        """Learn from item `index` that a function lacks a parameter."""
        known = self._lacks.setdefault(name, {})
        known[parameter] = min(index, known.get(parameter, index))

    def learn_answers(self, item: Item, forms: Set[str], *, answered: bool) -> None:
        """Learn whether an item's valid calls, which have these forms, were answered in any mode."""
        if not item.program:
            self._rejections.learn(item.index, item.name, forms, answered=answered)

    def _lacking(self, name: str, index: int) -> frozenset[str]:
        settled, known = self.settled(index), self._lacks.get(name, {})
        return frozenset(parameter for parameter, since in known.items() if since < settled)

    def _is_due(self, mode: str, name: str, turn: int) -> bool:
        return (turn + _hash(f"{self.seed}/{name}/{mode}")) % self._turns[mode] == 0

    def _is_muted(self, mode: str, name: str, index: int) -> bool:
        deaths = self._deaths.get((name, mode))
        if not deaths:
            return False
        return sum(death < self.settled(index) for death in deaths) >= MOST_CRASHES

    def settled(self, index: int) -> int:
        """Return the index below which items decide about item `index`."""
        return max(0, (index // self.epoch - 1) * self.epoch)


class ItemStream:
    """The items of one shard in order, from item `first`, until all shards together have `cases` cases, or
    endlessly.
    """

    def __init__(
        self, schedule: Schedule, cases: int | None = None, shard: tuple[int, int] = (1, 1), first: int = 0
    ) -> None:
        self._schedule = schedule
        self._slots = self._walk(first, cases, *shard)
        self._next = next(self._slots, None)

    def _walk(self, first: int, cases: int | None, part: int, parts: int) -> Iterator[tuple[int, int | None]]:
        for index in itertools.count(first):
            left = None if cases is None else cases - self._schedule.count_cases(index)
            if left is not None and left <= 0:
                return
            if index % parts == part - 1:
                yield index, left

    @property
    def done(self) -> bool:
        return self._next is None

    def take(self, count: int, consumed: int | None) -> list[Any]:
        """Return up to `count` next items, none of which depends on an item that is not `consumed` yet.

        An item that may crash or hang goes alone, so that it does not delay others: one whose name is new, or has
        crashed before.
        """
        items: list[Any] = []
        while self._next is not None and len(items) < count:
            index, left = self._next
            if consumed is not None and self._schedule.settled(index) > consumed:
                break
            item = self._schedule.item(index, left)
            is_alone = item.cold or index < len(self._schedule.names) or self._schedule.is_crashing(item.name)
            if is_alone and items:
                break
            items.append(item)
            self._next = next(self._slots, None)
            if is_alone:
                break
        return items


def _list_options(name: str) -> frozenset[str]:
    """Return the parameters of a name that a call need not give: of `clip`, not the bounds, without which it does
    nothing.
    """
    needed = (inspect.Parameter.empty, np._NoValue)
    found = dropwhile(lambda one: one.default in needed, parameters_of(name).values())
    return frozenset(one.name for one in found if one.default is not one.empty or one.kind is one.VAR_KEYWORD)


def _find_cost(mode: str) -> int:
    """Return how many times as much an item costs in a mode as in eager mode."""
    return find_mode(mode.partition("@")[0]).period


def _hash(text: str) -> int:
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:6])
