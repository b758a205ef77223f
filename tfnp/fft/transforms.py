"""Discrete Fourier transforms along one axis, two, or several, one after another."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import tensorflow as tf

from tfnp._core import convert, shapes
from tfnp._core.convert import to_tensor
from tfnp._core.edge import array_function
from tfnp.fft.axes import conjugate, swap, transform

__all__ = [
    "fft", "fft2", "fftn", "hfft", "ifft", "ifft2", "ifftn", "ihfft", "irfft", "irfft2", "irfftn", "rfft", "rfft2",
    "rfftn",
]  # fmt: skip

Transform = Callable[..., Any]


@array_function(promotes=("a",), unknown_rank="each")
def fft(a: Any, n: Any = None, axis: Any = -1, norm: Any = None, out: Any = None) -> Any:
    """`n` may be an integer tensor known only at run time, here and in all its kin."""
    return transform("fft", to_tensor(a), n, axis, norm, out)


@array_function(promotes=("a",), unknown_rank="each")
def ifft(a: Any, n: Any = None, axis: Any = -1, norm: Any = None, out: Any = None) -> Any:
    return transform("ifft", to_tensor(a), n, axis, norm, out)


@array_function(promotes=("a",), unknown_rank="each")
def rfft(a: Any, n: Any = None, axis: Any = -1, norm: Any = None, out: Any = None) -> Any:
    return transform("rfft", to_tensor(a), n, axis, norm, out)


@array_function(promotes=("a",), unknown_rank="each")
def irfft(a: Any, n: Any = None, axis: Any = -1, norm: Any = None, out: Any = None) -> Any:
    """Of float16 the result is float16, and the factor of the norm is rounded to that, as NumPy rounds it."""
    return transform("irfft", to_tensor(a), n, axis, norm, out)


@array_function(promotes=("a",), unknown_rank="each")
def hfft(a: Any, n: Any = None, axis: Any = -1, norm: Any = None, out: Any = None) -> Any:
    """`out` is not written, as it is not by NumPy 2.4."""
    a = to_tensor(a)
    n = (shapes.shape(a)[axis] - 1) * 2 if n is None else n
    return transform("irfft", conjugate(a), n, axis, swap(norm), None)


@array_function(promotes=("a",), unknown_rank="each")
def ihfft(a: Any, n: Any = None, axis: Any = -1, norm: Any = None, out: Any = None) -> Any:
    a = to_tensor(a)
    n = shapes.shape(a)[axis] if n is None else n
    return transform("rfft", a, n, axis, swap(norm), out, conjugated=True)


@array_function(promotes=("a",), unknown_rank="each")
def fft2(a: Any, s: Any = None, axes: Any = (-2, -1), norm: Any = None, out: Any = None) -> Any:
    return _one_by_one(fft, a, s, axes, norm, out)


@array_function(promotes=("a",), unknown_rank="each")
def ifft2(a: Any, s: Any = None, axes: Any = (-2, -1), norm: Any = None, out: Any = None) -> Any:
    """`out` is not written, as it is not by NumPy 2.4."""
    return _one_by_one(ifft, a, s, axes, norm, None)


@array_function(promotes=("a",))
def fftn(a: Any, s: Any = None, axes: Any = None, norm: Any = None, out: Any = None) -> Any:
    """Of no axes the array itself. `out` takes each step, so must have the shape of each, here and in all its kin."""
    return _along_all(fft, a, s, axes, norm, out)


@array_function(promotes=("a",))
def ifftn(a: Any, s: Any = None, axes: Any = None, norm: Any = None, out: Any = None) -> Any:
    return _along_all(ifft, a, s, axes, norm, out)


@array_function(promotes=("a",), unknown_rank="each")
def rfft2(a: Any, s: Any = None, axes: Any = (-2, -1), norm: Any = None, out: Any = None) -> Any:
    return rfftn(a, s, axes, norm, out=out)


@array_function(promotes=("a",), unknown_rank="each")
def rfftn(a: Any, s: Any = None, axes: Any = None, norm: Any = None, out: Any = None) -> Any:
    a = to_tensor(a)
    s, axes = _lengths(a, s, axes)
    a = rfft(a, s[-1], axes[-1], norm, out=out)
    for index in range(len(axes) - 2, -1, -1):
        a = fft(a, s[index], axes[index], norm, out=out)
    return a


@array_function(promotes=("a",), unknown_rank="each")
def irfft2(a: Any, s: Any = None, axes: Any = (-2, -1), norm: Any = None, out: Any = None) -> Any:
    """`out` is not written, as it is not by NumPy 2.4."""
    return irfftn(a, s, axes, norm, out=None)


@array_function(promotes=("a",), unknown_rank="each")
def irfftn(a: Any, s: Any = None, axes: Any = None, norm: Any = None, out: Any = None) -> Any:
    a = to_tensor(a)
    s, axes = _lengths(a, s, axes, real=True)
    for index in range(len(axes) - 1):
        a = ifft(a, s[index], axes[index], norm)
    return irfft(a, s[-1], axes[-1], norm, out=out)


def _along_all(step: Transform, a: Any, s: Any, axes: Any, norm: Any, out: Any) -> Any:
    a = to_tensor(a)
    return (_of_some_rank if a.shape.rank is None else _one_by_one)(step, a, s, axes, norm, out)


@array_function(unknown_rank="each")
def _of_some_rank(step: Transform, a: tf.Tensor, s: Any, axes: Any, norm: Any, out: Any) -> Any:
    """Of an unknown rank, which must not turn out to be 0: the dtype of the result would be another."""
    if shapes.rank(a) == 0:
        raise ValueError("a transform of no axes, where the rank was unknown while tracing")
    return _one_by_one(step, a, s, axes, norm, out)


def _one_by_one(step: Transform, a: Any, s: Any, axes: Any, norm: Any, out: Any) -> Any:
    a = to_tensor(a)
    s, axes = _lengths(a, s, axes)
    for index in reversed(range(len(axes))):
        a = step(a, s[index], axes[index], norm, out=out)
    return a


def _lengths(a: tf.Tensor, s: Any, axes: Any, *, real: bool = False) -> tuple[list[Any], Any]:
    """How long each axis is to be, and which axes. An axis may be named twice; a length of -1 stands for its own."""
    shape, axes, shapeless = shapes.shape(a), convert.static_value(axes), s is None
    if s is None:
        s = shape if axes is None else [shape[axis] for axis in np.take(np.arange(len(shape)), axes)]
    s = list(tf.unstack(s) if isinstance(s, tf.Tensor) and convert.static_value(s) is None else convert.static_value(s))
    if axes is None:
        axes = list(range(-len(s), 0))
    if len(s) != len(axes):
        raise ValueError("Shape and axes have different lengths.")
    if real and shapeless:
        s[-1] = (shape[axes[-1]] - 1) * 2
    own = [not isinstance(length, tf.Tensor) and length == -1 for length in s]
    return [shape[axis] if same else length for length, axis, same in zip(s, axes, own, strict=True)], axes
