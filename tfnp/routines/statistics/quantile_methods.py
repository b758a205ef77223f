"""Where among sorted elements a quantile lies: NumPy's thirteen methods, as Hyndman and Fan number and name them.

https://doi.org/10.1080/00031305.1996.10473566. `n` is how many elements there are: a number, or a tensor of them in the
dtype of the quantiles.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple

import tensorflow as tf

from tfnp.routines.math import ufuncs

__all__ = ["METHODS", "Method", "last_place"]


class Method(NamedTuple):
    """The place, with a fraction; and what becomes of the fraction, or None where the place is a whole number."""

    place: Callable[[Any, tf.Tensor], tf.Tensor]
    weight: Callable[[tf.Tensor, tf.Tensor], tf.Tensor] | None = None


def _continuous(alpha: float, beta: float) -> Method:
    def place(n: Any, q: tf.Tensor) -> tf.Tensor:
        return ufuncs.subtract(
            ufuncs.add(ufuncs.multiply(n, q), ufuncs.add(alpha, ufuncs.multiply(q, 1 - alpha - beta))), 1
        )

    return Method(place, _as_it_is)


def _as_it_is(fraction: tf.Tensor, index: tf.Tensor) -> tf.Tensor:
    return fraction


def _between(n: Any, q: tf.Tensor) -> tf.Tensor:
    return ufuncs.multiply(last_place(n), q)


def last_place(n: Any) -> Any:
    """That of the last element. A number stays one: it is weak."""
    return n - 1 if isinstance(n, int) else ufuncs.subtract(n, 1)


def _whole(rounding: Any) -> Method:
    return Method(lambda n, q: tf.cast(rounding(_between(n, q)), tf.int64))


def _step(index: tf.Tensor, keeps: Callable[[tf.Tensor, tf.Tensor], tf.Tensor]) -> tf.Tensor:
    """The element before the place where `keeps` says so, else the one after it."""
    before = ufuncs.floor(index)
    chosen = tf.where(keeps(ufuncs.subtract(index, before), before), before, ufuncs.add(before, 1))
    return tf.maximum(tf.cast(chosen, tf.int64), 0)


def _inverted(n: Any, q: tf.Tensor) -> tf.Tensor:
    return _step(ufuncs.subtract(ufuncs.multiply(n, q), 1), lambda fraction, _: ufuncs.equal(fraction, 0))


def _closest(n: Any, q: tf.Tensor) -> tf.Tensor:
    index = ufuncs.subtract(ufuncs.subtract(ufuncs.multiply(n, q), 1), 0.5)
    return _step(
        index,
        lambda fraction, before: tf.logical_and(
            ufuncs.equal(fraction, 0), ufuncs.equal(ufuncs.remainder(before, 2), 1)
        ),
    )


def _middle(n: Any, q: tf.Tensor) -> tf.Tensor:
    index = _between(n, q)
    return ufuncs.multiply(0.5, ufuncs.add(ufuncs.floor(index), ufuncs.ceil(index)))


def _replaced(default: float, special: float) -> Callable[[tf.Tensor, tf.Tensor], tf.Tensor]:
    def weight(fraction: tf.Tensor, index: tf.Tensor) -> tf.Tensor:
        whole = ufuncs.equal(fraction, 0)
        return tf.where(whole, tf.cast(special, fraction.dtype), tf.cast(default, fraction.dtype))

    return weight


METHODS: Final = {
    "inverted_cdf": Method(_inverted),
    "averaged_inverted_cdf": Method(lambda n, q: ufuncs.subtract(ufuncs.multiply(n, q), 1), _replaced(1.0, 0.5)),
    "closest_observation": Method(_closest),
    "interpolated_inverted_cdf": _continuous(0, 1),
    "hazen": _continuous(0.5, 0.5),
    "weibull": _continuous(0, 0),
    "linear": Method(_between, _as_it_is),
    "median_unbiased": _continuous(1 / 3.0, 1 / 3.0),
    "normal_unbiased": _continuous(3 / 8.0, 3 / 8.0),
    "lower": _whole(ufuncs.floor),
    "higher": _whole(ufuncs.ceil),
    "midpoint": Method(_middle, _replaced(0.5, 0.0)),
    "nearest": _whole(ufuncs.rint),
}
