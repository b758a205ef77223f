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
    """Check an `order=` that has no effect."""
    is_columns_first(order, only_c_and_f=only_c_and_f)


def check_like(like: Any) -> None:
    """Check that `like=` is None."""
    if like is not None:
        raise TypeError("`like` must be None: only tensors are created")


def check_copy(copy: Any) -> None:
    """Check that `copy=` is a value that NumPy accepts."""
    if copy is not None and type(copy) is not bool:
        np.reshape(np.empty(1), 1, copy=copy)


def check_subok(subok: Any) -> None:
    """Check that `subok=` is a value that NumPy accepts. It has no effect: there are no subclasses."""
    if type(subok) is not bool:
        np.empty_like(0, subok=subok)


def as_bool(value: Any, name: str) -> bool:
    """Return a bool argument that decides the form of a result; a tensor must have a static value."""
    static = tf.get_static_value(value) if isinstance(value, tf.Tensor) else value
    if static is None and isinstance(value, tf.Tensor):
        raise requires_static(f"`{name}`")
    return bool(static)


def is_array(value: Any) -> bool:
    """Return whether the value is a tensor, a variable or a NumPy array or scalar."""
    return is_tensor(value) or isinstance(value, np.ndarray | np.generic)


def check_array(value: Any) -> None:
    """Check that an operand is an array already, where NumPy uses its attributes and converts no lists."""
    if isinstance(value, np.dtype):
        raise TypeError(f"{value!r} is not an array")
    if not is_array(value):
        raise AttributeError(f"{type(value).__name__!r} object has no attribute 'ndim' or 'shape': pass an array")


def as_casting(casting: Any) -> str:
    """Return the casting rule, which may be bytes, as in NumPy."""
    rule = casting.decode("latin1") if isinstance(casting, bytes) else casting
    if not isinstance(rule, str):
        raise TypeError(f"casting must be str, not {type(casting).__name__}")
    if rule not in CASTINGS:
        raise ValueError(f"casting must be one of {', '.join(map(repr, CASTINGS))} (got {casting!r})")
    return rule


def on_device(device: Any) -> AbstractContextManager[Any]:
    """Return the context of a TensorFlow device, such as NumPy's "cpu"; None leaves the choice to TensorFlow."""
    if device is None:
        return nullcontext()
    if not isinstance(device, str) or not device:
        raise ValueError(f"no such device: {device!r}")
    try:
        return tf.device(device)
    except (tf.errors.InvalidArgumentError, AttributeError) as error:
        raise ValueError(f"no such device: {device!r}") from error
