"""Eager tensors: their class, their properties as functions, and tensors made without the checks of `tf.constant`.

Attributes of a tensor are looked up through a slow hook in Python; these functions read four of them directly.
"""

from __future__ import annotations

import numpy as np
import tensorflow as tf

from tfnp._core.tensorflow_internals import context, pywrap_tfe, record

EagerTensor = tf.__internal__.EagerTensor
enum_of = EagerTensor._datatype_enum
rank_of = EagerTensor._rank
shape_of = EagerTensor._shape_tuple
size_of = EagerTensor._num_elements
_started = False


def eager_tensor(array: np.ndarray) -> tf.Tensor:
    """Return an eager tensor that shares the memory of a native array in C order, which nothing else may change."""
    if not _started:
        _start()
    return EagerTensor(array, None, None)


def place_tensor(array: np.ndarray) -> tf.Tensor:
    """Return an eager tensor of an array on the device of the current `tf.device` scope."""
    if not _started:
        _start()
    return EagerTensor(array, context.context().device_name or None, None)  # the device "" would copy it


def host_tensor(array: np.ndarray) -> tf.Tensor:
    """Return an eager tensor of an array in the host's memory. There TensorFlow leaves int32 in any case, and a device
    scope would take several times as long.
    """
    if array.dtype == np.int32:
        return eager_tensor(array)
    with tf.device("CPU:0"):
        return eager_tensor(array)


def eager_scalar(value: complex, enum: int) -> tf.Tensor:
    """Return an eager tensor of a Python scalar that the dtype can represent."""
    if not _started:
        _start()
    return EagerTensor(value, None, enum)


def executing_eagerly() -> bool:
    """Return `tf.executing_eagerly()`, in half its time: most calls ask several times."""
    current = context._context
    if current is None:  # the runtime has not been started, and no graph is being traced
        return context.default_execution_mode == context.EAGER_MODE
    return current._thread_local_data.is_eager


def is_on_host(x: tf.Tensor) -> bool:
    """Return whether this is an eager tensor in the host's memory, which NumPy can read, and ops run eagerly."""
    return type(x) is EagerTensor and executing_eagerly() and "CPU" in x.device


could_record = record.could_possibly_record
"""Return whether a tape or a forward accumulator may record."""


def needs_gradient() -> bool:
    """Return whether a gradient may be asked for: in a graph, or where a tape records."""
    return not executing_eagerly() or record.could_possibly_record()


def is_watched(*tensors: tf.Tensor) -> bool:
    """Return whether a gradient tape or a forward accumulator watches one of the tensors."""
    return record.could_possibly_record() and bool(pywrap_tfe.TFE_Py_TapeSetPossibleGradientTypes(tensors))


def count_watchers(tensor: tf.Tensor) -> int:
    """Return how many tapes and forward accumulators watch a tensor: 0, 1, or 2 for more, or for a persistent tape."""
    return int(pywrap_tfe.TFE_Py_TapeSetPossibleGradientTypes((tensor,))) if record.could_possibly_record() else 0


def is_recorded() -> bool:
    """Return whether a tape or forward mode records in eager mode.

    A loop is then not run as a traced graph: TensorFlow takes seconds for the gradient of one, minutes for that in
    second order, and has no forward mode for it.
    """
    return executing_eagerly() and record.could_possibly_record()


def _start() -> None:
    """Start TensorFlow's runtime, without which calling the class EagerTensor ends the process."""
    global _started  # noqa: PLW0603 - a process starts it once
    tf.config.list_logical_devices()
    _started = True
