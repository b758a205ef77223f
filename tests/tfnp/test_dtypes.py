"""The machinery under every routine: what it promises."""

from __future__ import annotations

import threading

import numpy as np
import pytest
import tensorflow as tf

import tfnp
from tfnp._core import dtypes


@pytest.fixture(autouse=True)
def legacy_promotion():
    yield
    dtypes.set_promotion()


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ((tf.int8, tf.uint8), tf.int16),
        ((tf.int64, tf.float32), tf.float64),
        ((np.zeros(2, np.float32), 2.5), tf.float32),
        ((np.zeros(2, np.float32), np.float64(2.5)), tf.float64),
        ((np.uint8(1), 1j), tf.complex128),
        ((1, 2.5), tf.float64),
        ((True, tf.int8), tf.int8),
        ((tf.bfloat16, 2.5), tf.bfloat16),
        ((tf.bfloat16, 2), tf.bfloat16),
        ((tf.bfloat16, np.int64(2)), tf.float64),
        ((tf.bfloat16, tf.float16), tf.float32),
        ((tf.bfloat16, 1j), tf.complex64),
        ((tf.bfloat16, "int8", "float32"), tf.float32),
    ],
)
def test_result_type_is_numpys_and_weak_scalars_become_bfloat16(values, expected):
    assert dtypes.result_type(*values) == expected


@pytest.mark.parametrize(
    "dtype", ["longdouble", "clongdouble", "object", "datetime64[s]", "timedelta64[D]", "V8", "i4,f8"]
)
def test_unsupported_dtypes_raise_an_error_with_their_name(dtype):
    name = np.dtype(dtype).name
    with pytest.raises(TypeError, match="is not supported"):
        dtypes.as_dtype(dtype)
    with pytest.raises(TypeError) as caught:
        tfnp.add(np.zeros(2, dtype), 1)
    assert name in str(caught.value) or str(np.dtype(dtype)) in str(caught.value)


def test_as_dtype_accepts_what_numpy_accepts():
    assert dtypes.as_dtype(None) == dtypes.as_dtype(float) == dtypes.as_dtype("f8") == tf.float64
    assert dtypes.as_dtype(int) == dtypes.as_dtype(np.longlong) == dtypes.as_dtype(">i8") == tf.int64
    assert dtypes.as_dtype(tf.bfloat16) == dtypes.as_dtype("bfloat16") == tf.bfloat16


def test_mode_off_raises_for_different_dtypes():
    dtypes.set_promotion("off")
    assert tfnp.add(tf.constant(1, tf.int8), 2).dtype == tf.int8
    with pytest.raises(TypeError, match="dtypes differ"):
        tfnp.add(tf.constant(1, tf.int8), tf.constant(1, tf.int16))


def test_modes_apply_to_cached_plans():
    x, y = tf.constant(1, tf.int32), tf.constant(1.0, tf.float32)
    assert tfnp.add(x, y).dtype == tf.float64
    assert dtypes.set_promotion("all").mode == "legacy"
    assert tfnp.add(x, y).dtype == tf.float32
    dtypes.set_promotion("safe")
    with pytest.raises(TypeError, match="not safe"):
        tfnp.add(x, y)
    dtypes.set_promotion()
    assert tfnp.add(x, y).dtype == tf.float64


def test_prefer_float32_holds_wherever_numpy_defaults_to_float64():
    dtypes.set_promotion(prefer_float32=True)
    assert tfnp.sin(1).dtype == tfnp.sin(tf.constant(1)).dtype == tfnp.add(1, 2.5).dtype == tf.float32
    assert tfnp.divide([1, 2], [3, 4]).dtype == tfnp.exp([1.5, 2.5]).dtype == tf.float32
    assert tfnp.sqrt(np.float64(2)).dtype == tfnp.sqrt(1, dtype="float64").dtype == tf.float64


def test_an_unknown_mode_changes_nothing():
    before = dtypes.promotion
    with pytest.raises(ValueError, match="dtype_conversion_mode"):
        dtypes.set_promotion("loose")
    assert dtypes.promotion is before


def test_threads_that_switch_modes_do_not_share_plans():
    x, y, wrong = tf.constant(1, tf.int32), tf.constant(1.0, tf.float32), []

    def add_often():
        for _ in range(200):
            before = dtypes.promotion
            dtype = tfnp.add(x, y).dtype
            if dtypes.promotion is before and dtype != (tf.float64 if before.mode == "legacy" else tf.float32):
                wrong.append((before, dtype))

    threads = [threading.Thread(target=add_often) for _ in range(2)]
    for thread in threads:
        thread.start()
    for number in range(200):
        dtypes.set_promotion("all" if number % 2 else "legacy")
    for thread in threads:
        thread.join()
    dtypes.set_promotion("legacy")
    assert tfnp.add(x, y).dtype == tf.float64
    dtypes.set_promotion("all")
    assert tfnp.add(x, y).dtype == tf.float32
