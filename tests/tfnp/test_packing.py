"""Bits in bytes."""

from __future__ import annotations

import numpy as np
import pytest
import tensorflow as tf

import tfnp


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
