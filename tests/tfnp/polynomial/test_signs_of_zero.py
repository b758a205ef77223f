"""Signs of zeros among coefficients: what a series has more than another keeps them."""

from __future__ import annotations

import numpy as np
import pytest
import tensorflow as tf

from oracle.inventory import POLYNOMIAL_MODULES
from tfnp import polynomial

CALLS = {
    "add": [([0.0], [0.0, -0.0, 1.0]), ([1.0, -0.0, 2.0], [3.0])],
    "sub": [([0.0], [0.0, 0.0, 1.0]), ([1.0, -0.0, 2.0], [3.0]), ([1.0, 2.0], [0.0, 0.0, -0.0, 1.0])],
    "mulx": [([-1.0],), ([1.0, -0.0, 2.0],)],
    "mul": [([2.0], [1.0, -0.0, 3.0]), ([1.0, 1.0], [1.0, -0.0, 3.0])],
}


CONVOLVING = ("polynomial", "chebyshev")
"""Products are sums of a convolution, the first of which is added to a zero."""


@pytest.mark.sample(6)
@pytest.mark.parametrize(
    ("module", "operation"),
    [
        (module, operation)
        for module in POLYNOMIAL_MODULES
        for operation in CALLS
        if operation != "mul" or module not in CONVOLVING
    ],
)
@pytest.mark.parametrize("compiled", [False, True])
def test_signs_are_numpys(module, operation, compiled):
    name = POLYNOMIAL_MODULES[module] + operation
    function = getattr(getattr(polynomial, module), name)
    for series in CALLS[operation]:
        expected = getattr(getattr(np.polynomial, module), name)(*map(np.array, series))
        result = (tf.function(function) if compiled else function)(*map(tf.constant, series)).numpy()
        np.testing.assert_allclose(result, expected, rtol=1e-6)
        assert (np.signbit(result) == np.signbit(expected)).all(), (series, result, expected)


@pytest.mark.parametrize("name", ["leg2poly", "cheb2poly", "herm2poly", "herme2poly"])
def test_a_line_is_no_sum(name):
    """No zero is multiplied by infinity."""
    module = next(module for module, prefix in POLYNOMIAL_MODULES.items() if prefix + "2poly" == name)
    series = np.array([1.0, np.inf])
    expected = getattr(getattr(np.polynomial, module), name)(series.copy())
    np.testing.assert_array_equal(getattr(getattr(polynomial, module), name)(series), expected)
