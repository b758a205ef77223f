"""Rows of faults of one shape: an argument that means something else, a result that is spoiled, a call that should have
been rejected.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from fuzz.mutants.arrays import is_number, kind_of
from fuzz.mutants.model import FAULTS, Call, Fault
from oracle import Case

MISSING_ERROR, SPURIOUS_ERROR = "missing error", "spurious error"
Change = Callable[[Any, Call], Any]
Condition = Callable[[Call], bool]


class Dropped:
    """What stands for an argument that is ignored."""


def changes(
    name: str,
    target: str,
    kind: str,
    *args: Any,
    to: Mapping[str, Any],
    when: Condition | None = None,
    keywords: Mapping[str, Any] | None = None,
    **options: Any,
) -> None:
    """Plant a fault by which arguments are taken for others. `args` and `keywords` are those of the witness.

    `to` gives the other value of each parameter, or a function that makes it of the value that is given and the call;
    nothing changes where that function returns the value itself, or fails. A parameter that is not given stays so,
    unless its other value is fixed.
    """
    spoil = partial(_change, to=to, when=when, kind=kind)
    _enter(name, target, kind, Case(target, args, dict(keywords or {})), spoil, options)


def ignores(
    name: str,
    target: str,
    kind: str,
    parameter: str,
    *args: Any,
    when: Condition | None = None,
    keywords: Mapping[str, Any] | None = None,
    **options: Any,
) -> None:
    """Plant a fault by which a parameter is ignored, under a condition."""
    changes(name, target, kind, *args, to={parameter: Dropped}, when=when, keywords=keywords, **options)


def spoils(
    name: str,
    target: str,
    kind: str,
    *args: Any,
    by: Callable[[Any, Any, Call], Any],
    when: Callable[[Any, Call], Any] | None = None,
    keywords: Mapping[str, Any] | None = None,
    **options: Any,
) -> None:
    """Plant a fault by which a result is spoiled: `by` makes it of the namespace, the right result and the call. `when`
    tells, of the right result and the call, whether it does.
    """
    _enter(name, target, kind, Case(target, args, dict(keywords or {})), partial(_spoil, by=by, when=when), options)


def accepts(
    name: str, target: str, *args: Any, error: str, to: Mapping[str, Any], keywords: Mapping[str, Any] | None = None
) -> None:
    """Plant a fault by which a call whose error says `error` is answered as one with other arguments, see `changes`."""
    spoil = partial(_accept, error=error, to=to)
    witness = Case(target, args, dict(keywords or {}))
    _enter(name, target, MISSING_ERROR, witness, spoil, {"modes": ("eager",)})


def _enter(
    name: str, target: str, kind: str, witness: Case, spoil: Callable[[Call], Any], options: Mapping[str, Any]
) -> None:
    assert name not in FAULTS, f"two faults {name}"
    text = name.replace("_", " ")
    FAULTS[name] = Fault(name, target, kind, spoil, witness, text=text, **options)


def _change(call: Call, to: Mapping[str, Any], when: Condition | None, kind: str) -> Any:
    if when is not None and not when(call):
        return call()
    arguments = _arguments(call, to)
    if kind == SPURIOUS_ERROR and arguments is not None:
        call()  # what NumPy rejects is no fault
        return call.replaced(arguments)
    return call.answer(arguments, acts_once=kind == MISSING_ERROR)


def _spoil(call: Call, by: Callable[[Any, Any, Call], Any], when: Callable[[Any, Call], Any] | None) -> Any:
    exact = call()
    return by(call.np, exact, call) if when is None or when(exact, call) else exact


def _accept(call: Call, error: str, to: Mapping[str, Any]) -> Any:
    try:
        return call()
    except Exception as raised:
        arguments = _arguments(call, to) if error in str(raised) else None
        if arguments is None:
            raise
        return call.replaced(arguments)


def _arguments(call: Call, to: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return the arguments of the wrong call; None where nothing changes."""
    arguments = dict(call.arguments)
    is_changed = False
    for name, other in to.items():
        owner = arguments if name in arguments or not callable(other) else arguments.get("kwargs", {})
        if other is Dropped or callable(other):
            if name not in owner:
                continue
            owner = arguments if owner is arguments else arguments.setdefault("kwargs", dict(owner))
        if other is Dropped:
            del owner[name]
        elif callable(other):
            try:
                value = other(owner[name], call)
            except (TypeError, ValueError, IndexError, AttributeError):
                return None
            if value is owner[name]:
                continue
            owner[name] = value
        else:
            owner[name] = other
        is_changed = True
    return arguments if is_changed else None


# Changes of values of a sort; others stay as they are.


def numbers(change: Callable[[Any], Any]) -> Change:
    """Return the change for Python numbers above zero."""
    return lambda value, _: change(value) if is_number(value) and value > 0 else value


def negatives(change: Callable[[Any], Any]) -> Change:
    """Return the change for integers below zero."""
    return lambda value, _: change(value) if type(value) is int and value < 0 else value


def several(change: Callable[[Any], Any]) -> Change:
    """Return the change for tuples and lists of more than one element."""
    return lambda value, _: change(value) if isinstance(value, tuple | list) and len(value) > 1 else value


def instead(value: Any, other: Any) -> Change:
    """Return the change of one value to another."""
    return lambda given, _: other if type(given) is type(value) and given == value else given


def first(values: Sequence[Any]) -> Any:
    return values[0]


def reverse(values: Sequence[Any]) -> Any:
    return values[::-1]


def sort(values: Sequence[Any]) -> Any:
    return sorted(values) if isinstance(values, list) else tuple(sorted(values))


# Conditions.


def is_complex(call: Call) -> bool:
    return kind_of(call.first) == "c"


def has(parameter: str) -> Condition:
    """Return whether a parameter is given, and not None."""
    return lambda call: call.given(parameter) is not None
