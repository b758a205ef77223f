"""NumPy's exceptions, and what TensorFlow's become at the edge.

Where a routine can tell an error from static shapes or dtypes, it raises NumPy's class itself. What is left comes out
of TensorFlow when an op runs, and is translated once, at the edge: by `ufunc.__call__`, or by `numpy_errors` around a
routine.
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
    """The exception NumPy would raise: TypeError for dtypes, IndexError for indices, ValueError for all else."""
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
    """Around a routine whose ops check values at run time: what they raise in eager becomes NumPy's."""

    @functools.wraps(function)
    def edge(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return function(*args, **kwargs)
        except TENSORFLOW_ERRORS as error:
            raise as_numpy_error(error) from None

    return edge


def checked(result: tf.Tensor, is_valid: tf.Tensor, error: Exception) -> tf.Tensor:
    """The result, if a truth holds: else the error, which in a graph is TensorFlow's and comes when that runs."""
    if tf.executing_eagerly():
        if not is_valid:
            raise error
        return result
    with tf.control_dependencies([tf.debugging.Assert(is_valid, [str(error)])]):
        return tf.identity(result)


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


def unknown_dim_error() -> TypeError:
    """For None where a number is needed while tracing: most likely a dimension that is unknown there."""
    return TypeError(
        "None is no number, and TensorFlow has no dtype object: in the shape of a tensor it stands for a dimension "
        "that is unknown while tracing; use "
        "tfnp.shape(x), which has a tensor in its place"
    )


def check_no_unknown_dim(value: Any) -> None:
    """Raise while tracing for None, or for a sequence that holds None, where numbers are needed."""
    is_unknown = value is None or (isinstance(value, list | tuple) and any(item is None for item in value))
    if is_unknown and not tf.executing_eagerly():
        raise unknown_dim_error()


def not_a_variable_error(what: str, value: Any) -> TypeError:
    """For `out=` and in-place functions, which need what can change: a `tf.Variable`, and no object that holds one. A
    `keras.Variable` has ways of its own to be written, such as constraints, which these would pass by unseen.
    """
    if isinstance(getattr(value, "value", None), tf.Variable):
        return TypeError(
            f"{what} must be a tf.Variable, not {type(value).__module__}.{type(value).__name__}: pass the "
            "tf.Variable that it holds, its attribute `value`"
        )
    return TypeError(
        f"{what} must be a tf.Variable, not {type(value).__name__}: tensors never change, and NumPy's arrays are not "
        "TensorFlow's to write; pass tf.Variable(...), or use the returned tensor"
    )
