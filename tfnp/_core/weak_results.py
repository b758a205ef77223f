"""Weak tensors among the operands of a function, in the modes `all` and `safe`: brought to the kind in which all
operands meet, they may lose their mark inside; what comes out gets it again if that kind is weak. In other modes all
of this costs one frame.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterator
from typing import Any, Final, ParamSpec, TypeVar

import numpy as np
import tensorflow as tf

from tfnp._core import convert, dtypes, weakness
from tfnp._core.lattice import WeakKind
from tfnp._core.tensor_conversion import is_tensor

P = ParamSpec("P")
R = TypeVar("R")

OPERANDS: Final = frozenset((
    "A", "B", "C", "a", "a1", "a2", "a_max", "a_min", "append", "ar", "ar1", "ar2", "arr", "array", "arrays", "ary",
    "b", "c", "c1", "c2", "choicelist", "choices", "default", "f", "fp", "m", "max", "min", "object", "operands",
    "p", "p1", "p2", "period", "pol", "prepend", "prototype", "roots", "seq_of_zeros", "start", "start_or_stop",
    "step", "stop", "to_begin", "to_end", "tup", "u", "v", "val", "values", "varargs", "w", "weights", "x", "x1",
    "x2", "xp", "y", "z",
))  # fmt: skip
"""The names of parameters whose dtypes decide that of the result: not indices, axes, shapes and counts."""


def weakly(function: Callable[P, R]) -> Callable[P, R]:
    """Around a function that gives its operands' numbers, or what is calculated of them: results are weak where the
    operands meet in a weak kind, and no dtype is asked for.
    """
    return _door(function, _operands(function), marks=True)


def as_they_meet(function: Callable[P, R]) -> Callable[P, R]:
    """Around a function whose operands meet, but which gives truths, counts or places."""
    return _door(function, _operands(function), marks=False)


def apart(function: Callable[P, R]) -> Callable[P, R]:
    """Around a function whose operands do not meet: what it mixes them with is its own affair."""
    return _door(function, frozenset(), marks=False)


def _operands(function: Callable[..., Any]) -> frozenset[str]:
    names = OPERANDS & inspect.signature(function).parameters.keys()
    return names - {"a"} if "choices" in names else names  # of choices, `a` says which


def _door(function: Callable[P, R], names: frozenset[str], marks: bool) -> Callable[P, R]:
    signature = inspect.signature(function)

    @functools.wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        if not dtypes.promotion.weakens:
            return function(*args, **kwargs)
        given = signature.bind(*args, **kwargs)
        is_free = given.arguments.get("dtype") is None
        operands = {name: value for name, value in given.arguments.items() if name in names and is_free}
        meeting = _meeting(list(operands.values())) if operands else None
        if meeting is not None:
            given.arguments.update({name: _brought(value, meeting) for name, value in operands.items()})
        result = dtypes.call_checked(function, given.args, given.kwargs)
        if marks and isinstance(meeting, WeakKind):
            _weaken(result)
        return result

    return call


def weakly_each(function: Callable[P, R]) -> Callable[P, R]:
    """Around a function that gives each of its operands in another shape: each is as weak as it was."""

    @functools.wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        results = function(*args, **kwargs)
        if dtypes.promotion.weakens:
            parts = results if isinstance(results, list | tuple) else [results]
            for operand, part in zip(args, parts, strict=False):
                if isinstance(_meeting(operand), WeakKind):
                    weakness.weaken(part)
        return results

    return call


def _meeting(operands: Any) -> Any:
    """The kind in which the operands meet; None where there are none, or dtypes that meet no others."""
    kinds = tuple(dict.fromkeys(_kinds(operands)))
    try:
        return dtypes.meeting(kinds) if kinds else None
    except KeyError:
        return None


def _kinds(value: Any) -> Iterator[Any]:
    """The kinds of the numbers in an operand, however deep in lists."""
    if isinstance(value, list | tuple):
        for item in value:
            yield from _kinds(item)
        if not value:
            yield float
    elif is_tensor(value) or isinstance(value, np.ndarray | np.generic):
        yield dtypes.kind_of(value)
    elif type(value) in (*dtypes.PYTHON_SCALARS, range):
        yield int if type(value) is range else type(value)


def _brought(value: Any, kind: Any) -> Any:
    """The operand, each weak tensor in it of this kind."""
    if type(value) in (list, tuple):
        return type(value)(_brought(item, kind) for item in value)
    if not isinstance(value, tf.Tensor) or not weakness.is_weak(value):
        return value
    if isinstance(kind, WeakKind):
        return weakness.weaken(convert.cast(value, dtypes.as_dtype(kind.dtype)))
    return weakness.strengthen(convert.cast(value, dtypes.as_dtype(kind)))


def _weaken(result: Any) -> None:
    """Mark the tensors of a result, which is nobody else's."""
    if isinstance(result, list | tuple):
        for part in result:
            _weaken(part)
    elif isinstance(result, tf.Tensor):
        weakness.weaken(result)
