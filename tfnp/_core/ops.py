"""TensorFlow's raw ops as positional functions, without dispatch and conversions.

Operands must be tensors of the right dtypes. `scalar` makes constants for kernels.
"""

from __future__ import annotations

import numpy as np
import tensorflow as tf
from tensorflow import raw_ops as _raw

from tfnp._core.convert import eager_tensor

absolute = _raw.Abs.__wrapped__
add = _raw.AddV2.__wrapped__
bitcast = _raw.Bitcast.__wrapped__
bitwise_and = _raw.BitwiseAnd.__wrapped__
bitwise_or = _raw.BitwiseOr.__wrapped__
bitwise_xor = _raw.BitwiseXor.__wrapped__
ceil = _raw.Ceil.__wrapped__
equal = _raw.Equal.__wrapped__
floor = _raw.Floor.__wrapped__
floor_div = _raw.FloorDiv.__wrapped__
floor_mod = _raw.FloorMod.__wrapped__
greater = _raw.Greater.__wrapped__
greater_equal = _raw.GreaterEqual.__wrapped__
invert = _raw.Invert.__wrapped__
is_finite = _raw.IsFinite.__wrapped__
is_inf = _raw.IsInf.__wrapped__
is_nan = _raw.IsNan.__wrapped__
left_shift = _raw.LeftShift.__wrapped__
less = _raw.Less.__wrapped__
less_equal = _raw.LessEqual.__wrapped__
logical_and = _raw.LogicalAnd.__wrapped__
logical_or = _raw.LogicalOr.__wrapped__
maximum = _raw.Maximum.__wrapped__
minimum = _raw.Minimum.__wrapped__
multiply = _raw.Mul.__wrapped__
negative = _raw.Neg.__wrapped__
not_equal = _raw.NotEqual.__wrapped__
population_count = _raw.PopulationCount.__wrapped__
power = _raw.Pow.__wrapped__
divide = _raw.RealDiv.__wrapped__
reciprocal = _raw.Reciprocal.__wrapped__
right_shift = _raw.RightShift.__wrapped__
rint = _raw.Round.__wrapped__
select = _raw.SelectV2.__wrapped__
sign = _raw.Sign.__wrapped__
square = _raw.Square.__wrapped__
subtract = _raw.Sub.__wrapped__
truncate_mod = _raw.TruncateMod.__wrapped__
zeros_like = _raw.ZerosLike.__wrapped__

executing_eagerly = tf.executing_eagerly
_logical_not = _raw.LogicalNot.__wrapped__
_cast = _raw.Cast.__wrapped__


def cast(x: tf.Tensor, dtype: tf.DType) -> tf.Tensor:
    """Cast a tensor. An enum is faster for an eager op than a DType."""
    return _cast(x, dtype.as_datatype_enum)


# Upstream bug: tensorflow-not-less-nan
def logical_not(x: tf.Tensor) -> tf.Tensor:
    """Negate booleans. Grappler turns a negated comparison into the opposite one, which is wrong for nan."""
    return _logical_not(x) if executing_eagerly() else not_equal(x, tf.constant(True))


# Upstream bug: tensorflow-scalar-cache-zero
def scalar(value: complex, like: tf.Tensor | tf.DType) -> tf.Tensor:
    """Make a constant of the dtype of a tensor, cached in eager mode.

    TensorFlow's own cache of Python scalars confuses 0.0 with -0.0, and grows with every nan.
    """
    dtype = like if isinstance(like, tf.DType) else like.dtype
    if not executing_eagerly():
        return tf.constant(dtype.as_numpy_dtype(value))
    key = (value if value and value == value else str(value), dtype)  # noqa: PLR0124 - nan is not itself
    constant = _constants.get(key)
    if constant is None:
        constant = _constants[key] = eager_tensor(np.array(value, dtype.as_numpy_dtype))
    return constant


_constants: dict[tuple[complex | str, tf.DType], tf.Tensor] = {}
