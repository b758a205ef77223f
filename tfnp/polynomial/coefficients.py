"""Coefficients of series, the lowest degree first: made, brought to one dtype, trimmed.

NumPy leaves out zeros after the last coefficient, of what it is given and of what it gives. How many those are depends
on values. Where values are known, as in eager, so are all lengths. In a graph coefficients that may be zero take part
in what is calculated, and only the result is trimmed, when the graph runs; XLA, which has to know its length, needs a
`size`.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np
import tensorflow as tf

from tfnp._core import convert, dtypes, dynamic_size, layout, shapes
from tfnp._core.convert import to_tensor
from tfnp._core.shapes import Dim
from tfnp.polynomial.arithmetic import is_python
from tfnp.routines.dtype_info import common_type


def series(*values: Any, trim: bool = True) -> list[tf.Tensor]:
    """Each as a vector of at least one coefficient, all of one floating or complex dtype; trimmed where known."""
    vectors = [_vector(value) for value in values]
    dtype = common_dtype(*vectors)
    return [convert.cast(_cut(vector) if trim else vector, dtype) for vector in vectors]


def common_dtype(*vectors: tf.Tensor) -> tf.DType:
    try:
        return tf.as_dtype(common_type(*vectors))
    except TypeError as error:
        raise ValueError("Coefficient arrays have no common type") from error


def _vector(value: Any) -> tf.Tensor:
    vector = to_tensor([value] if is_python(value) else value)
    if vector.shape.rank is None:
        return _flat(vector)
    vector = at_least_one_axis(vector)
    if vector.shape.num_elements() == 0:
        raise ValueError("Coefficient array is empty")
    if shapes.rank(vector) != 1:
        raise ValueError("Coefficient array is not 1-d")
    return _filled(vector) if vector.shape[0] is None else vector


def _flat(vector: tf.Tensor) -> tf.Tensor:
    """Of a rank that is known when a graph runs: no axis, or one."""
    with tf.control_dependencies([tf.debugging.Assert(tf.rank(vector) < 2, ["Coefficient array is not 1-d"])]):
        return _filled(tf.reshape(vector, (-1,)))


def _filled(vector: tf.Tensor) -> tf.Tensor:
    """Not empty, when a graph runs."""
    with tf.control_dependencies([tf.debugging.Assert(tf.size(vector) > 0, ["Coefficient array is empty"])]):
        return tf.identity(vector)


def at_least_one_axis(value: Any) -> tf.Tensor:
    tensor = to_tensor([value] if is_python(value) else value)  # of what is reshaped a graph knows no value
    return shapes.reshape(tensor, (1,)) if shapes.rank(tensor) == 0 else tensor


def floating(value: Any) -> tf.Tensor:
    """Coefficients along some axis, integers and truths in double precision."""
    tensor = at_least_one_axis(value)
    return tensor if is_inexact(tensor.dtype) else convert.cast(tensor, dtypes.default_float())


def is_inexact(dtype: tf.DType) -> bool:
    return dtype.is_floating or dtype.is_complex


def length(c: tf.Tensor) -> int:
    """How many coefficients there are along the first axis."""
    if c.shape[0] is None:
        raise ValueError("the length of a series must be known while tracing: set its shape")
    return int(c.shape[0])


def dim(c: tf.Tensor) -> Dim:
    """The same, a tensor where only running the graph can tell."""
    return shapes.shape(c)[0]


def is_open(*series: tf.Tensor) -> bool:
    """Whether the length of one of them is not known."""
    return any(c.shape[0] is None for c in series)


def _cut(c: tf.Tensor) -> tf.Tensor:
    static = convert.static_value(c)
    if static is None or static[-1] != 0:
        return c
    kept = degree_of(static) + 1
    return c[:kept] if tf.executing_eagerly() else convert.from_numpy(static[:kept])  # a slice has no value in a graph


def degree_of(c: np.ndarray) -> int:
    """The place of the last coefficient that is not zero; 0 if all are."""
    indices = np.flatnonzero(c)
    return int(indices[-1]) if indices.size else 0


def trimmed(c: tf.Tensor, size: Any = None) -> tf.Tensor:
    """Without zeros after the last coefficient, or with so many coefficients as are asked for."""
    if size is not None:
        return resize(c, shapes.as_int(size))
    if c.shape[0] == 1:
        return c
    static = convert.static_value(c)
    if static is not None:
        return c[: degree_of(static) + 1]
    return dynamic_size.data_dependent(c[: last_index(c) + 1])


def last_index(c: tf.Tensor) -> tf.Tensor:
    """The place of the last coefficient that is not zero, when the graph runs."""
    counts = tf.cast(convert.cast(c, tf.bool), tf.int32)
    return tf.reduce_max(counts * tf.range(tf.size(c)))


def resize(c: tf.Tensor, size: Dim) -> tf.Tensor:
    """With zeros after the last coefficient, or without those that are too many, along the first axis."""
    missing = size - dim(c)
    if isinstance(missing, tf.Tensor):
        c, missing = c[:size], tf.maximum(missing, 0)
    elif missing <= 0:
        return c[:size]
    found = layout.pad(c, [(0, missing), *[(0, 0)] * (shapes.rank(c) - 1)])
    return tf.ensure_shape(found, [size, *c.shape[1:]]) if isinstance(size, int) else found


def by_degree(c: tf.Tensor, function: Callable[[tf.Tensor], Any], size: int | None = None) -> Any:
    """What a function makes of a series whose last coefficient is not zero, save that of zero.

    A graph traces it for each length that the series may turn out to have, and runs one; what it gives there are
    vectors, or matrices, of lengths that XLA cannot know, unless vectors of one size are asked for.
    """
    if convert.static_value(c) is not None or length(c) == 1:
        return function(c)

    def branch(count: int) -> Any:
        found = function(c[:count])
        return found if size is None else tf.nest.map_structure(lambda part: resize(part, size), found)

    # Functions, since TensorFlow makes all branches give, for gradients, what is in between in any of them.
    branches = [tf.function(functools.partial(branch, count), autograph=False) for count in range(1, length(c) + 1)]
    found = tf.switch_case(last_index(c), branches)
    return found if size is not None else tf.nest.map_structure(dynamic_size.data_dependent, found)


def rows(c: tf.Tensor) -> list[tf.Tensor]:
    """The coefficients one by one, along the first axis."""
    return tf.unstack(c, length(c))


def longer(one: Dim, other: Dim) -> Dim:
    return max(one, other) if isinstance(one, int) and isinstance(other, int) else tf.maximum(one, other)


def concatenate(function: Any, first: tf.Tensor, second: tf.Tensor) -> tf.Tensor:
    """Two vectors combined, the shorter of which ends with zeros."""
    size = longer(dim(first), dim(second))
    return function(resize(first, size), resize(second, size))
