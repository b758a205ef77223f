"""Values of names in the bodies of loops and in branches: as tensors of the graph, and as what Python sees of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import tensorflow as tf

from tfnp._core import convert, dtypes
from tfnp._core.tensorflow_internals import Undefined, UndefinedReturnValue
from tfnp.numpy import arrays, counters
from tfnp.numpy.arrays import Array, Public

_WEAK: Final[dict[type, str]] = {int: "int64", float: "float64", complex: "complex128"}
_ATOMS: Final = (bool, int, float, complex, str, bytes, type(None))


class UnsupportedBlockError(Exception):
    """A loop or condition cannot become one of the graph; the message says why."""


@dataclass(frozen=True)
class Type:
    """The type of a name's value: a scalar, which may stand for a Python number of the class `weak`, an array, or a
    tensor.
    """

    cls: str
    dtype: tf.DType
    shape: tf.TensorShape
    weak: type | None = None


def is_undefined(value: Any) -> bool:
    """Return whether a name has no value yet."""
    return isinstance(value, Undefined | UndefinedReturnValue)


def is_same(old: Any, new: Any) -> bool:
    """Return whether a block left a name's value as it was."""
    if old is new or (is_undefined(old) and is_undefined(new)):
        return True
    if type(old) is not type(new) or not isinstance(old, (*_ATOMS, np.generic)):
        return False
    return repr(old) == repr(new)


def find_type(value: Any, name: str) -> Type:
    """Return the type of a number, array or tensor. Raise UnsupportedBlockError for other values."""
    weak = _WEAK.get(type(value))
    if weak is not None:
        return Type("scalar", tf.as_dtype(weak), tf.TensorShape(()), type(value))
    if isinstance(value, bool | np.generic):
        dtype = dtypes.to_tf_dtype(np.asarray(value).dtype)
        if dtype is not None and dtype != tf.string:
            return Type("scalar", dtype, tf.TensorShape(()))
    if isinstance(value, Array) and type(value) in (Public.ndarray, Public.scalar):
        tensor = value.tensor()
        return Type("scalar" if value._is_scalar else "array", tensor.dtype, tensor.shape, value._weak)
    if isinstance(value, tf.Tensor):
        return Type("tensor", value.dtype, value.shape)
    raise UnsupportedBlockError(f"{name} becomes another {type(value).__name__}")


def join(one: Type, other: Type, name: str) -> Type:
    """Return a type for values of two types. Raise UnsupportedBlockError if there is none."""
    if one == other:
        return one
    if one.shape.rank != other.shape.rank or one.shape.as_list() != other.shape.as_list():
        raise UnsupportedBlockError(f"the shape of {name} changes from {one.shape} to {other.shape}")
    if "array" in (one.cls, other.cls) and one.cls != other.cls:
        raise UnsupportedBlockError(f"{name} is a scalar, and becomes an array of rank 0")
    cls = "tensor" if "tensor" in (one.cls, other.cls) else one.cls
    dtype, weak = _join_dtypes(one, other, name)
    return Type(cls, dtype, one.shape, weak)


def _join_dtypes(one: Type, other: Type, name: str) -> tuple[tf.DType, type | None]:
    if one.weak is None and other.weak is None:
        if one.dtype != other.dtype:
            raise UnsupportedBlockError(f"the dtype of {name} changes from {one.dtype.name} to {other.dtype.name}")
        return one.dtype, None
    if one.weak is not None and other.weak is not None:
        wider = max(one.weak, other.weak, key=list(_WEAK).index)
        return tf.as_dtype(_WEAK[wider]), wider
    strong, weak = (other, one.weak) if one.weak is not None else (one, other.weak)
    assert weak is not None
    if np.result_type(dtypes.as_numpy(strong.dtype), weak(1)) != dtypes.as_numpy(strong.dtype):
        raise UnsupportedBlockError(f"the dtype of {name} changes from Python's {weak.__name__} to {strong.dtype.name}")
    return strong.dtype, None


def to_tensor(value: Any, to: Type, name: str) -> tf.Tensor:
    """Return a value as a tensor of a type that it has, or that it was joined to."""
    if isinstance(value, Array):
        value = value.tensor()
    if isinstance(value, tf.Tensor):
        return value if value.dtype == to.dtype else convert.cast(value, to.dtype)
    converted = np.asarray(value).astype(dtypes.as_numpy(to.dtype))
    if value == value and converted != value:  # noqa: PLR0124 - nan is not itself
        raise UnsupportedBlockError(f"{name} is {value}, which no {to.dtype.name} is equal to")
    return tf.constant(converted, to.dtype)


def from_tensor(tensor: tf.Tensor, of: Type) -> Any:
    """Return a tensor as a value of a type."""
    if of.cls == "tensor":
        return tensor
    if of.cls == "array":
        return arrays.of_tensor(Public.ndarray, tensor)
    scalar = arrays.of_scalar(tensor)
    return scalar if of.weak is None else arrays.weaken(scalar, of.weak)


def make_zeros(of: Type, name: str) -> tf.Tensor:
    """Return what stands for a name that has no value yet."""
    if not of.shape.is_fully_defined():
        raise UnsupportedBlockError(f"{name} has no value before it, and no static shape")
    return tf.zeros(of.shape, of.dtype)


def check_aliases(values: Sequence[Any], changed: set[int], names: Sequence[str], graph: Any) -> None:
    """Raise UnsupportedBlockError if a name that a block assigns shares its elements with another name, or, if a graph
    is known, with an array that was not made in it.
    """
    seen: dict[int, int] = {}
    for position, value in enumerate(values):
        if not isinstance(value, Array) or value._is_scalar:
            continue
        storage = value._storage
        other = seen.setdefault(id(storage), position)
        is_alias = other != position and not changed.isdisjoint((position, other))
        if is_alias or (position in changed and graph is not None and storage.graph is not graph):
            raise UnsupportedBlockError(f"{names[position]} becomes a view of an array that has another name")


def make_integer(tensor: tf.Tensor, linear: counters.Linear | None) -> Any:
    """Return an array that stands for a Python integer, of which something is known."""
    return counters.mark(arrays.of_dim(tensor), linear)
