"""Negated comparisons: nan is neither less nor not less, also where a graph is optimised."""

from __future__ import annotations

import numpy as np
import pytest
import tensorflow as tf

import tfnp

COMPARISONS = ("less", "less_equal", "greater", "greater_equal", "equal", "not_equal")


@pytest.mark.sample(9)
@pytest.mark.parametrize("jit_compile", [False, True], ids=["graph", "xla"])
@pytest.mark.parametrize("negation", ["logical_not", "invert", "bitwise_not"])
@pytest.mark.parametrize("name", COMPARISONS)
def test_negated_comparisons_of_nan(name, negation, jit_compile):
    x, y = np.array([0.0, 1.0, np.nan, np.nan]), np.array([np.nan, 0.0, 1.0, np.nan])
    negate = tf.function(lambda x, y: getattr(tfnp, negation)(getattr(tfnp, name)(x, y)), jit_compile=jit_compile)
    np.testing.assert_array_equal(negate(tf.constant(x), tf.constant(y)), ~getattr(np, name)(x, y))
