"""Elementwise plans for operands of high rank, and NumPy's errors for plans that have failed.

TensorFlow's kernels broadcast up to rank 5 on CPU, unless adjacent axes can be merged, and select up to rank 8. Above,
operands are broadcast and flattened first.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np
import tensorflow as tf

from tfnp._core import shapes
from tfnp._core.errors import as_numpy_error

MAX_BROADCAST_RANK: Final = 5


def retry_flattened(plan: Callable[..., Any], args: tuple[Any, ...], error: Exception) -> Any:
    """Return the result of a failed plan for flattened operands, if their rank is high; else raise NumPy's error."""
    operand_shapes = [tuple(arg.shape) if isinstance(arg, tf.Tensor) else np.shape(arg) for arg in args]
    if all(dim is not None for shape in operand_shapes for dim in shape):
        common = shapes.broadcast_shapes(*operand_shapes)
        if len(common) >= MAX_BROADCAST_RANK and not (len(args) == 1 and len(common) == 1):
            return call_flattened(plan, args)
    raise as_numpy_error(error) from None


def flatten_high_ranks(plan: Callable[..., Any]) -> Callable[..., Any]:
    """Return a plan that flattens operands of high rank: in a graph they would fail only when it runs."""

    def plan_by_rank(*args: Any) -> Any:
        ranks = [arg.shape.rank if isinstance(arg, tf.Tensor) else np.ndim(arg) for arg in args]
        if all(rank is not None for rank in ranks) and max(ranks) > MAX_BROADCAST_RANK:
            return call_flattened(plan, args)
        return plan(*args)

    return plan_by_rank


def call_flattened(plan: Callable[..., Any], args: tuple[Any, ...]) -> Any:
    """Return the result of an elementwise plan for flattened operands, in their broadcast shape."""
    arrays = [arg for arg in args if isinstance(arg, tf.Tensor | np.ndarray)]
    common = shapes.broadcast_shapes(*[shapes.shape(a) if isinstance(a, tf.Tensor) else a.shape for a in arrays])
    results = plan(*[_flatten(arg, common) for arg in args])
    if isinstance(results, tuple):
        return tuple(tf.reshape(result, shapes.shape_tensor(common)) for result in results)
    return tf.reshape(results, shapes.shape_tensor(common))


def _flatten(arg: Any, common: tuple[Any, ...]) -> Any:
    if isinstance(arg, tf.Tensor):
        return arg if arg.shape.rank == 0 else tf.reshape(shapes.broadcast_to(arg, common), [-1])
    if isinstance(arg, np.ndarray) and arg.ndim:
        return np.broadcast_to(arg, common).ravel() if shapes.is_static(common) else arg
    return arg
