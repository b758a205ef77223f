"""Functions applied to parts of arrays."""

from __future__ import annotations

import numpy as np
import pytest
import tensorflow as tf

import tfnp
from tests.tfnp.agreement import array, gradient, traced


def test_results_of_any_shape_and_arguments():
    def outer(row, factor, plus=0):
        return row[:, None] * row[:2] * factor + plus

    x = array(2, 5, 3)
    expected = np.apply_along_axis(outer, 1, x, 2, plus=1)
    assert np.array_equal(tfnp.apply_along_axis(outer, 1, x, 2, plus=1), expected)
    assert np.array_equal(traced(lambda t: tfnp.apply_along_axis(outer, 1, t, 2, plus=1), x), expected)


def test_the_first_result_decides_the_dtype():
    def changing(row):
        return int(row[0]) if row[0] < 5 else 7.5

    assert tfnp.apply_along_axis(changing, 1, array(4, 1)).dtype == tf.int64
    assert np.array_equal(
        tfnp.apply_along_axis(changing, 1, array(4, 1)), np.apply_along_axis(changing, 1, array(4, 1))
    )


@pytest.mark.full
def test_branches_are_converted_where_autograph_converts():
    def sign(row):
        return row if tf.reduce_sum(row) > 5 else -row

    x = array(3, 2)
    expected = np.apply_along_axis(lambda row: row if row.sum() > 5 else -row, 1, x)
    assert np.array_equal(tfnp.apply_along_axis(sign, 1, x), expected)
    assert np.array_equal(tf.function(lambda t: tfnp.apply_along_axis(sign, 1, t))(tf.constant(x)), expected)


def test_gradient():
    x = array(3, 2)
    (result,) = gradient(lambda t: tfnp.apply_along_axis(tf.reduce_sum, 0, t), x)
    assert np.array_equal(result, np.broadcast_to(2 * x.sum(0), x.shape))


def test_a_function_that_drops_too_much_is_refused():
    with pytest.raises(ValueError, match="correct shape"):
        tfnp.apply_over_axes(lambda a, axis: tf.reduce_sum(a), array(2, 3), 0)
