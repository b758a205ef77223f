"""Discrete Fourier transforms."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest
import tensorflow as tf

import tfnp
from tests.tfnp.agreement import agree, array, gradient, traced

ONE = ("fft", "ifft", "rfft", "irfft", "hfft", "ihfft")
SOME = ("fft2", "ifft2", "rfft2", "irfft2", "fftn", "ifftn", "rfftn", "irfftn")
RANDOM = np.random.default_rng(0)


def waves(*shape, dtype=np.complex128):
    numbers = RANDOM.standard_normal(shape)
    return (numbers + 1j * RANDOM.standard_normal(shape) if np.dtype(dtype).kind == "c" else numbers).astype(dtype)


@pytest.mark.sample(3)
@pytest.mark.parametrize("name", ONE)
def test_no_length_reaches_the_kernel_that_is_no_length(name):
    for a, n in (
        (array(3), 0),
        (array(3), -1),
        (array(0), None),
        (array(2, 0), None),
        (array(3), 2.0),
        (array(3), "a"),
    ):
        agree(f"fft.{name}", a, n, modes=("eager",))
    agree(f"fft.{name}", array(0, 3))
    agree(f"fft.{name}", array(3, 1), modes=("eager",))
    with pytest.raises(tf.errors.InvalidArgumentError):
        traced(getattr(tfnp.fft, name), np.zeros((2, 0)))


@pytest.mark.sample(2)
@pytest.mark.parametrize("name", [*ONE, *SOME])
def test_unknown_sides_and_ranks(name):
    a = waves(3, 4, dtype="d" if name.startswith(("r", "ih")) else "D")
    for rank in (True, False) if name in ("fft", "irfft2") else (True,):
        np.testing.assert_allclose(traced(getattr(tfnp.fft, name), a, rank=rank), getattr(np.fft, name)(a))


def test_a_length_known_only_at_run_time():
    step = tf.function(tfnp.fft.irfft, jit_compile=False, autograph=False)
    for n in (3, 8):
        np.testing.assert_allclose(
            step(tf.constant(array(5) + 1j), tf.constant(n)), np.fft.irfft(array(5) + 1j, n), 1e-5
        )


def test_high_ranks():
    a = waves(*(2,) * 14)
    np.testing.assert_allclose(tfnp.fft.fft(a, axis=3), np.fft.fft(a, axis=3))
    np.testing.assert_allclose(tfnp.fft.ifft(a, 3, axis=0), np.fft.ifft(a, 3, axis=0))


@pytest.mark.parametrize("name", [*ONE, *SOME])
def test_gradients(name):
    a = waves(2, 4, dtype="d")
    ours = gradient(lambda x: tfnp.abs(getattr(tfnp.fft, name)(x)), a)[0]

    def loss(x):
        return np.sum(np.abs(getattr(np.fft, name)(x)) ** 2)

    steps = np.eye(a.size).reshape(-1, *a.shape) * 1e-6
    slopes = [(loss(a + step) - loss(a - step)) / 2e-6 for step in steps]
    np.testing.assert_allclose(ours.ravel(), slopes, rtol=1e-5, atol=1e-8)


@pytest.mark.sample(4)
@pytest.mark.parametrize("axes", [None, 0, 1, -1, (0, 1), (1, 1), (), 2, "a", (0.5,)], ids=str)
def test_shifts(axes):
    for name in ("fft.fftshift", "fft.ifftshift"):
        agree(name, array(3, 4), axes, modes=("eager", "graph"))
        agree(name, array(), axes, modes=("eager",))
    np.testing.assert_array_equal(traced(tfnp.fft.fftshift, array(3, 4)), np.fft.fftshift(array(3, 4)))


def test_single_precision_of_integers_where_that_is_preferred():
    for name in ("fft", "ifft", "rfft", "irfft", "fftn", "hfft", "ihfft"):
        function, numbers = getattr(tfnp.fft, name), np.array([[1, 2, 5], [3, 4, 6]])
        expected = function(numbers, norm="ortho")
        with tfnp.numpy_behavior(prefer_float32=True):
            found = function(numbers, norm="ortho")
            assert function(numbers * 1.0).dtype == expected.dtype
        assert found.dtype == (tf.complex64 if expected.dtype.is_complex else tf.float32)
        np.testing.assert_allclose(found, expected, 1e-5, 1e-5)


@pytest.mark.parametrize("make", [tf.constant, tf.Variable, lambda n: tf.constant(n, tf.int64), np.int16])
@pytest.mark.parametrize("name", ["fftfreq", "rfftfreq"])
def test_the_number_of_frequencies_may_be_a_tensor(name, make):
    function, expected = getattr(tfnp.fft, name), getattr(np.fft, name)(5, 0.5)
    np.testing.assert_array_equal(function(make(5), 0.5), expected, strict=True)
    np.testing.assert_array_equal(function(make(5), tf.constant(0.5, tf.float64)), expected, strict=True)
    static = tf.function(lambda x: function(tfnp.shape(x)[0], 0.5), autograph=False)
    np.testing.assert_array_equal(static(tf.zeros(5)), expected, strict=True)
    with pytest.raises(ValueError, match="n should be an integer"):
        function(tf.constant(5.0))
    traced = tf.function(function)
    for n in (1, 5, 6):
        np.testing.assert_allclose(traced(tf.constant(n), 0.5), getattr(np.fft, name)(n, 0.5), rtol=1e-15, strict=True)


@pytest.mark.full
@pytest.mark.parametrize("norm", [None, "ortho", "forward"])
def test_bfloat16_is_transformed_in_float32(norm):
    a = np.random.default_rng(0).normal(size=(4, 5)).astype(ml_dtypes.bfloat16)
    for name in ("fft", "rfft", "irfft", "hfft", "irfftn", "irfft2"):
        agree(f"fft.{name}", a, norm=norm)
