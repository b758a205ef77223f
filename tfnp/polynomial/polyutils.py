"""Utilities for polynomials, under NumPy's names."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import tensorflow as tf

from tfnp._core import convert, dtypes, dynamic_size, shapes
from tfnp._core.convert import to_tensor
from tfnp._core.edge import array_function
from tfnp._core.parameters import ArrayLike, ShapeLike
from tfnp._core.tensor_conversion import is_tensor
from tfnp.polynomial.arithmetic import as_operand, minus, over, plus, times
from tfnp.polynomial.coefficients import as_series_list, get_length, resize, trim
from tfnp.routines.math import ufuncs

__all__ = ["as_series", "format_float", "getdomain", "mapdomain", "mapparms", "trimcoef", "trimseq"]


def as_series(alist: Iterable[Any], trim: bool = True) -> list[tf.Tensor]:
    """Return tensors of one inexact dtype. Trailing zeros are trimmed only where values are static, as they are in
    eager mode.
    """
    return as_series_list(*alist, trim=bool(trim))


def trimseq(seq: ArrayLike) -> Any:
    """Return a list for a list, a tensor for an array. In a graph the length depends on values, which XLA does not
    support.
    """
    if is_tensor(seq) or isinstance(seq, np.ndarray):
        tensor = to_tensor(seq)
        return tensor if tensor.shape[0] == 0 else trim(tensor)
    indices = [index for index, item in enumerate(seq) if item != 0]
    return seq[: indices[-1] + 1 if indices else 1]


@array_function(promotes=("c",), traces=("c",))
def trimcoef(c: ArrayLike, tol: ArrayLike = 0, *, size: ShapeLike | None = None) -> tf.Tensor:
    """In a graph the length depends on values, which XLA does not support. With `size`, a keyword of tfnp's own, the
    result has that many coefficients.
    """
    if tol < 0:
        raise ValueError("tol must be non-negative")
    (c,) = as_series_list(c)
    values, limit = convert.static_value(c), convert.static_value(tol)
    if size is None and values is not None and limit is not None:
        significant = np.flatnonzero(np.abs(values) > limit)
        return c[: significant[-1] + 1] if significant.size else _shrink(c[:1], limit)
    is_significant = ufuncs.greater(ufuncs.absolute(c), tol)
    last = tf.reduce_max(tf.cast(is_significant, tf.int32) * tf.range(1, tf.size(c) + 1))
    is_in_range = tf.less(tf.range(tf.size(c)), last)
    zeros = resize(_shrink(c[:1], limit), get_length(c))  # keeps the sign of a zero, or nan
    masked = tf.where(is_in_range, c, zeros)
    if size is None and c.shape[0] == 1:
        return masked
    if size is None:
        dynamic_size.check_not_for_xla()
        return dynamic_size.data_dependent(masked[: tf.maximum(last, 1)])
    return trim(masked, size)


def _shrink(c: tf.Tensor, limit: Any) -> tf.Tensor:
    """Return a coefficient within the tolerance, times 0. With none it is 0 or nan, and keeps its gradient."""
    return times(c, 0) if limit is None or limit else c


@array_function(promotes=("x",), traces=("x",))
def getdomain(x: ArrayLike) -> tf.Tensor:
    """Return a tensor of two elements."""
    (x,) = as_series_list(x, trim=False)
    if x.dtype.is_complex:
        real, imaginary = tf.math.real(x), tf.math.imag(x)
        ends = [tf.complex(end(real), end(imaginary)) for end in (_find_min, _find_max)]
        return convert.cast(tf.stack(ends), tf.complex128)
    return tf.stack([_find_min(x), _find_max(x)])


def _find_min(x: tf.Tensor) -> tf.Tensor:
    return ufuncs.minimum.reduce(x)


def _find_max(x: tf.Tensor) -> tf.Tensor:
    return ufuncs.maximum.reduce(x)


def mapparms(old: ArrayLike, new: ArrayLike) -> tuple[Any, Any]:
    """Return Python numbers for Python numbers, else tensors."""
    (a, b), (c, d) = split_domain(old), split_domain(new)
    width = minus(b, a)
    return over(minus(times(b, c), times(a, d)), width), over(minus(d, c), width)


def split_domain(domain: ArrayLike) -> tuple[Any, Any]:
    """Return the first two elements of a domain. Raise TypeError or IndexError if there are none."""
    if isinstance(domain, list | tuple):
        if any(isinstance(end, list | tuple) for end in domain[:2]):
            raise TypeError("domain must be two scalars")
        return as_operand(domain[0]), as_operand(domain[1])
    is_double = isinstance(domain, np.ndarray) and domain.dtype == np.float64
    if is_double and dtypes.promotion.mode == "off" and domain.shape == (2,) and domain[0] != domain[1]:
        return tuple(domain.tolist())  # Python floats combine with any dtype
    if is_double and domain.shape == (2,):
        low, high = domain.tolist()  # a list becomes the default float
        return to_tensor(low), to_tensor(high)
    tensor = to_tensor(domain.tolist() if is_double else domain)
    if shapes.rank(tensor) == 0:
        raise (IndexError if hasattr(domain, "dtype") else TypeError)("domain must have two elements, got a scalar")
    if tensor.shape[0] in {0, 1}:
        raise IndexError("index 1 is out of bounds: domain must have two elements")
    return tuple(tf.unstack(tensor)) if tensor.shape[0] == 2 else (tensor[0], tensor[1])


@array_function(promotes=("x",), traces=("x",))
def mapdomain(x: ArrayLike, old: ArrayLike, new: ArrayLike) -> Any:
    """Return a Python number for Python numbers, else a tensor."""
    x = as_operand(x)
    off, scl = mapparms(old, new)
    return plus(off, times(scl, x))


@array_function(promotes=("x",), traces=("x",))
def format_float(x: ArrayLike, parens: bool = False) -> str:
    """A tensor must have a static value."""
    return np.polynomial.polyutils.format_float(convert.static_value(x), parens)
