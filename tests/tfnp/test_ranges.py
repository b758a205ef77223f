"""Numbers in a row."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest
import tensorflow as tf

import tfnp
from tests.tfnp.agreement import agree, gradient, traced


def test_integer_powers_are_integers():
    assert tfnp.logspace(tf.constant([5.0, 6.0]), 9.0, 4, dtype=int).numpy()[-1].tolist() == [10**9, 10**9]


@pytest.mark.parametrize(
    ("args", "kwargs"),
    [
        ((), {"start": 0, "stop": 3}), ((), {"stop": 3}), ((), {"stop": 3, "step": 2, "dtype": "f4"}),
        ((), {"start": 1, "stop": 6, "step": 2}), ((), {"start": 3}), ((), {}), ((), {"step": 2}),
        ((), {"start_or_stop": 2}), ((1,), {"stop": 6}), ((1,), {"start": 0, "stop": 3}),
        ((None, 3), {}), ((3, None), {}),
    ],
)  # fmt: skip
def test_bounds_are_given_by_name(args, kwargs):
    try:
        expected = np.arange(*args, **kwargs)
    except TypeError:
        with pytest.raises(TypeError):
            tfnp.arange(*args, **kwargs)
    else:
        np.testing.assert_array_equal(tfnp.arange(*args, **kwargs), expected, strict=True)


def test_bounds_given_by_name_may_be_tensors():
    function = tf.function(lambda n: tfnp.arange(start=1, stop=n, step=2), autograph=False)
    assert function(tf.constant(6)).numpy().tolist() == [1, 3, 5]
    assert tfnp.arange(stop=tf.Variable(3)).numpy().tolist() == [0, 1, 2]


def test_dynamic_bounds():
    np.testing.assert_array_equal(traced(lambda n: tfnp.arange(1, n, 2), np.array(8)), np.arange(1, 8, 2))
    np.testing.assert_array_equal(traced(lambda n: tfnp.linspace(0, 1, n), np.array(3)), np.linspace(0, 1, 3))
    with pytest.raises(TypeError, match="must be"):
        traced(lambda n: tfnp.linspace(0, 1, n), np.array(3.0))


@pytest.mark.full
def test_bfloat16_is_calculated_in_float32():
    bfloat16 = ml_dtypes.bfloat16
    low, high = bfloat16(1.3), bfloat16(7.9)
    agree("linspace", 1.0, bfloat16(0))
    agree("linspace", 1.0, high, 3, retstep=True, dtype=np.float64)
    for name in ("linspace", "logspace", "geomspace"):
        for ends in ((low, high), (1.0, high), (np.array([low, low]), np.array([high, low])), (np.float32(1), high)):
            agree(name, *ends, 9)
        agree(name, low, high, 9, dtype=bfloat16)
        agree(name, np.float32(1), np.float32(2), 9, dtype=bfloat16)
    agree("linspace", low, high, 9, retstep=True)
    assert np.isfinite(gradient(lambda end: tfnp.linspace(low, end, 5), np.array(high))[0].astype(np.float32))
