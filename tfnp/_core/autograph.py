"""AutoGraph: functions of this package are not converted, since they contain no control flow of the user.

TensorFlow has a public decorator for this, `tf.autograph.experimental.do_not_convert`. It would cost each call another
Python frame, and keep AutoGraph from converting functions of the user that we call.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from types import FunctionType
from typing import Any

import tensorflow as tf

from tfnp._core.tensorflow_internals import ag_ctx, conditional_expressions, control_flow, logical, py_builtins


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


def convert_program(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function as AutoGraph converts it, in a `tf.function` that is not converted.

    One that is not converted itself, as those of this package, calls functions of the user, which are.
    """
    enabled = ag_ctx.ControlStatusCtx(status=ag_ctx.Status.ENABLED)
    converted = tf.__internal__.autograph.tf_convert(function, enabled)

    def call(*args: Any, **kwargs: Any) -> Any:
        with ag_ctx.ControlStatusCtx(status=ag_ctx.Status.ENABLED):
            return converted(*args, **kwargs)

    return call


run_python_for = control_flow._py_for_stmt
run_tensor_for = control_flow._tf_range_for_stmt


def register_for(cls: type, run: Callable[..., None]) -> None:
    """Have AutoGraph call a function for each `for` over objects of a class."""
    control_flow.for_loop_registry.register(cls, run)


def register_range(cls: type, make_range: Callable[..., Any]) -> None:
    """Have AutoGraph call a function instead of `range` for arguments of which one is of a class."""
    original = py_builtins.BUILTIN_FUNCTIONS_MAP["range"]

    def range_(*args: Any) -> Any:
        return make_range(*args) if any(isinstance(arg, cls) for arg in args) else original(*args)

    py_builtins.BUILTIN_FUNCTIONS_MAP["range"] = range_


def register_extremes(cls: type, choose: Callable[..., Any]) -> None:
    """Have AutoGraph call `choose(is_max, *values)` instead of `max` and `min` of values of which one is of a class."""
    for function in (max, min):
        py_builtins.BUILTIN_FUNCTIONS_MAP[function.__name__] = functools.partial(_find_extreme, function, cls, choose)
        py_builtins.SUPPORTED_BUILTINS += (function,)


def _find_extreme(function: Any, cls: type, choose: Callable[..., Any], *values: Any, **options: Any) -> Any:
    if len(values) > 1 and not options and any(isinstance(value, cls) for value in values):
        return choose(function is max, *values)
    return function(*values, **options)


def replace_operator(name: str, run: Callable[..., Any]) -> None:
    """Have AutoGraph call a function for a statement or an operator, with that which it called before as the first
    argument.
    """
    module = next(module for module in (control_flow, logical, conditional_expressions) if hasattr(module, name))
    original = getattr(module, name)

    @functools.wraps(original)
    def call(*args: Any, **kwargs: Any) -> Any:
        return run(original, *args, **kwargs)

    setattr(module, name, call)
