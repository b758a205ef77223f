"""Products and powers of series that end in zeros, called often."""

from __future__ import annotations

import numpy as np
import pytest

from tfnp import polynomial


@pytest.mark.parametrize("name", ["legmul", "hermmul", "chebmul"])
def test_recurring_products_keep_their_dtype(name: str) -> None:
    """NumPy's dtype depends on how many coefficients are left: one of them alone is promoted by Legendre's product."""
    module = {"leg": "legendre", "her": "hermite", "che": "chebyshev"}[name[:3]]
    multiply, power = (getattr(getattr(polynomial, module), name[:-3] + verb) for verb in ("mul", "pow"))
    reference = getattr(np.polynomial, module)
    one, two = np.float32([1, 0]), np.float32([1, 2])
    expected = [getattr(reference, name)(one, two).dtype, getattr(reference, name[:-3] + "pow")(one, 3).dtype]
    for _ in range(70):
        assert multiply(two, two).dtype == power(two, 3).dtype == np.float32
        assert [multiply(one, two).dtype, power(one, 3).dtype] == expected
