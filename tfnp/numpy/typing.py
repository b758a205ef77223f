"""`numpy.typing`: types for annotations."""

from __future__ import annotations

import types
from typing import Any

from numpy.typing import ArrayLike, DTypeLike, NBitBase

from tfnp.numpy.multiarray import ndarray

__all__ = ["ArrayLike", "DTypeLike", "NBitBase", "NDArray"]


class NDArray:
    """`NDArray[dtype]` is `ndarray` of any shape."""

    def __class_getitem__(cls, dtype: Any) -> types.GenericAlias:
        return types.GenericAlias(ndarray, (Any, dtype))
