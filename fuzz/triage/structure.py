"""The structure of a case: what the call gives that a bug may need to show, whatever the numbers."""

from __future__ import annotations

import math
from collections.abc import Iterator
from inspect import Parameter
from typing import Any

import numpy as np

from fuzz.generate.argument_classes import array_classes
from fuzz.generate.signatures import POSITIONAL, parameters_of
from oracle import Case
from oracle.harness import GRADIENT, find_op, is_of_ops

TRAITS = frozenset(("empty", "nan", "infinity", "-infinity", "negative zero", "subnormal", "large"))
TRAITS |= {"not contiguous", "negative strides", "read-only", "byte-swapped"}
TRAITS_OF_ONE = frozenset(("negative", "fractional"))
"""Classes of an operand that a minimal case has only if the bug needs them, the latter of one number: where any will
do, it is 0, 1 or 2. Which of several numbers is negative may depend on the others.
"""

RANKS = (1, 2)
SIZES = (8, 64, 1000)
"""An array of more dimensions, or elements, is a feature: "rank over 1", "over 8 elements"."""


def outline_case(case: Case) -> str:
    """Return the structure in a line: "axis=number, empty, rank over 1" for `np.sum(np.empty((0, 2)), axis=1)`; of a
    program of ops, their chain: "math.less > math.logical_not".
    """
    if is_of_ops(case):
        ops = [find_op(call) for call in case.calls() if call.name != GRADIENT]
        return f"{'gradient of ' if case.name == GRADIENT else ''}{' > '.join(ops)}"
    return ", ".join(sorted(list_features(case)))


def list_features(case: Case) -> frozenset[str]:
    """Return the features of a call: the optional parameters that it gives, the functions of nested calls, and what is
    special about the operands; of a program of ops, the ops. A bug that a minimal case shows needs its features, and no
    more.
    """
    if is_of_ops(case):
        return frozenset(call.name for call in case.calls())
    features: set[str] = set()
    calls = case.calls()
    for call in calls:
        own, optional = _split_arguments(call)
        features.update(f"{key}={_classify(value)}" for key, value in optional)
        for operand in own:
            features.update(_list_traits(operand))
        if own and isinstance(own[0], bool | int | complex):
            features.add(type(own[0]).__name__)
    if len(calls) > 1:
        features.update(f"{call.name}()" for call in calls)
    return frozenset(features)


def _split_arguments(call: Case) -> tuple[list[Any], list[tuple[str, Any]]]:
    """Return the required arguments, and the optional ones with their parameters, other than their defaults."""
    parameters = parameters_of(call.name)
    positional = [one for one in parameters.values() if one.kind in POSITIONAL]
    given = [(one.name, value) for one, value in zip(positional, call.args, strict=False)]
    required, optional = list(call.args[len(positional) :]), []
    for key, value in (*given, *call.kwargs.items()):
        default = parameters[key].default if key in parameters else None
        if default is Parameter.empty:
            required.append(value)
        elif isinstance(default, bool):
            optional += [(key, not default)] if value is not default else []
        elif not _is_default(value, default):
            optional.append((key, value))
    return required, optional


def _is_default(value: Any, default: Any) -> bool:
    """Return whether an optional argument is what its parameter has without it. Arrays, also within tuples, never are:
    they have no single truth value.
    """
    if value is None and default is np._NoValue:
        return True
    if type(value) is not type(default) or isinstance(value, np.ndarray):
        return False
    if isinstance(value, list | tuple):
        return len(value) == len(default) and all(map(_is_default, value, default))
    return bool(value == default)


def _classify(value: Any) -> str:
    """Return the class of an option: flags and words stand for themselves, -1 is "negative"."""
    if value is None or isinstance(value, bool | str):
        return repr(value)
    if isinstance(value, list | tuple):
        return f"({', '.join(map(_classify, value[:3]))}{', ...' if len(value) > 3 else ''})"
    if isinstance(value, np.ndarray | np.generic) and value.ndim:
        return "array"
    if isinstance(value, int | float | np.integer | np.floating):
        if not math.isfinite(value):
            return repr(float(value))
        return "negative" if value < 0 else "number"
    return "number" if isinstance(value, complex | np.ndarray | np.generic) else type(value).__name__


def _list_traits(operand: Any) -> Iterator[str]:
    if isinstance(operand, list | tuple):
        for item in operand:
            yield from _list_traits(item)
    elif isinstance(operand, np.ndarray | np.generic | int | float | complex):
        array = np.asarray(operand)
        yield from (TRAITS | TRAITS_OF_ONE if array.size == 1 else TRAITS).intersection(array_classes(array))
        yield from (f"rank over {rank}" for rank in RANKS if array.ndim > rank)
        yield from (f"over {size} elements" for size in SIZES if array.size > size)
    elif operand is None or isinstance(operand, str | slice):
        yield type(operand).__name__
