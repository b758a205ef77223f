"""Subclasses of `np.ndarray`, of which a tensor holds the elements only.

A subclass is taken as data, unless it would lose its meaning: a masked array that hides elements, and a class that
overrides NumPy's functions (NEP 13 and NEP 18) or arithmetic, such as a matrix, or an array with units. Memory maps and
classes that only carry attributes are data.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final

import numpy as np

_ARITHMETIC: Final = ("add", "sub", "mul", "matmul", "truediv", "floordiv", "mod", "divmod", "pow")
_OVERRIDES: Final = frozenset(
    ("__array_ufunc__", "__array_function__", *(f"__{side}{name}__" for name in _ARITHMETIC for side in ("", "r")))
)

NO_MASKS: Final = "and tensors have no masks"
NO_OVERRIDES: Final = "which tensors cannot represent"


def check_subclass(array: np.ndarray) -> None:
    """Raise TypeError for an array of a subclass whose meaning a tensor would lose."""
    cls: Any = type(array)
    if isinstance(array, np.ma.MaskedArray):
        mask = np.ma.getmask(array)
        if mask.dtype == bool and mask.any():
            raise TypeError(
                f"this {cls.__name__} has {int(mask.sum())} masked of {mask.size} elements, {NO_MASKS}: pass "
                "array.filled(value), array.compressed() without the masked elements, or array.data to ignore the mask"
            )
    elif _has_overrides(cls):
        raise TypeError(
            f"{cls.__name__} is a subclass of numpy.ndarray that overrides NumPy's functions or operators, "
            f"{NO_OVERRIDES}: pass numpy.asarray(array), the elements alone"
        )


def as_base_array(value: Any) -> Any:
    """Return an array of a subclass as a plain array, for functions whose result is documented to be one; return other
    values unchanged.
    """
    return np.asarray(value) if isinstance(value, np.ndarray) else value


@lru_cache(maxsize=256)
def _has_overrides(cls: type) -> bool:
    parents = cls.__mro__[: cls.__mro__.index(np.ndarray)]
    return any(not _OVERRIDES.isdisjoint(vars(parent)) for parent in parents)
