"""Transforms along one axis. Tensors are reshaped to three axes, since TensorFlow's kernels transform the last one.

Half and single precision are transformed in single precision, everything else in double; NumPy uses double for half
precision, too, and rounds. A length of zero raises before TensorFlow sees it: tf.signal.rfft with fft_length=[0] aborts
the process (https://github.com/tensorflow/tensorflow/issues/74748).
"""

from __future__ import annotations

import operator
from typing import Any, Final

import numpy as np
import tensorflow as tf

from tfnp._core import convert, dtypes, layout, ops, outputs, shapes
from tfnp._core.checks import make_assertion
from tfnp._core.shapes import Dim

SINGLE_DTYPES: Final = (tf.float16, tf.bfloat16, tf.float32, tf.complex64)
INVERSE_TRANSFORMS: Final = ("ifft", "irfft")
NORMS: Final = ("backward", "ortho", "forward")
SWAPPED_NORMS: Final = {None: "forward", "backward": "forward", "ortho": "ortho", "forward": "backward"}


def transform(
    name: str, a: tf.Tensor, n: Any, axis: Any, norm: Any, out: Any, *, take_conjugate: bool = False
) -> tf.Tensor | tf.Variable:
    """Transform along one axis. `name` is "fft", "ifft", "rfft" or "irfft"."""
    if n is None:
        n = shapes.shape(a)[axis]
        n = (n - 1) * 2 if name == "irfft" else n
    n = convert.static_value(n) if convert.static_value(n) is not None else n
    if not isinstance(n, tf.Tensor) and n < 1:
        raise ValueError(f"Invalid number of FFT data points ({n}) specified.")
    forward_norm = _find_forward_norm(name, norm)
    axis = shapes.normalize_axis(axis, shapes.rank(a))
    length = _as_length(n, name)
    if name == "rfft" and a.dtype.is_complex:
        raise TypeError("rfft does not support complex input: use fft, or pass the real part")
    target = _as_output(name, out, shapes.rank(a), axis, length // 2 + 1 if name == "rfft" else length)
    result = _transform_axis(
        name, a, length, axis, forward_norm, upcast=target is not None and target.dtype not in SINGLE_DTYPES
    )
    if target is not None and result.shape.rank is not None:
        shape = [target.shape[axis] if index == axis else dim for index, dim in enumerate(result.shape)]
        result = tf.ensure_shape(result, shape)
    if target is None and name == "irfft":
        result = convert.cast(result, tf.bfloat16 if a.dtype == tf.bfloat16 else _find_real_dtype(a))
    return outputs.write_output(conjugate(result) if take_conjugate else result, target)


def _find_forward_norm(name: str, norm: Any) -> str | None:
    """Return the norm that scales a forward transform as `norm` scales the transform `name`."""
    forward_norm = swap_norm(norm) if name in INVERSE_TRANSFORMS else norm
    if forward_norm is not None and forward_norm not in NORMS:
        raise ValueError(f'Invalid norm value {norm}; should be "backward", "ortho" or "forward".')
    return forward_norm


def swap_norm(norm: Any) -> str:
    """Return the norm of the inverse transform that corresponds to a forward norm, and vice versa."""
    try:
        return SWAPPED_NORMS[norm]
    except KeyError:
        raise ValueError(f'Invalid norm value {norm}; should be "backward", "ortho" or "forward".') from None


def _as_length(n: Any, name: str) -> Dim:
    """Return the number of points as an int, or as an int32 tensor."""
    if isinstance(n, tf.Tensor):
        if not n.dtype.is_integer or n.shape.rank not in (0, None):
            raise TypeError(f"n must be an integer, got a tensor of {n.dtype.name} and shape {n.shape}")
        return tf.cast(n, tf.int32)
    if isinstance(n, bool | np.bool_) and name != "rfft":
        raise TypeError(f"n must be an integer, got the bool {n}")
    return operator.index(n)


def _as_output(name: str, out: Any, ndim: int, axis: int, length: Dim) -> tf.Variable | None:
    """Return the variable in `out`. Raise NumPy's errors for a wrong dtype or length."""
    if out is Ellipsis or (isinstance(out, tuple) and len(out) == 1 and out[0] is None):
        raise ValueError(f"out must be a tf.Variable or None, not {out!r}")
    if isinstance(out, tf.Variable | np.ndarray | np.generic) and isinstance(length, int):
        shape = tuple(out.shape)
        if len(shape) != ndim or shape[axis] != length:
            raise ValueError(f"output array has wrong shape: {shape}, expected length {length} along axis {axis}")
    target = outputs.as_outputs(out, 1)[0]
    if target is None:
        return None
    source = dtypes.FLOAT64 if name == "irfft" else dtypes.COMPLEX128
    dtypes.check_cast(source, dtypes.as_numpy(target.dtype), "same_kind", "output")
    return target


def _transform_axis(name: str, a: tf.Tensor, n: Dim, axis: int, forward_norm: str | None, *, upcast: bool) -> tf.Tensor:
    """Transform a tensor along an axis, in single precision unless the operand or `out` has double precision."""
    is_single = (a.dtype in SINGLE_DTYPES or _is_preferred_single(a)) and not upcast
    real_dtype, complex_dtype = (tf.float32, tf.complex64) if is_single else (tf.float64, tf.complex128)
    operand = convert.cast(a, real_dtype if name == "rfft" else complex_dtype)
    result_dtype = real_dtype if name == "irfft" else complex_dtype

    def transform_middle(flat: tf.Tensor) -> tf.Tensor:
        rows = _resize(tf.transpose(flat, (0, 2, 1)), n // 2 + 1 if name == "irfft" else n)
        if rows.shape.num_elements() == 0:
            shape = shapes.shape(rows)
            last_dim = n // 2 + 1 if name == "rfft" else n
            return tf.zeros(shapes.shape_tensor((shape[0], last_dim, shape[1])), result_dtype)
        divide = forward_norm == "forward" and a.dtype != tf.float16
        is_divided = divide and name in INVERSE_TRANSFORMS
        factor = None if is_divided else _compute_factor(forward_norm, n, _find_real_dtype(a))
        return tf.transpose(_scale(_transform_unscaled(name, rows, n, real_dtype, divide=divide), factor), (0, 2, 1))

    return layout.apply_along_axis(operand, axis, transform_middle)


def _transform_unscaled(name: str, rows: tf.Tensor, n: Dim, real_dtype: tf.DType, *, divide: bool) -> tf.Tensor:
    """Transform the last axis without scaling; with `divide`, divide inverse transforms by the length.

    TensorFlow's inverse kernels divide. They are not used for float16, where NumPy rounds the factor first.
    """
    if name not in INVERSE_TRANSFORMS or divide:
        return _run_kernel(name, rows, n, real_dtype)
    if name == "ifft":
        return conjugate(_run_kernel("fft", conjugate(rows), n, real_dtype))
    return _scale(_run_kernel(name, rows, n, real_dtype), n)


# Upstream bug: tensorflow-rfft-of-length-zero
def _run_kernel(name: str, rows: tf.Tensor, n: Dim, real_dtype: tf.DType) -> tf.Tensor:
    """Run TensorFlow's kernel, which transforms the last axis; those of inverse transforms divide by the length."""
    guards = [] if isinstance(n, int) else [make_assertion(n >= 1, ["Invalid number of FFT data points", n])]
    with tf.control_dependencies(guards):
        if name == "fft":
            return ops.fft(rows)
        if name == "ifft":
            return ops.ifft(rows)
        length = shapes.shape_tensor((n,))
        if name == "rfft":
            complex_dtype = tf.complex64 if real_dtype == tf.float32 else tf.complex128
            return _set_last_dim(ops.rfft(rows, fft_length=length, Tcomplex=complex_dtype), n // 2 + 1)
        return _set_last_dim(ops.irfft(rows, fft_length=length, Treal=real_dtype), n)


def _set_last_dim(rows: tf.Tensor, dim: Dim) -> tf.Tensor:
    """Set the static last dimension, if it is known: the kernels do not infer it."""
    if isinstance(dim, int):
        rows.set_shape([None, None, dim])
    return rows


def _resize(rows: tf.Tensor, length: Dim) -> tf.Tensor:
    """Truncate the last of three axes to a length, or pad it with zeros."""
    dim = shapes.shape(rows)[2]
    if isinstance(dim, int) and isinstance(length, int):
        if dim >= length:
            return rows if dim == length else layout.slice_along(rows, 2, 0, length)
        return layout.pad(rows, ((0, 0), (0, 0), (0, length - dim)))
    rows = layout.pad(rows, ((0, 0), (0, 0), (0, tf.maximum(length - dim, 0))))
    return layout.slice_along(rows, 2, 0, length)


def _find_real_dtype(a: tf.Tensor) -> tf.DType:
    """Return the dtype in which NumPy calculates the factor of a norm, that of `a.real * 1.0`; float32 for bfloat16."""
    if a.dtype == tf.bfloat16:
        return tf.float32
    real = dtypes.as_numpy(a.dtype.real_dtype)
    return tf.float32 if _is_preferred_single(a) else dtypes.as_dtype(np.result_type(real, 1.0))


def _is_preferred_single(a: tf.Tensor) -> bool:
    """Return whether the operand is integer or bool and float32 is the default float."""
    return dtypes.promotion.prefer_float32 and (a.dtype.is_integer or a.dtype.is_bool)


def _compute_factor(forward_norm: str | None, n: Dim, dtype: tf.DType) -> Any:
    """Return the factor of a norm, rounded to the dtype as in NumPy; None for 1."""
    if forward_norm in (None, "backward"):
        return None
    if isinstance(n, int):
        length = np.array(n).astype(dtype.as_numpy_dtype)
        with np.errstate(all="ignore"):
            return float(np.reciprocal(np.sqrt(length) if forward_norm == "ortho" else length))
    length = tf.cast(n, dtype)
    return tf.math.reciprocal(tf.sqrt(length) if forward_norm == "ortho" else length)


def _scale(result: tf.Tensor, scale: Any) -> tf.Tensor:
    """Multiply by a factor; real and imaginary part separately, since a complex product of inf has nan."""
    if scale is None:
        return result
    if result.dtype.is_complex:
        return tf.complex(_scale(tf.math.real(result), scale), _scale(tf.math.imag(result), scale))
    if isinstance(scale, tf.Tensor):
        return result * tf.cast(scale, result.dtype)
    return result * convert.as_constant(np.array(scale, result.dtype.as_numpy_dtype))


def conjugate(a: tf.Tensor) -> tf.Tensor:
    """Return the conjugate of a complex tensor, any other tensor as it is."""
    return tf.math.conj(a) if a.dtype.is_complex else a
