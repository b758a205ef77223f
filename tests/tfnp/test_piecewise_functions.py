"""Functions defined by cases."""

from __future__ import annotations

import numpy as np
import pytest
import tensorflow as tf

import tfnp
from tests.tfnp.agreement import agree, array, traced


@pytest.mark.full
def test_piecewise():
    agree("piecewise", array(4), [array(4) > 3], [1.5])
    agree("piecewise", array(4), [array(4) > 3], [1.5, 2])
    agree("piecewise", array(4), [array(4) > 3], [1, 2, 3], modes=("eager",))
    assert tfnp.piecewise(array(3), [array(3) > 3], [lambda x: x + 1, lambda x: -x]).numpy().tolist() == [0, 8, 5]
    traced_result = traced(lambda x: tfnp.piecewise(x, [x > 3], [lambda x: x + 1, lambda x: -x]), array(3))
    assert traced_result.numpy().tolist() == [0, 8, 5]


def test_functions_are_not_called_without_elements():
    for run in (tfnp.piecewise, tf.function(tfnp.piecewise, autograph=False)):
        assert run(array(2), [[False, False]], [lambda x: pytest.fail("called")]).numpy().tolist() == [0, 0]


@pytest.mark.parametrize("shape", [(), (2,)])
def test_results_have_no_more_axes_than_the_arguments(shape):
    x = np.ones(shape)
    for run in (tfnp.piecewise, tf.function(tfnp.piecewise, autograph=False)):
        with pytest.raises(TypeError, match="dimensions"):
            run(x, [x > 0], [lambda x: tf.ones((1, 1), x.dtype)])


@pytest.mark.parametrize("shape", [(), (2,)])
def test_results_broadcast_to_the_argument(shape):
    x = np.ones(shape)
    for run in (tfnp.piecewise, tf.function(tfnp.piecewise, autograph=False)):
        assert run(x, [x > 0], [lambda x: tf.constant([2.0])]).numpy().tolist() == (2 * x).tolist()
        with pytest.raises(ValueError, match="broadcast"):
            run(x, [x > 0], [lambda x: tf.zeros(0)])
