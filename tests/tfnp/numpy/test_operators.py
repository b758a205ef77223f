"""Operators that write to the left operand."""

from __future__ import annotations

import numpy
import pytest
import tensorflow as tf

import tfnp.numpy as np

MODES = {"eager": lambda function: function, "graph": tf.function, "xla": tf.function(jit_compile=True)}
SQUARE = numpy.array([[1.0, 2.0], [3.0, 4.0]])


def multiply(x, y):
    x = x.copy()
    x @= y
    return x


@pytest.mark.parametrize("policy", ["tensorflow", "numpy"])
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    ("x", "y"),
    [(SQUARE, SQUARE), (SQUARE[0], SQUARE), (SQUARE, SQUARE[0]), (SQUARE, SQUARE[:, :1]), (SQUARE[0, 0], SQUARE)],
)
def test_products_in_place_keep_the_number_of_dimensions(x, y, mode, policy):
    with np.calculate_with(policy):
        call = MODES[mode](multiply)
        try:
            expected = multiply(x, y)
        except ValueError:
            with pytest.raises(ValueError, match=r"matri|matmul|dimension|broadcast|shape"):
                call(np.array(x), np.array(y))
        else:
            numpy.testing.assert_array_equal(call(np.array(x), np.array(y)), expected)
