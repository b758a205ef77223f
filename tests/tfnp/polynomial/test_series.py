"""Series as objects: operators and methods, beside NumPy's."""

from __future__ import annotations

import operator

import numpy as np
import pytest
import tensorflow as tf

import tfnp
from tests import tiers

KINDS = ("Polynomial", "Chebyshev", "Legendre", "Hermite", "HermiteE", "Laguerre")
A, B = [1.0, -2.0, 3.0, 0.5], [2.0, 1.0, 0.5]
each_kind = pytest.mark.parametrize("kind", KINDS)


def both(kind):
    return getattr(tfnp.polynomial, kind), getattr(np.polynomial, kind)


def same(own, numpys):
    if isinstance(numpys, tuple):
        for part, other in zip(own, numpys, strict=True):
            same(part, other)
        return
    if not hasattr(numpys, "coef"):
        np.testing.assert_allclose(own, numpys, rtol=1e-12)
        return
    assert type(own).__name__ == type(numpys).__name__
    for name in ("coef", "domain", "window"):
        np.testing.assert_allclose(getattr(own, name), getattr(numpys, name), rtol=1e-10, atol=1e-12)


@pytest.mark.sample(9)
@each_kind
@pytest.mark.parametrize("name", ["add", "sub", "mul", "floordiv", "mod"])
def test_operators(kind, name):
    operate = getattr(operator, name)
    own, numpys = both(kind)
    for other in (B, 2.5, np.array(B), (1, 2)):
        same(operate(own(A), other), operate(numpys(A), other))
        same(operate(other, own(A)), operate(other, numpys(A)))
    same(operate(own(A, [0, 2]), own(B, [0, 2])), operate(numpys(A, [0, 2]), numpys(B, [0, 2])))
    same(operate(tf.constant(B, tf.float64), own(A)), operate(B, numpys(A)))


@each_kind
def test_other_operators(kind):
    own, numpys = both(kind)
    same(own(A) ** 3, numpys(A) ** 3)
    same(divmod(own(A), own(B)), divmod(numpys(A), numpys(B)))
    same(own(A) / 2, numpys(A) / 2)
    same(-own(A), -numpys(A))
    same(own(A)(np.arange(3)), numpys(A)(np.arange(3)))
    assert own(A) == own(A)
    assert own(A) != own(B)
    assert own(A) != own(A, [0, 3])


@each_kind
def test_what_operators_refuse(kind):
    own, _ = both(kind)
    for operate in (lambda: own(A) + own(A, [0, 3]), lambda: own(A) + "a", lambda: 2 / own(A), lambda: own(A) / [2]):
        with pytest.raises(TypeError):
            operate()
    with pytest.raises(ZeroDivisionError):
        own(A) // 0
    with pytest.raises(ValueError, match="symbols differ"):
        own(A) * own(A, symbol="t")


@pytest.mark.sample(3)
@each_kind
def test_methods(kind):
    own, numpys = both(kind)
    for call in (
        lambda home: home(A).integ(2, [1, 2], lbnd=0.5),
        lambda home: home(A, [0, 2]).deriv(2),
        lambda home: home(A, [0, 2]).roots(),
        lambda home: home(A, [0, 2]).linspace(4),
        lambda home: home(A).cutdeg(1),
        lambda home: home([1, 2, 0]).trim(),
        lambda home: home.fit(np.arange(5.0), np.arange(5.0) ** 2, 2),
        lambda home: home.fit(np.ones(3), np.ones(3), 0, window=[0, 3]),
        lambda home: home.fromroots([1, 2, 3], domain=[0, 2]),
        lambda home: home.identity([0, 2]),
        lambda home: home.basis(3),
        lambda home: home(A, [0, 2]).mapparms(),
        lambda home: home(A, [0, 2]).convert(),
        lambda home: home.cast(home(B), domain=[0, 1]),
    ):
        same(call(own), call(numpys))


@pytest.mark.sample(1)
@each_kind
def test_conversion_to_every_other(kind):
    own, numpys = both(kind)
    for other in tiers.sample(KINDS, 3):
        mine, theirs = both(other)
        same(own(A, [0, 2]).convert(kind=mine), numpys(A, [0, 2]).convert(kind=theirs))


@each_kind
def test_writing(kind):
    own, numpys = both(kind)
    for write in (str, repr, lambda series: format(series, "ascii"), lambda series: series._repr_latex_()):
        assert write(own(A, [0, 2], symbol="t")) == write(numpys(A, [0, 2], symbol="t"))
    with pytest.raises(ValueError, match="Unsupported format"):
        format(own(A), "bogus")


def test_the_style_of_writing():
    tfnp.polynomial.set_default_printstyle("ascii")
    assert str(tfnp.polynomial.Chebyshev([1, 2])) == "1.0 + 2.0 T_1(x)"
    tfnp.polynomial.set_default_printstyle("unicode")
    assert str(tfnp.polynomial.Chebyshev([1, 2])) == "1.0 + 2.0·T₁(x)"
    with pytest.raises(ValueError, match="Unsupported"):
        tfnp.polynomial.set_default_printstyle("bogus")


def test_interpolation():
    own, numpys = (module.polynomial.Chebyshev.interpolate(np.exp, 4, [0, 2]) for module in (tfnp, np))
    same(own, numpys)


RESULTS = {
    "convert": lambda own, p, q: own(p.coef, domain=[0, 1]).convert(),
    "difference": lambda own, p, q: p - p,
    "cancelled": lambda own, p, q: p - own([0, 0, 0, 0.5]),
    "product": lambda own, p, q: p * q * 0,
    "quotient": lambda own, p, q: p // q,
    "rest": lambda own, p, q: p % q,
    "power": lambda own, p, q: (p - p) ** 2,
    "copied": lambda own, p, q: -((p - p).copy()),
    "derivative": lambda own, p, q: (p - p + q).deriv(),
    "integral": lambda own, p, q: (p - p + q).integ(),
    "cut": lambda own, p, q: (p - p + q).cutdeg(1),
    "given": lambda own, p, q: own(p.coef * 0),
    "trimmed": lambda own, p, q: own(p.coef * 0).trim(),
}


@pytest.mark.sample(5)
@pytest.mark.parametrize("kind", ["Polynomial", pytest.param("Chebyshev", marks=pytest.mark.full)])
@pytest.mark.parametrize("name", RESULTS)
def test_graphs_leave_out_zeros_after_the_last_coefficient(kind, name):
    own, numpys = both(kind)
    theirs = RESULTS[name](numpys, numpys(A), numpys(B))

    def calculate(a, b):
        result = RESULTS[name](own, own(a), own(b))
        return result.coef, result.degree(), result == own(theirs.coef, theirs.domain), result != own([5.0])

    for is_compiled in (False, True):
        coef, degree, is_same, differs = tf.function(calculate, jit_compile=is_compiled, autograph=False)(
            tf.constant(A, tf.float64), tf.constant(B, tf.float64)
        )
        padding = [0] * (len(coef) - len(theirs)) if is_compiled else []
        np.testing.assert_allclose(coef, [*theirs.coef, *padding], atol=1e-10)
        assert int(degree) == theirs.degree()
        assert bool(differs)
        assert bool(is_same) or not np.array_equal(coef[: len(theirs)], theirs.coef)


@pytest.mark.full
@pytest.mark.parametrize("kind", KINDS[:3])
def test_a_compiled_graph_knows_degrees(kind):
    own, numpys = both(kind)

    def combined(a, b):
        product, (quotient, rest) = own(a) * own(b), divmod(own(a), own(b))
        return product.coef, quotient.coef, rest.coef, own(a).integ().coef, (own(a) ** 2)(0.5)

    found = tf.function(combined, jit_compile=True, autograph=False)(
        tf.constant(A, tf.float64), tf.constant(B, tf.float64)
    )
    parts = divmod(numpys(A), numpys(B))
    expected = [numpys(A) * numpys(B), *parts, numpys(A).integ()]
    for mine, theirs in zip(found, expected, strict=False):
        np.testing.assert_allclose(mine, [*theirs.coef, *[0] * (len(mine) - len(theirs))], atol=1e-10)
    np.testing.assert_allclose(found[-1], (numpys(A) ** 2)(0.5))


def test_default_domains_are_known_while_tracing():
    @tf.function
    def cast(coef):
        return tfnp.polynomial.Laguerre.cast(tfnp.polynomial.Laguerre(coef)).coef

    np.testing.assert_array_equal(cast(tf.constant([1.0, 2.0])), [1.0, 2.0])
