"""Polynomials through points."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest

import tfnp
from tests.tfnp.agreement import agree, gradient, traced

X = np.array([0.0, 1.0, 1.5, 3.5, 4.0, 6.0])
Y = np.array([1.0, 3.0, -2.0, 0.5, 4.0, 2.0])
W = np.array([1.0, 2.0, 0.5, 1.0, 3.0, 1.0])


@pytest.mark.sample(3)
@pytest.mark.parametrize("degree", [0, 1, 3, 5, 7, -1, 1.5, "a"])
def test_degrees(degree):
    agree("polyfit", X, Y, degree, modes=("eager", "graph"))


@pytest.mark.parametrize("dtype", "bifdeFD")
def test_dtypes(dtype):
    agree("polyfit", X.astype(dtype), Y, 2, modes=("eager",))
    agree("polyfit", X, Y.astype(dtype), 2, modes=("eager",))


@pytest.mark.full
def test_in_xla():
    agree("polyfit", X, Y, 2, modes=("xla",))


@pytest.mark.sample(2)
@pytest.mark.parametrize(
    "options",
    [
        {"w": W},
        {"w": W[:3]},
        {"w": W[None]},
        {"full": True},
        {"full": True, "rcond": 0.3},
        {"cov": True},
        {"cov": "unscaled"},
        {"cov": True, "w": W},
    ],
    ids=str,
)
def test_options(options):
    agree("polyfit", X, Y, 2, modes=("eager", "graph"), **options)
    agree("polyfit", X, np.stack([Y, -2 * Y, Y**2], 1), 2, modes=("eager",), **options)


def test_points_that_do_not_determine_a_polynomial():
    for options in ({"full": True}, {}):
        agree("polyfit", X[:2], Y[:2], 2, modes=("eager", "graph"), **options)
    agree("polyfit", X[:2], Y[:2], 2, cov=True, modes=("eager",))
    agree("polyfit", X * 0 + 1, Y, 1, full=True, modes=("eager",))
    agree("polyfit", X * np.nan, Y, 1, modes=("eager",))


def test_wrong_shapes():
    for x, y in ((X, Y[:3]), (X[None], Y), (X[:0], Y[:0]), (X, Y[:, None, None]), (X, 3.0)):
        agree("polyfit", x, y, 1, modes=("eager",))


def test_the_gradient_of_a_fit():
    assert np.isfinite(gradient(lambda y: tfnp.polyfit(X, y, 2), Y)[0]).all()


def test_unknown_dims():
    np.testing.assert_allclose(traced(lambda x, y: tfnp.polyfit(x, y, 2), X, Y), np.polyfit(X, Y, 2))


def test_the_smallest_ratio_is_one_number():
    agree("polyfit", [0.0], [0.0], 0, (0, 0))


def test_a_ratio_that_is_none_is_the_rounding_error():
    agree("polyfit", [0.0], [1.0], 0, rcond=1.0)


@pytest.mark.full
def test_points_of_bfloat16_are_fitted_in_float32():
    x, y = np.arange(6).astype(ml_dtypes.bfloat16), np.array([0.5, 2, 3, 3.5, 7, 8], ml_dtypes.bfloat16)
    agree("polyfit", x, y, 1)
    agree("polyfit", x, y, 1, cov=True)
    agree("polyfit", x, y, 1, w=x + ml_dtypes.bfloat16(1))
    agree("polynomial.polynomial.polyfit", x, y, 1)
    agree("polynomial.chebyshev.chebfit", x, y, 1, w=x + ml_dtypes.bfloat16(1))
