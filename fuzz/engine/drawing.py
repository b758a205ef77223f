"""Draw the cases of an item: calls, or programs of what the subject has."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field

from fuzz.engine.inputs import find_seed
from fuzz.engine.scheduler import HOSTILE, INVALID, Item
from fuzz.generate import calls
from fuzz.generate.choices import SeedChoices
from fuzz.generate.signatures import by_keyword
from fuzz.sightings import drop_from_program, drop_parameters
from oracle import Case


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


def draw(item: Item, sibling: int, source: ProgramSource = NO_PROGRAMS) -> Case:
    """Draw the case of one sibling. A program writes through views in every second item, if the subject has them.

    Where the subject lacks a function that a program calls, the program becomes a call of one of its `names`.
    """
    if item.sequence or item.by_hypothesis:
        from fuzz.engine.sequences import draw_from_sequence  # it imports Hypothesis

        return draw_from_sequence(item, sibling)
    choices = SeedChoices(find_seed(item), sibling)
    if item.program:
        from fuzz.generate import aliases, programs

        writes = source.has_views and item.seed % 2 and aliases.can_draw(source.names)
        make = aliases.draw_aliases if writes else programs.draw_program
        program = drop_from_program(make(choices, source.names), source.never)
        if all(source.has(call.name) for call in program.calls()):
            return program
        case = calls.draw_case(choices, choices.pick(source.names))
        return drop_from_program(case, source.never)
    flags = {"invalid": item.calls == INVALID, "hostile": item.calls == HOSTILE}
    case = calls.draw_call(choices, item.name, item.required, turn=item.turn, **flags).case
    case = by_keyword(case) if item.keywords else case
    return drop_parameters(case, item.without) if item.without else case
