"""TensorFlow's published promotion lattice, with its weak types: the modes `all` and `safe`.

https://www.tensorflow.org/guide/tf_numpy_type_promotion gives the lattice; the result of two dtypes is their lowest
common upper neighbour. `safe` refuses what may lose precision or needs more bits than the wider operand has. Names that
end in an asterisk are weak: those of Python scalars.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

import numpy as np
import tensorflow as tf

UP: Final[dict[str, tuple[str, ...]]] = {
    "bool": ("int32*",),
    "int32*": ("int64*",),
    "int64*": ("uint8", "int8"),
    "uint8": ("uint16", "int16"),
    "int8": ("int16",),
    "uint16": ("uint32", "int32"),
    "int16": ("int32",),
    "uint32": ("uint64", "int64"),
    "int32": ("int64",),
    "uint64": ("float32*",),
    "int64": ("float32*",),
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
WEAK: Final = {int: "int32*", float: "float32*", complex: "complex128*"}
BITS: Final = {name: np.dtype(tf.as_dtype(name.rstrip("*")).as_numpy_dtype).itemsize * 8 for name in UP}


def join(kinds: tuple[np.dtype | type, ...], mode: str, *, prefer_float32: bool = False) -> np.dtype:
    """The dtype of the operands' meeting. In mode `safe`, TypeError where it may not hold them all."""
    names = [WEAK[kind] if isinstance(kind, type) else kind.name for kind in kinds]
    result = names[0]
    for name in names[1:]:
        result = _least_above(result, name)
    if mode == "safe":
        _check_safe(names, result)
    if result == "float32*" and not prefer_float32:
        result = "float64" if len(set(names)) == 1 and kinds[0] is float else "float32"
    return np.dtype(tf.as_dtype(result.rstrip("*")).as_numpy_dtype)


@lru_cache(maxsize=1024)
def _least_above(first: str, second: str) -> str:
    shared = _above(first) & _above(second)
    return next(name for name in shared if shared <= _above(name))


@lru_cache(maxsize=64)
def _above(name: str) -> frozenset[str]:
    return frozenset({name}.union(*(_above(upper) for upper in UP[name])))


def _check_safe(names: list[str], result: str) -> None:
    widest = max(BITS[name] for name in names)
    weak_alone = all(name.endswith("*") for name in names)
    for name in names:
        strong = not name.endswith("*")
        wider = strong and BITS[result] > widest and not weak_alone
        lossy = strong and _is_integer(name) and not _is_integer(result)
        if wider or lossy:
            raise TypeError(f"implicit conversion of {' and '.join(names)} to {result} is not safe: cast explicitly")


def _is_integer(name: str) -> bool:
    return name.startswith(("int", "uint"))
