"""Windows."""

from __future__ import annotations

import numpy as np
import pytest
import tensorflow as tf

import tfnp


def test_a_dynamic_length_is_an_integer():
    np.testing.assert_allclose(tf.function(tfnp.hanning)(tf.constant(5)), np.hanning(5), rtol=1e-15)
    with pytest.raises(TypeError, match="must be static"):
        tf.function(tfnp.hanning)(tf.constant(3.5))
    assert tfnp.hanning(tf.constant(5)).shape == (5,)
