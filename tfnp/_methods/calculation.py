"""Methods that calculate: reductions, cumulative sums, products, rounding.

Each calls the function of the same name, with its keywords in `**kwargs`.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import tensorflow as tf

from tfnp._core.convert import to_tensor
from tfnp._core.parameters import ArrayLike, AxisLike, DTypeLike, IntLike, Out
from tfnp._methods.arguments import accept_names
from tfnp.routines.linear_algebra import products
from tfnp.routines.math import cumulative, reductions, rounding, ufuncs
from tfnp.routines.sorting import searching
from tfnp.routines.statistics import averages


def all(
    self: Any,
    /,
    axis: AxisLike = None,
    dtype: DTypeLike | None = None,
    out: Out = None,
    keepdims: bool = False,
    *,
    where: ArrayLike = True,
) -> tf.Tensor | tf.Variable:
    """Return `tfnp.all(self, axis, ...)`. The second argument is a dtype, which NumPy accepts but does not document."""
    return ufuncs.logical_and.reduce(self, axis, dtype, out, keepdims, where=where)


def any(
    self: Any,
    /,
    axis: AxisLike = None,
    dtype: DTypeLike | None = None,
    out: Out = None,
    keepdims: bool = False,
    *,
    where: ArrayLike = True,
) -> tf.Tensor | tf.Variable:
    """Return `tfnp.any(self, axis, ...)`. The second argument is a dtype, which NumPy accepts but does not document."""
    return ufuncs.logical_or.reduce(self, axis, dtype, out, keepdims, where=where)


def _hide_dtype(method: Callable[..., Any]) -> inspect.Signature:
    """Return the signature without `dtype`, which NumPy's methods take but do not show."""
    parameters = inspect.signature(method).parameters
    return inspect.Signature([parameter for name, parameter in parameters.items() if name != "dtype"])


# `inspect.signature` reads this attribute; typeshed knows it on no function.
all.__signature__ = _hide_dtype(all)  # type: ignore[attr-defined]
any.__signature__ = _hide_dtype(any)  # type: ignore[attr-defined]


def argmax(
    self: Any, /, axis: IntLike | None = None, out: Out = None, *, keepdims: bool = False
) -> tf.Tensor | tf.Variable:
    return searching.argmax(self, axis, out, keepdims=keepdims)


def argmin(
    self: Any, /, axis: IntLike | None = None, out: Out = None, *, keepdims: bool = False
) -> tf.Tensor | tf.Variable:
    return searching.argmin(self, axis, out, keepdims=keepdims)


def clip(
    self: Any, /, min: ArrayLike | None = None, max: ArrayLike | None = None, out: Out = None, **kwargs: Any
) -> tf.Tensor | tf.Variable:
    return rounding.clip(self, min, max, out, **kwargs)


def conj(self: Any, /) -> tf.Tensor:
    """Return the conjugate of a complex array, and any other array of numbers or booleans as it is. Text raises
    TypeError.
    """
    array = to_tensor(self)
    if array.dtype == tf.string:
        raise TypeError("cannot conjugate non-numeric dtype")
    return ufuncs.conjugate(array) if array.dtype.is_complex else array


conjugate = conj


def cumprod(
    self: Any, /, axis: IntLike | None = None, dtype: DTypeLike | None = None, out: Out = None
) -> tf.Tensor | tf.Variable:
    return cumulative.cumprod(self, axis, dtype, out)


def cumsum(
    self: Any, /, axis: IntLike | None = None, dtype: DTypeLike | None = None, out: Out = None
) -> tf.Tensor | tf.Variable:
    return cumulative.cumsum(self, axis, dtype, out)


@accept_names("b")
def dot(self: Any, other: ArrayLike, /, out: Out = None) -> tf.Tensor | tf.Variable:
    return products.dot(self, other, out)


def max(self: Any, /, axis: AxisLike = None, out: Out = None, **kwargs: Any) -> tf.Tensor | tf.Variable:
    return reductions.max(self, axis, out, **kwargs)


def mean(
    self: Any, /, axis: AxisLike = None, dtype: DTypeLike | None = None, out: Out = None, **kwargs: Any
) -> tf.Tensor | tf.Variable:
    return averages.mean(self, axis, dtype, out, **kwargs)


def min(self: Any, /, axis: AxisLike = None, out: Out = None, **kwargs: Any) -> tf.Tensor | tf.Variable:
    return reductions.min(self, axis, out, **kwargs)


def prod(
    self: Any, /, axis: AxisLike = None, dtype: DTypeLike | None = None, out: Out = None, **kwargs: Any
) -> tf.Tensor | tf.Variable:
    return reductions.prod(self, axis, dtype, out, **kwargs)


def round(self: Any, /, decimals: IntLike = 0, out: Out = None) -> tf.Tensor | tf.Variable:
    return rounding.round(self, decimals, out)


def std(
    self: Any,
    /,
    axis: AxisLike = None,
    dtype: DTypeLike | None = None,
    out: Out = None,
    ddof: ArrayLike = 0,
    **kwargs: Any,
) -> tf.Tensor | tf.Variable:
    return averages.std(self, axis, dtype, out, ddof, **kwargs)


def sum(
    self: Any, /, axis: AxisLike = None, dtype: DTypeLike | None = None, out: Out = None, **kwargs: Any
) -> tf.Tensor | tf.Variable:
    return reductions.sum(self, axis, dtype, out, **kwargs)


def trace(
    self: Any,
    /,
    offset: IntLike = 0,
    axis1: IntLike = 0,
    axis2: IntLike = 1,
    dtype: DTypeLike | None = None,
    out: Out = None,
) -> tf.Tensor | tf.Variable:
    return products.trace(self, offset, axis1, axis2, dtype, out)


def var(
    self: Any,
    /,
    axis: AxisLike = None,
    dtype: DTypeLike | None = None,
    out: Out = None,
    ddof: ArrayLike = 0,
    **kwargs: Any,
) -> tf.Tensor | tf.Variable:
    return averages.var(self, axis, dtype, out, ddof, **kwargs)
