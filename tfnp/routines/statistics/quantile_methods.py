"""NumPy's thirteen quantile methods: the position of a quantile among sorted elements.

Nine are those of Hyndman and Fan, https://doi.org/10.1080/00031305.1996.10473566. `n` is the number of elements: an
int, or a tensor in the dtype of the quantiles.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple

import tensorflow as tf

from tfnp.routines.math import ufuncs

__all__ = ["METHODS", "QuantileMethod", "last_position"]


class QuantileMethod(NamedTuple):
    """The position of a quantile, and the weight of the element after it; None where the position is an integer."""

    position: Callable[[Any, tf.Tensor], tf.Tensor]
    weight: Callable[[tf.Tensor, tf.Tensor], tf.Tensor] | None = None


def _interpolate(alpha: float, beta: float) -> QuantileMethod:
    """Return the method of Hyndman and Fan with these parameters."""

    def position(n: Any, q: tf.Tensor) -> tf.Tensor:
        return ufuncs.subtract(
            ufuncs.add(ufuncs.multiply(n, q), ufuncs.add(alpha, ufuncs.multiply(q, 1 - alpha - beta))), 1
        )

    return QuantileMethod(position, _keep_fraction)


def _keep_fraction(fraction: tf.Tensor, index: tf.Tensor) -> tf.Tensor:
    return fraction


def _find_linear_position(n: Any, q: tf.Tensor) -> tf.Tensor:
    """Return the position of the quantile where the first element is at 0 and the last at 1."""
    return ufuncs.multiply(last_position(n), q)


def last_position(n: Any) -> Any:
    """Return the position of the last element. An int stays an int, so that it promotes as a weak scalar."""
    return n - 1 if isinstance(n, int) else ufuncs.subtract(n, 1)


def _round_position(rounding: Any) -> QuantileMethod:
    """Return the method that rounds the linear position."""
    return QuantileMethod(lambda n, q: tf.cast(rounding(_find_linear_position(n, q)), tf.int64))


def _select_neighbor(position: tf.Tensor, is_before: Callable[[tf.Tensor, tf.Tensor], tf.Tensor]) -> tf.Tensor:
    """Return the integer before a position if `is_before(fraction, integer)` is true, else the one after it."""
    before = ufuncs.floor(position)
    neighbor = tf.where(is_before(ufuncs.subtract(position, before), before), before, ufuncs.add(before, 1))
    return tf.maximum(tf.cast(neighbor, tf.int64), 0)


def _invert_cdf(n: Any, q: tf.Tensor) -> tf.Tensor:
    return _select_neighbor(ufuncs.subtract(ufuncs.multiply(n, q), 1), lambda fraction, _: ufuncs.equal(fraction, 0))


def _find_closest(n: Any, q: tf.Tensor) -> tf.Tensor:
    position = ufuncs.subtract(ufuncs.subtract(ufuncs.multiply(n, q), 1), 0.5)
    return _select_neighbor(
        position,
        lambda fraction, before: tf.logical_and(
            ufuncs.equal(fraction, 0), ufuncs.equal(ufuncs.remainder(before, 2), 1)
        ),
    )


def _find_midpoint(n: Any, q: tf.Tensor) -> tf.Tensor:
    position = _find_linear_position(n, q)
    return ufuncs.multiply(0.5, ufuncs.add(ufuncs.floor(position), ufuncs.ceil(position)))


def _use_weight(default: float, special: float) -> Callable[[tf.Tensor, tf.Tensor], tf.Tensor]:
    """Return a function whose weight is constant: `special` at integer positions, else `default`."""

    def weight(fraction: tf.Tensor, index: tf.Tensor) -> tf.Tensor:
        is_integer = ufuncs.equal(fraction, 0)
        return tf.where(is_integer, tf.cast(special, fraction.dtype), tf.cast(default, fraction.dtype))

    return weight


METHODS: Final = {
    "inverted_cdf": QuantileMethod(_invert_cdf),
    "averaged_inverted_cdf": QuantileMethod(
        lambda n, q: ufuncs.subtract(ufuncs.multiply(n, q), 1), _use_weight(1.0, 0.5)
    ),
    "closest_observation": QuantileMethod(_find_closest),
    "interpolated_inverted_cdf": _interpolate(0, 1),
    "hazen": _interpolate(0.5, 0.5),
    "weibull": _interpolate(0, 0),
    "linear": QuantileMethod(_find_linear_position, _keep_fraction),
    "median_unbiased": _interpolate(1 / 3.0, 1 / 3.0),
    "normal_unbiased": _interpolate(3 / 8.0, 3 / 8.0),
    "lower": _round_position(ufuncs.floor),
    "higher": _round_position(ufuncs.ceil),
    "midpoint": QuantileMethod(_find_midpoint, _use_weight(0.5, 0.0)),
    "nearest": _round_position(ufuncs.rint),
}
