"""What random numbers cost: NumPy's own streams, and TensorFlow's kernels."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np
import tensorflow as tf
import tensorflow.experimental.numpy as tnp

import tfnp
from tests.benchmarks.measurement import Group, Row
from tests.benchmarks.rivals import in_jax, jax, jnp

IN_GRAPHS = "In a graph NumPy's stream is computed by TensorFlow's operations: draws and rejections follow its rules."


def rows(n: int) -> Iterator[Row]:
    yield from draws(n, "NumPy's stream, eager", tfnp.random.default_rng(0), eager=True)
    yield from draws(n, "TensorFlowPhilox, eager", tfnp.random.Generator(tfnp.random.TensorFlowPhilox(0)), eager=True)
    few = max(n // 10, 1)
    yield from draws(few, f"NumPy's stream, tf.function, {few} draws", tfnp.random.default_rng(0), eager=False)
    philox = tfnp.random.Generator(tfnp.random.TensorFlowPhilox(0))
    yield from draws(few, f"TensorFlowPhilox, tf.function, {few} draws", philox, eager=False)


def draws(n: int, heading: str, ours: Any, *, eager: bool) -> Iterator[Row]:
    theirs, key, tenth = np.random.default_rng(0), [1, 2], max(n // 10, 1)
    random = tf.random
    raw: dict[str, Callable[[], Any]] = {
        "random": partial(random.stateless_uniform, [n], key, dtype=tf.float64),
        "standard_normal": partial(random.stateless_normal, [n], key, dtype=tf.float64),
        "integers": partial(random.stateless_uniform, [n], key, 0, 1000, tf.int64),
        "permutation": lambda: tf.argsort(random.stateless_uniform([n], key)),
        "standard_gamma": partial(random.stateless_gamma, [tenth], key, 2.0, dtype=tf.float64),
    }
    stock: dict[str, Callable[[], Any]] = {
        "random": partial(tnp.random.random, (n,)),
        "standard_normal": partial(tnp.random.standard_normal, (n,)),
        "integers": partial(tnp.random.randint, 0, 1000, (n,)),
    }
    for name, args in {
        "random": (n,),
        "standard_normal": (n,),
        "integers": (0, 1000, n),
        "permutation": (n,),
        "standard_gamma": (2.0, tenth),
    }.items():
        call = partial(getattr(ours, name), *args)
        calls = {
            "tfnp": call if eager else tf.function(call),
            "raw": raw[name] if eager else tf.function(raw[name]),
            "stock": stock.get(name) if eager else None,
            "numpy": partial(getattr(theirs, name), *args),
            "jax": _in_jax(name, tenth if name == "standard_gamma" else n),
        }
        note = "" if eager else IN_GRAPHS
        label = f"{name}, a tenth" if name == "standard_gamma" else name
        yield Row(label, {who: call for who, call in calls.items() if call is not None}, heading, note, same=False)


def _in_jax(name: str, n: int) -> Callable[[], Any] | None:
    if jax is None:
        return None
    key, random = jax.random.key(0), jax.random
    call: dict[str, Callable[[], Any]] = {
        "random": lambda: random.uniform(key, (n,), jnp.float64),
        "standard_normal": lambda: random.normal(key, (n,), jnp.float64),
        "integers": lambda: random.randint(key, (n,), 0, 1000, jnp.int64),
        "permutation": lambda: random.permutation(key, n),
        "standard_gamma": lambda: random.gamma(key, 2.0, (n,), jnp.float64),
    }
    return in_jax(call[name])


GROUP = Group(
    "Random numbers",
    "A million draws where nothing else is said. tfnp's generators give NumPy's numbers bit for bit, or with "
    "`TensorFlowPhilox` those of TensorFlow's kernels; `raw` is its stateless kernel, `stock` the stateful one.",
    rows,
)
