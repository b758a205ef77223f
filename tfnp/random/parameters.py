"""Parameters of distributions: NumPy's own method checks them without drawing, then they become tensors of one length.

Parameters whose values are unknown while tracing cannot be checked. Invalid ones give nan or
the smallest int64, except locations and scales, which are used as they are.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import numpy as np
import tensorflow as tf

from tfnp._core import convert, dtypes, layout, shapes
from tfnp._core.errors import requires_static
from tfnp._core.shapes import Dim
from tfnp._core.tensor_conversion import apply_conversion

UNKNOWN: Final = object()
_ARRAY_TYPES: Final = (tf.Tensor, tf.Variable, np.ndarray, np.generic)
_GENERATOR: Final = np.random.Generator(np.random.Philox(0))
_RANDOM_STATE: Final = np.random.RandomState(np.random.Philox(0))


class Parameters(NamedTuple):
    """Scalar or flat tensors, and the shape of the result."""

    tensors: tuple[tf.Tensor, ...]
    shape: tuple[Dim, ...]


def to_static(value: Any) -> Any:
    """Return the value as NumPy takes it, or UNKNOWN if it contains a tensor without a static value."""
    if isinstance(value, tf.Variable):
        value = value.read_value()
    value = apply_conversion(value)
    if isinstance(value, tf.Tensor):
        result = tf.get_static_value(value)
        return UNKNOWN if result is None else np.asarray(result)
    if isinstance(value, list | tuple):
        items = [to_static(item) for item in value]
        return UNKNOWN if any(item is UNKNOWN for item in items) else type(value)(items)
    return value


def as_seed(seed: Any) -> Any:
    """Return a seed as NumPy takes it; it must be static."""
    result = to_static(seed)
    if result is UNKNOWN:
        raise requires_static("seed", "default_rng")
    if isinstance(seed, tf.Tensor | tf.Variable):
        return result.item() if result.ndim == 0 else result
    return result


def get_numpy_method(name: str, *, legacy: bool) -> Any:
    """Return the method of NumPy's Generator or RandomState."""
    return getattr(_RANDOM_STATE if legacy else _GENERATOR, name)


def check(name: str, values: Sequence[Any], *, legacy: bool, **options: Any) -> None:
    """Raise NumPy's error for static arguments, without drawing: for those that are wrong whatever the others are."""
    static = [to_static(value) for value in values]
    is_unknown = bool(static) and all(value is UNKNOWN for value in static)
    error = None if is_unknown else _find_error(get_numpy_method(name, legacy=legacy), static, options)
    if any(value is UNKNOWN for value in static):
        for value in values:
            _check_dtype(value)
    if error is not None:
        raise error


def _find_error(method: Any, static: Sequence[Any], options: dict[str, Any]) -> Exception | None:
    """Return the error of a method for arguments of which some are unknown; None if it accepts valid values, or any of
    the other arguments, instead of these.
    """
    others = [value for value in static if value is not UNKNOWN]
    error: Exception | None = None
    for instead in itertools.product((*_VALID, *others), repeat=len(static) - len(others)):
        replacements = iter(instead)
        arguments = [next(replacements) if value is UNKNOWN else value for value in static]
        try:
            common_shape = np.broadcast_shapes(*map(np.shape, arguments))
        except ValueError:
            common_shape = ()
        try:
            method(*arguments, size=(0, *common_shape), **options)
        except (TypeError, ValueError, OverflowError) as raised:
            error = error or raised
        else:
            return None
    return error


_VALID: Final = (0.5, 1, 2)
"""Probabilities, counts and degrees of freedom."""


def _check_dtype(value: Any) -> None:
    if isinstance(value, tf.Tensor) and value.dtype.is_complex:
        raise TypeError("Cannot cast array data from complex to float64 according to the rule 'safe'")


def resolve_shape(size: Any, values: Sequence[tf.Tensor]) -> tuple[Dim, ...]:
    """Return `size`, to which the parameters must broadcast, or their common shape."""
    common_shape = shapes.broadcast_shapes(*(shapes.shape(value) for value in values)) if values else ()
    if size is None:
        return common_shape
    shape = as_size(size)
    if common_shape and shapes.is_static(common_shape) and shapes.is_static(shape):
        check_fits(common_shape, shape)
    return shape


def check_fits(common_shape: Sequence[Dim], shape: Sequence[Dim]) -> None:
    try:
        is_compatible = shapes.broadcast_shapes(common_shape, shape) == tuple(shape)
    except ValueError:
        is_compatible = False
    if not is_compatible:
        raise ValueError(
            f"Output size {tuple(shape)} is not compatible with broadcast dimensions of inputs {tuple(common_shape)}."
        )


def as_size(size: Any) -> tuple[Dim, ...]:
    """Return a size as NumPy's generators interpret it: booleans count as integers."""
    value = to_static(size)
    if value is UNKNOWN or isinstance(value, tf.TensorShape):
        return shapes.as_shape(size)
    return tuple(np.broadcast_to(np.zeros(()), value).shape)


def prepare_floats(name: str, values: Sequence[Any], size: Any, *, legacy: bool) -> Parameters:
    """Return real parameters, checked and broadcast."""
    check(name, values, legacy=legacy)
    tensors = [_as_tensor(value) for value in values]
    return broadcast_parameters(tensors, size)


def _as_tensor(value: Any) -> tf.Tensor:
    """Convert to float64. Values without tensors are converted by NumPy and hidden from the graph optimizer, so that it
    treats them like runtime values.
    """
    if convert.contains_tensor(value) or to_static(value) is UNKNOWN:
        return convert.to_tensor(value, tf.float64)
    return convert.as_constant(np.array(to_static(value), np.float64))


def broadcast_parameters(tensors: Sequence[tf.Tensor], size: Any) -> Parameters:
    """Return the parameters, of which those that are not scalars are broadcast and flattened."""
    shape = resolve_shape(size, tensors)
    return Parameters(tuple(flatten(tensor, shape) for tensor in tensors), shape)


def flatten(tensor: tf.Tensor, shape: Sequence[Dim]) -> tf.Tensor:
    """Return a tensor broadcast to the shape and flattened; a scalar as it is."""
    if tensor.shape.rank == 0:
        return tensor
    return tf.reshape(shapes.broadcast_to(tensor, shape), shapes.shape_tensor((layout.product(shape),)))


def cast_to_preferred(result: tf.Tensor, *values: Any) -> tf.Tensor:
    """Return a tensor cast to float32 if that is preferred and no parameter has double precision."""
    if dtypes.promotion.prefer_float32 and result.dtype == tf.float64 and not any(map(is_double, values)):
        return tf.cast(result, tf.float32)
    return result


def is_double(value: Any) -> bool:
    """Return whether a value is, or contains, an array of double precision; Python floats are not."""
    if isinstance(value, list | tuple):
        return any(map(is_double, value))
    return isinstance(value, _ARRAY_TYPES) and dtypes.promotion_type(value) in dtypes.SINGLE
