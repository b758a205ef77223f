"""Arguments as JSON and back: every value that JSON lacks is an object with one telling key.

Floats are written in hexadecimal, so that -0.0, infinities and the last bit survive; NaN is NaN whatever its payload.
"""

from __future__ import annotations

import builtins
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Any

import ml_dtypes
import numpy as np

from oracle.layout import is_plain, laid_out, shift

LARGEST_PLAIN_INT = 2**53
LARGEST_EXTENT = 2**30
PYTHON_TYPES = (bool, int, float, complex, str, bytes, object, list, tuple)
EXTENSION_DTYPES = {name: np.dtype(getattr(ml_dtypes, name)) for name in ("bfloat16", "float8_e4m3fn", "float8_e5m2")}


@dataclass(frozen=True)
class Codec:
    """How values of one more class are written: `key` marks them. One that appears twice is the same one twice."""

    key: str
    kind: type
    encode: Callable[[Any, Callable[[Any], Any]], dict[str, Any]]
    decode: Callable[[dict[str, Any], Callable[[Any], Any]], Any]


def encode(value: Any, codecs: Sequence[Codec] = ()) -> Any:
    """The value as JSON data. Raises TypeError for what cannot be kept."""
    seen: list[Any] = []
    own = {codec.kind: codec for codec in codecs}

    def write(value: Any) -> Any:
        kind = type(value)
        if value is None or kind is bool or kind is str:
            return value
        if kind is int:
            return value if abs(value) <= LARGEST_PLAIN_INT else {"int": hex(value)}
        if kind is float:
            return {"float": value.hex()}
        if kind is complex:
            return {"complex": [value.real.hex(), value.imag.hex()]}
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
        if kind is np.ndarray or kind in own:
            for position, earlier in enumerate(seen):
                if earlier is value:
                    return {"same": position}
            data = _write_array(value) if kind is np.ndarray else own[kind].encode(value, write)
            seen.append(value)
            return data
        if isinstance(value, np.dtype):
            return {"dtype": _dtype_name(value)}
        if isinstance(value, np.generic):
            return {"scalar": _dtype_name(value.dtype), "values": _write_elements(np.asarray(value))}
        if isinstance(value, type):
            return {"type": _type_name(value)}
        if callable(value) and function_name(value) is not None:
            return {"function": function_name(value)}
        raise TypeError(f"a case cannot hold a {kind.__module__}.{kind.__name__}")

    return write(value)


def decode(data: Any, codecs: Sequence[Codec] = ()) -> Any:
    """The value that `encode` wrote. Raises ValueError, naming the part, for anything it did not write."""
    seen: list[Any] = []
    own = {codec.key: codec for codec in codecs}
    readers: dict[str, Callable[[dict[str, Any]], Any]] = {
        "int": lambda data: int(data["int"], 0),
        "float": lambda data: float.fromhex(data["float"]),
        "complex": lambda data: _read_complex(*data["complex"]),
        "tuple": lambda data: tuple(read(item) for item in data["tuple"]),
        "dict": lambda data: {read(key): read(item) for key, item in data["dict"]},
        "slice": lambda data: slice(*map(read, data["slice"])),
        "ellipsis": lambda data: Ellipsis,
        "bytes": lambda data: bytes.fromhex(data["bytes"]),
        "dtype": lambda data: _dtype(data["dtype"]),
        "type": lambda data: _type(data["type"]),
        "function": lambda data: _numpy_attribute(data["function"]),
        "scalar": lambda data: _read_elements(data["values"], _dtype(data["scalar"]), ())[()],
        "array": lambda data: _read_array(data, seen),
        "same": lambda data: seen[data["same"]],
    }

    def read(data: Any) -> Any:
        if isinstance(data, list):
            return [read(item) for item in data]
        if not isinstance(data, dict):
            return data
        for key in data:
            if key in own:
                seen.append(own[key].decode(data, read))
                return seen[-1]
            if key in readers:
                return readers[key](data)
        raise ValueError(f"no known kind of value: {str(data)[:80]}")

    try:
        return read(data)
    except (LookupError, TypeError, AttributeError, ValueError, ArithmeticError, MemoryError, RecursionError) as error:
        said = str(error).split("\n", 1)[0][:200]
        raise ValueError(f"malformed: {type(error).__name__}: {said}") from None


def _write_array(array: np.ndarray) -> dict[str, Any]:
    data = {"array": _dtype_name(array.dtype), "shape": list(array.shape), "values": _write_elements(array)}
    if not is_plain(array):
        data["layout"] = {"strides": list(array.strides), "shift": shift(array)}
    if not array.flags.writeable:
        data["readonly"] = True
    return data


def _read_array(data: dict[str, Any], seen: list[np.ndarray]) -> np.ndarray:
    array = _read_elements(data["values"], _dtype(data["array"]), tuple(data["shape"]))
    if "layout" in data:
        strides = tuple(data["layout"]["strides"])
        if sum(abs(stride) * side for stride, side in zip(strides, array.shape, strict=True)) > LARGEST_EXTENT:
            raise ValueError("an array's elements lie too far apart")
        array = laid_out(array, strides, data["layout"]["shift"])
    if data.get("readonly"):
        array.flags.writeable = False
    seen.append(array)
    return array


def _write_elements(array: np.ndarray) -> Any:
    if array.dtype.hasobject:
        raise TypeError("a case cannot hold an array of Python objects")
    kind = _kind(array.dtype)
    if kind in "biu":
        return array.ravel().tolist()
    if kind == "f":
        return [value.hex() for value in array.ravel().astype(np.float64).tolist()]
    if kind == "c":
        return [[value.real.hex(), value.imag.hex()] for value in array.ravel().astype(np.complex128).tolist()]
    if kind == "U":
        return array.ravel().tolist()
    return array.tobytes().hex()


def _read_elements(values: Any, dtype: np.dtype, shape: tuple[int, ...]) -> np.ndarray:
    kind = _kind(dtype)
    if kind == "f":
        return np.array([float.fromhex(value) for value in values], np.float64).astype(dtype).reshape(shape)
    if kind == "c":
        parts = [_read_complex(real, imag) for real, imag in values]
        return np.array(parts, np.complex128).astype(dtype).reshape(shape)
    if isinstance(values, str):
        if not dtype.itemsize:
            return np.zeros(shape, dtype)
        return np.frombuffer(bytes.fromhex(values), dtype).reshape(shape).copy()
    return np.array(values, dtype).reshape(shape)


def _read_complex(real: str, imag: str) -> complex:
    return complex(float.fromhex(real), float.fromhex(imag))


def _kind(dtype: np.dtype) -> str:
    """NumPy's kind; "f" for bfloat16 and its like, "V" for what is kept as raw bytes."""
    if dtype.name in EXTENSION_DTYPES:
        return "f"
    return "V" if dtype in (np.dtype(np.longdouble), np.dtype(np.clongdouble)) else dtype.kind


def _dtype_name(dtype: np.dtype) -> str:
    if dtype.fields or dtype.subdtype or dtype.kind == "T":
        raise TypeError(f"a case cannot hold the dtype {dtype}")
    return dtype.name if dtype.name in EXTENSION_DTYPES else dtype.str


def _dtype(name: str) -> np.dtype:
    if name in EXTENSION_DTYPES:
        return EXTENSION_DTYPES[name]
    try:
        return np.dtype(name)
    except TypeError:
        raise ValueError(f"unknown dtype {name!r}") from None


def _type_name(kind: type) -> str:
    if kind in PYTHON_TYPES:
        return kind.__name__
    if kind.__name__ in EXTENSION_DTYPES:
        return kind.__name__
    if kind.__module__.split(".")[0] == "numpy":
        return f"np.{kind.__name__}"
    raise TypeError(f"a case cannot hold the class {kind.__module__}.{kind.__name__}")


def _type(name: str) -> type:
    if name.startswith("np."):
        return _numpy_attribute(name[3:])
    if name in EXTENSION_DTYPES:
        return EXTENSION_DTYPES[name].type
    if name not in {kind.__name__ for kind in PYTHON_TYPES}:
        raise ValueError(f"unknown class {name!r}")
    return getattr(builtins, name)


def function_name(value: Any) -> str | None:
    """The dotted name under which NumPy has this very function; None if it has none."""
    short = getattr(value, "__name__", "")
    if isinstance(getattr(value, "__self__", None), np.ufunc):
        return f"{value.__self__.__name__}.{short}"
    home = (getattr(value, "__module__", None) or "").removeprefix("numpy").removeprefix(".")
    home = "emath" if home.startswith("lib.") and home.endswith("scimath") else home.removeprefix("lib.")
    for name in (short, f"{home}.{short}", f"{home.partition('.')[0].lstrip('_')}.{short}"):
        try:
            if attrgetter(name)(np) is value:
                return name
        except AttributeError:
            pass
    return None


def _numpy_attribute(name: str) -> Any:
    try:
        return attrgetter(name)(np)
    except AttributeError:
        raise ValueError(f"NumPy has no {name!r}") from None
