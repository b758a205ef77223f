"""Bits in bytes."""

from __future__ import annotations

import numpy as np
import pytest
import tensorflow as tf

import tfnp
from tests.tfnp.agreement import agree, array, traced

BYTES = (np.arange(12) * 37 % 256).reshape(3, 4).astype(np.uint8)


@pytest.mark.sample(3)
@pytest.mark.parametrize("dtype", "?bhiqBHIQfF")
def test_every_dtype(dtype):
    agree("packbits", array(2, 9, dtype=dtype), 1)
    agree("unpackbits", array(2, 3, dtype=dtype), modes=("eager", "graph"))


@pytest.mark.parametrize("axis", [None, 0, -1, 2, True, 1.0])
def test_axes(axis):
    for name in ("packbits", "unpackbits"):
        agree(name, BYTES, axis, modes=("eager", "graph"))
        agree(name, np.array(5, np.uint8), axis, modes=("eager",))


@pytest.mark.sample(4)
@pytest.mark.parametrize("bitorder", ["big", "little", "bad", "", "l", 1, None])
def test_orders_of_bits(bitorder):
    agree("packbits", BYTES, 0, bitorder)
    agree("unpackbits", BYTES, 0, bitorder=bitorder)


@pytest.mark.sample(2)
@pytest.mark.parametrize("count", [None, 0, 3, 40, -3, -32, -40, 2.0, True])
def test_counts(count):
    agree("unpackbits", BYTES, 1, count, modes=("eager", "graph"))
    agree("unpackbits", BYTES, count=count)


def test_empty():
    agree("packbits", array(0, dtype=bool))
    agree("packbits", array(0, 3, dtype=bool), 1)
    agree("packbits", array(3, 0, dtype=bool), 1)


def test_unknown_dims():
    bits = array(2, 11, dtype=bool)
    assert (traced(lambda x: tfnp.packbits(x, 1), bits).numpy() == np.packbits(bits, 1)).all()
    for count in (None, 5, 40, -3):
        result = traced(lambda x, n=count: tfnp.unpackbits(x, 1, n), BYTES).numpy()
        assert (result == np.unpackbits(BYTES, 1, count)).all()


@pytest.mark.parametrize("bitorder", ["big", "little"])
@pytest.mark.parametrize("axis", [None, 0, -1])
def test_long_arrays(axis, bitorder):
    generator = np.random.default_rng(1)
    bits, packed = generator.integers(0, 3, (100, 83)), generator.integers(0, 256, (50, 90), np.uint8)
    for x in (bits, bits.astype(bool)):
        np.testing.assert_array_equal(
            tfnp.packbits(tf.constant(x), axis, bitorder), np.packbits(x, axis, bitorder), str(x.dtype)
        )
    for count in (None, 13, -5):
        expected = np.unpackbits(packed, axis, count, bitorder)
        np.testing.assert_array_equal(tfnp.unpackbits(tf.constant(packed), axis, count, bitorder), expected)
