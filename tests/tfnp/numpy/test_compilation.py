"""`tfnp.numpy.jit`: results, writes to arguments, and what runs in eager mode."""

from __future__ import annotations

import warnings

import numpy
import pytest
import tensorflow as tf

import tfnp.numpy as np

N = 12


def update(x, y, scale=2, *, options=None):
    for i in range(N):
        x[i] += y[0] * i
    y[1:] = scale
    return x, x[2:4], y.sum(), scale, None, {"double": x * 2}


def test_a_compiled_program_returns_and_writes_what_the_program_does():
    compiled = np.jit(update)
    x, y = np.arange(float(N)), np.ones(3)
    expected_x, expected_y = numpy.arange(float(N)), numpy.ones(3)
    view = x[3:]
    for scale in (2, 2, 3):
        result, expected = compiled(x, y, scale, options={"a": 1}), update(expected_x, expected_y, scale)
        assert result[0] is x
        assert np.shares_memory(result[1], x)
        assert type(result[2]) is numpy.float64
        assert result[3:5] == (scale, None)
        actual = x, y, view, *result[:3], result[5]["double"]
        wanted = expected_x, expected_y, expected_x[3:], *expected[:3], expected[5]["double"]
        for one, other in zip(actual, wanted, strict=True):
            numpy.testing.assert_allclose(one, other)


def test_arguments_that_share_elements_do_in_the_program():
    @np.jit
    def write(x, y):
        x[0] = 7
        return y + 1

    x = np.zeros(4)
    numpy.testing.assert_array_equal(write(x, x[:2]), [8, 1])
    numpy.testing.assert_array_equal(x, [7, 0, 0, 0])


def test_numpys_own_arrays_are_written_to():
    x, y = numpy.arange(float(N)), numpy.ones(3)
    expected = update(x.copy(), y.copy())[0]
    np.jit(update)(x, y)
    numpy.testing.assert_allclose(x, expected)
    numpy.testing.assert_array_equal(y, [1, 2, 2])


def test_what_cannot_be_compiled_runs_eagerly_and_says_so_once():
    @np.jit
    def select(x):
        x[0] = 9
        return x[x > 1]

    x = np.arange(4.0)
    with pytest.warns(np.NotCompiledWarning, match="select runs in eager mode: .*depends on values"):
        numpy.testing.assert_array_equal(select(x), [9, 2, 3])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        numpy.testing.assert_array_equal(select(x), [9, 2, 3])


def test_errors_of_the_program_are_raised():
    @np.jit
    def fail(x):
        raise KeyError("name")

    with pytest.raises(KeyError, match="name"):
        fail(np.ones(3))


def test_gradients_of_compiled_programs():
    @np.jit
    def accumulate(x):
        for i in range(1, N):
            x[i] += x[i - 1] * 0.5
        return (x**2).sum()

    @np.jit
    def differentiate(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x.copy()
            for i in range(1, N):
                y[i] += y[i - 1] * 0.5
            loss = (y**2).sum()
        return tape.gradient(loss, x)

    matrix = numpy.array([[0.5 ** (i - j) if i >= j else 0 for j in range(N)] for i in range(N)])
    x = np.arange(float(N))
    expected = 2 * matrix.T @ matrix @ numpy.arange(float(N))
    numpy.testing.assert_allclose(differentiate(x), expected)
    with tf.GradientTape() as tape:
        tape.watch(x)
        loss = accumulate(x)
    numpy.testing.assert_allclose(tape.gradient(loss, x), expected)


def test_methods_and_calls_inside_of_graphs():
    class Model:
        factor = 3.0

        @np.jit
        def scale(self, x):
            x *= self.factor

    x = np.ones(2)
    Model().scale(x)
    numpy.testing.assert_array_equal(x, [3, 3])
    twice = np.jit(lambda x: np.jit(numpy_double)(x) + 1)
    numpy.testing.assert_array_equal(twice(np.ones(2)), [3, 3])


def numpy_double(x):
    return x * 2


def test_the_reason_is_the_message_and_not_the_end_of_it():
    def count_steps(x):
        count = 0
        while x != 1:
            x = x // 2 if x % 2 == 0 else 3 * x + 1
            count = count + 1
        return count

    with pytest.warns(
        np.NotCompiledWarning,
        match="count_steps runs in eager mode: TypeError: 'x' does not have the same nested structure",
    ):
        assert np.jit(count_steps)(np.array(6)) == 8
