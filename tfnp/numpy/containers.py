"""Objects about arrays: iteration with indices, broadcasting, vectorized functions of the user."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

import tfnp
from tfnp._core.eager_tensors import executing_eagerly
from tfnp.numpy import viewing
from tfnp.numpy.arrays import UNKNOWN, to_host
from tfnp.numpy.callbacks import lower_function
from tfnp.numpy.flat import flatiter
from tfnp.numpy.lifting import lift, lift_array, lower
from tfnp.numpy.numpy_calls import lift_numpy, to_numpy
from tfnp.numpy.objects import LiftedObject, LiftedSeries


class ndenumerate:  # noqa: N801 - NumPy's name
    """An iterator over the indices and elements of an array."""

    def __init__(self, arr: Any) -> None:
        self.iter = flatiter(viewing.asarray(arr))

    def __iter__(self) -> ndenumerate:
        return self

    def __next__(self) -> tuple[tuple[int, ...], Any]:
        return self.iter.coords, next(self.iter)


class broadcast(LiftedObject):  # noqa: N801 - NumPy's name
    """The arguments in their common shape; iterating yields tuples of elements."""

    _inner_class = tfnp.broadcast

    def __iter__(self) -> Iterator[Any]:
        return map(lift, iter(self._inner))

    def __next__(self) -> Any:
        return lift(next(self._inner))


class poly1d(LiftedSeries):  # noqa: N801 - NumPy's name
    """NumPy's older class of polynomials."""

    _inner_class = tfnp.poly1d


class vectorize(LiftedObject):  # noqa: N801 - NumPy's name
    """A function of the user that is called for each element."""

    _inner_class = tfnp.vectorize
    _numpy: Any = None

    def __init__(self, pyfunc: Any = None, *args: Any, **kwargs: Any) -> None:
        numpy_vectorize = None if pyfunc is None else np.vectorize(pyfunc, *args, **kwargs)
        if pyfunc is not None:
            args = (lower_function(pyfunc), *args)
        super().__init__(*args, **kwargs)
        object.__setattr__(self, "_numpy", numpy_vectorize)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call the function for each element: of values that are known and have no gradient, with NumPy's scalars."""
        known = to_host([args, kwargs]) if executing_eagerly() and self._numpy is not None else UNKNOWN
        if known is not UNKNOWN:
            return lift_numpy(self._numpy(*to_numpy(args), **to_numpy(kwargs)))
        return lift_array(self._inner(*map(lower, args), **{name: lower(value) for name, value in kwargs.items()}))
