"""Objects about arrays: iteration with indices, broadcasting, vectorized functions of the user."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

import tfnp
from tfnp._core.eager_tensors import executing_eagerly
from tfnp.numpy import viewing
from tfnp.numpy.arrays import UNKNOWN, to_host
from tfnp.numpy.callbacks import lower_function
from tfnp.numpy.flat import flatiter
from tfnp.numpy.lifting import lift, lift_array, lower
from tfnp.numpy.memory import wrap_buffer
from tfnp.numpy.numpy_calls import COUNTS, lift_numpy, to_numpy
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

    @property
    def iters(self) -> tuple[Iterator[Any], ...]:
        """An iterator over each array, broadcast to the common shape."""
        return tuple(map(lift, elements) for elements in self._inner.iters)

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
    _options: Any

    def __init__(self, pyfunc: Any = None, *args: Any, **kwargs: Any) -> None:
        object.__setattr__(self, "_options", (args, kwargs))
        numpy_vectorize = None
        if pyfunc is not None:
            numpy_vectorize = np.vectorize(pyfunc, *args, **kwargs)
            if numpy_vectorize.signature is not None or numpy_vectorize.excluded:
                numpy_vectorize = np.vectorize(_take_arrays(pyfunc), *args, **kwargs)
            args = (lower_function(pyfunc), *args)
        super().__init__(*args, **kwargs)
        object.__setattr__(self, "_numpy", numpy_vectorize)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call the function for each element: of values that are known and have no gradient, with NumPy's scalars.

        Without a function, which decorators have not yet, return an object with it.
        """
        if self._numpy is None:
            cls: Any = type(self)
            options, named = self._options
            return cls(*args, *options, **kwargs, **named)
        known = to_host([args, kwargs]) if executing_eagerly() else UNKNOWN
        if known is not UNKNOWN:
            return lift_numpy(self._numpy(*to_numpy(args), **to_numpy(kwargs)))
        return lift_array(self._inner(*map(lower, args), **{name: lower(value) for name, value in kwargs.items()}))


def _take_arrays(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function of arrays as one of NumPy's arrays, whose memory the arguments have."""

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        values = {name: _wrap_array(value) for name, value in kwargs.items()}
        return to_numpy(function(*map(_wrap_array, args), **values))

    return call


class nditer:  # noqa: N801 - NumPy's name
    """NumPy's iterator over arrays in the processor's memory, which its items share.

    In a graph, all of them are known, and the items are NumPy's arrays.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        COUNTS["nditer"] += 1
        self._inner = np.nditer(*to_numpy(args), **to_numpy(kwargs))

    @classmethod
    def _wrap(cls, inner: np.nditer) -> nditer:
        iterator = cls.__new__(cls)
        iterator._inner = inner
        return iterator

    def __getattr__(self, name: str) -> Any:
        if name == "_inner":
            raise AttributeError(name)
        value = getattr(self._inner, name)
        return value if callable(value) else _wrap_items(value)

    def __setattr__(self, name: str, value: Any) -> None:
        if name == "_inner":
            object.__setattr__(self, name, value)
        else:
            setattr(self._inner, name, to_numpy(value))

    def __dir__(self) -> list[str]:
        return dir(self._inner)

    def __enter__(self) -> nditer:
        self._inner.__enter__()
        return self

    def __exit__(self, *error: object) -> None:
        self._inner.close()

    def __iter__(self) -> nditer:
        return self

    def __next__(self) -> Any:
        return _wrap_items(next(self._inner))

    def __len__(self) -> int:
        return len(self._inner)

    def __getitem__(self, index: Any) -> Any:
        return _wrap_items(self._inner[index])

    def __setitem__(self, index: Any, value: Any) -> None:
        self._inner[index] = to_numpy(value)

    def __copy__(self) -> nditer:
        return self.copy()

    def copy(self) -> nditer:
        """Return an iterator at the same element."""
        return self._wrap(self._inner.copy())


def nested_iters(*args: Any, **kwargs: Any) -> tuple[nditer, ...]:
    """Return NumPy's nested iterators, whose items share the arrays' memory."""
    COUNTS["nested_iters"] += 1
    return tuple(map(nditer._wrap, np.nested_iters(*to_numpy(args), **to_numpy(kwargs))))


def _wrap_items(value: Any) -> Any:
    """Return an array or the arrays of a tuple; in a graph NumPy's own, which it can write to."""
    if not executing_eagerly():
        return value
    return tuple(map(_wrap_array, value)) if type(value) is tuple else _wrap_array(value)


def _wrap_array(value: Any) -> Any:
    """Return NumPy's array as an array of the same memory; other values unchanged."""
    return wrap_buffer(value) if type(value) is np.ndarray else value
