"""What variables hold, read and written without detours."""

from __future__ import annotations

import numpy as np
import pytest
import tensorflow as tf

import tfnp
from tfnp._core.variables import read_variable, store


def test_store():
    v = tf.Variable([1.0, 2.0])
    store(v, tf.constant([3.0, 4.0]))
    assert v.numpy().tolist() == read_variable(v).numpy().tolist() == [3, 4]


def test_store_in_a_graph():
    v = tf.Variable([1.0, 2.0])

    @tf.function(autograph=False)
    def twice(x):
        store(v, x)
        store(v, read_variable(v) + x)

    twice(tf.constant([3.0, 4.0]))
    assert v.numpy().tolist() == [6, 8]


@pytest.mark.parametrize("value", [tf.zeros(3), tf.zeros(())], ids=str)
def test_a_static_shape_is_checked(value):
    v = tf.Variable([1.0, 2.0])
    with pytest.raises(ValueError, match="shape"):
        store(v, value)
    assert v.numpy().tolist() == [1, 2]


def test_an_unknown_shape_may_change():
    v = tf.Variable([1.0, 2.0], shape=[None])
    store(v, tf.zeros(3))
    assert v.numpy().tolist() == [0, 0, 0]


def test_other_classes_use_assign():
    class Counted:
        """Not a plain variable, whatever it holds."""

        shape, dtype, calls = tf.TensorShape(2), tf.float32, 0

        def assign(self, value, read_value):
            self.calls += 1

    counted = Counted()
    store(counted, tf.zeros(2))
    assert counted.calls == 1


def test_a_tape_records_reads_after_a_store():
    v, x = tf.Variable([1.0, 2.0]), tf.constant([3.0, 4.0])
    with tf.GradientTape() as tape:
        tfnp.multiply(x, 2, out=v)
        y = tf.reduce_sum(v * v)
    assert tape.gradient(y, v).numpy().tolist() == [12, 16]


def test_elements_outside_a_mask_are_unchanged():
    v = tf.Variable([1.0, 2.0])
    tfnp.add([5.0, 5.0], [1, 1], out=v, where=[True, False])
    assert v.numpy().tolist() == [6, 2]
    assert np.asarray(tfnp.add(tf.constant([5.0, 5.0]), 1, where=[False, True])).tolist() == [0, 6]
