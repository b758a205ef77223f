"""Convolution, interpolation, phases."""

from __future__ import annotations

import numpy as np
import pytest
import tensorflow as tf

import tfnp
from tests import tiers
from tests.tfnp.agreement import agree, gradient, take_gradient


@pytest.mark.sample(1)
@pytest.mark.parametrize("name", ["correlate", "convolve"])
@pytest.mark.parametrize("lengths", [(300, 300), (297, 300), (500, 440), (440, 500)], ids=str)
def test_few_shifts_of_long_vectors(name, lengths):
    generator = np.random.default_rng(0)
    for dtype in tiers.sample((np.float64, np.int8, np.complex64, np.bool_), 2):
        vectors = [(4 * generator.standard_normal(length)).astype(dtype) for length in lengths]
        agree(name, *vectors, mode="valid")
    generator = np.random.default_rng(1)
    with_infinity = np.r_[np.inf, generator.standard_normal(lengths[0])]
    agree(name, with_infinity, generator.standard_normal(lengths[1]), mode="valid")
    gradient(
        lambda a, v: getattr(tfnp, name)(a, v, "valid"), *(generator.standard_normal(length) for length in lengths)
    )


@pytest.mark.parametrize(
    ("function", "slopes", "curves"),
    [(tfnp.i0, [0.0, 0.565159103992485], [0.5, 0.7009067737595233]), (tfnp.sinc, [0.0, -1.0], [-(np.pi**2) / 3, 2.0])],
    ids=["i0", "sinc"],
)
def test_slopes_at_zero(function, slopes, curves):
    x = tf.constant([0.0, 1.0], tf.float64)
    with tf.GradientTape() as outer:
        outer.watch(x)
        slope = take_gradient(function, x)
    np.testing.assert_allclose(slope, slopes, rtol=1e-12)
    np.testing.assert_allclose(outer.gradient(slope, x), curves, rtol=1e-12)


@pytest.mark.parametrize("x", [1e-5, 0.1, 0.1591, 0.1592, 0.3])
def test_slopes_of_sinc_near_zero(x):
    wide = np.longdouble(x) * np.pi
    slope = (np.cos(wide) - np.sin(wide) / wide) / np.longdouble(x)
    value = np.sin(wide) / wide
    np.testing.assert_allclose(gradient(tfnp.sinc, np.array(x))[0], float(2 * value * slope), rtol=1e-9 / x)
