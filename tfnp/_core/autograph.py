"""AutoGraph: functions of this package are not converted, since they contain no control flow of the user.

TensorFlow has a public decorator for this, `tf.autograph.experimental.do_not_convert`. It would cost each call another
Python frame, and keep AutoGraph from converting functions of the user that we call.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from types import FunctionType
from typing import Any

import tensorflow as tf
from tensorflow.python.autograph.operators import py_builtins


def leave_unconverted(objects: Iterable[Any]) -> None:
    """Mark functions and classes of this package as AutoGraph marks its own output, which it does not convert again.

    Of classes, methods are marked, and the class itself if its objects can be called.
    """
    for value in objects:
        if isinstance(value, FunctionType) and value.__module__.startswith("tfnp."):
            value.autograph_info__ = {}  # type: ignore[attr-defined]
        elif isinstance(value, classmethod | staticmethod):
            leave_unconverted([value.__func__])
        elif isinstance(value, type) and value.__module__.startswith("tfnp."):
            for owner in value.__mro__:
                _leave_methods_unconverted(owner)


def _leave_methods_unconverted(owner: type) -> None:
    if not owner.__module__.startswith("tfnp."):
        return
    leave_unconverted(member for member in vars(owner).values() if not isinstance(member, type))
    if "__call__" in vars(owner):
        owner.autograph_info__ = {}  # type: ignore[attr-defined]


def register_length(cls: type, get_length: Callable[[Any], Any]) -> None:
    """Have AutoGraph call a function instead of `len` for objects of a class, whose result may be symbolic."""
    py_builtins.len_registry.register(cls, get_length)


def convert_user_function(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function of the user; in a graph, as AutoGraph converts it in the function that called us."""
    if tf.executing_eagerly():
        return function
    return tf.__internal__.autograph.tf_convert(function, tf.__internal__.autograph.control_status_ctx())
