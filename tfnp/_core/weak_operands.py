"""Weak tensors among the operands of a function, in the promotion modes `all` and `safe`.

Operands are brought to their common type before the call, and may lose their mark inside; results are marked again if
that type is weak. In other modes this costs one frame.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterator
from typing import Any, ParamSpec, TypeVar

import numpy as np
import tensorflow as tf

from tfnp._core import convert, dtypes, weak_types
from tfnp._core.lattice import WeakKind
from tfnp._core.tensor_conversion import is_tensor

P = ParamSpec("P")
R = TypeVar("R")


def promote(function: Callable[P, R], names: frozenset[str], *, marks: bool) -> Callable[P, R]:
    """Bring the weak tensors among the named operands to their common type, unless a dtype is requested.

    With `marks`, mark the results as weak where that type is weak.
    """
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


def weaken_each(function: Callable[P, R]) -> Callable[P, R]:
    """Mark each result as weak where its operand is: the function gives every operand in another shape."""

    @functools.wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        results = function(*args, **kwargs)
        if dtypes.promotion.weakens:
            parts = results if isinstance(results, list | tuple) else [results]
            for operand, part in zip(args, parts, strict=False):
                if isinstance(_meeting(operand), WeakKind):
                    weak_types.weaken(part)
        return results

    return call


def _meeting(operands: Any) -> Any:
    """The kind in which the operands meet; None where there are none, or dtypes that meet no others."""
    kinds = tuple(dict.fromkeys(_kinds(operands)))
    try:
        return dtypes.common_type(kinds) if kinds else None
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
        yield dtypes.promotion_type(value)
    elif type(value) in (*dtypes.PYTHON_SCALARS, range):
        yield int if type(value) is range else type(value)


def _brought(value: Any, kind: Any) -> Any:
    """The operand, each weak tensor in it of this kind."""
    if type(value) in (list, tuple):
        return type(value)(_brought(item, kind) for item in value)
    if not isinstance(value, tf.Tensor) or not weak_types.is_weak(value):
        return value
    if isinstance(kind, WeakKind):
        return weak_types.weaken(convert.cast(value, dtypes.as_dtype(kind.dtype)))
    return weak_types.strengthen(convert.cast(value, dtypes.as_dtype(kind)))


def _weaken(result: Any) -> None:
    """Mark the tensors of a result, which is nobody else's."""
    if isinstance(result, list | tuple):
        for part in result:
            _weaken(part)
    elif isinstance(result, tf.Tensor):
        weak_types.weaken(result)
