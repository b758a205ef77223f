"""Matrices of a pattern."""

from __future__ import annotations

import numpy as np
import pytest
import tensorflow as tf

import tfnp


@pytest.mark.parametrize(("name", "options"), [("eye", {"k": 1}), ("tri", {"k": -1}), ("eye", {"dtype": "bool"})])
def test_the_size_of_a_matrix_may_be_a_tensor(name, options):
    traced = tf.function(lambda rows, columns: getattr(tfnp, name)(rows, columns, **options))
    for rows, columns in [(3, 4), (0, 2), (2, 2)]:
        expected = getattr(np, name)(rows, columns, **options)
        np.testing.assert_array_equal(traced(tf.constant(rows), tf.constant(columns)), expected, strict=True)
    square = tf.function(lambda size: getattr(tfnp, name)(size, **options))
    np.testing.assert_array_equal(square(tf.constant(3)), getattr(np, name)(3, **options), strict=True)
