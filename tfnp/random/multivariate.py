"""Multivariate distributions: vectors along the last axis."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import tensorflow as tf

from tfnp._core import convert, layout, shapes
from tfnp._core.checks import check
from tfnp._core.eager_tensors import is_watched
from tfnp._core.shapes import Dim
from tfnp.random import arrays, discrete, discrete_rare, elementary, gammas, host, parameters, sampling
from tfnp.random.counter_streams import Lanes, make_lanes
from tfnp.random.elementary import constant, div, seal_with_gradient
from tfnp.random.host_streams import HostStream, draws_arrays
from tfnp.random.parameters import UNKNOWN, to_static
from tfnp.random.streams import Stream

MAX_HALVINGS: Final = 31
SMALLEST_FACTOR: Final = 1e-250
LARGEST_SUM: Final = 1 + 1e-12
"""What all probabilities but the last may add up to, as in NumPy."""


def _as_batch_shape(size: Any) -> tuple[Dim, ...]:
    return () if size is None else parameters.as_size(size)


def _convert_bool(size: Any) -> Any:
    """Return a bool size as an int, as NumPy does here."""
    return int(size) if isinstance(size, bool) else size


def sum_last(x: tf.Tensor) -> tf.Tensor:
    """Return sums along the last axis, computed by halving: the order is the same in every execution mode."""
    length = arrays.shape(x)[-1]
    if not isinstance(length, int):
        return _sum_last_dynamic(x, length)
    while length > 1:
        half = length // 2
        pairs = seal_with_gradient(x[..., :half] + x[..., half : 2 * half])
        x = pairs if length % 2 == 0 else arrays.concat([pairs, x[..., 2 * half :]], -1)
        length = half + length % 2
    return x[..., 0] if length else arrays.zeros(arrays.shape(x)[:-1], tf.float64)


def _sum_last_dynamic(x: tf.Tensor, length: tf.Tensor) -> tf.Tensor:
    """Return sums along a last axis whose length is unknown while tracing, in the same order as `sum_last`."""
    index = tf.range(length)

    def add(left: tf.Tensor, x: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
        half = left // 2
        pairs = seal_with_gradient(x + tf.gather(x, tf.minimum(index + half, length - 1), axis=-1))
        last = tf.gather(x, left - 1, axis=-1)[..., None]
        is_left_over = tf.equal(index, half) & tf.equal(left % 2, 1)
        return half + left % 2, tf.where(index < half, pairs, tf.where(is_left_over, last, x))

    _, result = tf.while_loop(lambda left, _: left > 1, add, (length, x), maximum_iterations=MAX_HALVINGS)
    return tf.reduce_sum(result[..., :1], -1)


def dirichlet(source: Any, alpha: Any, size: Any) -> tf.Tensor:
    if to_static(alpha) is not UNKNOWN:
        parameters.get_numpy_method("dirichlet", legacy=source._legacy)(to_static(alpha), size=0)
    weights = shapes.set_unknown_rank(convert.to_tensor(alpha, tf.float64), 1)
    shape = _as_batch_shape(_convert_bool(size))
    flat_weights = tf.reshape(shapes.broadcast_to(weights, (*shape, *shapes.shape(weights))), (-1,))
    return parameters.cast_to_preferred(
        sampling.draw(source, _sample_dirichlet, (*shape, shapes.shape(weights)[0]), flat_weights, weights), alpha
    )


@draws_arrays(in_parts=False, from_lanes=True)
def _sample_dirichlet(stream: Stream, count: Dim, flat_weights: tf.Tensor, weights: tf.Tensor) -> tf.Tensor:
    if not isinstance(stream, HostStream):
        return _draw_dirichlet(make_lanes(stream, count), flat_weights, weights)
    width, host = weights.size, stream
    if not width:
        return tf.zeros((0,), tf.float64)

    def draw(rows: slice) -> np.ndarray:
        part = flat_weights[rows.start * width : rows.stop * width]
        return _draw_dirichlet(make_lanes(host, part.size), part, weights).reshape(-1)

    return stream.draw_rows(count // width, width, draw)


def _draw_dirichlet(lanes: Lanes, flat_weights: tf.Tensor, weights: tf.Tensor) -> tf.Tensor:
    """Return Dirichlet numbers: normalized gamma numbers, from whose logarithms the largest is subtracted, so that none
    underflows.

    Negative weights give nan.
    """
    logs = gammas.sample_log_gamma(lanes, flat_weights, 0)
    logs = arrays.reshape(logs, (-1, arrays.shape(weights)[0]))
    max_log = arrays.max_of_rows(logs)
    exponentials = elementary.exp(logs - arrays.where(max_log > -np.inf, max_log, constant(0.0)))
    sums = sum_last(exponentials)[:, None]
    result = arrays.where(sums > 0.0, div(exponentials, sums), arrays.zeros_like(exponentials))
    return arrays.where(arrays.any_of(weights < 0.0), constant(np.nan), result)


def multinomial(source: Any, n: Any, pvals: Any, size: Any) -> tf.Tensor:
    """Draw binomial numbers for one category after another, each from the trials that remain."""
    static = [to_static(value) for value in (n, pvals)]
    n_alone, pvals_alone = (
        value if value is not UNKNOWN else valid for value, valid in zip(static, (1, [1.0]), strict=True)
    )
    parameters.get_numpy_method("multinomial", legacy=source._legacy)(
        n_alone, pvals_alone, size=_make_empty_size(size, (n_alone, pvals_alone))
    )
    trials = convert.to_tensor(n, tf.float64)
    probabilities = convert.to_tensor(pvals, tf.float64)
    shape = shapes.broadcast_shapes(shapes.shape(trials), shapes.shape(probabilities)[:-1])
    shape = shape if size is None else _check_size(size if shape else _convert_bool(size), shape)
    length = shapes.shape(probabilities)[-1]
    if isinstance(length, int) and length == 0:
        return tf.zeros(shapes.shape_tensor((*shape, 0)), tf.int64)
    columns = tf.reshape(
        shapes.broadcast_to(probabilities, (*shape, length)), shapes.shape_tensor((layout.product(shape), length))
    )
    return sampling.draw(source, _sample_multinomial, (*shape, length), parameters.flatten(trials, shape), columns)


def _make_empty_size(size: Any, static: Sequence[Any]) -> Any:
    """Return a size without elements that broadcasts with the parameters."""
    try:
        common = np.broadcast_shapes(np.shape(static[0]), np.shape(static[1])[:-1])
    except ValueError:
        common = ()
    return (0, *common)


def _check_size(size: Any, shape: Sequence[Dim]) -> tuple[Dim, ...]:
    sample_size = parameters.as_size(size)
    if shape and shapes.is_static(shape) and shapes.is_static(sample_size):
        parameters.check_fits(shape, sample_size)
    return sample_size


@draws_arrays(in_parts=False, from_lanes=True)
def _sample_multinomial(stream: Stream, count: Dim, trials: tf.Tensor, probabilities: tf.Tensor) -> tf.Tensor:
    if not isinstance(stream, HostStream):
        return _draw_multinomial(make_lanes(stream, arrays.shape(probabilities)[0]), trials, probabilities)
    host, all_rows = stream, len(probabilities)
    if all_rows > 1 and (probabilities == probabilities[0]).all():
        probabilities = probabilities[:1]

    def draw(rows: slice) -> np.ndarray:
        part_of_trials = trials if np.ndim(trials) == 0 else trials[rows]
        chances = probabilities if len(probabilities) == 1 else probabilities[rows]
        return _draw_multinomial(make_lanes(host, rows.stop - rows.start), part_of_trials, chances)

    return stream.draw_rows(all_rows, 1, draw)


def _draw_multinomial(lanes: Lanes, trials: tf.Tensor, probabilities: tf.Tensor) -> tf.Tensor:
    """Return multinomial numbers: the smallest int64 for each row of invalid parameters."""
    length = arrays.shape(probabilities)[1]
    trials = lanes.broadcast(trials)

    def draw(category: tf.Tensor, left: tf.Tensor, remaining: tf.Tensor) -> tuple[Any, ...]:
        chance = arrays.take_column(probabilities, category)
        is_last = arrays.equal(category, length - 1)
        fraction = arrays.clip(
            div(chance, arrays.where(remaining > 0.0, remaining, constant(1.0))), constant(0.0), constant(1.0)
        )
        result = discrete.sample_binomial(
            lanes, left, arrays.where(remaining > 0.0, fraction, constant(0.0)), 2 * category
        )
        result = arrays.where(is_last, left, result)
        return result, (left - result, remaining - chance)

    start = (trials, arrays.ones_like(arrays.take_column(probabilities, 0)))
    result = arrays.draw_columns(length, draw, start)
    is_probability = (probabilities >= 0.0) & (probabilities <= 1.0)
    is_valid = (trials >= 0.0) & arrays.all_of_rows(is_probability) & (sum_last(probabilities[:, :-1]) <= LARGEST_SUM)
    result = arrays.where(is_valid, result, constant(np.nan))
    return arrays.reshape(arrays.transpose(discrete.to_int64(result)), (-1,))


def multivariate_hypergeometric(source: Any, colors: Any, nsample: Any, size: Any, method: Any) -> tf.Tensor:
    """Draw hypergeometric numbers for one color after another. Both of NumPy's methods have this distribution."""
    static = [to_static(value) for value in (colors, nsample)]
    if all(value is not UNKNOWN for value in static):
        parameters.get_numpy_method("multivariate_hypergeometric", legacy=False)(*static, size=0, method=method)
    else:
        parameters.get_numpy_method("multivariate_hypergeometric", legacy=False)([1], 1, size=0, method=method)
    color_counts = shapes.set_unknown_rank(convert.to_tensor(colors, tf.float64), 1)
    shape = _as_batch_shape(size)
    length = shapes.shape(color_counts)[0]
    if isinstance(length, int) and length == 0:
        return tf.zeros(shapes.shape_tensor((*shape, 0)), tf.int64)
    zeros = tf.zeros(shapes.shape_tensor((layout.product(shape),)), tf.float64)
    sample_size = convert.to_tensor(nsample, tf.float64)
    return sampling.draw(source, _sample_colors, (*shape, length), zeros, color_counts, sample_size)


@draws_arrays(in_parts=False, from_lanes=True)
def _sample_colors(
    stream: Stream, count: Dim, zeros: tf.Tensor, color_counts: tf.Tensor, sample_size: tf.Tensor
) -> tf.Tensor:
    if not isinstance(stream, HostStream):
        return _draw_colors(make_lanes(stream, shapes.shape(zeros)[0]), zeros, color_counts, sample_size)
    host = stream
    return stream.draw_rows(
        zeros.size,
        1,
        lambda rows: _draw_colors(make_lanes(host, rows.stop - rows.start), np.float64(0.0), color_counts, sample_size),
    )


def _draw_colors(lanes: Lanes, zeros: tf.Tensor, color_counts: tf.Tensor, sample_size: tf.Tensor) -> tf.Tensor:
    length = arrays.shape(color_counts)[0]

    def draw(color: tf.Tensor, left: tf.Tensor, remaining_colors: tf.Tensor) -> tuple[Any, ...]:
        good = arrays.gather(color_counts, color)
        remaining_colors = remaining_colors - good
        result = discrete_rare.sample_hypergeometric(lanes, zeros + good, zeros + remaining_colors, left, 2 * color)
        return result, (left - result, remaining_colors)

    start = (zeros + sample_size, arrays.sum_of(color_counts))
    result = arrays.draw_columns(length, draw, start)
    return arrays.reshape(arrays.transpose(discrete.to_int64(result)), (-1,))


def multivariate_normal(
    source: Any, mean: Any, cov: Any, size: Any, check_valid: Any, tol: Any, method: Any, normals: Any
) -> tf.Tensor:
    """Multiply normal numbers by a root of the covariance, which is NumPy's if the covariance is static."""
    options = {} if source._legacy else {"method": method}
    center, root = to_static(mean), to_static(cov)
    if center is not UNKNOWN and root is not UNKNOWN:
        numpy_method = parameters.get_numpy_method("multivariate_normal", legacy=source._legacy)
        numpy_method(center, root, size=0, check_valid=check_valid, tol=tol, **options)
        factor = _factorize(np.asarray(root, np.float64), method, source._legacy)
        if is_watched(cov_tensor := convert.to_tensor(cov, tf.float64)):
            factor = _differentiate(factor, cov_tensor, method)
    else:
        parameters.get_numpy_method("multivariate_normal", legacy=source._legacy)(
            [0.0], [[1.0]], size=0, check_valid=check_valid, tol=tol, **options
        )
        cov_tensor = shapes.set_unknown_rank(convert.to_tensor(cov, tf.float64), 2)
        mean_tensor = shapes.set_unknown_rank(convert.to_tensor(mean), 1)
        _check_shapes(mean_tensor, cov_tensor)
        if not (mean_tensor.shape.is_fully_defined() and cov_tensor.shape.is_fully_defined()):
            is_valid = tf.reduce_all(tf.equal(tf.shape(cov_tensor), tf.size(mean_tensor)))
            cov_tensor = check(is_valid, ValueError("mean and cov must have same length"), cov_tensor)
        factor = _factorize_tensor(cov_tensor, method)
    center = shapes.set_unknown_rank(convert.to_tensor(mean, tf.float64), 1)
    shape, length = _as_batch_shape(size), shapes.shape(center)[0]
    z = sampling.draw(source, normals, (*shape, length))
    if isinstance(factor, np.ndarray) and _is_far_from_subnormal(factor) and host.is_eager_on_cpu(source):
        deviations = convert.from_numpy(sum_last(convert.to_numpy(z)[..., None, :] * factor))
    else:
        deviations = sum_last(seal_with_gradient(z[..., None, :] * factor))
    return parameters.cast_to_preferred(center + deviations, mean, cov)


def _is_far_from_subnormal(factor: np.ndarray) -> bool:
    """Return whether products with normal numbers are none that TensorFlow takes for zero."""
    size = np.abs(factor)
    return bool(((size == 0.0) | (size > SMALLEST_FACTOR)).all())


def _check_shapes(mean: tf.Tensor, cov: tf.Tensor) -> None:
    if shapes.rank(mean) != 1:
        raise ValueError("mean must be 1 dimensional")
    if shapes.rank(cov) != 2 or not cov.shape[:1].is_compatible_with(cov.shape[1:]):
        raise ValueError("cov must be 2 dimensional and square")
    if not mean.shape.is_compatible_with(cov.shape[:1]):
        raise ValueError("mean and cov must have same length")


def _factorize(cov: np.ndarray, method: str, legacy: bool) -> np.ndarray:
    """Return a root of the covariance, computed by the method that NumPy's argument names."""
    if method == "eigh" and not legacy:
        values, vectors = np.linalg.eigh(cov)
        return vectors * np.sqrt(np.abs(values))
    if method == "cholesky" and not legacy:
        return np.linalg.cholesky(cov)
    u, s, vt = np.linalg.svd(cov)
    return (np.sqrt(s)[:, None] * vt).T if legacy else u * np.sqrt(s)


def _differentiate(factor: np.ndarray, cov: tf.Tensor, method: Any) -> tf.Tensor:
    """Return a root that NumPy computed, with the gradient of one that TensorFlow computes: its columns get the signs
    of NumPy's.
    """
    root = _factorize_tensor(cov, method)
    return root * tf.where(tf.reduce_sum(tf.stop_gradient(root) * factor, 0) < 0.0, constant(-1.0), constant(1.0))


def _factorize_tensor(cov: tf.Tensor, method: Any) -> tf.Tensor:
    """Return a root of a covariance that is not known while tracing. Its columns are in NumPy's order: singular values
    fall, and eigenvalues rise. Their signs follow no rule.
    """
    if method == "cholesky":
        return tf.linalg.cholesky(cov)
    values, vectors = tf.linalg.eigh(cov)
    if method != "eigh":
        order = tf.argsort(tf.abs(values), direction="DESCENDING", stable=True)
        values, vectors = tf.gather(values, order), tf.gather(vectors, order, axis=-1)
    return vectors * tf.sqrt(tf.abs(values))
