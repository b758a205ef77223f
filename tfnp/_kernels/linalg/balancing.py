"""Matrices whose rows are as large as their columns, before their eigenvalues are found.

Errors of the QR algorithm are as large as the unit in the last place of the largest number of a matrix. A matrix
D^-1 A D with a diagonal D has the eigenvalues of A; Osborne's iteration (Journal of the ACM 7, 1960, 338-345) finds D
such that numbers are small. With powers of two nothing is rounded. LAPACK does so, too, one row after another; here all
rows go half way at once, so that a stack of matrices takes few steps. It ends where every row can be reached from every
other along numbers that are not zero. Where not, the rows that reach one another are balanced by themselves. What is
between them and others has no part in the eigenvalues, and may be made as small as one likes: no larger than the rest.
What is then so large that its square overflows, or so small that it underflows, is divided by a power of two, too, as
LAPACK does. At last rows and columns are permuted, so that the matrix is block upper triangular: each block holds rows
that reach one another, its eigenvalues are found by themselves, and no larger block leaves rounding errors in them.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
import tensorflow as tf

from tfnp._core import convert

MOST_STEPS: Final = 64
NEAR: Final = 0.25  # of an exponent: a row twice as large as its column is balanced
MOST_SQUARED: Final = 256.0  # exponents, so that sums of squares are normal numbers, and those of smaller ones
BIAS: Final = 1023
FRACTION_BITS: Final = 52


class Balanced(NamedTuple):
    """A stack of matrices, in double precision, each between diagonals of powers of two, in its own unit, and permuted;
    those powers, of at most 1, in the order that they had; the unit, by which to multiply the eigenvalues, beside an
    axis of length 1; the index that each row has come from; and the number of the block that it is in.
    """

    matrix: tf.Tensor
    powers: tf.Tensor
    unit: tf.Tensor
    order: tf.Tensor
    blocks: tf.Tensor


def balance(a: tf.Tensor) -> Balanced:
    """Balance a stack of matrices of double precision, and permute them to block upper triangular form."""
    halves, rests, powers, unit, order, blocks = _found(_sizes(tf.stop_gradient(a)))
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


def _sizes(a: tf.Tensor) -> tf.Tensor:
    """The greater part of each number, whose modulus may be past the range."""
    return tf.maximum(tf.abs(tf.math.real(a)), tf.abs(tf.math.imag(a))) if a.dtype.is_complex else tf.abs(a)


@tf.function(input_signature=[tf.TensorSpec(None, tf.float64)], autograph=False)
def _found(sizes: tf.Tensor) -> tuple[tf.Tensor, ...]:
    """Given the absolute values. A graph, which takes steps sooner than eager mode."""
    reach, exponents = _reach(sizes), tf.math.log(sizes) * (1 / np.log(2))
    linked = tf.logical_and(reach, tf.linalg.matrix_transpose(reach))
    logarithms = tf.where(linked, exponents, tf.zeros_like(sizes) - np.inf)
    logarithms = tf.linalg.set_diag(logarithms, tf.zeros_like(tf.linalg.diag_part(sizes)) - np.inf)

    def step(x: tf.Tensor, _: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
        moved = _between(x) + logarithms
        rows, columns = tf.reduce_max(moved, -1), tf.reduce_max(moved, -2)
        both = tf.logical_and(tf.math.is_finite(rows), tf.math.is_finite(columns))
        share = tf.where(both, (rows - columns) / 4, tf.zeros_like(x))
        return x + share, tf.reduce_max(tf.abs(share))

    start = (tf.zeros_like(tf.linalg.diag_part(sizes)), tf.constant(np.inf, tf.float64))
    found, _ = tf.while_loop(lambda _, share: share > NEAR, step, start, maximum_iterations=MOST_STEPS)
    whole = _lowered(tf.round(found), exponents, linked)
    largest = tf.round(tf.reduce_max(_between(whole) + exponents, (-2, -1)))[..., None]
    past = largest - tf.clip_by_value(largest, -MOST_SQUARED, MOST_SQUARED)
    unit = tf.where(tf.math.is_finite(past), past, tf.zeros_like(past))
    powers = whole - tf.reduce_max(whole, -1, keepdims=True)
    factors = _between(whole) - unit[..., None]
    halves = tf.floor(factors / 2)  # of what leads from block to block: the whole may be past the range
    scales = map(_power_of_two, (halves, factors - halves, powers, unit))
    return *scales, *_ordered_blocks(reach, linked)


def _lowered(x: tf.Tensor, exponents: tf.Tensor, linked: tf.Tensor) -> tf.Tensor:
    """The exponents with those of rows that reach one another raised together, until nothing that leads from them to
    others is larger than the largest number among rows that reach one another.
    """
    nothing = tf.zeros_like(exponents) - np.inf
    largest = tf.reduce_max(tf.where(linked, _between(x) + exponents, nothing), (-2, -1), keepdims=True)
    beyond = tf.where(linked, nothing, exponents - tf.where(tf.math.is_finite(largest), largest, np.inf))

    def step(x: tf.Tensor, _: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
        excess = tf.maximum(tf.reduce_max(_between(x) + beyond, -1), 0)
        shared = tf.reduce_max(tf.where(linked, excess[..., None, :], tf.zeros_like(exponents)), -1)
        return x + tf.math.ceil(shared), tf.reduce_max(shared)

    start = (x, tf.constant(np.inf, tf.float64))
    raised, _ = tf.while_loop(lambda _, excess: excess > 0, step, start, maximum_iterations=tf.shape(x)[-1])
    return raised


def _ordered_blocks(reach: tf.Tensor, linked: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
    """Return the indices of the rows in an order in which none reaches a block before its own, and their blocks.

    A row reaches more rows than those of other blocks that it reaches. Of those that reach as many, a block has the
    number of its first row.
    """
    counts = tf.reduce_sum(tf.cast(reach, tf.int64), -1)
    last = tf.ones_like(counts[..., None], tf.int8)  # TensorFlow finds no maximum among none
    blocks = tf.argmax(tf.concat([tf.cast(linked, tf.int8), last], -1), -1)
    length = tf.shape(reach, tf.int64)[-1]
    order = tf.argsort((length - counts) * length + blocks, axis=-1, stable=True)
    return order, tf.gather(blocks, order, axis=-1, batch_dims=-1)


def _reach(sizes: tf.Tensor) -> tf.Tensor:
    """Return whether each row reaches each column by any number of steps, which are doubled each time."""
    near = tf.cast(sizes > 0, tf.float32)
    start = (tf.linalg.set_diag(near, tf.ones_like(tf.linalg.diag_part(near))), tf.constant(1))
    reach, _ = tf.while_loop(
        lambda _, steps: steps < tf.shape(sizes)[-1],
        lambda reach, steps: (tf.minimum(tf.matmul(reach, reach), 1), 2 * steps),
        start,
        shape_invariants=(tf.TensorShape(None), tf.TensorShape(())),
    )
    return reach > 0


def _between(x: tf.Tensor) -> tf.Tensor:
    """What each exponent of columns is more than each of rows."""
    return x[..., None, :] - x[..., :, None]


def _power_of_two(x: tf.Tensor) -> tf.Tensor:
    """Exactly, of whole exponents; the nearest normal number of others."""
    whole = tf.cast(tf.clip_by_value(x, 1.0 - BIAS, BIAS), tf.int64) + BIAS
    return tf.bitcast(tf.bitwise.left_shift(whole, tf.constant(FRACTION_BITS, tf.int64)), tf.float64)
