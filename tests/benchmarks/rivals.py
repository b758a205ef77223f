"""The libraries that a call is measured in: tfnp, TensorFlow's own, NumPy, and JAX where it is installed."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from operator import attrgetter
from typing import Any

import numpy as np
import tensorflow as tf
import tensorflow.experimental.numpy as tnp

import tfnp
from tests.benchmarks.measurement import Call, Row

try:
    import jax
    import jax.numpy as jnp
except ImportError:
    jax = jnp = None
else:
    jax.config.update("jax_enable_x64", True)

Raw = Callable[..., Any]


def bare(op: Callable) -> Callable:
    """Return the positional function behind a raw op: one `TFE_Py_FastPathExecute` and little more."""
    return op.__wrapped__


def convert(value: Any, make: Callable[[np.ndarray], Any]) -> Any:
    """Convert the arrays in an argument."""
    return tf.nest.map_structure(lambda leaf: make(leaf) if isinstance(leaf, np.ndarray) else leaf, value)


def to_jax(value: Any) -> Any:
    """Return the argument with arrays of JAX's, where JAX is installed."""
    return convert(value, jnp.asarray) if jax else value


def in_jax(call: Raw, *args: Any, jit: bool = False) -> Call | None:
    """Return a call of JAX that ends when its result is there; nothing where JAX is missing."""
    if jax is None:
        return None
    run = partial(jax.jit(call) if jit else call, *to_jax(args))

    def wait() -> Any:
        result = run()
        return result.block_until_ready() if hasattr(result, "block_until_ready") else jax.block_until_ready(result)

    return wait


def compare(name: str, ours: Call, /, *, heading: str = "", note: str = "", same: bool = True, **others: Any) -> Row:
    """Return a row of tfnp beside those of the others that there are."""
    calls = {"tfnp": ours, **{other: call for other, call in others.items() if call is not None}}
    return Row(name, calls, heading, note, same)


def of_name(
    name: str,
    *args: Any,
    raw: Raw | None = None,
    label: str = "",
    heading: str = "",
    note: str = "",
    graph: bool = False,
    **options: Any,
) -> Row:
    """Return a row of one of NumPy's names, in every library that has it. `raw` takes the arguments as tensors.

    With `graph`, one contender is tfnp in a `tf.function`.
    """
    tensors = convert(args, tf.constant)
    in_jnp = _bind(jnp, name, to_jax(args), options)
    return compare(
        label or name,
        _bind(tfnp, name, tensors, options),
        heading=heading,
        note=note,
        graph=in_graph(partial(attrgetter(name)(tfnp), **options), tensors) if graph else None,
        raw=raw and partial(raw, *tensors),
        stock=_bind(tnp, name, tensors, options),
        numpy=_bind(np, name, args, options),
        jax=in_jnp and in_jax(in_jnp),
    )


def in_graph(call: Raw, args: Any) -> Call:
    """Return a call of a `tf.function`, whose inputs are the tensors among the arguments; all else is static."""
    leaves = tf.nest.flatten(args)
    tensors = [leaf for leaf in leaves if isinstance(leaf, tf.Tensor)]

    @tf.function(autograph=False)
    def run(*inputs: tf.Tensor) -> Any:
        remaining = iter(inputs)
        filled = [next(remaining) if isinstance(leaf, tf.Tensor) else leaf for leaf in leaves]
        return call(*tf.nest.pack_sequence_as(args, filled))

    return partial(run, *tensors)


def _bind(library: Any, name: str, args: Any, options: dict[str, Any]) -> Call | None:
    try:
        function = attrgetter(name)(library)
    except AttributeError:
        return None
    return partial(function, *args, **options)
