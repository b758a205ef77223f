"""`tf.vectorized_map`: converters of ops that TensorFlow lacks, so that it runs our functions row by row.

The registry of converters is private; there is no public one.
"""

from __future__ import annotations

import functools
import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final

import tensorflow as tf

from tfnp._core.tensorflow_internals import pfor

Op = Callable[..., tf.Tensor]


@functools.cache
def register_converters(update_strided_slice: Op, update_dynamic_slice: Op) -> None:
    """Have `tf.vectorized_map` convert the ops that we use, unless TensorFlow can; two of them are not public."""
    writes = {
        "TensorStridedSliceUpdate": functools.partial(_convert_strided_slice_update, update_strided_slice),
        "XlaDynamicUpdateSlice": functools.partial(_convert_dynamic_update_slice, update_dynamic_slice),
    }
    for name, convert in (writes | _CONVERTERS).items():
        try:
            pfor.RegisterPFor(name)(convert)
        except KeyError:
            pass  # TensorFlow has a converter, or another copy of this module registered ours


@contextmanager
def without_logs() -> Iterator[None]:
    """Leave out the lines that TensorFlow logs where it cannot convert an op, for who catches the error."""
    logger = tf.get_logger()
    logger.addFilter(_is_no_error_of_pfor)
    try:
        yield
    finally:
        logger.removeFilter(_is_no_error_of_pfor)


def _is_no_error_of_pfor(record: logging.LogRecord) -> bool:
    return record.filename != "pfor.py" or record.levelno != logging.ERROR


def _convert_bitcast(pfor_input: Any) -> Any:
    return pfor.wrap(tf.bitcast(pfor_input.stacked_input(0), pfor_input.get_attr("type")), True)


def _convert_strided_slice_update(update: Op, pfor_input: Any) -> Any:
    pfor_input.stack_inputs([0, 4])
    ends = [pfor_input.unstacked_input(position) for position in (1, 2, 3)]
    begin, end, strides = [tf.concat([[first], bound], 0) for first, bound in zip((0, 0, 1), ends, strict=True)]
    masks = {name: pfor_input.get_attr(name) << 1 for name in _MASKS}
    masks["begin_mask"] |= 1
    masks["end_mask"] |= 1
    tensor, value = pfor_input.stacked_input(0), pfor_input.stacked_input(4)
    return pfor.wrap(update(tensor, begin, end, strides, value, **masks), True)


def _convert_dynamic_update_slice(update: Op, pfor_input: Any) -> Any:
    pfor_input.stack_inputs([0, 1])
    tensor, value, begin = pfor_input.stacked_input(0), pfor_input.stacked_input(1), pfor_input.unstacked_input(2)
    return pfor.wrap(update(tensor, value, tf.concat([[0], begin], 0)), True)


def _convert_scatter(scatter: Op) -> Callable[[Any], Any]:
    """Return the converter of an op that updates elements of a tensor at indices: each row's have its number."""

    def convert(pfor_input: Any) -> Any:
        pfor_input.stack_inputs([0, 1, 2])
        tensor, indices, updates = [pfor_input.stacked_input(position) for position in (0, 1, 2)]
        shape = tf.concat([tf.shape(indices)[:-1], [1]], 0)
        ones = tf.ones([tf.rank(indices) - 1], tf.int32)
        rows = tf.reshape(tf.range(tf.cast(shape[0], indices.dtype)), tf.concat([shape[:1], ones], 0))
        return pfor.wrap(scatter(tensor, tf.concat([tf.broadcast_to(rows, shape), indices], -1), updates), True)

    return convert


_MASKS: Final = ("begin_mask", "end_mask", "ellipsis_mask", "new_axis_mask", "shrink_axis_mask")
_CONVERTERS: Final[dict[str, Callable[[Any], Any]]] = {
    "Bitcast": _convert_bitcast,
    "TensorScatterAdd": _convert_scatter(tf.tensor_scatter_nd_add),
    "TensorScatterSub": _convert_scatter(tf.tensor_scatter_nd_sub),
    "TensorScatterMax": _convert_scatter(tf.tensor_scatter_nd_max),
    "TensorScatterMin": _convert_scatter(tf.tensor_scatter_nd_min),
}
