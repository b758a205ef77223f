"""What of `numpy.lib` is here."""

from __future__ import annotations

import numpy as np
import pytest
import tensorflow as tf

import tfnp

CUBE = np.arange(60).reshape(3, 4, 5)
WINDOWS = [((2, 3, 1), None), (2, 0), (3, -1), ((2, 2), (0, 2)), ((2, 2), (1, 1)), ((0,), (1,)), ((4,), (1,)), ((), ())]


@pytest.mark.quick_cases(3)
@pytest.mark.parametrize("jit", [False, True])
@pytest.mark.parametrize(("window", "axis"), WINDOWS)
def test_windows(window, axis, jit):
    slide = tfnp.lib.stride_tricks.sliding_window_view
    expected = np.lib.stride_tricks.sliding_window_view(CUBE, window, axis)
    np.testing.assert_array_equal(slide(CUBE, window, axis), expected)
    traced = tf.function(lambda x: slide(x, window, axis), jit_compile=jit)
    np.testing.assert_array_equal(traced(tf.constant(CUBE)), expected)


def test_windows_of_unknown_shape():
    @tf.function(input_signature=[tf.TensorSpec([None, 4, None], tf.int64)])
    def slide(x):
        return tfnp.lib.stride_tricks.sliding_window_view(x, (2, 3), (0, 2))

    np.testing.assert_array_equal(slide(CUBE), np.lib.stride_tricks.sliding_window_view(CUBE, (2, 3), (0, 2)))


@pytest.mark.parametrize(("window", "axis"), [((2, 3), None), ((2, 3), 0), (-1, 0), (9, 0), (2, 7), (1.5, 0)])
def test_windows_that_numpy_refuses(window, axis):
    with pytest.raises((ValueError, TypeError)) as expected:
        np.lib.stride_tricks.sliding_window_view(CUBE, window, axis)
    with pytest.raises(expected.type):
        tfnp.lib.stride_tricks.sliding_window_view(CUBE, window, axis)


def test_the_rest_of_lib():
    assert tfnp.lib.NumpyVersion is np.lib.NumpyVersion
    np.testing.assert_array_equal(tfnp.lib.stride_tricks.broadcast_to(tfnp.arange(2), (2, 2)), [[0, 1], [0, 1]])
    with pytest.raises(AttributeError):
        tfnp.lib.format  # noqa: B018
