"""Covariances and correlations."""

from __future__ import annotations

import numpy as np
import pytest

import tfnp
from tests.tfnp.agreement import DTYPES, agree, array, gradient, traced

X = np.array([[0.0, 1.0, 2.0, 4.0], [2.0, 1.0, 0.5, 3.0]])
COUNTS, WEIGHTS = np.array([1, 2, 1, 1]), np.array([0.5, 1.0, 2.0, 1.0])
BOTH = pytest.mark.parametrize("name", ["cov", "corrcoef"])


@pytest.mark.sample(23)
@BOTH
@pytest.mark.parametrize("dtype", [dtype for dtype in DTYPES if dtype.kind != "V"], ids=str)
def test_every_dtype(name, dtype):
    agree(name, array(2, 4, dtype=dtype), modes=("eager",))
    agree(name, array(2, 4, dtype=dtype), dtype=np.float32, modes=("eager",))


@pytest.mark.full
@BOTH
def test_shapes(name):
    for shape in ((4,), (1, 4), (4, 1), (), (0,), (0, 3), (3, 0), (2, 2, 2)):
        for rowvar in (True, False):
            agree(name, array(*shape), rowvar=rowvar, modes=("eager", "graph"))
    agree(name, X)


@pytest.mark.full
@BOTH
def test_two_arrays(name):
    agree(name, X, X[::-1] * 1j)
    agree(name, X[0], X[1], modes=("eager",))
    agree(name, X, X[0], modes=("eager",))
    agree(name, X, X[0], rowvar=False, modes=("eager",))
    agree(name, X, X.T, rowvar=False, modes=("eager",))


@pytest.mark.sample(6)
@pytest.mark.parametrize(
    "options",
    [
        {"bias": True},
        {"ddof": 0},
        {"ddof": 4},
        {"ddof": 1.5},
        {"fweights": COUNTS},
        {"aweights": WEIGHTS},
        {"aweights": WEIGHTS, "fweights": COUNTS},
        {"aweights": WEIGHTS, "fweights": COUNTS, "ddof": 0},
        {"fweights": -COUNTS},
        {"fweights": WEIGHTS},
        {"aweights": -WEIGHTS},
        {"aweights": WEIGHTS[:3]},
        {"fweights": COUNTS[None]},
    ],
    ids=str,
)
def test_options(options):
    agree("cov", X, modes=("eager", "graph"), **options)


def test_the_gradient_of_a_covariance():
    assert np.isfinite(gradient(tfnp.cov, X)[0]).all()


def test_unknown_dims():
    for name in ("cov", "corrcoef"):
        np.testing.assert_allclose(traced(getattr(tfnp, name), X), getattr(np, name)(X))
        np.testing.assert_allclose(traced(getattr(tfnp, name), X[0]), getattr(np, name)(X[0]))


def test_no_variables_are_float64():
    for dtype in (np.float32, np.complex128):
        agree("cov", np.zeros((0, 3), dtype))
        agree("corrcoef", np.zeros((1, 0), dtype), rowvar=False)
