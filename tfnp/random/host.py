"""Drawing in eager mode on the CPU by NumPy itself, from the generator's state and back to it.

These are the numbers that the samplers draw from the same state, bit for bit, and NumPy draws them many times faster.
Graphs, XLA and other devices run the samplers. So do distributions whose last digits are not NumPy's, such as the
exponential one: a seed gives the same numbers in every mode.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, Final

import numpy as np
import tensorflow as tf
from tensorflow.python.eager import context

from tfnp._core import dtypes
from tfnp._core.eager_tensors import eager_tensor
from tfnp._core.shapes import Dim
from tfnp.random import shuffling, transforms, ziggurat

Draw = Callable[[np.random.Generator, int], np.ndarray]

_DRAWS: Final[dict[Any, Draw]] = {
    transforms.doubles: lambda generator, count: generator.random(count),
    transforms.floats: lambda generator, count: generator.random(count, np.float32),
    ziggurat.normals: lambda generator, count: generator.standard_normal(count),
    transforms.normals_float32: lambda generator, count: generator.standard_normal(count, np.float32),
}
"""NumPy's methods, by the sampler without parameters that draws the same."""


def draw_flat(source: Any, sampler: Any, count: Dim, tensors: tuple[tf.Tensor, ...], static: Any) -> tf.Tensor | None:
    """Return numbers that NumPy draws in place of a sampler; None where it cannot."""
    if not isinstance(count, int) or not _is_eager_on_cpu(source):
        return None
    if sampler is shuffling.draw_orders:
        return _draw_orders(source, count, int(tensors[0]))
    if sampler in _DRAWS and not tensors:
        return _draw(source, _DRAWS[sampler], count)
    if sampler is transforms.uniform:
        low, high = tensors
        return low + (high - low) * _draw(source, _DRAWS[transforms.doubles], count)
    if sampler is transforms.shift_and_scale and static["base"] in _DRAWS:
        loc, scale = tensors
        return loc + scale * _draw(source, _DRAWS[static["base"]], count)
    return None


def draw_integers(source: Any, low: int, high: int, shape: Any, dtype: np.dtype) -> tf.Tensor | None:
    """Return integers from `low` to `high`, inclusive, that NumPy draws; None where it cannot."""
    is_ours = source._legacy or low > high or dtype == dtypes.BFLOAT16
    if is_ours or not all(isinstance(dim, int) for dim in shape) or not _is_eager_on_cpu(source):
        return None
    with source._bit_generator._on_host() as host:
        drawn = np.random.Generator(host).integers(low, high, tuple(shape), dtype, endpoint=True)
    return eager_tensor(np.asarray(drawn))


def _is_eager_on_cpu(source: Any) -> bool:
    """Return whether ops run eagerly on the CPU, and no `tf.device` scope has chosen it among several devices."""
    is_eager = tf.executing_eagerly() and source._state.is_outside_graphs
    has_host = hasattr(source, "_bit_generator") and source._bit_generator._host_class is not None
    return is_eager and has_host and not context.context().device_name and not _list_accelerators()


@lru_cache(maxsize=1)
def _list_accelerators() -> list[Any]:
    return [device for device in tf.config.list_logical_devices() if device.device_type != "CPU"]


def _draw(source: Any, draw: Draw, count: int) -> tf.Tensor:
    with source._bit_generator._on_host() as host:
        return eager_tensor(draw(np.random.Generator(host), count))


def _draw_orders(source: Any, count: int, length: int) -> tf.Tensor:
    """Return permutations of `length` elements, concatenated to `count` indices."""
    orders = np.tile(np.arange(max(length, 1)), (max(count // max(length, 1), 1), 1))
    with source._bit_generator._on_host() as host:
        generator = np.random.Generator(host)
        for order in orders:
            generator.shuffle(order)
    return eager_tensor(orders.reshape(-1)[:count])
