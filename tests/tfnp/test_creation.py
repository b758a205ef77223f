"""New arrays: of one value, or of what is at hand."""

from __future__ import annotations

import numpy as np
import pytest
import tensorflow as tf

import tfnp
from tests.tfnp.agreement import DTYPES, agree, array, traced

EAGER = ("eager",)


def test_a_tensor_is_not_copied_but_a_list_must_be():
    x = tf.constant([1.0])
    assert tfnp.asarray(x, copy=False) is x
    with pytest.raises(ValueError, match="copy"):
        tfnp.asarray(x, tf.float64, copy=False)
    with pytest.raises(ValueError, match="copy"):
        tfnp.array([1.0], copy=False)


def test_unsupported_dtypes_are_named():
    for dtype in ("longdouble", "object", "datetime64[s]", "V3"):
        with pytest.raises(TypeError, match="is not supported"):
            tfnp.zeros(2, dtype)


@pytest.mark.sample(2)
@pytest.mark.parametrize("target", [dtype for dtype in DTYPES if dtype.kind in "iub"], ids=str)
def test_floats_are_truncated_alike_in_every_mode(target):
    large = (
        [] if target == np.uint32 else [-44832, 2.0**31, 2.0**64, np.inf, np.nan]
    )  # of uint32, NumPy has two answers
    small = [0, -1.5, 2.7, 300.5, *large]
    for source in (np.float32, np.float64):
        agree("astype", np.array(small, source), target)


def test_finite_is_checked_once(monkeypatch):
    monkeypatch.setattr(tf.math, "is_finite", None)
    assert tfnp.asarray_chkfinite(np.array([1.0, 2.0])).shape == (2,)


def test_finite_is_checked_when_it_can_be():
    agree("asarray_chkfinite", np.array([1.0, np.nan]), modes=EAGER)
    agree("asarray_chkfinite", np.array([1.0, np.inf], np.complex64), modes=EAGER)
    agree("asarray_chkfinite", array(3, dtype=np.int8))
    with pytest.raises(tf.errors.InvalidArgumentError, match="infs or NaNs"):
        traced(tfnp.asarray_chkfinite, np.array([np.nan]))


def test_a_variable_gives_its_value_now():
    v = tf.Variable([1.0])
    before = tfnp.copy(v)
    v.assign([2.0])
    assert before.numpy() == [1.0]


def test_device_and_like():
    assert "CPU" in tfnp.zeros(2, device="cpu").device
    with pytest.raises(ValueError, match="device"):
        tfnp.zeros(2, device="no such")
    with pytest.raises(TypeError, match="like"):
        tfnp.zeros(2, like=tf.zeros(1))


def test_unknown_dims_and_rank():
    np.testing.assert_array_equal(traced(tfnp.ones_like, array(2, 3), rank=False), np.ones((2, 3)))
    np.testing.assert_array_equal(traced(lambda n: tfnp.zeros((n, 2)), np.array(3)), np.zeros((3, 2)))


def test_subok_is_a_bool():
    for name in ("empty_like", "zeros_like", "ones_like"):
        for subok in (0.0, 2, "a", None, np.True_):
            agree(name, array(2), subok=subok, modes=EAGER)


@pytest.mark.parametrize("mode", ["graph", "xla"])
@pytest.mark.parametrize("make", [lambda: tfnp.zeros(2), lambda: tfnp.array([0.0, 0.0]), lambda: tfnp.array([0, 0])])
def test_graphs_do_not_see_through_constants(mode, make):
    """Their optimisers would turn a sum with zeros into the other term, whose sign NumPy does not keep."""
    add = tf.function(lambda x: tfnp.add(x, make()), jit_compile=mode == "xla", autograph=False)
    assert not np.signbit(add(tf.constant([-0.0, 1.0], tf.float64))).any()


@pytest.mark.parametrize(
    "dtype", [("f8", (2,)), ("i4", (2, 3)), "2f8", "(2,3)i2", np.dtype(("f4", (3,))), ("f8", 1)], ids=str
)
def test_a_dtype_with_a_shape_adds_axes(dtype):
    for name, more in (("zeros", ()), ("ones", ()), ("empty", ()), ("full", (3,))):
        for shape in (3, (2, 1), ()):
            expected, found = (getattr(numpy, name)(shape, *more, dtype=dtype) for numpy in (np, tfnp))
            assert (tuple(found.shape), found.dtype.as_numpy_dtype) == (expected.shape, expected.dtype)
            if name != "empty":
                np.testing.assert_array_equal(found, expected)
    traced = tf.function(lambda: tfnp.zeros(3, dtype), autograph=False)()
    assert traced.shape == np.zeros(3, dtype).shape
    with pytest.raises(TypeError, match="object"):
        tfnp.zeros(3, (object, (2,)))


def test_an_iterator_of_rows():
    rows = [(1, 2), (3, 4)]
    for dtype in (("i4", (2,)), "2f8"):
        np.testing.assert_array_equal(tfnp.fromiter(iter(rows), dtype), np.fromiter(rows, dtype), strict=False)
        assert tfnp.fromiter(rows, dtype).dtype == np.fromiter(rows, dtype).dtype
