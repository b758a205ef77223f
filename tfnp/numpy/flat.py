"""`array.flat`: the elements in C order, to iterate over, read and write."""

from __future__ import annotations

from typing import Any

import numpy as np

from tfnp._core.eager_tensors import executing_eagerly
from tfnp._methods import flat_views
from tfnp.numpy import arrays
from tfnp.numpy.arrays import UNKNOWN, Array
from tfnp.numpy.lifting import lift, lower
from tfnp.numpy.output_variables import make_output_variable


class flatiter:  # noqa: N801 - NumPy's name
    """An iterator over the elements of an array, which can be indexed and compared."""

    __hash__ = None  # type: ignore[assignment] # equal element by element

    def __init__(self, base: Array) -> None:
        self.base = base
        self.index = 0

    @property
    def coords(self) -> tuple[int, ...]:
        """The index of the next element in the array."""
        index = min(self.index, len(self) - 1)
        return tuple(map(int, np.unravel_index(index, self.base.shape))) if self.base.ndim else ()

    def __len__(self) -> int:
        return int(self.base.size)

    def __iter__(self) -> flatiter:
        return self

    def __next__(self) -> Any:
        if self.index >= len(self):
            raise StopIteration
        self.index += 1
        return self._read(self.index - 1)

    def __getitem__(self, key: Any, /) -> Any:
        self.index = 0
        return self._read(key)

    def _read(self, key: Any) -> Any:
        known = arrays.to_host(key, is_index=True)
        if not self.base.is_on_host() or known is UNKNOWN:
            return lift(flat_views.Flat(self.base.tensor())[arrays.lower_key(key)])
        result = self.base.memory().flat[known]
        is_array = isinstance(result, np.ndarray)
        return self.base._finalize(arrays.of_memory(arrays.Public.ndarray, result)) if is_array else result

    def __setitem__(self, key: Any, value: Any, /) -> None:
        self.index = 0
        array = self.base
        array.check_writeable()
        known, new = arrays.to_host(key, is_index=True), arrays.to_host(value)
        if executing_eagerly() and array.is_on_host() and known is not UNKNOWN and new is not UNKNOWN:
            array.memory_for_write().flat[known] = new
            return
        variable = make_output_variable(array)
        flat_views.write_flat(variable, arrays.lower_key(key), lower(value))
        variable.write_back()

    def copy(self) -> Any:
        return lift(flat_views.Flat(self.base.tensor()).copy())

    def __array__(self, dtype: Any = None, /, *, copy: Any = None) -> np.ndarray:
        return np.array(self.base.memory().ravel(), dtype, copy=copy)

    def __eq__(self, other: Any) -> Any:
        return self.copy() == other

    def __ne__(self, other: Any) -> Any:
        return self.copy() != other

    def __lt__(self, other: Any) -> Any:
        return self.copy() < other

    def __le__(self, other: Any) -> Any:
        return self.copy() <= other

    def __gt__(self, other: Any) -> Any:
        return self.copy() > other

    def __ge__(self, other: Any) -> Any:
        return self.copy() >= other
