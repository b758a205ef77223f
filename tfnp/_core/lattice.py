"""TensorFlow's published promotion lattice, with its weak types: the modes `all` and `safe`.

https://www.tensorflow.org/guide/tf_numpy_type_promotion gives the lattice; the result of two dtypes is their lowest
common upper neighbour. `safe` refuses what may lose precision or needs more bits than the wider operand has. Names that
end in an asterisk are weak: those of Python scalars, and of tensors made of such alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np
import tensorflow as tf

UP: Final[dict[str, tuple[str, ...]]] = {
    "bool": ("int32*",),
    "int32*": ("int64*",),
    "int64*": ("uint8", "int8", "float32*"),
    "uint8": ("uint16", "int16"),
    "int8": ("int16",),
    "uint16": ("uint32", "int32"),
    "int16": ("int32",),
    "uint32": ("uint64", "int64"),
    "int32": ("int64",),
    "uint64": ("float64*",),
    "int64": ("float64*",),
    "float32*": ("float64*",),
    "float64*": ("bfloat16", "float16", "complex128*"),
    "bfloat16": ("float32",),
    "float16": ("float32",),
    "float32": ("float64", "complex64"),
    "complex128*": ("complex64",),
    "float64": ("complex128",),
    "complex64": ("complex128",),
    "complex128": (),
}
PYTHON: Final = {int: "int32*", float: "float32*", complex: "complex128*"}
BITS: Final = {name: np.dtype(tf.as_dtype(name.rstrip("*")).as_numpy_dtype).itemsize * 8 for name in UP}

PRECISION: Final = {
    "bfloat16": 8, "float16": 11, "float32": 24, "float32*": 24, "complex64": 24,
    "float64": 53, "float64*": 53, "complex128": 53, "complex128*": 53,
}  # fmt: skip


@dataclass(frozen=True)
class WeakKind:
    """The kind of a weak tensor: it has a dtype, which gives way."""

    dtype: np.dtype

    @property
    def name(self) -> str:
        return f"{self.dtype.name}*"


WEAK_KINDS: Final = {
    kind.dtype: kind for kind in (WeakKind(np.dtype(name.rstrip("*"))) for name in UP if name.endswith("*"))
}
"""By dtype: no others can be weak."""

PromotionType = np.dtype | type | WeakKind


def join(kinds: tuple[PromotionType, ...], mode: str, *, prefer_float32: bool = False) -> np.dtype | WeakKind:
    """Where the operands meet; there no kind is a class. In mode `safe`, TypeError where that may not hold them all."""
    names = [PYTHON[kind] if isinstance(kind, type) else kind.name for kind in kinds]
    result = names[0]
    for name in names[1:]:
        result = _least_above(result, name)
    if mode == "safe":
        _check_safe(kinds, names, result)
    if result == "float64*" and prefer_float32:
        result = "float32*"
    dtype = np.dtype(tf.as_dtype(result.rstrip("*")).as_numpy_dtype)
    return WEAK_KINDS[dtype] if result.endswith("*") else dtype


@lru_cache(maxsize=1024)
def _least_above(first: str, second: str) -> str:
    shared = _above(first) & _above(second)
    return next(name for name in shared if shared <= _above(name))


@lru_cache(maxsize=64)
def _above(name: str) -> frozenset[str]:
    return frozenset({name}.union(*(_above(upper) for upper in UP[name])))


def _check_safe(kinds: tuple[PromotionType, ...], names: list[str], result: str) -> None:
    """Integers must fit the mantissa; no strong operand is widened beyond the widest; a weak complex is not cut."""
    strong = [name for name in names if not name.endswith("*")]
    lossy = any(_is_integer(name) and BITS[name] > PRECISION.get(result, 64) for name in strong)
    wider = bool(strong) and BITS[result] > max(BITS[name] for name in names)
    cut = "complex128*" in names and result == "complex64" and "complex64" not in strong
    if lossy or wider or cut:
        operands = " and ".join(_in_words(kind, name) for kind, name in zip(kinds, names, strict=True))
        raise TypeError(
            f"implicit conversion of {operands} to {result.rstrip('*')} is not safe: cast one explicitly, as with "
            "astype, or let dtype_conversion_mode='all' convert them"
        )


def _in_words(kind: PromotionType, name: str) -> str:
    if isinstance(kind, type):
        return f"a Python {kind.__name__} ({name.rstrip('*')})"
    return f"a weak {kind.dtype.name}" if isinstance(kind, WeakKind) else name


def _is_integer(name: str) -> bool:
    return name.startswith(("int", "uint"))
