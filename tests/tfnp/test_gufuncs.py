"""Products over core axes: shapes, axes, dtypes."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest
import tensorflow as tf

import tfnp
from tests.tfnp.agreement import agree


@pytest.mark.sample(14)
@pytest.mark.parametrize("dtype", ["?", "i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f2", "f4", "f8", "c8", "c16"])
@pytest.mark.parametrize(
    ("name", "first", "second"),
    [
        ("matmul", (2, 3), (3, 2)),
        ("matmul", (3,), (3,)),
        ("matmul", (3,), (4, 3, 2)),
        ("matmul", (4, 1, 2, 3), (5, 3, 1)),
        ("matmul", (2, 0), (0, 2)),
        ("vecdot", (2, 1, 3), (4, 3)),
        ("matvec", (4, 2, 3), (3,)),
        ("vecmat", (3,), (4, 3, 2)),
    ],
)
def test_products_are_numpys(name, first, second, dtype):
    dtype_kind = np.dtype(dtype)
    x, y = (np.arange(np.prod(shape), dtype=float).reshape(shape) for shape in (first, second))
    if dtype_kind.kind == "c":
        x, y = x + 1j * x[::-1], y - 2j
    x, y = (x * 40).astype(dtype_kind) if dtype_kind.kind in "iu" else x.astype(dtype_kind), y.astype(dtype_kind)
    expected = getattr(np, name)(x, y)
    for run in (getattr(tfnp, name), tf.function(getattr(tfnp, name), autograph=False)):
        result = run(tf.constant(x), tf.constant(y)).numpy()
        assert result.dtype == expected.dtype
        np.testing.assert_allclose(result, expected, rtol=1e-3 if dtype_kind == np.float16 else 1e-6)


@pytest.mark.parametrize(
    ("name", "first", "second", "options"),
    [
        ("matmul", (3, 2, 4), (4, 3, 5), {"axes": [(1, 2), (0, 2), (0, 1)]}),
        ("matmul", (3, 2), (2, 5, 3), {"axes": [(1, 0), (2, 1), (-1, 0)]}),
        ("vecdot", (3, 4), (3, 4), {"axis": 0}),
        ("vecdot", (3, 4), (3, 4), {"axis": 0, "keepdims": True}),
        ("vecdot", (3, 4), (4, 3), {"axes": [0, 1]}),
        ("vecdot", (3, 4), (4, 3), {"axes": [0, 1, -1], "keepdims": True}),
        ("vecdot", (3, 4), (3, 4), {"axes": [0, 0], "keepdims": True}),
        ("matvec", (3, 2), (3,), {"axes": [(1, 0), 0, 0]}),
    ],
)
def test_axes_select_the_core_dimensions(name, first, second, options):
    rng = np.random.default_rng(1)
    x, y = rng.standard_normal(first), rng.standard_normal(second)
    expected = getattr(np, name)(x, y, **options)
    np.testing.assert_allclose(getattr(tfnp, name)(x, y, **options).numpy(), expected, rtol=1e-12)


@pytest.mark.parametrize(
    ("name", "options", "error"),
    [
        ("matmul", {"axis": 0}, TypeError),
        ("matmul", {"keepdims": True}, TypeError),
        ("matmul", {"axes": 3}, TypeError),
        ("matmul", {"axes": [(0, 1)]}, ValueError),
        ("matmul", {"axes": [(0, 5), (0, 1), (0, 1)]}, np.exceptions.AxisError),
        ("vecdot", {"axis": 2}, np.exceptions.AxisError),
        ("vecdot", {"axis": 0, "axes": [0, 0]}, TypeError),
    ],
)
def test_invalid_axes(name, options, error):
    for module in (np, tfnp):
        with pytest.raises(error):
            getattr(module, name)(np.ones((2, 2)), np.ones((2, 2)), **options)


@pytest.mark.parametrize("dtype", ["i4", ">f8", "f8", "c8"])
def test_arrays_and_tensors_as_operands(dtype):
    x, y = np.arange(6.0).reshape(2, 3), np.arange(6).astype(dtype).reshape(2, 3).T
    for _ in range(2):  # first a plan is made, then it is found
        np.testing.assert_array_equal(tfnp.matmul(tf.constant(x), y), x @ y)
        np.testing.assert_array_equal(tfnp.matmul(y, tf.constant(x)), y @ x)
    with pytest.raises(TypeError, match="object"):
        tfnp.matmul(tf.constant(x), y.astype(object))
    with pytest.raises(ValueError, match="mismatch in its core dimension"):
        tfnp.matmul(tf.constant(x), y.T)


@pytest.mark.full
def test_bfloat16_with_small_integers_keeps_its_dtype():
    matrix = np.array([[1, 2.5], [-3, 0.5]], ml_dtypes.bfloat16)
    for dtype in (np.bool_, np.int8, np.uint8):
        other = np.array([1, 0], dtype)
        agree("matvec", matrix, other)
        agree("vecdot", other, matrix)
        agree("vecmat", other, matrix)
        agree("matmul", matrix, other)
    agree("matvec", matrix, np.array([1, 0], np.int16))
