"""Drawing in eager mode on the CPU without TensorFlow's operations, from the generator's state and back to it.

NumPy itself draws uniform and normal numbers, integers and orders. Other samplers compute with arrays of NumPy's (see
`arrays`). Both give the numbers that the samplers draw in graphs from the same state, bit for bit, many times faster,
and without a trace. Graphs, XLA and other devices run the samplers on tensors.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial
from typing import Any, Final

import numpy as np
import tensorflow as tf

from tfnp._core import convert, dtypes
from tfnp._core.eager_tensors import eager_tensor, is_watched
from tfnp._core.shapes import Dim
from tfnp._core.tensorflow_internals import context
from tfnp.random import continuous_rare, discrete, discrete_rare, gammas, shuffling, transforms, ziggurat
from tfnp.random.host_streams import HostStream, KeyStream
from tfnp.random.streams import Stream

PART: Final = 1 << 17
"""Elements of a draw that samplers compute at once."""

_ELEMENTWISE: Final = (continuous_rare, discrete, discrete_rare, gammas, transforms, ziggurat)
"""Modules of samplers that draw one element after another, from a stream or from a lane each."""


def draw_flat(source: Any, sampler: Any, count: Dim, tensors: tuple[tf.Tensor, ...], static: Any) -> tf.Tensor | None:
    """Return numbers drawn by NumPy, or by a sampler from arrays; None where neither can."""
    if not isinstance(count, int) or not is_eager_on_cpu(source):
        return None
    if not _is_numpys(source):
        return None if is_watched(*tensors) else _draw_from_lanes(source, sampler, count, tensors, static)
    if sampler is shuffling.draw_orders:
        return _draw_orders(source, count, int(tensors[0]))
    if is_watched(*tensors):
        return _draw_watched(source, sampler, count, tensors, static)
    in_parts = True if sampler.__module__ in _MODULES else getattr(sampler, "draws_in_parts", None)
    if in_parts is None:
        return None
    parameters = [_flush(convert.to_numpy(tensor)) for tensor in tensors]
    with np.errstate(all="ignore"), source._bit_generator._on_host() as stream:
        drawn = _draw_arrays(stream, partial(sampler, **static), count, parameters, PART if in_parts else count)
    return eager_tensor(drawn)


_MODULES: Final = frozenset(module.__name__ for module in _ELEMENTWISE)
_MODULES_OF_LANES: Final = _MODULES - {transforms.__name__, ziggurat.__name__}


def _draw_from_lanes(
    source: Any, sampler: Any, count: int, tensors: tuple[tf.Tensor, ...], static: Any
) -> tf.Tensor | None:
    """Return numbers from lanes, whose key alone the generator draws; None for a sampler that draws more."""
    is_elementwise = sampler.__module__ in _MODULES_OF_LANES and "base" not in static
    if not (is_elementwise or getattr(sampler, "draws_from_lanes", False)):
        return None
    parameters = [_flush(convert.to_numpy(tensor)) for tensor in tensors]
    with source._state.lock:
        words = Stream(source._algorithm, source._state.read())
        stream = KeyStream(convert.to_numpy(words.uint64s(2)))
        source._state.write(words.state)
    size = PART if is_elementwise or sampler.draws_in_parts else count
    with np.errstate(all="ignore"):
        return eager_tensor(_draw_arrays(stream, partial(sampler, **static), count, parameters, size))


def _draw_watched(
    source: Any, sampler: Any, count: int, tensors: tuple[tf.Tensor, ...], static: Any
) -> tf.Tensor | None:
    """Return numbers that have gradients by their parameters; None for another sampler."""
    if sampler is transforms.uniform:
        low, high = tensors
        return low + (high - low) * draw_flat(source, transforms.doubles, count, (), {})
    if sampler is transforms.shift_and_scale:
        loc, scale = tensors
        return loc + scale * draw_flat(source, static["base"], count, (), {})
    if sampler is transforms.scale_by:
        return tensors[0] * draw_flat(source, static["base"], count, (), {})
    return None


def _draw_arrays(
    stream: HostStream, sampler: Callable[..., np.ndarray], count: int, parameters: list[np.ndarray], size: int
) -> np.ndarray:
    """Return what a sampler draws, in parts of so many elements."""
    if count <= size:
        return _flush(np.array(np.broadcast_to(sampler(stream, count, *parameters), (count,))))
    result: np.ndarray | None = None
    for first in range(0, count, size):
        stream.first, length = first, min(size, count - first)
        part = sampler(stream, length, *(row[first : first + length] if row.ndim else row for row in parameters))
        if result is None:
            result = np.empty(count, part.dtype)
        result[first : first + length] = _flush(part)
    assert result is not None
    return result


def _flush(row: np.ndarray) -> np.ndarray:
    """Return an array with zeros for subnormal numbers, as TensorFlow's kernels compute."""
    if row.dtype.kind != "f":
        return row
    is_subnormal = np.abs(row) < np.finfo(row.dtype).tiny
    return np.where(is_subnormal, np.copysign(0.0, row), row) if (is_subnormal & (row != 0.0)).any() else row


def draw_integers(source: Any, low: int, high: int, shape: Any, dtype: np.dtype) -> tf.Tensor | None:
    """Return integers from `low` to `high`, inclusive, that NumPy draws; None where it cannot."""
    is_ours = low > high or dtype == dtypes.BFLOAT16 or not _is_numpys(source)
    if is_ours or not all(isinstance(dim, int) for dim in shape) or not is_eager_on_cpu(source):
        return None
    with source._bit_generator._on_host() as stream:
        if source._legacy:
            drawn = np.random.RandomState(stream.bit_generator).randint(low, high + 1, tuple(shape), dtype)
        else:
            drawn = stream.generator.integers(low, high, tuple(shape), dtype, endpoint=True)
    return eager_tensor(np.asarray(drawn))


def is_eager_on_cpu(source: Any) -> bool:
    """Return whether ops run eagerly on the CPU, and no `tf.device` scope has chosen it among several devices."""
    is_eager = tf.executing_eagerly() and source._state.is_outside_graphs
    return is_eager and not context.context().device_name and not _list_accelerators()


def _is_numpys(source: Any) -> bool:
    """Return whether NumPy has the bit generator."""
    return hasattr(source, "_bit_generator") and source._bit_generator._host_class is not None


@lru_cache(maxsize=1)
def _list_accelerators() -> list[Any]:
    return [device for device in tf.config.list_logical_devices() if device.device_type != "CPU"]


def _draw_orders(source: Any, count: int, length: int) -> tf.Tensor:
    """Return permutations of `length` elements, concatenated to `count` indices."""
    orders = np.tile(np.arange(max(length, 1)), (max(count // max(length, 1), 1), 1))
    with source._bit_generator._on_host() as stream:
        for order in orders:
            stream.generator.shuffle(order)
    return eager_tensor(orders.reshape(-1)[:count])
