"""Precision transforms: cases in higher precision, flushed, or with magnitudes only, run by NumPy as a second opinion.

What a call's result would be in higher precision, or with subnormal numbers flushed to zero, is computed by NumPy
itself, so that no function is described here.
"""

from __future__ import annotations

import cmath
from collections.abc import Callable, Iterator
from functools import partial
from itertools import zip_longest
from typing import Any

import numpy as np

from oracle.case.model import Case
from oracle.reference.bfloat16 import BFLOAT16
from oracle.reference.dtypes import EPSILON, SMALLEST_NORMAL, WIDER, is_inexact
from oracle.reference.outcome import Outcome, destinations, find_in_numpy, run_numpy
from oracle.subject import parameters_of


def widen(case: Case, integers: bool = False) -> Case:
    """Return the case with every floating number and dtype in higher precision; with `integers`, arrays of integers
    too.

    A weak Python scalar is first rounded to the dtype of the arrays, as NumPy does.
    """
    case = _with_strong_lists(spell_out(case))
    working = dtype_of_weak(case)
    upcast = WIDER.get(working, working)

    def of_array(array: np.ndarray) -> np.ndarray:
        if array.dtype.kind in "iu" and integers:
            return array.astype(upcast)
        target = WIDER.get(array.dtype.newbyteorder("=") if array.dtype.kind in "fc" else array.dtype)
        return array if target is None else array.astype(target)

    def of_other(value: Any) -> Any:
        if isinstance(value, np.generic):
            target = WIDER.get(value.dtype)
            return value if target is None else value.astype(target)
        if type(value) is float:
            return upcast.type(working.type(value))
        if type(value) is complex:
            return np.result_type(upcast, np.complex64).type(np.result_type(working, np.complex64).type(value))
        if isinstance(value, np.dtype):
            return WIDER.get(value, value)
        named = dtype_named(value)
        return value if named is None else WIDER.get(named, value)

    return case.map_leaves(of_array, of_other)


def _with_strong_lists(case: Case) -> Case:
    """Return the case with float64 arrays for lists of Python floats, which are not weak."""

    def strong(value: Any) -> Any:
        if type(value) not in (list, tuple):
            return value
        if all(type(item) in (bool, int, float) for item in value):
            return type(value)([np.float64(item) if type(item) is float else item for item in value])
        return type(value)(map(strong, value))

    return Case(case.name, tuple(map(strong, case.args)), {key: strong(value) for key, value in case.kwargs.items()})


def dtype_of_weak(case: Case) -> np.dtype:
    """Return the floating dtype that weak scalars take: that of the arrays, or of the requested loop."""
    letters = str(case.kwargs.get("signature") or "").partition("->")[0]
    present = [np.dtype(letter) for letter in letters if letter in "efdFD"]
    present += [array.dtype for array in case.arrays() if is_inexact(array.dtype)]
    present += [leaf.dtype for leaf in case.leaves() if isinstance(leaf, np.generic) and is_inexact(leaf.dtype)]
    working = max(present, key=lambda dtype: dtype.itemsize, default=np.dtype(np.float64))
    return np.empty(0, working).real.dtype


CODES = frozenset("efdFD")
"""One-letter codes of the floating and complex dtypes."""


def spell_out(case: Case) -> Case:
    """Return the case with dtypes in place of their one-letter codes."""

    def spell(name: str | None, value: Any) -> Any:
        return np.dtype(value) if name == "dtype" and isinstance(value, str) and value in CODES else value

    names = parameters_of(case.name)[: len(case.args)]
    args = [spell(name, value) for name, value in zip_longest(names, case.args)]
    return Case(case.name, tuple(args), {name: spell(name, value) for name, value in case.kwargs.items()})


def reads_integers(case: Case) -> bool:
    """Return whether no array that the case reads has a floating or complex dtype."""
    outputs = {id(array) for array in destinations(case)}
    return not any(is_inexact(array.dtype) for array in case.arrays() if id(array) not in outputs)


def dtype_named(value: Any) -> np.dtype | None:
    """Return the floating dtype that an argument names, by class or text; one-letter texts may be an order, and do not
    count.
    """
    is_class = isinstance(value, type) and (issubclass(value, (np.inexact, BFLOAT16.type)) or value in (float, complex))
    if not is_class and not (isinstance(value, str) and len(value) > 1):
        return value if isinstance(value, np.dtype) and is_inexact(value) else None
    try:
        named = np.dtype(value)
    except (TypeError, ValueError, SyntaxError):  # NumPy reads a text as Python where it holds a comma
        return None
    return named if is_inexact(named) else None


def wider(case: Case, integers: bool = False) -> Outcome:
    """Return NumPy's outcome in higher precision; by a better formula where precision alone does not help."""

    def find(name: str) -> Any:
        return _log1p if name == "log1p" else find_in_numpy(name)

    return run_numpy(widen(case, integers), find)


def _log1p(x: Any, /, *args: Any, **kwargs: Any) -> Any:
    """Compute log(1 + x); for complex x by log1p of |1 + x|**2 - 1, as NumPy computes 1 + x first and loses small x."""
    result = np.log1p(x, *args, **kwargs)
    if np.asarray(result).dtype.kind != "c":
        return result
    x, result = np.asarray(x), result if isinstance(result, np.ndarray) else np.array(result)
    near = np.log1p(x.real * (2 + x.real) + x.imag * x.imag) / 2
    result.real = np.where((np.abs(x) < 0.5) & kwargs.get("where", True), near, result.real)
    return result


NEARLY = 4.0
"""What is so little above the smallest normal number becomes subnormal in the first steps of a calculation."""


def has_subnormals(case: Case) -> bool:
    """Return whether a number in the case is subnormal, or nearly so, in its dtype or the requested one."""
    dtype = requested_dtype(case)
    strong = [_strong(leaf, case) for leaf in case.leaves() if _is_inexact_leaf(leaf)]
    return any(are_subnormal(value, NEARLY).any() or _find_vanishing(value, dtype).any() for value in strong)


def _find_vanishing(array: np.ndarray, dtype: np.dtype | None) -> np.ndarray:
    """Return which elements are subnormal in a narrower dtype."""
    if dtype is None or not is_inexact(array.dtype) or holds(dtype, array.dtype):
        return np.zeros(array.shape, bool)
    return (array != 0) & (np.abs(array) < float(SMALLEST_NORMAL.get(np.empty(0, dtype).real.dtype, 0)))


def holds(dtype: np.dtype, other: np.dtype) -> bool:
    """Return whether a dtype represents all numbers of another one; float16 and bfloat16 do not represent each
    other's.
    """
    try:
        return np.result_type(dtype, other) == dtype
    except TypeError:
        return False


def _strong(leaf: Any, case: Case) -> np.ndarray:
    """Return a number as an array of the dtype that weak scalars take beside others, unless it is too small for it."""
    array = np.asarray(leaf)
    if type(leaf) not in (float, complex) or are_subnormal(array).any():
        return array
    working = dtype_of_weak(case)
    with np.errstate(over="ignore"):
        return np.asarray(leaf).astype(working if type(leaf) is float else np.result_type(working, np.complex64))


def flush(case: Case, to_normal: bool = False, nearly: float = NEARLY) -> Case:
    """Return the case with subnormal numbers replaced by zeros of their sign, or by the smallest normal numbers, as
    some kernels do.
    """
    dtype = requested_dtype(case)

    def of_array(array: np.ndarray) -> np.ndarray:
        return flush_array(array, nearly, to_normal)

    def of_other(value: Any) -> Any:
        if type(value) in (float, complex):
            strong = _strong(value, case)
            if _find_vanishing(strong, dtype).any():
                strong = strong.astype(np.empty(0, dtype).real.dtype if type(value) is float else dtype)
            return type(value)(of_array(strong)) if are_subnormal(strong, nearly).any() else value
        return of_scalars(of_array)(value)

    return _with_strong_lists(case).map_leaves(of_array, of_other)


def requested_dtype(case: Case) -> np.dtype | None:
    """Return the floating dtype that the argument `dtype` names, also by a one-letter code; else None."""
    by_name = dict(zip(parameters_of(case.name), case.args, strict=False))
    value = case.kwargs.get("dtype", by_name.get("dtype"))
    return dtype_named(np.dtype(value) if isinstance(value, str) and value in CODES else value)


def epsilon(case: Case, dtype: np.dtype) -> float:
    """Return the machine epsilon of a result's dtype, or of the requested dtype if that is coarser."""
    coarser = requested_dtype(case)
    unit = EPSILON.get(dtype) or float(np.finfo(dtype).eps)  # of longdouble too
    return unit if coarser is None else max(unit, EPSILON.get(coarser, 0.0))


def flushings(case: Case) -> Iterator[Case]:
    """Yield the case with all subnormal numbers flushed, with nearly subnormal ones flushed as well, and with those of
    each single dtype flushed, as kernels may do; last with numbers that are subnormal in the requested dtype.
    """
    yield flush(case, nearly=1.0)
    yield flush(case, nearly=NEARLY)
    dtypes = list(dict.fromkeys(leaf.dtype for leaf in case.leaves() if isinstance(leaf, (np.ndarray, np.generic))))
    for dtype in dtypes if len(dtypes) > 1 else ():
        yield _with_changed(case, partial(_flush_if, dtype))
    if (requested := requested_dtype(case)) is not None:
        yield _with_changed(_with_strong_lists(case), partial(_vanish, requested))


def _flush_if(dtype: np.dtype, array: np.ndarray) -> np.ndarray:
    return flush_array(array) if array.dtype == dtype else array


def _vanish(dtype: np.dtype, array: np.ndarray) -> np.ndarray:
    """Return the array with zeros for what is subnormal in the requested dtype."""
    return np.where(_find_vanishing(array, dtype), array.dtype.type(0), array)


def _with_changed(case: Case, change: Callable[[np.ndarray], np.ndarray]) -> Case:
    """Return the case with each array changed, and NumPy scalars like arrays."""
    return case.map_leaves(change, of_scalars(change))


def of_scalars(change: Callable[[np.ndarray], np.ndarray]) -> Callable[[Any], Any]:
    """Return a function that changes NumPy's inexact scalars like arrays, and nothing else."""

    def of_other(value: Any) -> Any:
        is_inexact_scalar = isinstance(value, np.generic) and is_inexact(value.dtype)
        return change(np.asarray(value))[()] if is_inexact_scalar else value

    return of_other


def flush_array(array: np.ndarray, nearly: float = 1.0, to_normal: bool = False) -> np.ndarray:
    """Return the array with subnormal numbers replaced by zeros of their sign, or by the smallest normal numbers."""
    if array.dtype.kind == "c":
        native = np.ascontiguousarray(array, array.dtype.newbyteorder("="))
        parts = flush_array(native.view(native.real.dtype), nearly, to_normal)
        return parts.view(native.dtype).reshape(array.shape).astype(array.dtype)
    subnormal = are_subnormal(array, nearly)
    if not subnormal.any():
        return array
    instead = SMALLEST_NORMAL[array.dtype.newbyteorder("=") if array.dtype.kind == "f" else array.dtype]
    return np.where(subnormal, np.copysign(array.dtype.type(instead if to_normal else 0), array), array)


def are_subnormal(array: np.ndarray, nearly: float = 1.0) -> np.ndarray:
    """Return which elements are below the smallest normal number times `nearly`. float16 is never flushed."""
    if array.dtype.kind == "c":
        return are_subnormal(array.real, nearly) | are_subnormal(array.imag, nearly)
    smallest = SMALLEST_NORMAL.get(array.dtype.newbyteorder("=") if array.dtype.kind == "f" else array.dtype)
    if smallest is None or array.dtype.kind in "biu" or array.dtype == np.float16:
        return np.zeros(array.shape, bool)
    size = np.abs(array.astype(np.float64))
    return (size > 0) & (size < smallest * nearly)


def _is_inexact_leaf(leaf: Any) -> bool:
    return type(leaf) in (float, complex) or (isinstance(leaf, (np.ndarray, np.generic)) and is_inexact(leaf.dtype))


def magnitudes(case: Case, *, finite: bool = False) -> Case:
    """Return the case with every number replaced by its magnitude, so that a sum of products becomes the sum of their
    magnitudes. Widen the case first.

    With `finite`, infinities and nan become zero. An int that is an axis or an index is unchanged.
    """

    def of_array(array: np.ndarray) -> np.ndarray:
        size = _sizes(array)
        return np.where(np.isfinite(size), size, size.dtype.type(0)) if finite and is_inexact(size.dtype) else size

    def of_other(value: Any) -> Any:
        if isinstance(value, (float, complex, np.number)) or (type(value) is int):
            return abs(value) if not finite or cmath.isfinite(value) else 0.0
        return value

    sized, names = case.map_leaves(of_array, of_other), parameters_of(case.name)
    args = [
        original if name in NOT_TERMS else other
        for name, original, other in zip_longest(names[: len(case.args)], case.args, sized.args)
    ]
    kwargs = {key: case.kwargs[key] if key in NOT_TERMS else value for key, value in sized.kwargs.items()}
    return Case(case.name, tuple(args), kwargs)


def without_infinities(case: Case) -> Case:
    """Return the case with zeros for infinite and nan terms."""

    def of_array(array: np.ndarray) -> np.ndarray:
        return np.where(np.isfinite(array), array, array.dtype.type(0)) if is_inexact(array.dtype) else array

    def of_other(value: Any) -> Any:
        is_inexact_scalar = isinstance(value, (float, complex)) or (
            isinstance(value, np.generic) and is_inexact(value.dtype)
        )
        return type(value)(0) if is_inexact_scalar and not np.isfinite(value) else value

    return case.map_leaves(of_array, of_other)


NOT_TERMS = frozenset({"axis", "axes", "offset", "axis1", "axis2"})
"""Arguments that are integers, and no terms of a sum."""


def sizes(case: Case, choose: Callable[..., Any]) -> Case:
    """Return the case with every number replaced by its magnitude or by one, as `choose` (max or min) decides.

    nan becomes one. Of complex numbers, the larger part counts for min; for max both do, which bounds each part of a
    product.
    """

    def of_array(array: np.ndarray) -> np.ndarray:
        if array.dtype.kind not in "fc" and array.dtype != BFLOAT16:
            return array
        join = np.add if choose is np.maximum else np.maximum
        size = join(np.abs(array.real), np.abs(array.imag)) if array.dtype.kind == "c" else np.abs(array)
        return choose(np.where(np.isnan(size), 1, size), 1).astype(array.dtype)

    def of_other(value: Any) -> Any:
        return of_array(np.asarray(value)).item() if isinstance(value, (float, complex)) else value

    initial = case.kwargs.get("initial")
    if type(initial) is int:  # a factor, where other integers may be axes
        case = Case(case.name, case.args, {**case.kwargs, "initial": float(initial)})
    return case.map_leaves(of_array, of_other)


def _sizes(array: np.ndarray) -> np.ndarray:
    """Return the magnitude of each number; that of the least integer exceeds its dtype by one."""
    if array.dtype.kind == "i":
        array = np.maximum(array, -np.iinfo(array.dtype).max)
    return np.abs(array) if array.dtype.kind in "iufc" else array


def by_conjugate(case: Case) -> Case | None:
    """Return a quotient as one by conjugates, in which cancelling terms add up instead; None for other cases."""
    if case.name not in ("divide", "true_divide") or len(case.args) < 2:
        return None
    return Case(case.name, (case.args[0], np.conjugate(case.args[1]), *case.args[2:]), case.kwargs)
