"""Polynomials from their roots, and roots from polynomials."""

from __future__ import annotations

import numpy as np
import pytest
import tensorflow as tf

import tfnp

HOMES = ("polynomial", "chebyshev", "legendre", "hermite", "hermite_e", "laguerre")


def test_coefficients_of_different_sizes():
    p = np.array([3.0, 0, 1e10, 2.0, 5])
    for result in (tfnp.roots(p), tf.function(tfnp.roots)(p), tfnp.polynomial.polynomial.polyroots(p[::-1])):
        order = np.argsort(np.imag(result))
        numpys = np.roots(p)
        np.testing.assert_allclose(np.asarray(result)[order], numpys[np.argsort(np.imag(numpys))], 1e-13)


def test_roots_at_the_origin_are_exact_however_many():
    for c in ([0.0, 0, -12, -12, 3, 3], [0.0, 0, 3, -1, -3, 1], [0.0, 0, 0, 2], [0, 0, 1j, 2, 1]):
        result = tfnp.polynomial.polynomial.polyroots(np.array(c))
        np.testing.assert_array_equal(np.asarray(result)[np.abs(result) < 1e-3], 0)


@pytest.mark.full
@pytest.mark.parametrize(
    "prefix",
    ["poly", "cheb", *(pytest.param(name, marks=pytest.mark.full) for name in ("leg", "herm", "herme", "lag"))],
)
def test_many_roots(prefix):
    """Of which one is left over at every other turn, in loops where series are long."""
    home = next(name for name in HOMES if hasattr(getattr(np.polynomial, name), f"{prefix}fromroots"))
    for count in (1, 2, 3, 7, 150):
        roots = np.random.default_rng(count).normal(size=count) * 0.5
        wanted = getattr(getattr(np.polynomial, home), f"{prefix}fromroots")(roots)
        function = getattr(getattr(tfnp.polynomial, home), f"{prefix}fromroots")
        for result in (function(roots), tf.function(function, jit_compile=True, autograph=False)(roots)):
            np.testing.assert_allclose(result, wanted, rtol=0, atol=1e-13 * np.abs(wanted).max())


def test_xla_has_no_eigenvalues():
    """The call says so and names what to use instead: XLA's own error would name a kernel of TensorFlow's only."""
    with pytest.raises(NotImplementedError, match="XLA has no eigenvalues"):
        tf.function(tfnp.roots, jit_compile=True, autograph=False)(np.array([1.0, 2.0, 3.0]))
