"""Polynomials from their roots, and roots from polynomials."""

from __future__ import annotations

import numpy as np
import pytest
import tensorflow as tf

import tfnp
from tests.tfnp.agreement import DTYPES, agree, array, gradient

HOMES = ("polynomial", "chebyshev", "legendre", "hermite", "hermite_e", "laguerre")
PAIRS = np.array([1 + 2j, 3.0, 1 - 2j])


@pytest.mark.sample(9)
@pytest.mark.parametrize("dtype", [dtype for dtype in DTYPES if dtype.kind != "V"], ids=str)
def test_every_dtype(dtype):
    agree("poly", array(4, dtype=dtype), modes=("eager",))
    agree("roots", array(4, dtype=dtype), modes=("eager",))


@pytest.mark.parametrize("roots", [2.5, [1, 2], [], np.zeros((2, 3)), np.zeros((0, 0)), np.zeros((1, 1, 1))])
def test_shapes(roots):
    agree("poly", roots)


@pytest.mark.full
def test_complex_roots():
    for roots in (PAIRS, PAIRS[:2], PAIRS.astype(np.complex64)):
        agree("poly", roots)


@pytest.mark.full
def test_matrices():
    for matrix in ([[1.0, 2.0], [3.0, 5.0]], [[0.0, -1.0], [1.0, 0.0]], [[2.0]]):
        agree("poly", np.array(matrix), modes=("eager", "graph"))
        agree("poly", np.array(matrix, np.float32), modes=("eager",))
    agree("poly", np.array([[1j, 2], [0.5, 1]]), modes=("eager",))


def test_coefficients_of_different_sizes():
    p = np.array([3.0, 0, 1e10, 2.0, 5])
    for result in (tfnp.roots(p), tf.function(tfnp.roots)(p), tfnp.polynomial.polynomial.polyroots(p[::-1])):
        order = np.argsort(np.imag(result))
        numpys = np.roots(p)
        np.testing.assert_allclose(np.asarray(result)[order], numpys[np.argsort(np.imag(numpys))], 1e-13)


@pytest.mark.sample(1)
@pytest.mark.parametrize("p", [[1, -3, 2], [1, 0, 1], [0, 2, 1, 0], [0, 0], [5], [], [0, 1j, 2], [3, 0]])
def test_roots(p):
    agree("roots", np.array(p), modes=("eager", "graph"))


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


def test_coefficients_without_eigenvalues():
    for p in (3.0, np.ones((2, 2)), np.array([1.0, np.nan, 2.0])):
        agree("roots", p, modes=("eager", "graph"))


def test_xla_has_no_eigenvalues():
    """The call says so and names what to use instead: XLA's own error would name a kernel of TensorFlow's only."""
    with pytest.raises(NotImplementedError, match="XLA has no eigenvalues"):
        tf.function(tfnp.roots, jit_compile=True, autograph=False)(np.array([1.0, 2.0, 3.0]))


def test_the_gradient_of_coefficients():
    assert np.isfinite(gradient(tfnp.poly, np.array([1.0, 2.0, 3.0]))[0]).all()
