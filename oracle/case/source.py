"""Source generation: arguments as Python code that needs `import numpy as np`, and `ml_dtypes` for bfloat16."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.lib.stride_tricks import as_strided

from oracle.case.layout import has_windows
from oracle.case.vocabulary import EXTENSION_DTYPES, function_name

SHORTEST_SPARSE, SPARSEST = 1024, 4
"""How many elements an array may spread over to be written with its gaps: so many, or so many for each that it has."""

ATTRIBUTES = frozenset(
    f"ndarray.{name}" for name in ["T", "dtype", "imag", "itemsize", "mT", "nbytes", "ndim", "real", "shape", "size"]
)
"""Attributes of arrays that are no methods."""


def array(array: np.ndarray) -> str:
    """Return an expression for this array, with its memory layout as far as slices and transposes can make it."""
    if array.size and any(step == 0 and dim > 1 for step, dim in zip(array.strides, array.shape, strict=True)):
        inner = array[tuple(slice(0, 1) if step == 0 else slice(None) for step in array.strides)]
        return f"np.broadcast_to({_array(inner)}, {array.shape})"
    if array.ndim > 1 and array.flags.f_contiguous and not array.flags.c_contiguous:
        return f"np.array({elements(array)}, {dtype(array.dtype)}, order='F')"
    if array.size and has_windows(array) and min(array.strides) >= 0:
        return _window_source(array)
    if array.size and not array.flags.c_contiguous:
        return _slice_source(array)
    return _array(array)


def value(
    value: Any,
    array: Callable[[np.ndarray], str] = array,
    module: str = "np",
    other: Callable[[Any], str | None] | None = None,
) -> str:
    """Return an expression for any argument. `array` writes arrays; functions are attributes of `module`; what `other`
    returns a text for is written so.
    """

    def write(value: Any) -> str:
        kind = type(value)
        if other is not None and (text := other(value)) is not None:
            return text
        if kind is np.ndarray:
            return array(value)
        if kind is float:
            return float_source(value)
        if kind is complex:
            return f"complex({float_source(value.real)}, {float_source(value.imag)})"
        if kind is list:
            return "[" + ", ".join([write(item) for item in value]) + "]"
        if kind is tuple:
            return "(" + ", ".join([write(item) for item in value]) + (",)" if len(value) == 1 else ")")
        if kind is dict:
            return "{" + ", ".join([f"{write(key)}: {write(item)}" for key, item in value.items()]) + "}"
        if kind is slice:
            return f"slice({write(value.start)}, {write(value.stop)}, {write(value.step)})"
        if value is Ellipsis:
            return "..."
        if isinstance(value, np.dtype):
            text = dtype(value)
            return text if text.startswith("np.dtype(") else f"np.dtype({text})"
        if isinstance(value, np.generic):
            return _scalar(value)
        if isinstance(value, type):
            return _type(value)
        if hasattr(value, "typed"):
            return value.typed(module, array, other)
        name = function_name(value) if callable(value) else None
        return repr(value) if name is None else f"{module}.{name}"

    return write(value)


def subscript(
    index: Any,
    array: Callable[[np.ndarray], str] = array,
    module: str = "np",
    other: Callable[[Any], str | None] | None = None,
) -> str:
    """Return an index as it is written between brackets: `0, ::2`."""

    def write(item: Any) -> str:
        if type(item) is not slice:
            return value(item, array, module, other)
        start, stop, step = ("" if part is None else write(part) for part in (item.start, item.stop, item.step))
        return f"{start}:{stop}{':' if step else ''}{step}"

    if type(index) is tuple and index:
        return ", ".join(map(write, index)) + ("," if len(index) == 1 else "")
    return write(index)


def dtype(dtype: np.dtype) -> str:
    """Return an expression for a dtype: `np.float32`, `ml_dtypes.bfloat16`, `np.dtype('>i4')`."""
    if dtype.name in EXTENSION_DTYPES:
        return f"ml_dtypes.{dtype.name}"
    if not dtype.isnative or dtype.kind in "MmVUSO":
        return f"np.dtype({dtype.str!r})"
    return "np.bool" if dtype.kind == "b" else f"np.{dtype.name}"


def float_source(value: float) -> str:
    """Return a float as Python source."""
    if math.isnan(value):
        return "np.nan" if math.copysign(1, value) > 0 else "-np.nan"
    return repr(value) if math.isfinite(value) else ("np.inf" if value > 0 else "-np.inf")


def _type(kind: type) -> str:
    if kind.__module__ == "builtins":
        return kind.__name__
    return f"ml_dtypes.{kind.__name__}" if kind.__name__ in EXTENSION_DTYPES else f"np.{kind.__name__}"


def _array(array: np.ndarray) -> str:
    if array.size == 0 and array.ndim != 1:
        return f"np.zeros({array.shape}, {dtype(array.dtype)})"
    if array.dtype.char in "gG" and not _is_double(array):
        raw = np.ascontiguousarray(array).tobytes().hex()
        return f"np.frombuffer(bytes.fromhex('{raw}'), {dtype(array.dtype)}).reshape({array.shape})"
    if array.size > 16 and _is_constant(array):
        return f"np.full({array.shape}, {_value_source(array.flat[0])}, {dtype(array.dtype)})"
    return f"np.array({elements(array)}, {dtype(array.dtype)})"


def _is_constant(array: np.ndarray) -> bool:
    first = array.dtype.type(array.flat[0]).tobytes()
    return all(array.dtype.type(element).tobytes() == first for element in array.flat)


def _is_double(array: np.ndarray) -> bool:
    """Return whether Python floats can represent a longdouble array."""
    narrow = array.astype(np.float64 if array.dtype.char == "g" else np.complex128)
    return np.array_equal(narrow, array, equal_nan=True)


def elements(array: np.ndarray) -> str:
    """Return the elements of an array, without its dtype."""
    if array.ndim == 0:
        return _value_source(array[()])
    if array.dtype.kind in "biu" and array.dtype.name not in EXTENSION_DTYPES:
        return repr(array.tolist())
    return "[" + ", ".join(elements(item) if array.ndim > 1 else _value_source(item) for item in array) + "]"


def _scalar(scalar: np.generic) -> str:
    """Return a NumPy scalar with its dtype."""
    kind = scalar.dtype.kind
    if kind in "US":
        return f"np.{'str_' if kind == 'U' else 'bytes_'}({scalar.item()!r})"
    if kind in "Mm":
        unit, count = np.datetime_data(scalar.dtype.str)
        count_source = "'NaT'" if np.isnat(scalar) else repr(int(scalar.view(np.int64)))
        unit_source = "" if unit == "generic" else f", '{count if count > 1 else ''}{unit}'"
        return f"np.{type(scalar).__name__}({count_source}{unit_source})"
    if scalar.dtype.char in "gG" and not _is_double(np.asarray(scalar)):
        return f"{_array(np.asarray(scalar))}[()]"
    return f"{dtype(scalar.dtype)}({_value_source(scalar)})"


def _value_source(scalar: Any) -> str:
    """Return a NumPy scalar's value, without its dtype; a text of `StringDType` as it is."""
    if isinstance(scalar, str):
        return repr(str(scalar))
    if scalar.dtype.kind == "c":
        return f"complex({_float(scalar.real)}, {_float(scalar.imag)})"
    if scalar.dtype.kind == "f" or scalar.dtype.name in EXTENSION_DTYPES:
        return _float(scalar)
    if scalar.dtype.kind in "Mm":
        return repr(str(scalar)) if scalar.dtype.kind == "M" else repr(int(scalar.view(np.int64)))
    return repr(scalar.item())


def _float(scalar: Any) -> str:
    """Return the shortest text from which the scalar's class makes this scalar."""
    short = str(scalar)
    exact = float_source(float(scalar))
    if "inf" in exact or "nan" in exact or len(short) >= len(exact):
        return exact
    same = float(type(scalar)(float(short))) == float(scalar)
    return short if same and ("." in short or "e" in short) else exact


def _slice_source(array: np.ndarray) -> str:
    """Return source for an array of unusual strides: a slice of a contiguous array with zeros in the gaps, if that is
    short.
    """
    extent = sum(abs(step) * (dim - 1) for step, dim in zip(array.strides, array.shape, strict=True))
    if extent > max(SHORTEST_SPARSE, SPARSEST * array.size) * array.itemsize:
        return _array(np.ascontiguousarray(array))
    order = np.argsort([-abs(step) if dim > 1 else 0 for step, dim in zip(array.strides, array.shape, strict=True)])
    memory = array.transpose(order)
    plan = _slices(memory)
    if plan is None:
        return _array(np.ascontiguousarray(array))
    shape, slices = plan
    stored = np.zeros(shape, array.dtype)
    stored[slices] = memory
    text = _array(stored) + "[" + ", ".join(_slice(piece) for piece in slices) + "]"
    if list(order) != list(range(array.ndim)):
        text += f".transpose({np.argsort(order).tolist()})"
    return text


def _window_source(array: np.ndarray) -> str:
    """Return source for an array whose elements share memory."""
    extent = sum(step * (dim - 1) for step, dim in zip(array.strides, array.shape, strict=True)) // array.itemsize + 1
    memory = as_strided(array, (extent,), (array.itemsize,), writeable=False)
    return f"np.lib.stride_tricks.as_strided({_array(memory)}, {array.shape}, {array.strides}, writeable=False)"


def _slices(memory: np.ndarray) -> tuple[list[int], tuple[slice, ...]] | None:
    """Return the shape of a contiguous array and the slices of it with these strides, or None."""
    shape: list[int] = []
    slices: list[slice] = []
    unit = memory.dtype.itemsize
    for axis in range(memory.ndim - 1, -1, -1):
        dim, stride = memory.shape[axis], memory.strides[axis]
        step = stride // unit if dim > 1 else 1
        if dim > 1 and stride % unit:
            return None
        last = (dim - 1) * abs(step)
        outer = next((abs(memory.strides[i]) for i in range(axis - 1, -1, -1) if memory.shape[i] > 1), 0)
        length = next((n for n in range(last + 1, outer // unit + 1) if outer % (n * unit) == 0), last + 1)
        if step < 0:
            slices.insert(0, slice(None if last == length - 1 else last, None, step))
        else:
            slices.insert(0, slice(None, None if -(-length // step) == dim else last + 1, None if step == 1 else step))
        shape.insert(0, length)
        unit *= length
    return shape, tuple(slices)


def _slice(piece: slice) -> str:
    start, stop, step = ("" if part is None else str(part) for part in (piece.start, piece.stop, piece.step))
    return f"{start}:{stop}" + (f":{step}" if step else "")
