"""What a plan of a ufunc is made for: a key for each operand, quick to find, which tells its kind."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import tensorflow as tf

from tfnp._core import convert, dtypes, lattice, weak_types

Key = int | np.dtype | type
EagerTensor = convert.EagerTensor
WEAK: Final = frozenset((int, float, complex))
SYMBOLIC: Final = 1 << 12  # added to the enum of a tensor that belongs to a graph
WEAKLY: Final = 1 << 13  # and of one that is weak


def key_of(value: Any) -> Key | None:
    """What a plan is made for: the enum of a tensor's dtype, the dtype of an array, the class of a Python scalar."""
    kind = type(value)
    if kind is EagerTensor:
        return convert.enum_of(value)
    if kind is np.ndarray:
        return value.dtype
    if kind in WEAK:
        return kind
    if isinstance(value, np.generic):
        return value.dtype
    if not isinstance(value, tf.Tensor):
        return None
    return value.dtype.as_datatype_enum + SYMBOLIC


def current_key(value: Any) -> Any:
    """The key of an operand, weak where its kind is."""
    key = key_of(value)
    is_weak = dtypes.promotion.weakens and isinstance(key, int) and weak_types.is_weak(value)
    return key | WEAKLY if is_weak else key  # type: ignore[operator]


def narrow(value: Any) -> Any:
    """A weak tensor for Python's numbers, and anything else as it is."""
    found = convert.to_narrow(value)
    return value if found is None else found


def type_of(key: Any) -> dtypes.PromotionType:
    """The kind, in the sense of `dtypes`, that a key stands for."""
    if not isinstance(key, int):
        return key if isinstance(key, type) else dtypes.as_numpy(key)
    if key & WEAKLY:
        return lattice.WEAK_KINDS[dtypes.BY_ENUM[key % SYMBOLIC]]
    return dtypes.BY_ENUM.get(key % SYMBOLIC) or dtypes.as_numpy(tf.as_dtype(key % SYMBOLIC))
