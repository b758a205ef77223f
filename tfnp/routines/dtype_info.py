"""What may become what, and what a dtype can hold.

A dtype may be named as NumPy names it, or be a `tf.DType`; a tensor stands for its own. Answers are NumPy dtypes, as
`tfnp.dtype` and `tfnp.float32` are. They are about names, not about arrays: of text, dates and objects, which no tensor
holds, NumPy's answers are given too.
"""

from __future__ import annotations

from typing import Any, Final

import ml_dtypes
import numpy as np
import tensorflow as tf
from numpy import typename

from tfnp._core import convert, dtypes
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
"""Where the dtypes that TensorFlow adds to NumPy's belong among NumPy's kinds, which do not know them."""


def _meant(value: Any) -> Any:
    """A dtype for what has one in TensorFlow, and whatever else it is as it is."""
    value = apply_conversion(value)
    if isinstance(value, tf.Tensor | tf.Variable | tf.DType):
        return dtypes.as_numpy(value.dtype.base_dtype if not isinstance(value, tf.DType) else value)
    if isinstance(value, str) and value == "bfloat16":
        return dtypes.BFLOAT16
    return value


def result_type(*arrays_and_dtypes: Any) -> np.dtype:
    """By the promotion in force, in which all of `tfnp` calculates. bfloat16 keeps itself beside weak scalars."""
    arrays_and_dtypes = tuple(map(apply_conversion, arrays_and_dtypes))
    operands = [_stand_in(value) for value in arrays_and_dtypes]
    if _follows_numpy(operands):
        return np.result_type(*operands)
    for operand in operands:
        np.result_type(operand)  # says what is no operand
    if dtypes.promotion.weakens:
        pairs = zip(arrays_and_dtypes, operands, strict=True)
        operands = [value if isinstance(value, tf.Tensor | list | tuple) else operand for value, operand in pairs]
    return dtypes.as_numpy(dtypes.result_type(*operands))


def _stand_in(value: Any) -> Any:
    """An array for a tensor: beside text, NumPy tells the one from its dtype."""
    meant = _meant(value)
    return np.empty((), meant) if is_tensor(value) else meant


def _follows_numpy(operands: list[Any]) -> bool:
    """Whether the promotion in force is NumPy's own, and bfloat16 is not among the operands."""
    way = dtypes.promotion
    return way.mode == "legacy" and not way.prefer_float32 and not any(map(_is_bfloat16, operands))


def _is_bfloat16(value: Any) -> bool:
    dtype = value if isinstance(value, np.dtype | type) else getattr(value, "dtype", None)
    return dtype is dtypes.BFLOAT16.type or (isinstance(dtype, np.dtype) and dtype == dtypes.BFLOAT16)


def _named(dtype: Any) -> Any:
    """A dtype where it has to be named: an array, as NumPy has it, is no name."""
    if is_tensor(dtype):
        raise TypeError("Cannot construct a dtype from an array")
    return _meant(dtype)


def promote_types(type1: Any, type2: Any, /) -> np.dtype:
    """By the promotion in force."""
    kinds = [_named(type1), _named(type2)]
    if _follows_numpy(kinds):
        return np.promote_types(*kinds)
    return dtypes.as_numpy(dtypes.result_type(*map(dtypes.as_numpy, kinds)))


def can_cast(from_: Any, to: Any, casting: Any = "safe") -> bool:
    """By NumPy's rules of casting in every mode of promotion."""
    return np.can_cast(_meant(from_), _named(to), casting)


def min_scalar_type(a: Any, /) -> np.dtype:
    """Of a tensor without dimensions the value decides, so that it must be known while tracing."""
    a = apply_conversion(a)
    if not isinstance(a, tf.Tensor | tf.Variable):
        return np.min_scalar_type(a)
    if a.shape.rank != 0:
        return dtypes.as_numpy(a.dtype.base_dtype)
    static = convert.static_value(a)
    if static is None:
        raise TypeError("a value decides its least dtype, and so must be known while tracing")
    return np.min_scalar_type(np.asarray(static))


def common_type(*arrays: Any) -> type[Any]:
    """Integers count as the default float."""
    found = [_meant(array.dtype) for array in map(apply_conversion, arrays)]
    whole = [dtype for dtype in found if dtype.kind in "iu"]
    floats = [dtype for dtype in found if dtype not in whole]
    default = [dtypes.default_dtype(float)] if whole else []
    if dtypes.BFLOAT16 not in floats:
        named = [*floats, *default]
        return np.common_type(*(np.empty(0, dtype) for dtype in named))
    others = [dtype for dtype in floats if dtype != dtypes.BFLOAT16]
    np.common_type(*(np.empty(0, dtype) for dtype in others))
    return result_type(dtypes.BFLOAT16, *others, *default).type


def isdtype(dtype: Any, kind: Any) -> bool:
    """bfloat16 is a real floating dtype."""
    meant = _named(dtype)
    if isinstance(meant, type) and meant in (static.type for static in _PARENTS):
        meant = np.dtype(meant)
    kinds = tuple(map(_meant, kind)) if isinstance(kind, tuple) else _meant(kind)
    if not (isinstance(meant, np.dtype) and meant in _PARENTS):
        return np.isdtype(meant, kinds)
    several = kinds if isinstance(kinds, tuple) else (kinds,)
    stand_in = np.dtype({"f": np.float32, "i": np.int8, "u": np.uint8}[_letter(_PARENTS[meant])])
    names = tuple(one for one in several if isinstance(one, str))
    return any(one == meant for one in several if one not in names) or np.isdtype(stand_in, names)


def _letter(parent: type) -> str:
    return "f" if parent is np.floating else "i" if parent is np.signedinteger else "u"


def issubdtype(arg1: Any, arg2: Any) -> bool:
    """bfloat16 is `floating`."""
    first, second = _named(arg1), _named(arg2)
    if first is not None and not (isinstance(first, type) and issubclass(first, np.generic)):
        first = np.dtype(first)
    dtype = np.dtype(first) if isinstance(first, np.dtype) or first in (static.type for static in _PARENTS) else None
    if dtype in _PARENTS and isinstance(second, type) and issubclass(second, np.generic):
        return issubclass(_PARENTS[dtype], second) or dtype.type is second
    return np.issubdtype(first, second)


def finfo(dtype: Any) -> Any:
    """`numpy.finfo`; of what TensorFlow adds to NumPy's floats, `ml_dtypes.finfo`, which has the same attributes.

    An array, as NumPy has it, is no dtype: ask for that of `x.dtype`.
    """
    meant = _stand_in(dtype)
    added = _added(meant)
    return np.finfo(meant) if added is None else ml_dtypes.finfo(added)


def iinfo(int_type: Any) -> Any:
    """`numpy.iinfo`; of the integers of four bits, which can be kept but not calculated with, `ml_dtypes.iinfo`."""
    meant = _stand_in(int_type)
    added = _added(meant)
    return np.iinfo(meant) if added is None else ml_dtypes.iinfo(added)


def _added(value: Any) -> np.dtype | None:
    """The dtype, if it is one that TensorFlow adds to NumPy's, of which the value may also be an element."""
    dtype = value.dtype if isinstance(value, np.generic) else value
    return next(
        (static for static in _PARENTS if dtype is static.type or dtype is static or static.name == dtype), None
    )


def mintypecode(typechars: Any, typeset: Any = "GDFgdf", default: Any = "d") -> str:
    """Tensors stand for the letters of their dtypes, and one of text for the letters in it."""
    typechars = apply_conversion(typechars)
    given = _letters(typechars) if isinstance(typechars, tf.Tensor | tf.Variable) else typechars
    letters = [_meant(one).char if is_tensor(one) else one for one in given]
    return np.mintypecode(letters, typeset, default)


def _letters(tensor: tf.Tensor | tf.Variable) -> Any:
    """What going through a tensor gives; one element stands for all of a dtype."""
    if tensor.shape.rank == 0:
        raise TypeError("iteration over a 0-d array")
    if tensor.dtype == tf.string:
        static = convert.static_value(tensor)
        if static is None:
            raise TypeError("the letters of dtypes must be known while tracing")
        return np.array([item.decode() for item in static.flat], np.str_).reshape(static.shape)
    if tensor.shape.rank is None or tensor.shape[0] is None:
        raise TypeError("the length of this tensor must be known while tracing")
    return [_meant(tensor).char] * min(tensor.shape[0], 1)
