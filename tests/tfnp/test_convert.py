"""The machinery under every routine: what it promises."""

from __future__ import annotations

import numpy as np
import pytest
import tensorflow as tf

import tfnp
from tfnp._core import convert


@pytest.mark.parametrize(
    "value",
    [
        3, 2.5, 1j, True, 2**63, [1, 2.5], [[1, 2], [3, 4]], (), np.float32(1.5), np.arange(6).reshape(2, 3).T,
        np.arange(5)[::-2], np.arange(3, dtype=">i4"), np.zeros((0, 3), np.uint16), np.asfortranarray(np.ones((2, 3))),
    ],
)  # fmt: skip
def test_to_tensor_converts_as_numpy(value):
    expected, tensor = np.asarray(value), convert.to_tensor(value)
    assert tensor.numpy().dtype == expected.dtype.newbyteorder("=")
    np.testing.assert_array_equal(tensor.numpy(), expected)


@pytest.mark.parametrize("value", [None, [1, None], "1.5", [2**70], [0.1, 1 / 3], 2**200])
def test_bfloat16_reads_what_float32_reads(value):
    with np.errstate(over="ignore"):
        expected = np.asarray(value, np.float32)
    tensor = convert.to_tensor(value, tf.bfloat16)
    assert tensor.dtype == tf.bfloat16
    rounded = expected.astype(tensor.numpy().dtype).astype(np.float32)
    np.testing.assert_array_equal(tensor.numpy().astype(np.float32), rounded)


def test_arrays_are_copied():
    array = np.zeros(1024, np.float32)
    tensor = convert.to_tensor(array)
    array[:] = 7
    assert not tensor.numpy().any()


def test_lists_of_tensors_stack_by_numpys_rules_and_keep_gradients():
    x = tf.constant(2.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        stacked = convert.to_tensor([[x, 1], [3, x]])
    assert stacked.dtype == np.array([np.float32(2), 1]).dtype == "float64"
    assert stacked.numpy().tolist() == [[2, 1], [3, 2]]
    assert tape.gradient(stacked, x).numpy() == 2
    with pytest.raises(ValueError, match="inhomogeneous"):
        convert.to_tensor([x, [1, 2]])


def test_casts_are_those_of_astype():
    values = np.array([0j, 1j, 2 + 0j, np.nan])
    for source in (tf.complex64, tf.complex128):
        tensor = convert.cast(tf.constant(values), source)
        assert convert.cast(tensor, tf.bool).numpy().tolist() == [False, True, True, True]
        assert convert.cast(tensor, tf.int32).numpy()[:3].tolist() == [0, 0, 2]
    assert convert.cast(tf.constant([0.0, -0.0, 0.5]), tf.bool).numpy().tolist() == [False, False, True]


@pytest.mark.filterwarnings("ignore:invalid value")
def test_casts_of_numbers_out_of_bounds_are_those_of_astype():
    """The lowest integer of 32 or 64 bits; narrower ones take its low bits."""
    values = np.array([3e9, -3e9, 2**31, -(2**31) - 1, 1e20, np.nan, np.inf, -np.inf, 2**31 - 1, -2.9])
    for dtype in (np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16):
        cast = tf.function(lambda x, dtype=dtype: convert.cast(x, tf.as_dtype(dtype)), autograph=False)
        for run in (cast.python_function, cast):
            np.testing.assert_array_equal(run(tf.constant(values)), values.astype(dtype), str(dtype))


def test_xla_multiplies_cast_bools():
    def product(mask, factor):
        return convert.cast(mask, tf.float32) * factor

    compiled = tf.function(product, jit_compile=True, autograph=False)
    assert np.isnan(compiled(tf.constant([True, False]), tf.constant(np.inf)).numpy()).tolist() == [False, True]


def test_static_value():
    assert convert.static_value(tf.constant(3)) == 3
    assert convert.static_value([1, 2]) == [1, 2]
    static = []

    @tf.function(autograph=False)
    def trace(x):
        static.append(convert.static_value(x))
        return x

    trace(tf.constant(1))
    assert static == [None]


def test_static_value_of_reshaped_constants():
    @tf.function(autograph=False)
    def look():
        number = tf.constant([3], tf.int32)
        static = [tf.reshape(number, ()), tf.broadcast_to(number, (2, 2)), tf.broadcast_to(number, (1 << 20,))]
        result.extend(map(convert.static_value, static))

    result = []
    look()
    assert result[0] == 3
    assert result[1].tolist() == [[3, 3], [3, 3]]
    assert result[2] is None


def test_cast_integers_are_not_folded():
    def total(make):
        compiled = tf.function(lambda x: tfnp.add(x, make()), autograph=False)
        return compiled(tf.constant([-0.0, 1.0])).numpy()

    for make in (
        lambda: tfnp.full(2, 0, np.int32),
        lambda: tfnp.zeros(2, bool),
        lambda: tfnp.zeros_like(tf.constant([1, 2])),
        lambda: tfnp.reshape(tfnp.zeros((1, 2), np.int8), 2),
    ):
        assert not np.signbit(total(make)).any()


def test_python_floats_are_not_folded():
    assert not np.signbit(tf.function(tfnp.polysub, autograph=False)(0.0, tf.constant(0.0)).numpy())


def test_powers_of_two_are_not_folded():
    assert tf.function(lambda x: tfnp.ldexp(x, 2047), autograph=False)(tf.constant(0.0)).numpy() == 0
