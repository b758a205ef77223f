"""What a distribution is given: checked by NumPy's own method, which draws nothing, then made tensors of one length.

What is not known while a function is traced cannot be checked: what comes of a parameter that NumPy would refuse is
nan there, or of integers the least.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import numpy as np
import tensorflow as tf

from tfnp._core import convert, dtypes, layout, shapes
from tfnp._core.shapes import Dim
from tfnp._core.tensor_conversion import apply_conversion

UNKNOWN: Final = object()
_ARRAY_TYPES: Final = (tf.Tensor, tf.Variable, np.ndarray, np.generic)
_GENERATOR: Final = np.random.Generator(np.random.Philox(0))
_RANDOM_STATE: Final = np.random.RandomState(np.random.Philox(0))


class Parameters(NamedTuple):
    """Tensors without dimensions, or of as many numbers as are drawn; and the shape of what is drawn."""

    tensors: tuple[tf.Tensor, ...]
    shape: tuple[Dim, ...]


def to_static(value: Any) -> Any:
    """The value as NumPy takes it; UNKNOWN where it holds a tensor without a value."""
    if isinstance(value, tf.Variable):
        value = value.read_value()
    value = apply_conversion(value)
    if isinstance(value, tf.Tensor):
        found = tf.get_static_value(value)
        return UNKNOWN if found is None else np.asarray(found)
    if isinstance(value, list | tuple):
        items = [to_static(item) for item in value]
        return UNKNOWN if any(item is UNKNOWN for item in items) else type(value)(items)
    return value


def get_numpy_method(name: str, *, legacy: bool) -> Any:
    """NumPy's method."""
    return getattr(_RANDOM_STATE if legacy else _GENERATOR, name)


def check(name: str, values: Sequence[Any], *, legacy: bool, **options: Any) -> None:
    """Raise what NumPy raises for these arguments, as far as they are known; nothing is drawn for it."""
    given = [to_static(value) for value in values]
    if any(value is UNKNOWN for value in given):
        for value in values:
            _check_dtype(value)
        return
    forms = [np.shape(value) for value in given]
    try:
        common = np.broadcast_shapes(*forms)
    except ValueError:
        common = ()
    get_numpy_method(name, legacy=legacy)(*given, size=(0, *common), **options)


def _check_dtype(value: Any) -> None:
    if isinstance(value, tf.Tensor) and value.dtype.is_complex:
        raise TypeError("Cannot cast array data from complex to float64 according to the rule 'safe'")


def resolve_shape(size: Any, values: Sequence[tf.Tensor]) -> tuple[Dim, ...]:
    """The shape that is asked for, to which all must broadcast; without one, what they broadcast to."""
    common = shapes.broadcast_shapes(*(shapes.shape(value) for value in values)) if values else ()
    if size is None:
        return common
    shape = as_size(size)
    if common and shapes.is_static(common) and shapes.is_static(shape):
        check_fits(common, shape)
    return shape


def check_fits(common: Sequence[Dim], shape: Sequence[Dim]) -> None:
    try:
        fits = shapes.broadcast_shapes(common, shape) == tuple(shape)
    except ValueError:
        fits = False
    if not fits:
        raise ValueError(
            f"Output size {tuple(shape)} is not compatible with broadcast dimensions of inputs {tuple(common)}."
        )


def as_size(size: Any) -> tuple[Dim, ...]:
    """A shape as NumPy's generators take it: truth values are numbers to them."""
    value = to_static(size)
    if value is UNKNOWN or isinstance(value, tf.TensorShape):
        return shapes.as_shape(size)
    return tuple(np.broadcast_to(np.zeros(()), value).shape)


def prepare_floats(name: str, values: Sequence[Any], size: Any, *, legacy: bool) -> Parameters:
    """Of a distribution whose parameters are real numbers."""
    check(name, values, legacy=legacy)
    tensors = [_as_tensor(value) for value in values]
    return broadcast_parameters(tensors, size)


def _as_tensor(value: Any) -> tf.Tensor:
    """Numbers as NumPy reads them: what holds no tensor by NumPy itself, and no constant, so that no optimiser of
    graphs calculates with it in another way than with what comes late.
    """
    if isinstance(value, tf.Tensor | tf.Variable) or to_static(value) is UNKNOWN:
        return convert.to_tensor(value, tf.float64)
    return convert.as_constant(np.array(to_static(value), np.float64))


def broadcast_parameters(tensors: Sequence[tf.Tensor], size: Any) -> Parameters:
    """Those that have dimensions written out, one number for each that is drawn."""
    shape = resolve_shape(size, tensors)
    return Parameters(tuple(flatten(tensor, shape) for tensor in tensors), shape)


def flatten(tensor: tf.Tensor, shape: Sequence[Dim]) -> tf.Tensor:
    if tensor.shape.rank == 0:
        return tensor
    return tf.reshape(shapes.broadcast_to(tensor, shape), shapes.shape_tensor((layout.product(shape),)))


def cast_to_preferred(found: tf.Tensor, *values: Any) -> tf.Tensor:
    """What was drawn, in single precision where that is preferred and none of the parameters is a double."""
    if dtypes.promotion.prefer_float32 and found.dtype == tf.float64 and not any(map(is_double, values)):
        return tf.cast(found, tf.float32)
    return found


def is_double(value: Any) -> bool:
    """Whether it has, or holds what has, a dtype of double precision: Python's floats have none."""
    if isinstance(value, list | tuple):
        return any(map(is_double, value))
    return isinstance(value, _ARRAY_TYPES) and dtypes.promotion_type(value) in dtypes.SINGLE
