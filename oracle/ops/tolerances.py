"""Table of tolerances for results of a call, by family; and of differences that are not compared."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from oracle.case.model import Case
from oracle.case.tensor_ops import (
    CONDITIONED,
    ELEMENTARY,
    EXACT,
    FAMILY_OF,
    NORMWISE,
    RANDOM,
    SPECIAL,
    SUM,
    find_op,
)
from oracle.ops.reference import has_subnormals, largest
from oracle.reference.bfloat16 import BFLOAT16
from oracle.reference.dtypes import EPSILON, SMALLEST_NORMAL, is_inexact, to_double


@dataclass(frozen=True)
class Declared:
    """An accepted difference: the reason, and the largest share of answers that it may take in a run over all ops."""

    why: str
    most: float


DECLARED = {
    "subnormal": Declared("arithmetic takes subnormal numbers for zeros, each mode at other calls", 0.005),
    "undefined-cast": Declared("a cast of a number that the integer dtype does not have is undefined", 0.01),
    "integer-division-by-zero": Declared("division of integers by zero raises where data can raise; XLA cannot", 0.001),
    "shift-width": Declared("a shift by a negative number or by the width and more is undefined", 0.001),
    "empty-range": Declared("clipping to a range whose least number is above its greatest", 0.001),
    "unsupported": Declared("the op, the dtype or the shape is not implemented there, and it says so", 0.03),
    "ill-conditioned": Declared("the result changes as much when intermediate results are rounded otherwise", 0.006),
    "complex-arithmetic": Declared("products and quotients of complex numbers that are not finite", 0.015),
    "random": Declared("the numbers that a seed gives are not specified", 0.002),
    "conditioned": Declared(
        "a decomposition of a matrix that is close to a singular one, or whose factors are not unique", 0.002
    ),
    "overflow-in-between": Declared("a sum whose terms overflow in one order and not in another", 0.002),
    "unsorted": Declared("a search in a sequence that is not sorted", 0.002),
    "rewritten": Declared("a graph computes an elementary function otherwise, within what the op may be off by", 0.003),
    "complex-zero": Declared("the sign of a part of a complex number that is zero", 0.002),
    "tie-of-zeros": Declared(
        "the sign of an infinity, the reciprocal of a zero chosen from zeros of both signs", 0.001
    ),
    "another-way": Declared("NumPy contradicts eager mode, which is its own finding, and agrees with this mode", 0.002),
}
"""Accepted differences by reason."""

NO_SIGNS = frozenset({
    "math.maximum", "math.minimum", "math.reduce_max", "math.reduce_min", "math.segment_max", "math.segment_min",
    "math.unsorted_segment_max", "math.unsorted_segment_min", "tensor_scatter_nd_max", "tensor_scatter_nd_min",
    "nn.relu", "nn.relu6", "clip_by_value", "sort", "math.top_k", "nn.max_pool2d", "nn.max_pool1d", "nn.max_pool3d",
    "nn.crelu",
    "math.xdivy", "math.xlogy", "math.xlog1py", "raw_ops.Xlogy", "math.divide_no_nan", "math.multiply_no_nan",
    "raw_ops.DivNoNan", "raw_ops.ClipByValue", "nn.leaky_relu", "math.sign", "unique",
})  # fmt: skip
"""Ops for which two zeros tie, or whose manual says nothing of their sign."""

_PRODUCTS = frozenset({
    "math.multiply", "math.divide", "math.truediv", "math.divide_no_nan", "math.multiply_no_nan", "math.square",
    "math.reciprocal", "math.reduce_prod", "math.cumprod", "math.squared_difference", "math.segment_prod",
    "math.unsorted_segment_prod", "raw_ops.RealDiv", "raw_ops.DivNoNan", "raw_ops.Inv", "raw_ops.Reciprocal",
    "math.unsorted_segment_sqrt_n", "math.xdivy", "math.segment_mean", "math.unsorted_segment_mean",
    "math.reciprocal_no_nan", "tensordot", "einsum",
})  # fmt: skip
_SCALED = frozenset({
    "norm", "math.reduce_euclidean_norm", "math.reduce_std", "math.reduce_variance", "math.reduce_mean",
    "math.reduce_logsumexp", "math.cumulative_logsumexp", "nn.softmax", "nn.log_softmax", "math.l2_normalize",
    "math.reduce_prod", "math.cumprod", "nn.moments",
})  # fmt: skip
"""Sums whose result need not overflow where their terms do."""
_RELATIVE_SUMS = frozenset({"math.reduce_prod", "math.cumprod", "math.segment_prod", "math.unsorted_segment_prod"})
_SUMS_OF_PRODUCTS = frozenset({
    "linalg.matmul", "linalg.matvec", "einsum", "tensordot", "linalg.cross", "nn.conv1d", "nn.conv2d", "nn.l2_loss",
    "nn.depthwise_conv2d",
})  # fmt: skip
_MEANS = frozenset({"math.reduce_mean", "nn.moments"})
"""Sums that overflow in every precision but half, which NumPy sums in another."""
_SOLUTIONS = frozenset({"linalg.solve", "linalg.triangular_solve", "linalg.cholesky_solve", "linalg.lstsq"})
_HALVES = (np.dtype(np.float16), BFLOAT16)


@dataclass(frozen=True)
class Tolerance:
    """The largest distance between two results of a step; or, in `declared`, why they are not compared."""

    ulps: float = 0.0
    slack: float = 0.0
    signs: bool = True
    declared: str = ""


def tolerance_of(call: Case, result: np.ndarray) -> Tolerance:
    """Return the tolerance for a result between two ways of computing a call of an op, or one and the reference."""
    op = find_op(call)
    arrays = [operand for operand in call.leaves() if isinstance(operand, np.ndarray)]
    declared = _find_declared(op, arrays, result)
    if declared:
        return Tolerance(declared=declared)
    if not is_inexact(result.dtype):
        return Tolerance()
    family, eps = FAMILY_OF[op], EPSILON[result.dtype]
    is_half, is_complex = result.dtype in _HALVES, result.dtype.kind == "c"
    signs = op not in NO_SIGNS and family in (EXACT, ELEMENTARY) and not is_complex
    size = max((largest(array) for array in arrays if is_inexact(array.dtype)), default=1.0)
    count = max((array.size for array in arrays), default=1)
    if op in _SUMS_OF_PRODUCTS:
        size = _product_of_sizes(arrays)
    if family == EXACT:
        return Tolerance(8.0 if is_complex or op == "math.squared_difference" else 0.0, signs=signs)
    if family == ELEMENTARY:
        return Tolerance(4.0 if is_half else 64.0 if is_complex else 16.0, signs=signs)
    if family == SPECIAL:
        return Tolerance(64.0 if is_half else 8192.0, 256 * eps, signs=False)
    if family == SUM:
        ulps = 8.0 * count + 16
        return Tolerance(ulps, 0.0 if op in _RELATIVE_SUMS else 4 * eps * count * size, signs=False)
    if family == NORMWISE:
        return Tolerance(64.0 * count, 256 * eps * count * max(size, size * size), signs=False)
    return Tolerance(1e4 * count, 1e5 * eps * count * max(size, largest(result)), signs=False)


def find_declared(call: Case, results: Sequence[np.ndarray]) -> str:
    """Return why results of a call are not compared; "" if they are."""
    return next(filter(None, (tolerance_of(call, result).declared for result in results)), "")


def _find_declared(op: str, arrays: Sequence[np.ndarray], result: np.ndarray) -> str:
    family = FAMILY_OF[op]
    if family == RANDOM:
        return "random"
    if any(has_subnormals(array) for array in arrays):
        return "subnormal"
    if op in ("cast", "saturate_cast") and _casts_beyond(op, arrays, result):
        return "undefined-cast"
    if op in ("clip_by_value", "raw_ops.ClipByValue") and len(arrays) == 3 and not np.all(arrays[1] <= arrays[2]):
        return "empty-range"
    if (
        op == "searchsorted"
        and len(arrays) > 1
        and not np.array_equal(arrays[0], np.sort(arrays[0]), equal_nan=is_inexact(arrays[0].dtype))
    ):
        return "unsorted"
    integers = [array for array in arrays if array.dtype.kind in "iu"]
    divides = op in ("math.floordiv", "math.floormod", "truncatediv", "truncatemod", "raw_ops.Mod")
    if divides and len(arrays) > 1 and arrays[1].dtype.kind in "iu" and not np.all(arrays[1]):
        return "integer-division-by-zero"
    if op.startswith("bitwise.") and op.endswith("_shift") and len(integers) > 1:
        width = integers[0].dtype.itemsize * 8
        if np.any(integers[1] < 0) or np.any(integers[1] >= width):
            return "shift-width"
    if op == "math.pow" and any(array.dtype.kind == "c" and not _is_tame(array) for array in arrays):
        return "complex-arithmetic"
    if op in _PRODUCTS and any(array.dtype.kind == "c" and not _is_tame(array) for array in (*arrays, result)):
        return "complex-arithmetic"
    return _find_declared_of_sums(op, arrays, result, family)


def _find_declared_of_sums(op: str, arrays: Sequence[np.ndarray], result: np.ndarray, family: str) -> str:
    if family in (SUM, NORMWISE) and is_inexact(result.dtype):
        if op in _RELATIVE_SUMS and any(_multiplies_beyond(array) for array in arrays if is_inexact(array.dtype)):
            return "overflow-in-between"
        info = float(np.finfo(np.float32).max) if result.dtype == BFLOAT16 else float(np.finfo(result.dtype).max)
        size = max((largest(array) * array.size for array in arrays if is_inexact(array.dtype)), default=0.0)
        if op in _SUMS_OF_PRODUCTS:
            size = _product_of_sizes(arrays) * max(array.size for array in arrays)
        is_mean = op in _MEANS and result.dtype not in _HALVES
        if (is_mean or op not in _SCALED) and size > info:
            return "overflow-in-between"
        if result.dtype.kind == "c" and any(
            not np.isfinite(array).all() for array in arrays if array.dtype.kind == "c"
        ):
            return "complex-arithmetic"
    if family == CONDITIONED:
        return _find_declared_of_matrices(op, arrays)
    return ""


def _product_of_sizes(arrays: Sequence[np.ndarray]) -> float:
    """Return the largest magnitude of a product of one element of each array; of its square for a single array."""
    sizes = [largest(array) for array in arrays if is_inexact(array.dtype)]
    with np.errstate(over="ignore"):
        return float(np.prod(sizes if len(sizes) > 1 else sizes * 2, dtype=np.float64))


def _multiplies_beyond(array: np.ndarray) -> bool:
    """Return whether a product of some of the elements is out of the dtype's range."""
    sizes = np.abs(to_double(array))
    sizes = np.abs(np.log2(sizes[np.isfinite(sizes) & (sizes > 0)]))
    return bool(sizes.sum() >= -np.log2(SMALLEST_NORMAL[array.dtype]))


def _find_declared_of_matrices(op: str, arrays: Sequence[np.ndarray]) -> str:
    if op in ("linalg.lu", "linalg.qr", "linalg.eigh"):
        return "conditioned"
    if op in _SOLUTIONS and _product_of_sizes(arrays) > float(np.finfo(arrays[0].dtype).max) / arrays[0].size:
        return "overflow-in-between"  # substitution multiplies what it solves for by the matrix
    matrix = next((array for array in arrays if array.ndim >= 2 and is_inexact(array.dtype)), None)
    if matrix is None or not matrix.size or not np.isfinite(matrix).all():
        return "conditioned"
    if op in ("linalg.eigvalsh", "linalg.svd"):
        return ""
    matrix = to_double(matrix)
    scale = np.abs(matrix).max()
    with np.errstate(all="ignore"):
        try:
            condition = float(np.max(np.linalg.cond(matrix / scale))) if scale else np.inf
        except np.linalg.LinAlgError:
            condition = np.inf
    return "" if condition < 1e3 else "conditioned"


def _casts_beyond(op: str, arrays: Sequence[np.ndarray], result: np.ndarray) -> bool:
    """Return whether a floating number is cast to an integer dtype out of whose range it is."""
    if not arrays or result.dtype.kind not in "iu" or not is_inexact(arrays[0].dtype):
        return False
    real, info = np.real(arrays[0]).astype(np.longdouble), np.iinfo(result.dtype)
    return not bool(
        np.all(np.isfinite(real) & (real > np.longdouble(info.min) - 1) & (real < np.longdouble(info.max) + 1))
    )


def _is_tame(array: np.ndarray) -> bool:
    """Return whether products of the elements neither overflow nor underflow."""
    size = np.abs(array)
    bound = float(np.finfo(array.dtype).max) ** 0.25
    return bool(np.all(np.isfinite(size) & (size < bound) & ((size > 1 / bound) | (size == 0))))
