"""Division of a series by a longer one: the quotient is the first coefficient times zero, which may be nan."""

from __future__ import annotations

import numpy as np
import pytest
import tensorflow as tf

from oracle.inventory import POLYNOMIAL_MODULES
from tests.tfnp.agreement import traced
from tfnp import polynomial

SAMPLED = ("polynomial", "legendre")
PAIRS = (
    (np.nan, [0.0, 0.0, 0.0, 0.0, 1.0]),
    ([np.inf, 1.0, 0.0, 0.0], [1.0, 2.0, 3.0, 4.0]),
    ([np.nan, 0.0, 0.0], [1.0, 2.0]),
    ([1.0, 2.0, 0.0, 0.0, 0.0, 0.0], [1.0, np.nan, 3.0, 4.0, 5.0]),
    ([-1.0, 2.0, 0.0], [1.0, 2.0]),  # no longer than the divisor, but no shorter
)


@pytest.mark.sample(1)
@pytest.mark.filterwarnings("ignore:.*encountered:RuntimeWarning")
@pytest.mark.parametrize(
    ("module", "are_dims_known"),
    [
        *[(module, False) for module in POLYNOMIAL_MODULES],
        *[
            pytest.param(module, True, marks=() if module in SAMPLED else pytest.mark.full)
            for module in POLYNOMIAL_MODULES
        ],
    ],
)
def test_quotients_of_short_dividends(module: str, are_dims_known: bool) -> None:
    name = POLYNOMIAL_MODULES[module] + "div"
    divide, expected_divide = (getattr(getattr(home, module), name) for home in (polynomial, np.polynomial))
    for pair in PAIRS:
        first, second = map(np.array, pair)
        function = tf.function(divide, autograph=False) if are_dims_known else None
        results = function(tf.constant(first), tf.constant(second)) if function else traced(divide, first, second)
        for result, expected in zip(results, expected_divide(first, second), strict=True):
            np.testing.assert_allclose(result, expected, err_msg=str(pair))
