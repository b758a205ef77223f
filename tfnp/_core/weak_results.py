"""What functions of weak operands give: weak results in the modes `all` and `safe`; in others all costs one frame."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any, Final, ParamSpec, TypeVar

import numpy as np
import tensorflow as tf

from tfnp._core import dtypes, weakness

P = ParamSpec("P")
R = TypeVar("R")

OPERANDS: Final = frozenset((
    "A", "B", "C", "a", "a1", "a2", "a_max", "a_min", "append", "ar", "ar1", "ar2", "arr", "array", "arrays", "ary",
    "arys", "b", "c", "choicelist", "choices", "default", "f", "fp", "m", "max", "min", "object", "operands", "p",
    "p1", "p2", "prepend", "prototype", "seq_of_zeros", "start", "start_or_stop", "step", "stop", "to_begin",
    "to_end", "tup", "u", "v", "val", "values", "varargs", "w", "weights", "x", "x1", "x2", "xi", "xp", "y", "z",
))  # fmt: skip
"""The names of parameters whose dtypes decide that of the result: not indices, axes, shapes and counts."""


def weakly(function: Callable[P, R]) -> Callable[P, R]:
    """Around a function that gives its operands' numbers, or what is calculated of them: results are weak where every
    operand is, and no dtype is asked for.
    """
    signature = inspect.signature(function)

    @functools.wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        result = function(*args, **kwargs)
        if dtypes.promotion.weakens and _are_weak(signature.bind(*args, **kwargs).arguments):
            _weaken(result)
        return result

    return call


def _are_weak(arguments: dict[str, Any]) -> bool:
    if arguments.get("dtype") is not None:
        return False
    operands = [value for name, value in arguments.items() if name in OPERANDS]
    return any(map(_has_weak, operands)) and not any(map(_has_strong, operands))


def _has_weak(value: Any) -> bool:
    if isinstance(value, list | tuple):
        return any(map(_has_weak, value))
    return weakness.is_weak(value) if isinstance(value, tf.Tensor) else type(value) in (int, float, complex, range)


def _has_strong(value: Any) -> bool:
    """Truths are no hindrance: they are below all numbers."""
    if isinstance(value, list | tuple):
        return any(map(_has_strong, value))
    if isinstance(value, tf.Tensor | tf.Variable):
        return value.dtype != tf.bool and (isinstance(value, tf.Variable) or not weakness.is_weak(value))
    return isinstance(value, np.ndarray | np.generic) and value.dtype != np.bool_


def _weaken(result: Any) -> None:
    """Mark the tensors of a result, which is nobody else's."""
    if isinstance(result, list | tuple):
        for part in result:
            _weaken(part)
    elif isinstance(result, tf.Tensor):
        weakness.weaken(result)
