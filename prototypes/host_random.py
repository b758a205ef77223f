"""Random numbers in eager mode on the CPU by NumPy itself, from the state in the variable and back to it.

Goes into a new module tfnp/random/on_host.py, called by `runs.run_flat` and `bounds._of_one`. What graphs, XLA and other
devices run stays as it is, and draws the same numbers from the same states.

Only what NumPy's own method gives bit by bit as the traced one does: doubles, floats, normals, integers, orders, words.
Exponentials are not: their last digits differ, and a seed must give the same numbers in every mode.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np
import tensorflow as tf

from tfnp._core import convert, dtypes
from tfnp.random import bit_generators, bounds, runs, shuffling, streams, transforms, ziggurat
from tfnp.random.states import State


def is_on_host() -> bool:
    """Whether an eager op would run on this machine's CPU."""
    return tf.executing_eagerly() and not _accelerators() and "CPU" in (tf.zeros(()).device if _has_scope() else "CPU")


def _has_scope() -> bool:
    from tensorflow.python.eager import context

    return bool(context.context().device_name)


@lru_cache(maxsize=1)
def _accelerators() -> bool:
    """Whether there is something else that eager ops would run on."""
    return bool(tf.config.list_logical_devices("GPU") or tf.config.list_logical_devices("TPU"))


class Lent:
    """NumPy's bit generator where ours is; when it is given back, ours is where NumPy's has come to."""

    def __init__(self, source: Any) -> None:
        self._bits = getattr(source, "_bit_generator", source)
        self._state: State = source._state

    def __enter__(self) -> Any:
        self._state.lock.acquire()
        algorithm, row = self._bits._algorithm, self._state.peek()
        self._rest = row[algorithm.size + 2 :]
        size = algorithm.size
        halves = {} if algorithm.bits == 32 else {"has_uint32": int(row[size]), "uinteger": int(row[size + 1])}
        host = self._bits._host
        host.state = {"bit_generator": algorithm.name, **algorithm.decode(row[:size]), **halves}
        return host

    def __exit__(self, kind: Any, *_: Any) -> None:
        try:
            if kind is None:
                row = bit_generators._row(self._bits._algorithm, self._bits._host.state)
                row[-2:] = self._rest  # RandomState's normal number that is left over
                self._state.put(row)
        finally:
            self._state.lock.release()


Drawer = Callable[[Any, int], np.ndarray]


def _generator(host: Any) -> np.random.Generator:
    return np.random.Generator(host)


DRAWERS: dict[Any, Drawer] = {
    transforms.doubles: lambda host, count: _generator(host).random(count),
    transforms.floats: lambda host, count: _generator(host).random(count, np.float32),
    ziggurat.normals: lambda host, count: _generator(host).standard_normal(count),
    transforms.short_normals: lambda host, count: _generator(host).standard_normal(count, np.float32),
    bit_generators.words_of: lambda host, count: host.random_raw(count),
}
"""What NumPy draws in place of a sampler without parameters."""

PER_ALGORITHM = frozenset({"PCG64", "PCG64DXSM", "Philox", "SFC64", "MT19937"})


def draw(source: Any, sampler: Any, count: Any, *tensors: tf.Tensor, **static: Any) -> tf.Tensor | None:
    """Return what `runs.run_flat` would, or None where that has to do it."""
    if not isinstance(count, int) or not is_on_host():
        return None
    if sampler is shuffling.order:
        return _orders(source, count, tensors[0])
    if sampler is transforms.moved and static["of"] in DRAWERS:
        loc, scale = tensors
        return loc + scale * _drawn(source, DRAWERS[static["of"]], count)
    if sampler is transforms.uniform:
        low, high = tensors
        return low + (high - low) * _drawn(source, DRAWERS[transforms.doubles], count)
    drawer = DRAWERS.get(sampler)
    return None if drawer is None or tensors else _drawn(source, drawer, count)


def _drawn(source: Any, drawer: Drawer, count: int) -> tf.Tensor:
    with Lent(source) as host:
        return convert.eager_tensor(drawer(host, count))


def _orders(source: Any, count: int, length: tf.Tensor) -> tf.Tensor:
    """Orders of `length` elements, one after another."""
    each = max(int(length), 1)
    with Lent(source) as host:
        generator = _generator(host)
        found = np.arange(each) if count <= each else np.tile(np.arange(each), (count // each, 1))
        if count <= each:
            generator.shuffle(found)
        else:
            for row in found:
                generator.shuffle(row)
    return convert.eager_tensor(found.reshape(-1)[:count])


def integers(source: Any, low: int, high: int, sides: tuple[int, ...], dtype: np.dtype) -> tf.Tensor | None:
    """Return integers from `low` to `high`, both included; None where the traced way has to do it."""
    if source._legacy or not all(isinstance(side, int) for side in sides) or not is_on_host():
        return None
    with Lent(source) as host:
        return convert.eager_tensor(np.asarray(_generator(host).integers(low, high, sides, dtype, endpoint=True)))


# How they are called: `runs.run_flat` begins with
#     found = on_host.draw(source, sampler, count, *tensors, **static); if found is not None: return found
# and `bounds._of_one`, once `sides`, `first` and `last` are known and checked, with `on_host.integers(...)`.

_run_flat, _of_one = runs.run_flat, bounds._of_one


def run_flat(source: Any, sampler: Any, count: Any, *tensors: tf.Tensor, **static: Any) -> tf.Tensor:
    found = draw(source, sampler, count, *tensors, **static)
    return _run_flat(source, sampler, count, *tensors, **static) if found is None else found


def of_one(source: Any, low: Any, high: Any, size: Any, dtype: np.dtype, endpoint: bool) -> tf.Tensor:
    common = np.broadcast_shapes(np.shape(low), np.shape(high))
    sides = common if size is None else bounds.parameters.as_size(size)
    first, last = bounds._whole(low), bounds._whole(high) - (not endpoint)
    if not common and last >= first and dtype != dtypes.BFLOAT16:
        found = integers(source, first, last, tuple(sides), dtype)
        if found is not None:
            return found
    return _of_one(source, low, high, size, dtype, endpoint)


def install(on: bool = True) -> None:
    """Put it in place of today's, for the checks."""
    runs.run_flat = run_flat if on else _run_flat
    bounds._of_one = of_one if on else _of_one
