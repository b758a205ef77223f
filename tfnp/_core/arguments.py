"""Arguments that many functions have, checked as NumPy checks them: `order=`, `like=`, `casting=`, `device=`.

Tensors are always in C order, so that `order=` matters only where elements are read one after another.
"""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from typing import Any, Final

import numpy as np
import tensorflow as tf

from tfnp._core.errors import requires_static
from tfnp._core.tensor_conversion import is_tensor

CASTINGS: Final = ("no", "equiv", "safe", "same_kind", "unsafe")


def is_columns_first(order: Any, *, only_c_and_f: bool = False) -> bool:
    """Return whether `order=` is Fortran order. Raise NumPy's error for an invalid one.

    A and K keep the layout of the operand, which is C. `only_c_and_f` rejects them.
    """
    if order == "C" and type(order) is str:
        return False
    if only_c_and_f:
        np.empty(0, order=order)
    else:
        np.ravel(0, order=order)
    return order in ("F", "f")


def check_order(order: Any, *, only_c_and_f: bool = False) -> None:
    """Raise NumPy's error for an invalid `order=`, which otherwise has no effect."""
    is_columns_first(order, only_c_and_f=only_c_and_f)


def check_like(like: Any) -> None:
    """Raise TypeError if `like=` is not None."""
    if like is not None:
        raise TypeError(f"`like` must be None, got {type(like).__name__}: the result is always a tensor")


def check_copy(copy: Any) -> None:
    """Raise NumPy's error for a `copy=` that it does not accept."""
    if copy is not None and type(copy) is not bool:
        np.reshape(np.empty(1), 1, copy=copy)


def check_subok(subok: Any) -> None:
    """Raise NumPy's error for a `subok=` that it does not accept. It has no effect: there are no subclasses."""
    if type(subok) is not bool:
        np.empty_like(0, subok=subok)


def as_bool(value: Any, name: str) -> bool:
    """Return an argument on which the structure of a result depends as a bool; a tensor must have a static value."""
    static = tf.get_static_value(value) if isinstance(value, tf.Tensor) else value
    if static is None and isinstance(value, tf.Tensor):
        raise requires_static(f"`{name}`")
    return bool(static)


def is_array(value: Any) -> bool:
    """Return whether the value is a tensor, a variable or a NumPy array or scalar."""
    return is_tensor(value) or isinstance(value, np.ndarray | np.generic)


def check_array(value: Any) -> None:
    """Raise AttributeError, as NumPy does in functions that do not convert lists, for what is not an array."""
    if isinstance(value, np.dtype):
        raise TypeError(f"{value!r} is not an array")
    if not is_array(value):
        raise AttributeError(f"{type(value).__name__!r} object has no attribute 'ndim' or 'shape': pass an array")


def as_casting(casting: Any) -> str:
    """Return the casting rule as a str. As in NumPy, it may be bytes."""
    rule = casting.decode("latin1") if isinstance(casting, bytes) else casting
    if not isinstance(rule, str):
        raise TypeError(f"casting must be a str, not {type(casting).__name__}")
    if rule not in CASTINGS:
        raise ValueError(f"casting must be one of {', '.join(map(repr, CASTINGS))} (got {casting!r})")
    return rule


def on_device(device: Any) -> AbstractContextManager[Any]:
    """Return the context of a TensorFlow device; for None, one in which TensorFlow chooses the device."""
    if device is None:
        return nullcontext()
    message = f"device must be the name of a TensorFlow device, such as 'cpu' or 'GPU:0', got {device!r}"
    if not isinstance(device, str) or not device:
        raise ValueError(message)
    try:
        return tf.device(device)
    except (tf.errors.InvalidArgumentError, AttributeError, ValueError) as error:
        raise ValueError(message) from error
