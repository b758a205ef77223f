"""Elementwise work above the rank that TensorFlow's kernels know, and what a failed op meant.

Broadcasting on CPU ends at rank 5 unless neighbouring axes can be merged, selection at rank 8. Above, operands are
brought to their common shape and flattened: elementwise work does not see the difference.
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
    """After an op failed: NumPy's error where shapes clash, the work on flat operands where the rank was too high."""
    shape = [tuple(np.shape(arg)) if not isinstance(arg, tf.Tensor) else tuple(arg.shape) for arg in args]
    if all(dim is not None for operand in shape for dim in operand):
        common = shapes.broadcast_shapes(*shape)
        if len(common) >= MAX_BROADCAST_RANK and not (len(args) == 1 and len(common) == 1):
            return call_flattened(plan, args)
    raise as_numpy_error(error) from None


def flatten_high_ranks(plan: Callable[..., Any]) -> Callable[..., Any]:
    """The plan for operands of a graph, where a rank too high would fail only when the graph runs."""

    def plan_by_rank(*args: Any) -> Any:
        ranks = [arg.shape.rank if isinstance(arg, tf.Tensor) else np.ndim(arg) for arg in args]
        if all(rank is not None for rank in ranks) and max(ranks) > MAX_BROADCAST_RANK:
            return call_flattened(plan, args)
        return plan(*args)

    return plan_by_rank


def call_flattened(plan: Callable[..., Any], args: tuple[Any, ...]) -> Any:
    """Run an elementwise plan on operands of one axis."""
    arrays = [arg for arg in args if isinstance(arg, tf.Tensor | np.ndarray)]
    own = [shapes.shape(arg) if isinstance(arg, tf.Tensor) else arg.shape for arg in arrays]
    common = shapes.broadcast_shapes(*own)
    results = plan(*[_flat(arg, common) for arg in args])
    if isinstance(results, tuple):
        return tuple(tf.reshape(result, shapes.shape_tensor(common)) for result in results)
    return tf.reshape(results, shapes.shape_tensor(common))


def _flat(arg: Any, common: tuple[Any, ...]) -> Any:
    if isinstance(arg, tf.Tensor):
        return arg if arg.shape.rank == 0 else tf.reshape(shapes.broadcast_to(arg, common), [-1])
    if isinstance(arg, np.ndarray) and arg.ndim:
        return np.broadcast_to(arg, common).ravel() if shapes.is_static(common) else arg
    return arg
