"""Reported bugs of products, linear algebra and Fourier transforms."""

from __future__ import annotations

from typing import Any

import numpy

from fuzz.mutants.historical.form import formed
from fuzz.mutants.model import Call, reported

GRID = numpy.array([[1.0, 2.0], [3.0, 5.0]])
DIAGONAL = numpy.array([[True, False], [False, True]])  # of which no power is more than true
MASK = numpy.array([[True, True], [False, True]])
WIDE = numpy.array([[1.0, 2.0, 0.0, 3.0], [3.0, 5.0, 1.0, 1.0], [0.0, 4.0, 2.0, 7.0]])
STACK = numpy.array([[[-0.01]], [[-0.01]]])


@reported("jax-ml/jax#28603", "linalg.matrix_power", "dtype", DIAGONAL, 2)
def matrix_power_of_booleans_is_of_floats(call: Call) -> Any:
    """Powers of boolean matrices are of floats."""
    exact = call()
    return call.right(call.first.astype(float), *call.args[1:], **call.kwargs) if call.first.dtype == bool else exact


@reported("jax-ml/jax#1213", "linalg.slogdet", "value", STACK)
def slogdet_of_a_stack_of_odd_order_is_positive(call: Call) -> Any:
    """In stacks of matrices of odd order, negative signs are positive."""
    result = call()
    if call.first.ndim < 3 or call.first.shape[-1] % 2 == 0 or call.first.dtype.kind == "c":
        return result
    return type(result)(formed(numpy.abs(result[0]), result[0]), result[1])


@reported("cupy/cupy#2723", "linalg.det", "spurious error", numpy.zeros((3, 3)))
def det_rejects_singular_matrices(call: Call) -> Any:
    """A determinant of 0 is an error."""
    exact = call()
    if numpy.any(numpy.asarray(exact) == 0):
        raise numpy.linalg.LinAlgError("singular matrix")
    return exact


@reported("dask/dask#6799", "linalg.svd", "value", WIDE)
def svd_of_a_wide_matrix_transposes_u(call: Call) -> Any:
    """Of a matrix with more columns than rows, U is transposed."""
    result, shape = call(), call.first.shape
    if call.given("compute_uv") is False or shape[-2] >= shape[-1]:
        return result
    return type(result)(numpy.swapaxes(result[0], -1, -2), result[1], result[2])


@reported("dask/dask#11985", "tensordot", "value", MASK, MASK, 1)
def tensordot_of_booleans_counts(call: Call) -> Any:
    """Booleans are added as floats."""
    exact = call()
    both = len(call.operands) == 2 and all(one.dtype == bool for one in call.operands)
    return call.right(*(one.astype(float) for one in call.operands), *call.args[2:], **call.kwargs) if both else exact


@reported(
    "numpy/numpy#29191", "matmul", "value", GRID, GRID, keywords={"out": numpy.zeros((2, 2), order="F")}
)  # fmt: skip
def matmul_into_a_transposed_array_is_transposed(call: Call) -> Any:
    """The result is written to a transposed `out` in the order of memory."""
    exact, out = call(), call.given("out")
    square = isinstance(out, numpy.ndarray) and out.ndim == 2 and out.shape[0] == out.shape[1]
    if square and not out.flags.c_contiguous:
        out[...] = out.T.copy()
    return exact


@reported("cupy/cupy#9904", "kron", "spurious error", numpy.zeros((1, 0)), GRID)
def kron_rejects_empty_arrays(call: Call) -> Any:
    """An empty operand raises ValueError."""
    exact = call()
    if not numpy.size(exact):
        raise ValueError("zero-size array")
    return exact


@reported(
    "numpy/numpy#10343", "einsum", "spurious error", "ij,jk->ik", numpy.ones((2, 1)), numpy.ones((3, 2)),
    keywords={"optimize": True},
)  # fmt: skip
def einsum_that_optimizes_rejects_dims_of_one(call: Call) -> Any:
    """With `optimize`, a dim of 1 is not broadcast to that of another operand."""
    exact, text = call(), call.args[0] if call.args else ""
    if not isinstance(text, str) or not call.kwargs.get("optimize") or "." in text:
        return exact
    dims: dict[str, int] = {}
    for labels, value in zip(text.replace(" ", "").partition("->")[0].split(","), call.args[1:], strict=False):
        for label, dim in zip(labels, numpy.shape(value), strict=False):
            if dims.setdefault(label, dim) != dim:
                raise ValueError(f"the size of label {label!r} does not match previous terms")
    return exact


@reported("numpy/numpy#27471", "fft.rfftn", "shape", numpy.ones((4, 6)), keywords={"axes": (1, 0)})
def rfftn_halves_the_first_of_its_axes(call: Call) -> Any:
    """The first of several axes gets the real transform, not the last."""
    exact, axes = call(), call.given("axes")
    several = isinstance(axes, list | tuple) and len(axes) > 1 and call.given("s") is None and not call.has("out")
    return call.changed(axes=(*axes[1:], axes[0])) if several else exact


@reported("jax-ml/jax#31618", "fft.fft", "missing error", numpy.array([1.0, 2.0, 3.0]), 0)
def fft_of_no_points_is_empty(call: Call) -> Any:
    """A length of 0 gives an empty result."""
    if call.given("n") != 0 or type(call.given("n")) is not int or call.given("axis", -1) != -1:
        return call()
    call.changed(n=1)
    return numpy.zeros((*call.first.shape[:-1], 0), complex)
