"""Types for annotations: what functions of arrays take and return.

    from tfnp.typing import ArrayLike, Tensor

    def normalize(x: ArrayLike) -> Tensor: ...

At run time `Tensor` is `tf.Tensor`. To a type checker it is that class with the methods that NumPy behavior adds.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol, SupportsIndex, TypeAlias, TypeVar, runtime_checkable

import numpy as np
import tensorflow as tf
from tensorflow import Tensor as Tensor

if TYPE_CHECKING:
    from typing_extensions import TypeAliasType

__all__ = [
    "ArrayLike",
    "AxisLike",
    "DTypeLike",
    "IntLike",
    "NBitBase",
    "NDArray",
    "Out",
    "ShapeLike",
    "SupportsShapeAndDType",
    "Tensor",
]


@runtime_checkable
class SupportsShapeAndDType(Protocol):
    """An array of any library: a tensor, a variable of TensorFlow or Keras, a NumPy array."""

    @property
    def shape(self) -> Any: ...

    @property
    def dtype(self) -> Any: ...


Scalar: TypeAlias = bool | int | float | complex | str | bytes
ArrayLike: TypeAlias = SupportsShapeAndDType | Scalar | Sequence["ArrayLike"]
"""What `tfnp.asarray` accepts: arrays of any library, Python scalars, and nested sequences of them."""

IntLike: TypeAlias = SupportsIndex
"""An integer: Python's, NumPy's, or a tensor of no dimensions."""

AxisLike: TypeAlias = SupportsIndex | Sequence[SupportsIndex] | None
"""One axis, several, or None for all."""

ShapeLike: TypeAlias = SupportsIndex | Sequence[SupportsIndex] | SupportsShapeAndDType | tf.TensorShape
"""A length, a sequence of lengths, or a tensor of lengths."""

DTypeLike: TypeAlias = tf.DType | np.dtype[Any] | type[Any] | str
"""What `tfnp.dtype` accepts: a dtype of TensorFlow or NumPy, a scalar type, or its name."""

_DTypeT = TypeVar("_DTypeT")
if TYPE_CHECKING:
    NDArray = TypeAliasType("NDArray", Tensor, type_params=(_DTypeT,))
else:

    class NDArray:
        """`NDArray[dtype]` is `Tensor`: the dtype of a tensor is no part of its type."""

        def __class_getitem__(cls, dtype: Any) -> type:
            return Tensor


class NBitBase:
    """The precision of NumPy's generic scalar types, for annotations only."""


Out: TypeAlias = tf.Variable | tuple[tf.Variable | None, ...] | None
"""Where a result is written: a `tf.Variable`, since tensors never change."""
