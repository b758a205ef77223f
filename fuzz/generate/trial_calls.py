"""Calls of NumPy while a call is drawn, with zeros in all arrays: what siblings share of the result."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from fuzz.generate.arrays import POOLS


def answer(function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """Return NumPy's result if all arrays hold zeros: its shape and dtype are the same for all siblings.

    None if NumPy rejects the call, or the result's dtype is not one of ours.
    """
    found = _call_with_zeros(function, args, kwargs)
    results = found if type(found) is tuple else (found,)
    return found if all(getattr(result, "dtype", None) in POOLS for result in results) else None


def takes(function: Callable[..., Any], *args: Any, **kwargs: Any) -> bool:
    """Return whether NumPy takes the call if all arrays hold zeros."""
    return _call_with_zeros(function, args, kwargs) is not REJECTED


class _Rejected:
    pass


REJECTED = _Rejected()


def _call_with_zeros(function: Callable[..., Any], args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
    blank = [np.zeros(arg.shape, arg.dtype) if type(arg) is np.ndarray else arg for arg in args]
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            return function(*blank, **kwargs)
    except Exception:  # noqa: BLE001 - whatever NumPy raises, there is no answer
        return REJECTED
