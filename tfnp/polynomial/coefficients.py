"""Coefficients of series, lowest degree first: convert, promote and trim them.

NumPy trims trailing zeros of arguments and results, so lengths depend on values. Where values are static, as in eager
mode, so are the lengths. In a graph trailing zeros take part in the calculation, and only the result is trimmed when
the graph runs; XLA needs a `size` for it.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, Final

import numpy as np
import tensorflow as tf

from tfnp._core import convert, dtypes, dynamic_size, layout, shapes
from tfnp._core.checks import make_assertion
from tfnp._core.convert import to_tensor
from tfnp._core.parameters import ArrayLike, ShapeLike
from tfnp._core.shapes import Dim
from tfnp.polynomial.arithmetic import is_python_scalar, minus, plus
from tfnp.routines.dtype_info import common_type
from tfnp.routines.poly1d.arithmetic import are_zero

MAX_BRANCHES: Final = 4  # branches of a graph by the length of a series; longer ones use a loop


def as_series_list(*values: ArrayLike, trim: bool = True) -> list[tf.Tensor]:
    """Convert each value to a vector with at least one coefficient, all of one inexact dtype; trim static ones."""
    vectors = [_as_vector(value) for value in values]
    dtype = resolve_dtype(*vectors)
    return [convert.cast(_trim_static(vector) if trim else vector, dtype) for vector in vectors]


def resolve_dtype(*vectors: tf.Tensor) -> tf.DType:
    try:
        return tf.as_dtype(common_type(*vectors))
    except TypeError as error:
        raise ValueError("Coefficient arrays have no common type") from error


def _as_vector(value: Any) -> tf.Tensor:
    vector = to_tensor([value] if is_python_scalar(value) else value)
    if vector.shape.rank is None:
        return _flatten_unknown_rank(vector)
    vector = as_at_least_1d(vector)
    if vector.shape.num_elements() == 0:
        raise ValueError("Coefficient array is empty")
    if shapes.rank(vector) != 1:
        raise ValueError("Coefficient array is not 1-d")
    return _check_not_empty(vector) if vector.shape[0] is None else vector


def _flatten_unknown_rank(vector: tf.Tensor) -> tf.Tensor:
    """Flatten a tensor of rank 0 or 1; other ranks fail when the graph runs."""
    with tf.control_dependencies([make_assertion(tf.rank(vector) < 2, ["Coefficient array is not 1-d"])]):
        return _check_not_empty(tf.reshape(vector, (-1,)))


def _check_not_empty(vector: tf.Tensor) -> tf.Tensor:
    """Fail when the graph runs if the vector is empty."""
    with tf.control_dependencies([make_assertion(tf.size(vector) > 0, ["Coefficient array is empty"])]):
        return tf.identity(vector)


def as_at_least_1d(value: Any) -> tf.Tensor:
    tensor = to_tensor([value] if is_python_scalar(value) else value)  # a reshaped tensor has no static value
    return shapes.reshape(tensor, (1,)) if shapes.rank(tensor) == 0 else tensor


def as_inexact(value: Any) -> tf.Tensor:
    """Convert coefficients along any axis; integers and booleans become the default float."""
    tensor = as_at_least_1d(value)
    return tensor if is_inexact(tensor.dtype) else convert.cast(tensor, dtypes.default_float())


def is_inexact(dtype: tf.DType) -> bool:
    return dtype.is_floating or dtype.is_complex


def static_length(c: tf.Tensor) -> int:
    """Return the length of the first axis, which must be static."""
    if c.shape[0] is None:
        raise ValueError(
            f"the number of coefficients must be static inside tf.function, got shape {c.shape}: set the shape"
        )
    return int(c.shape[0])


def get_length(c: tf.Tensor) -> Dim:
    """Return the length of the first axis, a tensor if it is unknown while tracing."""
    return shapes.shape(c)[0]


def is_dynamic(*series: tf.Tensor) -> bool:
    """Return whether the length of a series is unknown while tracing."""
    return any(c.shape[0] is None for c in series)


def _trim_static(c: tf.Tensor) -> tf.Tensor:
    static = convert.static_value(c)
    if static is None or not are_zero(static[-1:])[0]:
        return c
    count = find_degree(static) + 1
    return (
        c[:count] if tf.executing_eagerly() else convert.from_numpy(static[:count])
    )  # a slice has no static value in a graph


def find_degree(c: np.ndarray) -> int:
    """Return the index of the last nonzero coefficient; 0 if all are zero."""
    indices = np.flatnonzero(~are_zero(c))
    return int(indices[-1]) if indices.size else 0


def trim(c: tf.Tensor, size: ShapeLike | None = None) -> tf.Tensor:
    """Trim trailing zeros, or resize to `size` coefficients."""
    if size is not None:
        return resize(c, shapes.as_int(size))
    if c.shape[0] == 1:
        return c
    static = convert.static_value(c)
    if static is not None:
        return c[: find_degree(static) + 1] if are_zero(static[-1:])[0] else c
    dynamic_size.check_not_for_xla()
    return dynamic_size.data_dependent(c[: find_last_index(c) + 1])


def find_last_index(c: tf.Tensor) -> tf.Tensor:
    """Return the index of the last nonzero coefficient, as a tensor."""
    is_nonzero = tf.cast(convert.cast(c, tf.bool), tf.int32)
    return tf.reduce_max(is_nonzero * tf.range(tf.size(c)))


def resize(c: tf.Tensor, size: Dim, padding_value: tf.Tensor | None = None) -> tf.Tensor:
    """Pad with a scalar, zero by default, or truncate, along the first axis."""
    padding = size - get_length(c)
    if isinstance(padding, tf.Tensor):
        c, padding = c[:size], tf.maximum(padding, 0)
    elif padding <= 0:
        return c[:size] if padding else c
    result = layout.pad(c, [(0, padding), *[(0, 0)] * (shapes.rank(c) - 1)], padding_value)
    return tf.ensure_shape(result, [size, *c.shape[1:]]) if isinstance(size, int) else result


def by_degree(c: tf.Tensor, function: Callable[[tf.Tensor], Any], size: int | None = None) -> Any:
    """Apply a function to a series whose last coefficient is not zero.

    A graph traces the function for each length that the series may have, and runs one branch. Lengths of results depend
    on data, unless a size is requested.
    """
    if convert.static_value(c) is not None or static_length(c) == 1:
        return function(c)

    def branch(count: int) -> Any:
        result = function(c[:count])
        return result if size is None else tf.nest.map_structure(lambda part: resize(part, size), result)

    if size is None:
        dynamic_size.check_not_for_xla()
    # Each branch is a tf.function: otherwise TensorFlow makes all branches return the intermediates of each gradient.
    branches = [
        tf.function(functools.partial(branch, count), autograph=False) for count in range(1, static_length(c) + 1)
    ]
    result = tf.switch_case(find_last_index(c), branches)
    return result if size is not None else tf.nest.map_structure(dynamic_size.data_dependent, result)


def unstack_rows(c: tf.Tensor) -> list[tf.Tensor]:
    """Unstack the coefficients along the first axis."""
    return tf.unstack(c, static_length(c))


def truncate(c: tf.Tensor, count: int) -> tf.Tensor:
    """Return the first coefficients, at most `count` of them."""
    return c[:count] if is_dynamic(c) else layout.slice_along(c, 0, 0, min(count, static_length(c)))


def extend(c: tf.Tensor, size: Dim) -> tf.Tensor:
    """Pad with negative zeros: added to another coefficient, they leave its sign as it is, where 0.0 would not."""
    return resize(c, size, convert.from_numpy(np.negative(np.zeros((), dtypes.as_numpy(c.dtype)))))


def add_series(first: tf.Tensor, second: tf.Tensor) -> tf.Tensor:
    """Add two series; coefficients that only one of them has stay as they are."""
    size = shapes.max_dim(get_length(first), get_length(second))
    return plus(extend(first, size), extend(second, size))


def subtract_series(first: tf.Tensor, second: tf.Tensor) -> tf.Tensor:
    """Subtract two series; coefficients that only the second one has change their signs, those of zeros too."""
    size = shapes.max_dim(get_length(first), get_length(second))
    return minus(extend(first, size), resize(second, size))
