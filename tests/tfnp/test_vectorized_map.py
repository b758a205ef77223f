"""`tf.vectorized_map` runs functions for all rows at once, not in a loop."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
import tensorflow as tf

import tfnp

ROWS = np.random.default_rng(0).normal(size=(5, 8))
FUNCTIONS: dict[str, Callable[[tf.Tensor], tf.Tensor]] = {
    "argpartition": lambda x: tfnp.argpartition(x, 3),
    "argsort": tfnp.argsort,
    "copysign": lambda x: tfnp.copysign(x, -1.0),
    "cumsum": tfnp.cumsum,
    "digitize": lambda x: tfnp.digitize(x, [-1.0, 0, 1]),
    "frexp": lambda x: tfnp.frexp(x)[0],
    "gcd": lambda x: tfnp.gcd(tf.cast(10 * x, tf.int32), 6),
    "histogram": lambda x: tfnp.histogram(x, bins=4, range=(-2, 2))[0],
    "interp": lambda x: tfnp.interp(x, [-1.0, 0, 1], [1.0, 2, 0]),
    "isin": lambda x: tfnp.isin(x, ROWS[0]),
    "lexsort": lambda x: tfnp.lexsort((x,)),
    "log2": lambda x: tfnp.log2(tfnp.abs(x)),
    "median": tfnp.median,
    "nanmedian": tfnp.nanmedian,
    "nextafter": lambda x: tfnp.nextafter(x, 1.0),
    "partition": lambda x: tfnp.partition(x, 3),
    "percentile": lambda x: tfnp.percentile(x, [30, 60]),
    "quantile": lambda x: tfnp.quantile(x, 0.3),
    "searchsorted": lambda x: tfnp.searchsorted(tf.constant([-1.0, 0, 1], tf.float64), x),
    "searchsorted in sorted": lambda x: tfnp.searchsorted(tfnp.sort(x), x),
    "signbit": tfnp.signbit,
    "sort": tfnp.sort,
    "sort of bfloat16": lambda x: tfnp.sort(tf.cast(x, tf.bfloat16)),
    "sort of complex": lambda x: tfnp.sort(tf.complex(x, -x)),
    "sort of uint32": lambda x: tfnp.sort(tf.cast(100 * tf.abs(x), tf.uint32)),
    "unwrap": tfnp.unwrap,
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions_are_vectorized(name: str) -> None:
    function, rows = FUNCTIONS[name], tf.constant(ROWS)
    actual = tf.vectorized_map(function, rows, fallback_to_while_loop=False)
    np.testing.assert_allclose(
        tf.cast(actual, tf.complex128), tf.cast(tf.stack([function(row) for row in rows]), tf.complex128), rtol=1e-6
    )


@pytest.mark.parametrize("dtype", [tf.uint8, tf.int32, tf.float64])
def test_bits_are_vectorized_whatever_the_width(dtype: tf.DType) -> None:
    with tfnp.numpy_behavior():
        rows = tf.constant(ROWS)
        actual = tf.vectorized_map(lambda x: x.view(dtype), rows, fallback_to_while_loop=False)
        np.testing.assert_array_equal(actual, ROWS.view(dtype.as_numpy_dtype))


def differentiate_median(x: tf.Tensor) -> tf.Tensor:
    with tf.GradientTape() as tape:
        tape.watch(x)
        result = tfnp.median(x)
    return tape.gradient(result, x)


def test_gradients_are_vectorized() -> None:
    actual = tf.vectorized_map(differentiate_median, tf.constant(ROWS), fallback_to_while_loop=False)
    np.testing.assert_array_equal(actual, tf.stack([differentiate_median(tf.constant(row)) for row in ROWS]))
