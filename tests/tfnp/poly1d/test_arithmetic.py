"""Polynomials by their coefficients."""

from __future__ import annotations

import numpy as np
import pytest
import tensorflow as tf

import tfnp
from tests.tfnp.agreement import agree, array, traced

P, Q = np.array([2.0, 0.0, -1.0, 3.0]), np.array([0.0, 4.0, 5.0])


def test_remainders_of_several_axes():
    planes = (
        np.zeros((1, 2)),
        np.ones((1, 2)),
        np.zeros((2, 1)),
        np.zeros((3, 0)),
        np.eye(2)[::-1] / 1e9,
        array(2, 1, 2),
    )
    for u in (*planes, P):
        for v in (*planes, P):
            agree("polydiv", u, v, modes=("eager",))


@pytest.mark.full
@pytest.mark.filterwarnings("ignore:.*encountered:RuntimeWarning")
def test_dynamic_lengths_of_quotients():
    for u, v in ((P, Q[1:]), (Q[1:], P), (np.array(0.0), np.zeros(1)), (P, np.zeros(2)), (np.arange(40.0), Q[1:])):
        for rank in (True, False):
            for result, expected in zip(traced(tfnp.polydiv, u, v, rank=rank), np.polydiv(u, v), strict=True):
                np.testing.assert_allclose(result, expected, 1e-12)


def test_a_size_makes_polynomials_fit_for_xla():
    compiled = tf.function(lambda p, q: tfnp.polymul(p, q, size=7), jit_compile=True)
    assert compiled(P, Q).numpy().tolist() == [0, 0, *np.convolve(P, Q[1:])]
    quotient, rest = tf.function(lambda p, q: tfnp.polydiv(p, q, size=2), jit_compile=True)(P, Q[1:])
    np.testing.assert_allclose(quotient, np.polydiv(P, Q[1:])[0])
    np.testing.assert_allclose(rest, [0, *np.polydiv(P, Q[1:])[1]])


MODULES = {"polynomial": "poly", "chebyshev": "cheb", "legendre": "leg", "hermite": "herm", "hermite_e": "herme"}
MODULES |= {"laguerre": "lag"}


@pytest.mark.full
@pytest.mark.parametrize(("home", "count"), [("laguerre", 1), *((home, 4) for home in MODULES)])
def test_dynamic_lengths_of_series(home, count):
    prefix, rng = MODULES[home], np.random.default_rng(count)
    c, d, plane, x = rng.normal(size=count), rng.normal(size=2), rng.normal(size=(count, 2)), rng.normal(size=3)
    ours, numpys = getattr(tfnp.polynomial, home), getattr(np.polynomial, home)
    calls = {"add": (c, d), "mul": (c, d), "div": (c, np.append(d, 0)), "der": (plane,), "int": (plane,)}
    for name, arrays in (calls | {"val": (x, plane), "roots": (c,), "fromroots": (c,)}).items():
        expected = getattr(numpys, prefix + name)(*arrays)
        result = traced(getattr(ours, prefix + name), *arrays)
        parts = zip(expected, result, strict=True) if name == "div" else [(expected, result)]
        for one, other in parts:
            np.testing.assert_allclose(other, one, 1e-9, 1e-9, err_msg=name)
    if home != "polynomial":
        for name in (f"{prefix}2poly", f"poly2{prefix}"):
            np.testing.assert_allclose(traced(getattr(ours, name), c), getattr(numpys, name)(c), 1e-9, 1e-9)


@pytest.mark.full
def test_a_series_of_unknown_rank():
    result = traced(tfnp.polynomial.hermite.hermmul, np.array(2.0), np.array([1.0, 3]), rank=False)
    np.testing.assert_allclose(result, np.polynomial.hermite.hermmul(2.0, [1.0, 3]))


def test_subnormal_leading_coefficients_are_zeros_in_every_mode():
    tiny = tf.constant([1.1e-308, 2.0], tf.float64)
    for call in (tfnp.polymul, tf.function(tfnp.polymul)):
        np.testing.assert_array_equal(call(tiny, tf.constant(3.0, tf.float64)), [6.0])
