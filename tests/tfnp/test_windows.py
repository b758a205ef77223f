"""Windows."""

from __future__ import annotations

import numpy as np
import pytest
import tensorflow as tf

import tfnp
from tests.tfnp.agreement import agree

NAMES = ("bartlett", "blackman", "hamming", "hanning", "kaiser")


@pytest.mark.sample(4)
@pytest.mark.parametrize("length", [0, 1, 2, 7, 8, -1, 3.5, True, np.int8(5), np.array(4), "a", None, [3]], ids=str)
def test_lengths(length):
    for name in NAMES[:-1]:
        agree(name, length, modes=("eager",) if isinstance(length, np.ndarray) else ("eager", "graph", "xla"))
    for beta in (0, 8.6, -3.0, np.float32(2), None):
        agree("kaiser", length, beta, modes=("eager",))


def test_a_dynamic_length_is_an_integer():
    np.testing.assert_allclose(tf.function(tfnp.hanning)(tf.constant(5)), np.hanning(5), rtol=1e-15)
    with pytest.raises(TypeError, match="must be static"):
        tf.function(tfnp.hanning)(tf.constant(3.5))
    assert tfnp.hanning(tf.constant(5)).shape == (5,)
