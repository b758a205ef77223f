"""Parameters of NumPy's functions: which of them a call gives, and whether another function has the same."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Callable, Mapping
from functools import cache
from inspect import Parameter
from operator import attrgetter
from typing import Any

import numpy as np

from oracle import Case
from oracle.harness import NAMES, PROGRAM, inspect_signature, quote

POSITIONAL = (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)
BY_NAME = (Parameter.POSITIONAL_OR_KEYWORD, Parameter.KEYWORD_ONLY)

_NAMES = frozenset(NAMES)

SIGNATURES: dict[str, Callable[..., Any]] = {
    "fromstring": lambda string, dtype=float, count=-1, *, sep, like=None: None,
    "where": lambda condition, x=np._NoValue, y=np._NoValue, /: None,
    "ndarray.fill": lambda self, value, /: None,
    **dict.fromkeys(
        ("ndarray.all", "ndarray.any"), lambda self, /, axis=None, *, out=None, keepdims=False, where=True: None
    ),
    **dict.fromkeys(("unique_all", "unique_counts", "unique_inverse", "unique_values"), lambda x, /: None),
    PROGRAM: lambda *results: None,
}
"""What stands for functions that tell no signature, or another than the one by which they can be called."""


def find_object(name: str) -> Any:
    """Return the object of a name of NumPy's. Raises ValueError for a name that the inventory lacks: it may come from a
    file, and looking it up might import a module.
    """
    if name not in _NAMES:
        raise ValueError(f"{quote(name)} is none of NumPy's names")
    return attrgetter(name)(np)


def find_callable(name: str) -> Any:
    """Return the object that has the signature of a name of NumPy's. Raises ValueError for a name that the inventory
    lacks.
    """
    return SIGNATURES[name] if name in SIGNATURES else find_object(name)


def signature_of(name: str) -> inspect.Signature:
    """Return NumPy's signature for a name. Raises ValueError or TypeError if there is none."""
    return inspect_signature(find_callable(name))


@cache
def parameters_of(name: str) -> Mapping[str, Parameter]:
    """Return the parameters by name, with variadic ones. Empty for anything but a function. Parameters that NumPy
    rejects in every call are left out.
    """
    try:
        found = signature_of(name).parameters
    except (ValueError, TypeError):
        return {}
    return {key: parameter for key, parameter in found.items() if key not in _rejected(name)}


def by_keyword(case: Case) -> Case:
    """Return the call with every argument by keyword that NumPy takes so, except a method's `self`."""
    parameters = parameters_of(case.name).values()
    positional = [one for one in parameters if one.kind in POSITIONAL]
    if len(case.args) > len(positional):
        return case
    count = sum(one.kind is Parameter.POSITIONAL_ONLY or one.name == "self" for one in positional)
    named = {one.name: value for one, value in zip(positional[count:], case.args[count:], strict=False)}
    return case if named.keys() & case.kwargs.keys() else Case(case.name, case.args[:count], {**named, **case.kwargs})


def _rejected(name: str) -> tuple[str, ...]:
    owner, _, method = name.rpartition(".")
    ufunc = getattr(np, owner if method == "at" else name, None)
    if not isinstance(ufunc, np.ufunc):
        return ()
    if method == "at":
        return ("b",) if ufunc.nin == 1 else ()
    is_matrix = ufunc.signature is not None and len(set(re.findall(r"\w+", ufunc.signature))) > 1
    return ("axis", "keepdims") if is_matrix else ()


def given(case: Case) -> frozenset[str]:
    """Return the parameters that a call gives, by position or by keyword."""
    positional = _of_kinds(case.name, *POSITIONAL)
    names = {*positional[: len(case.args)]}
    if len(case.args) > len(positional):
        names.update(_of_kinds(case.name, Parameter.VAR_POSITIONAL))
    for key in case.kwargs:
        names.update((key,) if key in parameters_of(case.name) else _of_kinds(case.name, Parameter.VAR_KEYWORD))
    return frozenset(names)


@cache
def _of_kinds(name: str, *kinds: object) -> tuple[str, ...]:
    return tuple(key for key, parameter in parameters_of(name).items() if parameter.kind in kinds)


def signature_change(expected: Any, actual: Any) -> str | None:
    """Return how a signature differs from NumPy's: "" if it does not, None if NumPy has none."""
    if not callable(expected):
        return None
    try:
        expected_parameters = inspect_signature(expected).parameters.values()
    except (TypeError, ValueError):
        return None
    own = parameters_in(actual)
    if not own:
        return "" if tells_signature(actual) and not expected_parameters else "its signature cannot be told"
    if [parameter.name for parameter in expected_parameters] != [parameter.name for parameter in own]:
        missing = [
            parameter.name for parameter in expected_parameters if parameter.name not in {other.name for other in own}
        ]
        extra = [
            parameter.name for parameter in own if parameter.name not in {other.name for other in expected_parameters}
        ]
        parts = [f"lacks {', '.join(missing)}"] if missing else []
        parts += [f"adds {', '.join(extra)}"] if extra else []
        return "; ".join(parts) or "parameters in another order"
    return next(filter(None, map(_deviation, expected_parameters, own)), "")


def takes_all(expected: Any, actual: Any) -> bool:
    """Return whether a function takes every call that NumPy's signature allows; it may have more keywords, or names for
    what NumPy takes as `**kwargs`.
    """
    expected_parameters = list(inspect_signature(expected).parameters.values())
    names, hides = (
        {one.name for one in expected_parameters},
        any(one.kind is one.VAR_KEYWORD for one in expected_parameters),
    )
    own = [one for one in parameters_in(actual) if one.name in names or not _is_extra(one, hides)]
    if len(own) < len(parameters_in(actual)):
        expected_parameters = [one for one in expected_parameters if one.kind is not one.VAR_KEYWORD]
    return len(own) == len(expected_parameters) and not any(map(_deviation, expected_parameters, own))


def parameters_in(function: Any) -> list[Parameter]:
    """Return a function's parameters, by its signature, or else by the beginning of its docstring; none if neither
    tells them.
    """
    if not callable(function):
        return []
    try:
        return list(inspect_signature(function).parameters.values())
    except (TypeError, ValueError):
        return _read_docstring(function)


def tells_signature(function: Any) -> bool:
    """Return whether a function has a signature, as most that are written in C have none."""
    try:
        inspect_signature(function)
    except (TypeError, ValueError):
        return False
    return True


def _read_docstring(function: Any) -> list[Parameter]:
    """Return the parameters that a docstring names in its first line, as functions written in C have it: "sum(a,
    axis=None)", "sum(a[, axis])" or "sum(double a, int axis=0) -> float". None if it does not begin so.
    """
    text = inspect.cleandoc(str(getattr(function, "__doc__", None) or ""))
    name = getattr(function, "__name__", "")
    begun = re.match(rf"(?:\w+\.)*{re.escape(name)}\((?=[^)])", text) if name else None
    parts = _split_list(text[begun.end() :]) if begun else None
    found: list[Parameter] = []
    kind: Any = Parameter.POSITIONAL_OR_KEYWORD
    depth = 0
    for part in parts or ():
        is_balanced = part.count("[") == part.count("]") and not part.startswith("[")
        written = part if is_balanced else part.strip("[] ")
        before, _, after = part.partition(written) if written else (part, "", "")
        depth += before.count("[") - before.count("]")
        if written == "/":
            found = [one.replace(kind=Parameter.POSITIONAL_ONLY) for one in found]
        elif written == "*":
            kind = Parameter.KEYWORD_ONLY
        elif written:
            parameter = _read_parameter(written, kind, depth > 0)
            if parameter is None:
                return []
            found.append(parameter)
            kind = Parameter.KEYWORD_ONLY if parameter.kind is Parameter.VAR_POSITIONAL else kind
        depth += after.count("[") - after.count("]")
    try:
        return list(inspect.Signature(found).parameters.values())
    except ValueError:  # "arange([start,] stop)" is no order that Python has
        return []


def _split_list(text: str) -> list[str] | None:
    """Return what stands between commas up to the parenthesis that closes the text; None if none does.

    A bracket of an optional parameter, as in "a[, axis[, out]]", stays with what it follows or precedes.
    """
    parts, depth, brackets = [""], 0, 0
    for position, character in enumerate(text):
        if character == ")" and not depth:
            return [part.strip() for part in parts]
        if character == "[" and "=" not in parts[-1] and ":" not in parts[-1]:
            brackets += 1
        elif character == "]" and brackets and not depth:
            brackets -= 1
        elif character in "([{":
            depth += 1
        elif character in ")]}":
            depth -= 1
        if character == "," and not depth:
            parts.append("")
        else:
            parts[-1] += character
        if position > LONGEST_SIGNATURE:
            return None
    return None


def _read_parameter(text: str, kind: Any, is_optional: bool) -> Parameter | None:
    """Return the parameter of a text such as "int axis=0", "axis: int = 0" or "**kwargs"; None if it is none."""
    if text == "...":
        return Parameter("kwargs", Parameter.VAR_KEYWORD)
    found = _DECLARED.fullmatch(text)
    if found is None or not found["name"].isidentifier():
        return None
    if found["stars"]:
        return Parameter(found["name"], Parameter.VAR_KEYWORD if found["stars"] == "**" else Parameter.VAR_POSITIONAL)
    default = None if is_optional else Parameter.empty
    return Parameter(found["name"], kind, default=default if found["default"] is None else _read(found["default"]))


def _read(default: str) -> Any:
    try:
        return ast.literal_eval(default.strip())
    except (SyntaxError, ValueError):
        return default.strip()


_DECLARED = re.compile(
    r"(?P<stars>\*{0,2})(?:[\w.]+(?:\[[^\]]*\])?\s+\**)?(?P<name>\w+)\s*(?::[^=]*)?(?:=(?P<default>.*))?", re.DOTALL
)
"""A parameter in a docstring, with the type that Cython writes before it or pybind11 after it."""
LONGEST_SIGNATURE = 2000  # characters


def _is_extra(parameter: Parameter, by_position: bool) -> bool:
    kinds = (parameter.KEYWORD_ONLY, *((parameter.POSITIONAL_OR_KEYWORD,) if by_position else ()))
    return parameter.kind in kinds and parameter.default is not Parameter.empty


def _deviation(left: Parameter, right: Parameter) -> str:
    if left.name != right.name:
        return f"{right.name}, not {left.name}"
    if left.kind is not right.kind:
        return f"{left.name} is {right.kind.description}, not {left.kind.description}"
    if not _same_default(left.default, right.default):
        return f"{left.name} defaults to {_typed(right.default)}, not {_typed(left.default)}"
    return ""


def _same_default(left: Any, right: Any) -> bool:
    if left is right or repr(left) == repr(right):
        return True
    try:
        return type(left) is type(right) and bool(left == right)
    except (TypeError, ValueError):
        return False


def _typed(default: Any) -> str:
    return "nothing" if default is Parameter.empty else repr(default)
