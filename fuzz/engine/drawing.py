"""Draw the cases of an item: calls, or programs of what the subject has."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import islice
from statistics import fmean

from fuzz.differences import drop_from_program, drop_parameters
from fuzz.engine.scheduler import HOSTILE, INVALID, MIXED, SIBLINGS, Candidates, Item
from fuzz.generate import calls, preconditions
from fuzz.generate.argument_coverage import list_forms, list_traits
from fuzz.generate.call_classes import INVALID as INVALID_CALL
from fuzz.generate.choices import SeedChoices
from fuzz.generate.ops.drawing import draw_programs
from fuzz.generate.signatures import by_keyword
from oracle import Case
from oracle.harness import PREFIX, describe_structure, has_slope, step

MOST_DRAWN = 64  # calls that are drawn until one has a derivative, or enough have no form that is rejected
SEED_BITS = 48  # those of an item's seed


@dataclass(frozen=True)
class ProgramSource:
    """Parts that programs may be made of: calls of `names`, without the parameters that are `never` given, inside of
    them calls of anything that the subject `has`, and writes through views, if it has views.
    """

    names: Sequence[str] = ()
    never: Mapping[str, Collection[str]] = field(default_factory=dict)
    has: Callable[[str], bool] = bool  # any name
    has_views: bool = False


NO_PROGRAMS = ProgramSource()


def draw(item: Item, sibling: int, source: ProgramSource = NO_PROGRAMS, *, any_size: bool = False) -> Case:
    """Draw the case of one sibling. A program writes through views in every second item, if the subject has them.

    Where the subject lacks a function that a program calls, the program becomes a call of one of its `names`. With
    `any_size` every second sibling of an item with many has arrays of other sizes, if nothing else changes with them.
    """
    if item.name.startswith(PREFIX):
        return _draw_ops(item, sibling)
    if any_size and sibling % 2 and item.siblings > SIBLINGS and not (item.by_hypothesis or item.program):
        seed = _find_seed(item)
        plain, resized = (_draw_call(item, SeedChoices(seed, sibling, resized=one)) for one in (False, True))
        is_alike = describe_structure(plain, any_size=True) == describe_structure(resized, any_size=True)
        return resized if is_alike else plain
    if item.by_hypothesis:
        from fuzz.engine.hypothesis_calls import draw_by_hypothesis  # it imports Hypothesis

        return draw_by_hypothesis(item.name, item.seed, sibling, item.without)
    choices = SeedChoices(_find_seed(item), sibling)
    if item.program:
        from fuzz.generate import aliases, programs

        writes = source.has_views and item.seed % 2 and aliases.can_draw(source.names)
        make = aliases.draw_aliases if writes else programs.draw_program
        program = drop_from_program(make(choices, source.names), source.never)
        if all(source.has(call.name) for call in program.calls()):
            return program
        case = calls.draw_case(choices, choices.pick(source.names))
        return drop_from_program(case, source.never)
    return _draw_call(item, choices)


def _draw_ops(item: Item, sibling: int) -> Case:
    """Draw a program of ops. Those beyond the item's siblings are the program up to a call that is drawn, which is not
    run: a worker that ends while it draws has ended in one of them.
    """
    if sibling < item.siblings:
        return _list_drawn_ops(item)[sibling]
    return next(draw_programs(item.name, item.seed, 1, halt=sibling - item.siblings))


@lru_cache(maxsize=2)
def _list_drawn_ops(item: Item) -> list[Case]:
    def announce(number: int) -> None:
        step(f"eager {item.siblings + number}")

    return list(draw_programs(item.name, item.seed, item.siblings, announce))


def _draw_call(item: Item, choices: SeedChoices) -> Case:
    flags = {"invalid": item.calls == INVALID, "hostile": item.calls == HOSTILE}
    case = calls.draw_call(choices, item.name, item.required, turn=item.turn, **flags).case
    case = by_keyword(case) if item.keywords else case
    for parameters in (item.dropped, item.without):
        case = drop_parameters(case, parameters) if parameters else case
    return case


def _find_seed(item: Item) -> int:
    """Return the seed that an item's calls are drawn from: one of which a precondition holds although parameters are
    dropped, such as a `sorter` of an array that is not sorted.
    """
    seed, has_less = _choose_seed(item), bool(item.dropped | item.without)
    if has_less and item.calls == MIXED and not item.program and item.name in preconditions.PRECONDITIONS:
        return seed if _is_fitting(item, _draw_call(item, SeedChoices(seed))) else _find_fitting(item)
    return seed


def _is_fitting(item: Item, case: Case) -> bool:
    return preconditions.holds(case) and item.rejected.isdisjoint(list_forms(case) if item.rejected else ())


def _choose_seed(item: Item) -> int:
    """Return the seed that an item's calls are drawn from: its own; the first of some that draws a call with a
    derivative, if it is to have one and any of them does; that of the candidate which shows most that is new; or the
    first that draws a call without a form that is rejected.
    """
    if item.differentiable:
        return _find_differentiable(item.name, item.seed, item.required)
    if item.candidates is not None:
        return _choose_novel(item.name, item.candidates, item.rejected)
    if item.rejected and item.calls == MIXED and not item.program:
        return _find_fitting(item)
    return item.seed


def _choose_novel(name: str, candidates: Candidates, rejected: frozenset[str]) -> int:
    """Return the seed of a turn of a name. What is new there follows from the turns before it alone, as if each had
    avoided the forms that are `rejected`: it does not depend on who judged them, and when.
    """
    chosen, met = _list_chosen(name, candidates.count, candidates.seed, rejected)
    while len(chosen) <= candidates.turn:
        following = random.Random(f"{candidates.seed}/{name}/{len(chosen)}")
        seeds = [following.getrandbits(SEED_BITS) for _ in range(MOST_DRAWN if rejected else candidates.count)]
        calls_drawn = ((one, calls.draw_call(SeedChoices(one), name)) for one in seeds)
        fitting = (one for one in calls_drawn if not rejected or rejected.isdisjoint(list_forms(one[1].case)))
        drawn = [*islice(fitting, candidates.count)] or [(seeds[0], calls.draw_call(SeedChoices(seeds[0]), name))]
        shown = [set() if one.call_class == INVALID_CALL else list_traits(one.case) for _, one in drawn]
        best = max(range(len(drawn)), key=lambda at: fmean([1 / (1 + met[one]) ** 2 for one in shown[at]] or [0.0]))
        met.update(shown[best])
        chosen.append(drawn[best][0])
    return chosen[candidates.turn]


@lru_cache(maxsize=2048)
def _list_chosen(name: str, count: int, seed: int, rejected: frozenset[str]) -> tuple[list[int], Counter[str]]:
    """Return the seeds of the turns so far, and how many of them showed each trait."""
    return [], Counter()


@lru_cache(maxsize=64)
def _find_fitting(item: Item) -> int:
    following = random.Random(item.seed)
    seeds = (item.seed, *(following.getrandbits(SEED_BITS) for _ in range(MOST_DRAWN)))
    drawn = ((one, _draw_call(item, SeedChoices(one))) for one in seeds)
    return next((one for one, case in drawn if _is_fitting(item, case)), item.seed)


@lru_cache(maxsize=64)
def _find_differentiable(name: str, seed: int, required: frozenset[str]) -> int:
    following = random.Random(seed)
    seeds = (seed, *(following.getrandbits(SEED_BITS) for _ in range(MOST_DRAWN)))
    return next((one for one in seeds if has_slope(calls.draw_case(SeedChoices(one), name, required))), seed)
