"""TensorFlow's published promotion lattice, with its weak types: the modes `all` and `safe`.

https://www.tensorflow.org/guide/tf_numpy_type_promotion gives the lattice; the result of two dtypes is their lowest
common upper neighbour. `safe` rejects what may lose precision or needs more bits than the wider operand has. Names that
end in an asterisk are weak: those of Python scalars, and of tensors that are made of them only.
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
class WeakType:
    """The promotion type of a weak tensor of a dtype."""

    dtype: np.dtype

    @property
    def name(self) -> str:
        return f"{self.dtype.name}*"


WEAK_TYPES: Final = {
    weak.dtype: weak for weak in (WeakType(np.dtype(name.rstrip("*"))) for name in UP if name.endswith("*"))
}
"""The weak types by dtype: tensors of other dtypes cannot be weak."""

PromotionType = np.dtype | type | WeakType


def join(types: tuple[PromotionType, ...], mode: str, *, prefer_float32: bool = False) -> np.dtype | WeakType:
    """Return the least upper bound of promotion types. Raise TypeError in mode `safe` for an unsafe conversion."""
    names = [PYTHON[operand] if isinstance(operand, type) else operand.name for operand in types]
    result = names[0]
    for name in names[1:]:
        result = _least_upper_bound(result, name)
    if mode == "safe":
        _check_safe(types, names, result)
    if result == "float64*" and prefer_float32:
        result = "float32*"
    dtype = np.dtype(tf.as_dtype(result.rstrip("*")).as_numpy_dtype)
    return WEAK_TYPES[dtype] if result.endswith("*") else dtype


@lru_cache(maxsize=1024)
def _least_upper_bound(first: str, second: str) -> str:
    common = _above(first) & _above(second)
    return next(name for name in common if common <= _above(name))


@lru_cache(maxsize=64)
def _above(name: str) -> frozenset[str]:
    return frozenset({name}.union(*(_above(upper) for upper in UP[name])))


def _check_safe(types: tuple[PromotionType, ...], names: list[str], result: str) -> None:
    """Check that integers fit the mantissa, no operand gets more bits than the widest, and no weak complex fewer."""
    strong = [name for name in names if not name.endswith("*")]
    lossy = any(_is_integer(name) and BITS[name] > PRECISION.get(result, 64) for name in strong)
    wider = bool(strong) and BITS[result] > max(BITS[name] for name in names)
    narrows = "complex128*" in names and result == "complex64" and "complex64" not in strong
    if lossy or wider or narrows:
        operands = " and ".join(_describe(operand, name) for operand, name in zip(types, names, strict=True))
        raise TypeError(
            f"implicit conversion of {operands} to {result.rstrip('*')} is not safe: cast one explicitly, as with "
            "astype, or let dtype_conversion_mode='all' convert them"
        )


def _describe(operand: PromotionType, name: str) -> str:
    if isinstance(operand, type):
        return f"a Python {operand.__name__} ({name.rstrip('*')})"
    return f"a weak {operand.dtype.name}" if isinstance(operand, WeakType) else name


def _is_integer(name: str) -> bool:
    return name.startswith(("int", "uint"))
