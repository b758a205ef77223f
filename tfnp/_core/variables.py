"""Read and write what a `tf.Variable` holds, as its class offers it.

A variable may be one resource, a copy on each replica of a `tf.distribute.Strategy`, or a wrapper that aggregates
writes or caches reads. One resource without such rules is written by ops, through its handle; others by their method
`assign`: outside a replica it updates all copies, inside it follows the variable's aggregation or raises TensorFlow's
error.
"""

from __future__ import annotations

from typing import Any, Final

import tensorflow as tf

from tfnp._core import ops

_ONE_RESOURCE: Final = frozenset(
    ("ResourceVariable", "UninitializedVariable", "UnliftedInitializerVariable", "_UnreadVariable")
)


def store(variable: tf.Variable, value: tf.Tensor) -> None:
    """Assign a tensor to a variable.

    A plain variable is written by the op: its method `assign` takes as long as ten ops.
    """
    if is_basic(variable) and value.dtype is variable.dtype and value.shape == variable.shape:
        ops.assign_variable(variable.handle, value)
    else:
        variable.assign(value, read_value=False)


def update(variable: tf.Variable, value: tf.Tensor) -> None:
    """Assign a tensor that was computed from the variable's value."""
    check_update(variable)
    store(variable, value)


def read_variable(variable: tf.Variable) -> tf.Tensor:
    """Return the value of a variable, without recording the read on a tape and without caches of its class.

    For values that are about to be overwritten, or that have no gradient.
    """
    if is_basic(variable):
        return ops.read_variable(variable.handle, variable.dtype)
    while hasattr(variable, "cached_read_value"):
        variable = variable.get()
    return variable.read_value()


def has_one_resource(variable: tf.Variable) -> bool:
    """Return whether an op may write the variable through its handle: it has no copies, and its class no rules of its
    own.
    """
    return type(variable).__name__ in _ONE_RESOURCE


def check_update(variable: tf.Variable) -> None:
    """Raise NotImplementedError inside a replica if aggregation=SUM would add up the new values of all replicas."""
    if not has_one_resource(variable) and _sums_replicas(variable):
        raise NotImplementedError(
            "elements of a variable with aggregation=SUM cannot be changed inside a replica: the new values of all "
            "replicas would be added up. Use its assign_add, another aggregation, or change it outside strategy.run"
        )


def _sums_replicas(variable: Any) -> bool:
    """Return whether the values that replicas assign are summed, by another rule than when the variable is read."""
    strategy = getattr(variable, "distribute_strategy", None)
    return (
        strategy is tf.distribute.get_strategy()
        and not tf.distribute.in_cross_replica_context()
        and strategy.num_replicas_in_sync > 1
        and variable.aggregation == tf.VariableAggregation.SUM
        and not (
            variable.synchronization == tf.VariableSynchronization.ON_READ
            and isinstance(variable, tf.distribute.DistributedValues)
        )
    )


def is_basic(variable: tf.Variable) -> bool:
    """Return whether the variable is eager, on one device, and of TensorFlow's basic class."""
    return type(variable).__name__ == "ResourceVariable" and ops.executing_eagerly()
