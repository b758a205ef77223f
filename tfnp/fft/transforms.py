"""Discrete Fourier transforms along one or several axes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import tensorflow as tf

from tfnp._core import convert, shapes
from tfnp._core.convert import to_tensor
from tfnp._core.edge import array_function
from tfnp._core.parameters import ArrayLike, AxisLike, IntLike, Out, ShapeLike
from tfnp.fft.axes import conjugate, swap_norm, transform

__all__ = [
    "fft", "fft2", "fftn", "hfft", "ifft", "ifft2", "ifftn", "ihfft", "irfft", "irfft2", "irfftn", "rfft", "rfft2",
    "rfftn",
]  # fmt: skip

Transform = Callable[..., Any]


@array_function(promotes=("a",), unknown_rank="each", traces=("a",))
def fft(a: ArrayLike, n: int | None = None, axis: IntLike = -1, norm: str | None = None, out: Out = None) -> Any:
    """float16, bfloat16, float32 and complex64 are calculated in single precision and give complex64; everything else
    in double. `n` may be an integer tensor whose value is unknown while tracing. `out` must be a tf.Variable.
    """
    return transform("fft", to_tensor(a), n, axis, norm, out)


@array_function(promotes=("a",), unknown_rank="each", traces=("a",))
def ifft(a: ArrayLike, n: IntLike | None = None, axis: IntLike = -1, norm: str | None = None, out: Out = None) -> Any:
    """float16, bfloat16, float32 and complex64 are calculated in single precision and give complex64; everything else
    in double. `n` may be an integer tensor whose value is unknown while tracing. `out` must be a tf.Variable.
    """
    return transform("ifft", to_tensor(a), n, axis, norm, out)


@array_function(promotes=("a",), unknown_rank="each", traces=("a",))
def rfft(a: ArrayLike, n: IntLike | None = None, axis: IntLike = -1, norm: str | None = None, out: Out = None) -> Any:
    """float16, bfloat16, float32 and complex64 are calculated in single precision and give complex64; everything else
    in double. Complex input raises TypeError. `n` may be an integer tensor whose value is unknown while tracing. `out`
    must be a tf.Variable.
    """
    return transform("rfft", to_tensor(a), n, axis, norm, out)


@array_function(promotes=("a",), unknown_rank="each", traces=("a",))
def irfft(a: ArrayLike, n: IntLike | None = None, axis: IntLike = -1, norm: str | None = None, out: Out = None) -> Any:
    """float16 gives float16, with the factor of the norm rounded to it as in NumPy; bfloat16 gives bfloat16. float32
    and complex64 are calculated in single precision and give float32. `n` may be an integer tensor whose value is
    unknown while tracing. `out` must be a tf.Variable.
    """
    return transform("irfft", to_tensor(a), n, axis, norm, out)


@array_function(promotes=("a",), unknown_rank="each", traces=("a",))
def hfft(a: ArrayLike, n: IntLike | None = None, axis: IntLike = -1, norm: str | None = None, out: Out = None) -> Any:
    """`out` is ignored, as in NumPy 2.4. `n` may be an integer tensor whose value is unknown while tracing."""
    a = to_tensor(a)
    n = (shapes.shape(a)[axis] - 1) * 2 if n is None else n
    return transform("irfft", conjugate(a), n, axis, swap_norm(norm), None)


@array_function(promotes=("a",), unknown_rank="each", traces=("a",))
def ihfft(a: ArrayLike, n: IntLike | None = None, axis: IntLike = -1, norm: str | None = None, out: Out = None) -> Any:
    """`n` may be an integer tensor whose value is unknown while tracing. `out` must be a tf.Variable."""
    a = to_tensor(a)
    n = shapes.shape(a)[axis] if n is None else n
    return transform("rfft", a, n, axis, swap_norm(norm), out, take_conjugate=True)


@array_function(promotes=("a",), unknown_rank="each", traces=("a",))
def fft2(
    a: ArrayLike, s: ShapeLike | None = None, axes: AxisLike = (-2, -1), norm: str | None = None, out: Out = None
) -> Any:
    """`out` must be a tf.Variable. The result of each axis is written to it, so all must have its shape."""
    return _transform_axes(fft, a, s, axes, norm, out)


@array_function(promotes=("a",), unknown_rank="each", traces=("a",))
def ifft2(
    a: ArrayLike, s: ShapeLike | None = None, axes: AxisLike = (-2, -1), norm: str | None = None, out: Out = None
) -> Any:
    """`out` is ignored, as in NumPy 2.4."""
    return _transform_axes(ifft, a, s, axes, norm, None)


@array_function(promotes=("a",), traces=("a",))
def fftn(
    a: ArrayLike, s: ShapeLike | None = None, axes: AxisLike = None, norm: str | None = None, out: Out = None
) -> Any:
    """If `axes` is empty, return the array itself. `out` must be a tf.Variable. The result of each axis is written to
    it, so all must have its shape. A 0-d tensor must have a static rank.
    """
    return _transform_any_rank(fft, a, s, axes, norm, out)


@array_function(promotes=("a",), traces=("a",))
def ifftn(
    a: ArrayLike, s: ShapeLike | None = None, axes: AxisLike = None, norm: str | None = None, out: Out = None
) -> Any:
    """If `axes` is empty, return the array itself. `out` must be a tf.Variable. The result of each axis is written to
    it, so all must have its shape. A 0-d tensor must have a static rank.
    """
    return _transform_any_rank(ifft, a, s, axes, norm, out)


@array_function(promotes=("a",), unknown_rank="each", traces=("a",))
def rfft2(
    a: ArrayLike, s: ShapeLike | None = None, axes: AxisLike = (-2, -1), norm: str | None = None, out: Out = None
) -> Any:
    """`out` must be a tf.Variable. The result of each axis is written to it, so all must have its shape."""
    return rfftn(a, s, axes, norm, out=out)


@array_function(promotes=("a",), unknown_rank="each", traces=("a",))
def rfftn(
    a: ArrayLike, s: ShapeLike | None = None, axes: AxisLike = None, norm: str | None = None, out: Out = None
) -> Any:
    """`out` must be a tf.Variable. The result of each axis is written to it, so all must have its shape."""
    a = to_tensor(a)
    s, axes = _resolve_lengths(a, s, axes)
    a = rfft(a, s[-1], axes[-1], norm, out=out)
    for index in range(len(axes) - 2, -1, -1):
        a = fft(a, s[index], axes[index], norm, out=out)
    return a


@array_function(promotes=("a",), unknown_rank="each", traces=("a",))
def irfft2(
    a: ArrayLike, s: ShapeLike | None = None, axes: AxisLike = (-2, -1), norm: str | None = None, out: Out = None
) -> Any:
    """`out` is ignored, as in NumPy 2.4."""
    return irfftn(a, s, axes, norm, out=None)


@array_function(promotes=("a",), unknown_rank="each", traces=("a",))
def irfftn(
    a: ArrayLike, s: ShapeLike | None = None, axes: AxisLike = None, norm: str | None = None, out: Out = None
) -> Any:
    """`out` must be a tf.Variable. Only the result of the last axis is written to it."""
    a = to_tensor(a)
    s, axes = _resolve_lengths(a, s, axes, real=True)
    for index in range(len(axes) - 1):
        a = ifft(a, s[index], axes[index], norm)
    return irfft(a, s[-1], axes[-1], norm, out=out)


def _transform_any_rank(step: Transform, a: Any, s: Any, axes: Any, norm: Any, out: Any) -> Any:
    a = to_tensor(a)
    return (_transform_unknown_rank if a.shape.rank is None else _transform_axes)(step, a, s, axes, norm, out)


@array_function(unknown_rank="each")
def _transform_unknown_rank(step: Transform, a: tf.Tensor, s: Any, axes: Any, norm: Any, out: Any) -> Any:
    """Transform a tensor of unknown rank. Raise for 0-d tensors, whose result would have another dtype."""
    if shapes.rank(a) == 0:
        raise ValueError(f"{step.__name__}n: a 0-d tensor must have a static rank inside tf.function")
    return _transform_axes(step, a, s, axes, norm, out)


def _transform_axes(step: Transform, a: Any, s: Any, axes: Any, norm: Any, out: Any) -> Any:
    """Transform one axis after another, the last first."""
    a = to_tensor(a)
    s, axes = _resolve_lengths(a, s, axes)
    for index in reversed(range(len(axes))):
        a = step(a, s[index], axes[index], norm, out=out)
    return a


def _resolve_lengths(a: tf.Tensor, s: Any, axes: Any, *, real: bool = False) -> tuple[list[Any], Any]:
    """Return the length of each transform, and the axes. Axes may repeat; a length of -1 stands for the dimension."""
    shape, axes, has_default_s = shapes.shape(a), convert.static_value(axes), s is None
    if s is None:
        s = shape if axes is None else [shape[axis] for axis in np.take(np.arange(len(shape)), axes)]
    s = list(tf.unstack(s) if isinstance(s, tf.Tensor) and convert.static_value(s) is None else convert.static_value(s))
    if axes is None:
        axes = list(range(-len(s), 0))
    if len(s) != len(axes):
        raise ValueError("Shape and axes have different lengths.")
    if real and has_default_s:
        s[-1] = (shape[axes[-1]] - 1) * 2
    is_default = [not isinstance(length, tf.Tensor) and length == -1 for length in s]
    return [shape[axis] if default else length for length, axis, default in zip(s, axes, is_default, strict=True)], axes
