"""What `tf.Variable` holds, read and written: `assign` takes as long as ten ops, most of it to look after what a plain
variable in eager mode has not.
"""

from __future__ import annotations

import tensorflow as tf

_assign = tf.raw_ops.AssignVariableOp.__wrapped__
_read = tf.raw_ops.ReadVariableOp.__wrapped__


def store(variable: tf.Variable, value: tf.Tensor) -> None:
    """Have a variable hold a tensor."""
    if _is_plain(variable) and value.shape == variable.shape and value.dtype == variable.dtype:
        _assign(variable.handle, value)
    else:
        variable.assign(value, read_value=False)


def held(variable: tf.Variable) -> tf.Tensor:
    """What a variable holds, where no tape need know that it was read: it is about to be overwritten, or are bits."""
    return _read(variable.handle, variable.dtype) if _is_plain(variable) else variable.read_value()


def _is_plain(variable: tf.Variable) -> bool:
    """Whether the variable is eager, on one device, and of no class that has ways of its own."""
    return type(variable).__name__ == "ResourceVariable" and tf.executing_eagerly()
