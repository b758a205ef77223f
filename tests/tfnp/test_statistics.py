"""Means, variances, averages."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest
import tensorflow as tf

import tfnp
from tests.tfnp.agreement import agree, array, gradient

NAMES = ("mean", "var", "std")


@pytest.mark.parametrize("axis", [None, 0, 1, (0, 1)])
def test_a_mask_leaves_out_elements_along_any_axis(axis):
    x = array(3, 3, dtype=np.float64)
    for name in NAMES:
        for keepdims in (False, True):
            agree(name, x, axis, where=np.tri(3, dtype=bool), keepdims=keepdims, modes=("eager",))


def test_weights_that_sum_to_zero():
    x, weights = tf.constant([1.0, 2.0]), tf.constant([1.0, -1.0])
    with pytest.raises(ZeroDivisionError):
        tfnp.average(x, weights=weights)
    with pytest.raises(tf.errors.InvalidArgumentError, match="Weights sum to zero"):
        tf.function(lambda w: tfnp.average(x, weights=w))(weights)
    compiled = tf.function(lambda w: tfnp.average(x, weights=w), jit_compile=True)
    assert not np.isfinite(compiled(weights))


def test_the_gradient_of_a_constants_deviation_is_finite():
    x = np.ones((3,), np.float32)
    with tf.GradientTape() as tape:
        value = tf.constant(x)
        tape.watch(value)
        result = tfnp.std(value)
    assert tape.gradient(result, value).numpy().tolist() == [0, 0, 0]
    assert np.isfinite(gradient(tfnp.var, np.arange(3, dtype=np.float32))[0]).all()


@pytest.mark.full
def test_bfloat16_is_calculated_in_float32_and_rounded_once():
    agree("mean", np.array([0.1, -1, -8], ml_dtypes.bfloat16))
    rows = (np.random.default_rng(0).normal(size=(5, 8)) * 10).astype(ml_dtypes.bfloat16)
    missing = np.where(rows > 9, np.nan, rows.astype(np.float32)).astype(ml_dtypes.bfloat16)
    for name in ("mean", "var", "std", "average"):
        agree(name, rows, axis=1)
    for name in ("nanmean", "nanvar", "nanstd"):
        agree(name, missing, axis=1)
        assert np.isfinite(gradient(getattr(tfnp, name), missing)[0].astype(np.float32)).all()
    agree("average", rows, axis=1, weights=np.abs(rows), returned=True)
    agree("mean", rows, axis=0, dtype=ml_dtypes.bfloat16)
    agree("mean", rows.astype(np.float32), axis=0, dtype=ml_dtypes.bfloat16)
    agree("mean", rows, axis=0, out=np.zeros(8, ml_dtypes.bfloat16))
    agree("mean", rows, axis=0, out=np.zeros(8, np.float64))
