"""One transform along one axis: TensorFlow's kernels on the last of three axes, which any tensor can be given.

Halves and single precision are transformed in single precision, all else in double; NumPy takes double for most of the
former too, and rounds. A length of zero is refused before TensorFlow sees it, whose kernel would end the process.
"""

from __future__ import annotations

import operator
from typing import Any, Final

import numpy as np
import tensorflow as tf

from tfnp._core import convert, dtypes, layout, outputs, shapes
from tfnp._core.shapes import Dim

SINGLES: Final = (tf.float16, tf.bfloat16, tf.float32, tf.complex64)
INVERSES: Final = ("ifft", "irfft")
NORMS: Final = ("backward", "ortho", "forward")
SWAPPED: Final = {None: "forward", "backward": "forward", "ortho": "ortho", "forward": "backward"}


def transform(
    kind: str, a: tf.Tensor, n: Any, axis: Any, norm: Any, out: Any, *, conjugated: bool = False
) -> tf.Tensor | tf.Variable:
    """One transform along one axis; the arguments are refused in NumPy's order."""
    if n is None:
        n = shapes.shape(a)[axis]
        n = (n - 1) * 2 if kind == "irfft" else n
    n = convert.static_value(n) if convert.static_value(n) is not None else n
    if not isinstance(n, tf.Tensor) and n < 1:
        raise ValueError(f"Invalid number of FFT data points ({n}) specified.")
    direction = _direction(kind, norm)
    axis = shapes.normalize_axis(axis, shapes.rank(a))
    points = _points(n, kind)
    if kind == "rfft" and a.dtype.is_complex:
        raise TypeError("a real transform takes no complex numbers: take fft, or the real part")
    target = _as_output(kind, out, shapes.rank(a), axis, points // 2 + 1 if kind == "rfft" else points)
    result = _along(kind, a, points, axis, direction, upcast=target is not None and target.dtype not in SINGLES)
    if target is not None and result.shape.rank is not None:
        shape = [target.shape[axis] if index == axis else dim for index, dim in enumerate(result.shape)]
        result = tf.ensure_shape(result, shape)
    if target is None and kind == "irfft":
        result = convert.cast(result, tf.bfloat16 if a.dtype == tf.bfloat16 else _real_dtype(a))
    return outputs.write_output(conjugate(result) if conjugated else result, target)


def _direction(kind: str, norm: Any) -> str | None:
    """How the sum is scaled: as forward transforms are by a norm of this name."""
    direction = swap(norm) if kind in INVERSES else norm
    if direction is not None and direction not in NORMS:
        raise ValueError(f'Invalid norm value {norm}; should be "backward", "ortho" or "forward".')
    return direction


def swap(norm: Any) -> str:
    try:
        return SWAPPED[norm]
    except KeyError:
        raise ValueError(f'Invalid norm value {norm}; should be "backward", "ortho" or "forward".') from None


def _points(n: Any, kind: str) -> Dim:
    if isinstance(n, tf.Tensor):
        if not n.dtype.is_integer or n.shape.rank not in (0, None):
            raise TypeError("the number of FFT data points must be an integer")
        return tf.cast(n, tf.int32)
    if isinstance(n, bool | np.bool_) and kind != "rfft":
        raise TypeError("an integer is required for the number of FFT data points")
    return operator.index(n)


def _as_output(kind: str, out: Any, rank: int, axis: int, points: Dim) -> tf.Variable | None:
    """The variable that `out=` names, which takes the dtype and the length of the result."""
    if out is Ellipsis or (isinstance(out, tuple) and len(out) == 1 and out[0] is None):
        raise ValueError("an output must be a tf.Variable, whose shape says how long the transform is")
    if isinstance(out, tf.Variable | np.ndarray | np.generic) and isinstance(points, int):
        shape = tuple(out.shape)
        if len(shape) != rank or shape[axis] != points:
            raise ValueError("output array has wrong shape.")
    target = outputs.as_outputs(out, 1)[0]
    if target is None:
        return None
    source = dtypes.FLOAT64 if kind == "irfft" else dtypes.COMPLEX128
    dtypes.check_cast(source, dtypes.as_numpy(target.dtype), "same_kind", "output")
    return target


def _along(kind: str, a: tf.Tensor, n: Dim, axis: int, direction: str | None, *, upcast: bool) -> tf.Tensor:
    """The transform of a tensor along an axis, in single precision unless the numbers or what they go to are wider."""
    single = (a.dtype in SINGLES or _is_preferred_single(a)) and not upcast
    real, made = (tf.float32, tf.complex64) if single else (tf.float64, tf.complex128)
    taken = convert.cast(a, real if kind == "rfft" else made)
    result_dtype = real if kind == "irfft" else made

    def rows(flat: tf.Tensor) -> tf.Tensor:
        turned = _resized(tf.transpose(flat, (0, 2, 1)), n // 2 + 1 if kind == "irfft" else n)
        if turned.shape.num_elements() == 0:
            shape = shapes.shape(turned)
            last = n // 2 + 1 if kind == "rfft" else n
            return tf.zeros(shapes.shape_tensor((shape[0], last, shape[1])), result_dtype)
        divided = direction == "forward" and a.dtype != tf.float16
        factor = None if divided and kind in INVERSES else _factor(direction, n, _real_dtype(a))
        return tf.transpose(_scaled(_summed(kind, turned, n, real, divided=divided), factor), (0, 2, 1))

    return layout.apply_along_axis(taken, axis, rows)


def _summed(kind: str, rows: tf.Tensor, n: Dim, real: tf.DType, *, divided: bool) -> tf.Tensor:
    """The transform of the last axis, unscaled; of the inverse ones on request divided by the length, as TensorFlow's
    are, but for the rounding of that by NumPy to the dtype of halves.
    """
    if kind not in INVERSES or divided:
        return _kernel(kind, rows, n, real)
    if kind == "ifft":
        return conjugate(_kernel("fft", conjugate(rows), n, real))
    return _scaled(_kernel(kind, rows, n, real), n)


def _kernel(kind: str, rows: tf.Tensor, n: Dim, real: tf.DType) -> tf.Tensor:
    """TensorFlow's transform of the last axis; the inverse ones divide by the length."""
    guards = [] if isinstance(n, int) else [tf.debugging.Assert(n >= 1, ["Invalid number of FFT data points", n])]
    with tf.control_dependencies(guards):
        if kind == "fft":
            return tf.raw_ops.FFT(input=rows)
        if kind == "ifft":
            return tf.raw_ops.IFFT(input=rows)
        length = shapes.shape_tensor((n,))
        if kind == "rfft":
            made = tf.complex64 if real == tf.float32 else tf.complex128
            return _known(tf.raw_ops.RFFT(input=rows, fft_length=length, Tcomplex=made), n // 2 + 1)
        return _known(tf.raw_ops.IRFFT(input=rows, fft_length=length, Treal=real), n)


def _known(rows: tf.Tensor, last: Dim) -> tf.Tensor:
    if isinstance(last, int):
        rows.set_shape([None, None, last])
    return rows


def _resized(rows: tf.Tensor, length: Dim) -> tf.Tensor:
    """The last of three axes cut off, or filled up with zeros, to a length."""
    own = shapes.shape(rows)[2]
    if isinstance(own, int) and isinstance(length, int):
        if own >= length:
            return rows if own == length else layout.slice_along(rows, 2, 0, length)
        return layout.pad(rows, ((0, 0), (0, 0), (0, length - own)))
    rows = layout.pad(rows, ((0, 0), (0, 0), (0, tf.maximum(length - own, 0))))
    return layout.slice_along(rows, 2, 0, length)


def _real_dtype(a: tf.Tensor) -> tf.DType:
    """NumPy's dtype of what is real, in which it calculates the factor of a norm: its type of `a.real` and 1.0; that of
    bfloat16 is calculated in float32.
    """
    if a.dtype == tf.bfloat16:
        return tf.float32
    real = dtypes.as_numpy(a.dtype.real_dtype)
    return tf.float32 if _is_preferred_single(a) else dtypes.as_dtype(np.result_type(real, 1.0))


def _is_preferred_single(a: tf.Tensor) -> bool:
    """Whether these are integers or truths, and float32 is preferred."""
    return dtypes.promotion.prefer_float32 and (a.dtype.is_integer or a.dtype.is_bool)


def _factor(direction: str | None, n: Dim, dtype: tf.DType) -> Any:
    """What the sum is multiplied by, rounded to this dtype as NumPy rounds it; None for 1."""
    if direction in (None, "backward"):
        return None
    if isinstance(n, int):
        length = np.array(n).astype(dtype.as_numpy_dtype)
        with np.errstate(all="ignore"):
            return float(np.reciprocal(np.sqrt(length) if direction == "ortho" else length))
    length = tf.cast(n, dtype)
    return tf.math.reciprocal(tf.sqrt(length) if direction == "ortho" else length)


def _scaled(result: tf.Tensor, scale: Any) -> tf.Tensor:
    """Part by part: the product of complex numbers makes nan of infinity and zero."""
    if scale is None:
        return result
    if result.dtype.is_complex:
        return tf.complex(_scaled(tf.math.real(result), scale), _scaled(tf.math.imag(result), scale))
    if isinstance(scale, tf.Tensor):
        return result * tf.cast(scale, result.dtype)
    return result * convert.as_constant(np.array(scale, result.dtype.as_numpy_dtype))


def conjugate(a: tf.Tensor) -> tf.Tensor:
    return tf.math.conj(a) if a.dtype.is_complex else a
