"""What is NumPy's own, and what memory would say."""

from __future__ import annotations

import numpy as np
import pytest
import tensorflow as tf

import tfnp
from tests.tfnp.agreement import agree, array
from tfnp.routines import environment


@pytest.mark.parametrize("name", sorted(set(environment.__all__) - {"isfortran"}))
def test_numpys_own(name):
    assert getattr(tfnp, name) is getattr(np, name)


def test_floating_point_errors_are_never_raised():
    with tfnp.errstate(all="raise"):
        assert np.isinf(tfnp.divide(tf.constant(1.0), 0.0))
        assert np.isnan(tfnp.sqrt(tf.constant(-1.0)))


def test_tensors_lie_by_rows():
    agree("isfortran", array(2, 3))
    agree("isfortran", np.asfortranarray(array(2, 3)))
    agree("isfortran", 3.0)
    assert tfnp.isfortran(tf.Variable(array(2, 3))) is False


def test_arrays_are_compared_by_numpys_own_assertions():
    tfnp.testing.assert_allclose(tf.constant([1.0, 2.0]), [1, 2])
    with pytest.raises(AssertionError):
        tfnp.testing.assert_array_equal(tf.constant([1, 2]), [1, 3])
