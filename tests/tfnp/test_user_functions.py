"""Functions of the user's made into ufuncs: as NumPy's, but for the dtypes of what they give."""

from __future__ import annotations

import inspect
import math

import numpy as np
import pytest
import tensorflow as tf

import tfnp
from tests.tfnp.agreement import traced
from tfnp import frompyfunc

X = np.arange(1.0, 7.0).reshape(2, 3)
Y = np.arange(3.0)


def weigh(a, b):
    return a * 2 + b


OURS, THEIRS = frompyfunc(weigh, 2, 1), np.frompyfunc(weigh, 2, 1)


def test_attributes():
    for name in ("nin", "nout", "nargs", "ntypes", "types", "identity", "signature", "__name__", "__doc__"):
        assert getattr(OURS, name) == getattr(THEIRS, name)
    assert repr(OURS) == repr(THEIRS)
    assert isinstance(OURS, tfnp.ufunc)
    assert inspect.signature(frompyfunc).parameters.keys() == inspect.signature(np.frompyfunc).parameters.keys()


def test_calls():
    np.testing.assert_array_equal(OURS(X, Y), THEIRS(X, Y).astype(float))
    assert OURS(1, 2).dtype == tf.int64
    assert OURS(1, 2, dtype=np.float32).dtype == tf.float32
    assert OURS(tf.zeros((0, 3)), 1).shape == (0, 3)
    np.testing.assert_array_equal(OURS(X, Y, where=X > 2), np.where(X > 2, weigh(X, Y), 0))
    np.testing.assert_array_equal(frompyfunc(math.gcd, 2, 1)([4, 6], [6, 9]), [2, 3])


def test_several_results():
    quotient, rest = frompyfunc(lambda a, b: (a // b, a % b), 2, 2)(np.arange(5), 2)
    np.testing.assert_array_equal(quotient, np.arange(5) // 2)
    np.testing.assert_array_equal(rest, np.arange(5) % 2)
    with pytest.raises(ValueError, match="2 results"):
        frompyfunc(lambda a: (a, a, a), 1, 2)(Y)
    with pytest.raises(ValueError, match="scalars"):
        frompyfunc(lambda a: [a, a], 1, 1)(Y)


@pytest.mark.full
@pytest.mark.parametrize("jit_compile", [False, True])
def test_methods_in_every_mode(jit_compile):
    def calls(ufunc, x):
        return ufunc(x, x), ufunc.reduce(x), ufunc.accumulate(x, 1), ufunc.reduceat(x, [0, 1, 0], 1), ufunc.outer(x, x)

    expected = [value.astype(float) for value in calls(THEIRS, X)]
    for value, other in zip(calls(OURS, X), expected, strict=True):
        np.testing.assert_array_equal(value, other)
    compiled = tf.function(lambda x: calls(OURS, x), jit_compile=jit_compile)
    for value, other in zip(compiled(tf.constant(X)), expected, strict=True):
        np.testing.assert_array_equal(value, other)


def test_unknown_dims():
    np.testing.assert_array_equal(traced(OURS, X, Y), weigh(X, Y))


def test_control_flow_becomes_the_graphs():
    def halve(a):
        if a > 2:
            a = a / 2
        return a

    expected = np.where(X > 2, X / 2, X)
    np.testing.assert_array_equal(frompyfunc(halve, 1, 1)(X), expected)
    np.testing.assert_array_equal(tf.function(frompyfunc(halve, 1, 1))(tf.constant(X)), expected)


def test_at():
    variable, array = tf.Variable(Y), Y.astype(object)
    OURS.at(variable, [0, 0, 1], 2.0)
    THEIRS.at(array, [0, 0, 1], 2.0)
    np.testing.assert_array_equal(variable, array.astype(float))


def test_identity():
    ours, theirs = frompyfunc(weigh, 2, 1, identity=0), np.frompyfunc(weigh, 2, 1, identity=0)
    assert ours.identity == 0
    assert ours.reduce([]) == theirs.reduce([])
    assert ours.reduce(X, axis=None) == theirs.reduce(X, axis=None)
    with pytest.raises(ValueError, match="not reorderable"):
        OURS.reduce(X, axis=None)


def test_gradients():
    with tf.GradientTape() as tape:
        x = tf.constant(X)
        tape.watch(x)
        result = tf.reduce_sum(OURS(x, Y))
    np.testing.assert_array_equal(tape.gradient(result, x), np.full_like(X, 2))


def test_refusals():
    with pytest.raises(TypeError):
        OURS(1)
    with pytest.raises(TypeError):
        OURS(1, 2, signature="OO->O")
    with pytest.raises(TypeError):
        frompyfunc(3, 1, 1)
    with pytest.raises(TypeError):
        frompyfunc(weigh, 2, 1, bogus=3)
