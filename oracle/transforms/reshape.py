"""Reshaped arrays: a case with other shapes or other ranks."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterator

import numpy as np

from oracle.case.model import Case


def vary_shapes(case: Case, ranks: bool) -> Iterator[Case]:
    """Yield the case with arrays of other shapes: all dimensions doubled, or the last one of matrices, one longer, 1,
    or not 0; with `ranks`, of other ranks too.
    """
    yield case.map_arrays(lambda array: np.tile(array, (2,) * array.ndim))
    yield case.map_arrays(lambda array: np.tile(array, 2) if array.ndim > 1 else array)
    yield case.map_arrays(lambda array: np.pad(array, 1, "wrap") if array.size else array)
    yield case.map_arrays(lambda array: array[(slice(1),) * array.ndim])
    yield case.map_arrays(lambda array: array[(slice(-1, None),) * array.ndim])
    yield case.map_arrays(lambda array: np.zeros([dim or 1 for dim in array.shape], array.dtype))
    yield case.map_arrays(lambda array: np.zeros([dim or 2 for dim in array.shape], array.dtype))
    if ranks:
        yield case.map_arrays(lambda array: array[None])
        yield case.map_arrays(lambda array: array[None, None])
        yield case.map_arrays(lambda array: array[(None, *[slice(1)] * array.ndim)])
        yield case.map_arrays(np.ravel)
        yield case.map_arrays(lambda array: (array if array.size else np.zeros(1, array.dtype)).ravel()[:1].reshape(()))
        yield case.map_arrays(lambda array: array[0] if array.ndim and len(array) else array)


def deepen_one(case: Case) -> Iterator[Case]:
    """Yield the case with one of its arrays having one more axis, or several."""

    def deepen(chosen: np.ndarray, count: int, array: np.ndarray) -> np.ndarray:
        return array[(None,) * count] if array is chosen else array

    for chosen, count in itertools.product(case.arrays(), (1, 4)):
        yield case.map_arrays(functools.partial(deepen, chosen, count))


def shorten_one(case: Case) -> Iterator[Case]:
    """Yield the case with the dimensions of one of its arrays limited to 1."""

    def shorten(chosen: np.ndarray, array: np.ndarray) -> np.ndarray:
        return array[(slice(1),) * array.ndim] if array is chosen else array

    for chosen in case.arrays():
        yield case.map_arrays(functools.partial(shorten, chosen))
