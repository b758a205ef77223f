"""Algorithms for large arrays: equality with NumPy below, at and above the size at which each begins."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import tensorflow as tf

import tfnp
from tests.tfnp.agreement import take_gradient
from tfnp.routines.signal import sliding_products

RANDOM = np.random.default_rng(20)


def run_everywhere(function: Any, *arrays: np.ndarray, xla: bool = True) -> list[Any]:
    """Return the results in eager mode, in a graph, with unknown dimensions, and under XLA."""
    tensors = [tf.constant(array) for array in arrays]
    unknown = [tf.TensorSpec([None] * array.ndim, array.dtype) for array in arrays]
    functions = [
        function,
        tf.function(function, autograph=False),
        tf.function(function, autograph=False, input_signature=unknown),
    ]
    functions += [tf.function(function, autograph=False, jit_compile=True)] if xla else []
    return [one(*tensors) for one in functions]


def vector(length: int, dtype: str) -> np.ndarray:
    """Return random elements: a few True, integers that wrap around, or normal numbers."""
    if dtype == "?":
        return RANDOM.random(length) < 0.02
    if np.dtype(dtype).kind in "iu":
        return RANDOM.integers(-(2**62), 2**62, length).astype(dtype)
    imaginary = 1j * RANDOM.standard_normal(length) if dtype in "FD" else 0
    return (RANDOM.standard_normal(length) + imaginary).astype(dtype)


def check_sums(actual: Any, a: np.ndarray, v: np.ndarray, name: str, mode: str) -> None:
    """Check that sums of products are NumPy's: integers exactly, floats within the bound of their rounding errors."""
    with np.errstate(all="ignore"):
        expected = getattr(np, name)(a, v, mode)
    actual = actual.numpy()
    assert (actual.dtype, actual.shape) == (expected.dtype, expected.shape)
    if expected.dtype.kind in "biu":
        np.testing.assert_array_equal(actual, expected)
        return
    finite = np.isfinite(expected)
    np.testing.assert_array_equal(actual[~finite], expected[~finite])
    magnitude = getattr(np, name)(*(np.abs(np.where(np.isfinite(x), x, 0)).astype(float) for x in (a, v)), mode)[finite]
    bound = (min(len(a), len(v)) + 4) * np.finfo(expected.dtype).eps * magnitude
    assert (np.abs(actual[finite] - expected[finite]) <= bound).all()


# With 128 elements in the shorter vector, blocks begin at 128.
LENGTHS = [(127, 128), (128, 128), (129, 128), (128, 129), (600, 31), (530, 32), (500, 33), (2000, 1200)]


@pytest.mark.full
@pytest.mark.parametrize("lengths", LENGTHS, ids=str)
@pytest.mark.parametrize("name", ["convolve", "correlate"])
def test_sums_of_products_of_long_vectors(name: str, lengths: tuple[int, int]) -> None:
    a, v = (vector(length, "d") for length in lengths)
    for mode in ("full", "same", "valid"):
        check_sums(getattr(tfnp, name)(tf.constant(a), tf.constant(v), mode), a, v, name, mode)
    # What is compiled for `correlate` is the same, but for the order.
    xla = name == "convolve" or lengths == (2000, 1200)
    for result in run_everywhere(lambda x, y: getattr(tfnp, name)(x, y, "same"), a, v, xla=xla):
        check_sums(result, a, v, name, "same")


@pytest.mark.parametrize("dtype", [*"?bBhHiIlLefdFD"])
def test_sums_of_products_of_every_dtype(dtype: str) -> None:
    a, v = vector(700, dtype), vector(150, dtype)
    for name in ("convolve", "correlate"):
        check_sums(getattr(tfnp, name)(tf.constant(a), tf.constant(v), "full"), a, v, name, "full")


@pytest.mark.full
@pytest.mark.parametrize("value", [np.inf, np.nan, pytest.param(-np.inf, marks=pytest.mark.full)])
def test_infinity_and_nan_stay_where_they_are(value: float) -> None:
    a, v = vector(900, "d"), vector(200, "d")
    a[450] = value
    for first, second in ((a, v), (v, a)):
        for result in run_everywhere(tfnp.convolve, first, second):
            check_sums(result, first, second, "convolve", "full")


@pytest.mark.full
@pytest.mark.parametrize("length", [200, 1200])
def test_gradients_of_products_of_long_vectors(length: int) -> None:
    """The gradient of a sum of w * convolve(a, v) is a correlation of w."""
    a, v = vector(1500, "d"), vector(length, "d")
    weights = vector(1500 + length - 1, "d")

    def slopes(x: tf.Tensor, y: tf.Tensor) -> Any:
        return take_gradient(lambda x, y: tf.reduce_sum(weights * tfnp.convolve(x, y)), [x, y])

    for by_a, by_v in run_everywhere(slopes, a, v):
        np.testing.assert_allclose(tf.convert_to_tensor(by_a), np.correlate(weights, v, "valid"), atol=1e-10)
        np.testing.assert_allclose(tf.convert_to_tensor(by_v), np.correlate(weights, a, "valid"), atol=1e-10)


def test_memory_of_products_is_bounded() -> None:
    """No tensor of the graph has more than a few times the elements of the input, in any branch or loop."""
    length, width = 10**5, 10**3
    specs = [tf.TensorSpec([n], tf.float64) for n in (length, width)]
    graph = tf.function(tfnp.convolve, autograph=False).get_concrete_function(*specs).graph
    sizes = [tensor.shape.num_elements() for op in all_ops(graph) for tensor in op.outputs]
    assert max(size or 0 for size in sizes) <= max(2 * length, sliding_products.MAX_PRODUCTS)


def all_ops(graph: Any) -> list[tf.Operation]:
    """Return the ops of a graph and of the functions in it."""
    operations = list(graph.get_operations())
    for function in getattr(graph, "_functions", {}).values():
        body = getattr(function, "graph", None)
        operations += all_ops(body) if body is not None else []
    return operations


SIZES = (60, 4095, 4096, 5000)
"""Below, at and above the size from which on slices are used."""
INDICES = [
    0, -1, 17, [3], [3, 1, 3], [-1, 0, 5, 5], list(range(0, 18, 2)), np.array([2, 4], np.int8), np.array([True] * 50),
    slice(5, 20), slice(20, 5, -1), slice(None, None, 7), slice(3, 30, 9), slice(9, 3), [], np.array([[1], [0]]),
]  # fmt: skip


def check_same(function: Any, *args: Any) -> None:
    """Check that a function's result is NumPy's, or that it raises the same class of error."""
    try:
        expected = getattr(np, function)(*args)
    except Exception as error:  # noqa: BLE001
        with pytest.raises(type(error)):
            getattr(tfnp, function)(*args)
        return
    actual = getattr(tfnp, function)(*args)
    assert (actual.dtype.as_numpy_dtype, tuple(actual.shape)) == (expected.dtype.type, expected.shape)
    np.testing.assert_array_equal(actual, expected)


@pytest.mark.sample(63)
@pytest.mark.parametrize("index", INDICES, ids=str)
@pytest.mark.parametrize("size", SIZES)
def test_delete_and_insert(size: int, index: Any) -> None:
    flat, pairs = np.arange(size), np.arange(2.0 * size).reshape(2, size)
    if isinstance(index, np.ndarray) and index.dtype == bool:
        index = np.resize(index, size)
    check_same("delete", flat, index)
    check_same("delete", pairs, index, 1)
    check_same("insert", flat, index, 7)
    check_same("insert", flat, index, [7, 8, 9])
    check_same("insert", pairs, index, [[7], [8]], 1)


@pytest.mark.parametrize("index", [5000, -5001, [1, 5000], 5001, 1.5, "a", [0, -5002]], ids=str)
def test_delete_and_insert_at_invalid_indices(index: Any) -> None:
    check_same("delete", np.arange(5000), index)
    check_same("insert", np.arange(5000), index, 7)


def test_everything_is_deleted() -> None:
    check_same("delete", np.arange(4096), slice(None))
    check_same("delete", np.zeros((4096, 3)), 1, 1)
    check_same("delete", np.zeros((2, 4096)), [0, -1], 0)


def test_delete_and_insert_in_graphs() -> None:
    array = vector(5000, "d")
    for result in run_everywhere(lambda x: tfnp.delete(tfnp.insert(x, [7, 3], 1.0), -2), array):
        np.testing.assert_array_equal(result, np.delete(np.insert(array, [7, 3], 1.0), -2))


@pytest.mark.full
@pytest.mark.parametrize("leading", [0, 255, 256, 257, 1280, 4999, 5000])
def test_zeros_are_trimmed(leading: int) -> None:
    array = np.concatenate([np.zeros(leading), np.ones(5000 - leading)])
    for value in (array, array[::-1].copy(), np.pad(array[leading - 1 : leading + 1], 300), array.astype(bool)):
        for ends in ("f", "b", "fb"):
            check_same("trim_zeros", value, ends)
            for result in run_everywhere(lambda x, ends=ends: tfnp.trim_zeros(x, ends), value, xla=False):
                np.testing.assert_array_equal(result, np.trim_zeros(value, ends))
    check_same("trim_zeros", np.pad(array.reshape(50, 100), 3), "fb")
    check_same("trim_zeros", np.pad(array.reshape(50, 100), 3), "b", 1)


def test_subnormal_numbers_are_not_trimmed() -> None:
    check_same("trim_zeros", np.array([0.0, 5e-324, 0.0]))


@pytest.mark.parametrize("size", [1022, 1024, 1030])
@pytest.mark.parametrize("repeats", [0, 1, 3, [2], np.int8(2), True, -1, 1.5, [[2]]], ids=str)
def test_repeat_by_one_count(size: int, repeats: Any) -> None:
    for shape, axis in (((size,), None), ((2, size // 2), 0), ((2, size // 2), 1), ((2, size // 2), None)):
        check_same("repeat", np.arange(size).reshape(shape), repeats, axis)


@pytest.mark.parametrize("dtype", [*"?bBhHiIlLefdFD"])
def test_repeat_and_delete_of_every_dtype(dtype: str) -> None:
    check_same("repeat", vector(5000, dtype), 2)
    check_same("delete", vector(5000, dtype), 2)
    check_same("insert", vector(5000, dtype), 2, 1)
    check_same("trim_zeros", np.pad(vector(5000, dtype), 300))


def test_repeat_by_dynamic_counts() -> None:
    counts = RANDOM.integers(0, 4, 2000)
    array = vector(2000, "d")
    for result in run_everywhere(tfnp.repeat, array, counts, xla=False):
        np.testing.assert_array_equal(result, np.repeat(array, counts))
    for result in run_everywhere(lambda x, n: tfnp.repeat(x, n, 0), array, np.array(3), xla=False):
        np.testing.assert_array_equal(result, np.repeat(array, 3))
    function = tf.function(tfnp.repeat, autograph=False, input_signature=[tf.TensorSpec([None], tf.int64)] * 2)
    np.testing.assert_array_equal(function([1, 2], [0, 10**6]), np.full(10**6, 2))
    assert function([], []).shape == (0,)
    with pytest.raises(tf.errors.InvalidArgumentError, match="negative"):
        function([1, 2], [-1, 3])


@pytest.mark.parametrize("function", [
    lambda x: tfnp.repeat(x, 2), lambda x: tfnp.delete(x, [3, 9]), lambda x: tfnp.insert(x, 4, 1.0)
])  # fmt: skip
def test_gradients_of_slices(function: Any) -> None:
    array = tf.constant(vector(5000, "d"))
    slope = take_gradient(lambda x: function(x) ** 2, array)
    weights = np.bincount(function(tf.range(5000)).numpy(), minlength=5000)
    if len(function(array)) == 5001:
        weights[1] -= 1  # the inserted one
    np.testing.assert_allclose(tf.convert_to_tensor(slope), 2 * weights * array)


@pytest.mark.full
@pytest.mark.parametrize("length", [1, 2, 3, 7, 8, 9, 1000])
@pytest.mark.parametrize("side", ["left", "right"])
def test_searches_under_xla(length: int, side: str) -> None:
    """One trace and one compilation serve all dtypes."""
    arrays = [np.sort(RANDOM.integers(0, 100, length).astype(dtype)) for dtype in ("d", "b", "L", "D")]
    values = [np.concatenate([array[:50], RANDOM.integers(0, 120, (40,)).astype(array.dtype)]) for array in arrays]

    def search(*tensors: tf.Tensor) -> list[tf.Tensor]:
        return [tfnp.searchsorted(a, v, side) for a, v in zip(tensors[:4], tensors[4:], strict=True)]

    for results in run_everywhere(search, *arrays, *values):
        for result, array, value in zip(results, arrays, values, strict=True):
            np.testing.assert_array_equal(result, np.searchsorted(array, value, side))


def test_memory_of_searches_under_xla_is_bounded() -> None:
    """A comparison of each with each would take 10**11 bytes."""
    array, values = np.arange(10**6), np.arange(10**5)[::-1] * 7
    function = tf.function(tfnp.searchsorted, autograph=False, jit_compile=True)
    np.testing.assert_array_equal(function(array, values), np.searchsorted(array, values))


@pytest.mark.sample(1)
@pytest.mark.parametrize("dtype", [*"bBhHiIl"])
def test_counts(dtype: str) -> None:
    array = RANDOM.integers(0, 100, 5000).astype(dtype)
    for minlength in (0, 50, 300):
        check_same("bincount", array, None, minlength)
        for result in run_everywhere(lambda x, n=minlength: tfnp.bincount(x, None, n), array, xla=False):
            np.testing.assert_array_equal(result, np.bincount(array, None, minlength))
    check_same("bincount", np.array([3, -1, 2]))


STARTS = [[0, 100, 200], [5, 6, 7], [0, 4095], [3, 1000, 1997], [0, 100, 150], [7], [9, 9, 9], [30, 20, 10], [0, 5000]]


@pytest.mark.full
@pytest.mark.parametrize("starts", [*STARTS, range(0, 4095, 5)], ids=str)
@pytest.mark.parametrize("length", [4095, 4096, 5000])
def test_sums_of_segments(length: int, starts: Any) -> None:
    starts = np.array(starts)
    arrays = np.arange(length), np.arange(2.0 * length).reshape(2, length)
    if starts.max() >= length:
        for axis, array in enumerate(arrays):
            with pytest.raises(IndexError):
                tfnp.add.reduceat(array, starts, axis)
        return

    def add(*tensors: tf.Tensor) -> list[tf.Tensor]:
        return [tfnp.add.reduceat(x, starts, axis) for axis, x in enumerate(tensors)]

    for results in run_everywhere(add, *arrays):
        for axis, (result, array) in enumerate(zip(results, arrays, strict=True)):
            np.testing.assert_array_equal(result, np.add.reduceat(array, starts, axis))


def test_gradient_of_sums_of_segments() -> None:
    weights = tf.constant([1.0, 2.0, 3.0], tf.float64)
    slope = take_gradient(lambda x: weights * tfnp.add.reduceat(x, [10, 20, 30]), tf.constant(vector(5000, "d")))
    np.testing.assert_array_equal(slope, np.repeat([0, 1, 2, 3], [10, 10, 10, 4970]))


@pytest.mark.sample(7)
@pytest.mark.parametrize("length", [2**15 - 1, 2**15, 2**15 + 1, 10**5])
@pytest.mark.parametrize("dtype", [*"bHiIlLefd"])
def test_medians(length: int, dtype: str) -> None:
    """Of few values and of many, at both ends of the dtype's range."""
    extremes = vector(length, dtype)
    for array in (RANDOM.integers(0, 90, length).astype(dtype), extremes, np.full(length, 3, dtype)):
        np.testing.assert_array_equal(tfnp.median(array), np.median(array))
    np.testing.assert_array_equal(tfnp.median(extremes[None], keepdims=True), np.median(extremes[None], keepdims=True))
    if dtype in "efd":
        extremes[5], extremes[9] = np.inf, np.nan
        np.testing.assert_array_equal(tfnp.median(extremes), np.median(extremes))


@pytest.mark.parametrize("length", [2**15 - 2, 2**15, 2**15 + 1])
def test_gradient_of_the_median(length: int) -> None:
    """Of equal elements, those count that a stable sort puts in the middle."""
    array = tf.constant(RANDOM.integers(0, 5, length).astype(float))
    middle = np.argsort(array, stable=True)[[(length - 1) // 2, length // 2]]
    slope = tf.convert_to_tensor(take_gradient(tfnp.median, array))
    np.testing.assert_array_equal(slope, np.bincount(middle, minlength=length) / 2)


NONFINITE = {"none": [], "nan": [np.nan], "infinite": [np.inf, -np.inf], "all": [np.nan, np.inf, -np.inf]}
FILLS = [{}, {"nan": 3}, {"nan": np.inf, "posinf": 7.0, "neginf": np.nan}, {"posinf": np.arange(8192.0)}]


@pytest.mark.parametrize("fills", FILLS, ids=str)
@pytest.mark.parametrize("values", NONFINITE.values(), ids=NONFINITE)
@pytest.mark.parametrize("dtype", ["e", "f", "d", "D"])
def test_nonfinite_elements_are_replaced(dtype: str, values: list[float], fills: dict[str, Any]) -> None:
    array = vector(8192, dtype)
    array[: len(values)] = values
    if "posinf" in fills and np.ndim(fills["posinf"]):
        fills = {"posinf": fills["posinf"].astype(array.real.dtype)}
    np.testing.assert_array_equal(tfnp.nan_to_num(tf.constant(array), **fills), np.nan_to_num(array, **fills))


def test_values_that_cannot_replace_are_rejected() -> None:
    """Even where all elements are finite."""
    for fills in ({"nan": "a"}, {"posinf": np.zeros(3)}, {"neginf": 1j}):
        with pytest.raises((TypeError, ValueError)):
            np.nan_to_num(np.zeros(5000), **fills)
        with pytest.raises((TypeError, ValueError)):
            tfnp.nan_to_num(tf.zeros(5000, tf.float64), **fills)


@pytest.mark.parametrize("value", [1.0, np.nan, np.inf])
def test_gradient_of_replaced_elements(value: float) -> None:
    slope = take_gradient(lambda x: tfnp.nan_to_num(x) * 3.0, tf.constant(np.where(np.arange(5000) == 7, value, 2.0)))
    np.testing.assert_array_equal(slope, np.where((np.arange(5000) == 7) & ~np.isfinite(value), 0, 3))


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("axis", [None, 0, 1, (0, 1), ()], ids=str)
@pytest.mark.parametrize("values", NONFINITE.values(), ids=NONFINITE)
@pytest.mark.parametrize("dtype", ["f", "d"])
def test_means_of_elements_that_are_not_nan(dtype: str, values: list[float], axis: Any) -> None:
    array = vector(8000, dtype).reshape(80, 100)
    array[5, : len(values)] = values
    array[:, 50] = values[:1] or array[:, 50]
    for keepdims in (False, True):
        with np.errstate(all="ignore"):
            expected = np.nanmean(array, axis, keepdims=keepdims)
        actual = tfnp.nanmean(tf.constant(array), axis, keepdims=keepdims).numpy()
        assert (actual.dtype, actual.shape) == (expected.dtype, expected.shape)
        np.testing.assert_allclose(actual, expected, 1e-4 if dtype == "f" else 1e-11, 1e-7 if dtype == "f" else 1e-15)


@pytest.mark.parametrize("indices", [[0, 4999], [-1, -5000], [3], [-5001], [5000], [2**40]], ids=str)
@pytest.mark.parametrize("mode", ["raise", "wrap", "clip"])
def test_take_many(indices: list[int], mode: str) -> None:
    positions = np.resize(np.concatenate([np.arange(4000), np.array(indices)]), 6000)
    check_same("take", vector(5000, "d"), positions, None, None, mode)
    check_same("take", vector(10000, "d").reshape(5000, 2), positions, 0, None, mode)


@pytest.mark.parametrize("dtype", [*"?bHilefdFD"])
def test_areas_of_unit_width(dtype: str) -> None:
    array = vector(5000, dtype)
    if np.dtype(dtype).kind == "i":
        array //= 4
    for options in ({}, {"dx": 1.0}, {"dx": 1}, {"dx": 0.5}, {"x": np.arange(5000.0)}):
        actual, expected = tfnp.trapezoid(tf.constant(array), **options), np.trapezoid(array, **options)
        assert actual.dtype.as_numpy_dtype == expected.dtype.type
        scale = np.abs(array.astype(complex)).sum()
        assert abs(complex(actual) - complex(expected)) <= scale * (
            2e-3 if dtype == "e" else 1e-5 if dtype in "fF" else 1e-12
        )
