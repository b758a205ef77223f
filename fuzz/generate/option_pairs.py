"""Pairs of options: which options of two parameters a call is to give together, so that all pairs come."""

from __future__ import annotations

import itertools
import random
from collections.abc import Mapping
from typing import Any

from fuzz.generate.builder import Plan, Slot, always
from fuzz.generate.scalars import Literal

Pair = Mapping[str, int | None]
"""The parameters to be given, with the numbers of their options; None if any value will do."""

MOST_OPTIONS = 16  # parameters with more options, such as dtypes, are given with any value
SKIPPED = frozenset({"like", "device", "subok", "self"})


def list_pairs(plan: Plan) -> tuple[Pair, ...]:
    """Return the pairs of options of all optional parameters, in an order that depends on the name alone."""
    slots = [slot for slot in plan.slots.values() if not slot.required and slot.name not in SKIPPED and slot.by_name]
    found: list[Pair] = []
    for first, second in itertools.combinations(slots, 2):
        found += [
            {first.name: one, second.name: other}
            for one, other in itertools.product(_option_numbers(first), _option_numbers(second))
        ]
    random.Random(plan.name).shuffle(found)
    return tuple(found)


def list_options(slot: Slot) -> tuple[Any, ...]:
    """Return the documented values of a parameter; none if it takes any."""
    strategy = _literal_of(slot)
    return () if strategy is None else tuple(strategy.options)


def _option_numbers(slot: Slot) -> list[int | None]:
    strategy = _literal_of(slot)
    if strategy is None:
        return [None]
    numbers = {repr(option): number for number, option in reversed(list(enumerate(strategy.options)))}
    return [None] if len(numbers) > MOST_OPTIONS else sorted(numbers.values())


def _literal_of(slot: Slot) -> Literal | None:
    strategy = slot.strategy.strategy if isinstance(slot.strategy, always) else slot.strategy
    return strategy if isinstance(strategy, Literal) else None
