"""Arguments that every other function has, checked as NumPy checks them: `order=`, `like=`, `casting=`, `device=`.

A tensor has one layout, rows first, so that an order matters only to what reads elements one after another.
"""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from typing import Any, Final

import numpy as np
import tensorflow as tf

from tfnp._core.tensor_conversion import is_tensor

CASTINGS: Final = ("no", "equiv", "safe", "same_kind", "unsafe")


def is_columns_first(order: Any, *, of_two: bool = False) -> bool:
    """Whether an order reads the first axis fastest. Raises what NumPy raises for what is no order.

    A and K ask for the layout at hand, which is rows first. Where only C and F make sense, `of_two` refuses the others.
    """
    if order == "C" and type(order) is str:
        return False
    if of_two:
        np.empty(0, order=order)
    else:
        np.ravel(0, order=order)
    return order in ("F", "f")


def check_order(order: Any, *, of_two: bool = False) -> None:
    """Accept an order that has no effect, and refuse what is none."""
    is_columns_first(order, of_two=of_two)


def check_like(like: Any) -> None:
    if like is not None:
        raise TypeError("`like` must be None: there is no other array type to make here")


def check_copy(copy: Any) -> None:
    """True, False, None, or what NumPy takes for one of them."""
    if copy is not None and type(copy) is not bool:
        np.reshape(np.empty(1), 1, copy=copy)


def check_subok(subok: Any) -> None:
    """True, False, or what NumPy takes for one of them: there are no subclasses to pass through."""
    if type(subok) is not bool:
        np.empty_like(0, subok=subok)


def as_bool(value: Any, name: str) -> bool:
    """Whether an argument that decides the form of a result is true; a tensor must have a value by then."""
    static = tf.get_static_value(value) if isinstance(value, tf.Tensor) else value
    if static is None and isinstance(value, tf.Tensor):
        raise TypeError(f"`{name}` must be known while tracing: a Python bool, not a tensor")
    return bool(static)


def is_array(value: Any) -> bool:
    return is_tensor(value) or isinstance(value, np.ndarray | np.generic)


def check_array(value: Any) -> None:
    """Where NumPy looks for attributes of an array without making one first, a list or a number is an error."""
    if isinstance(value, np.dtype):
        raise TypeError(f"{value!r} is no array")
    if not is_array(value):
        raise AttributeError(f"{type(value).__name__!r} object has no attribute 'ndim' or 'shape': pass an array")


def as_casting(casting: Any) -> str:
    """The casting rule, which NumPy takes as bytes, too."""
    rule = casting.decode("latin1") if isinstance(casting, bytes) else casting
    if not isinstance(rule, str):
        raise TypeError(f"casting must be str, not {type(casting).__name__}")
    if rule not in CASTINGS:
        raise ValueError(f"casting must be one of {', '.join(map(repr, CASTINGS))} (got {casting!r})")
    return rule


def on_device(device: Any) -> AbstractContextManager[Any]:
    """Where to make an array: a TensorFlow device, of which NumPy's "cpu" is one; None leaves it to TensorFlow."""
    if device is None:
        return nullcontext()
    if not isinstance(device, str) or not device:
        raise ValueError(f"no such device: {device!r}")
    try:
        return tf.device(device)
    except (tf.errors.InvalidArgumentError, AttributeError) as error:
        raise ValueError(f"no such device: {device!r}") from error
