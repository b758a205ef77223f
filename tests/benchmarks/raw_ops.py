"""What a person would write in TensorFlow for NumPy's functions, under their names, for `fuzz scale --beside`.

The values need not be NumPy's for every number. What takes an option that is not here raises TypeError, and is not
compared.
"""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import tensorflow as tf

math, linalg_ops, bits, signal = tf.math, tf.linalg, tf.bitwise, tf.signal
LN2, LN10, DEGREE = 0.6931471805599453, 2.302585092994046, 0.017453292519943295


def _reduce(op: Callable[..., Any]) -> Callable[..., Any]:
    return lambda x, axis=None, *, keepdims=False: op(x, axis, keepdims)


OPS: dict[str, Callable[..., Any]] = {
    "absolute": tf.abs,
    "abs": tf.abs,
    "fabs": tf.abs,
    "add": tf.add,
    "all": _reduce(tf.reduce_all),
    "amax": _reduce(tf.reduce_max),
    "amin": _reduce(tf.reduce_min),
    "angle": math.angle,
    "any": _reduce(tf.reduce_any),
    "arange": tf.range,
    "arccos": tf.acos,
    "arccosh": tf.acosh,
    "arcsin": tf.asin,
    "arcsinh": tf.asinh,
    "arctan": tf.atan,
    "arctan2": tf.atan2,
    "arctanh": tf.atanh,
    "argmax": lambda x: tf.argmax(tf.reshape(x, [-1])),
    "argmin": lambda x: tf.argmin(tf.reshape(x, [-1])),
    "argsort": tf.argsort,
    "argwhere": tf.where,
    "bincount": math.bincount,
    "bitwise_and": bits.bitwise_and,
    "bitwise_or": bits.bitwise_or,
    "bitwise_xor": bits.bitwise_xor,
    "broadcast_to": tf.broadcast_to,
    "ceil": math.ceil,
    "clip": tf.clip_by_value,
    "concatenate": lambda arrays: tf.concat(arrays, 0),
    "conjugate": math.conj,
    "cos": tf.cos,
    "cosh": tf.cosh,
    "count_nonzero": _reduce(math.count_nonzero),
    "cross": linalg_ops.cross,
    "cumprod": lambda x: math.cumprod(tf.reshape(x, [-1])),
    "cumsum": lambda x: math.cumsum(tf.reshape(x, [-1])),
    "deg2rad": lambda x: x * DEGREE,
    "degrees": lambda x: x / DEGREE,
    "diagonal": linalg_ops.diag_part,
    "diff": lambda x: x[..., 1:] - x[..., :-1],
    "divide": tf.divide,
    "divmod": lambda x, y: (math.floordiv(x, y), math.floormod(x, y)),
    "dot": lambda x, y: tf.tensordot(x, y, 1),
    "equal": tf.equal,
    "exp": tf.exp,
    "expand_dims": tf.expand_dims,
    "expm1": math.expm1,
    "fft.fft": signal.fft,
    "fft.fft2": signal.fft2d,
    "fft.fftshift": signal.fftshift,
    "fft.ifft": signal.ifft,
    "fft.ifft2": signal.ifft2d,
    "fft.irfft": signal.irfft,
    "fft.rfft": signal.rfft,
    "flatnonzero": lambda x: tf.where(tf.reshape(x, [-1])),
    "flip": lambda x: tf.reverse(x, range(x.shape.rank)),
    "fliplr": lambda x: tf.reverse(x, [1]),
    "flipud": lambda x: tf.reverse(x, [0]),
    "float_power": tf.pow,
    "floor": tf.floor,
    "floor_divide": math.floordiv,
    "full": tf.fill,
    "greater": tf.greater,
    "greater_equal": tf.greater_equal,
    "histogram": lambda x: tf.histogram_fixed_width(x, [tf.reduce_min(x), tf.reduce_max(x)], 10),
    "hypot": lambda x, y: tf.sqrt(x * x + y * y),
    "i0": math.bessel_i0,
    "imag": math.imag,
    "invert": bits.invert,
    "isfinite": math.is_finite,
    "isinf": math.is_inf,
    "isnan": math.is_nan,
    "left_shift": bits.left_shift,
    "less": tf.less,
    "less_equal": tf.less_equal,
    "linalg.cholesky": linalg_ops.cholesky,
    "linalg.det": linalg_ops.det,
    "linalg.eig": linalg_ops.eig,
    "linalg.eigh": linalg_ops.eigh,
    "linalg.eigvals": linalg_ops.eigvals,
    "linalg.eigvalsh": linalg_ops.eigvalsh,
    "linalg.inv": linalg_ops.inv,
    "linalg.lstsq": linalg_ops.lstsq,
    "linalg.norm": linalg_ops.norm,
    "linalg.pinv": linalg_ops.pinv,
    "linalg.qr": linalg_ops.qr,
    "linalg.slogdet": linalg_ops.slogdet,
    "linalg.solve": linalg_ops.solve,
    "linalg.svd": linalg_ops.svd,
    "linspace": tf.linspace,
    "log": math.log,
    "log10": lambda x: math.log(x) / LN10,
    "log1p": math.log1p,
    "log2": lambda x: math.log(x) / LN2,
    "logaddexp": lambda x, y: tf.reduce_logsumexp([x, y], 0),
    "logical_and": tf.logical_and,
    "logical_not": tf.logical_not,
    "logical_or": tf.logical_or,
    "logical_xor": math.logical_xor,
    "matmul": tf.matmul,
    "max": _reduce(tf.reduce_max),
    "maximum": tf.maximum,
    "mean": _reduce(tf.reduce_mean),
    "meshgrid": tf.meshgrid,
    "min": _reduce(tf.reduce_min),
    "minimum": tf.minimum,
    "multiply": tf.multiply,
    "negative": tf.negative,
    "nextafter": math.nextafter,
    "nonzero": tf.where,
    "not_equal": tf.not_equal,
    "ones_like": tf.ones_like,
    "outer": lambda x, y: tf.tensordot(x, y, 0),
    "pad": tf.pad,
    "polyval": math.polyval,
    "power": tf.pow,
    "prod": _reduce(tf.reduce_prod),
    "radians": lambda x: x * DEGREE,
    "ravel": lambda x: tf.reshape(x, [-1]),
    "real": math.real,
    "reciprocal": math.reciprocal,
    "remainder": math.floormod,
    "repeat": tf.repeat,
    "reshape": tf.reshape,
    "right_shift": bits.right_shift,
    "rint": math.rint,
    "roll": lambda x, shift: tf.roll(x, shift, 0),
    "round": tf.round,
    "searchsorted": tf.searchsorted,
    "sign": tf.sign,
    "sin": tf.sin,
    "sinh": tf.sinh,
    "sort": tf.sort,
    "sqrt": tf.sqrt,
    "square": tf.square,
    "squeeze": tf.squeeze,
    "stack": tf.stack,
    "std": _reduce(math.reduce_std),
    "strings.add": lambda x, y: tf.strings.join([x, y]),
    "strings.lower": tf.strings.lower,
    "strings.str_len": lambda x: tf.strings.length(x, "UTF8_CHAR"),
    "strings.strip": tf.strings.strip,
    "strings.upper": tf.strings.upper,
    "subtract": tf.subtract,
    "sum": _reduce(tf.reduce_sum),
    "take": tf.gather,
    "tan": tf.tan,
    "tanh": tf.tanh,
    "tensordot": tf.tensordot,
    "tile": tf.tile,
    "trace": linalg_ops.trace,
    "transpose": tf.transpose,
    "tril": lambda x: linalg_ops.band_part(x, -1, 0),
    "triu": lambda x: linalg_ops.band_part(x, 0, -1),
    "unique": lambda x: tf.unique(tf.sort(x))[0],
    "var": _reduce(math.reduce_variance),
    "vstack": lambda arrays: tf.concat(arrays, 0),
    "where": tf.where,
    "zeros_like": tf.zeros_like,
}


def _find_part(home: str) -> SimpleNamespace:
    """Return the functions of `linalg`, `fft` or `strings`."""
    names = {name.removeprefix(home): op for name, op in OPS.items() if name.startswith(home)}
    return SimpleNamespace(**names)


def __getattr__(name: str) -> Any:
    if name in OPS:
        return OPS[name]
    part = _find_part(f"{name}.")
    if not vars(part):
        raise AttributeError(name)
    return part
