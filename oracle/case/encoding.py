"""Lossless JSON encoding of arguments: a value that JSON lacks is an object with a key that says what it is.

Floats are written in hexadecimal, so that -0.0, infinities and the last bit survive. A NaN of another sign or payload
than `np.nan` is written with its bits: `nan(0xfff8000000000000)`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from oracle.case.layout import has_default_layout, shift
from oracle.case.vocabulary import EXTENSION_DTYPES, dtype_name, function_name, functions, type_name

LARGEST_JSON_INT = 2**53


@dataclass(frozen=True)
class Codec:
    """Codec for one more class. `key` marks its values; `others` are further keys. A value that occurs twice is
    shared.
    """

    key: str
    others: tuple[str, ...]
    kind: type
    encode: Callable[[Any, Callable[[Any], Any]], dict[str, Any]]
    decode: Callable[[dict[str, Any], Callable[[Any], Any]], Any]


def encode(value: Any, codecs: Sequence[Codec] = ()) -> Any:
    """Return the value as JSON-serializable data. Raises TypeError for values that cannot be encoded."""
    seen: dict[int, int] = {}
    codec_of = {codec.kind: codec for codec in codecs}

    def write(value: Any) -> Any:
        kind = type(value)
        if value is None or kind is bool or kind is str:
            return value
        if kind is int:
            return value if abs(value) <= LARGEST_JSON_INT else {"int": hex(value)}
        if kind is float:
            return {"float": _write_float(value)}
        if kind is complex:
            return {"complex": [_write_float(value.real), _write_float(value.imag)]}
        if kind is list:
            return [write(item) for item in value]
        if kind is tuple:
            return {"tuple": [write(item) for item in value]}
        if kind is dict:
            return {"dict": [[write(key), write(item)] for key, item in value.items()]}
        if kind is slice:
            return {"slice": [write(value.start), write(value.stop), write(value.step)]}
        if value is Ellipsis:
            return {"ellipsis": True}
        if kind is bytes:
            return {"bytes": value.hex()}
        if kind is np.ndarray or kind in codec_of:
            if id(value) in seen:
                return {"same": seen[id(value)]}
            data = _write_array(value) if kind is np.ndarray else codec_of[kind].encode(value, write)
            seen[id(value)] = len(seen)
            return data
        if isinstance(value, np.dtype):
            return {"dtype": dtype_name(value)}
        if isinstance(value, np.generic):
            array = np.asarray(value)  # empty bytes have no width, but take one in an array
            return {"scalar": dtype_name(array.dtype), "values": _write_elements(array)}
        if isinstance(value, type):
            return {"type": type_name(value)}
        if callable(value) and function_name(value) in functions():
            return {"function": function_name(value)}
        raise TypeError(f"a case cannot hold a {kind.__module__}.{kind.__name__}")

    return write(value)


def _write_array(array: np.ndarray) -> dict[str, Any]:
    data = {"array": dtype_name(array.dtype), "shape": list(array.shape), "values": _write_elements(array)}
    if not has_default_layout(array):
        data["layout"] = {"strides": list(array.strides), "shift": shift(array)}
    if not array.flags.writeable:
        data["readonly"] = True
    return data


def _write_elements(array: np.ndarray) -> Any:
    if array.dtype.hasobject:
        raise TypeError("a case cannot hold an array of Python objects")
    kind = find_storage_kind(array.dtype)
    if kind in "biu":
        return array.ravel().tolist()
    if kind == "f":
        return _write_floats(array.ravel())
    if kind == "c":
        parts = _write_floats(array.ravel().view(array.real.dtype))
        return [list(pair) for pair in zip(parts[::2], parts[1::2], strict=True)]
    if kind == "U":
        return array.ravel().tolist()
    return array.tobytes().hex()


def _write_float(value: float) -> str:
    return _write_floats(np.array([value]))[0] if math.isnan(value) else value.hex()


def _write_floats(array: np.ndarray) -> list[str]:
    with np.errstate(all="ignore"):
        texts = [value.hex() for value in array.astype(np.float64).tolist()]
        standard = np.array([np.nan]).astype(array.dtype)
    bits = array.view(bits_dtype(array.dtype))
    for index in np.flatnonzero(np.isnan(array) & (bits != standard.view(bits.dtype))):
        texts[index] = f"nan({int(bits[index]):#x})"
    return texts


def bits_dtype(dtype: np.dtype) -> np.dtype:
    """Return the unsigned integer dtype of a floating dtype's size and byte order."""
    return np.dtype(f"u{dtype.itemsize}").newbyteorder(dtype.byteorder)


@lru_cache(maxsize=1024)
def find_storage_kind(dtype: np.dtype) -> str:
    """Return NumPy's kind; "f" for bfloat16 and similar dtypes, "V" for data stored as raw bytes."""
    if dtype.name in EXTENSION_DTYPES:
        return "f"
    return "V" if dtype in (np.dtype(np.longdouble), np.dtype(np.clongdouble)) else dtype.kind
