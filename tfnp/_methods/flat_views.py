"""`array.flat`: iterate over the elements in C order, read them by index, and write those of a variable."""

from __future__ import annotations

import math
from typing import Any, Final

import numpy as np
import tensorflow as tf

from tfnp._core import convert, shapes
from tfnp._core.autograph import leave_unconverted
from tfnp._core.eager_tensors import eager_tensor
from tfnp._core.indexing import access, flat_indices
from tfnp._core.variables import read_variable, update
from tfnp._methods.inplace import check_can_change
from tfnp.routines.manipulation import shaping
from tfnp.routines.math import ufuncs


class Flat:
    """The counterpart of `numpy.flatiter`: an iterator over the elements, which also accepts an index.

    Values that are written are cast as by `astype`, and repeated if there are fewer values than indices.
    """

    __slots__ = ("base", "index")
    __hash__ = None  # type: ignore[assignment] # equal element by element, so no key of a dict; mypy knows no such class

    def __init__(self, array: tf.Tensor | tf.Variable) -> None:
        self.base: Final = array
        self.index = 0

    def __repr__(self) -> str:
        return f"Flat({self.base!r})"

    @property
    def coords(self) -> tuple[int, ...]:
        """The index of the next element in the array."""
        shape = tuple(self.base.shape)[1:]
        first, remainder = divmod(self.index, max(math.prod(shape), 1))
        return (first, *map(int, np.unravel_index(remainder, shape))) if self.base.shape.rank else ()

    def __len__(self) -> int:
        count = self.base.shape.num_elements()
        if count is None:
            raise TypeError(
                f"len(flat): the shape of a tensor must be static inside tf.function, not {self.base.shape}"
            )
        return int(count)

    def __iter__(self) -> Flat:
        return self

    def __next__(self) -> tf.Tensor:
        if self.index >= len(self):
            raise StopIteration
        self.index += 1
        return access.read(shaping.ravel(self.base), self.index - 1)

    def __getitem__(self, key: Any, /) -> tf.Tensor:
        self.index = 0
        flat = shaping.ravel(self.base)
        return access.read(flat, _as_flat_index(key, flat.shape[0]))

    def __setitem__(self, key: Any, value: Any, /) -> None:
        self.index = 0
        write_flat(self.base, key, value)

    def copy(self) -> tf.Tensor:
        return shaping.ravel(self.base)

    def __array__(self, dtype: Any = None, /, *, copy: Any = None) -> np.ndarray:
        return np.array(convert.to_numpy(self.copy()), dtype, copy=copy)

    def __tf_tensor__(self, dtype: tf.DType | None = None, name: str | None = None) -> tf.Tensor:
        return tf.convert_to_tensor(self.copy(), dtype, name=name)

    def __eq__(self, other: Any) -> Any:
        return ufuncs.equal(self.copy(), _unwrap_flat(other))

    def __ne__(self, other: Any) -> Any:
        return ufuncs.not_equal(self.copy(), _unwrap_flat(other))

    def __lt__(self, other: Any) -> Any:
        return ufuncs.less(self.copy(), _unwrap_flat(other))

    def __le__(self, other: Any) -> Any:
        return ufuncs.less_equal(self.copy(), _unwrap_flat(other))

    def __gt__(self, other: Any) -> Any:
        return ufuncs.greater(self.copy(), _unwrap_flat(other))

    def __ge__(self, other: Any) -> Any:
        return ufuncs.greater_equal(self.copy(), _unwrap_flat(other))


def get_flat(self: Any) -> Flat:
    return Flat(self)


def set_flat(self: Any, value: Any) -> None:
    """Implement `variable.flat = value`."""
    write_flat(self, ..., value)


def write_flat(variable: Any, key: Any, value: Any) -> None:
    """Write to a variable as if it had one dimension. Raise TypeError for a tensor."""
    check_can_change(variable, "flat")
    value = _unwrap_flat(value)
    if tf.executing_eagerly():
        array = np.array(read_variable(variable).numpy())
        array.flat[_to_host(key)] = _to_host(value)
        update(variable, eager_tensor(array))
        return
    dtype, current = variable.dtype, shaping.ravel(read_variable(variable))
    key = _as_flat_index(key, current.shape[0])
    indices = flat_indices.flat_indices_of(key, shapes.shape(current))
    values = tf.reshape(convert.cast(convert.to_tensor(value), dtype), (-1,))
    if values.shape[0] == 0 or (type(key) is int and values.shape[0] not in (None, 1)):
        raise ValueError("Error setting single item of array.")
    count = tf.size(indices)
    updates = tf.reshape(tf.gather(values, tf.range(count) % tf.size(values)), tf.shape(indices))
    updated = access.update_at(current, indices, updates)
    update(variable, shapes.reshape(updated, shapes.shape(variable)))


def _as_flat_index(key: Any, count: int | None) -> Any:
    """Return an index of a vector. Raise NumPy's error for an index that its `flatiter` does not accept."""
    if isinstance(key, tuple) and len(key) == 1:
        key = key[0]
    if type(key) is int or isinstance(key, slice | tf.Tensor | tf.Variable):
        return key
    indices = np.arange(count).flat[key] if count is not None else key
    return int(indices) if isinstance(indices, np.integer) else indices


def _to_host(value: Any) -> Any:
    if isinstance(value, tuple):
        return tuple(map(_to_host, value))
    return convert.to_numpy(convert.to_tensor(value)) if isinstance(value, tf.Tensor | tf.Variable) else value


def _unwrap_flat(other: Any) -> Any:
    return other.copy() if isinstance(other, Flat) else other


leave_unconverted([Flat, get_flat, set_flat])
