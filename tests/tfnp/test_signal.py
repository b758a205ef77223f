"""Convolution, interpolation, phases."""

from __future__ import annotations

import numpy as np
import pytest
import tensorflow as tf

import tfnp
from tests import tiers
from tests.tfnp.agreement import DTYPES, agree, array, gradient, traced

POINTS = np.array([0.0, 1.0, 2.5, 4.0])
VALUES = np.array([3.0, -1.0, 0.5, 2.0])


@pytest.mark.sample(1)
@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_every_dtype(dtype):
    for name in ("convolve", "correlate"):
        agree(name, array(5, dtype=dtype), array(2, dtype=dtype), modes=("eager", "graph"))
    agree("interp", array(3, dtype=dtype), POINTS, VALUES.astype(dtype), modes=("eager", "graph"))
    agree("unwrap", array(4, dtype=dtype), modes=("eager",))
    for name in ("i0", "sinc"):
        agree(name, array(4, dtype=dtype), modes=("eager",))


@pytest.mark.sample(8)
@pytest.mark.parametrize("mode", ["full", "same", "valid", "F", "bogus", 0, 1, 2, 3, None], ids=str)
def test_sliding(mode):
    for first, second in ((5, 2), (2, 5), (4, 3), (1, 1), (0, 2), (2, 0)):
        agree("convolve", array(first), array(second), mode, modes=("eager",))
        agree("correlate", array(first), array(second) * 1j, mode, modes=("eager",))
    agree("convolve", 2, [1, 2], mode, modes=("eager",))
    agree("correlate", 2, [1, 2], mode, modes=("eager",))
    agree("convolve", array(2, 2), [1], mode, modes=("eager",))


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


@pytest.mark.full
@pytest.mark.parametrize(
    "options",
    [
        {},
        {"left": -9},
        {"right": 9.0},
        {"left": np.float32(1), "right": 1j},
        {"period": 3},
        {"period": -2.5},
        {"period": 0},
    ],
    ids=str,
)
def test_interpolation(options):
    for x in (2.0, [-1, 0, 0.5, 4, 5], array(2, 2), np.array([np.nan, np.inf, -np.inf]), []):
        agree("interp", x, POINTS, VALUES, modes=("eager", "graph"), **options)
        agree("interp", x, POINTS, VALUES * 1j, modes=("eager",), **options)
        agree("interp", x, POINTS[:1], VALUES[:1], modes=("eager",), **options)
    for points, values in ((POINTS[:2], VALUES), ([], []), (array(2, 2), array(2, 2)), (1.0, 1.0)):
        agree("interp", 1.0, points, values, modes=("eager",), **options)


@pytest.mark.full
def test_sinc():
    agree("sinc", np.array([0.0, -0.0, 0.5, 1.0, -2.5, 1e-30, np.inf, np.nan]))
    agree("sinc", np.array([0j, 1 + 1j, complex(1e-300, 5e9), 3]))
    agree("sinc", 0)


@pytest.mark.full
def test_bessel():
    agree("i0", np.array([0.0, 1.0, -8.0, 8.5, 30.0, 700.0, 800.0, np.inf, np.nan]))
    agree("i0", 1j, modes=("eager",))


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    "options", [{}, {"discont": 4}, {"period": 4}, {"period": 2.5}, {"axis": 0}, {"axis": 2}, {"discont": ()}], ids=str
)
def test_unwrapping(options):
    for value in (array(3, 4), np.array([[0, 7, 2], [3, 1, 0]]), np.array([np.pi, -np.pi, 3 * np.pi]), array(0)):
        agree("unwrap", value, modes=("eager", "graph"), **options)
    agree("unwrap", 1.0, modes=("eager",), **options)


@pytest.mark.full
def test_unknown_dims():
    x, y = array(5), array(3)
    np.testing.assert_allclose(traced(tfnp.convolve, x, y), np.convolve(x, y))
    np.testing.assert_allclose(traced(tfnp.correlate, x, y), np.correlate(x, y))
    np.testing.assert_allclose(traced(tfnp.unwrap, x), np.unwrap(x), rtol=1e-6)
    np.testing.assert_allclose(traced(tfnp.interp, x, POINTS, VALUES), np.interp(x, POINTS, VALUES))


def test_gradients():
    assert np.isfinite(gradient(tfnp.sinc, np.array([0.0, 0.5, 2.0]))[0]).all()
    assert np.isfinite(gradient(tfnp.i0, np.array([0.0, 0.5, 20.0]))[0]).all()
    assert gradient(tfnp.convolve, np.array([1.0, 2.0]), np.array([3.0]))[0].tolist() == [18, 36]


@pytest.mark.parametrize(
    ("function", "slopes", "curves"),
    [
        (tfnp.i0, [0.0, 0.565159103992485], [0.5, 0.7009067737595233]),
        (tfnp.sinc, [0.0, -1.0], [-(np.pi**2) / 3, 2.0]),
    ],
    ids=["i0", "sinc"],
)
def test_slopes_at_zero(function, slopes, curves):
    x = tf.constant([0.0, 1.0], tf.float64)
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as tape:
            tape.watch(x)
            value = function(x)
        slope = tape.gradient(value, x)
    np.testing.assert_allclose(slope, slopes, rtol=1e-12)
    np.testing.assert_allclose(outer.gradient(slope, x), curves, rtol=1e-12)


@pytest.mark.parametrize("x", [1e-5, 0.1, 0.1591, 0.1592, 0.3])
def test_slopes_of_sinc_near_zero(x):
    wide = np.longdouble(x) * np.pi
    slope = (np.cos(wide) - np.sin(wide) / wide) / np.longdouble(x)
    value = np.sin(wide) / wide
    np.testing.assert_allclose(gradient(tfnp.sinc, np.array(x))[0], float(2 * value * slope), rtol=1e-9 / x)
