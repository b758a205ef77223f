"""Operators: from two operands to the plan of a ufunc in one Python frame, and to TensorFlow where NumPy has no say.

NumPy has none where an operand holds no numbers (strings, resources, what is only stored), is of a class of its own
(ragged and sparse tensors, Keras's), or belongs to a graph of TensorFlow 1's. There, what TensorFlow does is done.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np
import tensorflow as tf

from tfnp._core import dtypes, high_rank
from tfnp._core.convert import EagerTensor, enum_of
from tfnp._core.errors import TENSORFLOW_ERRORS
from tfnp._core.tensor_conversion import apply_conversion
from tfnp._core.ufunc.dispatch import ufunc
from tfnp._core.variables import check_update

Operator = Callable[..., Any]
NUMERIC: Final = frozenset(dtype.as_datatype_enum for dtype in dtypes.SUPPORTED)
_SCALARS: Final = frozenset((bool, int, float, complex))
_PLAIN: Final = frozenset((*_SCALARS, EagerTensor, np.ndarray))  # which nothing need be converted to meet
_OPERANDS: Final = (np.ndarray, np.generic, list, tuple, range, int, float, complex)
_REFUSED: Final = (str, bytes, type(None), type(...), type, slice, dict, np.dtype)  # by NumPy, with its own errors
_outside: Final = tf.compat.v1.executing_eagerly_outside_functions


def unary(name: str, function: ufunc) -> Operator:
    """The operator of one operand."""
    theirs = getattr(tf.Tensor, name, None)
    plans = function._plans

    def operate(self: Any, /) -> Any:
        if type(self) is EagerTensor:
            plan = plans.get((enum_of(self), dtypes.promotion))
            if plan is not None:
                try:
                    return plan(self)
                except TENSORFLOW_ERRORS as error:
                    return high_rank.retry_flattened(plan, (self,), error)
        if holds_numbers(self):
            return function(self)
        return NotImplemented if theirs is None else _ask(theirs, self)

    return _named(operate, name)


def binary(name: str, function: ufunc, *, of_text: bool | None = None) -> Operator:
    """The operator whose left operand is the tensor. `==` and `!=` of numbers and texts are `of_text` everywhere, and
    of None they are TensorFlow's, one Python bool: code that knows nothing of NumPy asks so whether there is a tensor.
    """
    theirs = getattr(tf.Tensor, name, None)
    plans = function._plans

    def operate(self: Any, value: Any, /) -> Any:
        if type(self) is EagerTensor:
            kind = type(value)
            key = enum_of(value) if kind is EagerTensor else kind
            plan = plans.get((enum_of(self), key, dtypes.promotion))
            if plan is not None:
                try:
                    return plan(self, value)
                except TENSORFLOW_ERRORS as error:
                    return _run_fully(function, plan, (self, value), error)
        value = _convert(value)
        if of_text is not None and theirs is not None:
            if value is None:
                return theirs(_value(self), value)
            if _is_text(value) and holds_numbers(self):
                return tf.fill(tf.broadcast_dynamic_shape(tf.shape(_value(self)), tf.shape(value)), of_text)
        if _is_numpys(self, value, theirs):
            return function(self, value)
        return NotImplemented if theirs is None else _ask(theirs, self, value)

    return _named(operate, name)


def reflected(name: str, function: ufunc) -> Operator:
    """The operator whose right operand is the tensor."""
    theirs = getattr(tf.Tensor, name, None)
    plans = function._plans

    def operate(self: Any, value: Any, /) -> Any:
        if type(self) is EagerTensor and type(value) in _SCALARS:
            plan = plans.get((type(value), enum_of(self), dtypes.promotion))
            if plan is not None:
                return plan(value, self)
        value = _convert(value)
        if _is_numpys(self, value, theirs):
            return function(value, self)
        return NotImplemented if theirs is None else _ask(theirs, self, value)

    return _named(operate, name)


def power(raised: Operator, square: Operator, root: Operator) -> Operator:
    """`**`: by 0.5 NumPy takes the root, by 2 the square, of truths too, which makes them bytes. Python may give a
    modulus, NumPy takes none.
    """

    def operate(self: Any, value: Any, mod: Any = None, /) -> Any:
        if mod is not None:
            return NotImplemented
        if type(value) is float and value == 0.5 and (self.dtype.is_floating or self.dtype.is_complex):
            return root(self)
        if type(value) is int and value == 2 and _is_squared(self.dtype):
            return square(self)
        return raised(self, value)

    return _named(operate, raised.__name__)


def _is_squared(dtype: tf.DType) -> bool:
    return dtype.is_floating or dtype.is_complex or (dtype == tf.bool and dtypes.promotion.mode == "legacy")


def reflected_power(raised: Operator) -> Operator:
    """`**` of what is no tensor by a tensor."""

    def operate(self: Any, value: Any, mod: Any = None, /) -> Any:
        return raised(self, value) if mod is None else NotImplemented

    return _named(operate, raised.__name__)


def in_place(name: str, function: ufunc) -> Operator:
    """The operator that writes to its left operand, a variable: what NumPy would not cast to its dtype is refused."""

    def operate(self: Any, value: Any, /) -> Any:
        value = _convert(value)
        if holds_numbers(self) and _is_operand(value):
            check_update(self)
            return function(self, value, out=self)
        return NotImplemented

    return _named(operate, name)


def holds_numbers(array: Any) -> bool:
    """Whether NumPy says what the operators of this tensor or variable mean."""
    if type(array) is EagerTensor:
        return enum_of(array) in NUMERIC
    return array.dtype.as_datatype_enum in NUMERIC and _outside()


def _is_numpys(self: Any, value: Any, theirs: Operator | None) -> bool:
    """Whether NumPy says what the operator means, be it that something is wrong.

    Where no dtypes are converted, what is no tensor becomes one of the tensor's dtype, as TensorFlow has it.
    """
    if not holds_numbers(self):
        return False
    if (
        dtypes.promotion.mode == "off"
        and theirs is not None
        and isinstance(value, np.ndarray | np.generic | list | tuple)
    ):
        return False
    return _is_operand(value)


def _convert(value: Any) -> Any:
    """Return the tensor of what TensorFlow converts, as of a `keras.Variable`. What it refuses to convert, such as a
    symbolic input of Keras, stays what it is: it may know the operator itself.
    """
    if type(value) in _PLAIN:
        return value
    try:
        return apply_conversion(value)
    except (TypeError, ValueError):
        return value


def _is_operand(value: Any) -> bool:
    if type(value) in _SCALARS or isinstance(value, _OPERANDS + _REFUSED):
        return True
    return isinstance(value, tf.Tensor | tf.Variable) and (
        value.dtype.as_datatype_enum in NUMERIC or value.dtype == tf.string
    )


def _run_fully(function: ufunc, plan: Operator, args: tuple[Any, Any], error: Exception) -> Any:
    """After a plan failed: what is wrong with a product's shapes, the ufunc says."""
    return high_rank.retry_flattened(plan, args, error) if function.signature is None else function(*args)


def _is_text(value: Any) -> bool:
    return isinstance(value, str | bytes) or (isinstance(value, tf.Tensor | tf.Variable) and value.dtype == tf.string)


def _ask(theirs: Operator, self: Any, *value: Any) -> Any:
    """What TensorFlow says. That it cannot calculate with texts is an error of types."""
    try:
        return theirs(_value(self), *value)
    except TENSORFLOW_ERRORS as error:
        if self.dtype == tf.string:
            raise TypeError(error.message) from None
        raise


def _value(array: Any) -> Any:
    return array.value() if isinstance(array, tf.Variable) else array


def _named(operate: Operator, name: str) -> Operator:
    operate.__name__ = operate.__qualname__ = name
    return operate
