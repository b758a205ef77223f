"""Polynomials as objects: everything they can do, beside NumPy's."""

from __future__ import annotations

import operator

import numpy as np
import pytest
import tensorflow as tf

import tfnp

P, Q = [0, 1, 2, -3], [2.0, 0.5]


def plain(value):
    if isinstance(value, tuple):
        return [plain(part) for part in value]
    return np.asarray(getattr(value, "coeffs", value))


def same(own, numpys):
    np.testing.assert_allclose(plain(own), plain(numpys))
    assert isinstance(own, tfnp.poly1d) == isinstance(numpys, np.poly1d)


@pytest.mark.parametrize("name", ["add", "sub", "mul"])
def test_operators(name):
    operate = getattr(operator, name)
    for other in (Q, 3, 2.5):
        same(operate(tfnp.poly1d(P), other), operate(np.poly1d(P), other))
        same(operate(other, tfnp.poly1d(P)), operate(other, np.poly1d(P)))
    same(operate(tfnp.poly1d(P), tfnp.poly1d(Q)), operate(np.poly1d(P), np.poly1d(Q)))


def test_division():
    own, numpys = tfnp.poly1d(P) / tfnp.poly1d(Q), np.poly1d(P) / np.poly1d(Q)
    for part, other in zip(own, numpys, strict=True):
        same(part, other)
    same(tfnp.poly1d(P) / 2, np.poly1d(P) / 2)


@pytest.mark.parametrize("make", [tfnp.poly1d, np.poly1d])
def test_inspection(make):
    p = make(P)
    assert (p.order, p.o, len(p), p.variable) == (2, 2, 2, "x")
    assert repr(p) == "poly1d([ 1,  2, -3])"
    assert str(make([1, 2, 3], variable="z")) == "   2\n1 z + 2 z + 3"
    assert [int(p[power]) for power in (0, 1, 2, 3, -1)] == [-3, 2, 1, 0, 0]
    assert bool(p == make(P[1:]))
    assert bool(p != make(Q))
    assert p != 3


def test_calculus_roots_values():
    own, numpys = tfnp.poly1d(P), np.poly1d(P)
    same(own.integ(2, [1, 2]), numpys.integ(2, [1, 2]))
    same(own.deriv(), numpys.deriv())
    same(own**3, numpys**3)
    same(-own, -numpys)
    same(own(np.arange(3.0)), numpys(np.arange(3.0)))
    same(own(own), numpys(numpys))
    same(np.sort(own.roots), np.sort(numpys.roots))
    same(tfnp.poly1d([1, 2], True), np.poly1d([1, 2], True))


def test_functions_of_objects_return_objects():
    own, numpys = tfnp.poly1d(P), np.poly1d(P)
    for name in ("polyadd", "polysub", "polymul"):
        same(getattr(tfnp, name)(own, Q), getattr(np, name)(numpys, Q))
    same(tfnp.polyder(own), np.polyder(numpys))
    same(tfnp.polyval(own, 2), np.polyval(numpys, 2))


def test_an_item_is_exchanged():
    own, numpys = tfnp.poly1d(P), np.poly1d(P)
    for p in (own, numpys):
        p[4] = 7
        p[0] = 5
    same(own, numpys)
    with pytest.raises(ValueError, match="negative powers"):
        own[-1] = 3


def test_invalid_polynomials():
    with pytest.raises(ValueError, match="1d only"):
        tfnp.poly1d(np.ones((2, 2)))
    with pytest.raises(ValueError, match="non-negative"):
        tfnp.poly1d(P) ** -1


def test_a_graph_keeps_zeros_before_the_first_coefficient():
    compiled = tf.function(lambda c: (tfnp.poly1d(c) * tfnp.poly1d(c)).coeffs, jit_compile=True, autograph=False)
    assert compiled(tf.constant([0.0, 1.0, 2.0])).numpy().tolist() == [0, 0, 1, 4, 4]


@pytest.mark.parametrize("jit_compile", [None, True])
def test_a_poly1d_is_an_array_of_its_coefficients_in_graphs(jit_compile):
    """Where its coefficients are known only when the graph runs NumPy cannot convert it."""

    def call(numpy, coefficients):
        p = numpy.poly1d(coefficients)
        return numpy.atleast_1d(p), numpy.add(p, 1.0), numpy.concatenate([p, p]), numpy.sum(p), numpy.asarray(p)

    compiled = tf.function(lambda coefficients: call(tfnp, coefficients), jit_compile=jit_compile, autograph=False)
    for found, expected in zip(compiled(tf.constant([1.0, 2.0, -3.0])), call(np, [1.0, 2.0, -3.0]), strict=True):
        assert np.array_equal(found, expected)
