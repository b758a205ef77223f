"""Conversions between array-likes and tensors, and casts.

Inside the package everything is a `tf.Tensor`: routines convert their arguments here, once.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final

import numpy as np
import tensorflow as tf

from tfnp._core import dtypes, ops, weak_types
from tfnp._core.array_subclasses import check_subclass
from tfnp._core.casting import truncate
from tfnp._core.eager_tensors import EagerTensor, eager_tensor, enum_of, executing_eagerly, place_tensor
from tfnp._core.errors import check_no_unknown_dim, recursive_error, requires_static, unknown_dim_error
from tfnp._core.tensor_conversion import apply_conversion, has_conversion, is_tensor
from tfnp._core.tensorflow_internals import CondGradFuncGraph, WhileBodyGradFuncGraph
from tfnp._core.text import cast_text, check_not_for_xla, is_text, to_text_tensor
from tfnp._core.weak_types import is_python_number

_BY_ENUM = dtypes.BY_ENUM
_TEXT_ENUM = tf.string.as_datatype_enum
_NUMERIC_ENUMS: Final = frozenset(_BY_ENUM) - {_TEXT_ENUM}
_SCALARS = frozenset((bool, int, float, complex))
_INTEGERS: Final = tuple(dtype for dtype in dtypes.SUPPORTED if dtype.is_integer or dtype == tf.bool)
_REAL: Final = tuple(dtype for dtype in dtypes.SUPPORTED if dtype.is_floating)
_COMPLEX: Final = tuple(dtype for dtype in dtypes.SUPPORTED if dtype.is_complex)
_ONE_OP_CASTS: Final = frozenset(
    (source.as_datatype_enum, target.as_datatype_enum)
    for sources, targets in (
        (_INTEGERS, (*_INTEGERS, *_REAL, *_COMPLEX)),
        (_REAL, (tf.bool, *_REAL, *_COMPLEX)),
        (_COMPLEX, _COMPLEX),
    )
    for source in sources
    for target in targets
)
"""The casts of eager tensors that are one op: those that drop no fraction and no imaginary part."""
_TEXT_CODES: Final = "USTO"  # objects may be text


def to_tensor(value: Any, dtype: tf.DType | None = None) -> tf.Tensor:
    """Convert an array-like to a tensor as NumPy's `asarray` does; with a dtype, cast it as `astype` does.

    Python scalars and lists of them get NumPy's default dtypes, not TensorFlow's. Tensors inside lists are stacked, so
    that a graph can be traced and gradients flow.
    """
    if type(value) is EagerTensor and dtype is None and enum_of(value) in _NUMERIC_ENUMS:
        return value
    if isinstance(value, tf.Tensor):
        if type(value) is EagerTensor and enum_of(value) in _NUMERIC_ENUMS and dtype is not None:
            return cast(value, dtype)
        _check_supported(value)
        return value if dtype is None or value.dtype == dtype else _cast_explicitly(value, dtype)
    if isinstance(value, tf.Variable):
        return to_tensor(value.read_value(), dtype)
    if isinstance(value, list | tuple) and contains_tensor(value):
        return _stack(value, dtype)
    if has_conversion(value):
        return to_tensor(apply_conversion(value), dtype)
    tensor = from_numpy(_as_array(value, dtype))
    return (
        weak_types.weaken(tensor) if dtype is None and dtypes.promotion.weakens and is_python_number(value) else tensor
    )


def to_narrow(value: Any) -> tf.Tensor | None:
    """Return Python scalars, or lists of them, as a weak tensor of their dtype in the lattice; None for other
    values.
    """
    if not is_python_number(value):
        return None
    array = np.asarray(value)
    dtypes.as_numpy(array.dtype)
    return weak_types.weaken(from_numpy(weak_types.narrow(array)))


def to_operand(value: Any) -> tf.Tensor | np.ndarray:
    """Return tensors, lists that contain tensors, and text as a tensor; all else as an array, whose dtype can still be
    chosen.
    """
    if contains_tensor(value):
        return to_tensor(value)
    array = _as_array(value, None)
    if array.dtype.kind in _TEXT_CODES and is_text(array):
        return to_text_tensor(array)
    dtypes.as_numpy(array.dtype)
    return array


def from_numpy(array: np.ndarray) -> tf.Tensor:
    """Return an array as a tensor, in a graph as `as_constant` does. The array is always copied, since it may
    change.
    """
    if array.dtype.kind in _TEXT_CODES and is_text(array):
        return to_text_tensor(array)
    if dtypes.to_tf_dtype(array.dtype) is None:
        raise dtypes.unsupported_dtype_error(array.dtype)
    native = np.array(array, dtype=array.dtype.newbyteorder("="), order="C", copy=True, subok=False)
    return place_tensor(native) if executing_eagerly() else as_constant(native)


def scalar_tensor(value: complex, dtype: np.dtype) -> tf.Tensor:
    """Return a Python scalar as a tensor of a dtype. Raise NumPy's OverflowError for an int that is out of bounds."""
    return as_constant(np.array(value, dtype))


class _Captures(threading.local):
    are_allowed = True


_captures: Final = _Captures()


@contextmanager
def without_captures() -> Iterator[None]:
    """Return a context manager in which graphs capture no floats.

    TensorFlow cannot save the gradient of an op if it captures tensors that the op's function does not, nor
    differentiate the function in forward mode.
    """
    outer, _captures.are_allowed = _captures.are_allowed, False
    try:
        yield
    finally:
        _captures.are_allowed = outer


def _may_capture() -> bool:
    """Return whether the current graph may capture a tensor: not in a `without_captures` block, nor in the gradient of
    a loop or a branch. TensorFlow raises an error for what such a graph, or one within it, captures by itself, as in
    `tf.pow`'s gradient of `y - 1`.
    """
    graph = tf.compat.v1.get_default_graph()
    while _captures.are_allowed and graph is not None:
        if isinstance(graph, _GRADIENT_GRAPHS):
            return False
        graph = getattr(graph, "outer_graph", None)
    return _captures.are_allowed


_GRADIENT_GRAPHS: Final = (CondGradFuncGraph, WhileBodyGradFuncGraph)


# Upstream bugs: tensorflow-division-by-constant, tensorflow-division-as-reciprocal, tensorflow-signed-zero-of-sums
def as_constant(array: np.ndarray) -> tf.Tensor:
    """Return an array, which nothing else may change, as an operand of ops.

    In a graph, floats are inputs, not constants: Grappler rewrites `x / 3` to `x * (1 / 3)`, `1 / x` to an
    approximation and `x + 0.0` to `x`, which changes last bits and signs of zeros
    (https://github.com/tensorflow/tensorflow/issues/102771). Where a graph may capture nothing they are constants.
    """
    if executing_eagerly():
        return eager_tensor(array)
    if array.dtype.kind in "biu" or not _may_capture():
        return tf.constant(array)
    with tf.init_scope():
        return eager_tensor(array) if executing_eagerly() else tf.constant(array)


def as_input(tensor: tf.Tensor) -> tf.Tensor:
    """Return the tensor; in a graph, a constant of floats as an input, for the reason that `as_constant` gives."""
    return as_constant(np.array(tf.get_static_value(tensor))) if _is_constant(tensor) else tensor


def to_numpy(tensor: tf.Tensor) -> np.ndarray:
    """Return the array of an eager tensor, which shares its memory and is read-only."""
    return tensor.numpy() if tensor.shape.rank else np.asarray(tensor.numpy())


def static_value(value: Any) -> Any:
    """Return the static value of an argument as a Python or NumPy object; None for a tensor that has none."""
    if isinstance(value, tf.Variable):
        value = value.read_value()
    value = apply_conversion(value)
    if not isinstance(value, tf.Tensor):
        return value
    static = tf.get_static_value(value)
    if static is None:
        return _look_through_reshape(value)
    return static[()] if isinstance(static, np.ndarray) and static.ndim == 0 else static


def _look_through_reshape(tensor: tf.Tensor) -> Any:
    """Return the static value of a small tensor that is reshaped or broadcast, which `tf.get_static_value` does not
    find.
    """
    if type(tensor) is EagerTensor or tensor.op.type not in _RESHAPES or not _is_small(tensor):
        return None
    value = static_value(tensor.op.inputs[0])
    return None if value is None else _RESHAPES[tensor.op.type](value, tensor.shape)[()]


def _is_small(tensor: tf.Tensor) -> bool:
    count = tensor.shape.num_elements()
    return count is not None and count <= _MAX_STATIC_SIZE


def _cast_explicitly(tensor: tf.Tensor, dtype: tf.DType) -> tf.Tensor:
    return cast_text(tensor, dtype) if tensor.dtype == tf.string else cast(tensor, dtype)


def cast(tensor: tf.Tensor, dtype: tf.DType) -> tf.Tensor:
    """Return the tensor cast as NumPy's `astype` casts: complex numbers to their real part, to bool True for all but
    zero.

    Raise TypeError for text, which is read as numbers only where the caller asks for their dtype.
    """
    if type(tensor) is EagerTensor and (enum_of(tensor), dtype.as_datatype_enum) in _ONE_OP_CASTS:
        enum = dtype.as_datatype_enum
        return tensor if enum_of(tensor) == enum else ops.cast_to_enum(tensor, enum)
    source = tensor.dtype
    if source is dtype or source == dtype:
        return tensor
    if dtype == tf.string or (source == tf.string and dtype == tf.bool):
        return cast_text(tensor, dtype)
    if source == tf.string:
        raise TypeError(f"text (tf.string) has no arithmetic: cast it to {dtype.name} first, as with astype")
    if source.is_complex and not dtype.is_complex:
        if dtype == tf.bool:
            # Upstream bug: tensorflow-cast-complex-bool
            return ops.not_equal(tensor, tf.zeros((), source))
        part = tf.float32 if source == tf.complex64 else tf.float64
        tensor = ops.real(tensor, part)
        return tensor if part == dtype else cast(tensor, dtype)
    if source.is_floating and dtype.is_integer:
        return truncate(tensor, dtype)
    if dtype.is_integer or dtype == tf.bool or executing_eagerly() or type(tensor) is EagerTensor:
        return ops.cast_to_enum(tensor, dtype.as_datatype_enum)
    return ops.cast(tensor, dtype) if source.is_floating or source.is_complex else _float_in_graph(tensor, dtype)


def _float_in_graph(tensor: tf.Tensor, dtype: tf.DType) -> tf.Tensor:
    """Return integers or booleans as floats that Grappler cannot fold: see `as_constant`."""
    op = tensor.op
    if op.type == "Const":
        return as_constant(np.array(tf.get_static_value(tensor), dtype.as_numpy_dtype))
    if op.type == "Fill":
        return tf.fill(op.inputs[0], _float_in_graph(op.inputs[1], dtype))
    # Upstream bug: tensorflow-mask-product-xla
    if tensor.dtype == tf.bool:  # XLA turns a product with a cast bool into a selection, so that 0 * inf is 0
        tensor = ops.cast(tensor, tf.uint8)
    return ops.cast(hide_from_folding(tensor), dtype)


def _can_be_folded(tensor: tf.Tensor) -> bool:
    """Return whether Grappler can fold the tensor: all its inputs are constants or static shapes.

    Graphs of more than a few ops count as not foldable.
    """
    pending = [tensor.op]
    for op in pending:
        if op.type.startswith("Placeholder") or op.op_def.is_stateful or len(pending) > _MAX_FOLDED_OPS:
            return False
        if op.type not in _SHAPE_OPS or not op.inputs[0].shape.is_fully_defined():
            pending.extend(source.op for source in op.inputs)
    return True


_MAX_FOLDED_OPS: Final = 32
_MAX_STATIC_SIZE: Final = 1 << 12
_RESHAPES: Final[dict[str, Callable[..., Any]]] = {"Reshape": np.reshape, "BroadcastTo": np.broadcast_to}
_SHAPE_OPS: Final = frozenset({"Shape", "ShapeN", "Size", "Rank", "ZerosLike", "OnesLike"})


def hide_from_folding(tensor: tf.Tensor) -> tf.Tensor:
    """Return integers that constant folding does not see, by adding a zero that is an input of the graph.

    Grappler then does not fold floats that are made of them or of their bits.
    """
    if executing_eagerly() or type(tensor) is EagerTensor or not _can_be_folded(tensor) or not _may_capture():
        return tensor
    with tf.init_scope():
        zero = tf.zeros((), tensor.dtype)
    return ops.add(tensor, zero)


def _is_constant(tensor: tf.Tensor) -> bool:
    """Return whether the tensor is a constant of a graph."""
    return not executing_eagerly() and type(tensor) is not EagerTensor and tensor.op.type == "Const"


def _check_supported(tensor: tf.Tensor) -> None:
    enum = tensor.dtype.as_datatype_enum
    if enum not in _BY_ENUM:
        dtypes.as_dtype(tensor.dtype)
    if enum == _TEXT_ENUM:
        check_not_for_xla()


def _as_array(value: Any, dtype: tf.DType | None) -> np.ndarray:
    """Return a value as an array. Default float64 obeys `prefer_float32`; explicit float64 does not."""
    numpy_dtype = None if dtype is None else dtypes.as_numpy(dtype)
    if numpy_dtype == dtypes.TEXT:
        return _as_text_array(value)
    if isinstance(value, np.ndarray | np.generic):
        return np.asarray(value) if numpy_dtype is None else np.asarray(value).astype(numpy_dtype)
    if numpy_dtype == dtypes.BFLOAT16:  # ml_dtypes reads neither None, nor text, nor an int that int64 does not hold
        return np.asarray(value, np.float32).astype(numpy_dtype)
    array = np.asanyarray(value, numpy_dtype)
    if type(array) is not np.ndarray:  # of an object whose `__array__` returns a subclass
        check_subclass(array)
        array = np.asarray(array)
    if array.dtype == object and not executing_eagerly() and any(item is None for item in array.flat):
        raise unknown_dim_error("numbers (dtype 'object' is not supported)")
    if (
        numpy_dtype is None
        and dtypes.promotion.prefer_float32
        and array.dtype in dtypes.SINGLE
        and not _contains_double(value)
    ):
        return array.astype(dtypes.SINGLE[array.dtype])
    return array


def _as_text_array(value: Any) -> np.ndarray:
    """Return a value as an array of text; numbers are formatted as by `astype(str)`."""
    array = np.asarray(value)
    return array if is_text(array) else np.asarray(value, dtypes.TEXT)


def _contains_double(value: Any) -> bool:
    if isinstance(value, list | tuple):
        return any(_contains_double(item) for item in value)
    return type(value) not in _SCALARS


def contains_tensor(value: Any) -> bool:
    """Return whether a value is a tensor, or a list or tuple that contains one, also in nested lists."""
    if not isinstance(value, list | tuple):
        return is_tensor(value)
    try:
        for item in value:
            if type(item) not in _SCALARS and contains_tensor(item):
                return True
    except RecursionError:
        raise recursive_error() from None
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
    """Return whether a value is a tensor whose value is known only when the graph runs."""
    return isinstance(value, tf.Tensor) and static_value(value) is None


def as_static(value: Any, argument: str, function: str | None = None) -> Any:
    """Return the static value of an argument; raise TypeError if it has none."""
    check_no_unknown_dim(value)
    static = static_value(value)
    if static is None:
        raise requires_static(argument, function)
    return static
