"""Shrinking passes: each proposes simpler candidates to a reduction, which keeps those that fail the same way."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np

from fuzz.shrink.dtype_passes import Reducing, simplify_dtypes, simplify_numbers
from fuzz.shrink.order import list_simpler_numbers, list_simpler_scalars, to_numbers, weigh_value
from fuzz.shrink.paths import (
    REMOVED,
    Path,
    change_arrays,
    change_ints,
    get_at,
    list_children,
    replace,
    replace_array,
    walk,
)
from oracle import Case
from oracle.harness import COMPOSITIONS, LAST

GROWN = slice(0, 1, 1)
FEW = 4  # elements


def fill(array: np.ndarray, value: Any) -> np.ndarray:
    """Return a C-contiguous array of the same shape and dtype, filled with one value."""
    plain = np.zeros(array.shape, array.dtype)
    if array.dtype.kind not in "USMm":
        plain[...] = value
    return plain


def crop(array: np.ndarray, part: slice, dim: int | None = None, axis: int | None = None) -> np.ndarray:
    """Return a part of the array along all axes of length `dim`, or along one axis. C and Fortran order are kept."""
    chosen = [axis == at if axis is not None else dim in (None, length) for at, length in enumerate(array.shape)]
    if not any(chosen):
        return array
    if part == GROWN:
        shape = [1 if choice else length for choice, length in zip(chosen, array.shape, strict=True)]
        return np.zeros(shape, array.dtype)
    return _settled(array[tuple([part if choice else slice(None) for choice in chosen])], array)


def _settled(part: np.ndarray, whole: np.ndarray) -> np.ndarray:
    flags = whole.flags
    if not flags.aligned or not (flags.c_contiguous or flags.f_contiguous):
        return part
    part = np.array(part, order="C" if flags.c_contiguous else "F", copy=True)
    part.flags.writeable = flags.writeable
    return part


def propose_leaps(case: Case) -> Iterator[Case]:
    """Yield the biggest steps: a dozen candidates, one of which often completes the reduction."""
    bare = Case(case.name, case.args)
    sources = [bare, case] if case.kwargs else [case]
    for source in sources:
        yield _without_lists(change_arrays(source, lambda array: np.zeros((), array.dtype)))
    for source in sources:
        yield change_arrays(source, lambda array: np.zeros((), array.dtype))
    for largest, value in itertools.product((1, 2, 3), (0, 1)):
        for source in sources if largest == 1 and not value else [case]:
            yield change_arrays(source, partial(_blank_crop, largest=largest, value=value))
    for source in sources:
        yield change_arrays(source, partial(crop, part=slice(2)))
    if case.kwargs:
        yield bare


def _without_lists(case: Case) -> Case:
    """Return the case with a zero for each positional argument that is a list of numbers, however nested."""
    return Case(case.name, tuple(_first_zero(value) for value in case.args), case.kwargs)


def _first_zero(value: Any) -> Any:
    inner = value
    while type(inner) in (list, tuple) and inner:
        inner = inner[0]
    return type(inner)() if inner is not value and type(inner) in (bool, int, float, complex) else value


def _blank_crop(array: np.ndarray, largest: int, value: int) -> np.ndarray:
    return fill(crop(array, slice(largest)), value)


def drop_calls(reduction: Reducing) -> None:
    """Replace a program by one of its calls, and a call by the value that NumPy returns for it."""
    for call in (call for call in reduction.best.calls() if call is not reduction.best):
        if reduction.attempt(call):
            return drop_calls(reduction)
    for path, call in [(path, value) for path, value in walk(reduction.best) if type(value) is Case]:
        outcome = reduction.answer(call)
        if outcome.error is None and isinstance(outcome.value, np.ndarray | np.generic | int | float | complex | bool):
            value = np.array(outcome.value) if isinstance(outcome.value, np.ndarray) else outcome.value
            if reduction.attempt(replace(reduction.best, path, value)):
                return drop_calls(reduction)
    return None


def drop_arguments(reduction: Reducing) -> None:
    """Remove all keywords of every call, each keyword, and the last positional argument; each result and each write."""
    position = 0
    while position < len(calls := _paths_of_calls(reduction.best)):
        _drop_arguments_of(reduction, calls[position])
        position += 1


def _paths_of_calls(case: Case) -> list[Path]:
    return [(), *(path for path, value in walk(case) if type(value) is Case)]


def _drop_arguments_of(reduction: Reducing, path: Path) -> None:
    call = get_at(reduction.best, path)
    if len(call.kwargs) > 1:
        reduction.attempt(replace(reduction.best, path, Case(call.name, call.args)))
    for key in list(get_at(reduction.best, path).kwargs):
        reduction.attempt(replace(reduction.best, (*path, key), REMOVED))
    if call.name in COMPOSITIONS:
        for index in reversed(range(len(call.args))):
            reduction.attempt(replace(reduction.best, (*path, index), REMOVED))
        return
    while (call := get_at(reduction.best, path)).args:
        if not reduction.attempt(replace(reduction.best, path, Case(call.name, call.args[:-1], call.kwargs))):
            return


SIMPLEST_WRITE = "ndarray.fill"


def list_writes(case: Case) -> list[Case]:
    """Return the calls of a program that are made before a value is read, for what they write."""
    lasts = [value for _, value in walk(case) if type(value) is Case and value.name == LAST]
    return [write for last in lasts for write in last.args[:-1] if type(write) is Case]


def simplify_writes(reduction: Reducing) -> None:
    """Replace each write by `fill`: one fault of a view has one minimal case, whichever function it was found by."""
    for path, last in list(walk(reduction.best)):
        if type(last) is Case and last.name == LAST:
            for index, write in enumerate(last.args[:-1]):
                target = write.kwargs.get("out", write.args[0] if write.args else None)
                reduction.attempt(replace(reduction.best, (*path, index), Case(SIMPLEST_WRITE, (target, 1))))


def drop_items(reduction: Reducing) -> None:
    """Shrink lists and tuples: the single item itself, one half, all but one item; and dicts: all but one key."""
    for path, value in reversed(list(walk(reduction.best))):
        if type(value) not in (list, tuple, dict):
            continue
        if type(value) is not dict and len(value) == 1:
            reduction.attempt(replace(reduction.best, path, value[0]))
        if type(value) is not dict and len(value) > 3:
            reduction.attempt(replace(reduction.best, path, value[: len(value) // 2]))
        current = get_at(reduction.best, path)
        for key, _ in reversed(list_children(current)):
            reduction.attempt(replace(reduction.best, (*path, key), REMOVED))


def shrink_ranks(reduction: Reducing) -> None:
    """Remove axes: all axes; one axis of all arrays, counted from either end; one axis of each array; all but one of
    small arrays.
    """
    reduction.attempt(change_arrays(reduction.best, _first_element))
    most = max([array.ndim for array in reduction.best.arrays()], default=0)
    for axis in [*range(-most, 0), *range(most)]:
        lower = change_arrays(reduction.best, partial(_without_axis, axis=axis))
        if not reduction.attempt(lower):
            reduction.attempt(change_ints(lower, lambda value: value - 1 if 0 < value < most else value))
    for index in range(len(reduction.best.arrays())):
        for axis in range(reduction.best.arrays()[index].ndim - 1, -1, -1):
            array = reduction.best.arrays()[index]
            reduction.attempt(replace_array(reduction.best, array, _without_axis(array, axis)))
    if max([array.ndim for array in reduction.best.arrays()], default=0) > 1:
        reduction.attempt(change_arrays(reduction.best, _flatten))


def _flatten(array: np.ndarray) -> np.ndarray:
    """Return a small array as a vector; a large one is still to lose dims, which a vector could only lose together."""
    return _settled(array.ravel(), array) if array.size <= FEW else array


def _first_element(array: np.ndarray) -> np.ndarray:
    return _settled(array[(0,) * array.ndim + (...,)], array) if array.size else np.zeros((), array.dtype)


def _without_axis(array: np.ndarray, axis: int) -> np.ndarray:
    if not -array.ndim <= axis < array.ndim:
        return array
    if not array.shape[axis]:
        return np.zeros(np.delete(array.shape, axis), array.dtype)
    return _settled(np.moveaxis(array, axis, 0)[0, ...], array)


def shrink_dims(reduction: Reducing) -> None:
    """Shrink dimensions: all of one length, with the integers equal to it; a common factor of two; each by itself."""
    for dim in sorted({dim for array in reduction.best.arrays() for dim in array.shape}, reverse=True):
        length: int | None = dim
        while length is not None and length != 1:
            length = _shrink_dims_of(reduction, length)
    for number in sorted({value for value in reduction.best.leaves() if type(value) is int and value > 1}):
        factored = change_ints(reduction.best, _swap(number, 1))
        reduction.attempt(change_arrays(factored, partial(_divided, number=number)))
    for index in range(len(reduction.best.arrays())):
        for axis in range(reduction.best.arrays()[index].ndim):
            while _shrink_dim(reduction, index, axis):
                pass


def _shrink_dims_of(reduction: Reducing, dim: int) -> int | None:
    for part in list_parts(dim):
        smaller = change_arrays(reduction.best, partial(crop, part=part, dim=dim))
        left = len(range(dim)[part]) if dim else 1
        if reduction.attempt(change_ints(smaller, _swap(dim, left))) or reduction.attempt(smaller):
            return left
    return None


def _shrink_dim(reduction: Reducing, index: int, axis: int) -> bool:
    array = reduction.best.arrays()[index]
    smaller = (
        replace_array(reduction.best, array, crop(array, part, axis=axis)) for part in list_parts(array.shape[axis])
    )
    return any(reduction.attempt(candidate) for candidate in smaller)


def list_parts(dim: int) -> list[slice]:
    """Return the slices of a dimension to try: one end, one half, all but one end, any one element. An empty dimension
    grows to one.
    """
    if dim < 2:
        return [] if dim else [GROWN]
    half = dim // 2
    ends = [slice(1), slice(dim - 1, dim), slice(half), slice(half, dim), slice(dim - 1), slice(1, dim)]
    return ends + [slice(at, at + 1) for at in range(1, min(dim - 1, 8))]


def _divided(array: np.ndarray, number: int) -> np.ndarray:
    for axis, dim in enumerate(array.shape):
        if dim and dim % number == 0:
            array = crop(array, slice(dim // number), axis=axis)
    return array


def _swap(old: int, new: int) -> Callable[[int], int]:
    return lambda value: new if value == old else value


def simplify_layouts(reduction: Reducing) -> None:
    """Make all arrays contiguous, writable and of native byte order, then each; pass two arrays where one was passed
    twice.
    """
    reduction.attempt(change_arrays(reduction.best, _plain))
    for index in range(len(reduction.best.arrays())):
        array = reduction.best.arrays()[index]
        reduction.attempt(replace_array(reduction.best, array, _plain(array)))
    seen: set[int] = set()
    for path, value in walk(reduction.best):
        if type(value) is np.ndarray and id(value) in seen:
            reduction.attempt(replace(reduction.best, path, _plain(value)))
        seen.add(id(value))


def _plain(array: np.ndarray) -> np.ndarray:
    return np.array(array, array.dtype.newbyteorder("="), order="C", copy=True)


def simplify_values(reduction: Reducing) -> None:
    """Replace elements: all by zeros or ones, by 0, 1, 2, ..., halves by zeros, then each distinct value, then each
    element.
    """
    for value in (0, 1):
        reduction.attempt(change_arrays(reduction.best, partial(fill, value=value)))
    for index in range(len(reduction.best.arrays())):
        for make in (lambda array: fill(array, 0), lambda array: fill(array, 1), _counted):
            array = reduction.best.arrays()[index]
            if reduction.attempt(replace_array(reduction.best, array, make(array))):
                break
        _blank_chunks(reduction, index)
        for value in dict.fromkeys(to_numbers(reduction.best.arrays()[index])):
            positions = [at for at, old in enumerate(to_numbers(reduction.best.arrays()[index])) if old == value]
            _simplify_elements(reduction, index, positions)
        for position in range(reduction.best.arrays()[index].size):
            _simplify_elements(reduction, index, [position])


def _counted(array: np.ndarray) -> np.ndarray:
    if array.dtype.kind in "bUSMm":
        return array
    return np.arange(array.size).reshape(array.shape).astype(array.dtype)


def _blank_chunks(reduction: Reducing, index: int) -> None:
    size = reduction.best.arrays()[index].size
    chunk = size // 2
    while chunk > 1:
        for start in range(0, size, chunk):
            _attempt_elements(reduction, index, range(start, min(start + chunk, size)), 0)
        chunk //= 2


def _simplify_elements(reduction: Reducing, index: int, positions: Sequence[int]) -> None:
    improved = bool(positions)
    while improved:
        (value,) = to_numbers(reduction.best.arrays()[index].ravel()[positions[0] : positions[0] + 1])
        weight = weigh_value(value)  # candidates that are not simpler are skipped: there may be thousands
        lighter = (new for new in list_simpler_numbers(value) if weigh_value(new) < weight)
        improved = any(_attempt_elements(reduction, index, positions, new) for new in lighter)


def _attempt_elements(reduction: Reducing, index: int, positions: Sequence[int], value: Any) -> bool:
    candidate = reduction.best.fresh()
    array = candidate.arrays()[index]
    writeable, array.flags.writeable = array.flags.writeable, True
    try:
        array[np.unravel_index(list(positions), array.shape) if array.ndim else ()] = value
    except (OverflowError, ValueError, TypeError):  # an unsigned -1, a number among strings
        return False
    array.flags.writeable = writeable
    return reduction.attempt(candidate)


def simplify_scalars(reduction: Reducing) -> None:
    """Simplify numbers and slices outside arrays: all equal ones together, then each."""
    numeric = [value for _, value in walk(reduction.best) if type(value) in (bool, int, float, complex)]
    for value in {(type(value), repr(value)): value for value in numeric}.values():
        for new in list_simpler_numbers(value):
            same = [path for path, old in walk(reduction.best) if type(old) is type(value) and old == value]
            candidate = reduction.best
            for path in same:
                candidate = replace(candidate, path, new)
            if len(same) > 1 and reduction.attempt(candidate):
                break
    for path, _ in list(walk(reduction.best)):
        while any(
            reduction.attempt(replace(reduction.best, path, new))
            for new in list_simpler_scalars(get_at(reduction.best, path))
        ):
            pass


STEPS = (
    drop_calls,
    drop_arguments,
    simplify_writes,
    shrink_ranks,
    shrink_dims,
    drop_items,
    simplify_layouts,
    simplify_dtypes,
    simplify_values,
    simplify_scalars,
    simplify_numbers,
)
