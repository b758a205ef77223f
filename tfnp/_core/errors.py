"""NumPy's exceptions, and the translation of TensorFlow's.

Where static shapes or dtypes show an error, a routine raises NumPy's class itself. Other errors come from TensorFlow
when an op runs, and are translated once: by `ufunc.__call__`, or by the decorator `numpy_errors`.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, Final, ParamSpec, TypeVar

import tensorflow as tf
from numpy.exceptions import AxisError, ComplexWarning, DTypePromotionError

__all__ = ["TENSORFLOW_ERRORS", "AxisError", "ComplexWarning", "DTypePromotionError", "as_numpy_error", "numpy_errors"]

P = ParamSpec("P")
R = TypeVar("R")

TENSORFLOW_ERRORS: Final = (
    tf.errors.InvalidArgumentError,
    tf.errors.OutOfRangeError,
    tf.errors.FailedPreconditionError,
    tf.errors.UnimplementedError,
    tf.errors.NotFoundError,
    tf.errors.InternalError,
)
_TYPE_ERRORS: Final = ("but received a", "could not find device for node", "No OpKernel", "cannot compute")
_INDEX_ERRORS: Final = ("out of bounds", "is not in [", "out of range", "index out of")


def as_numpy_error(error: Exception) -> Exception:
    """Return the exception that NumPy would raise: TypeError for dtypes, IndexError for indices, else ValueError."""
    message = str(getattr(error, "message", error)).partition(" [Op:")[0]
    if isinstance(error, tf.errors.NotFoundError) or any(part in message for part in _TYPE_ERRORS):
        return TypeError(message)
    if isinstance(error, tf.errors.UnimplementedError):
        return NotImplementedError(message)
    if isinstance(error, tf.errors.InternalError | tf.errors.FailedPreconditionError):
        return RuntimeError(message)
    if any(part in message for part in _INDEX_ERRORS):
        return IndexError(message)
    return ValueError(message)


def numpy_errors(function: Callable[P, R]) -> Callable[P, R]:
    """Translate TensorFlow's errors, which ops of the decorated function raise in eager mode."""

    @functools.wraps(function)
    def translate(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return function(*args, **kwargs)
        except TENSORFLOW_ERRORS as error:
            raise as_numpy_error(error) from None

    return translate


def requires_static(argument: str, function: str | None = None) -> TypeError:
    """Return the error for an argument of a function that has no value while `tf.function` traces it."""
    where = "" if function is None else f"{function}: "
    return TypeError(
        f"{where}{argument} must be static inside tf.function: pass a Python value or a constant, "
        "not a tensor whose value is known only when the graph runs"
    )


def requires_static_rank(argument: str, function: str | None = None) -> ValueError:
    """Return the error for a rank that is unknown while `tf.function` traces it."""
    where = "" if function is None else f"{function}: "
    return ValueError(f"{where}{argument} must be static inside tf.function: set it, as with tf.ensure_shape")


def unknown_dim_error(expected: str = "an integer") -> TypeError:
    """Return the error for None in place of a number, which most likely is an unknown dimension of a tensor."""
    return TypeError(
        f"expected {expected}, got None: in the `shape` of a tensor, None is a dimension that is unknown inside "
        "tf.function; use tfnp.shape(x), where such a dimension is a scalar tensor"
    )


def recursive_error() -> ValueError:
    """Return NumPy's error for a list that contains itself, or that is nested deeper than an array has dimensions."""
    return ValueError(
        "setting an array element with a sequence. "
        "The requested array would exceed the maximum number of dimension of 64."
    )


def check_no_unknown_dim(value: Any) -> None:
    """Raise TypeError while tracing for None, or for a sequence that contains None, where integers are needed."""
    is_unknown = value is None or (isinstance(value, list | tuple) and any(item is None for item in value))
    if is_unknown and not tf.executing_eagerly():
        raise unknown_dim_error()


def not_a_variable_error(what: str, value: Any) -> TypeError:
    """Return the error for an `out=`, or an argument of an in-place function, that is not a `tf.Variable`.

    A `keras.Variable` contains one. It is not used implicitly, since writing to it bypasses Keras's constraints.
    """
    if isinstance(getattr(value, "value", None), tf.Variable):
        return TypeError(
            f"{what} must be a tf.Variable, not {type(value).__module__}.{type(value).__name__}: pass the tf.Variable "
            "in its attribute `value`"
        )
    return TypeError(
        f"{what} must be a tf.Variable, not {type(value).__name__}: tensors are immutable, and TensorFlow does not "
        "write to NumPy arrays; pass tf.Variable(...), or use the returned tensor"
    )
