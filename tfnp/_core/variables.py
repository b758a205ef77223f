"""Read and write what a `tf.Variable` holds, as its class offers it.

A variable may be one resource, a copy on each replica of a `tf.distribute.Strategy`, or a wrapper that sums up what
replicas write or keeps what was read. What has one resource and no ways of its own is written by ops, which know its
handle; all else by its `assign`: outside a replica that keeps all copies alike, inside it does what the variable's
aggregation allows, or raises TensorFlow's error.
"""

from __future__ import annotations

from typing import Any, Final

import tensorflow as tf

_assign = tf.raw_ops.AssignVariableOp.__wrapped__
_read = tf.raw_ops.ReadVariableOp.__wrapped__
_ONE_RESOURCE: Final = frozenset(
    ("ResourceVariable", "UninitializedVariable", "UnliftedInitializerVariable", "_UnreadVariable")
)


def store(variable: tf.Variable, value: tf.Tensor) -> None:
    """Replace what a variable holds by a tensor.

    A plain variable is written by the op: `assign` takes as long as ten ops, most of it to look after what it has not.
    """
    if _is_plain(variable) and value.shape == variable.shape and value.dtype == variable.dtype:
        _assign(variable.handle, value)
    else:
        variable.assign(value, read_value=False)


def update(variable: tf.Variable, value: tf.Tensor) -> None:
    """Replace what a variable holds by a tensor that was calculated from it."""
    check_update(variable)
    store(variable, value)


def read_variable(variable: tf.Variable) -> tf.Tensor:
    """Return what a variable holds, where no tape need know that it was read: it is about to be overwritten, or are
    bits. What a class keeps of earlier reads is not used.
    """
    if _is_plain(variable):
        return _read(variable.handle, variable.dtype)
    while hasattr(variable, "cached_read_value"):
        variable = variable.get()
    return variable.read_value()


def has_one_resource(variable: tf.Variable) -> bool:
    """Return whether an op may change the variable by its handle: it has no copies, and its class no rules."""
    return type(variable).__name__ in _ONE_RESOURCE


def check_update(variable: tf.Variable) -> None:
    """Raise NotImplementedError where the new values of all replicas would be added up, and so what was there before
    would be counted once for each.
    """
    if not has_one_resource(variable) and _sums_replicas(variable):
        raise NotImplementedError(
            "elements of a variable with aggregation=SUM cannot be changed inside a replica: the new values of all "
            "replicas would be added up. Use its assign_add, another aggregation, or change it outside strategy.run"
        )


def _sums_replicas(variable: Any) -> bool:
    """Return whether what is assigned here is added to what other replicas assign. Copies that are added up when they
    are read, each replica writes alone.
    """
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


def _is_plain(variable: tf.Variable) -> bool:
    """Return whether the variable is eager, on one device, and of no class that has ways of its own."""
    return type(variable).__name__ == "ResourceVariable" and tf.executing_eagerly()
