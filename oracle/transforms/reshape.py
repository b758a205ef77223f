"""Reshaped arrays: a case with other shapes or other ranks."""

from __future__ import annotations

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
