"""The schedule of a campaign over programs: an item is a round of all kinds, whose programs XLA compiles together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from typing import Any

from fuzz.differences import Difference, label_mode
from fuzz.tensorflow_subject.program_kinds import PROGRAM_KINDS, find_program_kind, find_turn
from oracle.harness import WAYS, Program, read_case

EAGER = WAYS[0]
EPOCH = 16  # items of an epoch, after which what was learnt takes effect
MOST_CRASHES = 2  # programs with the same ops that ended their process in a mode; then such ones are not run there
SIBLINGS = sum(program_kind.siblings for program_kind in PROGRAM_KINDS)


@dataclass(frozen=True)
class CrashingOps:
    """Ops that no program may have in a mode: programs of them ended their process there."""

    mode: str
    ops: frozenset[str]

    def is_in(self, ops: Sequence[str], mode: str) -> bool:
        """Return whether a program of these ops is not to be run in a mode."""
        return mode == self.mode and self.ops <= set(ops)


@dataclass(frozen=True)
class WorkerEnding:
    """The end of a worker: its kind, and the step in which it came."""

    kind: str
    detail: str
    step: str


@dataclass(frozen=True)
class Round:
    """Programs to draw and to judge: their numbers, the modes, and the ops to draw from if not all.

    Of a program that has ended its worker, `ending` says how: it is drawn again, and not judged.
    """

    index: int
    seed: int
    name: str
    numbers: tuple[int, ...]
    modes: tuple[str, ...]
    selected: tuple[str, ...] = ()
    crashing: tuple[CrashingOps, ...] = ()
    ending: WorkerEnding | None = None

    @property
    def siblings(self) -> int:
        """The number of cases."""
        return sum(find_program_kind(number)[0].siblings for number in self.numbers)

    @property
    def cold(self) -> bool:
        """Whether it needs a fresh process: never."""
        return False

    @property
    def resting(self) -> frozenset[str]:
        """The ops that no program is drawn with."""
        return frozenset(op for one in self.crashing if one.mode == EAGER and len(one.ops) == 1 for op in one.ops)

    def list_parts(self, kind: str, detail: str, step: str) -> Iterator[Round]:
        """Yield the rounds to judge instead of this one, which has ended its worker: each program by itself on
        each device; or the one that did it, as far as it can be drawn.
        """
        devices = list(dict.fromkeys(mode.partition("@")[2] for mode in self.modes))
        words = step.split()
        if len(self.numbers) * len(devices) > 1:
            for number in self.numbers:
                for device in devices:
                    modes = tuple(mode for mode in self.modes if mode.partition("@")[2] == device)
                    yield replace(self, numbers=(number,), modes=modes)
        elif self.ending is None and words and words[0] in ("draw", *WAYS):
            yield replace(self, ending=WorkerEnding(kind, detail, step))


class Rounds:
    """All kinds of programs in turn. A program is not run in a mode in which others of the same ops have ended their
    process, from the next epoch on.
    """

    siblings = SIBLINGS
    epoch = EPOCH
    engine = "seeds"

    def __init__(self, names: Sequence[str], modes: Sequence[str], seed: int, selected: Sequence[str] = ()) -> None:
        self.names = sorted(names)
        self._modes, self._seed, self._selected = tuple(modes), seed, tuple(selected)
        self._deaths: list[tuple[int, CrashingOps]] = []

    def item(self, index: int, left: int | None = None) -> Round:
        """Return round `index`, of as many programs as have `left` cases."""
        numbers: list[int] = []
        count = 0
        for number in range(index * len(PROGRAM_KINDS), (index + 1) * len(PROGRAM_KINDS)):
            if left is None or count < left:
                numbers.append(number)
                count += find_program_kind(number)[0].siblings
        name = find_turn(self._seed, numbers[0], self._selected).op
        crashing = self._list_crashing(self.settled(index))
        return Round(index, self._seed, name, tuple(numbers), self._modes, self._selected, crashing)

    def _list_crashing(self, settled: int) -> tuple[CrashingOps, ...]:
        known = [one for index, one in self._deaths if index < settled]
        return tuple(one for one in dict.fromkeys(known) if known.count(one) >= MOST_CRASHES)

    def count_cases(self, index: int) -> int:
        """Return the number of cases of the items before `index`."""
        return index * SIBLINGS

    def settled(self, index: int) -> int:
        """Return the index below which items decide about item `index`."""
        return max(0, (index // self.epoch - 1) * self.epoch)

    def turns(self) -> dict[str, int]:
        """Return for each mode n, where one item in n runs in it."""
        return dict.fromkeys(self._modes, 1)

    def is_crashing(self, name: str) -> bool:
        """Return whether a name has crashed or hung: rounds are leased one by one in any case."""
        return True

    def learn_fatal(self, difference: Difference) -> None:
        """Learn that a program ended its process. Of one that ended it while it was drawn, the last op did."""
        program, mode = read_case(difference.case), difference.modes[0]
        if isinstance(program, Program):
            ops = program.ops[-1:] if mode == EAGER else program.ops
            self._deaths.append((difference.index, CrashingOps(mode, frozenset(ops))))

    def learn_death(self, index: int, name: str, mode: str) -> None:
        """Learn nothing from the end of a process whose program is not known."""

    def learn_novelty(self, item: Round, features: int) -> None:
        """Learn nothing: programs have their turn."""

    def learn_answers(self, item: Round, forms: Set[str], *, answered: bool) -> None:
        """Learn nothing: ops have no options that are left out."""

    def learn_lack(self, index: int, name: str, parameter: str) -> None:
        """Learn nothing: ops have the parameters of the table."""

    def data(self, following: int) -> dict[str, Any]:
        """Return what was learnt, as JSON-serializable data of the form that all schedules have."""
        deaths = [[*sorted(one.ops), label_mode(one.mode), index] for index, one in self._deaths]
        return {"deaths": deaths, "lacks": {}, "novelty": {}, "rejections": {}}

    def restore(self, data: Mapping[str, Any]) -> None:
        """Restore what `data` returned."""
        self._deaths = [(index, CrashingOps(mode, frozenset(ops))) for *ops, mode, index in data["deaths"]]
