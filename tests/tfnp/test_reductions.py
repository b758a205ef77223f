"""Sums, products, extremes, truths: along axes, with every option, in every mode."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest
import tensorflow as tf

import tfnp
from tests.tfnp.agreement import agree, array

NAN = np.array([[1.0, np.nan, 3.0], [-np.inf, 5.0, 2.0]], np.float32)


@pytest.mark.full
def test_nan_is_the_maximum_and_minimum_in_every_mode():
    for name in ("max", "min", "ptp"):
        for axis in (None, 0, 1):
            agree(name, NAN, axis)
    agree("max", np.array([1, 2 + 1j, complex(np.nan, 1), 3]))
    agree("min", np.array([[1, 2 + 1j, 2 - 1j], [0, 1j, -1j]]), 1)


def test_half_precision_is_summed_in_float32():
    values = np.full(3000, 0.1, np.float16)
    assert tfnp.sum(values).dtype == tf.float16
    assert abs(float(tfnp.sum(values)) - float(values.astype(np.float64).sum())) < 0.2


def test_many_axes():
    deep = array(*(2,) * 10)
    for name in ("sum", "max", "all"):
        agree(name, deep, (0, 3, 5, 9), modes=("eager", "graph"))
        agree(name, deep, -1, modes=("eager", "graph"))


def test_out_must_be_a_variable():
    with pytest.raises(TypeError, match=r"tf\.Variable"):
        tfnp.sum(tf.ones(3), out=tf.zeros(()))
    out = tf.Variable(0.0)
    assert tfnp.sum(tf.ones(3), out=out) is out
    assert out.numpy() == 3


def test_prefer_float32_changes_no_sum_of_integers():
    assert tfnp.sum(np.ones(3, np.int8)).dtype == tf.int64


@pytest.mark.full
@pytest.mark.parametrize("dtype", [np.float16, ml_dtypes.bfloat16], ids=str)
def test_an_initial_value_of_half_precision_is_added_before_rounding(dtype):
    rows = (np.random.default_rng(0).normal(size=(8, 40)) * 10).astype(dtype)
    for name, initial in (("sum", 2), ("sum", 7.7), ("nansum", 2.3), ("add.reduce", 7.7)):
        agree(name, rows, axis=1, initial=initial)
    agree("prod", rows[:, :5], axis=1, initial=1.3)


@pytest.mark.parametrize("mode", ["eager", "graph", "xla"])
def test_sums_begin_with_zero(mode):
    """All are calculated by one function."""
    arrays = [
        np.array(values, dtype)
        for values in ([-0.0], [[-0.0]], [-0.0, -0.0], [[-0.0, 1.0], [-0.0, -0.0]])
        for dtype in (np.float16, np.float32, np.float64, np.complex64)
    ]
    calls = [(name, axis) for name in ("sum", "mean", "nansum") for axis in (None, 0, -1)]

    def calculate(*arrays):
        return [getattr(tfnp, name)(x, axis) for x in arrays for name, axis in calls]

    run = calculate if mode == "eager" else tf.function(calculate, autograph=False, jit_compile=mode == "xla")
    expected = [getattr(np, name)(x, axis) for x in arrays for name, axis in calls]
    for actual, right in zip(run(*map(tf.constant, arrays)), expected, strict=True):
        for part in (np.real, np.imag):
            np.testing.assert_array_equal(np.signbit(part(actual)), np.signbit(part(right)))


def test_a_sum_of_unknown_length_begins_with_zero():
    unknown = tf.function(tfnp.sum, input_signature=[tf.TensorSpec([None], tf.float32)], jit_compile=True)
    assert not np.signbit(unknown(tf.constant([-0.0])))


def test_an_initial_negative_zero_stays_for_negative_zeros():
    for dtype in (np.float16, np.float32, np.float64):
        for values in ([-0.0], [-0.0, -0.0], [-0.0, 0.0], [-1.0, 1.0], [-0.0, 3.0]):
            x = np.array(values, dtype)
            expected = np.sum(x, initial=-0.0)
            for run in (tfnp.sum, tf.function(tfnp.sum), tf.function(tfnp.sum, jit_compile=True)):
                actual = run(tf.constant(x), initial=-0.0).numpy()
                assert (actual, np.signbit(actual)) == (expected, np.signbit(expected)), (dtype, values)


def test_sums_of_one_term_have_a_gradient():
    x = tf.constant([[-0.0], [2.0]])
    with tf.GradientTape() as tape, tf.GradientTape() as inner:
        tape.watch(x)
        inner.watch(x)
        total = tf.function(lambda x: tfnp.sum(x, 1) + tfnp.sum(x, 1, initial=-0.0) ** 2)(x)
        slope = inner.gradient(total, x)
    np.testing.assert_array_equal(slope, [[1.0], [5.0]])
    np.testing.assert_array_equal(tape.gradient(slope, x), [[2.0], [2.0]])
