"""Which dtype: what TensorFlow can hold, NumPy's resolution of loops, weak scalars, and the promotion modes.

Operands of a resolution are written as *kinds*: a NumPy dtype for whatever has one (tensors, arrays, NumPy scalars), or
one of the classes `int`, `float`, `complex` for a Python scalar, which is weak. A Python bool is strong, as in NumPy.
In the modes `all` and `safe` tensors may be weak, too, and have a kind of their own.
Kinds are told apart by `is` and `isinstance`: `np.dtype("int64") == int` holds.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any, Final, TypeVar

import numpy as np
import tensorflow as tf

from tfnp._core import lattice, weak_types
from tfnp._core.lattice import PromotionType, WeakKind
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
)  # kept, copied, cast; no arithmetic

BY_NAME: Final[dict[str, tf.DType]] = {np.dtype(dtype.as_numpy_dtype).name: dtype for dtype in SUPPORTED + STORED}
BY_ENUM: Final[dict[int, np.dtype]] = {d.as_datatype_enum: np.dtype(d.as_numpy_dtype) for d in SUPPORTED + STORED}
BFLOAT16: Final = np.dtype(tf.bfloat16.as_numpy_dtype)
BOOL, FLOAT32, FLOAT64 = np.dtype(np.bool_), np.dtype(np.float32), np.dtype(np.float64)
COMPLEX64, COMPLEX128 = np.dtype(np.complex64), np.dtype(np.complex128)
SINGLE: Final = {FLOAT64: FLOAT32, COMPLEX128: COMPLEX64}
PYTHON_SCALARS: Final = (int, float, complex)
MODES: Final = ("legacy", "off", "all", "safe")


class Promotion:
    """How dtypes are combined. One object for each of the eight ways, so that it can key a table by identity.

    It `weakens` where tensors made of Python's numbers are weak.
    """

    __slots__ = ("mode", "prefer_float32", "weakens")

    def __init__(self, mode: str, prefer_float32: bool) -> None:
        self.mode = mode
        self.prefer_float32 = prefer_float32
        self.weakens = mode in ("all", "safe")

    def __repr__(self) -> str:
        return f"Promotion({self.mode!r}, prefer_float32={self.prefer_float32})"


_WAYS: Final = {(mode, single): Promotion(mode, single) for mode in MODES for single in (False, True)}
_lock = threading.Lock()
promotion: Promotion = _WAYS["legacy", False]
"""The way in force, for the whole process. Read it once in a decision, and key whatever is cached by it."""


@lru_cache(maxsize=1024)
def to_tf_dtype(dtype: np.dtype) -> tf.DType | None:
    """TensorFlow's dtype of such numbers, in either order of bytes; None if it has none. NumPy makes each name anew."""
    return BY_NAME.get(dtype.name)


def set_promotion(mode: str = "legacy", *, prefer_float32: bool = False) -> Promotion:
    """Put a way of promotion in force, and return the one that was."""
    global promotion
    if mode not in MODES:
        raise ValueError(f"dtype_conversion_mode must be one of {', '.join(MODES)}, not {mode!r}")
    with _lock:
        before, promotion = promotion, _WAYS[mode, bool(prefer_float32)]
    return before


_checked = threading.local()


def current_promotion() -> Promotion:
    """The way in force here: inside a function whose operands may meet, the mode `safe` has nothing more to check."""
    way = promotion
    return _WAYS["all", way.prefer_float32] if way.mode == "safe" and vars(_checked).get("depth", 0) else way


def call_checked(function: Callable[..., T], args: tuple[Any, ...], kwargs: dict[str, Any]) -> T:
    """Call a function whose operands may meet: what it mixes them with is its own affair."""
    _checked.depth = vars(_checked).get("depth", 0) + 1
    try:
        return function(*args, **kwargs)
    finally:
        _checked.depth -= 1


def unsupported_dtype_error(dtype: np.dtype) -> TypeError:
    """The one error for what TensorFlow cannot hold; nothing is silently downcast."""
    name = dtype.name if dtype.kind in "OMmVfc" else dtype.type.__name__
    return TypeError(f"tfnp cannot hold dtype {name!r} ({dtype!s}): TensorFlow has no such type")


def as_dtype(dtype: Any) -> tf.DType:
    """Whatever NumPy takes for a dtype, or a `tf.DType`, as the latter; None is the default float."""
    if isinstance(dtype, tf.DType):
        return _supported(dtype)
    return _tensor_dtype(as_numpy(dtype))


def as_numpy(dtype: Any) -> np.dtype:
    """Whatever NumPy takes for a dtype, or a `tf.DType`, as a NumPy dtype; Python's float obeys `prefer_float32`."""
    if isinstance(dtype, tf.DType):
        return BY_ENUM.get(dtype.as_datatype_enum) or np.dtype(_supported(dtype).as_numpy_dtype)
    if dtype is None or dtype is float or dtype is complex:
        return default_dtype(dtype or float)
    if is_tensor(dtype):
        raise TypeError("Cannot construct a dtype from an array")
    if isinstance(dtype, str) and dtype == "bfloat16":
        return BFLOAT16
    result = np.dtype(dtype)
    if to_tf_dtype(result) is None:
        raise unsupported_dtype_error(result)
    return result if result.isnative else result.newbyteorder("=")


def default_dtype(kind: type) -> np.dtype:
    """What a Python scalar, or a list of them, becomes where nothing stronger stands beside it."""
    dtype = np.dtype(kind)
    return SINGLE.get(dtype, dtype) if promotion.prefer_float32 else dtype


def default_float() -> tf.DType:
    """The dtype of `zeros(3)`, of means of integers: float64, or float32 where that is preferred."""
    return tf.float32 if promotion.prefer_float32 else tf.float64


def promotion_type(value: Any) -> PromotionType:
    """The kind of one operand: see the module. Converts what is neither tensor, array nor scalar to know it."""
    if is_tensor(value):
        value = apply_conversion(value)
        dtype = as_numpy(value.dtype.base_dtype)
        return lattice.WEAK_KINDS[dtype] if promotion.weakens and weak_types.is_weak(value) else dtype
    if type(value) in PYTHON_SCALARS:
        return type(value)
    if isinstance(value, tf.DType | np.dtype | type | str):
        return as_numpy(value)
    if isinstance(value, np.ndarray | np.generic):
        return as_numpy(value.dtype)
    dtype = as_numpy(np.asarray(value).dtype)
    return lattice.WEAK_KINDS.get(dtype, dtype) if promotion.weakens and weak_types.is_pythons(value) else dtype


def result_type(*values: Any) -> tf.DType:
    """NumPy's `result_type` of tensors, arrays, scalars and dtypes, under the promotion in force."""
    return _tensor_dtype(_strong(_common(tuple(promotion_type(value) for value in values), current_promotion())))


def beside_integers(dtype: tf.DType) -> tf.DType:
    """Where numbers meet a function's own integers, which are none of the caller's: a mode that converts none has it
    leave the dtype as it is.
    """
    if promotion.mode == "off":
        return dtype
    return call_checked(result_type, (as_numpy(dtype), np.dtype(int)), {})


def common_type(kinds: tuple[PromotionType, ...]) -> np.dtype | WeakKind:
    """Where operands of these kinds meet, under the promotion in force."""
    return _common(kinds, current_promotion())


def is_weak_common_type(kinds: tuple[PromotionType, ...], way: Promotion) -> bool:
    """Whether what operands of these kinds give is weak. Whether they may meet is not asked again."""
    return isinstance(_common(kinds, _WAYS["all", way.prefer_float32]), WeakKind)


def resolve(
    ufunc: np.ufunc,
    kinds: tuple[PromotionType, ...],
    way: Promotion,
    *,
    outs: tuple[np.dtype | None, ...] = (),
    signature: Any = None,
    casting: Any = "same_kind",
) -> tuple[np.dtype, ...]:
    """The dtypes of the loop that `ufunc` takes, inputs then outputs. Raises NumPy's own errors where there is none."""
    outs = outs or (None,) * ufunc.nout
    if way.mode != "legacy" and signature is None and _promotes(ufunc):
        kinds = (_common(kinds, way),) * len(kinds)
    if way.weakens:
        kinds = tuple(map(_strong, kinds))
    loop = _resolve_bfloat16(ufunc, kinds, outs, signature, casting) if BFLOAT16 in kinds else None
    if loop is None:
        asked = {} if signature is None else {"signature": signature}
        loop = _resolve_alone(ufunc, kinds, outs, casting, asked)
    for dtype in loop:
        if to_tf_dtype(dtype) is None:
            raise unsupported_dtype_error(dtype)
    doubles = any(dtype in SINGLE for dtype in (*kinds, *outs) if isinstance(dtype, np.dtype))
    if way.prefer_float32 and signature is None and not doubles:
        return tuple(SINGLE.get(dtype, dtype) for dtype in loop) if _has_loop(ufunc, loop) else loop
    return loop


def check_cast(source: np.dtype, target: np.dtype, casting: str, what: str) -> None:
    """Raise NumPy's TypeError where `source` may not become `target` under the casting rule."""
    if not can_cast(source, target, casting):
        raise TypeError(f"Cannot cast {what} from {source!r} to {target!r} with casting rule {casting!r}")


@lru_cache(maxsize=4096)
def can_cast(source: np.dtype, target: np.dtype, casting: Any = "safe") -> bool:
    """`np.can_cast`, once for each question: a bfloat16 becomes no float16, but a complex may become one."""
    return np.can_cast(source, target, casting)


def _strong(kind: Any) -> Any:
    return kind.dtype if isinstance(kind, WeakKind) else kind


def _supported(dtype: tf.DType) -> tf.DType:
    if dtype == tf.string:
        raise unsupported_dtype_error(np.dtype(np.str_))
    if dtype.as_datatype_enum not in BY_ENUM:
        raise TypeError(f"tfnp cannot hold dtype {dtype.name!r}: NumPy's API has no such numbers")
    return dtype


def _tensor_dtype(dtype: np.dtype) -> tf.DType:
    found = to_tf_dtype(dtype)
    if found is None:
        raise unsupported_dtype_error(dtype)
    return found


def _strengthen_python_scalars(
    ufunc: np.ufunc, kinds: tuple[PromotionType, ...], signature: Any
) -> tuple[PromotionType, ...]:
    """Where every operand is weak none is: `add(1, 2)` is a sum of int64s; but ints become what a signature asks, and
    of two operands or more each what it asks of the inputs, or whatever it asks where those share no dtype.
    """
    each = len(kinds) > 1 and (names_inputs(signature) or (signature is not None and not _promotes(ufunc)))
    if each or any(isinstance(kind, np.dtype) for kind in kinds):
        return kinds
    return tuple(kind if kind is int and signature is not None else np.dtype(kind) for kind in kinds)


def _resolve_alone(
    ufunc: np.ufunc, kinds: tuple[Any, ...], outs: tuple[Any, ...], casting: Any, asked: dict[str, Any]
) -> tuple[np.dtype, ...]:
    """The loop of operands that may all be weak: casting="no" has nothing to say of those, if there are several."""
    alone = not any(isinstance(kind, np.dtype) for kind in kinds)
    try:
        return _resolve(
            ufunc, (*_strengthen_python_scalars(ufunc, kinds, asked.get("signature")), *outs), casting, asked
        )
    except TypeError:
        if casting != "no" or not alone or len(kinds) == 1:
            raise
    return _resolve(ufunc, (*kinds, *outs), casting, asked)


def names_inputs(signature: Any) -> bool:
    """Whether a signature says which dtypes the inputs of a loop have, not its outputs alone."""
    return isinstance(signature, str) or (isinstance(signature, tuple) and signature[0] is not None)


def _resolve(ufunc: np.ufunc, kinds: tuple[Any, ...], casting: Any, asked: dict[str, Any]) -> tuple[np.dtype, ...]:
    """NumPy's answer; but a weak scalar under casting="equiv", at which NumPy 2.4 dereferences a null pointer, is made
    the strong one that it is equivalent to, save in comparisons of integers, which take any, and where truths are all
    that is asked of numbers.
    """
    weak = next((kind for kind in kinds if isinstance(kind, type)), None)
    if casting != "equiv" or weak is None:
        return ufunc.resolve_dtypes(kinds, casting=casting, **asked)
    loop = ufunc.resolve_dtypes(kinds, **asked)
    codes = {np.dtype(kind).kind for kind in kinds[: ufunc.nin]}
    if "qQ->?" in ufunc.types and codes <= {"i", "u"}:
        return loop
    strong = tuple(np.dtype(kind) if isinstance(kind, type) else kind for kind in kinds)
    found = ufunc.resolve_dtypes(strong, casting=casting, **asked)
    if found != loop and not asked and not ufunc.__name__.startswith("logical"):
        raise TypeError(f"cannot cast a Python {weak.__name__} to any of {loop} under the casting rule 'equiv'")
    return found


def _resolve_bfloat16(
    ufunc: np.ufunc, kinds: tuple[Any, ...], outs: tuple[Any, ...], signature: Any, casting: Any
) -> tuple[np.dtype, ...] | None:
    """The loop next to bfloat16, or None where NumPy and its extension dtypes know best.

    A Python float or int beside bfloat16 is weak, so takes its dtype. Where the extension has no bfloat16 loop, but
    NumPy has one of float32 (matmul, ldexp, degrees), the loop is that one with bfloat16 in its place.
    """
    if ufunc.__name__.startswith("logical") and any(isinstance(kind, type) for kind in kinds):
        return None  # every operand becomes a bool
    weak = {int: BFLOAT16 if _promotes(ufunc) else np.dtype(int), float: BFLOAT16, complex: COMPLEX64}
    expected = any(out is not None for out in outs)  # who says where the result goes decides its precision
    kinds = tuple(weak[kind] if isinstance(kind, type) else kind for kind in kinds)
    if signature is not None:
        return ufunc.resolve_dtypes((*kinds, *outs), casting=casting, signature=signature)
    try:
        loop = ufunc.resolve_dtypes((*kinds, *outs), casting=casting)
    except TypeError:
        loop = None
    common = _numpy_common(kinds, set(kinds)) if _promotes(ufunc) else kinds[0]
    if loop is not None and (expected or FLOAT32 not in loop or common != BFLOAT16):
        return loop
    singles = tuple(FLOAT32 if kind == BFLOAT16 else kind for kind in (*kinds, *outs))
    loop = ufunc.resolve_dtypes(singles, casting=casting)
    return tuple(BFLOAT16 if dtype == FLOAT32 else dtype for dtype in loop)


def _has_loop(ufunc: np.ufunc, loop: Iterable[np.dtype]) -> bool:
    """Whether the loop exists in single precision too: float_power has none."""
    singles = tuple(SINGLE.get(dtype, dtype) for dtype in loop)
    try:
        return ufunc.resolve_dtypes(singles) == singles
    except TypeError:
        return False


def _promotes(ufunc: np.ufunc) -> bool:
    """Whether the inputs of the ufunc share one dtype, which ldexp's do not."""
    return ufunc.nin > 1 and any(len(set(types.partition("->")[0])) == 1 for types in ufunc.types)


@lru_cache(maxsize=4096)
def _common(kinds: tuple[Any, ...], way: Promotion) -> np.dtype | WeakKind:
    if way.weakens:
        return lattice.join(kinds, way.mode, prefer_float32=way.prefer_float32)
    strong = {kind for kind in kinds if isinstance(kind, np.dtype)}
    if way.mode == "off" and len(strong) > 1:
        names = ", ".join(sorted(dtype.name for dtype in strong))
        raise TypeError(
            f"dtypes differ ({names}), and dtype_conversion_mode='off' converts none: cast explicitly, as with astype"
        )
    result = _numpy_common(kinds, strong)
    return SINGLE.get(result, result) if way.prefer_float32 and not strong & SINGLE.keys() else result


def _numpy_common(kinds: tuple[Any, ...], strong: set[np.dtype]) -> np.dtype:
    if BFLOAT16 in strong:
        others = strong - {BFLOAT16}
        if all(np.add.resolve_dtypes((BFLOAT16, other, None))[0] == BFLOAT16 for other in others):
            return COMPLEX64 if any(kind is complex for kind in kinds) else BFLOAT16
        pair = (BFLOAT16, np.result_type(*others) if others else BFLOAT16)
        meeting = np.add.resolve_dtypes((*pair, None))[0]
        if meeting == BFLOAT16:
            return COMPLEX64 if any(kind is complex for kind in kinds) else BFLOAT16
        strong = {meeting}
        kinds = (meeting, *(kind for kind in kinds if isinstance(kind, type)))
    if not strong:
        return np.result_type(*(np.dtype(kind) for kind in kinds))
    return np.result_type(*(kind if isinstance(kind, np.dtype) else kind(0) for kind in kinds))
