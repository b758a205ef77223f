"""Arrays from elsewhere; constants; names of dtypes."""

from __future__ import annotations

import numpy as np
import pytest
import tensorflow as tf

import tfnp
from tests.tfnp.agreement import agree, array
from tfnp.routines import constants, scalar_types

EAGER = ("eager",)


def test_big_endian_bytes_come_out_native():
    assert tfnp.frombuffer(b"\0\1", ">i2").numpy().tolist() == [1]


def test_text_iterators_and_functions():
    for text in ("1 2 3", "1.5 2", "1 2 x", ""):
        agree("fromstring", text, sep=" ", modes=EAGER)
    np.testing.assert_array_equal(tfnp.fromiter(iter([1, 2]), np.float32), np.array([1, 2], np.float32))
    np.testing.assert_array_equal(
        tfnp.fromfunction(lambda i, j: i * 10 + j, (2, 3)), np.fromfunction(lambda i, j: i * 10 + j, (2, 3))
    )
    with pytest.raises(ValueError, match="iterator too short"):
        tfnp.fromiter(range(2), np.int8, 3)


def test_unaligned_dlpack_is_copied():
    source = np.arange(9.0)[1:]
    result = tfnp.from_dlpack(source) + 1
    source[:] = 0
    np.testing.assert_array_equal(result, np.arange(1.0, 9) + 1)
    x = tf.constant([1.0])
    assert tfnp.from_dlpack(x) is x


def test_constants_are_numpys_own():
    for name in constants.__all__:
        value = getattr(np, name)
        np.testing.assert_equal(getattr(tfnp, name), value)
        assert type(getattr(tfnp, name)) is type(value)


def test_names_of_dtypes_are_numpys_own():
    for name in set(scalar_types.__all__) - {"bfloat16"}:
        assert getattr(tfnp, name) is getattr(np, name)
    assert tfnp.zeros(1, tfnp.bfloat16).dtype == tf.bfloat16
    assert tfnp.asarray(array(1)).dtype == tfnp.float32
