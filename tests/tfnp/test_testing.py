"""NumPy's testing functions on tensors."""

from __future__ import annotations

import numpy as np
import pytest
import tensorflow as tf

import tfnp

X = np.array([1.0, 2.0])


@pytest.mark.parametrize("has_behavior", [False, True])
@pytest.mark.parametrize("name", ["assert_equal", "assert_allclose", "assert_array_equal", "assert_almost_equal"])
def test_tensors_are_compared_by_their_values(name, has_behavior):
    compare = getattr(tfnp.testing, name)
    with tfnp.numpy_behavior() if has_behavior else tf.name_scope("plain"):
        compare(tfnp.array(X), tfnp.array(X))
        compare(tf.Variable(X), X)
        with pytest.raises(AssertionError):
            compare(tfnp.array(X), tfnp.array(X + 1))


def test_tensors_in_structures_are_compared():
    tfnp.testing.assert_equal({"a": [tfnp.array(X), 1]}, {"a": [tfnp.array(X), 1]})
    with pytest.raises(AssertionError):
        tfnp.testing.assert_equal({"a": [tfnp.array(X), 1]}, {"a": [tfnp.array(X + 1), 1]})


def test_the_rest_is_numpys():
    assert tfnp.testing.assert_raises is np.testing.assert_raises
    assert set(np.testing.__all__) <= {*dir(np.testing), *tfnp.testing.__all__}
    with pytest.raises(AttributeError):
        tfnp.testing.nonsense  # noqa: B018
