"""Algorithms for large arrays: equality with NumPy below, at and above the size at which each begins."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import tensorflow as tf

import tfnp
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


@pytest.mark.parametrize("lengths", LENGTHS, ids=str)
@pytest.mark.parametrize("name", ["convolve", "correlate"])
def test_sums_of_products_of_long_vectors(name: str, lengths: tuple[int, int]) -> None:
    a, v = (vector(length, "d") for length in lengths)
    for mode in ("full", "same", "valid"):
        check_sums(getattr(tfnp, name)(tf.constant(a), tf.constant(v), mode), a, v, name, mode)
    for result in run_everywhere(lambda x, y: getattr(tfnp, name)(x, y, "same"), a, v):
        check_sums(result, a, v, name, "same")


@pytest.mark.parametrize("dtype", [*"?bBhiIqQefdFD"])
def test_sums_of_products_of_every_dtype(dtype: str) -> None:
    a, v = vector(700, dtype), vector(150, dtype)
    for name in ("convolve", "correlate"):
        check_sums(getattr(tfnp, name)(tf.constant(a), tf.constant(v), "full"), a, v, name, "full")


@pytest.mark.parametrize("value", [np.inf, -np.inf, np.nan])
def test_infinity_and_nan_stay_where_they_are(value: float) -> None:
    a, v = vector(900, "d"), vector(200, "d")
    a[450] = value
    for first, second in ((a, v), (v, a)):
        for result in run_everywhere(tfnp.convolve, first, second):
            check_sums(result, first, second, "convolve", "full")


@pytest.mark.parametrize("length", [200, 1200])
def test_gradients_of_products_of_long_vectors(length: int) -> None:
    """The gradient of a sum of w * convolve(a, v) is a correlation of w."""
    a, v = vector(1500, "d"), vector(length, "d")
    weights = vector(1500 + length - 1, "d")

    def slopes(x: tf.Tensor, y: tf.Tensor) -> Any:
        with tf.GradientTape() as tape:
            tape.watch((x, y))
            total = tf.reduce_sum(weights * tfnp.convolve(x, y))
        return tape.gradient(total, (x, y))

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
