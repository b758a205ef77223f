"""Five functions of NumPy's arrays with four bugs each, to be planted alone or together: see `load`.

As a module, `paired_bugs.median_with_nan_lost_and_overflow` is NumPy's median with both bugs, and nothing else.
"""

from __future__ import annotations

import functools
import inspect
import itertools
from collections.abc import Callable
from types import ModuleType

import numpy as np

BUGS: dict[str, dict[str, Callable]] = {}
"""The bugs by function and name. Each takes the function that it spoils, and the arguments of the call."""


def bug(spoil):
    """Register a bug: `median__nan_lost` is the bug `nan_lost` of `median`."""
    function, _, name = spoil.__name__.partition("__")
    BUGS.setdefault(function, {})[name] = spoil
    return spoil


def is_kind(array, kinds):
    return np.asarray(array).dtype.kind in kinds


@bug
def median__nan_lost(right, a, **options):
    """Overlooks nan."""
    array = np.asarray(a)
    return right(array[~np.isnan(array)] if array.dtype.kind == "f" and array.ndim == 1 else a, **options)


@bug
def median__overflow(right, a, **options):
    """Takes the mean of large integers in 32 bits."""
    array = np.asarray(a)
    return right(array.astype(np.int32) if array.dtype == np.int64 else a, **options)


@bug
def median__half(right, a, **options):
    """Gives single precision for half precision."""
    result = right(a, **options)
    return result.astype(np.float32) if np.asarray(result).dtype == np.float16 else result


@bug
def median__keepdims(right, a, keepdims=False, **options):
    """Ignores `keepdims`."""
    return right(a, **options)


@bug
def sum__nan_lost(right, a, **options):
    """Overlooks nan."""
    return right(np.nan_to_num(a, posinf=np.inf, neginf=-np.inf) if is_kind(a, "f") else a, **options)


@bug
def sum__bool_dtype(right, a, **options):
    """Sums of booleans are of 32 bits."""
    result = right(a, **options)
    return result.astype(np.int32) if is_kind(a, "b") and "dtype" not in options else result


@bug
def sum__where(right, a, where=True, **options):
    """Ignores `where`."""
    return right(a, **options)


@bug
def sum__keepdims(right, a, keepdims=False, **options):
    """Ignores `keepdims`."""
    return right(a, **options)


@bug
def cumsum__small_integers(right, a, **options):
    """Keeps the dtype of small integers."""
    result = right(a, **options)
    return result.astype(np.int8) if options.get("dtype") is None and np.asarray(a).dtype == np.int8 else result


@bug
def cumsum__nan_reset(right, a, **options):
    """Takes nan for zero."""
    array = np.asarray(a)
    return right(np.where(np.isnan(array), 0, array) if array.dtype.kind == "f" else a, **options)


@bug
def cumsum__negative_axis(right, a, axis=None, **options):
    """Takes a negative axis for the first."""
    return right(a, axis=0 if axis is not None and -np.ndim(a) <= axis < 0 else axis, **options)


@bug
def cumsum__bool(right, a, **options):
    """Refuses booleans."""
    if is_kind(a, "b"):
        raise TypeError("cumsum: booleans are not supported")
    return right(a, **options)


@bug
def roll__negative(right, a, shift, axis=None):
    """Rolls the wrong way if the shift is negative."""
    return right(a, shift=abs(shift) if isinstance(shift, int) else shift, axis=axis)


@bug
def roll__flattened(right, a, shift, axis=None):
    """Rolls rows only."""
    return right(a, shift=shift, axis=0 if axis is None and np.ndim(a) == 2 else axis)


@bug
def roll__bool(right, a, shift, axis=None):
    """Makes integers of booleans."""
    result = right(a, shift=shift, axis=axis)
    return result.astype(np.int64) if is_kind(a, "b") else result


@bug
def roll__empty(right, a, shift, axis=None):
    """Fails for nothing."""
    if not np.size(a):
        raise ZeroDivisionError("integer modulo by zero")
    return right(a, shift=shift, axis=axis)


@bug
def argmax__nan(right, a, **options):
    """Overlooks nan."""
    array = np.asarray(a)
    return right(np.where(np.isnan(array), -np.inf, array) if is_kind(a, "f") else a, **options)


@bug
def argmax__ties(right, a, **options):
    """Takes the last of equal integers."""
    result = right(a, **options)
    if not options and is_kind(a, "iu") and np.size(a):
        return np.int64(np.size(a) - 1 - np.argmax(np.ravel(a)[::-1]))
    return result


@bug
def argmax__keepdims(right, a, keepdims=False, **options):
    """Ignores `keepdims`."""
    return right(a, **options)


@bug
def argmax__unsigned(right, a, **options):
    """Gives small integers for booleans."""
    result = right(a, **options)
    return result.astype(np.int32) if is_kind(a, "b") else result


PAIRS = [(function, *pair) for function, bugs in BUGS.items() for pair in itertools.combinations(bugs, 2)]


def load(function, *names):
    """Return NumPy's function with these bugs. They are given all arguments by name; NumPy itself rejects a call that
    its signature does not allow.
    """
    original = found = getattr(np, function)
    signature = inspect.signature(original)
    for name in names:
        found = functools.partial(BUGS[function][name], found)

    @functools.wraps(original)
    def wrong(*args, **kwargs):
        try:
            given = signature.bind(*args, **kwargs).arguments
        except TypeError:
            return original(*args, **kwargs)
        return found(**given.pop("kwargs", {}), **given)

    return wrong


def __getattr__(name):
    if name.startswith("_"):
        raise AttributeError(name)
    module = ModuleType(f"{__name__}.{name}")
    function, mark, names = name.partition("_with_")
    if not mark:
        raise AttributeError(name)
    module.ndarray = np.ndarray
    setattr(module, function, load(function, *names.split("_and_")))
    return module
