"""From a dotted name to a case: one call, its arguments chosen so that NumPy mostly accepts them."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections.abc import Callable, Mapping
from functools import cache
from operator import attrgetter
from typing import Any

import numpy as np

from fuzz import domains, values
from fuzz.choices import Choices
from fuzz.domains import ufuncs
from fuzz.drafts import VARIADIC, Draft, Plan, Slot, Word
from fuzz.parameters import word_for
from oracle import NAMES, Case

# How a call departs from a valid one. Fewer words can slip than are asked to, and not every slip is an error.
FAULTS = values.weighted({"": 76, "slip": 20, "wild": 4})


def draw_case(choices: Choices, name: str) -> Case:
    """Draw a case of one name. About three in four are valid calls, one in five barely misses, a few are wild."""
    return _drawing(name)(choices)


@cache
def generated_names() -> tuple[str, ...]:
    """Every dotted name that has cases."""
    return tuple(name for name in NAMES if _is_drawn(name))


def _is_drawn(name: str) -> bool:
    if name in domains.UNDRAWN:
        return False
    home, _, _ = name.rpartition(".")
    return home in domains.HOMES or name in lines()


@cache
def lines() -> Mapping[str, Mapping[str, Word]]:
    """The lines of all topics, by name."""
    found: dict[str, Mapping[str, Word]] = {}
    for module in pkgutil.iter_modules(domains.__path__, "fuzz.domains."):
        found.update(getattr(importlib.import_module(module.name), "LINES", {}))
    return found


@cache
def _drawing(name: str) -> Callable[[Choices], Case]:
    """A function that draws cases of one name."""
    function = attrgetter(name)(np)
    if isinstance(function, np.ufunc) and name not in lines():
        return ufuncs.drawing(name)
    if not callable(function):
        return lambda choices: Case(name)
    plan = plan_of(name, function, lines().get(name, {}))

    def draw(choices: Choices) -> Case:
        fault = choices.pick(FAULTS)
        slip = choices.pick(slippery) if fault == "slip" and slippery else ""
        case = Draft(choices, plan, slip).case()
        return _wild(choices, case) if fault == "wild" else case

    slippery = tuple(name for name, slot in plan.slots.items() if slot.name not in {"like", "subok", "device"})
    return draw


def plan_of(name: str, function: Callable[..., Any], line: Mapping[str, Word]) -> Plan:
    """A plan out of NumPy's signature, with the words of a line where it has some."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except ValueError:
        parameters = [inspect.Parameter(word, inspect.Parameter.POSITIONAL_ONLY) for word in line]  # type: ignore[assignment]
    slots = [
        Slot(one.name, one.kind, one.default, line.get(one.name) or word_for(one))
        for one in parameters
        if one.kind not in VARIADIC or one.name in line or one.name == "arys"
    ]
    unknown = line.keys() - {slot.name for slot in slots}
    assert not unknown, f"{name} has no parameter {', '.join(unknown)}"
    return Plan.of(name, function, slots)


def _wild(choices: Choices, case: Case) -> Case:
    """The case with one argument exchanged for anything at all."""
    place = choices.integer(0, len(case.args) + len(case.kwargs))
    odd = values.wild(choices)
    if place < len(case.args):
        return Case(case.name, (*case.args[:place], odd, *case.args[place + 1 :]), case.kwargs)
    if place == len(case.args) + len(case.kwargs):
        return Case(case.name, case.args, {**case.kwargs, "bogus": odd})
    key = list(case.kwargs)[place - len(case.args)]
    return Case(case.name, case.args, {**case.kwargs, key: odd})
