"""Singular values and eigenvalues by Jacobi rotations, for XLA, of 3-D stacks of matrices in double precision.

XLA's own are accurate to 1e-6 only, wrong for complex Hermitian matrices, and missing for complex singular values.

One-sided rotations (Hestenes, 1958) make pairs of columns of a matrix orthogonal; in each round all columns are paired,
and the rounds are those of a round-robin tournament. A Hermitian matrix is made positive definite by adding a multiple
of the identity first: then its singular vectors are its eigenvectors.
"""

from __future__ import annotations

from typing import Final

import tensorflow as tf

from tfnp._core import convert, ops, shapes
from tfnp._core.layout import adjoint

SWEEPS: Final = 24
UNIT: Final = 2.0**-52
Parts = tuple[tf.Tensor, ...]


# Upstream bugs: tensorflow-eigenvectors-inaccurate-xla, tensorflow-svd-large-xla
def singular_parts(a: tf.Tensor, full: bool) -> Parts:
    """Return singular values, left vectors and right vectors as columns."""
    rows, columns = shapes.shape(a)[-2:]
    if not shapes.is_static((rows, columns)):
        return _dynamic_singular_parts(a, full)
    if rows < columns:
        values, right, left = singular_parts(adjoint(a), full)
        return values, left, right
    return _singular_parts_of_tall(a, full)


def _dynamic_singular_parts(a: tf.Tensor, full: bool) -> Parts:
    """Return the singular parts of matrices whose dimensions are known only when XLA compiles the function: whether
    they are transposed, so that they are tall, is decided there, as is whether they are empty.
    """
    rows, columns = shapes.shape(a)[-2:]
    is_flat, shorter = tf.less(rows, columns), tf.minimum(rows, columns)
    height, width = (tf.maximum(dim, 1) for dim in (tf.maximum(rows, columns), shorter))

    def select(first: tf.Tensor, second: tf.Tensor) -> tf.Tensor:
        first, second = (_pad_matrices(part, height) for part in (first, second))
        return tf.where(is_flat, second, first)

    values, left, right = _singular_parts_of_tall(select(a, adjoint(a))[..., :width], full)
    left, right = select(left, right), select(right, left)
    left = left[:, :rows, : rows if full else shorter]
    right = right[:, :columns, : columns if full else shorter]
    return values[:, :shorter], left, right


def _pad_matrices(a: tf.Tensor, size: shapes.Dim) -> tf.Tensor:
    """Return matrices as the upper left corners of square ones of this size."""
    rows, columns = shapes.shape(a)[-2:]
    return tf.pad(a, [(0, 0), (0, size - rows), (0, size - columns)])


def _singular_parts_of_tall(a: tf.Tensor, full: bool) -> Parts:
    """Return the singular parts of matrices of at least as many rows as columns."""
    rows, columns = shapes.shape(a)[-2:]
    is_square = shapes.is_static((rows, columns)) and rows == columns
    scale = tf.reduce_max(tf.abs(a), (-2, -1), keepdims=True)
    scale = tf.where(scale > 0, scale, 1.0)
    a = a / convert.cast(scale, a.dtype)
    right = _orthogonalize_columns(a if is_square else ops.qr(a, False)[1])
    images = tf.matmul(a, right)
    sizes = tf.sqrt(_sum_squares(images))
    order = tf.argsort(sizes, direction="DESCENDING")
    right, images = (tf.gather(part, order, axis=-1, batch_dims=1) for part in (right, images))
    left, triangle = ops.qr(images, full)
    diagonal = tf.linalg.diag_part(triangle)
    size = tf.abs(diagonal)
    nonzero = size > 0
    phase = tf.where(nonzero, diagonal / convert.cast(tf.where(nonzero, size, 1.0), a.dtype), tf.ones((), a.dtype))
    left = tf.concat([left[..., :columns] * phase[..., None, :], left[..., columns:]], -1)
    values = tf.gather(sizes, order, axis=-1, batch_dims=1) * scale[..., 0]
    return values, left, right


# Upstream bugs: tensorflow-eigenvectors-inaccurate-xla, tensorflow-eigh-complex-xla, tensorflow-eigh-large-xla
def eigen_parts(a: tf.Tensor) -> Parts:
    """Return the eigenvalues of Hermitian matrices in ascending order, and the eigenvectors as columns."""
    scale = tf.reduce_max(tf.abs(a), (-2, -1), keepdims=True)
    scale = tf.where(scale > 0, scale, 1.0)
    a = a / convert.cast(scale, a.dtype)
    shift = 1.5 * tf.sqrt(tf.reduce_sum(_sum_squares(a), -1))[..., None, None]
    vectors = _orthogonalize_columns(a + convert.cast(shift, a.dtype) * tf.eye(shapes.shape(a)[-1], dtype=a.dtype))
    values = tf.reduce_sum(tf.math.real(tf.math.conj(vectors) * tf.matmul(a, vectors)), -2)
    order = tf.argsort(values)
    vectors = tf.gather(vectors, order, axis=-1, batch_dims=1)
    return tf.gather(values, order, axis=-1, batch_dims=1) * scale[..., 0], vectors


def _sum_squares(a: tf.Tensor) -> tf.Tensor:
    """Return the sum of the squared magnitudes of each column."""
    return tf.reduce_sum(tf.math.real(tf.math.conj(a) * a), -2)


def _orthogonalize_columns(a: tf.Tensor) -> tf.Tensor:
    """Return the unitary matrices V for which the columns of `a @ V` are orthogonal."""
    batch, rows, columns = shapes.shape(a)
    unit = shapes.broadcast_to(tf.eye(columns, dtype=a.dtype), (batch, columns, columns))
    if isinstance(columns, int) and columns < 2:
        return unit
    players = shapes.max_dim(columns + columns % 2, 2)
    stacked = tf.pad(tf.concat([a, unit], 1), [(0, 0), (0, 0), (0, players - columns)])
    limit = (tf.cast(columns, tf.float64) * UNIT) ** 2 * tf.reduce_max(_sum_squares(a), -1, keepdims=True)
    next_order = _order_next_round(players)

    def match(turn: tf.Tensor, stacked: tf.Tensor, worst: tf.Tensor) -> Parts:
        rotated, gap = _rotate_pairs(stacked, rows, limit)
        return turn + 1, tf.ensure_shape(tf.gather(rotated, next_order, axis=-1), stacked.shape), tf.maximum(worst, gap)

    def sweep(sweeps: tf.Tensor, stacked: tf.Tensor, _: tf.Tensor) -> Parts:
        start = (tf.constant(0), stacked, tf.zeros((), tf.float64))
        _, stacked, worst = tf.while_loop(lambda turn, *_: turn < players - 1, match, start)
        return sweeps + 1, stacked, worst

    start = (tf.constant(0), stacked, tf.ones((), tf.float64))
    result = tf.while_loop(lambda sweeps, _, worst: (sweeps < SWEEPS) & (worst > 4 * UNIT), sweep, start)[1]
    return result[:, rows:, :columns]


def _order_next_round(players: shapes.Dim) -> tf.Tensor:
    """Return the permutation of columns for the next round of a round-robin tournament (the circle method).

    The first half of the columns is paired with the second. One column stays, the others move on by one: after
    `players - 1` rounds all pairs have met, and the order is restored.
    """
    half, seat = players // 2, tf.range(players)
    earlier = tf.where(seat < half, seat - 1, seat + 1)
    earlier = tf.where(tf.equal(seat, players - 1), half - 1, earlier)
    earlier = tf.where(tf.equal(seat, 1), half, earlier)
    return tf.maximum(tf.where(tf.equal(seat, 0), 0, earlier), 0)


def _rotate_pairs(both: tf.Tensor, rows: shapes.Dim, limit: tf.Tensor) -> Parts:
    """Rotate all pairs of columns to make them orthogonal. Return the columns and the largest deviation from
    orthogonality before.

    Columns below the limit count as zero.
    """
    first, second = tf.split(both, 2, axis=-1)
    first_squares, second_squares = _sum_squares(first[:, :rows]), _sum_squares(second[:, :rows])
    product = tf.reduce_sum(tf.math.conj(first[:, :rows]) * second[:, :rows], -2)
    size = tf.abs(product)
    matters = (tf.minimum(first_squares, second_squares) > limit) & (
        size > UNIT / 4 * tf.sqrt(first_squares * second_squares)
    )
    size = tf.where(matters, size, 1.0)
    ratio = (second_squares - first_squares) / (2 * size)
    one = tf.ones_like(ratio)
    tangent = tf.where(ratio < 0, -one, one) / (tf.abs(ratio) + tf.sqrt(1 + ratio * ratio))
    tangent = tf.where(matters, tangent, 0.0)
    cosine = 1 / tf.sqrt(1 + tangent * tangent)
    phase = tf.where(matters, product, tf.ones((), both.dtype)) / convert.cast(size, both.dtype)
    sine = convert.cast(cosine * tangent, both.dtype)[:, None]
    cosine, phase = convert.cast(cosine, both.dtype)[:, None], phase[:, None]
    rotated_first = cosine * first - sine * tf.math.conj(phase) * second
    rotated_second = sine * phase * first + cosine * second
    gap = tf.where(matters, size / tf.sqrt(first_squares * second_squares), 0.0)
    return tf.concat([rotated_first, rotated_second], -1), tf.reduce_max(gap)
