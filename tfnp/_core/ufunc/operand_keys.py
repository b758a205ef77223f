"""Keys of operands, for the plan caches of ufuncs: fast to look up, and equal for operands of one promotion type."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import tensorflow as tf

from tfnp._core import convert, dtypes, lattice, weak_types
from tfnp._core.eager_tensors import EagerTensor, enum_of

Key = int | np.dtype | type
WEAK: Final = frozenset((int, float, complex))
SYMBOLIC: Final = 1 << 12  # added to the dtype enum of a graph's tensor
_TEXT: Final = "USTO"
IS_WEAK: Final = 1 << 13  # added to the dtype enum of a weak tensor


def key_of(value: Any) -> Key | None:
    """Return the dtype enum of a tensor, the dtype of an array, the class of a Python scalar; None for others.

    An array of text is to be converted first: its dtype has a width, and objects may be text.
    """
    value_type = type(value)
    if value_type is EagerTensor:
        return enum_of(value)
    if value_type is np.ndarray:
        return value.dtype if value.dtype.kind not in _TEXT else None
    if value_type in WEAK:
        return value_type
    if isinstance(value, np.generic):
        return value.dtype if value.dtype.kind not in _TEXT else None
    if not isinstance(value, tf.Tensor):
        return None
    return value.dtype.as_datatype_enum + SYMBOLIC


def current_key(value: Any) -> Any:
    """Return the key of an operand, with the flag of weak tensors."""
    key = key_of(value)
    is_weak = dtypes.promotion.weakens and isinstance(key, int) and weak_types.is_weak(value)
    return key | IS_WEAK if is_weak else key  # type: ignore[operator]


def narrow(value: Any) -> Any:
    """Convert Python scalars, or lists of them, to a weak tensor; return other values unchanged."""
    tensor = convert.to_narrow(value)
    return value if tensor is None else tensor


def type_of(key: Any) -> dtypes.PromotionType:
    """Return the promotion type of operands with a key."""
    if not isinstance(key, int):
        return key if isinstance(key, type) else dtypes.as_numpy(key)
    if key & IS_WEAK:
        return lattice.WEAK_TYPES[dtypes.BY_ENUM[key % SYMBOLIC]]
    return dtypes.BY_ENUM.get(key % SYMBOLIC) or dtypes.as_numpy(tf.as_dtype(key % SYMBOLIC))
