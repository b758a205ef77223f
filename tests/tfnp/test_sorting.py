"""Elements in order, nan last."""

from __future__ import annotations

import numpy as np
import pytest
import tensorflow as tf

import tfnp
from tests.tfnp.agreement import agree


def test_zeros_of_both_signs_keep_their_places():
    zeros = np.array([0.0, -0.0, 0.0, -1.0])
    assert np.signbit(tfnp.sort(zeros).numpy()).tolist() == [True, False, True, False]
    assert tfnp.argsort(zeros).numpy().tolist() == [3, 0, 1, 2]


@pytest.mark.full
@pytest.mark.parametrize("shape", [(40, 30), (17, 4, 5), (3, 8)])
def test_many_keys(shape):
    keys = np.random.default_rng(0).integers(0, 2, shape).astype(float)
    for axis in range(-1, len(shape) - 1):
        agree("lexsort", keys, axis=axis)
        unknown = tf.function(lambda keys, axis=axis: tfnp.lexsort(keys, axis), [tf.TensorSpec([None] * len(shape))])
        np.testing.assert_array_equal(unknown(keys.astype(np.float32)), np.lexsort(keys, axis))
