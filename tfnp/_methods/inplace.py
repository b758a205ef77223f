"""Methods that work in place, for which an array must be a `tf.Variable`: tensors are immutable."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import tensorflow as tf

from tfnp._core.variables import read_variable, update


def update_inplace(array: Any, method: str, calculate: Callable[[tf.Tensor], tf.Tensor]) -> None:
    """Assign to a variable what a function calculates from its value. Raise TypeError for a tensor."""
    check_can_change(array, method)
    update(array, calculate(read_variable(array)))


def check_can_change(array: Any, method: str) -> None:
    """Raise TypeError, with the alternative to the method, for an array that is not a variable."""
    if not isinstance(array, tf.Variable):
        raise TypeError(f"a tensor never changes, so {method} cannot work in place: {ALTERNATIVES[method]}")


ALTERNATIVES = {
    "flat": "use tensor.at[...].set(values), or the flat of a tf.Variable",
    "fill": "use tfnp.full_like(tensor, value), or the method of a tf.Variable",
    "partition": "use tfnp.partition(tensor, kth), or the method of a tf.Variable",
    "put": "use tensor.at[...].set(values), or the method of a tf.Variable",
    "resize": "use tfnp.resize(tensor, shape), or the method of a tf.Variable",
    "sort": "use tfnp.sort(tensor), or the method of a tf.Variable",
}
"""The alternative for a tensor, by method."""
