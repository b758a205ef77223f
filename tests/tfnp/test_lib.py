"""What of `numpy.lib` is here."""

from __future__ import annotations

import numpy as np
import pytest
import tensorflow as tf

import tfnp

CUBE = np.arange(60).reshape(3, 4, 5)
WINDOWS = [((2, 3, 1), None), (2, 0), (3, -1), ((2, 2), (0, 2)), ((2, 2), (1, 1)), ((0,), (1,)), ((4,), (1,)), ((), ())]


@pytest.mark.sample(3)
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


STRIDES = [
    ((3, 4), (8, 8)),  # windows of a vector
    ((2, 3, 4), (160, 8, 40)),  # two axes exchanged
    ((3,), (168,)),  # a diagonal
    ((5, 2), (0, 8)),  # repeated
    ((), ()),
    ((0, 70), (8, 8)),
    (None, None),
    ((60,), (8,)),
]


@pytest.mark.parametrize("jit", [False, True])
@pytest.mark.parametrize(("shape", "strides"), STRIDES)
def test_strides(shape, strides, jit):
    stride = tfnp.lib.stride_tricks.as_strided
    expected = np.lib.stride_tricks.as_strided(CUBE, shape, strides)
    np.testing.assert_array_equal(stride(CUBE, shape, strides), expected)
    traced = tf.function(lambda x: stride(x, shape, strides), jit_compile=jit)
    np.testing.assert_array_equal(traced(tf.constant(CUBE)), expected)


@pytest.mark.parametrize("dtype", [np.bool_, np.float16, np.float32, np.complex128])
def test_strides_are_in_bytes(dtype):
    x = np.arange(6).astype(dtype)
    expected = np.lib.stride_tricks.as_strided(x, (2, 3), (2 * x.itemsize, x.itemsize))
    np.testing.assert_array_equal(tfnp.lib.stride_tricks.as_strided(x, (2, 3), (2 * x.itemsize, x.itemsize)), expected)


@pytest.mark.parametrize(
    ("shape", "strides"),
    [((61,), (8,)), ((2,), (-8,)), ((3,), (240,)), ((2,), (4,)), ((2, 2), (8,)), ((-1,), (8,)), ((4, 5), None)],
)
@pytest.mark.parametrize("graph", [False, True])
def test_strides_that_reach_outside_are_refused(shape, strides, graph):
    stride = tfnp.lib.stride_tricks.as_strided
    call = tf.function(lambda x: stride(x, shape, strides)) if graph else lambda x: stride(x, shape, strides)
    with pytest.raises(ValueError, match=r"as_strided|negative dimensions"):
        call(tf.constant(CUBE))


@pytest.mark.parametrize("known", [[None], None])
def test_strides_over_an_unknown_length(known):
    @tf.function(input_signature=[tf.TensorSpec(known, tf.float32), tf.TensorSpec([], tf.int32)])
    def frame(x, hop):
        return tfnp.lib.stride_tricks.as_strided(x, ((tf.size(x) - 4) // hop + 1, 4), (4 * hop, 4))

    x = np.arange(12, dtype=np.float32)
    np.testing.assert_array_equal(frame(x, 3), np.lib.stride_tricks.sliding_window_view(x, 4)[::3])

    @tf.function(input_signature=[tf.TensorSpec(known, tf.float32)])
    def reach(x):
        return tfnp.lib.stride_tricks.as_strided(x, (20,), (4,))

    with pytest.raises(tf.errors.InvalidArgumentError, match="reach outside"):
        reach(x)


def test_gradients_of_overlapping_strides_add_up():
    x = tf.Variable(np.arange(5.0))
    with tf.GradientTape() as tape:
        y = tfnp.sum(tfnp.lib.stride_tricks.as_strided(x, (3, 3), (8, 8)))
    np.testing.assert_array_equal(tf.convert_to_tensor(tape.gradient(y, x)), [1, 2, 3, 2, 1])


def test_the_rest_of_lib():
    assert tfnp.lib.NumpyVersion is np.lib.NumpyVersion
    np.testing.assert_array_equal(tfnp.lib.stride_tricks.broadcast_to(tfnp.arange(2), (2, 2)), [[0, 1], [0, 1]])
    with pytest.raises(AttributeError):
        tfnp.lib.format  # noqa: B018
