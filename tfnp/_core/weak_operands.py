"""Weak tensors among the operands of a function, in the promotion modes `all` and `safe`.

Operands are converted to their common type before the call, and may lose their mark inside; results are marked again if
that type is weak. In other modes the decorators cost one Python frame.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterator
from typing import Any, ParamSpec, TypeVar

import numpy as np
import tensorflow as tf

from tfnp._core import convert, dtypes, weak_types
from tfnp._core.eager_tensors import executing_eagerly
from tfnp._core.lattice import WeakType
from tfnp._core.tensor_conversion import is_tensor

P = ParamSpec("P")
R = TypeVar("R")


def promote(function: Callable[P, R], eager: Callable[P, R], names: frozenset[str], *, marks: bool) -> Callable[P, R]:
    """Convert the weak tensors among the named operands to their common type, unless a dtype is requested.

    `eager` is the function without what it does for unknown ranks. With `marks`, mark the results as weak where that
    type is weak.
    """
    signature = inspect.signature(function)

    @functools.wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        if not dtypes.promotion.weakens:
            return eager(*args, **kwargs) if executing_eagerly() else function(*args, **kwargs)
        bound = signature.bind(*args, **kwargs)
        has_dtype = bound.arguments.get("dtype") is not None
        operands = {name: value for name, value in bound.arguments.items() if name in names and not has_dtype}
        common = _find_common_type(list(operands.values())) if operands else None
        if common is not None:
            bound.arguments.update({name: _convert_weak(value, common) for name, value in operands.items()})
        result = dtypes.call_checked(function, bound.args, bound.kwargs)
        if marks and isinstance(common, WeakType):
            _weaken(result)
        return result

    return call


def weaken_each(function: Callable[P, R]) -> Callable[P, R]:
    """Return a function that has a result for each operand, with each result weak if its operand is."""

    @functools.wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        results = function(*args, **kwargs)
        if dtypes.promotion.weakens:
            parts = results if isinstance(results, list | tuple) else [results]
            for operand, part in zip(args, parts, strict=False):
                if isinstance(_find_common_type(operand), WeakType):
                    weak_types.weaken(part)
        return results

    return call


def _find_common_type(operands: Any) -> Any:
    """Return the common promotion type of operands; None if there are no operands, or dtypes that are not promoted."""
    types = tuple(dict.fromkeys(_list_promotion_types(operands)))
    try:
        return dtypes.common_type(types) if types else None
    except KeyError:
        return None


def _list_promotion_types(value: Any) -> Iterator[Any]:
    """Yield the promotion types of the items of an operand, which may be a nested list."""
    if isinstance(value, list | tuple):
        for item in value:
            yield from _list_promotion_types(item)
        if not value:
            yield float
    elif isinstance(value, np.ndarray | np.generic) or is_tensor(value):
        yield dtypes.promotion_type(value)
    elif type(value) in (*dtypes.PYTHON_SCALARS, range):
        yield int if type(value) is range else type(value)


def _convert_weak(value: Any, target: Any) -> Any:
    """Return an operand, which may be a nested list, with its weak tensors converted to a promotion type."""
    if type(value) in (list, tuple):
        return type(value)(_convert_weak(item, target) for item in value)
    if not isinstance(value, tf.Tensor) or not weak_types.is_weak(value):
        return value
    if isinstance(target, WeakType):
        return weak_types.weaken(convert.cast(value, dtypes.as_dtype(target.dtype)))
    return weak_types.strengthen(convert.cast(value, dtypes.as_dtype(target)))


def _weaken(result: Any) -> None:
    """Mark the tensors of a result, which may be a nested list, as weak."""
    if isinstance(result, list | tuple):
        for part in result:
            _weaken(part)
    elif isinstance(result, tf.Tensor):
        weak_types.weaken(result)
