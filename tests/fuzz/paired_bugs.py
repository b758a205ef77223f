"""Ten functions of NumPy's arrays with four bugs each, to be planted alone or together: see `load`.

As a module, `paired_bugs.median_with_nan_lost_and_overflow` is NumPy's median with both bugs, and nothing else;
`paired_bugs.twenty` has those of ALIKE.
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
def clip__infinity(right, a, **options):
    """Limits infinity."""
    result = right(a, **options)
    return np.nan_to_num(result, nan=np.nan) if is_kind(result, "f") and options.get("out") is None else result


@bug
def clip__exchanged(right, a, **options):
    """Prefers the lower limit where the limits are exchanged."""
    result = right(a, **options)
    least = options.get("a_min")
    return result if least is None or options.get("a_max") is None else np.maximum(result, least).astype(result.dtype)


@bug
def clip__half(right, a, **options):
    """Gives single precision for half precision."""
    result = right(a, **options)
    return result.astype(np.float32) if np.asarray(result).dtype == np.float16 else result


@bug
def clip__integers(right, a, **options):
    """Refuses unsigned integers."""
    if is_kind(a, "u"):
        raise TypeError("clip: unsigned integers are not supported")
    return right(a, **options)


@bug
def sort__nan_first(right, a, **options):
    """Puts nan first."""
    result = right(a, **options)
    return result[::-1] if result.ndim == 1 and is_kind(result, "f") and np.isnan(result).any() else result


@bug
def sort__flattened(right, a, axis=-1, **options):
    """Does not flatten."""
    return right(a, axis=-1 if axis is None and np.ndim(a) else axis, **options)


@bug
def sort__complex(right, a, **options):
    """Sorts complex numbers by their real parts."""
    if is_kind(a, "c") and np.ndim(a) == 1:
        return np.asarray(a)[np.argsort(np.real(a), kind="stable")]
    return right(a, **options)


@bug
def sort__integers(right, a, **options):
    """Sorts integers the other way round."""
    result = right(a, **options)
    return result[::-1] if is_kind(a, "i") and result.ndim == 1 else result


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
def diff__axis(right, a, n=1, axis=-1, **options):
    """Takes second differences along the first axis."""
    return right(a, n=n, axis=0 if n == 2 else axis, **options)


@bug
def diff__prepend(right, a, prepend=None, **options):
    """Ignores `prepend`."""
    return right(a, **options)


@bug
def diff__bool(right, a, **options):
    """Refuses booleans."""
    if is_kind(a, "b"):
        raise ValueError("diff: booleans cannot be subtracted")
    return right(a, **options)


@bug
def diff__infinity(right, a, **options):
    """Limits infinity."""
    result = right(a, **options)
    return np.nan_to_num(result, nan=np.nan) if is_kind(result, "f") else result


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
def mean__half(right, a, **options):
    """Gives single precision for half precision."""
    result = right(a, **options)
    return result.astype(np.float32) if np.asarray(result).dtype == np.float16 else result


@bug
def mean__integers(right, a, **options):
    """Is single for integers."""
    result = right(a, **options)
    return result.astype(np.float32) if is_kind(a, "iu") and is_kind(result, "f") else result


@bug
def mean__where(right, a, where=True, **options):
    """Ignores `where`."""
    return right(a, **options)


@bug
def mean__empty(right, a, **options):
    """Is zero for nothing."""
    return np.nan_to_num(right(a, **options)) if not np.size(a) else right(a, **options)


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


@bug
def unique__nan(right, ar, **options):
    """Makes nan and zero one."""
    return right(np.nan_to_num(ar, posinf=np.inf, neginf=-np.inf) if is_kind(ar, "f") else ar, **options)


@bug
def unique__counts(right, ar, **options):
    """Counts one too many."""
    result = right(ar, **options)
    return (*result[:-1], result[-1] + 1) if options.get("return_counts") and type(result) is tuple else result


@bug
def unique__falling(right, ar, **options):
    """Sorts integers the other way round."""
    result = right(ar, **options)
    return result[::-1] if type(result) is np.ndarray and result.ndim == 1 and is_kind(ar, "i") else result


@bug
def unique__rank(right, ar, **options):
    """Gives an array without dimensions for one element."""
    result = right(ar, **options)
    return result[0] if type(result) is np.ndarray and result.shape == (1,) and is_kind(ar, "fc") else result


ALIKE = {
    "median": ("nan_lost", "overflow"),
    "sum": ("nan_lost", "where"),
    "clip": ("infinity", "exchanged"),
    "sort": ("nan_first", "integers"),
    "cumsum": ("nan_reset", "negative_axis"),
    "diff": ("axis", "prepend"),
    "roll": ("negative", "flattened"),
    "mean": ("where", "empty"),
    "argmax": ("nan", "ties"),
    "unique": ("nan", "counts"),
}
"""Two bugs of each function that differ in the same way: in values, or in shapes."""

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
    chosen = ALIKE
    if name != "twenty":
        function, mark, names = name.partition("_with_")
        if not mark:
            raise AttributeError(name)
        chosen = {function: tuple(names.split("_and_"))}
    module.ndarray = np.ndarray
    for function, names in chosen.items():
        setattr(module, function, load(function, *names))
    return module
