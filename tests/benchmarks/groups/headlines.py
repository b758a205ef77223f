"""What guides to TensorFlow show: graphs and compilation against eager calls, on whole functions."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import tensorflow as tf
import tensorflow.experimental.numpy as tnp

import tfnp
from tests.benchmarks.measurement import Group, Row
from tests.benchmarks.rivals import in_jax, jax, jnp, to_jax

SIZES = (1, 32, 1024, 32768, 1048576)
WIDTHS, BATCHES = (16, 128, 512), (32, 512, 4096)
RATE = 1e-6  # hardly anything: the values stay those of the first step


def rows(n: int) -> Iterator[Row]:
    yield from sigmoids(n)
    yield from gradients(min(n, 512))
    yield from per_example(min(n, 128))
    yield from powers()
    yield from training(n)


def with_jax(calls: dict[str, Any], name: str, call: Callable[[], Any] | None) -> dict[str, Any]:
    return calls if call is None else {**calls, name: call}


def sigmoids(n: int) -> Iterator[Row]:
    def sigmoid(np: Any) -> Callable[[Any], Any]:
        return lambda x: 1 / (1 + np.exp(-x))

    ours = sigmoid(tfnp)
    graph, compiled, stock_graph = tf.function(ours), tfnp.jit(ours), tf.function(sigmoid(tnp))
    for size in SIZES:
        if size > 2 * n:
            break
        a = np.linspace(-5, 5, size, dtype=np.float32)
        x = tf.constant(a)
        calls = {
            "tfnp": lambda x=x: ours(x),
            "tfnp, tf.function": lambda x=x: graph(x),
            "tfnp.jit": lambda x=x: compiled(x),
            "tf.sigmoid": lambda x=x: tf.sigmoid(x),
            "stock": lambda x=x: sigmoid(tnp)(x),
            "stock, tf.function": lambda x=x: stock_graph(x),
            "numpy": lambda a=a: sigmoid(np)(a),
        }
        calls = with_jax(calls, "jax", in_jax(sigmoid(jnp), a))
        yield Row(
            f"{size} elements", with_jax(calls, "jax.jit", in_jax(sigmoid(jnp), a, jit=True)), "Sigmoid of float32"
        )


class Layers:
    """Two dense layers and a squared error, in the words of any library with NumPy's names."""

    def __init__(self, inputs: int, width: int) -> None:
        rng = np.random.default_rng(0)
        self.initial = [
            (rng.standard_normal(shape) / np.sqrt(shape[0])).astype(np.float32)
            for shape in ((inputs, width), (1, width), (width, 2))
        ]

    @staticmethod
    def loss(np: Any, parameters: Any, x: Any, y: Any) -> Any:
        w1, b1, w2 = parameters
        return np.mean(np.square(np.matmul(np.tanh(np.add(np.matmul(x, w1), b1)), w2) - y))

    @staticmethod
    def loss_raw(parameters: Any, x: Any, y: Any) -> Any:
        w1, b1, w2 = parameters
        return tf.reduce_mean(tf.square(tf.matmul(tf.tanh(tf.matmul(x, w1) + b1), w2) - y))

    @staticmethod
    def batch(size: int, inputs: int) -> tuple[np.ndarray, np.ndarray]:
        rng = np.random.default_rng(1)
        return rng.random((size, inputs), np.float32), rng.random((size, 2), np.float32)


def take_gradients(loss: Callable[..., Any], parameters: Any) -> Callable[..., Any]:
    """Return the function that gives the gradients of a loss with respect to tensors or variables."""

    def gradients(x: tf.Tensor, y: tf.Tensor) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(parameters)
            value = loss(parameters, x, y)
        return tape.gradient(value, parameters)

    return gradients


def losses(layers: Layers) -> dict[str, Callable[..., Any]]:
    return {
        "tfnp": lambda *args: layers.loss(tfnp, *args),
        "raw": layers.loss_raw,
        "stock": lambda *args: layers.loss(tnp, *args),
    }


def gradients(n: int) -> Iterator[Row]:
    layers, (a, b) = Layers(64, 64), Layers.batch(n, 64)
    parameters, x, y = [tf.constant(array) for array in layers.initial], tf.constant(a), tf.constant(b)
    calls: dict[str, Any] = {}
    for name, loss in losses(layers).items():
        eager = take_gradients(loss, parameters)
        graph, compiled = tf.function(eager), tf.function(eager, jit_compile=True)
        calls[name] = lambda eager=eager: eager(x, y)
        calls[f"{name}, tf.function"] = lambda graph=graph: graph(x, y)
        if name != "tfnp":
            calls[f"{name}, compiled"] = lambda compiled=compiled: compiled(x, y)
        else:
            jitted = tfnp.jit(eager)
            calls["tfnp.jit"] = lambda jitted=jitted: jitted(x, y)
    if jax:
        slope = jax.grad(lambda *args: layers.loss(jnp, *args))
        calls["jax.jit"] = in_jax(slope, layers.initial, a, b, jit=True)
    yield Row(f"batch of {n}", calls, "Gradients of two layers")


def per_example(n: int) -> Iterator[Row]:
    layers, (a, b) = Layers(16, 16), Layers.batch(n, 16)
    parameters, x, y = [tf.constant(array) for array in layers.initial], tf.constant(a), tf.constant(b)
    calls: dict[str, Any] = {}
    for name, loss in losses(layers).items():
        slope = take_gradients(loss, parameters)

        def of_one(example: Any, slope: Callable[..., Any] = slope) -> Any:
            return slope(example[0][None], example[1][None])

        vectorized = tf.function(lambda x, y, of_one=of_one: tf.vectorized_map(of_one, (x, y)))
        mapped = tf.function(
            lambda x, y, of_one=of_one: tf.map_fn(of_one, (x, y), fn_output_signature=[tf.float32] * 3)
        )
        calls[f"{name}, vectorized_map"] = lambda vectorized=vectorized: vectorized(x, y)
        calls[f"{name}, map_fn"] = lambda mapped=mapped: mapped(x, y)
    if jax:
        slope = jax.grad(lambda p, x, y: layers.loss(jnp, p, x[None], y[None]))
        calls["jax.vmap, jit"] = in_jax(jax.vmap(slope, (None, 0, 0)), layers.initial, a, b, jit=True)
    yield Row(f"{n} examples", calls, "Gradients of each example")


def powers() -> Iterator[Row]:
    """The hundredth power of a matrix, multiplied a hundred times, as guides to graphs do."""
    a = np.random.default_rng(0).integers(-1, 2, (10, 10), dtype=np.int32)
    x = tf.constant(a)

    def power(multiply: Callable[..., Any]) -> Callable[..., Any]:
        def run(matrix: Any) -> Any:
            result = matrix
            for _ in range(99):
                result = multiply(result, matrix)
            return result

        return run

    ours, raw, stock = power(tfnp.matmul), power(tf.matmul), power(tnp.matmul)
    graph, compiled = tf.function(ours, autograph=False), tfnp.jit(ours, autograph=False)
    raw_graph, stock_graph = tf.function(raw, autograph=False), tf.function(stock, autograph=False)
    calls = {
        "tfnp": lambda: ours(x),
        "tfnp, tf.function": lambda: graph(x),
        "tfnp.jit": lambda: compiled(x),
        "linalg.matrix_power": lambda: tfnp.linalg.matrix_power(x, 100),
        "raw": lambda: raw(x),
        "raw, tf.function": lambda: raw_graph(x),
        "stock": lambda: stock(x),
        "stock, tf.function": lambda: stock_graph(x),
        "numpy": lambda: power(np.matmul)(a),
    }
    if jax:
        calls["jax.jit"] = in_jax(power(jnp.matmul), a, jit=True)
    yield Row("10 x 10 of int32", calls, "A matrix to the power of a hundred")


def training(n: int) -> Iterator[Row]:
    """Steps of gradient descent, eager against graph, over the sizes of model and data."""
    for width in WIDTHS:
        for batch in BATCHES:
            if width * batch <= max(3 * n, WIDTHS[0] * BATCHES[0]):
                yield _train(width, batch)


def _train(width: int, batch: int) -> Row:
    layers, (a, b) = Layers(width, width), Layers.batch(batch, width)
    x, y = tf.constant(a), tf.constant(b)
    calls: dict[str, Any] = {}
    for name, loss in losses(layers).items():
        if name == "stock":
            continue

        def make_step(loss: Callable[..., Any] = loss) -> Callable[..., Any]:
            parameters = [tf.Variable(array) for array in layers.initial]

            def step(x: tf.Tensor, y: tf.Tensor) -> tf.Tensor:
                with tf.GradientTape() as tape:
                    value = loss(parameters, x, y)
                for parameter, gradient in zip(parameters, tape.gradient(value, parameters), strict=True):
                    parameter.assign_sub(RATE * gradient)
                return value

            return step

        eager, graph, compiled = make_step(), tf.function(make_step()), tf.function(make_step(), jit_compile=True)
        calls[f"{name}, eager"] = lambda eager=eager: eager(x, y)
        calls[f"{name}, tf.function"] = lambda graph=graph: graph(x, y)
        calls[f"{name}, compiled"] = lambda compiled=compiled: compiled(x, y)
    if jax:
        slope = jax.value_and_grad(lambda *args: layers.loss(jnp, *args))

        @jax.jit
        def step(parameters: Any, x: Any, y: Any) -> Any:
            value, gradients = slope(parameters, x, y)
            return value, [
                parameter - RATE * gradient for parameter, gradient in zip(parameters, gradients, strict=True)
            ]

        arrays = to_jax((layers.initial, a, b))
        calls["jax.jit"] = lambda: jax.block_until_ready(step(*arrays))[0]
    return Row(f"width {width}, batch {batch}", calls, "A step of training")


GROUP = Group(
    "What graphs and compilation are worth",
    "The results that guides to TensorFlow show, measured again: small functions and small models, eager, as a "
    "`tf.function`, and compiled by XLA.",
    rows,
)
