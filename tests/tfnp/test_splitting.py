"""Arrays taken apart along an axis."""

from __future__ import annotations

import numpy as np
import pytest
import tensorflow as tf

import tfnp
from tests.tfnp.agreement import agree, array, traced


def test_dynamic_sections():
    """Which are as many parts: one index is a list of one."""
    for name in ("split", "array_split", "vsplit"):
        agree(name, array(2, 3), np.array(2), modes=("eager",))
        with pytest.raises(TypeError, match="number of sections must be static"):
            tf.function(getattr(tfnp, name))(array(2, 3), tf.constant(2))


def test_a_dim_that_is_unknown_cannot_be_unstacked():
    with pytest.raises(ValueError, match="must be static"):
        traced(tfnp.unstack, array(3))


def test_lists_keep_their_length_for_any_axis():
    for value in ([[0.0, 1.0]], [[1], [2], [3]], [[1, 2, 3], [4, 5, 6]]):
        for sections in (1, 1.0, 2, 3):
            agree("array_split", value, sections, 1, modes=("eager", "graph"))
