"""Dtypes: those that TensorFlow supports, promotion with weak scalars, and NumPy's resolution of ufunc loops.

An operand takes part in promotion by its *promotion type*: a NumPy dtype for tensors, arrays and NumPy scalars; the
class `int`, `float` or `complex` for a Python scalar, which is weak (a Python bool is strong, as in NumPy); a
`WeakType` for a tensor that is weak, in the modes `all` and `safe`.
Compare promotion types by `is` and `isinstance`: `np.dtype("int64") == int` is True.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any, Final, TypeVar

import numpy as np
import tensorflow as tf

from tfnp._core import lattice, text, weak_types
from tfnp._core.lattice import PromotionType, WeakType
from tfnp._core.tensor_conversion import apply_conversion, is_tensor

T = TypeVar("T")

SUPPORTED: Final = (
    tf.bool,
    tf.int8, tf.int16, tf.int32, tf.int64,
    tf.uint8, tf.uint16, tf.uint32, tf.uint64,
    tf.float16, tf.bfloat16, tf.float32, tf.float64,
    tf.complex64, tf.complex128,
)  # fmt: skip
_STORED_NAMES: Final = ("float8_e4m3fn", "float8_e5m2", "int4", "uint4")
STORED: Final = tuple(
    getattr(tf.dtypes.experimental, name) for name in _STORED_NAMES
)  # can be stored, copied and cast; no arithmetic

BY_NAME: Final[dict[str, tf.DType]] = {np.dtype(dtype.as_numpy_dtype).name: dtype for dtype in SUPPORTED + STORED}
BY_ENUM: Final[dict[int, np.dtype]] = {d.as_datatype_enum: np.dtype(d.as_numpy_dtype) for d in SUPPORTED + STORED}
_BY_CLASS: Final[dict[type, np.dtype]] = {
    **{dtype.type: dtype for dtype in BY_ENUM.values()},
    bool: np.dtype(bool),
    int: np.dtype(int),
}
BFLOAT16: Final = np.dtype(tf.bfloat16.as_numpy_dtype)
TEXT: Final = text.DTYPE
BY_ENUM[tf.string.as_datatype_enum] = TEXT
BOOL, FLOAT32, FLOAT64 = np.dtype(np.bool_), np.dtype(np.float32), np.dtype(np.float64)
COMPLEX64, COMPLEX128 = np.dtype(np.complex64), np.dtype(np.complex128)
SINGLE: Final = {FLOAT64: FLOAT32, COMPLEX128: COMPLEX64}
PYTHON_SCALARS: Final = (int, float, complex)
MODES: Final = ("legacy", "off", "all", "safe")


class Promotion:
    """The rules of promotion. There is one object for each of the eight combinations, a key that is compared by
    identity.

    `weakens` is True where tensors that are made of Python scalars are weak.
    """

    __slots__ = ("mode", "prefer_float32", "weakens")

    def __init__(self, mode: str, prefer_float32: bool) -> None:
        self.mode = mode
        self.prefer_float32 = prefer_float32
        self.weakens = mode in ("all", "safe")

    def __repr__(self) -> str:
        return f"Promotion({self.mode!r}, prefer_float32={self.prefer_float32})"


_PROMOTIONS: Final = {(mode, single): Promotion(mode, single) for mode in MODES for single in (False, True)}
_lock = threading.Lock()
NUMPYS: Final = _PROMOTIONS["legacy", False]
"""NumPy's own rules."""
promotion: Promotion = NUMPYS
"""The current promotion of the whole process. Read it once per call, and make it part of the key of all caches."""


@lru_cache(maxsize=1024)
def to_tf_dtype(dtype: np.dtype) -> tf.DType | None:
    """Return TensorFlow's dtype for NumPy's, of any byte order, or None. Cached: `dtype.name` is slow.

    Text of any kind and width is `tf.string`, which does not tell `str` from `bytes`, and cuts nothing off.
    """
    return tf.string if dtype.kind in "UST" else BY_NAME.get(dtype.name)


def set_promotion(mode: str = "legacy", *, prefer_float32: bool = False) -> Promotion:
    """Set the promotion of the process, and return the previous one."""
    global promotion
    if mode not in MODES:
        raise ValueError(f"dtype_conversion_mode must be one of {', '.join(MODES)}, not {mode!r}")
    with _lock:
        before, promotion = promotion, _PROMOTIONS[mode, bool(prefer_float32)]
    return before


_safe_checks = threading.local()


def current_promotion() -> Promotion:
    """Return the promotion for this call: inside `call_checked`, mode `safe` is `all`, without its checks."""
    current = promotion
    is_checked = current.mode == "safe" and vars(_safe_checks).get("depth", 0)
    return _PROMOTIONS["all", current.prefer_float32] if is_checked else current


def call_checked(function: Callable[..., T], args: tuple[Any, ...], kwargs: dict[str, Any]) -> T:
    """Return the result of a function whose operands have been checked: in mode `safe`, its own conversions are not
    checked.
    """
    _safe_checks.depth = vars(_safe_checks).get("depth", 0) + 1
    try:
        return function(*args, **kwargs)
    finally:
        _safe_checks.depth -= 1


UNSUPPORTED: Final = "is not supported: TensorFlow has no such dtype"


def unsupported_dtype_error(dtype: np.dtype) -> TypeError:
    """Return the error for a dtype that TensorFlow does not support; nothing is silently downcast."""
    name = dtype.name if dtype.kind in "OMmVfc" else dtype.type.__name__
    return TypeError(f"dtype {name!r} ({dtype!s}) {UNSUPPORTED}")


def as_dtype(dtype: Any) -> tf.DType:
    """Return a `tf.DType`, or anything that NumPy accepts as a dtype, as a `tf.DType`; None is the default float."""
    if isinstance(dtype, tf.DType):
        return _as_supported(dtype)
    return _get_tensor_dtype(as_numpy(dtype))


def as_numpy(dtype: Any) -> np.dtype:
    """Return a `tf.DType`, or anything that NumPy accepts as a dtype, as a NumPy dtype of native byte order.

    Python's `float` and `complex` obey `prefer_float32`.
    """
    if isinstance(dtype, tf.DType):
        return BY_ENUM.get(dtype.as_datatype_enum) or np.dtype(_as_supported(dtype).as_numpy_dtype)
    if dtype is None or dtype is float or dtype is complex:
        return default_dtype(dtype or float)
    if isinstance(dtype, type) and (known := _BY_CLASS.get(dtype)) is not None:
        return known
    if is_tensor(dtype):
        raise TypeError("Cannot construct a dtype from an array")
    if isinstance(dtype, str) and dtype == "bfloat16":
        return BFLOAT16
    result = np.dtype(dtype)
    tf_dtype = to_tf_dtype(result)
    if tf_dtype is None:
        raise unsupported_dtype_error(result)
    if tf_dtype is tf.string:
        return TEXT
    return result if result.isnative else result.newbyteorder("=")


def split_subarray(dtype: Any) -> tuple[Any, tuple[int, ...]]:
    """Return the dtype of the elements, and the shape that each element of an array has: of `("f8", (2,))` float64 and
    (2,), of other dtypes ().
    """
    if isinstance(dtype, tuple | str) or (isinstance(dtype, np.dtype) and dtype.subdtype is not None):
        try:
            subarray = np.dtype(dtype).subdtype
        except TypeError:  # a name that only TensorFlow has; `as_dtype` raises for others
            return dtype, ()
        if subarray is not None:
            return subarray
    return dtype, ()


def default_dtype(scalar_type: type) -> np.dtype:
    """Return the dtype of Python scalars of a class where no other operand decides."""
    dtype = np.dtype(scalar_type)
    return SINGLE.get(dtype, dtype) if promotion.prefer_float32 else dtype


def default_float() -> tf.DType:
    """Return the dtype of `zeros(3)` and of means of integers: float64, or float32 under `prefer_float32`."""
    return tf.float32 if promotion.prefer_float32 else tf.float64


def promotion_type(value: Any) -> PromotionType:
    """Return the promotion type of an operand, which is converted if it is no tensor, array or scalar."""
    if isinstance(value, np.ndarray):
        return as_numpy(value.dtype)
    if is_tensor(value):
        value = apply_conversion(value)
        dtype = as_numpy(value.dtype.base_dtype)
        return lattice.WEAK_TYPES[dtype] if promotion.weakens and weak_types.is_weak(value) else dtype
    if type(value) in PYTHON_SCALARS:
        return type(value)
    if isinstance(value, tf.DType | np.dtype | type | str):
        return as_numpy(value)
    if isinstance(value, np.generic):
        return as_numpy(value.dtype)
    dtype = as_numpy(np.asarray(value).dtype)
    return lattice.WEAK_TYPES.get(dtype, dtype) if promotion.weakens and weak_types.is_python_number(value) else dtype


def result_type(*values: Any) -> tf.DType:
    """Return NumPy's `result_type` of tensors, arrays, scalars and dtypes, under the current promotion."""
    return _get_tensor_dtype(
        _strengthen(_find_common(tuple(promotion_type(value) for value in values), current_promotion()))
    )


def promote_with_int(dtype: tf.DType) -> tf.DType:
    """Return the common dtype with integers of a function's own, such as exponents; mode `off` allows this."""
    if promotion.mode == "off":
        return dtype
    return call_checked(result_type, (as_numpy(dtype), np.dtype(int)), {})


def common_type(types: tuple[PromotionType, ...]) -> np.dtype | WeakType:
    """Return the common type of operands under the current promotion."""
    return _find_common(types, current_promotion())


def is_weak_common_type(types: tuple[PromotionType, ...], promotion: Promotion) -> bool:
    """Return whether the common type of operands is weak. Nothing is checked again in mode `safe`."""
    return TEXT not in types and isinstance(_find_common(types, _PROMOTIONS["all", promotion.prefer_float32]), WeakType)


def resolve(
    ufunc: np.ufunc,
    types: tuple[PromotionType, ...],
    promotion: Promotion,
    *,
    outs: tuple[np.dtype | None, ...] = (),
    signature: Any = None,
    casting: Any = "same_kind",
) -> tuple[np.dtype, ...]:
    """Return the dtypes of a ufunc's loop, inputs then outputs. Raise NumPy's error where there is none."""
    outs = outs or (None,) * ufunc.nout
    if promotion.mode != "legacy" and signature is None and TEXT not in types and _promotes(ufunc):
        types = (_find_common(types, promotion),) * len(types)
    if promotion.weakens:
        types = tuple(map(_strengthen, types))
    loop = _resolve_bfloat16(ufunc, types, outs, signature, casting) if BFLOAT16 in types else None
    if loop is None:
        requested = {} if signature is None else {"signature": signature}
        loop = _resolve_weak(ufunc, types, outs, casting, requested)
    for dtype in loop:
        if to_tf_dtype(dtype) is None:
            raise unsupported_dtype_error(dtype)
    doubles = any(dtype in SINGLE for dtype in (*types, *outs) if isinstance(dtype, np.dtype))
    if promotion.prefer_float32 and signature is None and not doubles:
        return tuple(SINGLE.get(dtype, dtype) for dtype in loop) if _has_loop(ufunc, loop) else loop
    return loop


def check_arithmetic(dtype: tf.DType, function: str) -> None:
    """Raise TypeError for text, which has no sums and products."""
    if dtype == tf.string:
        raise TypeError(f"{function} does not support text (tf.string, {TEXT!r})")


def check_cast(source: np.dtype, target: np.dtype, casting: str, what: str) -> None:
    """Raise NumPy's TypeError where `source` may not become `target` under the casting rule."""
    if not can_cast(source, target, casting):
        raise TypeError(f"Cannot cast {what} from {source!r} to {target!r} with casting rule {casting!r}")


@lru_cache(maxsize=4096)
def can_cast(source: np.dtype, target: np.dtype, casting: Any = "safe") -> bool:
    """Return `np.can_cast`, cached. Text can be cast to numbers only by the rule "unsafe", as NumPy's text with a
    width.
    """
    return np.can_cast(np.dtype(np.str_) if source == TEXT != target else source, target, casting)


def _strengthen(operand: Any) -> Any:
    return operand.dtype if isinstance(operand, WeakType) else operand


def _as_supported(dtype: tf.DType) -> tf.DType:
    if dtype.as_datatype_enum not in BY_ENUM:
        raise TypeError(f"dtype {dtype.name!r} is not supported")
    return dtype


def _get_tensor_dtype(dtype: np.dtype) -> tf.DType:
    result = to_tf_dtype(dtype)
    if result is None:
        raise unsupported_dtype_error(dtype)
    return result


def _strengthen_python_scalars(
    ufunc: np.ufunc, types: tuple[PromotionType, ...], signature: Any
) -> tuple[PromotionType, ...]:
    """Give Python scalars their default dtypes where all operands are weak: `add(1, 2)` is int64.

    A requested signature goes first: it decides the dtype of ints, and of each of several operands if it names the
    dtypes of inputs, or the inputs do not share one.
    """
    by_operand = len(types) > 1 and (names_inputs(signature) or (signature is not None and not _promotes(ufunc)))
    if by_operand or any(isinstance(operand, np.dtype) for operand in types):
        return types
    return tuple(operand if operand is int and signature is not None else np.dtype(operand) for operand in types)


def _resolve_weak(
    ufunc: np.ufunc, types: tuple[Any, ...], outs: tuple[Any, ...], casting: Any, requested: dict[str, Any]
) -> tuple[np.dtype, ...]:
    """Return the dtypes of the loop of operands that may all be weak; casting="no" does not apply to several of
    those.
    """
    all_weak = not any(isinstance(operand, np.dtype) for operand in types)
    try:
        return _resolve(
            ufunc, (*_strengthen_python_scalars(ufunc, types, requested.get("signature")), *outs), casting, requested
        )
    except TypeError:
        if casting != "no" or not all_weak or len(types) == 1:
            raise
    return _resolve(ufunc, (*types, *outs), casting, requested)


def names_inputs(signature: Any) -> bool:
    """Return whether a signature names the dtypes of inputs, not only of outputs."""
    return isinstance(signature, str) or (isinstance(signature, tuple) and signature[0] is not None)


def _resolve(ufunc: np.ufunc, types: tuple[Any, ...], casting: Any, requested: dict[str, Any]) -> tuple[np.dtype, ...]:
    """Return the dtypes of a loop, resolved by NumPy.

    NumPy 2.4 dereferences a null pointer for a weak scalar under casting="equiv". It is made strong first, except for
    comparisons of integers, which accept any, and logical ufuncs, which return bools.
    """
    weak = next((operand for operand in types if isinstance(operand, type)), None)
    if casting != "equiv" or weak is None:
        return ufunc.resolve_dtypes(types, casting=casting, **requested)
    loop = ufunc.resolve_dtypes(types, **requested)
    kinds = {np.dtype(operand).kind for operand in types[: ufunc.nin]}
    if "qQ->?" in ufunc.types and kinds <= {"i", "u"}:
        return loop
    strong_types = tuple(np.dtype(operand) if isinstance(operand, type) else operand for operand in types)
    strong_loop = ufunc.resolve_dtypes(strong_types, casting=casting, **requested)
    if strong_loop != loop and not requested and not ufunc.__name__.startswith("logical"):
        raise TypeError(f"cannot cast a Python {weak.__name__} to any of {loop} under the casting rule 'equiv'")
    return strong_loop


def _resolve_bfloat16(
    ufunc: np.ufunc, types: tuple[Any, ...], outs: tuple[Any, ...], signature: Any, casting: Any
) -> tuple[np.dtype, ...] | None:
    """Return the dtypes of the loop for operands among which is bfloat16; None where NumPy's own answer is right.

    A Python float or int takes the dtype of a bfloat16 operand. Where ml_dtypes has no bfloat16 loop, but NumPy has one
    of float32 (matmul, ldexp, degrees), the loop is that one with bfloat16 in its place.
    """
    if ufunc.__name__.startswith("logical") and any(isinstance(operand, type) for operand in types):
        return None  # all operands become bools
    weak = {int: BFLOAT16 if _promotes(ufunc) else np.dtype(int), float: BFLOAT16, complex: COMPLEX64}
    has_out = any(out is not None for out in outs)  # its dtype decides the precision
    types = tuple(weak[operand] if isinstance(operand, type) else operand for operand in types)
    if signature is not None:
        if _promotes(ufunc) and not names_inputs(signature):  # else a mixed loop is looked for, which there is not
            types = (_find_numpy_common(types, set(types)),) * len(types)
        return ufunc.resolve_dtypes((*types, *outs), casting=casting, signature=signature)
    try:
        loop = ufunc.resolve_dtypes((*types, *outs), casting=casting)
    except TypeError:
        loop = None
    common = _find_numpy_common(types, set(types)) if _promotes(ufunc) else types[0]
    if loop is not None and (has_out or FLOAT32 not in loop or common != BFLOAT16):
        return loop
    singles = tuple(FLOAT32 if operand == BFLOAT16 else operand for operand in (*types, *outs))
    loop = ufunc.resolve_dtypes(singles, casting=casting)
    return tuple(BFLOAT16 if dtype == FLOAT32 else dtype for dtype in loop)


def _has_loop(ufunc: np.ufunc, loop: Iterable[np.dtype]) -> bool:
    """Return whether the ufunc has the loop in single precision; float_power has not."""
    singles = tuple(SINGLE.get(dtype, dtype) for dtype in loop)
    try:
        return ufunc.resolve_dtypes(singles) == singles
    except TypeError:
        return False


def _promotes(ufunc: np.ufunc) -> bool:
    """Return whether the inputs of the ufunc have one dtype; those of ldexp have not."""
    return ufunc.nin > 1 and any(len(set(types.partition("->")[0])) == 1 for types in ufunc.types)


@lru_cache(maxsize=4096)
def _find_common(types: tuple[Any, ...], promotion: Promotion) -> np.dtype | WeakType:
    if TEXT in types:
        return _find_common_with_text(types, promotion)
    if promotion.weakens:
        return lattice.join(types, promotion.mode, prefer_float32=promotion.prefer_float32)
    strong = {operand for operand in types if isinstance(operand, np.dtype)}
    if promotion.mode == "off" and len(strong) > 1:
        names = ", ".join(sorted(dtype.name for dtype in strong))
        raise TypeError(
            f"dtypes differ ({names}), and dtype_conversion_mode='off' converts none: cast explicitly, as with astype"
        )
    result = _find_numpy_common(types, strong)
    return SINGLE.get(result, result) if promotion.prefer_float32 and not strong & SINGLE.keys() else result


def _find_common_with_text(types: tuple[Any, ...], promotion: Promotion) -> np.dtype:
    """Return the dtype of text, to which NumPy's rules promote numbers, as in `concatenate`; a Python number is not
    promoted.
    """
    others = [operand for operand in types if operand is not TEXT and operand != TEXT]
    if others and (promotion.mode != "legacy" or not all(isinstance(operand, np.dtype) for operand in others)):
        names = ", ".join(sorted({getattr(operand, "name", None) or operand.__name__ for operand in others}))
        raise np.exceptions.DTypePromotionError(f"text and {names} have no common dtype: cast one, as with astype")
    return TEXT


def _find_numpy_common(types: tuple[Any, ...], strong: set[np.dtype]) -> np.dtype:
    if BFLOAT16 in strong:
        others = strong - {BFLOAT16}
        if all(np.add.resolve_dtypes((BFLOAT16, other, None))[0] == BFLOAT16 for other in others):
            return COMPLEX64 if any(operand is complex for operand in types) else BFLOAT16
        pair = (BFLOAT16, np.result_type(*others) if others else BFLOAT16)
        common = np.add.resolve_dtypes((*pair, None))[0]
        if common == BFLOAT16:
            return COMPLEX64 if any(operand is complex for operand in types) else BFLOAT16
        strong = {common}
        types = (common, *(operand for operand in types if isinstance(operand, type)))
    if not strong:
        return np.result_type(*(np.dtype(operand) for operand in types))
    return np.result_type(*(operand if isinstance(operand, np.dtype) else operand(0) for operand in types))
