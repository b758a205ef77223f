"""Means, variances, averages."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest
import tensorflow as tf

import tfnp
from tests.tfnp.agreement import DTYPES, agree, array, gradient, traced

NAMES = ("mean", "var", "std")


@pytest.mark.sample(2)
@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_every_dtype(dtype):
    for name in ("mean", "var", "std", "average"):
        agree(name, array(2, 3, dtype=dtype), 0, modes=("eager", "graph"))


@pytest.mark.parametrize("axis", [None, 0, -1, (0, 1), (), 2, (0, 0), 1.0, True])
def test_axes(axis):
    for name in NAMES:
        agree(name, array(2, 3), axis, modes=("eager",))


@pytest.mark.sample(4)
@pytest.mark.parametrize(
    "options",
    [
        {"ddof": 1},
        {"ddof": 0.5},
        {"ddof": 5},
        {"correction": 1},
        {"correction": 1, "ddof": 1},
        {"mean": np.float32(2)},
        {"mean": np.ones((1, 3), np.float64)},
        {"dtype": np.float64},
        {"dtype": np.int32},
        {"where": np.array([True, False, True])},
        {"where": np.zeros(3, bool)},
        {"keepdims": True},
        {"out": np.zeros(3, np.float32)},
    ],
    ids=str,
)
def test_options_of_spreads(options):
    for name in ("var", "std"):
        agree(name, array(2, 3), axis=0, modes=("eager", "graph"), **options)


@pytest.mark.parametrize("axis", [None, 0, 1, (0, 1)])
def test_a_mask_leaves_out_elements_along_any_axis(axis):
    x = array(3, 3, dtype=np.float64)
    for name in NAMES:
        for keepdims in (False, True):
            agree(name, x, axis, where=np.tri(3, dtype=bool), keepdims=keepdims, modes=("eager",))


def test_in_xla():
    for name in NAMES:
        agree(name, np.array([[1.0, np.nan], [2.0, 4.0]], np.float32), 0, modes=("xla",))


def test_empty():
    for name in NAMES:
        agree(name, array(0), modes=("eager", "graph"))
        agree(name, array(0, 3), 0, modes=("eager",))
        agree(name, np.full(3, np.nan), modes=("eager",))


def test_averages():
    agree("average", array(2, 3), 1, np.array([1.0, 2.0, 3.0]))
    agree("average", array(2, 3), None, array(2, 3), returned=True)
    agree("average", array(2, 3), returned=True)
    agree("average", array(2, 3, 4), (2, 0), array(4, 2) + 1, modes=("eager",))
    agree("average", array(2, 3), 1, np.array([1.0, -1.0, 0.0]), modes=("eager",))
    agree("average", array(2, 3), None, np.array([1.0, 2.0, 3.0]), modes=("eager",))
    agree("average", array(2, 3), 1, np.array([1.0, 2.0]), modes=("eager",))


def test_a_mean_of_float64_widens_bfloat16():
    x, mean = np.array([[1.0, 2.0]], ml_dtypes.bfloat16), np.array([1.5])
    for name in ("std", "var"):
        agree(name, x, mean=mean, modes=("eager", "graph"))


@pytest.mark.parametrize("name", ["std", "var"])
def test_a_mean_of_none_is_calculated(name):
    agree(name, array(2, 3), 1, mean=None, modes=("eager", "graph"))


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


def test_unknown_dims():
    assert traced(lambda x: tfnp.mean(x, axis=0), array(4)).numpy() == array(4).mean()
    np.testing.assert_allclose(traced(lambda x: tfnp.std(x, axis=1), array(2, 3)), array(2, 3).std(1), rtol=1e-6)


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
