"""Reductions that leave out what is nan."""

from __future__ import annotations

import numpy as np
import tensorflow as tf

import tfnp
from tests.tfnp.agreement import agree, array


def test_squares_of_small_integers_in_a_graph():
    for dtype in (np.uint8, np.int16, np.uint64):
        small = array(3, dtype=dtype)
        assert tf.function(lambda x: tfnp.square(x - x[::-1]))(small).numpy().tolist() == [16, 0, 16]
        agree("nanvar", small, dtype=bool, modes=("graph",))
