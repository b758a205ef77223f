"""Distributions of vectors: along the last axis of the result."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import tensorflow as tf

from tfnp._core import convert, layout, shapes
from tfnp._core.checks import check
from tfnp._core.shapes import Dim
from tfnp.random import discrete, discrete_rare, elementary, gammas, parameters, sampling
from tfnp.random.counter_streams import Lanes
from tfnp.random.elementary import div, mul, number
from tfnp.random.parameters import UNKNOWN, static_parameters
from tfnp.random.streams import Stream

MOST_HALVINGS: Final = 31


def _rows(size: Any) -> tuple[Dim, ...]:
    return () if size is None else parameters.as_size(size)


def _counted(size: Any) -> Any:
    """Of one distribution, Python's truths are numbers of vectors, too."""
    return int(size) if isinstance(size, bool) else size


def sum_last(x: tf.Tensor) -> tf.Tensor:
    """The sum along the last axis, in an order that is the same everywhere: halves are added until one is left."""
    length = shapes.shape(x)[-1]
    if not isinstance(length, int):
        return _summed_in_loop(x, length)
    while length > 1:
        half = length // 2
        pairs = elementary.seal(x[..., :half] + x[..., half : 2 * half])
        x = pairs if length % 2 == 0 else tf.concat([pairs, x[..., 2 * half :]], -1)
        length = half + length % 2
    return x[..., 0] if length else tf.zeros(tf.shape(x)[:-1], x.dtype)


def _summed_in_loop(x: tf.Tensor, length: tf.Tensor) -> tf.Tensor:
    """The same, of a length that is known late: the numbers that are left come first."""
    index = tf.range(length)

    def add(left: tf.Tensor, x: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
        half = left // 2
        pairs = elementary.seal(x + tf.gather(x, tf.minimum(index + half, length - 1), axis=-1))
        last = tf.gather(x, left - 1, axis=-1)[..., None]
        is_left_over = tf.equal(index, half) & tf.equal(left % 2, 1)
        return half + left % 2, tf.where(index < half, pairs, tf.where(is_left_over, last, x))

    _, found = tf.while_loop(lambda left, _: left > 1, add, (length, x), maximum_iterations=MOST_HALVINGS)
    return tf.reduce_sum(found[..., :1], -1)


def dirichlet(source: Any, alpha: Any, size: Any) -> tf.Tensor:
    if static_parameters(alpha) is not UNKNOWN:
        parameters.method_of("dirichlet", legacy=source._legacy)(static_parameters(alpha), size=0)
    weights = shapes.with_rank(convert.to_tensor(alpha, tf.float64), 1)
    shape = _rows(_counted(size))
    row = tf.reshape(shapes.broadcast_to(weights, (*shape, *shapes.shape(weights))), (-1,))
    return parameters.preferred(
        sampling.run(source, _dirichlet, (*shape, shapes.shape(weights)[0]), row, weights), alpha
    )


def _dirichlet(stream: Stream, count: Dim, row: tf.Tensor, weights: tf.Tensor) -> tf.Tensor:
    """Gammas divided by their sum; the greatest logarithm taken away from all, so that none is lost."""
    logs = gammas.log_gammas(Lanes(stream, count), row, 0)
    logs = tf.reshape(logs, shapes.shape_tensor((-1, shapes.shape(weights)[0])))
    most = tf.reduce_max(logs, 1, keepdims=True)
    shares = elementary.exp(logs - tf.where(most > -np.inf, most, number(0.0)))
    total = sum_last(shares)[:, None]
    return tf.where(total > 0.0, div(shares, total), tf.zeros_like(shares))


def multinomial(source: Any, n: Any, pvals: Any, size: Any) -> tf.Tensor:
    """Binomial numbers, one category after another, each of what the others left."""
    given = [static_parameters(value) for value in (n, pvals)]
    if all(value is not UNKNOWN for value in given):
        parameters.method_of("multinomial", legacy=source._legacy)(*given, size=_checked_size(size, given))
    trials = convert.to_tensor(n, tf.float64)
    chances = convert.to_tensor(pvals, tf.float64)
    shape = shapes.broadcast_shapes(shapes.shape(trials), shapes.shape(chances)[:-1])
    shape = shape if size is None else _fitting(size if shape else _counted(size), shape)
    length = shapes.shape(chances)[-1]
    if isinstance(length, int) and length == 0:
        return tf.zeros(shapes.shape_tensor((*shape, 0)), tf.int64)
    columns = tf.reshape(
        shapes.broadcast_to(chances, (*shape, length)), shapes.shape_tensor((layout.product(shape), length))
    )
    return sampling.run(source, _multinomial, (*shape, length), parameters.flat(trials, shape), columns)


def _checked_size(size: Any, given: Sequence[Any]) -> Any:
    """No vectors at all, in as many dimensions as the parameters ask for."""
    try:
        common = np.broadcast_shapes(np.shape(given[0]), np.shape(given[1])[:-1])
    except ValueError:
        common = ()
    return (0, *common)


def _fitting(size: Any, shape: Sequence[Dim]) -> tuple[Dim, ...]:
    expected = parameters.as_size(size)
    if shape and shapes.is_static(shape) and shapes.is_static(expected):
        parameters._check_fits(shape, expected)
    return expected


def _multinomial(stream: Stream, count: Dim, trials: tf.Tensor, chances: tf.Tensor) -> tf.Tensor:
    rows, length = shapes.shape(chances)
    lanes = Lanes(stream, rows)

    def draw(category: tf.Tensor, left: tf.Tensor, remaining: tf.Tensor, drawn: Any) -> tuple[Any, ...]:
        chance = tf.gather(chances, category, axis=1)
        is_last = tf.equal(category, length - 1)
        share = tf.clip_by_value(
            div(chance, tf.where(remaining > 0.0, remaining, number(1.0))), number(0.0), number(1.0)
        )
        found = discrete.binomials(lanes, left, tf.where(remaining > 0.0, share, number(0.0)), 2 * category)
        found = tf.where(is_last, left, found)
        return category + 1, left - found, remaining - chance, drawn.write(category, found)

    drawn = tf.TensorArray(tf.float64, length, element_shape=[None])
    start = (tf.constant(0), lanes.spread(trials), tf.ones_like(chances[:, 0]), drawn)
    found = tf.while_loop(lambda category, *_: category < length, draw, start)[3].stack()
    return tf.reshape(tf.transpose(discrete.whole_numbers(found)), (-1,))


def multivariate_hypergeometric(source: Any, colors: Any, nsample: Any, size: Any, method: Any) -> tf.Tensor:
    """Hypergeometric numbers, one colour after another: both of NumPy's methods draw from the same distribution."""
    given = [static_parameters(value) for value in (colors, nsample)]
    if all(value is not UNKNOWN for value in given):
        parameters.method_of("multivariate_hypergeometric", legacy=False)(*given, size=0, method=method)
    else:
        parameters.method_of("multivariate_hypergeometric", legacy=False)([1], 1, size=0, method=method)
    kinds = shapes.with_rank(convert.to_tensor(colors, tf.float64), 1)
    shape = _rows(size)
    length = shapes.shape(kinds)[0]
    if isinstance(length, int) and length == 0:
        return tf.zeros(shapes.shape_tensor((*shape, 0)), tf.int64)
    blank = tf.zeros(shapes.shape_tensor((layout.product(shape),)), tf.float64)
    expected = convert.to_tensor(nsample, tf.float64)
    return sampling.run(source, _colors, (*shape, length), blank, kinds, expected)


def _colors(stream: Stream, count: Dim, blank: tf.Tensor, kinds: tf.Tensor, expected: tf.Tensor) -> tf.Tensor:
    length = shapes.shape(kinds)[0]
    lanes = Lanes(stream, shapes.shape(blank)[0])

    def draw(kind: tf.Tensor, left: tf.Tensor, others: tf.Tensor, drawn: Any) -> tuple[Any, ...]:
        good = tf.gather(kinds, kind)
        others = others - good
        found = discrete_rare.hypergeometrics(lanes, blank + good, blank + others, left, 2 * kind)
        return kind + 1, left - found, others, drawn.write(kind, found)

    drawn = tf.TensorArray(tf.float64, length, element_shape=[None])
    start = (tf.constant(0), blank + expected, tf.reduce_sum(kinds), drawn)
    found = tf.while_loop(lambda kind, *_: kind < length, draw, start)[3].stack()
    return tf.reshape(tf.transpose(discrete.whole_numbers(found)), (-1,))


def multivariate_normal(
    source: Any, mean: Any, cov: Any, size: Any, check_valid: Any, tol: Any, method: Any, normals: Any
) -> tf.Tensor:
    """Normal numbers times a root of the covariance: NumPy's own root, where it is known."""
    options = {} if source._legacy else {"method": method}
    center, root = static_parameters(mean), static_parameters(cov)
    if center is not UNKNOWN and root is not UNKNOWN:
        made = parameters.method_of("multivariate_normal", legacy=source._legacy)
        made(center, root, size=0, check_valid=check_valid, tol=tol, **options)
        factor = convert.to_tensor(_root(np.asarray(root, np.float64), method, source._legacy))
    else:
        parameters.method_of("multivariate_normal", legacy=source._legacy)(
            [0.0], [[1.0]], size=0, check_valid=check_valid, tol=tol, **options
        )
        unknown = shapes.with_rank(convert.to_tensor(cov, tf.float64), 2)
        row = shapes.with_rank(convert.to_tensor(mean), 1)
        _check_sides(row, unknown)
        if not (row.shape.is_fully_defined() and unknown.shape.is_fully_defined()):
            fitting = tf.reduce_all(tf.equal(tf.shape(unknown), tf.size(row)))
            unknown = check(fitting, ValueError("mean and cov must have same length"), unknown)
        factor = _unknown_root(unknown, method)
    center = shapes.with_rank(convert.to_tensor(mean, tf.float64), 1)
    shape, length = _rows(size), shapes.shape(center)[0]
    z = sampling.run(source, normals, (*shape, length))
    return parameters.preferred(center + sum_last(mul(z[..., None, :], factor)), mean, cov)


def _check_sides(mean: tf.Tensor, cov: tf.Tensor) -> None:
    if shapes.rank(mean) != 1:
        raise ValueError("mean must be 1 dimensional")
    if shapes.rank(cov) != 2 or not cov.shape[:1].is_compatible_with(cov.shape[1:]):
        raise ValueError("cov must be 2 dimensional and square")
    if not mean.shape.is_compatible_with(cov.shape[:1]):
        raise ValueError("mean and cov must have same length")


def _root(cov: np.ndarray, method: str, legacy: bool) -> np.ndarray:
    """What rows of normal numbers are multiplied by, transposed."""
    if method == "eigh" and not legacy:
        values, vectors = np.linalg.eigh(cov)
        return vectors * np.sqrt(np.abs(values))
    if method == "cholesky" and not legacy:
        return np.linalg.cholesky(cov)
    u, s, vt = np.linalg.svd(cov)
    return (np.sqrt(s)[:, None] * vt).T if legacy else u * np.sqrt(s)


def _unknown_root(cov: tf.Tensor, method: Any) -> tf.Tensor:
    if method == "cholesky":
        return tf.linalg.cholesky(cov)
    values, vectors = tf.linalg.eigh(cov)
    return vectors * tf.sqrt(tf.abs(values))
