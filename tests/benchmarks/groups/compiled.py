"""What compiled calls cost, and what compiling costs: `tfnp.jit`, `tf.function(jit_compile=True)` and `jax.jit`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from math import isqrt
from operator import attrgetter
from typing import Any

import numpy as np
import tensorflow as tf

import tfnp
from tests.benchmarks.measurement import Group, Row
from tests.benchmarks.rivals import in_jax, jnp


def rows(n: int) -> Iterator[Row]:
    rng = np.random.default_rng(0)
    a, b = rng.standard_normal((2, n))
    a32, integers = a.astype(np.float32), rng.integers(0, max(n // 10, 1), n)
    matrix = a[: isqrt(n) ** 2].reshape(isqrt(n), -1)
    heading = "Elementwise"
    yield compare("sigmoid, 8 float32", sigmoid, a32[:8], raw=tf.sigmoid, heading=heading)
    yield compare("sigmoid, float32", sigmoid, a32, raw=tf.sigmoid, heading=heading)
    yield compare("sigmoid", sigmoid, a, raw=tf.sigmoid, heading=heading)
    yield compare("hypot", lambda np, x, y: np.hypot(x, y), a, b, heading=heading)
    yield compare("chain of 16", chain, a, heading=heading)
    heading = "Reductions and scans"
    yield compare("sum", lambda np, x: np.sum(x), a, raw=tf.reduce_sum, heading=heading)
    yield compare(
        "std, axis=0", lambda np, x: np.std(x, 0), matrix, raw=lambda x: tf.math.reduce_std(x, 0), heading=heading
    )
    yield compare("cumsum", lambda np, x: np.cumsum(x), a, raw=tf.cumsum, heading=heading)
    yield compare("argmax", lambda np, x: np.argmax(x), a, raw=tf.argmax, heading=heading)
    heading = "Sorts"
    yield compare("sort", lambda np, x: np.sort(x), a, raw=tf.sort, heading=heading)
    yield compare("argsort", lambda np, x: np.argsort(x, stable=True), a, raw=tf.argsort, heading=heading)
    yield compare("median", lambda np, x: np.median(x), a, heading=heading)
    yield compare("searchsorted", lambda np, x, y: np.searchsorted(x, y), np.sort(a), b, heading=heading)
    yield compare("unique, size=", unique, integers, heading=heading)
    yield from most_called(n)


def most_called(n: int) -> Iterator[Row]:
    """Yield a row of each of the functions that programs call most."""
    rng = np.random.default_rng(0)
    a, b, positive = rng.standard_normal(n), rng.standard_normal(n), rng.random(n) + 0.5
    side = isqrt(n)
    matrix, square = a[: side**2].reshape(side, side), b[: (side // 2) ** 2].reshape(side // 2, side // 2)
    order, integers = rng.permutation(n), rng.integers(0, 1000, n)
    of_two = ("add", "subtract", "multiply", "divide", "maximum", "minimum", "arctan2", "less", "logical_and")
    of_one = (
        "absolute",
        "negative",
        "square",
        "exp",
        "sin",
        "cos",
        "tanh",
        "sign",
        "floor",
        "round",
        "isnan",
        "isfinite",
    )
    reducing = (
        "sum",
        "mean",
        "std",
        "var",
        "max",
        "min",
        "prod",
        "any",
        "all",
        "argmax",
        "argmin",
        "cumsum",
        "diff",
        "ptp",
    )
    others = ("flip", "ravel", "sort", "median", "nan_to_num", "linalg.norm", "trapezoid")
    calls: list[tuple[str, tuple[Any, ...], dict[str, Any]]] = [
        *((name, (a, b), {}) for name in of_two),
        *((name, (a,), {}) for name in of_one + reducing + others),
        *((name, (positive,), {}) for name in ("sqrt", "log", "log10", "log1p")),
        *((name, (matrix,), {"axis": 0}) for name in ("sum", "mean", "max", "argmax", "cumsum")),
        ("power", (positive, b), {}), ("mod", (a, positive), {}), ("floor_divide", (integers, integers + 1), {}),
        ("clip", (a, -1, 1), {}), ("where", (a > 0, a, b), {}), ("take", (a, order), {}), ("roll", (a, 7), {}),
        ("tile", (a, 2), {}), ("repeat", (a, 2), {}), ("transpose", (matrix,), {}), ("pad", (matrix, 1), {}),
        ("concatenate", ([a, b],), {}), ("stack", ([a, b],), {}), ("dot", (a, b), {}), ("matmul", (square, square), {}),
        ("outer", (a[:side], b[:side]), {}), ("percentile", (a, 30), {}),
        ("fft.fft", (a[: 2 ** (n.bit_length() - 1)],), {}),
    ]  # fmt: skip
    for name, args, options in calls:
        label = name + "".join(f", {key}={value}" for key, value in options.items())
        yield compare_name(label, name, args, options)


def compare_name(label: str, name: str, args: tuple[Any, ...], options: dict[str, Any]) -> Row:
    """Return a row of a function of NumPy's in tfnp, NumPy and JAX. Arrays are inputs, all else is static."""
    arrays = [leaf for leaf in tf.nest.flatten(args) if isinstance(leaf, np.ndarray)]

    def call(library: Any, *inputs: Any) -> Any:
        remaining = iter(inputs)
        filled = tf.nest.map_structure(lambda leaf: next(remaining) if isinstance(leaf, np.ndarray) else leaf, args)
        return attrgetter(name)(library)(*filled, **options)

    jitted, tensors = tfnp.jit(partial(call, tfnp), autograph=False), [tf.constant(array) for array in arrays]
    calls = {"tfnp.jit": lambda: jitted(*tensors), "numpy": lambda: call(np, *arrays)}
    in_jnp = in_jax(partial(call, jnp), *arrays, jit=True)
    if in_jnp is not None:
        calls["jax.jit"] = in_jnp
    return Row(label, calls, "Functions that programs call most")


def compare(
    name: str, function: Callable[..., Any], *args: np.ndarray, raw: Callable[..., Any] | None = None, heading: str
) -> Row:
    """Return a row of a function that takes the library and arrays."""

    def in_tfnp(*tensors: tf.Tensor) -> Any:
        return function(tfnp, *tensors)

    tensors = [tf.constant(array) for array in args]
    jitted, compiled = tfnp.jit(in_tfnp), tf.function(in_tfnp, jit_compile=True)
    calls = {
        "tfnp.jit": lambda: jitted(*tensors),
        "tf.function": lambda: compiled(*tensors),
        "numpy": lambda: function(np, *args),
    }
    if raw is not None:
        raw_compiled = tf.function(raw, jit_compile=True)
        calls["raw"] = lambda: raw_compiled(*tensors)
    in_jnp = in_jax(lambda *arrays: function(jnp, *arrays), *args, jit=True)
    if in_jnp is not None:
        calls["jax.jit"] = in_jnp
    return Row(name, calls, heading)


def sigmoid(np: Any, x: Any) -> Any:
    return 1 / (1 + np.exp(-x))


def chain(np: Any, x: Any) -> Any:
    """Return the result of operations of which each needs the one before."""
    for _ in range(4):
        x = np.sqrt(np.abs(np.sin(x) + 1.5))
    return x


def unique(np: Any, x: Any) -> Any:
    """Return the unique elements; compiled, the library has to be told how many there are at most."""
    if np.__name__ == "numpy":
        found = np.unique(x)
        return np.concatenate([found, np.full(x.size - found.size, found[0])])
    return np.unique(x, size=x.shape[0])


GROUP = Group(
    "Compiled calls",
    "Functions compiled by XLA, of a million elements of float64 where nothing else is said. `tfnp.jit` and "
    "`tf.function` (with `jit_compile=True`) compile the same program of tfnp's; `raw` is TensorFlow's own function, "
    "compiled. The first call, which compiles, stands apart. What only reads and writes memory takes two to three "
    "times as long when the processor's cache does not hold the arrays, which here are several libraries' in turn.",
    rows,
)
