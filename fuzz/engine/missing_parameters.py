"""Parameters that are never given to a subject's functions, read from their signatures, or found out by calls.

Those that a signature lacks are findings, so that no call has to fail for each; see `find_missing`. Others may mean
something else to the function, or nothing; see `find_withheld`.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from inspect import Parameter
from typing import Any

from fuzz.differences import SIGNATURE, drop_parameters, find_parameter
from fuzz.engine.parameter_trials import Trials
from fuzz.generate.array_likes import ONLY_ARRAYS, list_array_likes
from fuzz.generate.calls import draw_case
from fuzz.generate.choices import SeedChoices
from fuzz.generate.signatures import (
    BY_NAME,
    POSITIONAL,
    by_keyword,
    parameters_in,
    parameters_of,
    tells_signature,
)
from fuzz.shrink.shrinker import reduce_case
from fuzz.triage.ledger import Finding
from oracle import Case, Subject, run_numpy
from oracle.harness import PREFIX, topic_of, ufunc_inputs

ATTEMPTS = 16  # structures to draw for a call that gives a parameter
SAMPLED = 12  # functions that are tried with numbers for arrays, at most
BUDGET = 60  # candidates of a reduction that runs only NumPy

UFUNC_OPTIONS = ("where", "casting", "order", "dtype", "subok", "signature")
CARRIED = {
    "pad": ("stat_length", "constant_values", "end_values", "reflect_type"),
    "reduce": ("keepdims", "initial", "where"),
    "outer": ("out", *UFUNC_OPTIONS),
}
"""What NumPy's functions, and methods of its ufuncs, take by `**kwargs` and their signatures do not name: these, or
options of ufuncs.
"""

_DOCUMENTED = re.compile(
    r"[`*]{1,2}(\w+)[`*]{1,2}"  # `name`, *name*
    r"|\b(\w+)="  # name=value
    r"|^[ \t]*(\w+(?:, *\w+)*)[ \t]*[:(]"  # name : type, or name (type), at the beginning of a line
    r"|:param (?:\w+ )?(\w+):",
    re.MULTILINE,
)
"""How docstrings write the name of a parameter."""


ByName = dict[str, tuple[str, ...]]
"""Parameters by the name of the function."""


def inspect_parameters(subject: Subject, names: Sequence[str], tries: bool = True) -> tuple[ByName, ByName]:
    """Return the parameters that these functions of the subject lack, with those that its adapter declares, and those
    that are withheld from them.

    With `tries`, functions whose signatures do not tell are called: see `find_missing`.
    """
    names = [name for name in names if not name.startswith(PREFIX)]  # those of ops are not NumPy's
    missing = find_missing(subject, names, tries)
    if subject.adapter is not None:
        missing = add_lacking(missing, names, subject.adapter.lacks)
    withheld = find_withheld(subject, names, missing)
    if tries and subject.is_inferred:
        withheld = join_parameters(withheld, find_only_arrays(subject, names))
    return missing, withheld


def find_only_arrays(subject: Subject, names: Sequence[str]) -> ByName:
    """Return ONLY_ARRAYS for each of these functions with array_like parameters, if the subject takes no numbers and
    lists for arrays: if most of some functions do not. Functions that make arrays of them are left out.
    """
    asked = [name for name in names if list_array_likes(name) and topic_of(name) != "Array creation"]
    trials = (Trials(subject, name).takes_only_arrays() for name in asked[:: len(asked) // SAMPLED + 1])
    answers = [answer for answer in trials if answer is not None]
    takes_only = 2 * sum(answers) > len(answers)
    return {name: (ONLY_ARRAYS,) for name in asked if takes_only}


def join_parameters(*parts: Mapping[str, Sequence[str]]) -> ByName:
    """Return the parameters of all parts together."""
    names = dict.fromkeys(name for part in parts for name in part)
    return {name: tuple(dict.fromkeys(key for part in parts for key in part.get(name, ()))) for name in names}


def find_missing(subject: Subject, names: Sequence[str], tries: bool = True) -> dict[str, tuple[str, ...]]:
    """Return the parameters of NumPy's that each of these functions of the subject lacks, in NumPy's order.

    A decorator may hide a function's real signature. A parameter counts as missing only if a call with that keyword
    alone fails as Python's argument binding does, before any code of the function runs. A function without a signature
    lacks what its docstring does not name in its first line; with `tries`, that and what it says nothing of is found
    out by calls. So it is for one that takes `**kwargs`. Methods of arrays are not called.
    """
    found = {}
    for name in names:
        if subject.has(name):
            is_tried = tries and not name.startswith("ndarray.")
            found[name] = list_missing(name, subject.find(name), subject if is_tried else None)
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


def list_missing(name: str, function: Any, subject: Subject | None = None) -> tuple[str, ...]:
    """Return the parameters of NumPy's function that `function` does not take by keyword. If its signature does not
    tell, the function of this name of the subject is called.
    """
    own = parameters_in(function)
    taken = {one.name for one in own if one.kind in BY_NAME}
    lacking = [key for key, one in parameters_of(name).items() if one.kind in BY_NAME and key not in taken]
    tells_all = bool(own) and all(one.kind is not Parameter.VAR_KEYWORD for one in own)
    if not lacking or not callable(function):
        return ()
    if tells_all and tells_signature(function):
        return tuple(key for key in lacking if _refuses(function, key))
    trials = Trials(subject, name) if subject is not None else None
    answers = {key: trials.lacks(key) if trials is not None else None for key in lacking}
    return tuple(key for key in lacking if (answers[key] is not False if tells_all else answers[key]))


def find_withheld(
    subject: Subject, names: Sequence[str], missing: Mapping[str, Sequence[str]]
) -> dict[str, tuple[str, ...]]:
    """Return what else is not given to each of these functions of the subject: see `list_withheld`.

    Methods of arrays are left out: they are looked up in each call, and have no signature here.
    """
    found = {
        name: list_withheld(name, subject.find(name), missing.get(name, ()))
        for name in names
        if subject.has(name) and not name.startswith("ndarray.")
    }
    return {name: parameters for name, parameters in found.items() if parameters}


def list_withheld(name: str, function: Any, missing: Collection[str] = ()) -> tuple[str, ...]:
    """Return the parameters that a function takes by `*args` or `**kwargs` and does not document; and ("after N",), as
    `find_parameter` words it, if an argument after the N-th would be taken for another parameter than NumPy's.

    A parameter is documented if the signature names it, or if the docstring does, as a parameter: `name`, *name*,
    name=, "name :". A function with the parameters of NumPy's signature takes what NumPy's takes; so does one of which
    neither says anything, as of a wrapper `def wrapped(*args, **kwargs)`.
    """
    own, expected = parameters_in(function), parameters_of(name)
    if not own or [one.name for one in own] == list(expected) or _says_nothing(own, expected, function):
        return ()
    undocumented = _list_undocumented(own, expected, name, function)
    return (*undocumented, *_limit_positions(own, expected, {*missing, *undocumented}))


def _says_nothing(own: Sequence[Parameter], expected: Mapping[str, Parameter], function: Any) -> bool:
    """Return whether a function takes anything at all, and documents none of NumPy's parameters."""
    kinds = {one.kind for one in own}
    takes_anything = kinds == {Parameter.VAR_POSITIONAL, Parameter.VAR_KEYWORD}
    return takes_anything and _read_documented(function).isdisjoint(expected)


def _list_undocumented(
    own: Sequence[Parameter], expected: Mapping[str, Parameter], name: str, function: Any
) -> tuple[str, ...]:
    kinds = {one.kind for one in own}
    keys = [key for key, one in expected.items() if one.kind in BY_NAME] if Parameter.VAR_KEYWORD in kinds else []
    if any(one.kind is Parameter.VAR_KEYWORD for one in expected.values()):
        keys += CARRIED.get(name.rpartition(".")[2], UFUNC_OPTIONS)
    named = {one.name for one in own}
    if Parameter.VAR_KEYWORD in kinds:
        named |= _read_documented(function)
    return tuple(key for key in dict.fromkeys(keys) if key not in named)


def _read_documented(function: Any) -> set[str]:
    """Return the names of parameters in a function's docstring."""
    groups = _DOCUMENTED.findall(inspect.getdoc(function) or "")
    return {name for group in groups for text in group for name in re.split(r", *", text) if name}


def _limit_positions(
    own: Sequence[Parameter], expected: Mapping[str, Parameter], never: Collection[str]
) -> tuple[str, ...]:
    """Return ("after N",) if the next argument by position would be one that the function lacks, or another one.

    A parameter without a default may have another name than NumPy's.
    """
    mine = [one for one in own if one.kind in POSITIONAL]
    names = {one.name for one in own}
    standard = [one for one in expected.values() if one.kind in POSITIONAL]
    for index, one in enumerate(standard):
        if one.kind is Parameter.POSITIONAL_ONLY and one.default is Parameter.empty:
            continue
        if index >= len(mine):
            agrees = one.name not in never
        else:
            other = mine[index]
            is_renamed = other.default is Parameter.empty and other.name not in expected and one.name not in names
            agrees = other.name == one.name or is_renamed
        if not agrees:
            return (f"after {index}",)
    return (f"after {len(standard)}",) if never else ()


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
        return parameter in case.kwargs and not others & case.kwargs.keys() and run_numpy(case).ok

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
