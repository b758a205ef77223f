"""Information about dtypes: promotion, casting, limits and classification.

A dtype may be named as NumPy names it, or be a `tf.DType`; a tensor counts as its dtype. Results are NumPy dtypes, as
`tfnp.dtype` and `tfnp.float32` are. A string tensor has NumPy's `StringDType`. Dtypes that no tensor has, such as text
of a certain width and dates, are answered by NumPy.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import ml_dtypes
import numpy as np
import tensorflow as tf
from numpy import typename

from tfnp._core import convert, dtypes
from tfnp._core.errors import requires_static
from tfnp._core.parameters import ArrayLike, DTypeLike
from tfnp._core.tensor_conversion import apply_conversion, is_tensor

__all__ = [
    "can_cast",
    "common_type",
    "finfo",
    "iinfo",
    "isdtype",
    "issubdtype",
    "min_scalar_type",
    "mintypecode",
    "promote_types",
    "result_type",
    "typename",
]

_PARENTS: Final[dict[np.dtype, Any]] = {
    np.dtype(dtype.as_numpy_dtype): parent
    for dtype, parent in zip(
        (tf.bfloat16, *dtypes.STORED),
        (np.floating, np.floating, np.floating, np.signedinteger, np.unsignedinteger),
        strict=True,
    )
}
"""The abstract NumPy type of each dtype that ml_dtypes adds, which NumPy does not classify itself."""


def _as_numpy_dtype(value: Any) -> Any:
    """Return the NumPy dtype of a tensor, a `tf.DType` or "bfloat16"; any other value as it is."""
    value = apply_conversion(value)
    if isinstance(value, tf.Tensor | tf.Variable | tf.DType):
        return dtypes.as_numpy(value.dtype.base_dtype if not isinstance(value, tf.DType) else value)
    if isinstance(value, str) and value == "bfloat16":
        return dtypes.BFLOAT16
    return value


def result_type(*arrays_and_dtypes: Any) -> np.dtype:
    """Apply the current promotion mode, as all of `tfnp` does. bfloat16 beside weak scalars stays bfloat16."""
    arrays_and_dtypes = tuple(map(apply_conversion, arrays_and_dtypes))
    operands = [_as_placeholder(value) for value in arrays_and_dtypes]
    if _follows_numpy(operands):
        return np.result_type(*operands)
    for operand in operands:
        np.result_type(operand)  # raises for an invalid operand
    if dtypes.promotion.weakens:
        pairs = zip(arrays_and_dtypes, operands, strict=True)
        operands = [value if isinstance(value, tf.Tensor | list | tuple) else operand for value, operand in pairs]
    return dtypes.as_numpy(dtypes.result_type(*operands))


def _as_placeholder(value: Any) -> Any:
    """Return an array for a tensor: beside strings, NumPy treats an array and its dtype differently."""
    dtype = _as_numpy_dtype(value)
    return np.empty((), dtype) if is_tensor(value) else dtype


def _follows_numpy(operands: list[Any]) -> bool:
    """Return whether the promotion mode is NumPy's own, and neither bfloat16 nor a string tensor is an operand."""
    promotion = dtypes.promotion
    is_numpys = promotion.mode == "legacy" and not promotion.prefer_float32
    return is_numpys and not any(_is_bfloat16(operand) or _is_text(operand) for operand in operands)


def _is_text(value: Any) -> bool:
    """Return whether a value is the dtype of string tensors, or an array of it."""
    dtype = value if isinstance(value, np.dtype) else getattr(value, "dtype", None)
    return isinstance(dtype, np.dtype) and dtype == dtypes.TEXT


def _is_bfloat16(value: Any) -> bool:
    dtype = value if isinstance(value, np.dtype | type) else getattr(value, "dtype", None)
    return dtype is dtypes.BFLOAT16.type or (isinstance(dtype, np.dtype) and dtype == dtypes.BFLOAT16)


def _as_dtype_name(dtype: Any) -> Any:
    """Return a dtype that must be given as such: an array is refused, as by NumPy."""
    if is_tensor(dtype):
        raise TypeError("Cannot construct a dtype from an array")
    return _as_numpy_dtype(dtype)


def promote_types(type1: DTypeLike, type2: DTypeLike, /) -> np.dtype:
    """Apply the current promotion mode."""
    types = [_as_dtype_name(type1), _as_dtype_name(type2)]
    if _follows_numpy(types):
        return np.promote_types(*types)
    return dtypes.as_numpy(dtypes.result_type(*map(dtypes.as_numpy, types)))


def can_cast(from_: DTypeLike, to: DTypeLike, casting: str = "safe") -> bool:
    """Apply NumPy's casting rules in every promotion mode."""
    return np.can_cast(_as_numpy_dtype(from_), _as_dtype_name(to), casting)  # type: ignore[arg-type]  # NumPy checks the name


def min_scalar_type(a: ArrayLike, /) -> np.dtype:
    """The value of a scalar tensor decides, so it must be static."""
    a = apply_conversion(a)
    if not isinstance(a, tf.Tensor | tf.Variable):
        return np.min_scalar_type(a)
    if a.shape.rank != 0:
        return dtypes.as_numpy(a.dtype.base_dtype)
    return np.min_scalar_type(np.asarray(convert.as_static(a, "a", "min_scalar_type")))


def common_type(*arrays: ArrayLike) -> type[Any]:
    """Integers count as the default float. bfloat16 is supported."""
    dtypes_ = [_as_numpy_dtype(array.dtype) for array in map(apply_conversion, arrays)]
    integers = [dtype for dtype in dtypes_ if dtype.kind in "iu"]
    floats = [dtype for dtype in dtypes_ if dtype not in integers]
    default = [dtypes.default_dtype(float)] if integers else []
    if dtypes.BFLOAT16 not in floats:
        all_dtypes = [*floats, *default]
        return np.common_type(*(np.empty(0, dtype) for dtype in all_dtypes))
    others = [dtype for dtype in floats if dtype != dtypes.BFLOAT16]
    np.common_type(*(np.empty(0, dtype) for dtype in others))
    return result_type(dtypes.BFLOAT16, *others, *default).type


def isdtype(dtype: DTypeLike, kind: str) -> bool:
    """bfloat16 is a "real floating" dtype."""
    dtype = _as_dtype_name(dtype)
    if isinstance(dtype, type) and dtype in (static.type for static in _PARENTS):
        dtype = np.dtype(dtype)
    kinds = tuple(map(_as_numpy_dtype, kind)) if isinstance(kind, tuple) else _as_numpy_dtype(kind)
    if not (isinstance(dtype, np.dtype) and dtype in _PARENTS):
        return np.isdtype(dtype, kinds)
    kind_list = kinds if isinstance(kinds, tuple) else (kinds,)
    similar = np.dtype({"f": np.float32, "i": np.int8, "u": np.uint8}[_find_kind(_PARENTS[dtype])])
    names = tuple(item for item in kind_list if isinstance(item, str))
    return any(item == dtype for item in kind_list if item not in names) or np.isdtype(similar, names)


def _find_kind(parent: type) -> str:
    return "f" if parent is np.floating else "i" if parent is np.signedinteger else "u"


def issubdtype(arg1: DTypeLike, arg2: DTypeLike) -> bool:
    """bfloat16 is a subtype of `floating`."""
    first, second = _as_dtype_name(arg1), _as_dtype_name(arg2)
    if first is not None and not (isinstance(first, type) and issubclass(first, np.generic)):
        first = np.dtype(first)
    dtype = np.dtype(first) if isinstance(first, np.dtype) or first in (static.type for static in _PARENTS) else None
    if dtype in _PARENTS and isinstance(second, type) and issubclass(second, np.generic):
        return issubclass(_PARENTS[dtype], second) or dtype.type is second
    return np.issubdtype(first, second)


def finfo(dtype: DTypeLike) -> Any:
    """bfloat16 and other floats of ml_dtypes give `ml_dtypes.finfo`, which has the same attributes.

    An array is refused, as by NumPy: pass `x.dtype`.
    """
    placeholder = _as_placeholder(dtype)
    extension = _find_extension_dtype(placeholder)
    return np.finfo(placeholder) if extension is None else ml_dtypes.finfo(extension)


def iinfo(int_type: ArrayLike) -> Any:
    """The 4-bit integers, which tensors can hold but not calculate with, give `ml_dtypes.iinfo`."""
    placeholder = _as_placeholder(int_type)
    extension = _find_extension_dtype(placeholder)
    return np.iinfo(placeholder) if extension is None else ml_dtypes.iinfo(extension)


def _find_extension_dtype(value: Any) -> np.dtype | None:
    """Return the dtype if it is one that ml_dtypes adds; the value may also be a scalar of it."""
    dtype = value.dtype if isinstance(value, np.generic) else value
    return next(
        (static for static in _PARENTS if dtype is static.type or dtype is static or static.name == dtype), None
    )


def mintypecode(typechars: Sequence[str] | str, typeset: Sequence[str] | str = "GDFgdf", default: str = "d") -> str:
    """A tensor counts as the letters of its dtype, a string tensor as the letters in it."""
    typechars = apply_conversion(typechars)
    chars = _list_typechars(typechars) if isinstance(typechars, tf.Tensor | tf.Variable) else typechars
    letters = [_as_numpy_dtype(char).char if is_tensor(char) else char for char in chars]
    return np.mintypecode(letters, typeset, default)


def _list_typechars(tensor: tf.Tensor | tf.Variable) -> Any:
    """Return what iteration over a tensor gives; one element stands for all of a dtype."""
    if tensor.shape.rank == 0:
        raise TypeError("iteration over a 0-d array")
    if tensor.dtype == tf.string:
        static = convert.as_static(tensor, "typechars", "mintypecode")
        return np.array([item.decode() for item in static.flat], np.str_).reshape(static.shape)
    if tensor.shape.rank is None or tensor.shape[0] is None:
        raise requires_static("the length of typechars", "mintypecode")
    return [_as_numpy_dtype(tensor).char] * min(tensor.shape[0], 1)
