"""Padding, in every mode."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
import tensorflow as tf

import tfnp
from tests.tfnp.agreement import agree, array, gradient, traced

MODES = [
    "constant",
    "edge",
    "linear_ramp",
    "maximum",
    "mean",
    "median",
    "minimum",
    "reflect",
    "symmetric",
    "wrap",
    "no",
]


@pytest.mark.full
def test_nan_is_the_maximum_and_the_median():
    for mode in ("maximum", "minimum", "median"):
        agree("pad", np.array([1.0, np.nan, 3.0]), 1, mode)


@pytest.mark.full
def test_above_the_ranks_of_the_kernels():
    agree("pad", array(*(2, 1) * 5), ((1, 0),) * 10, constant_values=3)
    agree("pad", array(*(1, 2) * 5), 1, "edge")


def frame(vector, width, axis, options):
    vector[: width[0]] = options["value"]
    vector[len(vector) - width[1] :] = axis


def test_a_function_fills_arrays_of_numpys():
    expected = np.pad(array(2, 3), 1, frame, value=8)
    np.testing.assert_array_equal(tfnp.pad(tf.constant(array(2, 3)), 1, frame, value=8), expected)
    np.testing.assert_array_equal(traced(lambda x: tfnp.pad(x, 1, frame, value=8), array(2, 3)), expected)


@pytest.mark.full
def test_unknown_dims():
    for mode in MODES[:-1]:
        for value in (array(4), array(1)):
            expected = np.pad(value, (9, 7), mode if mode != "empty" else "constant")
            np.testing.assert_allclose(traced(lambda x, mode=mode: tfnp.pad(x, (9, 7), mode), value), expected, 1e-6)
    for mode in ("reflect", "symmetric"):
        for length, width in itertools.product((1, 2, 3, 5), ((0, 1), (2, 7), (13, 4), (30, 31))):
            result = traced(lambda x, m=mode, w=width: tfnp.pad(x, w, m, reflect_type="odd"), array(length))
            np.testing.assert_allclose(result, np.pad(array(length), width, mode, reflect_type="odd"))
    for mode in ("maximum", "mean", "median", "minimum"):
        expected = np.pad(array(4), 2, mode, stat_length=2)
        np.testing.assert_allclose(traced(lambda x, mode=mode: tfnp.pad(x, 2, mode, stat_length=2), array(4)), expected)
    with pytest.raises(TypeError, match="must be static"):
        traced(tfnp.pad, array(4), np.array([1, 2]))


def test_gradients():
    (slope,) = gradient(lambda x: tfnp.pad(x, 1, "edge"), array(3))
    np.testing.assert_array_equal(slope, 2 * array(3) * [2, 1, 2])
    for mode in MODES[:-1]:
        (slope,) = gradient(lambda x, mode=mode: tfnp.pad(x, 2, mode), array(3))
        assert np.all(np.isfinite(slope))


def test_ramps_end_in_positive_zeros():
    padded = tf.function(lambda x: tfnp.pad(x, 1, "linear_ramp"), autograph=False)(tf.constant([-1.0]))
    assert not np.signbit(padded.numpy()[[0, 2]]).any()
