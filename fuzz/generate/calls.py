"""From a dotted name to a case: one call, with arguments that NumPy mostly accepts."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np

from fuzz.generate import arrays, domains
from fuzz.generate.arguments import strategy_for
from fuzz.generate.arrays import HUGE
from fuzz.generate.builder import VARIADIC, Draft, NoFittingArguments, Plan, Slot, Strategy
from fuzz.generate.call_classes import (
    COUNT,
    DTYPES,
    EDGE,
    EDGES,
    HOSTILE,
    INVALID,
    LAYOUTS,
    NUMBERS,
    OPTIONS,
    ORDINARY,
    PLAIN,
    SHAPES,
    DrawnCall,
    PlantedFault,
)
from fuzz.generate.choices import MOST_ELEMENTS, Choices
from fuzz.generate.constraints import SQUARING
from fuzz.generate.domains import ufuncs
from fuzz.generate.nonsense import draw_nonsense
from fuzz.generate.option_pairs import Pair, list_pairs
from fuzz.generate.signatures import SIGNATURES, find_object
from oracle import Case
from oracle.harness import NAMES, find_stored_signature, inspect_signature, topic_of

VALID = arrays.weighted(
    {
        (ORDINARY, PLAIN): 60,
        (EDGE, frozenset((NUMBERS,))): 11,
        (EDGE, frozenset((NUMBERS, LAYOUTS))): 5,
        (EDGE, frozenset((NUMBERS, OPTIONS))): 3,
        (EDGE, frozenset((NUMBERS, DTYPES))): 3,
        (EDGE, frozenset((SHAPES,))): 2,
        (EDGE, frozenset((SHAPES, OPTIONS))): 2,
        (EDGE, frozenset((LAYOUTS, DTYPES))): 3,
        (EDGE, frozenset((LAYOUTS, OPTIONS))): 2,
        (EDGE, EDGES): 4,
    }
)
CLASSES = (*VALID, *[(INVALID, PLAIN)] * 5)
"""The classes of calls, and what is unusual about edge calls: rarely everything, so that one fault of a subject does
not hide others.
"""
PAIR_SHARE = 0.1  # of the calls, which are to give two options together
ATTEMPTS = 3  # parameters that are tried until a fault is planted


def draw_call(
    choices: Choices,
    name: str,
    required: frozenset[str] = frozenset(),
    *,
    hostile: bool = False,
    invalid: bool = False,
    turn: int | None = None,
) -> DrawnCall:
    """Draw a call of one name, with its class: 60 of 100 are ordinary, 35 edge calls, 5 invalid.

    With `required`, calls are meant to be valid and give these parameters if possible. A `hostile` call may contain
    nonsense, and violate preconditions that NumPy does not check: no answer to it is wrong. An `invalid` call is one
    that NumPy rejects. With `turn`, the number of the call among those of the name, every second call is valid and
    gives the pair of options whose turn it is; else pairs come at random.
    """
    return DrawnCall(*_draw(choices, name, required, HOSTILE if hostile else INVALID if invalid else "", turn))


def draw_case(choices: Choices, name: str, required: frozenset[str] = frozenset()) -> Case:
    """Draw the case of a call that is not hostile, see `draw_call`."""
    return _draw(choices, name, required)[0]


def _draw(
    choices: Choices, name: str, required: frozenset[str], special: str = "", turn: int | None = None
) -> tuple[Case, str, PlantedFault | None]:
    drawing, most, pairs = _drawing(name)
    is_of_pairs = turn is not None and turn % 2 == 1 and bool(pairs) and not special
    call_class, edges = choices.pick(VALID if required or is_of_pairs else CLASSES)
    if special:
        call_class, edges = special, EDGES if special == HOSTILE else PLAIN
    choices.begin(edges, most)
    asked: Pair = {}
    if is_of_pairs and turn is not None:
        asked = pairs[turn // 2 % len(pairs)]
    elif pairs and not required and call_class in (ORDINARY, EDGE) and choices.flag(PAIR_SHARE):
        asked = choices.pick(pairs)
    case, fault = drawing(choices, required, call_class, asked)
    return case, call_class if fault or call_class != INVALID else ORDINARY, fault


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


def _most_elements(name: str) -> int:
    """Return how many elements the arrays of a name may have: more where a call takes little more time than reading
    them.
    """
    is_costly = SQUARING.search(name) or SLOW.search(name)
    return HUGE if topic_of(name) in LINEAR_TOPICS and not is_costly else MOST_ELEMENTS


LINEAR_TOPICS = frozenset(
    {
        *("Array manipulation", "Array methods", "Array operators", "Bitwise operations", "Logic functions"),
        *("Mathematical functions", "Set routines", "Sorting, searching, counting", "Statistics"),
    }
)
"""Topics of which most functions take time in proportion to the elements."""

SLOW = re.compile(r"convolve|correlate|tile|repeat|block|pad|stack|take|choose|compress|item|tolist|matmul|dot|put")
"""Names of these topics whose calls take longer, or whose results are larger."""

Drawing = Callable[[Choices, frozenset[str], str, Pair], tuple[Case, PlantedFault | None]]


@cache
def _drawing(name: str) -> tuple[Drawing, int, tuple[Pair, ...]]:
    """Return a function that draws cases of one name, how many elements arrays may have, and the pairs of options."""
    known = find_plan(name)
    pairs = list_pairs(known) if known else ufuncs.list_pairs(name) if name in UFUNCS else ()
    return _make_drawing(name, known), _most_elements(name), pairs


UFUNCS = frozenset(name for name in dir(np) if isinstance(getattr(np, name), np.ufunc))


@cache
def find_plan(name: str) -> Plan | None:
    """Return the plan of a name; None for ufuncs and constants."""
    function = find_object(name)
    is_method = name.startswith("ndarray.")
    if (name in UFUNCS and name not in lines()) or (not callable(function) and not is_method):
        return None
    return _plan_of_method(name, function) if is_method else plan_of(name, function, lines().get(name, {}))


def _make_drawing(name: str, plan: Plan | None) -> Drawing:
    if plan is None:
        return (
            ufuncs.drawing(name) if name in UFUNCS else lambda choices, required, call_class, asked: (Case(name), None)
        )
    can_be_invalid = tuple(
        name
        for name, slot in plan.slots.items()
        if slot.name not in {"like", "subok", "device"}
        for _ in range(1 + slot.required)  # required arguments are invalid more often
    )

    def draw(
        choices: Choices, required: frozenset[str], call_class: str, asked: Pair
    ) -> tuple[Case, PlantedFault | None]:
        if call_class == INVALID and can_be_invalid:
            return _draw_invalid(choices, plan, can_be_invalid)
        is_hostile = call_class == HOSTILE and not name.startswith("random.")  # a random size would be as large
        case = Draft(choices, plan, "", required, asked=asked, hostile=is_hostile).case()
        return (_wild(choices, case, plan) if is_hostile and choices.flag() else case), None

    return draw


def _draw_invalid(choices: Choices, plan: Plan, can_be_invalid: Sequence[str]) -> tuple[Case, PlantedFault | None]:
    """Draw a call with a planted fault: one of an argument, or an argument is missing."""
    for _ in range(ATTEMPTS):
        draft = Draft(choices, plan, choices.pick(can_be_invalid))
        try:
            case = draft.case()
        except NoFittingArguments:
            continue
        if draft.fault is not None:
            return case, draft.fault
    case = Draft(choices, plan).case()
    first = int(case.name.startswith("ndarray."))  # the object whose method is called is there
    required = [slot.name for slot in plan.slots.values() if slot.required and slot.way not in VARIADIC]
    missing = len(case.args) - 1
    if missing < first or missing != len(required) - 1 or isinstance(case.args[missing], Case):
        return case, None
    return Case(case.name, case.args[:-1], case.kwargs), PlantedFault(required[missing], COUNT)


def plan_of(name: str, function: Callable[..., Any], line: Mapping[str, Strategy]) -> Plan:
    """Return the plan for a function, from NumPy's signature and the strategies in `line`."""
    parameters = inspect_signature(SIGNATURES.get(name) or function).parameters.values()
    slots = [
        Slot(one.name, _way_of(one), one.default, line.get(one.name) or strategy_for(one))
        for one in parameters
        if one.kind not in VARIADIC or one.name in line or one.name == "arys"
    ]
    stored = find_stored_signature(name)  # a parameter of a newer NumPy than the installed one is no mistake
    unknown = line.keys() - {slot.name for slot in slots} - (stored.parameters.keys() if stored else set())
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
    parameters = inspect_signature(method).parameters
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
    odd = draw_nonsense(choices, slot is None or slot.takes_data)
    if index < len(given):
        return Case(case.name, (*case.args[:index], odd, *case.args[index + 1 :]), case.kwargs)
    return Case(case.name, case.args, {**case.kwargs, named[index - len(given)]: odd})
