"""Methods that change the array they belong to: a `tf.Variable`, since tensors never change."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import tensorflow as tf

from tfnp._core.variables import read_variable, update


def change(array: Any, method: str, calculate: Callable[[tf.Tensor], tf.Tensor]) -> None:
    """Assign to a variable what is made of its value. A tensor is refused, with what to do instead."""
    check_can_change(array, method)
    update(array, calculate(read_variable(array)))


def check_can_change(array: Any, method: str) -> None:
    """Raise TypeError for a tensor."""
    if not isinstance(array, tf.Variable):
        raise TypeError(f"a tensor never changes, so it has no {method} in place: {INSTEAD[method]}")


INSTEAD = {
    "flat": "use tensor.at[...].set(values), or the flat of a tf.Variable",
    "fill": "use tfnp.full_like(tensor, value), or the method of a tf.Variable",
    "partition": "use tfnp.partition(tensor, kth), or the method of a tf.Variable",
    "put": "use tensor.at[...].set(values), or the method of a tf.Variable",
    "resize": "use tfnp.resize(tensor, shape), or the method of a tf.Variable",
    "sort": "use tfnp.sort(tensor), or the method of a tf.Variable",
}
"""What to do with a tensor, for each method."""
