"""Exercising every name by the calls that coverage consists of, until each parameter, dtype and mode is answered."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from fuzz.coverage.denominators import FULL_NUMPY, Denominator
from fuzz.coverage.lookup import look_up_names
from fuzz.coverage.name_coverage import Coverage, CoverageSource, NameCoverage, enter
from fuzz.coverage.structures import SIBLINGS, Depth, DrawingTask, Structure, parse_drawing
from fuzz.differences import Difference, label_mode, rank_cost
from fuzz.engine.item_results import ItemResult
from fuzz.engine.scheduler import Item
from fuzz.generate.calls import generated_names
from oracle.harness import Death, Failure, Lease, Sandbox

SPARE = 3  # structures for a parameter or dtype beyond those needed, where a mode does not answer the first ones
PATIENCE = 3  # structures after which a mode that has answered none counts as declining
ENOUGH = 1 << 30
MOST_DEATHS = 9  # structures at which NumPy may hang or crash while calls of a name are drawn

Goal = tuple[str, str]
CALL: Goal = ("call", "")


@dataclass
class NameSurvey:
    """The exercises of one name in each mode. Each round depends on the rounds before, and on nothing else,
    so that it does not matter which worker answers when. `stage` is how often goals are to be answered for now, or any
    call if the stage is `of_calls`.
    """

    row: NameCoverage
    modes: tuple[str, ...]
    depth: Depth
    seed: int
    is_meant: Callable[[Difference], bool] = lambda difference: False
    stage: Depth | None = None
    of_calls: bool = False
    structures: Sequence[Structure] | None = None
    goals: dict[int, frozenset[Goal]] = field(default_factory=dict)
    excluded: frozenset[int] = frozenset()
    tried: dict[str, set[int]] = field(default_factory=dict)
    muted: set[str] = field(default_factory=set)
    sent: list[tuple[Structure, Item]] = field(default_factory=list)
    cases: int = 0

    def next_lease(self, index: int) -> Lease | None:
        """Return what a worker should do next: draw structures, or judge some; None if nothing is left."""
        if self.structures is None:
            given = frozenset(self.row.parameters) - set(self.row.without)
            own = (self.row.name, self.seed, self.depth, given, frozenset(self.row.without), self.excluded)
            return Lease(index, "fuzz.coverage.structures:draw_structures", [DrawingTask(*own)], confirm=False)
        self.sent = list(self._choose_round())
        items = [item for _, item in self.sent]
        return Lease(index, "fuzz.engine.tasks:judge_item", items) if items else None

    def take(self, results: Sequence[Any]) -> None:
        """Take the results of the lease."""
        for result in results:
            if isinstance(result, Failure):
                raise RuntimeError(f"{self.row.name} cannot be exercised: {result.trace}")
        if self.structures is None:
            self._take_structures(results[0])
            return
        for (structure, item), result in zip(self.sent, results, strict=False):  # a lease that was cut has fewer
            enter(self.row, structure, item, result, self.is_meant)
            self.cases += result.cases if isinstance(result, ItemResult) else 1
            if isinstance(result, Death):
                self._mute(structure, item, result)

    def _mute(self, structure: Structure, item: Item, death: Death) -> None:
        """Leave out the mode in which a worker died, and have the structure judged again in the other modes; leave out
        all modes if it was none of them.
        """
        label = label_mode(death.step.partition(" ")[0])
        dead = {mode for mode, _ in item.runs if label_mode(mode) == label} or set(self.modes)
        self.muted |= dead
        for mode, _ in item.runs:
            self.tried[mode].discard(structure.number)

    def _take_structures(self, result: Sequence[Structure] | Death) -> None:
        if not isinstance(result, Death):
            self.structures = result
            self.goals = {one.number: _goals_of(one) for one in result if not one.invalid}
            for dtype in sorted({dtype for one in result for dtype in one.dtypes}):
                self.row.dtypes[dtype] = {}
            return
        number = parse_drawing(result.step)
        if number is None or len(self.excluded) >= MOST_DEATHS:
            self.structures = ()
        else:
            self.excluded |= {number}

    def _choose_round(self) -> Iterator[tuple[Structure, Item]]:
        """Yield the structures that the modes need, each in the modes that need it."""
        runs: dict[int, list[str]] = {}
        for mode in self.modes:
            for structure in self._choose(mode):
                runs.setdefault(structure.number, []).append(mode)
        for structure in self.structures or ():
            if structure.number in runs:
                item = structure.item(
                    self.row.name,
                    frozenset(self.row.without),
                    [(mode, SIBLINGS) for mode in runs[structure.number]],
                )
                yield structure, item

    def _choose(self, mode: str) -> Iterator[Structure]:
        """Yield structures that have not been tried in a mode: those that give most of the goals it lacks."""
        tried = self.tried.setdefault(mode, set())
        if mode in self.muted or (tried and self._is_declining(mode)):
            return
        if mode == self.modes[0] and not self.of_calls:
            yield from self._try(
                mode, [one for one in self.structures or () if one.invalid and one.number not in tried]
            )
        open_ones = [one for one in self.structures or () if one.number in self.goals and one.number not in tried]
        lacking = self._count_lacking(mode)
        while lacking and open_ones:
            best = max(open_ones, key=lambda one: (len(self.goals[one.number] & lacking.keys()), -len(one.parameters)))
            gained = self.goals[best.number] & lacking.keys()
            if not gained:
                return
            lacking = +(lacking - Counter(gained))
            open_ones.remove(best)
            yield from self._try(mode, [best])

    def _try(self, mode: str, structures: Sequence[Structure]) -> Iterator[Structure]:
        self.tried[mode].update(one.number for one in structures)
        yield from structures

    def _count_lacking(self, mode: str) -> Counter[Goal]:
        """Return how often each goal still has to be answered: unless it has been tried often enough."""
        tried = Counter(goal for number in self.tried[mode] for goal in self.goals.get(number, ()))
        goals = [CALL] if self.of_calls else sorted(frozenset().union(*self.goals.values()))
        depth = self.stage or self.depth
        times = depth.cheapest if mode == self.modes[0] else depth.others
        lacking = {goal: times - self._count_answers(goal, label_mode(mode)) for goal in goals}
        most = times if self.of_calls else times + SPARE
        return +Counter({goal: min(count, most - tried[goal]) for goal, count in lacking.items()})

    def _count_answers(self, goal: Goal, mode: str) -> int:
        sort, key = goal
        if sort == CALL[0]:
            return self.row.answers.get(mode, 0)
        table = self.row.parameters if sort == "parameter" else self.row.dtypes
        return table[key].get(mode, 0) if key in table else ENOUGH  # a parameter that NumPy does not document

    def _is_declining(self, mode: str) -> bool:
        return len(self.tried[mode] & self.goals.keys()) >= PATIENCE and not self.row.answers.get(label_mode(mode))


def _goals_of(structure: Structure) -> frozenset[Goal]:
    parameters = {("parameter", one) for one in structure.parameters}
    return frozenset({*parameters, *(("dtype", one) for one in structure.dtypes), CALL})


def survey(
    sandbox: Sandbox,
    subject: str,
    modes: Sequence[str],
    depth: Depth,
    origin: CoverageSource,
    denominator: Denominator = FULL_NUMPY,
    names: Sequence[str] = (),
    notice: Callable[[int, int], None] = lambda done, total: None,
    is_meant: Callable[[Difference], bool] = lambda difference: False,
    is_over: Callable[[], bool] = lambda: False,
) -> Coverage:
    """Look up every name, and exercise each that the subject has, until each parameter and each dtype that occurs was
    answered in each mode as often as `depth` says, or until the time `is_over`.

    Which calls are made depends on the seed of the `origin`, and on their answers, but not on the time they take, as
    long as there is time: see `list_stages`. A difference for which `is_meant` counts as allowed.
    """
    rows = look_up_names(sandbox, names)
    drawn = set(generated_names())
    ordered = tuple(sorted(modes, key=rank_cost))
    surveys = [
        NameSurvey(row, ordered, depth, origin.seed or 0, is_meant) for row in rows if row.present and row.name in drawn
    ]
    stages = list_stages(depth)
    left, total = len(surveys), len(stages) * len(surveys)
    for number, (stage, of_calls) in enumerate(stages):
        for one in surveys:
            one.stage, one.of_calls = stage, of_calls
        left = _run_surveys(sandbox, surveys, partial(_count_done, notice, number * len(surveys), total), is_over)
    cases = sum(one.cases for one in surveys)
    labels = tuple(map(label_mode, modes))
    return Coverage(subject, labels, rows, cases, origin, denominator, unfinished=left)


def list_stages(depth: Depth) -> tuple[tuple[Depth, bool], ...]:
    """Return what every name is to have before any has more: a call in the cheapest mode, then in each, then each
    parameter and dtype once, then all.
    """
    once, cheapest = replace(depth, cheapest=1, others=1), replace(depth, others=0)
    return (
        (replace(once, others=0), True),
        (once, True),
        (replace(once, others=0), False),
        (cheapest, False),
        (depth, False),
    )


def _count_done(notice: Callable[[int, int], None], before: int, total: int, done: int) -> None:
    notice(before + done, total)


def _run_surveys(
    sandbox: Sandbox, surveys: Sequence[NameSurvey], notice: Callable[[int], None], is_over: Callable[[], bool]
) -> int:
    """Run each survey to the end of its stage, those that have begun first. Return how many are left when the time is
    over.
    """
    waiting = deque(range(len(surveys)))
    done = 0
    while (waiting or sandbox.busy) and not is_over():
        while waiting and sandbox.free > 0:
            index = waiting.popleft()
            lease = surveys[index].next_lease(index)
            if lease is None:
                done += 1
                notice(done)
            else:
                sandbox.submit(lease)
        for reply in sandbox.wait(1.0):
            surveys[reply.index].take(reply.results)
            waiting.appendleft(reply.index)
    for reply in sandbox.cut() if sandbox.busy else ():
        if reply.results:
            surveys[reply.index].take(reply.results)
    return len(surveys) - done
