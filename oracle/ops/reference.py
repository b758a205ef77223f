"""Reference results of single steps, by NumPy or mpmath in higher precision."""

from __future__ import annotations

import operator
import warnings
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from oracle.case.model import Case
from oracle.case.tensor_ops import find_op
from oracle.ops.special import SPECIAL
from oracle.reference.dtypes import SMALLEST_NORMAL, WIDER, is_inexact, to_double, to_longdouble


def compute_expected(call: Case, dtypes: Sequence[np.dtype]) -> Any:
    """Return the expected arrays of a call of an op, in these dtypes; None if no reference has the op."""
    op = find_op(call)
    function = REFERENCES.get(op)
    if function is None:
        return None
    exact = op in SAME_PRECISION
    lifted = [_lift(value, exact) for value in call.args]
    named = {name: _lift(value, exact) for name, value in call.kwargs.items()}
    with np.errstate(all="ignore"):
        try:
            result = function(*lifted, **named)
        except (ValueError, TypeError, IndexError, ArithmeticError, NotImplementedError):
            return None
        if result is None:
            return None
        result = result if isinstance(result, tuple) else (result,)
        return tuple(_lower(np.asarray(value), dtype) for value, dtype in zip(result, dtypes, strict=False))


def has_subnormals(array: Any) -> bool:
    """Return whether an array contains numbers that TensorFlow may flush to zero."""
    if not isinstance(array, np.ndarray) or not is_inexact(array.dtype) or array.dtype == np.float16:
        return False
    parts = (array.real, array.imag) if array.dtype.kind == "c" else (array,)
    sizes = [np.abs(part.astype(np.float64)) for part in parts]
    return any(bool(((size > 0) & (size < SMALLEST_NORMAL[array.dtype])).any()) for size in sizes)


def _lift(value: Any, exact: bool) -> Any:
    if isinstance(value, list):
        return [_lift(item, exact) for item in value]
    if not isinstance(value, np.ndarray) or value.dtype not in WIDER:
        return value
    if exact and value.dtype.itemsize > 2:
        return value
    return value.astype(WIDER[value.dtype])


def _lower(value: np.ndarray, dtype: np.dtype) -> np.ndarray:
    if value.dtype.kind == "c" and dtype.kind != "c":
        return value.real.astype(dtype)
    return value.astype(dtype)


def _axes(axis: Any) -> Any:
    if isinstance(axis, list):
        return tuple(axis)
    return axis if axis is None else int(axis)


def _reduction(function: Callable[..., Any]) -> Callable[..., Any]:
    def reduce(x: np.ndarray, axis: Any = None, keepdims: bool = False) -> Any:
        return function(x, axis=_axes(axis), keepdims=keepdims)

    return reduce


def _sum(x: np.ndarray, axis: Any = None, keepdims: bool = False) -> Any:
    return np.sum(x, axis=_axes(axis), keepdims=keepdims, dtype=x.dtype)


def _prod(x: np.ndarray, axis: Any = None, keepdims: bool = False) -> Any:
    return np.prod(x, axis=_axes(axis), keepdims=keepdims, dtype=x.dtype)


def _mean(x: np.ndarray, axis: Any = None, keepdims: bool = False) -> Any:
    if not is_inexact(x.dtype):
        return None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that of no elements is nan
        return np.mean(x, axis=_axes(axis), keepdims=keepdims)


def _logsumexp(x: np.ndarray, axis: Any = None, keepdims: bool = False) -> Any:
    return np.logaddexp.reduce(x, axis=_axes(axis), keepdims=keepdims) if axis is not None or x.ndim == 1 else None


def _norm(x: np.ndarray, axis: Any = None, keepdims: bool = False) -> Any:
    return np.sqrt(np.sum(np.abs(to_longdouble(x)) ** 2, axis=_axes(axis), keepdims=keepdims))


def _scan(function: np.ufunc) -> Callable[..., Any]:
    def scan(x: np.ndarray, axis: int = 0, exclusive: bool = False, reverse: bool = False) -> Any:
        if exclusive:
            return None
        turned = np.flip(x, axis) if reverse else x
        result = function.accumulate(turned, axis=axis, dtype=x.dtype)
        return np.flip(result, axis) if reverse else result

    return scan


def _sort(values: np.ndarray, axis: int = -1, direction: str = "ASCENDING") -> Any:
    result = np.sort(values, axis=axis)
    return np.flip(result, axis) if direction == "DESCENDING" else result


def _argsort(values: np.ndarray, axis: int = -1, direction: str = "ASCENDING", stable: bool = False) -> Any:
    return np.argsort(values, axis=axis, kind="stable") if stable and direction == "ASCENDING" else None


def _searchsorted(sorted_sequence: np.ndarray, values: np.ndarray, side: str = "left") -> Any:
    return np.searchsorted(sorted_sequence, values, side=side) if sorted_sequence.ndim == 1 else None


def _segments(function: np.ufunc, empty: float) -> Callable[..., Any]:
    def reduce(data: np.ndarray, segment_ids: np.ndarray, num_segments: int | None = None) -> Any:
        if segment_ids.ndim != 1 or not segment_ids.size or not data.size:
            return None
        count = int(segment_ids.max()) + 1 if num_segments is None else int(num_segments)
        if num_segments is not None and len(set(segment_ids.tolist()) & set(range(count))) < count:
            return None  # what an empty segment holds is each op's own
        result = np.full((count, *data.shape[1:]), empty, data.dtype)
        for row, index in zip(data, segment_ids.tolist(), strict=True):
            if 0 <= index < count:
                result[index] = function(result[index], row)
        if len(set(segment_ids.tolist())) < count:
            return None
        return result

    return reduce


def _extreme_segments(function: np.ufunc) -> Callable[..., Any]:
    def reduce(data: np.ndarray, segment_ids: np.ndarray, num_segments: int | None = None) -> Any:
        if segment_ids.ndim != 1 or not data.size:
            return None
        count = int(segment_ids.max()) + 1 if num_segments is None else int(num_segments)
        rows = [data[segment_ids == index] for index in range(count)]
        return np.stack([function.reduce(row, axis=0) for row in rows]) if all(map(len, rows)) else None

    return reduce


def _scatter(function: np.ufunc | None) -> Callable[..., Any]:
    def scatter(tensor: np.ndarray, indices: np.ndarray, updates: np.ndarray) -> Any:
        if indices.ndim != 2 or indices.shape[1] != 1:
            return None
        rows = indices[:, 0].tolist()
        if function is None and len(set(rows)) < len(rows):
            return None
        result = tensor.copy()
        for row, update in zip(rows, updates, strict=True):
            result[row] = update if function is None else function(result[row], update)
        return result

    return scatter


def _cast(x: np.ndarray, dtype: np.dtype) -> Any:
    x = np.asarray(x)
    if x.dtype.kind in "fc" and dtype.kind in "iu":
        real = x.real
        info = np.iinfo(dtype)
        if not bool(np.all(np.isfinite(real) & (real > float(info.min) - 1) & (real < float(info.max)))):
            return None  # undefined
        return np.trunc(real).astype(dtype)
    return (x.real if x.dtype.kind == "c" and dtype.kind not in "cb" else x).astype(dtype)


def _where(condition: np.ndarray, x: Any = None, y: Any = None) -> Any:
    return np.argwhere(condition) if x is None else np.where(condition, x, y)


def _power(x: np.ndarray, y: np.ndarray) -> Any:
    if np.asarray(x).dtype.kind in "iu":
        return np.power(x, y) if not np.any(np.asarray(y) < 0) else None
    left, right = np.broadcast_arrays(x, y)  # NumPy takes a scalar 0.5 for a root, whose sign of zero is another
    return np.power(np.array(left), np.array(right))


def _by_parts(function: Callable[..., Any]) -> Callable[..., Any]:
    """Wrap a function of complex numbers so that it answers only if all are finite: products of infinities vary."""

    def compute(*args: Any) -> Any:
        arrays = [np.asarray(arg) for arg in args]
        is_complex = any(array.dtype.kind == "c" for array in arrays)
        if is_complex and not all(np.isfinite(array).all() for array in arrays):
            return None
        result = function(*args)
        if is_complex and not np.isfinite(np.asarray(result)).all():
            return None
        return result

    return compute


def _integers_only_nonzero(function: Callable[..., Any]) -> Callable[..., Any]:
    def divide(x: Any, y: Any) -> Any:
        return None if np.asarray(y).dtype.kind in "iu" and np.any(np.asarray(y) == 0) else function(x, y)

    return divide


def _in_width(function: Callable[..., Any]) -> Callable[..., Any]:
    """Wrap a shift so that it answers only for counts below the width: C leaves others undefined."""

    def shift(x: np.ndarray, y: np.ndarray) -> Any:
        width = np.asarray(x).dtype.itemsize * 8
        return function(x, y) if np.all((np.asarray(y) >= 0) & (np.asarray(y) < width)) else None

    return shift


def _variance(x: np.ndarray, axis: Any = None, keepdims: bool = False) -> Any:
    return (
        np.var(x.astype(np.longdouble), axis=_axes(axis), keepdims=keepdims) if x.dtype.kind == "f" and x.size else None
    )


def _deviation(x: np.ndarray, axis: Any = None, keepdims: bool = False) -> Any:
    variance = _variance(x, axis, keepdims)
    return None if variance is None else np.sqrt(variance)


def _max_pool(x: np.ndarray, ksize: int, strides: int, padding: str) -> Any:
    if ksize != 2 or strides != 2 or padding != "VALID" or x.ndim != 4:
        return None
    n, h, w, c = x.shape
    blocks = x[:, : h // 2 * 2, : w // 2 * 2].reshape(n, h // 2, 2, w // 2, 2, c)
    return np.max(blocks, axis=(2, 4))


def _einsum(equation: str, *arrays: np.ndarray) -> Any:
    return _by_parts(lambda *parts: np.einsum(equation, *parts))(*arrays)


def _cholesky(a: np.ndarray) -> Any:
    if a.shape[-1] == 0 or not np.isfinite(a).all():
        return None
    try:
        return np.linalg.cholesky(to_double(a))
    except np.linalg.LinAlgError:  # what is not positive definite has no factor
        return np.full(a.shape, np.nan)


_SELU_SCALE, _SELU_ALPHA = 1.0507009873554804934193349852946, 1.6732632423543772848170429916717


def _relu6(x: np.ndarray) -> Any:
    return np.minimum(np.maximum(x, 0), 6)


def _sigmoid(x: np.ndarray) -> Any:
    return 1 / (1 + np.exp(-x)) if x.dtype.kind == "f" else None


def _softplus(x: np.ndarray) -> Any:
    return np.logaddexp(x, 0)


def _xlogy(x: np.ndarray, y: np.ndarray) -> Any:
    return np.where(x == 0, 0, x * np.log(y)) if np.asarray(x).dtype.kind == "f" and not np.isnan(y).any() else None


REFERENCES: dict[str, Callable[..., Any]] = {
    "math.add": _by_parts(np.add),
    "math.subtract": _by_parts(np.subtract),
    "math.multiply": _by_parts(np.multiply),
    "math.divide": _by_parts(np.true_divide),
    "math.floordiv": _integers_only_nonzero(np.floor_divide),
    "math.floormod": _integers_only_nonzero(np.mod),
    "truncatemod": _integers_only_nonzero(np.fmod),
    "math.maximum": np.maximum,
    "math.minimum": np.minimum,
    "math.square": _by_parts(np.square),
    "math.squared_difference": _by_parts(lambda x, y: np.square(x - y) if np.asarray(x).dtype.kind != "c" else None),
    "math.negative": np.negative,
    "math.abs": np.abs,
    "math.sign": lambda x: np.sign(x) if x.dtype.kind != "c" else None,
    "math.ceil": np.ceil,
    "math.floor": np.floor,
    "math.rint": np.rint,
    "math.round": lambda x: np.rint(x) if x.dtype.kind == "f" else x,
    "math.nextafter": np.nextafter,
    "math.less": np.less,
    "math.less_equal": np.less_equal,
    "math.greater": np.greater,
    "math.greater_equal": np.greater_equal,
    "math.equal": np.equal,
    "math.not_equal": np.not_equal,
    "math.logical_and": np.logical_and,
    "math.logical_or": np.logical_or,
    "math.logical_xor": np.logical_xor,
    "math.logical_not": np.logical_not,
    "math.is_nan": np.isnan,
    "math.is_inf": np.isinf,
    "math.is_finite": np.isfinite,
    "math.real": np.real,
    "math.imag": np.imag,
    "math.conj": np.conj,
    "math.angle": np.angle,
    "math.sqrt": np.sqrt,
    "math.rsqrt": lambda x: 1 / np.sqrt(x) if x.dtype.kind == "f" else None,
    "math.reciprocal": _by_parts(lambda x: 1 / x if x.dtype.kind in "fc" else None),
    "math.exp": np.exp,
    "math.expm1": np.expm1,
    "math.log": np.log,
    "math.log1p": np.log1p,
    "math.sin": np.sin,
    "math.cos": np.cos,
    "math.tan": np.tan,
    "math.sinh": np.sinh,
    "math.cosh": np.cosh,
    "math.tanh": np.tanh,
    "math.asin": np.arcsin,
    "math.acos": np.arccos,
    "math.atan": np.arctan,
    "math.asinh": np.arcsinh,
    "math.acosh": np.arccosh,
    "math.atanh": np.arctanh,
    "math.atan2": np.arctan2,
    "math.pow": _power,
    "math.sigmoid": _sigmoid,
    "math.softplus": _softplus,
    "math.xlogy": _xlogy,
    "math.reduce_sum": _sum,
    "math.reduce_prod": _prod,
    "math.reduce_mean": _mean,
    "math.reduce_max": _reduction(np.max),
    "math.reduce_min": _reduction(np.min),
    "math.reduce_any": _reduction(np.any),
    "math.reduce_all": _reduction(np.all),
    "math.reduce_logsumexp": _logsumexp,
    "math.reduce_euclidean_norm": _norm,
    "norm": _norm,
    "math.reduce_variance": _variance,
    "math.reduce_std": _deviation,
    "math.count_nonzero": _reduction(np.count_nonzero),
    "math.argmax": lambda x, axis=None: np.argmax(x, axis=axis),
    "math.argmin": lambda x, axis=None: np.argmin(x, axis=axis),
    "math.cumsum": _scan(np.add),
    "math.cumprod": _scan(np.multiply),
    "math.cumulative_logsumexp": _scan(np.logaddexp),
    "math.segment_sum": _segments(np.add, 0),
    "math.segment_max": _extreme_segments(np.maximum),
    "math.segment_min": _extreme_segments(np.minimum),
    "math.unsorted_segment_sum": _segments(np.add, 0),
    "math.unsorted_segment_max": _extreme_segments(np.maximum),
    "math.unsorted_segment_min": _extreme_segments(np.minimum),
    "tensor_scatter_nd_update": _scatter(None),
    "tensor_scatter_nd_add": _scatter(np.add),
    "tensor_scatter_nd_sub": _scatter(np.subtract),
    "tensor_scatter_nd_max": _scatter(np.maximum),
    "tensor_scatter_nd_min": _scatter(np.minimum),
    "bitwise.bitwise_and": np.bitwise_and,
    "bitwise.bitwise_or": np.bitwise_or,
    "bitwise.bitwise_xor": np.bitwise_xor,
    "bitwise.invert": np.invert,
    "bitwise.left_shift": _in_width(np.left_shift),
    "bitwise.right_shift": _in_width(np.right_shift),
    "sort": _sort,
    "argsort": _argsort,
    "searchsorted": _searchsorted,
    "cast": _cast,
    "where": _where,
    "clip_by_value": lambda x, low, high: np.minimum(np.maximum(x, low), high) if np.all(low <= high) else None,
    "Tensor.__getitem__": operator.getitem,
    "reverse": lambda x, axis: np.flip(x, tuple(axis)),
    "roll": np.roll,
    "transpose": np.transpose,
    "repeat": np.repeat,
    "linalg.matmul": _by_parts(np.matmul),
    "linalg.matvec": _by_parts(lambda a, x: np.matmul(a, x[..., None])[..., 0]),
    "einsum": _einsum,
    "tensordot": _by_parts(np.tensordot),
    "split": lambda value, parts, axis=0: tuple(np.split(value, parts, axis)),
    "meshgrid": lambda *arrays: tuple(np.meshgrid(*arrays)),
    "linalg.trace": lambda x: np.trace(x, axis1=-2, axis2=-1, dtype=x.dtype),
    "linalg.cholesky": _cholesky,
    "nn.relu": lambda x: np.maximum(x, 0),
    "nn.relu6": _relu6,
    "nn.elu": lambda x: np.where(x > 0, x, np.expm1(x)),
    "nn.selu": lambda x: _SELU_SCALE * np.where(x > 0, x, _SELU_ALPHA * np.expm1(x)),
    "nn.softsign": lambda x: np.where(np.isinf(x), np.nan, x / (1 + np.abs(x))),
    "nn.max_pool2d": _max_pool,
    **SPECIAL,
}
"""NumPy's counterparts, on arrays in more precision."""

SAME_PRECISION = frozenset({
    "math.add", "math.subtract", "math.multiply", "math.divide", "math.sqrt", "math.floordiv", "math.floormod",
    "math.nextafter", "cast", "math.squared_difference", "math.square", "truncatemod",
})  # fmt: skip
"""Ops that NumPy computes in the dtype itself: their rounding is what is expected."""


def largest(array: np.ndarray) -> float:
    """Return the largest finite magnitude of an element; 0 if there is none."""
    if not array.size:
        return 0.0
    sizes = np.abs(to_double(array))
    sizes = np.where(np.isfinite(sizes), sizes, 0)
    return float(sizes.max())
