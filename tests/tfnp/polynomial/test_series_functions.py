"""The functions of the six modules, beside NumPy's."""

from __future__ import annotations

import functools
from operator import attrgetter

import numpy as np
import pytest
import tensorflow as tf

import tfnp
from tests.tfnp.agreement import agree, array, gradient, take_gradient, traced

HOMES = {
    "polynomial.polynomial.poly": np.polynomial.polynomial,
    "polynomial.chebyshev.cheb": np.polynomial.chebyshev,
    "polynomial.legendre.leg": np.polynomial.legendre,
    "polynomial.hermite.herm": np.polynomial.hermite,
    "polynomial.hermite_e.herme": np.polynomial.hermite_e,
    "polynomial.laguerre.lag": np.polynomial.laguerre,
}
A, B = np.array([1.0, -2.0, 3.0, 0.5, 0.0]), np.array([2.0, 1.0, 0.5])
EAGER, DYNAMIC = ("eager",), ("eager", "graph")

each_basis = pytest.mark.parametrize("p", HOMES)
each_kind_of_division = pytest.mark.parametrize("p", list(HOMES)[:3])  # by powers, of two-sided series, by recurrence


@pytest.mark.full
def test_gradients_of_long_series():
    long = np.random.default_rng(1).normal(size=(140, 2))
    found = gradient(tfnp.polynomial.legendre.legval, array(3) / 10, long)
    np.testing.assert_allclose(found[1], gradient(tf.function(tfnp.polynomial.legendre.legval), array(3) / 10, long)[1])
    assert all(np.isfinite(part).all() for part in found)


@pytest.mark.sample(2)
@pytest.mark.parametrize("count", [1, 2, 7, 64, 300])
def test_many_roots_of_unknown_number_lose_nothing(count):
    roots = np.random.default_rng(count).uniform(-3, 3, count)
    expected = np.polynomial.polynomial.polyfromroots(roots)
    np.testing.assert_allclose(traced(tfnp.polynomial.polynomial.polyfromroots, roots), expected, 1e-11)


@pytest.mark.full
@each_basis
def test_roots_that_are_no_numbers(p):
    for roots in ([np.nan, np.nan], [np.inf, 1.0, 2.0]):
        agree(p + "fromroots", np.array(roots), modes=DYNAMIC)
        found = traced(attrgetter(p + "fromroots")(tfnp), np.array(roots))
        np.testing.assert_array_equal(found, attrgetter(p + "fromroots")(np)(roots))


@pytest.mark.parametrize("p", ["polynomial.polynomial.poly", "polynomial.chebyshev.cheb"])
def test_trailing_zeros_take_no_part_in_products(p):
    series = np.array([np.inf, 1.0, 0.0])
    agree(p + "mul", series, np.array([1.0, 2.0, 0.0]), modes=DYNAMIC)
    agree(p + "pow", series, 2, modes=DYNAMIC)
    agree(p + "mulx", np.zeros(2), modes=DYNAMIC)


@pytest.mark.parametrize("name", ["chebyshev.cheb2poly", "legendre.leg2poly", "hermite.herm2poly", "laguerre.lag2poly"])
def test_a_complex_infinity_stays_one_in_the_power_basis(name):
    agree("polynomial." + name, np.array([complex(0, np.inf)]), modes=DYNAMIC)


@pytest.mark.parametrize("p", ["polynomial.polynomial.poly", "polynomial.chebyshev.cheb"])
def test_a_power_keeps_the_zeros_to_which_it_underflows(p):
    agree(p + "pow", np.array([1e-200, 1e-300]), 3, modes=DYNAMIC)


def test_a_graph_knows_the_value_of_a_number():
    for name in ("poly", "cheb"):
        home = {"poly": "polynomial", "cheb": "chebyshev"}[name]
        agree(f"polynomial.{home}.{name}div", A, 0, modes=("graph",))


def test_subnormal_coefficients_are_zeros_in_every_mode():
    tiny = tf.constant([1.0, 6e-39])
    for call in (lambda c: tfnp.polynomial.hermite.hermpow(c, 2), tfnp.polynomial.chebyshev.chebtrim):
        for function in (call, tf.function(call)):
            np.testing.assert_array_equal(function(tiny), [1.0])
    with pytest.raises(ZeroDivisionError):
        tfnp.polynomial.polynomial.polydiv([1.0], tf.constant([6e-39]))
    quotient, remainder = tfnp.polynomial.laguerre.lagdiv(0.0, tf.constant([1.0, 0.0, 6e-39]))
    assert quotient.numpy().tolist() == remainder.numpy().tolist() == [0.0]
    agree("polynomial.chebyshev.chebtrim", np.array([1.0, 6e-5, 6e-8], np.float16), modes=DYNAMIC)  # which are exact


@pytest.mark.parametrize("is_graph", [False, True])
def test_the_gradient_of_a_coefficient_of_zero(is_graph):
    def differentiate(c):
        return take_gradient(tfnp.polynomial.chebyshev.chebtrim, c)

    function = tf.function(differentiate, autograph=False) if is_graph else differentiate
    assert function(tf.zeros(1, tf.float64)).numpy().tolist() == [1.0]
    agree("polynomial.chebyshev.chebtrim", np.array([-0.0]), modes=DYNAMIC)


def test_trimming_says_what_xla_needs():
    agree("polynomial.chebyshev.chebtrim", 0.0, modes=("xla",))
    for name in ("chebtrim", "chebadd", "chebmul"):
        function = getattr(tfnp.polynomial.chebyshev, name)
        series = [tf.ones(2)] * (1 if name == "chebtrim" else 2)
        with pytest.raises(TypeError, match="pass size="):
            tf.function(function, jit_compile=True, autograph=False)(*series)
        sized = tf.function(functools.partial(function, size=4), jit_compile=True, autograph=False)
        assert sized(*series).shape == (4,)


@pytest.mark.full
@each_kind_of_division
def test_a_size_makes_series_fit_for_xla(p):
    home = attrgetter(p.rpartition(".")[0])(tfnp)
    prefix = p.rpartition(".")[2]
    multiply, divide = getattr(home, prefix + "mul"), getattr(home, prefix + "div")
    function = tf.function(lambda a, b: (multiply(a, b, size=8), divide(a, b, size=4)), jit_compile=True)
    product, parts = function(A, B)
    theirs = HOMES[p]
    expected = getattr(theirs, prefix + "mul")(A, B)
    np.testing.assert_allclose(product, [*expected, *[0] * (8 - len(expected))], atol=1e-12)
    for own, other in zip(parts, getattr(theirs, prefix + "div")(A, B), strict=True):
        np.testing.assert_allclose(own, [*other, *[0] * (4 - len(other))], atol=1e-12)


@pytest.mark.sample(5)
@each_basis
def test_gradients(p):
    home = attrgetter(p.rpartition(".")[0])(tfnp)
    prefix = p.rpartition(".")[2]
    for name, arrays in (("val", (B, A)), ("mul", (A, B)), ("der", (A,)), ("fromroots", (B,))):
        assert all(np.isfinite(part).all() for part in gradient(getattr(home, prefix + name), *arrays))


@pytest.mark.parametrize("mode", ["legacy", "off", "all", "safe"])
def test_single_precision_where_it_is_preferred(mode):
    home, whole, single = tfnp.polynomial.legendre, np.array([2, 5, 0, 2]), np.array([0.5, 1, 2], np.float32)
    with tfnp.numpy_behavior(prefer_float32=True, dtype_conversion_mode=mode):
        results = [home.legvander2d(whole, whole, [1, 2]), home.legvander3d([1], [2], [3], [1, 2, 1])]
        results += [*home.legdiv(single, single[:2]), *home.legdiv([2, 5, 0, 2], [1, 3])]
        results.append(tfnp.polynomial.chebyshev.chebinterpolate(tfnp.exp, 3))
    assert {result.dtype for result in results} == {tf.float32}


@pytest.mark.parametrize("mode", ["off", "all", "safe"])
def test_other_modes_of_promotion(mode):
    """Numbers of one dtype meet no others but those that a function makes itself."""
    c, x = np.array([1.0, 2.0, 4.0]), np.array([0.0, 1, 2, 3.5])
    hermite, fit = np.polynomial.Hermite(c), np.polynomial.hermite.hermfit(x, x * x, 2)
    with tfnp.numpy_behavior(dtype_conversion_mode=mode):
        found = tfnp.polynomial.Hermite(c).convert(kind=tfnp.polynomial.Legendre)
        np.testing.assert_allclose(found.coef, hermite.convert(kind=np.polynomial.Legendre).coef)
        complexes = tfnp.polynomial.Hermite(1j * c)
        np.testing.assert_allclose(complexes.deriv().coef, 1j * hermite.deriv().coef)
        np.testing.assert_allclose(tfnp.sort(complexes.roots()), np.sort((1j * hermite).roots()))
        np.testing.assert_allclose(tfnp.polynomial.hermite.hermfit(x, x * x, 2), fit, 1e-9, 1e-9)
        np.testing.assert_allclose(tfnp.polyfit(x, x * x, 2), np.polyfit(x, x * x, 2), 1e-9, 1e-9)
        np.testing.assert_array_equal(tfnp.vander(c), np.vander(c))


def test_domains_go_with_coefficients_of_any_dtype_where_no_dtypes_meet():
    c = np.array([1 + 2j, 3, 1j])
    twin = np.polynomial.Legendre(c, [0, 1])
    with tfnp.numpy_behavior(dtype_conversion_mode="off"):
        series = tfnp.polynomial.Legendre(c, [0, 1])
        x, y = series.linspace(3)
        np.testing.assert_allclose(x, twin.linspace(3)[0])
        np.testing.assert_allclose(y, twin.linspace(3)[1])
        np.testing.assert_allclose(series.deriv().coef, twin.deriv().coef)
        np.testing.assert_allclose(tfnp.sort(series.roots()), np.sort(twin.roots()))
        found = tfnp.polynomial.Legendre.fromroots(c, domain=[0, 1])
        np.testing.assert_allclose(found.coef, np.polynomial.Legendre.fromroots(c, domain=[0, 1]).coef)
        fitted = tfnp.polynomial.Legendre.fit(c, c, 1, domain=[0, 4])
        np.testing.assert_allclose(fitted.coef, np.polynomial.Legendre.fit(c, c, 1, domain=[0, 4]).coef, atol=1e-12)
        single = tfnp.polynomial.Legendre(np.ones(3, np.float32))
        assert {part.dtype for part in single.linspace(3)} == {tf.float32}


@pytest.mark.parametrize("count", [3, 8])
def test_roots_of_long_series_are_traced_once(count):
    """A branch for each degree would take seconds to trace."""
    function = tf.function(tfnp.polynomial.chebyshev.chebroots, [tf.TensorSpec([count], tf.float64)], autograph=False)
    graph = function.get_concrete_function().graph.as_graph_def()
    nodes = [*graph.node, *(node for one in graph.library.function for node in one.node_def)]
    assert any(node.op in ("Case", "StatelessCase") for node in nodes) is (count == 3)
    c = np.arange(1.0, count + 1)
    np.testing.assert_allclose(function(c), np.polynomial.chebyshev.chebroots(c), rtol=1e-9)


SHAPES_OF_SERIES = [((), ()), ((2,), ()), ((4,), (2, 4)), ((2, 4), (3, 4)), ((4,), (3, 2, 4)), ((2, 0), (1, 1))]


@pytest.mark.parametrize("jit_compile", [False, True])
def test_points_are_broadcast_against_series_of_unknown_rank(jit_compile):
    """In one graph: a branch for each pair of ranks would take seconds to trace."""
    specs = [tf.TensorSpec(None, tf.float64)] * 2
    evaluate = tfnp.polynomial.hermite.hermval
    function = tf.function(lambda x, c: evaluate(x, c, False), specs, autograph=False, jit_compile=jit_compile)
    assert len(function.get_concrete_function().graph.as_graph_def().node) < 400
    for x, c in SHAPES_OF_SERIES:
        point, series = np.arange(1.0, np.prod(x) + 1).reshape(x), np.arange(1.0, np.prod(c) + 1).reshape(c)
        expected = np.polynomial.hermite.hermval(point, series, False)
        np.testing.assert_allclose(function(point, series), expected, rtol=1e-12)


@pytest.mark.parametrize("count", [1, 2, 3, 5])
def test_short_series_of_unknown_length_are_compiled(count):
    specs = [tf.TensorSpec([None], tf.float64)] * 2
    function = tf.function(tfnp.polynomial.legendre.legval, specs, autograph=False, jit_compile=True)
    x, c = np.array([0.5, -2.0]), np.arange(1.0, count + 1)
    np.testing.assert_allclose(function(x, c), np.polynomial.legendre.legval(x, c), rtol=1e-12)
