"""What may become what, asked of dtypes, tensors and numbers."""

from __future__ import annotations

import itertools

import ml_dtypes
import numpy as np
import pytest
import tensorflow as tf

import tfnp
from tfnp._core.dtypes import set_promotion

BFLOAT16 = np.dtype(ml_dtypes.bfloat16)
NAMES = ["bool", "int8", "uint8", "int64", "uint64", "float16", "float32", "float64", "complex64", "complex128"]


@pytest.fixture(autouse=True)
def legacy_promotion():
    yield
    set_promotion()


def test_every_way_to_name_a_dtype_means_the_same():
    tensor = tf.zeros(2, tf.float32)
    for one in (tensor, tf.Variable(tensor), tf.float32, np.float32, "f4", np.zeros(2, np.float32)):
        assert tfnp.result_type(one, tf.int8) == tfnp.result_type(one, 2.5) == np.float32
        assert tfnp.can_cast(one, tf.float64) is True
        assert tfnp.can_cast(one, "f2") is False
    assert tfnp.promote_types(tf.int8, "u1") == np.int16
    assert tfnp.result_type(tensor.dtype, 1j) == tf.as_dtype("complex64")


@pytest.mark.parametrize(("first", "second"), list(itertools.combinations(NAMES, 2)))
def test_pairs(first, second):
    kinds = getattr(tf, first), getattr(tf, second)
    assert tfnp.result_type(*kinds) == tfnp.promote_types(*kinds) == np.promote_types(first, second)
    for casting in ("no", "safe", "same_kind"):
        assert tfnp.can_cast(*kinds, casting) == np.can_cast(first, second, casting)


def test_bfloat16_is_a_float():
    for one in (tf.bfloat16, "bfloat16", BFLOAT16, tfnp.bfloat16, tf.zeros(1, tf.bfloat16)):
        assert tfnp.result_type(one) == tfnp.result_type(one, 1.5) == tfnp.result_type(one, tf.int8) == BFLOAT16
        assert tfnp.result_type(one, tf.float16) == np.float32
        assert tfnp.can_cast(one, tf.float32)
        assert not tfnp.can_cast(one, tf.int8, "same_kind")
    for one in (tf.bfloat16, "bfloat16", BFLOAT16, tfnp.bfloat16):
        assert tfnp.promote_types(one, "f4") == np.float32
        assert tfnp.issubdtype(one, np.floating)
        assert tfnp.issubdtype(one, np.generic)
        assert not tfnp.issubdtype(one, np.integer)
        assert tfnp.isdtype(one, "real floating")
        assert tfnp.isdtype(one, ("bool", "numeric"))
        assert tfnp.isdtype(one, tf.bfloat16)
        assert not tfnp.isdtype(one, ("bool", np.float32))
        assert float(tfnp.finfo(one).eps) == 2**-7
    assert tfnp.common_type(tf.zeros(1, tf.bfloat16)) is tfnp.bfloat16
    assert tfnp.common_type(tf.zeros(1, tf.bfloat16), tf.zeros(1)) is np.float32
    assert tfnp.min_scalar_type(tf.zeros(1, tf.bfloat16)) == BFLOAT16


def test_limits():
    assert tfnp.finfo(tf.float32).max == np.finfo("f4").max
    assert tfnp.finfo(tf.complex64).dtype == np.float32
    assert tfnp.finfo(tf.bfloat16).bits == 16
    assert tfnp.iinfo(tf.uint8).max == 255
    assert tfnp.iinfo(tf.dtypes.experimental.int4).max == 7
    with pytest.raises(ValueError, match="not inexact"):
        tfnp.finfo(tf.int32)
    with pytest.raises(ValueError, match="nvalid integer"):
        tfnp.iinfo(tf.float32)
    for info in (tfnp.finfo, tfnp.iinfo):
        with pytest.raises(ValueError, match="data type"):
            info(tf.zeros(1))


def test_the_promotion_in_force_decides():
    set_promotion("all")
    assert tfnp.result_type(tf.int64, tf.float32) == tfnp.promote_types("i8", "f4") == np.float32
    assert tfnp.result_type(1, tf.float16) == np.float16
    set_promotion("legacy", prefer_float32=True)
    assert tfnp.result_type(1.5, True) == np.float32
    assert tfnp.common_type(tf.zeros(1, tf.int32)) is np.float32


def test_dtypes_without_tensors_have_numpys_answers():
    assert tfnp.promote_types("M8[s]", "M8[D]") == np.dtype("M8[s]")
    assert tfnp.can_cast("U3", object)
    assert tfnp.min_scalar_type("abc") == np.dtype("U3")


def test_scalar_value_decides_where_static():
    assert tfnp.min_scalar_type(tf.constant(255)) == np.uint8
    assert tfnp.min_scalar_type(tf.constant([255])) == np.int32
    with pytest.raises(TypeError, match="must be static"):
        tf.function(lambda x: str(tfnp.min_scalar_type(x)), autograph=False)(tf.constant(1))


def test_letters():
    assert tfnp.mintypecode([tf.zeros(1), "D"]) == "D"
    for letters in (np.zeros(2, np.float32), np.zeros(0, np.complex64), np.array(["F", "d"]), np.array([["F"]])):
        assert tfnp.mintypecode(tf.constant(letters)) == np.mintypecode(letters)
    names = []
    tf.function(lambda x: names.append(tfnp.mintypecode(x)))(np.zeros(1, np.complex64))
    assert names == ["F"]
    with pytest.raises(TypeError, match="iteration over a 0-d array"):
        tfnp.mintypecode(tf.constant(0.0))
    with pytest.raises(TypeError, match="must be static"):
        tf.function(tfnp.mintypecode)(tf.constant(["d"]))
    assert tfnp.typename is np.typename
