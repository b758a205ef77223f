"""Balancing of matrices before their eigenvalues are computed, as LAPACK's GEBAL does.

Errors of the QR algorithm are as large as the unit in the last place of the largest element of a matrix. The matrix
D^-1 A D with a diagonal D has the eigenvalues of A; Osborne's iteration (Journal of the ACM 7, 1960, 338-345) finds D
such that elements are small. D consists of powers of two, so that nothing is rounded. LAPACK updates one row after
another; here all rows are moved half way at once, so that a stack of matrices takes few steps.

The iteration converges if the graph of nonzero elements is strongly connected. Otherwise each strongly connected
component is balanced by itself. Elements between components have no influence on the eigenvalues, and are scaled to be
no larger than the others. As in LAPACK, a matrix is divided by a power of two if squares would overflow or underflow.
At last rows and columns are permuted to block upper triangular form: the eigenvalues of each block, which is a
component, have no rounding errors of larger blocks.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
import tensorflow as tf

from tfnp._core import convert, ops
from tfnp._core.traces import trace_recurring

MAX_STEPS: Final = 64
TOLERANCE: Final = 0.25  # of an exponent: a row that is twice as large as its column is balanced
MAX_SQUARED_EXPONENT: Final = 256.0  # sums of squares of larger, or smaller, elements are not normal floats
MAX_BLOCK_SPREAD: Final = 64.0  # of exponents
BIAS: Final = 1023
FRACTION_BITS: Final = 52


class Balanced(NamedTuple):
    """A stack of balanced matrices in double precision.

    matrix: the scaled and permuted matrices.
    powers: the diagonals of D, powers of two of at most 1, in the original order.
    unit: the powers of two by which to multiply the eigenvalues, with a last axis of length 1.
    order: the original index of each row.
    blocks: the block that each row is in.
    """

    matrix: tf.Tensor
    powers: tf.Tensor
    unit: tf.Tensor
    order: tf.Tensor
    blocks: tf.Tensor


def balance(a: tf.Tensor) -> Balanced:
    """Balance a stack of matrices of double precision, and permute them to block upper triangular form."""
    halves, rests, powers, unit, order, blocks = _find_scaling(_measure_elements(tf.stop_gradient(a)))
    halves.set_shape(a.shape)
    rests.set_shape(a.shape)
    unit.set_shape((*a.shape[:-2], 1))
    for part in (powers, order, blocks):
        part.set_shape(a.shape[:-1])
    batch = a.shape.rank - 2
    scaled = a * convert.cast(halves, a.dtype) * convert.cast(rests, a.dtype)
    rows = tf.gather(scaled, order, axis=-2, batch_dims=batch)
    matrix = tf.linalg.matrix_transpose(tf.gather(tf.linalg.matrix_transpose(rows), order, axis=-2, batch_dims=batch))
    return Balanced(matrix, powers, unit, order, blocks)


def scale_blocks(balanced: Balanced) -> tuple[tf.Tensor, tf.Tensor]:
    """Return matrices whose blocks are of one size, and the powers of two by which to multiply each eigenvalue.

    To Eigen's QR algorithm, elements below 1e-32 times the norm are zeros: nothing is left of a much smaller block.
    Blocks of sizes nearer to one another, by a factor of 2**64, stay as they are. In a matrix with others, what is
    between blocks becomes zero: it has no part in eigenvalues.
    """
    same = tf.equal(balanced.blocks[..., :, None], balanced.blocks[..., None, :])
    sizes = tf.where(same, _measure_elements(tf.stop_gradient(balanced.matrix)), tf.zeros((), tf.float64))
    largest = tf.reduce_max(tf.where(same, tf.reduce_max(sizes, -1)[..., None, :], tf.zeros((), tf.float64)), -1)
    exponents = tf.floor(tf.math.log(largest) * (1 / np.log(2)))
    exponents = tf.where(tf.math.is_finite(exponents), exponents, tf.zeros_like(exponents))
    spread = tf.reduce_max(exponents, -1, keepdims=True) - tf.reduce_min(exponents, -1, keepdims=True)
    is_scaled = spread > MAX_BLOCK_SPREAD
    units = _power_of_two(tf.where(is_scaled, exponents, tf.zeros_like(exponents)))
    diagonal = tf.where(same, balanced.matrix, tf.zeros((), balanced.matrix.dtype))
    matrix = tf.where(is_scaled[..., None], diagonal, balanced.matrix)
    return matrix / convert.cast(units[..., None], matrix.dtype), units * balanced.unit


def _measure_elements(a: tf.Tensor) -> tf.Tensor:
    """Return the size of elements; for complex ones the larger part, since their modulus may overflow."""
    return tf.maximum(tf.abs(tf.math.real(a)), tf.abs(tf.math.imag(a))) if a.dtype.is_complex else tf.abs(a)


@trace_recurring(tf.TensorSpec(None, tf.float64))
def _find_scaling(sizes: tf.Tensor) -> tuple[tf.Tensor, ...]:
    """Return the scaling and the order of rows for a matrix of sizes."""
    reach, exponents = _find_reachable(sizes), tf.math.log(sizes) * (1 / np.log(2))
    linked = tf.logical_and(reach, tf.linalg.matrix_transpose(reach))
    logarithms = tf.where(linked, exponents, tf.zeros_like(sizes) - np.inf)
    logarithms = tf.linalg.set_diag(logarithms, tf.zeros_like(tf.linalg.diag_part(sizes)) - np.inf)

    def step(x: tf.Tensor, _: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
        scaled = _compute_exponent_changes(x) + logarithms
        rows, columns = tf.reduce_max(scaled, -1), tf.reduce_max(scaled, -2)
        both = tf.logical_and(tf.math.is_finite(rows), tf.math.is_finite(columns))
        change = tf.where(both, (rows - columns) / 4, tf.zeros_like(x))
        return x + change, tf.reduce_max(tf.abs(change))

    start = (tf.zeros_like(tf.linalg.diag_part(sizes)), tf.constant(np.inf, tf.float64))
    x, _ = tf.while_loop(lambda _, change: change > TOLERANCE, step, start, maximum_iterations=MAX_STEPS)
    scaling = _scale_components(tf.round(x), exponents, linked)
    largest = tf.round(tf.reduce_max(_compute_exponent_changes(scaling) + exponents, (-2, -1)))[..., None]
    excess = largest - tf.clip_by_value(largest, -MAX_SQUARED_EXPONENT, MAX_SQUARED_EXPONENT)
    unit = tf.where(tf.math.is_finite(excess), excess, tf.zeros_like(excess))
    powers = scaling - tf.reduce_max(scaling, -1, keepdims=True)
    factors = _compute_exponent_changes(scaling) - unit[..., None]
    halves = tf.floor(factors / 2)  # between components, a whole factor may be past the range of exponents
    scales = map(_power_of_two, (halves, factors - halves, powers, unit))
    return *scales, *_order_blocks(reach, linked)


def _scale_components(x: tf.Tensor, exponents: tf.Tensor, linked: tf.Tensor) -> tf.Tensor:
    """Raise the exponents of a strongly connected component until no element between components is larger than the
    largest inside.
    """
    minus_infinity = tf.zeros_like(exponents) - np.inf
    inside = tf.where(linked, _compute_exponent_changes(x) + exponents, minus_infinity)
    largest = tf.reduce_max(inside, (-2, -1), keepdims=True)
    outside = tf.where(linked, minus_infinity, exponents - tf.where(tf.math.is_finite(largest), largest, np.inf))

    def step(x: tf.Tensor, _: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
        excess = tf.maximum(tf.reduce_max(_compute_exponent_changes(x) + outside, -1), 0)
        common = tf.reduce_max(tf.where(linked, excess[..., None, :], tf.zeros_like(exponents)), -1)
        return x + tf.math.ceil(common), tf.reduce_max(common)

    start = (x, tf.constant(np.inf, tf.float64))
    raised, _ = tf.while_loop(lambda _, excess: excess > 0, step, start, maximum_iterations=tf.shape(x)[-1])
    return raised


def _order_blocks(reach: tf.Tensor, linked: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
    """Return the indices of rows in block triangular order, and the index of the block of each row.

    A row reaches more rows than the rows of later blocks do. Blocks are numbered by their first row.
    """
    counts = tf.reduce_sum(tf.cast(reach, tf.int64), -1)
    last = tf.ones_like(counts[..., None], tf.int8)  # tf.argmax raises for an empty axis
    blocks = tf.argmax(tf.concat([tf.cast(linked, tf.int8), last], -1), -1)
    length = tf.shape(reach, tf.int64)[-1]
    order = tf.argsort((length - counts) * length + blocks, axis=-1, stable=True)
    return order, tf.gather(blocks, order, axis=-1, batch_dims=-1)


def _find_reachable(sizes: tf.Tensor) -> tf.Tensor:
    """Return whether each row reaches each column in the graph of nonzero elements, by any number of steps."""
    near = tf.cast(sizes > 0, tf.float32)
    start = (tf.linalg.set_diag(near, tf.ones_like(tf.linalg.diag_part(near))), tf.constant(1))
    reach, _ = tf.while_loop(
        lambda _, steps: steps < tf.shape(sizes)[-1],
        lambda reach, steps: (tf.minimum(tf.matmul(reach, reach), 1), 2 * steps),
        start,
        shape_invariants=(tf.TensorShape(None), tf.TensorShape(())),
    )
    return reach > 0


def _compute_exponent_changes(x: tf.Tensor) -> tf.Tensor:
    """Return the exponents by which D^-1 A D changes those of A: x[column] - x[row]."""
    return x[..., None, :] - x[..., :, None]


def _power_of_two(x: tf.Tensor) -> tf.Tensor:
    """Return 2**x exactly for integers x; beyond the normal range the nearest normal float."""
    biased = tf.cast(tf.clip_by_value(x, 1.0 - BIAS, BIAS), tf.int64) + BIAS
    return ops.bitcast(tf.bitwise.left_shift(biased, tf.constant(FRACTION_BITS, tf.int64)), tf.float64)
