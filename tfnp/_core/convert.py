"""Anything array-like to a tensor, and back: the one place where values cross.

Inside, everything is a `tf.Tensor`; routines convert their arguments once, here.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np
import tensorflow as tf
from tensorflow.python.eager import context

from tfnp._core import dtypes, weak_types
from tfnp._core.casting import truncate
from tfnp._core.errors import requires_static, unknown_dim_error
from tfnp._core.tensor_conversion import apply_conversion, has_conversion, is_tensor
from tfnp._core.weak_types import is_pythons

EagerTensor = tf.__internal__.EagerTensor
# What an eager tensor is. Not bound to it, for each attribute of a tensor is looked up through a hook in Python.
enum_of = EagerTensor._datatype_enum
rank_of = EagerTensor._rank
shape_of = EagerTensor._shape_tuple
_BY_ENUM = dtypes.BY_ENUM
_cast = tf.raw_ops.Cast.__wrapped__
_started = False
_SCALARS = frozenset((bool, int, float, complex))


def to_tensor(value: Any, dtype: tf.DType | None = None) -> tf.Tensor:
    """A tensor of what NumPy's `asarray(value)` holds; with a dtype, cast to it as `astype` casts.

    Python scalars and lists of them get NumPy's default dtypes, not TensorFlow's. Tensors inside lists are stacked, so
    this works while a graph is traced and keeps gradients.
    """
    if type(value) is EagerTensor or isinstance(value, tf.Tensor):
        _check_supported(value)
        return value if dtype is None or value.dtype == dtype else cast(value, dtype)
    if isinstance(value, tf.Variable):
        return to_tensor(value.read_value(), dtype)
    if isinstance(value, list | tuple) and _contains_tensor(value):
        return _stack(value, dtype)
    if has_conversion(value):
        return to_tensor(apply_conversion(value), dtype)
    tensor = from_numpy(_as_array(value, dtype))
    return weak_types.weaken(tensor) if dtype is None and dtypes.promotion.weakens and is_pythons(value) else tensor


def to_narrow(value: Any) -> tf.Tensor | None:
    """Of Python's numbers, a weak tensor of the dtype that they have in the lattice; None of anything else."""
    if not is_pythons(value):
        return None
    array = np.asarray(value)
    dtypes.as_numpy(array.dtype)
    return weak_types.weaken(from_numpy(weak_types.narrowest(array)))


def to_operand(value: Any) -> tf.Tensor | np.ndarray:
    """A tensor of what holds tensors, an array of what does not: whoever takes both can still choose its dtype."""
    if is_tensor(value) or (isinstance(value, list | tuple) and _contains_tensor(value)):
        return to_tensor(value)
    array = _as_array(value, None)
    dtypes.as_numpy(array.dtype)
    return array


def from_numpy(array: np.ndarray) -> tf.Tensor:
    """The tensor of an array, in a graph as `operand` has it: always a copy, since an array may change."""
    if dtypes.to_tf_dtype(array.dtype) is None:
        raise dtypes.unsupported_dtype_error(array.dtype)
    native = np.array(array, dtype=array.dtype.newbyteorder("="), order="C", copy=True, subok=False)
    return placed(native) if tf.executing_eagerly() else as_constant(native)


def eager_tensor(array: np.ndarray) -> tf.Tensor:
    """An eager tensor over an array that is ours alone, in C order and native: without the checks of `tf.constant`."""
    if not _started:
        _start()
    return EagerTensor(array, None, None)


def placed(array: np.ndarray) -> tf.Tensor:
    """The same on the device of the scope, `with tf.device(...)`, as `tf.constant` has it: for what is handed out."""
    if not _started:
        _start()
    return EagerTensor(array, context.context().device_name or None, None)  # to "", no device, it would be copied


def eager_scalar(value: complex, enum: int) -> tf.Tensor:
    """An eager tensor of a Python scalar that the dtype holds."""
    if not _started:
        _start()
    return EagerTensor(value, None, enum)


def _start() -> None:
    """Start TensorFlow's runtime, without which the class of eager tensors, called directly, ends the process."""
    global _started  # noqa: PLW0603 - a process starts it once
    tf.config.list_logical_devices()
    _started = True


def scalar_tensor(value: complex, dtype: np.dtype) -> tf.Tensor:
    """A Python scalar in a given dtype. Raises NumPy's OverflowError for an int that does not fit."""
    return as_constant(np.array(value, dtype))


def as_constant(array: np.ndarray) -> tf.Tensor:
    """The tensor of an array that is ours alone, to calculate with.

    In a graph it is an input, not a constant, whose value the optimisers would use: they turn `x / 3` into
    `x * (1 / 3)`, `1 / x` into an estimate, `x + 0.0` into `x`, and so change last bits and signs of zeros.
    """
    if tf.executing_eagerly():
        return EagerTensor(array, None, None) if _started else eager_tensor(array)
    if array.dtype.kind in "biu":
        return tf.constant(array)
    with tf.init_scope():
        return eager_tensor(array) if tf.executing_eagerly() else tf.constant(array)


def as_input(tensor: tf.Tensor) -> tf.Tensor:
    """The same numbers; constants of a graph that are no integers as an input, for the reason that `operand` has."""
    return as_constant(np.array(tf.get_static_value(tensor))) if _is_constant(tensor) else tensor


def to_numpy(tensor: tf.Tensor) -> np.ndarray:
    """The array of an eager tensor: shared, and read-only."""
    return tensor.numpy() if tensor.shape.rank else np.asarray(tensor.numpy())


def static_value(value: Any) -> Any:
    """What is known of a value now: a Python or NumPy object; None for a tensor known only at run time."""
    if isinstance(value, tf.Variable):
        value = value.read_value()
    value = apply_conversion(value)
    if not isinstance(value, tf.Tensor):
        return value
    static = tf.get_static_value(value)
    if static is None:
        return _through_reshape(value)
    return static[()] if isinstance(static, np.ndarray) and static.ndim == 0 else static


def _through_reshape(tensor: tf.Tensor) -> Any:
    """What is known of a tensor in a graph that is another one in a new shape, at which TensorFlow does not look; of
    many elements nothing.
    """
    if type(tensor) is EagerTensor or tensor.op.type not in _SEEN_THROUGH or not _is_small(tensor):
        return None
    static = static_value(tensor.op.inputs[0])
    return None if static is None else _SEEN_THROUGH[tensor.op.type](static, tensor.shape)[()]


def _is_small(tensor: tf.Tensor) -> bool:
    count = tensor.shape.num_elements()
    return count is not None and count <= _MOST_KNOWN


def cast(tensor: tf.Tensor, dtype: tf.DType) -> tf.Tensor:
    """NumPy's `astype`: complex to real keeps the real part, anything to bool asks whether it is zero."""
    source = tensor.dtype
    if source == dtype:
        return tensor
    if source.is_complex and not dtype.is_complex:
        if dtype == tf.bool:
            return tf.raw_ops.NotEqual(x=tensor, y=tf.zeros((), source))
        part = tf.float32 if source == tf.complex64 else tf.float64
        tensor = tf.raw_ops.Real(input=tensor, Tout=part)
        return tensor if part == dtype else cast(tensor, dtype)
    if source.is_floating and dtype.is_integer:
        return truncate(tensor, dtype)
    if dtype.is_integer or dtype == tf.bool or tf.executing_eagerly() or type(tensor) is EagerTensor:
        return _cast(tensor, dtype.as_datatype_enum)  # which costs an eager op less to read
    return _cast(tensor, dtype) if source.is_floating or source.is_complex else _float_in_graph(tensor, dtype)


def _float_in_graph(tensor: tf.Tensor, dtype: tf.DType) -> tf.Tensor:
    """Integers or booleans as floats, of which no optimiser knows the values: see `operand`."""
    op = tensor.op
    if op.type == "Const":
        return as_constant(np.array(tf.get_static_value(tensor), dtype.as_numpy_dtype))
    if op.type == "Fill":
        return tf.fill(op.inputs[0], _float_in_graph(op.inputs[1], dtype))
    if tensor.dtype == tf.bool:  # XLA makes a product with a cast boolean a choice, and 0 * inf 0
        tensor = _cast(tensor, tf.uint8)
    return _cast(hidden(tensor), dtype)


def _can_be_folded(tensor: tf.Tensor) -> bool:
    """Whether it is made of nothing but constants, and of shapes that are known. Of what is long, no matter."""
    ops = [tensor.op]
    for op in ops:
        if op.type.startswith("Placeholder") or op.op_def.is_stateful or len(ops) > _MOST_FOLDED:
            return False
        if op.type not in _OF_SHAPES or not op.inputs[0].shape.is_fully_defined():
            ops.extend(source.op for source in op.inputs)
    return True


_MOST_FOLDED: Final = 32
_MOST_KNOWN: Final = 1 << 12
_SEEN_THROUGH: Final[dict[str, Callable[..., Any]]] = {"Reshape": np.reshape, "BroadcastTo": np.broadcast_to}
_OF_SHAPES: Final = frozenset({"Shape", "ShapeN", "Size", "Rank", "ZerosLike", "OnesLike"})


def hidden(tensor: tf.Tensor) -> tf.Tensor:
    """The same integers; those that a graph knows plus a zero that is an input of it: then no optimiser calculates with
    them, or with the floats that are made of their bits.
    """
    if tf.executing_eagerly() or type(tensor) is EagerTensor or not _can_be_folded(tensor):
        return tensor
    with tf.init_scope():
        zero = tf.zeros((), tensor.dtype)
    return tf.raw_ops.AddV2(x=tensor, y=zero)


def _is_constant(tensor: tf.Tensor) -> bool:
    """Whether it is a constant of a graph."""
    return not tf.executing_eagerly() and type(tensor) is not EagerTensor and tensor.op.type == "Const"


def _check_supported(tensor: tf.Tensor) -> None:
    if tensor.dtype.as_datatype_enum not in _BY_ENUM:
        dtypes.as_dtype(tensor.dtype)


def _as_array(value: Any, dtype: tf.DType | None) -> np.ndarray:
    """NumPy's reading of the value. Unlike a strong float64, the default one gives way to `prefer_float32`."""
    expected = None if dtype is None else np.dtype(dtype.as_numpy_dtype)
    if isinstance(value, np.ndarray | np.generic):
        return np.asarray(value) if expected is None else np.asarray(value).astype(expected)
    array = np.asarray(value, expected)
    if array.dtype == object and not tf.executing_eagerly() and any(item is None for item in array.flat):
        raise unknown_dim_error()
    if (
        expected is None
        and dtypes.promotion.prefer_float32
        and array.dtype in dtypes.SINGLE
        and not _contains_double(value)
    ):
        return array.astype(dtypes.SINGLE[array.dtype])
    return array


def _contains_double(value: Any) -> bool:
    if isinstance(value, list | tuple):
        return any(_contains_double(item) for item in value)
    return type(value) not in _SCALARS


def _contains_tensor(values: list[Any] | tuple[Any, ...]) -> bool:
    for value in values:
        if type(value) in _SCALARS:
            continue
        if _contains_tensor(value) if isinstance(value, list | tuple) else is_tensor(value):
            return True
    return False


def _stack(values: list[Any] | tuple[Any, ...], dtype: tf.DType | None) -> tf.Tensor:
    items = [value if dtype is not None and type(value) in _SCALARS else to_tensor(value) for value in values]
    dtype = dtype or dtypes.result_type(*items)
    tensors = [to_tensor(item, dtype) for item in items]
    shapes = {tuple(tensor.shape) for tensor in tensors if tensor.shape.is_fully_defined()}
    if len(shapes) > 1:
        raise ValueError(
            "setting an array element with a sequence. "
            "The requested array has an inhomogeneous shape after 1 dimensions."
        )
    if dtypes.promotion.weakens and all(map(weak_types.is_weak, items)):
        return weak_types.weaken(tf.stack(tensors))
    return tf.stack(tensors)


def is_dynamic(value: Any) -> bool:
    """Return whether a value is a tensor that is known only when the graph runs."""
    return isinstance(value, tf.Tensor) and static_value(value) is None


def as_static(value: Any, argument: str, function: str | None = None) -> Any:
    """Return the static value of an argument; raise TypeError if it has none."""
    static = static_value(value)
    if static is None:
        raise requires_static(argument, function)
    return static
