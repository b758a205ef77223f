"""What NumPy's polynomials are made with, under its names."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import tensorflow as tf

from tfnp._core import convert, dtypes, shapes
from tfnp._core.convert import to_tensor
from tfnp._core.edge import array_function
from tfnp._core.tensor_conversion import is_tensor
from tfnp.polynomial.arithmetic import minus, operand, over, plus, times
from tfnp.polynomial.coefficients import series, trimmed
from tfnp.routines.math import ufuncs

__all__ = ["as_series", "format_float", "getdomain", "mapdomain", "mapparms", "trimcoef", "trimseq"]


def as_series(alist: Iterable[Any], trim: Any = True) -> list[tf.Tensor]:
    """Zeros after the last coefficient are left out where values are known, as in eager."""
    return series(*alist, trim=bool(trim))


def trimseq(seq: Any) -> Any:
    """A list stays one."""
    if is_tensor(seq) or isinstance(seq, np.ndarray):
        tensor = to_tensor(seq)
        return tensor if tensor.shape[0] == 0 else trimmed(tensor)
    indices = [index for index, item in enumerate(seq) if item != 0]
    return seq[: indices[-1] + 1 if indices else 1]


@array_function(promotes=("c",))
def trimcoef(c: Any, tol: Any = 0, *, size: Any = None) -> tf.Tensor:
    """In a graph the length is known when that runs; XLA, which has to know it, needs a `size`."""
    if tol < 0:
        raise ValueError("tol must be non-negative")
    (c,) = series(c)
    counts = ufuncs.greater(ufuncs.absolute(c), tol)
    last = tf.reduce_max(tf.cast(counts, tf.int32) * tf.range(1, tf.size(c) + 1))
    kept = tf.less(tf.range(tf.size(c)), last)
    whole = tf.where(kept, c, times(c[:1], 0))
    if size is None and convert.static_value(counts) is not None:
        return whole[: max(int(convert.static_value(last)), 1)]
    return trimmed(whole, size)


@array_function(promotes=("x",))
def getdomain(x: Any) -> tf.Tensor:
    (x,) = series(x, trim=False)
    if x.dtype.is_complex:
        real, imaginary = tf.math.real(x), tf.math.imag(x)
        ends = [tf.complex(end(real), end(imaginary)) for end in (_least, _greatest)]
        return convert.cast(tf.stack(ends), tf.complex128)
    return tf.stack([_least(x), _greatest(x)])


def _least(x: tf.Tensor) -> tf.Tensor:
    return ufuncs.minimum.reduce(x)


def _greatest(x: tf.Tensor) -> tf.Tensor:
    return ufuncs.maximum.reduce(x)


def mapparms(old: Any, new: Any) -> tuple[Any, Any]:
    """Python's numbers of Python's numbers."""
    (a, b), (c, d) = ends(old), ends(new)
    width = minus(b, a)
    return over(minus(times(b, c), times(a, d)), width), over(minus(d, c), width)


def ends(domain: Any) -> tuple[Any, Any]:
    """The first two numbers of a sequence."""
    if isinstance(domain, list | tuple):
        if any(isinstance(end, list | tuple) for end in domain[:2]):
            raise TypeError("the ends of a domain are numbers, no lists")
        return operand(domain[0]), operand(domain[1])
    is_double = isinstance(domain, np.ndarray) and domain.dtype == np.float64
    if is_double and dtypes.promotion.mode == "off" and domain.shape == (2,) and domain[0] != domain[1]:
        return tuple(domain.tolist())  # which go with coefficients of any dtype
    tensor = to_tensor(domain.tolist() if is_double else domain)  # in the default float, which may be another
    if shapes.rank(tensor) == 0:
        raise (IndexError if hasattr(domain, "dtype") else TypeError)("a domain has two ends")
    if tensor.shape[0] in {0, 1}:
        raise IndexError("index 1 is out of bounds: a domain has two ends")
    return tensor[0], tensor[1]


@array_function(promotes=("x",))
def mapdomain(x: Any, old: Any, new: Any) -> Any:
    x = operand(x)
    off, scl = mapparms(old, new)
    return plus(off, times(scl, x))


@array_function(promotes=("x",))
def format_float(x: Any, parens: Any = False) -> str:
    """As NumPy writes it; a tensor must have a value."""
    return np.polynomial.polyutils.format_float(convert.static_value(x), parens)
