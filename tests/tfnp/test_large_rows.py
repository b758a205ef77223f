"""Order statistics and partitions along the rows of large matrices, which are not sorted in eager mode."""

from __future__ import annotations

import numpy as np
import pytest
import tensorflow as tf

import tfnp
from tests.tfnp.agreement import take_gradient
from tfnp._kernels.sort import row_select

RANDOM = np.random.default_rng(41)
SHAPE = (40, 201)
NORMAL = RANDOM.standard_normal(SHAPE)
MATRICES = {
    "normal": NORMAL,
    "float32": NORMAL.astype(np.float32),
    "even rows": NORMAL[:, 1:],
    "some nan": np.where(RANDOM.random(SHAPE) < 0.01, np.nan, NORMAL),
    "negative nan": np.where(RANDOM.random(SHAPE) < 0.6, np.copysign(np.nan, -1), NORMAL),
    "infinite": np.where(RANDOM.random(SHAPE) < 0.5, np.inf, -np.inf),
    "few values": RANDOM.integers(0, 4, SHAPE),
    "extreme integers": np.where(RANDOM.random(SHAPE) < 0.5, -(2**63), 2**63 - 1),
    "int32": RANDOM.integers(-1000, 1000, SHAPE).astype(np.int32),
    "zeros": np.zeros(SHAPE),
    "negative zeros": np.full(SHAPE, -0.0),
    "signed zeros": np.where(RANDOM.random(SHAPE) < 0.5, -0.0, 0.0),
    "subnormal": RANDOM.integers(-1000, 1000, SHAPE) * 5e-324,
    "subnormal float32": (RANDOM.integers(-1000, 1000, SHAPE) * 1e-45).astype(np.float32),
    "short rows": NORMAL.reshape(-1, 20),
    "other dtype": NORMAL.astype(np.float16),
    "bool": NORMAL > 0,
}
EACH = pytest.mark.parametrize("matrix", MATRICES.values(), ids=MATRICES)


@pytest.mark.sample(33)
@EACH
@pytest.mark.parametrize("position", [0, 13, -1])
def test_partitions(matrix: np.ndarray, position: int) -> None:
    """No greater element is before that at the position, no smaller one after, and it is where a sort puts it."""
    x = tf.constant(matrix)
    result, order = tfnp.partition(x, position, 1).numpy(), tfnp.argpartition(x, position, 1).numpy()
    assert (result.dtype, order.dtype) == (matrix.dtype, np.int64)
    for values in (result, np.take_along_axis(matrix, order, 1)):
        ranks = np.unique(values, return_inverse=True)[1].reshape(values.shape)
        expected = np.sort(ranks, 1)
        np.testing.assert_array_equal(np.sort(values, 1), np.sort(matrix, 1))
        np.testing.assert_array_equal(ranks[:, position], expected[:, position])
        middle, before = ranks[:, [position]], position % values.shape[1]
        assert (ranks[:, :before] <= middle).all()
        assert (ranks[:, before:] >= middle).all()


@pytest.mark.parametrize(("shape", "axis"), [((201, 40), 0), ((4, 201, 10), 1), ((4, 10, 201), -1), ((40, 201), None)])
def test_partitions_along_any_axis(shape: tuple[int, ...], axis: int | None) -> None:
    array = NORMAL.reshape(shape)
    actual = tfnp.partition(tf.constant(array), 17, axis).numpy()
    expected = np.sort(array, axis)
    np.testing.assert_array_equal(np.sort(actual, axis if axis is not None else 0), expected)
    np.testing.assert_array_equal(np.take(actual, 17, axis), np.take(expected, 17, axis))


def test_partitions_at_several_positions() -> None:
    result, expected = tfnp.partition(tf.constant(NORMAL), [3, 90], 1).numpy(), np.sort(NORMAL, 1)
    np.testing.assert_array_equal(np.sort(result, 1), expected)
    np.testing.assert_array_equal(result[:, [3, 90]], expected[:, [3, 90]])
    for kth in (201, -202):
        with pytest.raises(ValueError, match="out of bounds"):
            tfnp.partition(tf.constant(NORMAL), kth, 1)


@EACH
def test_medians(matrix: np.ndarray) -> None:
    x = tf.constant(matrix)
    for axis in (1, -1):
        actual, expected = tfnp.median(x, axis).numpy(), np.median(matrix, axis)
        assert actual.dtype == expected.dtype
        np.testing.assert_array_equal(actual, expected)
    np.testing.assert_array_equal(tfnp.median(tf.transpose(x), 0, keepdims=True), np.median(matrix.T, 0, keepdims=True))


def test_signs_of_medians() -> None:
    """NumPy takes the mean of the middle elements, and a sum of -0.0 is 0.0."""
    for zero in (0.0, -0.0):
        rows = np.full((40, 201), zero)
        result = tfnp.median(tf.constant(rows), 1).numpy()
        np.testing.assert_array_equal(np.signbit(result), np.signbit(np.median(rows, 1)))


@pytest.mark.parametrize("columns", [200, 201])
def test_gradients_of_medians(columns: int) -> None:
    """The gradient goes to the elements in the middle."""
    array = tf.constant(NORMAL[:, :columns])
    order = np.argsort(array, 1)[:, [(columns - 1) // 2, columns // 2]]
    expected = np.zeros(array.shape)
    for row, middle in enumerate(order):
        np.add.at(expected[row], middle, 0.5)
    slope = take_gradient(lambda x: tfnp.median(x, 1), array)
    np.testing.assert_array_equal(tf.convert_to_tensor(slope), expected)


def test_gradients_of_partitions() -> None:
    array, weights, expected = tf.constant(NORMAL), RANDOM.random(SHAPE), np.zeros(SHAPE)
    np.put_along_axis(expected, tfnp.argpartition(array, 50, 1).numpy(), weights, 1)
    slope = take_gradient(lambda x: weights * tfnp.partition(x, 50, 1), array)
    np.testing.assert_array_equal(tf.convert_to_tensor(slope), expected)


def test_rows_that_are_selected() -> None:
    assert row_select.can_select(tf.constant(NORMAL))
    assert not row_select.can_select(tf.constant(NORMAL[:3]))
    assert not row_select.can_select(tf.constant(NORMAL[:, :100]))
    assert row_select.select(tf.constant(MATRICES["signed zeros"]), [100]) is None
    np.testing.assert_array_equal(row_select.select(tf.constant(NORMAL), [3, 9]), np.sort(NORMAL, 1)[:, [3, 9]])
