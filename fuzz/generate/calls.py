"""From a dotted name to a case: one call, with arguments that NumPy mostly accepts."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections.abc import Callable, Mapping
from functools import cache
from operator import attrgetter
from typing import Any

import numpy as np

from fuzz.generate import arrays, domains
from fuzz.generate.arguments import strategy_for
from fuzz.generate.builder import VARIADIC, Draft, Plan, Slot, Strategy
from fuzz.generate.choices import Choices
from fuzz.generate.domains import ufuncs
from fuzz.generate.signatures import TOLD
from oracle import NAMES, Case

# How a call departs from a valid one. Fewer arguments are invalid than intended, and NumPy accepts some of those.
FAULTS = arrays.weighted({"": 76, "invalid": 20, "wild": 4})


def draw_case(choices: Choices, name: str, required: frozenset[str] = frozenset()) -> Case:
    """Draw a case of one name. About three in four are valid, one in five has one invalid argument, a few are wild.

    With `required`, calls are meant to be valid and give these parameters if possible.
    """
    return _drawing(name)(choices, required)


@cache
def generated_names() -> tuple[str, ...]:
    """Return every dotted name that has cases."""
    return tuple(name for name in NAMES if _is_drawn(name))


def _is_drawn(name: str) -> bool:
    if name in domains.UNDRAWN:
        return False
    home, _, _ = name.rpartition(".")
    return home in domains.HOMES or name in lines()


@cache
def lines() -> Mapping[str, Mapping[str, Strategy]]:
    """Return the strategies by parameter, for each name that has any, from all topics."""
    found: dict[str, Mapping[str, Strategy]] = {}
    for module in pkgutil.iter_modules(domains.__path__, "fuzz.generate.domains."):
        new = getattr(importlib.import_module(module.name), "LINES", {})
        assert not found.keys() & new.keys(), f"two lines for {found.keys() & new.keys()}"
        found.update(new)
    return found


@cache
def _drawing(name: str) -> Callable[[Choices, frozenset[str]], Case]:
    """Return a function that draws cases of one name."""
    function = attrgetter(name)(np)
    if isinstance(function, np.ufunc) and name not in lines():
        return ufuncs.drawing(name)
    is_method = name.startswith("ndarray.")
    if not callable(function) and not is_method:
        return lambda choices, required: Case(name)
    plan = _plan_of_method(name, function) if is_method else plan_of(name, function, lines().get(name, {}))

    def draw(choices: Choices, required: frozenset[str]) -> Case:
        fault = "" if required else choices.pick(FAULTS)
        invalid = choices.pick(can_be_invalid) if fault == "invalid" and can_be_invalid else ""
        case = Draft(choices, plan, invalid, required).case()
        return _wild(choices, case, plan) if fault == "wild" and not is_random else case

    is_random = name.startswith("random.")  # an arbitrary size or scale would make the outcome random
    can_be_invalid = tuple(
        name
        for name, slot in plan.slots.items()
        if slot.name not in {"like", "subok", "device"}
        for _ in range(1 + slot.required)  # required arguments are invalid more often
    )
    return draw


def plan_of(name: str, function: Callable[..., Any], line: Mapping[str, Strategy]) -> Plan:
    """Return the plan for a function, from NumPy's signature and the strategies in `line`."""
    parameters = inspect.signature(TOLD.get(name) or function).parameters.values()
    slots = [
        Slot(one.name, _way_of(one), one.default, line.get(one.name) or strategy_for(one))
        for one in parameters
        if one.kind not in VARIADIC or one.name in line or one.name == "arys"
    ]
    unknown = line.keys() - {slot.name for slot in slots}
    assert not unknown, f"{name} has no parameter {', '.join(unknown)}"
    return Plan.of(name, function, slots)


def _way_of(parameter: inspect.Parameter) -> Any:
    """Return the kind of a parameter; a method's `self` is positional only, whatever its signature says."""
    return parameter.POSITIONAL_ONLY if parameter.name == "self" else parameter.kind


def _plan_of_method(name: str, method: Any) -> Plan:
    """Return the plan of a method, with strategies of its own, or of the function of its name. Its first argument is
    always an array.
    """
    if not callable(method):
        method = np.ndarray.__len__  # an attribute takes only the array, as `__len__` does
    plain = name.removeprefix("ndarray.")
    parameters = inspect.signature(method).parameters
    line = {
        "self" if key in {"a", "x"} else key: strategy
        for key, strategy in lines().get(plain, {}).items()
        if key in parameters or key in {"a", "x"}
    }
    line.update(lines().get(name, {}))
    strategy = line.get("self") or strategy_for(inspect.Parameter("a", inspect.Parameter.POSITIONAL_ONLY))
    line["self"] = lambda draft: arrays.as_array(strategy(draft))
    return plan_of(name, method, line)


def _wild(choices: Choices, case: Case, plan: Plan) -> Case:
    """Return the case with one argument replaced by anything at all, or added."""
    first = int(case.name.startswith("ndarray."))  # the object whose method is called stays an array
    slots = list(plan.slots.values())
    given = [slots[min(index, len(slots) - 1)].name for index in range(len(case.args))]
    named = [
        *case.kwargs,
        *(slot.name for slot in slots if slot.by_name and slot.name not in {*given, *case.kwargs}),
        "bogus",
    ]
    index = choices.integer(first, len(given) + len(named) - 1)
    slot = plan.slots.get([*given, *named][index])
    odd = arrays.wild(choices, slot is None or slot.takes_data)
    if index < len(given):
        return Case(case.name, (*case.args[:index], odd, *case.args[index + 1 :]), case.kwargs)
    return Case(case.name, case.args, {**case.kwargs, named[index - len(given)]: odd})
