"""Parameters that a subject's functions lack, read from their signatures, so that no call has to fail for each."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from inspect import Parameter
from typing import Any

from fuzz.generate.calls import draw_case
from fuzz.generate.choices import SeedChoices
from fuzz.generate.signatures import by_keyword, given, parameters_in, parameters_of
from fuzz.shrink.shrinker import reduce_case
from fuzz.sightings import SIGNATURE, drop_parameters, find_parameter
from fuzz.triage.ledger import Finding
from oracle import Case, Subject, run_numpy, ufunc_inputs

ATTEMPTS = 16  # structures to draw for a call that gives a parameter
BUDGET = 60  # candidates of a reduction that runs only NumPy

BY_NAME = (Parameter.POSITIONAL_OR_KEYWORD, Parameter.KEYWORD_ONLY)
POSITIONAL = (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)


def find_missing(subject: Subject, names: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Return the parameters of NumPy's that each of these functions of the subject lacks, in NumPy's order.

    A decorator may hide a function's real signature. A parameter counts as missing only if a call with that keyword
    alone fails as Python's argument binding does, before any code of the function runs.
    """
    found = {name: list_missing(name, subject.find(name)) for name in names if subject.has(name)}
    return {name: parameters for name, parameters in found.items() if parameters}


def add_lacking(
    missing: Mapping[str, tuple[str, ...]], names: Sequence[str], lacking: Collection[str]
) -> dict[str, tuple[str, ...]]:
    """Return the missing parameters, with those that a subject declares as lacking, as far as NumPy's functions have
    them.
    """
    found = dict(missing)
    for name in names:
        declared = list(parameters_of(name))
        own = [key for key in declared if key in lacking and key not in found.get(name, ())]
        positions = [
            i for i, key in enumerate(declared) if key in lacking and parameters_of(name)[key].kind in POSITIONAL
        ]
        count = ufunc_inputs(name)
        if "out" in lacking and count is not None:
            positions.append(count)
        first = min(positions, default=0)
        after = [f"after {first}"] if first else []
        if own or after:
            found[name] = (*found.get(name, ()), *own, *after)
    return found


def list_missing(name: str, function: Any) -> tuple[str, ...]:
    """Return the parameters of NumPy's function that `function` does not take by keyword."""
    own = parameters_in(function)
    if not own or any(one.kind is Parameter.VAR_KEYWORD for one in own):
        return ()
    taken = {one.name for one in own if one.kind in BY_NAME}
    lacking = (key for key, one in parameters_of(name).items() if one.kind in BY_NAME and key not in taken)
    return tuple(key for key in lacking if _refuses(function, key))


def find_surplus(name: str, function: Any) -> tuple[str, ...]:
    """Return ("after N",), as `find_parameter` words it, if a function takes only N positional arguments and NumPy's
    takes more.
    """
    own, expected = parameters_in(function), parameters_of(name).values()
    if not own or any(one.kind is Parameter.VAR_POSITIONAL for one in own):
        return ()
    count = sum(one.kind in POSITIONAL for one in own)
    return (f"after {count}",) if count < sum(one.kind in POSITIONAL for one in expected) else ()


def _refuses(function: Callable[..., Any], parameter: str) -> bool:
    try:
        function(**{parameter: None})
    except Exception as error:  # noqa: BLE001 - a subject may raise whatever it likes
        return isinstance(error, TypeError) and find_parameter(str(error)) == parameter
    return False


def draw_call(name: str, parameter: str, missing: Collection[str], reduced: bool = True) -> Case | None:
    """Draw a short call that NumPy accepts, and that gives the parameter by keyword and no other missing one.

    Only NumPy is called, so that the call is the same for every subject. None if no call is found.
    """
    others = frozenset(missing) - {parameter}

    def shows(case: Case) -> bool:
        return parameter in case.kwargs and not others & given(case) and run_numpy(case).ok

    for attempt in range(ATTEMPTS):
        case = by_keyword(draw_case(SeedChoices(attempt), name, frozenset({parameter})))
        case = drop_parameters(case, others)
        if shows(case):
            return reduce_case(case, shows, BUDGET) if reduced else case
    return None


def make_finding(name: str, parameter: str, modes: tuple[str, ...], case: Case) -> Finding:
    """Return the finding that a signature lacks a parameter, with a call that shows it in every mode."""
    detail = f"TypeError: {name.rpartition('.')[2]}() got an unexpected keyword argument '{parameter}'"
    return Finding(name, SIGNATURE, modes, "any", detail, case)
