"""Arguments as one would type them: Python source that needs `import numpy as np`, and `ml_dtypes` for bfloat16."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from oracle.encoding import EXTENSION_DTYPES


def array(array: np.ndarray) -> str:
    """An expression that makes this array again, memory layout included as far as slicing and transposing can say it."""
    if array.size and 0 in array.strides and array.shape[array.strides.index(0)] > 1:
        inner = array[tuple(slice(0, 1) if step == 0 else slice(None) for step in array.strides)]
        return f"np.broadcast_to({_array(inner)}, {array.shape})"
    if array.ndim > 1 and array.flags.f_contiguous and not array.flags.c_contiguous:
        return f"np.array({_elements(array)}, {dtype(array.dtype)}, order='F')"
    if array.size and not array.flags.c_contiguous:
        return _sliced(array)
    return _array(array)


def value(value: Any, array: Callable[[np.ndarray], str] = array) -> str:
    """An expression for any argument, writing each array as `array` says."""
    kind = type(value)
    if kind is np.ndarray:
        return array(value)
    if kind is float:
        return number(value)
    if kind is list:
        return "[" + ", ".join(_value(item, array) for item in value) + "]"
    if kind is tuple:
        items = [_value(item, array) for item in value]
        return "(" + ", ".join(items) + (",)" if len(items) == 1 else ")")
    if kind is dict:
        return "{" + ", ".join(f"{key!r}: {_value(item, array)}" for key, item in value.items()) + "}"
    if value is Ellipsis:
        return "..."
    if isinstance(value, np.dtype):
        return dtype(value)
    if isinstance(value, np.generic):
        return f"{dtype(value.dtype)}({_plain(value)})"
    if isinstance(value, type):
        return _type(value)
    if isinstance(value, np.ufunc) or getattr(kind, "__module__", "") == "numpy":
        return f"np.{value.__name__}"
    if hasattr(value, "typed"):
        return value.typed(array=array)
    return getattr(value, "__name__", None) and f"np.{value.__name__}" or repr(value)


_value = value


def dtype(dtype: np.dtype) -> str:
    """An expression for a dtype: `np.float32`, `ml_dtypes.bfloat16`, `np.dtype('>i4')`."""
    if dtype.name in EXTENSION_DTYPES:
        return f"ml_dtypes.{dtype.name}"
    if not dtype.isnative or dtype.kind in "MmVUS":
        return f"np.dtype({dtype.str!r})"
    return "np.bool" if dtype.kind == "b" else f"np.{dtype.name}"


def number(value: float) -> str:
    """A float as Python source."""
    if math.isnan(value):
        return "np.nan"
    return repr(value) if math.isfinite(value) else ("np.inf" if value > 0 else "-np.inf")


def _type(kind: type) -> str:
    if kind.__module__ == "builtins":
        return kind.__name__
    return f"ml_dtypes.{kind.__name__}" if kind.__name__ in EXTENSION_DTYPES else f"np.{kind.__name__}"


def _array(array: np.ndarray) -> str:
    if array.size == 0 and array.ndim != 1:
        return f"np.zeros({array.shape}, {dtype(array.dtype)})"
    if array.size > 16 and array.dtype.kind != "V" and (array == array.flat[0]).all():
        return f"np.full({array.shape}, {_plain(array.flat[0])}, {dtype(array.dtype)})"
    return f"np.array({_elements(array)}, {dtype(array.dtype)})"


def _elements(array: np.ndarray) -> str:
    if array.ndim == 0:
        return _plain(array[()])
    return "[" + ", ".join(_elements(item) if array.ndim > 1 else _plain(item) for item in array) + "]"


def _plain(scalar: Any) -> str:
    """A NumPy scalar's value, without its dtype."""
    if scalar.dtype.kind == "c":
        real, imag = number(float(scalar.real)), number(float(scalar.imag))
        return f"complex({real}, {imag})"
    if scalar.dtype.kind == "f" or scalar.dtype.name in EXTENSION_DTYPES:
        return number(float(scalar))
    if scalar.dtype.kind in "Mm":
        return repr(str(scalar)) if scalar.dtype.kind == "M" else repr(scalar.astype(np.int64).item())
    return repr(scalar.item())


def _sliced(array: np.ndarray) -> str:
    """An array of unusual steps: repeat and reverse a plain one, then take back every step."""
    order = np.argsort([-abs(step) for step in array.strides], kind="stable")
    memory = array.transpose(order)
    steps, extent = [], array.dtype.itemsize
    for side, stride in zip(memory.shape[::-1], memory.strides[::-1], strict=True):
        step = stride // extent if side > 1 and stride % extent == 0 and stride else 1
        steps.insert(0, step or 1)
        extent = extent * side * abs(steps[0])
    stored = memory[tuple(slice(None, None, -1 if step < 0 else 1) for step in steps)]
    text = _array(np.ascontiguousarray(stored))
    for axis, step in enumerate(steps):
        if abs(step) > 1:
            text = f"np.repeat({text}, {abs(step)}, {axis})"
    if any(step != 1 for step in steps):
        text += "[" + ", ".join("::" + str(step) if step != 1 else ":" for step in steps) + "]"
    if list(order) != list(range(array.ndim)):
        text += f".transpose({np.argsort(order).tolist()})"
    return text
