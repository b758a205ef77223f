"""Operators of tensors: NumPy's, in one Python frame from the operands to a ufunc's plan, or TensorFlow's.

TensorFlow's own operators are used for dtypes without arithmetic (resources, float8), for ragged, sparse and Keras
tensors, and in graphs of TensorFlow 1.
"""

from __future__ import annotations

import operator
import sys
from collections.abc import Callable
from numbers import Number
from types import FrameType
from typing import Any, Final

import numpy as np
import tensorflow as tf

from tfnp._core import convert, dtypes, high_rank, shapes, text
from tfnp._core.eager_tensors import EagerTensor, enum_of, shape_of
from tfnp._core.errors import TENSORFLOW_ERRORS
from tfnp._core.tensor_conversion import apply_conversion, has_conversion
from tfnp._core.ufunc.dispatch import ufunc
from tfnp._core.variables import check_update

Operator = Callable[..., Any]
SUPPORTED: Final = frozenset(dtype.as_datatype_enum for dtype in (*dtypes.SUPPORTED, tf.string))
_SCALARS: Final = frozenset((bool, int, float, complex))
_UNCONVERTED: Final = frozenset((*_SCALARS, EagerTensor, np.ndarray))  # classes that `_convert` leaves unchanged
_OPERANDS: Final = (np.ndarray, np.generic, list, tuple, range, int, float, complex)
_REJECTED: Final = (str, bytes, type(None), type(...), type, slice, dict, np.dtype)  # NumPy raises for them
_outside: Final = tf.compat.v1.executing_eagerly_outside_functions


def unary(name: str, function: ufunc) -> Operator:
    """Return the operator of one operand."""
    original = getattr(tf.Tensor, name, None)
    plans = function._plans

    def operate(self: Any, /) -> Any:
        if type(self) is EagerTensor:
            plan = plans.get((enum_of(self), dtypes.promotion))
            if plan is not None:
                try:
                    return plan(self)
                except TENSORFLOW_ERRORS as error:
                    return high_rank.retry_flattened(plan, (self,), error)
        if is_supported(self):
            return function(self)
        return NotImplemented if original is None else _call_original(original, self)

    return _set_name(operate, name)


def binary(name: str, function: ufunc, *, of_text: bool | None = None) -> Operator:
    """Return the operator whose left operand is the tensor.

    `of_text` is the result of `==` or `!=` for a number and a string. Compared with None, the result is TensorFlow's, a
    Python bool: programs test with it whether a tensor is missing. `==` and `!=` raise for no object, as in NumPy.
    """
    original = getattr(tf.Tensor, name, None)
    plans = function._plans

    def operate(self: Any, value: Any, /) -> Any:
        if type(self) is EagerTensor:
            value_type = type(value)
            key = enum_of(value) if value_type is EagerTensor else value_type
            plan = plans.get((enum_of(self), key, dtypes.promotion))
            if plan is not None:
                try:
                    return plan(self, value)
                except TENSORFLOW_ERRORS as error:
                    return _run_fully(function, plan, (self, value), error)
        value = _convert(value)
        if _defers_to(value):
            return NotImplemented
        if of_text is not None and original is not None:
            return compare(original, self, value)
        if _is_numpy_operator(self, value, original):
            return function(self, value)
        return NotImplemented if original is None else _call_original(original, self, value)

    def compare(original: Operator, self: Any, value: Any) -> Any:
        if value is None or not is_supported(self):
            return _call_original(original, self, value)
        if _holds_objects(value):
            return _compare_objects(name, self, value)
        if _is_mixed_with_text(self, value):
            return tf.fill(_find_common_shape(convert.to_tensor(self), convert.to_tensor(value)), of_text)
        if _is_numpy_operator(self, value, original):
            return function(self, value)
        try:
            return _call_original(original, self, value)
        except (TypeError, ValueError):
            if _is_operand(value) or has_conversion(value):
                raise
            return _compare_objects(name, self, value)

    return _set_name(operate, name)


def _defers_to(value: Any) -> bool:
    """Return whether the operator is left to the other operand's class: one that opts out of ufuncs (NEP 13), or, if it
    has no part in them, one of a higher `__array_priority__`.
    """
    cls = type(value)
    if cls in _UNCONVERTED or isinstance(value, tf.Tensor | tf.Variable):
        return False
    if hasattr(cls, "__array_ufunc__"):
        return cls.__array_ufunc__ is None
    priority = getattr(cls, "__array_priority__", None)
    return isinstance(priority, int | float) and priority > tf.Tensor.__array_priority__


def _holds_objects(value: Any) -> bool:
    """Return whether NumPy would make an array of objects of a value, or of another dtype that no tensor has."""
    if type(value) in _SCALARS or isinstance(value, str | bytes) or convert.contains_tensor(value):
        return False
    if isinstance(value, _REJECTED):
        return True
    if isinstance(value, list | tuple):
        try:
            value = np.asarray(value)
        except ValueError:  # of lists of several lengths, which NumPy raises, too
            return False
    if not isinstance(value, np.ndarray | np.generic):
        return False
    return dtypes.to_tf_dtype(value.dtype) is None and not text.is_text(value)


def _compare_objects(name: str, self: Any, value: Any) -> Any:
    """Compare a tensor with objects that no tensor holds: each element by Python's own comparison, as in NumPy.

    The elements of a graph's tensor have no values, so that none is equal to anything but a number.
    """
    tensor = _read_value(self)
    if type(tensor) is EagerTensor:
        result = getattr(operator, name)(np.asarray(tensor.numpy()), value)
        return tf.constant(result) if isinstance(result, bool | np.bool_ | np.ndarray) else result
    if isinstance(value, Number) and not isinstance(value, np.timedelta64):
        raise TypeError(f"a tensor of a graph cannot be compared with a {type(value).__name__}: convert it to float")
    if isinstance(value, np.dtype):  # which compares itself with the dtype of anything that has one
        return name == "__ne__"
    return NotImplemented


def reflected(name: str, function: ufunc) -> Operator:
    """Return the operator whose right operand is the tensor."""
    original = getattr(tf.Tensor, name, None)
    plans = function._plans

    def operate(self: Any, value: Any, /) -> Any:
        if type(self) is EagerTensor and type(value) in _SCALARS:
            plan = plans.get((type(value), enum_of(self), dtypes.promotion))
            if plan is not None:
                return plan(value, self)
        value = _convert(value)
        if _defers_to(value):
            return NotImplemented
        if _is_numpy_operator(self, value, original):
            return function(value, self)
        return NotImplemented if original is None else _call_original(original, self, value)

    return _set_name(operate, name)


def division(divide: Operator) -> Operator:
    """Return the operator `/`. Integers of 8 and 16 bits give float64, as in NumPy, but TensorFlow's float32 in
    TensorFlow's and Keras's own code.
    """
    original = getattr(tf.Tensor, divide.__name__)

    def operate(self: Any, value: Any, /) -> Any:
        enum = enum_of(self) if type(self) is EagerTensor else self.dtype.as_datatype_enum
        if enum in _SMALL_INTEGERS and is_called_by_framework():
            return _call_original(original, self, value)
        return divide(self, value)

    return _set_name(operate, divide.__name__)


_SMALL_INTEGERS: Final = frozenset(dtype.as_datatype_enum for dtype in (tf.int8, tf.int16, tf.uint8, tf.uint16))


def power(raised: Operator, square: Operator, root: Operator) -> Operator:
    """Return the operator `**`, which uses the square root for 0.5 and the square for 2, as NumPy does.

    The square of bools is int8. There is no third operand, the modulus.
    """

    def operate(self: Any, value: Any, mod: Any = None, /) -> Any:
        if mod is not None:
            return NotImplemented
        if type(value) is float and value == 0.5 and (self.dtype.is_floating or self.dtype.is_complex):
            return root(self)
        if type(value) is int and value == 2 and _is_squared(self.dtype):
            return square(self)
        return raised(self, value)

    return _set_name(operate, raised.__name__)


def _is_squared(dtype: tf.DType) -> bool:
    return dtype.is_floating or dtype.is_complex or (dtype == tf.bool and dtypes.promotion.mode == "legacy")


def reflected_power(raised: Operator) -> Operator:
    """Return the operator `**` whose right operand is the tensor."""

    def operate(self: Any, value: Any, mod: Any = None, /) -> Any:
        return raised(self, value) if mod is None else NotImplemented

    return _set_name(operate, raised.__name__)


def in_place(name: str, function: ufunc) -> Operator:
    """Return the operator that writes to its left operand, a variable, with NumPy's same-kind casting."""

    def operate(self: Any, value: Any, /) -> Any:
        value = _convert(value)
        if is_supported(self) and _is_operand(value):
            check_update(self)
            return function(self, value, out=self)
        return NotImplemented

    return _set_name(operate, name)


def rebinding(operate: Operator, function: ufunc) -> Operator:
    """Return the operator `tensor += value`, which gives a new tensor of the old one's dtype and shape.

    As in NumPy, the result is cast by the rule "same_kind", and has no larger shape. Where that is an error,
    TensorFlow's and Keras's own code, which was written for `tensor = tensor + value`, is given that result. Dimensions
    that a graph does not know are not compared. In the promotion modes that are TensorFlow's, so is this operator.
    """

    def update(self: Any, value: Any, /) -> Any:
        result = operate(self, value)
        if type(result) is EagerTensor and type(self) is EagerTensor:
            if enum_of(result) == enum_of(self) and shape_of(result) == shape_of(self):
                return result
        elif not isinstance(result, tf.Tensor):
            return result
        if dtypes.promotion.mode != "legacy" or not is_supported(self):
            return result
        try:
            return _keep_form(self, result, function.__name__)
        except (TypeError, ValueError):
            if is_called_by_framework():
                return result
            raise

    return _set_name(update, operate.__name__)


def _keep_form(tensor: tf.Tensor, result: tf.Tensor, name: str) -> tf.Tensor:
    """Return a result in the tensor's dtype. Raise NumPy's error for a cast of another kind, or another shape."""
    if result.dtype != tensor.dtype:
        source, target = dtypes.as_numpy(result.dtype), dtypes.as_numpy(tensor.dtype)
        dtypes.check_cast(source, target, "same_kind", f"ufunc {name!r} output")
    if not tensor.shape.is_compatible_with(result.shape):
        raise ValueError(
            f"non-broadcastable output operand with shape {tensor.shape} doesn't match the broadcast shape "
            f"{result.shape}"
        )
    return convert.cast(result, tensor.dtype)


def is_called_by_framework() -> bool:
    """Return whether TensorFlow's or Keras's own code uses the operator that asks.

    Only the caller's frame shows it: their code, which was written for TensorFlow's operators, can set no variable.
    """
    frame: FrameType | None = sys._getframe(2)
    while frame is not None and frame.f_globals.get("__name__") == __name__:
        frame = frame.f_back
    return frame is not None and str(frame.f_globals.get("__name__")).partition(".")[0] in ("tensorflow", "keras")


def is_supported(array: Any) -> bool:
    """Return whether a tensor or variable has NumPy's operators: by its dtype, and not in a graph of TensorFlow 1."""
    if type(array) is EagerTensor:
        return enum_of(array) in SUPPORTED
    return array.dtype.as_datatype_enum in SUPPORTED and _outside()


def _is_numpy_operator(self: Any, value: Any, original: Operator | None) -> bool:
    """Return whether the operator is NumPy's, which may raise.

    TensorFlow's operator converts arrays and lists to the dtype of the tensor. It is used in mode `off`, and for lists
    in TensorFlow's and Keras's own code, where `[1] + tf.shape(x)` is a shape.
    """
    if not is_supported(self):
        return False
    is_list = isinstance(value, list | tuple)
    if original is not None and (is_list or isinstance(value, np.ndarray | np.generic)):
        is_tensorflows = dtypes.promotion.mode == "off" or (is_list and is_called_by_framework())
        return not is_tensorflows and _is_operand(value)
    return _is_operand(value)


def _convert(value: Any) -> Any:
    """Apply TensorFlow's conversion to a tensor, as for a `keras.Variable`.

    Return values that it rejects, such as symbolic inputs of Keras: they may define the operator.
    """
    if type(value) in _UNCONVERTED:
        return value
    try:
        return apply_conversion(value)
    except (TypeError, ValueError):
        if isinstance(value, np.ndarray):  # of a subclass whose meaning a tensor would lose
            raise
        return value


def _is_operand(value: Any) -> bool:
    if type(value) in _SCALARS or isinstance(value, _OPERANDS + _REJECTED):
        return True
    return isinstance(value, tf.Tensor | tf.Variable) and value.dtype.as_datatype_enum in SUPPORTED


def _run_fully(function: ufunc, plan: Operator, args: tuple[Any, Any], error: Exception) -> Any:
    """Call again after a plan has failed, to raise NumPy's error or to flatten operands of high rank."""
    return high_rank.retry_flattened(plan, args, error) if function.signature is None else function(*args)


def _is_mixed_with_text(self: Any, value: Any) -> bool:
    """Return whether one operand is text and the other is none."""
    is_text = _is_text(value)
    return is_text is not None and is_text != (self.dtype == tf.string)


def _find_common_shape(*tensors: tf.Tensor) -> Any:
    """Return the shape to which tensors broadcast. Raise NumPy's ValueError if they do not."""
    if any(tensor.shape.rank is None for tensor in tensors):
        return tf.broadcast_dynamic_shape(*map(tf.shape, tensors))
    return shapes.shape_tensor(shapes.broadcast_shapes(*map(shapes.shape, tensors)))


def _is_text(value: Any) -> bool | None:
    """Return whether a value is text; None for what is neither text nor numbers."""
    if isinstance(value, str | bytes):
        return True
    if isinstance(value, tf.Tensor | tf.Variable):
        return bool(value.dtype == tf.string)
    if isinstance(value, list | tuple):
        return _is_text(value[0]) if value else None
    kind = value.dtype.kind if isinstance(value, np.ndarray | np.generic) else "i" if type(value) in _SCALARS else "O"
    return None if kind == "O" else kind in "UST"


def _call_original(original: Operator, self: Any, *value: Any) -> Any:
    """Call TensorFlow's operator."""
    return original(_read_value(self), *value)


def _read_value(array: Any) -> Any:
    return array.value() if isinstance(array, tf.Variable) else array


def _set_name(operate: Operator, name: str) -> Operator:
    operate.__name__ = operate.__qualname__ = name
    return operate
