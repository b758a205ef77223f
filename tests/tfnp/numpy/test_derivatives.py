"""`np.grad` and `np.value_and_grad` against differences, in eager mode and compiled; what they refuse."""

from __future__ import annotations

import numpy
import pytest
import tensorflow as tf

import tfnp.numpy as np

N = 9


def smooth(x, weights):
    """Write to the argument through views, in a loop, and to a new array."""
    inner = x[1:-1]
    inner[...] = (x[:-2] + x[2:]) * 0.5
    y = np.zeros_like(x)
    for i in range(1, N):
        y[i] = y[i - 1] * 0.5 + np.sin(x[i]) * weights[i]
    return (y * y).sum()


def find_slope(function, x, direction, step=1e-6):
    ends = [float(function(numpy.array(x + sign * step * direction))) for sign in (1, -1)]
    return (ends[0] - ends[1]) / (2 * step)


WAYS = (
    np.grad,
    lambda f: np.jit(np.grad(f)),
    pytest.param(lambda f: np.grad(np.jit(f)), marks=pytest.mark.full),
    pytest.param(lambda f: tf.function(np.grad(f)), marks=pytest.mark.full),
)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.filterwarnings("error::tfnp.numpy.NotCompiledWarning")
def test_gradients_agree_with_differences_and_leave_arguments_alone(way):
    x, weights, direction = numpy.linspace(-1, 1, N), numpy.arange(float(N)), numpy.cos(numpy.arange(N))
    expected = find_slope(lambda x: smooth(x, weights), x, direction)
    given = np.array(x)
    gradient = way(smooth)(given, np.array(weights))
    assert isinstance(gradient, np.ndarray)
    numpy.testing.assert_allclose((numpy.asarray(gradient) * direction).sum(), expected, rtol=1e-6)
    numpy.testing.assert_array_equal(given, x)


@pytest.mark.filterwarnings("error::tfnp.numpy.NotCompiledWarning")
def test_second_derivatives_agree_with_differences():
    x, weights, direction = numpy.linspace(-1, 1, N), numpy.arange(float(N)), numpy.cos(numpy.arange(N))
    slope = np.grad(smooth)

    def along(x):
        return (slope(x, np.array(weights)) * np.array(direction)).sum()

    expected = find_slope(lambda x: along(np.array(x)), x, direction, 1e-5)
    for differentiate in (np.grad(along), np.jit(np.grad(along))):
        product = (numpy.asarray(differentiate(np.array(x))) * direction).sum()
        numpy.testing.assert_allclose(product, expected, rtol=1e-5)
    cube = np.grad(np.grad(lambda x: x**3))
    assert [cube(2.0), np.jit(cube)(2.0), np.grad(cube)(2.0)] == [12.0, 12.0, 6.0]
    assert np.grad(lambda x: np.grad(lambda y: x * y)(x))(3.0) == 1.0  # the inner one is that of y alone


def test_gradients_have_the_structure_and_dtypes_of_arguments():
    def loss(parameters, x, *, power):
        parameters["w"] *= 2
        return ((parameters["w"] * x) ** power).sum() + parameters["b"][0] * 3.0, parameters["w"]

    parameters = {"w": np.ones((2, 3), np.float32), "b": [1.5]}
    call = np.value_and_grad(loss, has_aux=True)
    (value, doubled), gradient = call(parameters, np.arange(3, dtype=np.float32), power=2)
    assert type(value) is numpy.float32
    assert value == 44.5
    numpy.testing.assert_array_equal(doubled, numpy.full((2, 3), 2.0))
    numpy.testing.assert_array_equal(gradient["w"], numpy.full((2, 3), [0.0, 8.0, 32.0]))
    assert gradient["w"].dtype == np.float32
    assert [type(gradient["b"][0]), gradient["b"][0]] == [numpy.float64, 3.0]
    numpy.testing.assert_array_equal(parameters["w"], numpy.ones((2, 3)))


def test_several_arguments_of_every_kind():
    def weigh(x, y, z):
        return (x * y).sum() * z

    arguments = numpy.arange(2.0), tf.constant([3.0, 4.0], tf.float64), 2.0
    value, (last, first) = np.value_and_grad(weigh, argnums=(-1, 0))(*arguments)
    assert [value, last] == [8.0, 4.0]
    numpy.testing.assert_array_equal(first, [6.0, 8.0])
    second = np.grad(weigh, 1)(np.arange(2.0), tf.Variable([3.0, 4.0], dtype=tf.float64), np.float64(2))
    numpy.testing.assert_array_equal(second, [0.0, 2.0])
    numpy.testing.assert_array_equal(np.grad(lambda x: 3.0)(np.ones(2)), [0.0, 0.0])
    assert np.grad(lambda z: abs(z) ** 2)(1 + 2j) == 2 + 4j
    assert np.grad(lambda x: (x * np.float32(2)).sum())(2.0) == 2.0


def test_other_arguments_are_passed_as_they_are():
    def fill(x, out):
        out[...] = x * 2
        return out.sum()

    out = np.zeros(3)
    numpy.testing.assert_array_equal(np.grad(fill)(np.ones(3), out), [2, 2, 2])
    numpy.testing.assert_array_equal(out, [2, 2, 2])


def first(x, n):
    return x[0] * n


REFUSED = (
    (lambda: np.grad(first, 1)(np.ones(3), 2), TypeError, "argument 1 'n' of first .* contains int:"),
    (lambda: np.grad(first)(np.arange(3), 2), TypeError, "argument 0 'x' of first .* contains int64:"),
    (lambda: np.grad(first)([np.ones(2), "a"], 2), TypeError, "argument 0 'x' of first .* contains str:"),
    (lambda: np.grad(first, 2)(np.ones(3), 2), ValueError, "argnums=2 is out of range: first got 2 positional"),
    (lambda: np.grad(first, (0, -2))(np.ones(3), 2), ValueError, "argnums has an argument twice"),
    (lambda: np.grad(first, 0.5), TypeError, "cannot be interpreted as an integer"),
    (lambda: np.grad(np.ones(3)), TypeError, "grad takes a function, not ndarray"),
    (lambda: np.grad(lambda x: x)(np.ones(3)), ValueError, r"one number .* not an array of shape \(3,\)"),
    (lambda: np.grad(lambda x: (x, x))(np.ones(3)), TypeError, "has to return a number .* not a tuple"),
    (lambda: np.grad(lambda x: None)(np.ones(3)), TypeError, "has to return a number .* not None"),
    (lambda: np.grad(lambda x: x[0] + 0j)(np.ones(3)), TypeError, "real floating number .* not complex128"),
    (lambda: np.grad(lambda x: x[0].astype(int))(np.ones(3)), TypeError, "real floating number .* not int64"),
    (lambda: np.value_and_grad(first, has_aux=True)(np.ones(3), 2), TypeError, r"a pair \(value, aux\)"),
)


def test_errors_name_the_argument_and_the_result():
    for call, cls, message in REFUSED:
        with pytest.raises(cls, match=message):
            call()


def test_a_gradient_that_is_lost_is_not_silent():
    with pytest.warns(UserWarning, match="loses the gradient"):
        assert np.grad(lambda x: float(x) * 2)(1.5) == 0


def test_methods_and_names():
    class Model:
        factor = 3.0

        @np.jit
        def slope(self, x):
            return np.grad(self.loss)(x)

        def loss(self, x):
            return (x * self.factor).sum()

    numpy.testing.assert_array_equal(Model().slope(np.ones(2)), [3, 3])
    assert np.grad(smooth).__name__ == "smooth"


def converge(x):
    y, n = x.copy(), 0
    while np.sum(abs(y)) > 0.1 and n < 30:
        y = y * 0.5 * np.cos(y)
        n += 1
    for i in range(1, N):
        y[i] += y[i - 1] * x[i]
    return np.sum(y * x)


def slope_along(function, x):
    """Return the second derivatives along a direction, by tapes outside of the function."""
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            value = function(x)
        along = np.sum(inner.gradient(value, x) * np.arange(1.0 * N))
    return outer.gradient(along, x)


def along(x):
    return (np.grad(converge)(x) * np.arange(1.0 * N)).sum()


@pytest.mark.full
@pytest.mark.filterwarnings("error::tfnp.numpy.NotCompiledWarning")
def test_second_derivatives_from_outside_of_a_compiled_loop():
    x = np.array(numpy.linspace(0, 1, N))
    expected = slope_along(converge, x)
    numpy.testing.assert_allclose(slope_along(tf.function(converge), x), expected, rtol=1e-12)
    numpy.testing.assert_allclose(slope_along(np.jit(converge), x), expected, rtol=1e-12)
    numpy.testing.assert_allclose(np.grad(np.jit(along))(x), expected, rtol=1e-12)
    with pytest.raises(TypeError, match="no second derivative where a tape outside"):
        slope_along(tf.function(converge, jit_compile=True), x)
    with pytest.raises(TypeError, match="no second derivative where a tape outside"):
        np.grad(tf.function(along, jit_compile=True))(x)


def test_compiled_gradients_of_complex_powers_are_those_of_eager_mode():
    def total(x, y):
        z = np.emath.power(x, y)
        return (z.real + 2 * z.imag).sum()

    x, y = np.array([1.5, -2.0, 0.0, 0.0, 3.0, -7.5]), np.array([0.5, 2.0, 2.0, 1.0, -3.0, -2.0])
    slopes = np.grad(total, (0, 1))
    for compiled, eager in zip(np.jit(slopes)(x, y), slopes(x, y), strict=True):
        numpy.testing.assert_allclose(compiled, eager, rtol=1e-12, atol=1e-14)


def test_determinants_of_singular_matrices_have_second_derivatives_under_xla():
    def norm_of_cofactors(a):
        return (np.grad(np.linalg.det)(a) ** 2).sum()

    matrix = numpy.array([[2.0, 1.0, 0.5], [1.0, 3.0, 0.25], [3.0, 4.0, 0.75]])  # the last row is the sum of the others
    direction = numpy.cos(numpy.arange(9.0)).reshape(3, 3)

    def sum_of_squares(a):
        minors = [numpy.delete(numpy.delete(a, i, 0), j, 1) for i in range(3) for j in range(3)]
        return sum(numpy.linalg.det(minor) ** 2 for minor in minors)

    second = numpy.asarray(np.jit(np.grad(norm_of_cofactors))(np.array(matrix)))
    numpy.testing.assert_allclose((second * direction).sum(), find_slope(sum_of_squares, matrix, direction), rtol=1e-6)
