"""Messages of a worker, and of the fork server, to the process that judges.

They run a subject's code, which can write to any descriptor that is open: an object whose reading calls a function, a
part of a message, or something else. So a message is read as far as it has come, up to MOST bytes. It is JSON, in which
an object has one key that says what it is: reading it calls nothing but what is listed here, imports no module, and
makes nothing that is larger than the message.
"""

from __future__ import annotations

import base64
import builtins
import json
import math
import os
import struct
import sys
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from typing import Any

import ml_dtypes
import numpy as np

MOST = 1 << 28
"""The bytes of a message, at most."""

_LENGTH = struct.Struct("!Q")
_OURS = ("oracle", "fuzz")
"""The packages whose dataclasses, enumerations, named tuples and exceptions a message may hold."""

_LARGEST = 1 << 62  # integers in decimal digits; larger ones are written in hexadecimal ones, which are read as fast
_SINGLE = {"...": Ellipsis, "NotImplemented": NotImplemented}
_COLLECTIONS: Mapping[str, Callable[[list[Any]], Any]] = {"tuple": tuple, "set": set, "frozenset": frozenset}
_TYPES = {one.__name__: one for one in (bool, int, float, complex, str, bytes, object)}


class Foreign(ValueError):
    """The bytes are no message of data: whatever else their sender says cannot be believed."""


def encode(value: Any) -> bytes:
    """Return a value as the data of a message. Raises ValueError if it is too long, or holds what is no data; and
    whatever its objects raise.
    """
    data = json.dumps(_write(value), separators=(",", ":")).encode("ascii")
    if len(data) > MOST:
        raise ValueError(f"an answer of {len(data):,} bytes; at most {MOST >> 20} MiB are sent")
    return data


def decode(data: bytes) -> Any:
    """Return the data of a message. Raises Foreign for anything else."""
    try:
        return _read(json.loads(data.decode("ascii")))
    except Foreign:
        raise
    except Exception as error:  # noqa: BLE001 - what is no message may be wrong in any way
        raise Foreign(f"{type(error).__name__}: {error}") from None


def _write(value: Any) -> Any:
    kind = type(value)
    if value is None or kind in (bool, str, float):
        return value
    if kind is int:
        return value if abs(value) < _LARGEST else {"int": hex(value)}
    if kind is list:
        return [_write(item) for item in value]
    if kind is dict:
        return {"dict": [[_write(key), _write(item)] for key, item in value.items()]}
    if kind.__name__ in _COLLECTIONS and kind.__module__ == "builtins":
        return {kind.__name__: [_write(item) for item in value]}
    if kind in (bytes, bytearray):
        return {"bytes": base64.b64encode(value).decode()}
    for name, write in _WRITERS.items():
        if (item := write(value)) is not None:
            return {name: item}
    raise ValueError(f"{kind.__module__}.{kind.__qualname__} is no data")


def _write_complex(value: Any) -> Any:
    return [value.real, value.imag] if type(value) is complex else None


def _write_counter(value: Any) -> Any:
    return [[_write(key), _write(count)] for key, count in value.items()] if type(value) is Counter else None


def _write_slice(value: Any) -> Any:
    return [_write(one) for one in (value.start, value.stop, value.step)] if type(value) is slice else None


def _write_single(value: Any) -> Any:
    return next((name for name, one in _SINGLE.items() if value is one), None)


def _write_dtype(value: Any) -> Any:
    if not isinstance(value, np.dtype):
        return None
    if value.kind == "T":
        raise ValueError("text of variable width is written by its elements alone")
    if value.names is not None:
        members = [[name, _write_dtype(part), offset] for name, (part, offset, *_) in value.fields.items()]
        return {"members": members, "itemsize": value.itemsize}
    if value.subdtype is not None:
        return {"base": _write_dtype(value.subdtype[0]), "shape": list(value.subdtype[1])}
    return value.name if value.name in _OF_ML_DTYPES else value.str


def _write_array(value: Any) -> Any:
    """Return the dtype, shape and elements of an array or NumPy scalar, and whether it is a scalar."""
    if not isinstance(value, np.ndarray | np.generic) or type(value) is np.ma.MaskedArray:
        return None
    array, is_scalar = np.asarray(value), isinstance(value, np.generic)
    if array.dtype.hasobject or array.dtype.kind == "T":
        letter = "T" if array.dtype.kind == "T" else "O"
        return [letter, list(array.shape), [_write(item) for item in array.ravel().tolist()], is_scalar]
    return [_write_dtype(array.dtype), list(array.shape), base64.b64encode(array.tobytes()).decode(), is_scalar]


def _write_class(value: Any) -> Any:
    if not isinstance(value, type):
        return None
    if issubclass(value, np.generic):
        return f"{value.__module__}.{value.__name__}"
    return value.__name__ if _TYPES.get(value.__name__) is value else None


def _write_exception(value: Any) -> Any:
    if not isinstance(value, BaseException):
        return None
    state = {key: _write(one) for key, one in vars(value).items() if key != "__notes__"}
    return [_name(type(value)), [_write(one) for one in value.args], state]


def _write_enumeration(value: Any) -> Any:
    return [_name(type(value)), value.name] if isinstance(value, Enum) else None


def _write_row(value: Any) -> Any:
    is_row = isinstance(value, tuple) and hasattr(value, "_fields")
    return [_name(type(value)), [_write(item) for item in value]] if is_row else None


def _write_record(value: Any) -> Any:
    if not is_dataclass(value) or isinstance(value, type):
        return None
    content = {one.name: _write(getattr(value, one.name)) for one in fields(value) if hasattr(value, one.name)}
    return [_name(type(value)), content]


_WRITERS: Mapping[str, Callable[[Any], Any]] = {
    "complex": _write_complex,
    "counter": _write_counter,
    "slice": _write_slice,
    "single": _write_single,
    "dtype": _write_dtype,
    "array": _write_array,
    "class": _write_class,
    "exception": _write_exception,
    "enumeration": _write_enumeration,
    "row": _write_row,
    "record": _write_record,
}


def _name(kind: type) -> str:
    return f"{kind.__module__}:{kind.__qualname__}"


def _read(data: Any) -> Any:
    if isinstance(data, list):
        return [_read(item) for item in data]
    if not isinstance(data, dict):
        return data
    ((name, content),) = data.items()
    if name in _COLLECTIONS:
        return _COLLECTIONS[name]([_read(item) for item in content])
    if name not in _READERS:
        raise Foreign(f"{name[:60]!r} is no kind of data")
    return _READERS[name](content)


def _read_dtype(content: Any) -> np.dtype:
    if isinstance(content, str):
        return np.dtype(getattr(ml_dtypes, content) if content in _OF_ML_DTYPES else content)
    if "base" in content:
        return np.dtype((_read_dtype(content["base"]), tuple(content["shape"])))
    names, formats, offsets = zip(*content["members"], strict=True) if content["members"] else ((), (), ())
    parts = {
        "names": names,
        "formats": [*map(_read_dtype, formats)],
        "offsets": offsets,
        "itemsize": content["itemsize"],
    }
    return np.dtype(parts)


def _read_array(content: Any) -> Any:
    form, shape, elements, is_scalar = content
    if form in ("O", "T"):
        array = np.empty(len(elements), object)
        array[:] = [_read(item) for item in elements]
        array = array.astype(np.dtypes.StringDType(), copy=False) if form == "T" else array
    else:
        dtype = _read_dtype(form)
        if dtype.hasobject:
            raise Foreign("objects are no bytes")
        array = np.frombuffer(base64.b64decode(elements), dtype).copy()
    if math.prod(shape) != array.size:
        raise Foreign("an array of another size")
    return array.reshape(shape)[()] if is_scalar else array.reshape(shape)


def _read_class(content: str) -> type:
    if content in _TYPES:
        return _TYPES[content]
    module, _, name = content.rpartition(".")
    item = {"numpy": np, "ml_dtypes": ml_dtypes}.get(module)
    kind = getattr(item, name, None)
    if not (isinstance(kind, type) and issubclass(kind, np.generic)):
        raise Foreign(f"{content[:60]} is no data")
    return kind


def _find_kind(name: str, *bases: type) -> Any:
    """Return a class of our own that is imported already, or an exception of Python's or NumPy's."""
    module, _, path = name.partition(":")
    package = module.partition(".")[0]
    item: Any = {"builtins": builtins, "numpy.exceptions": np.exceptions, "numpy.linalg": np.linalg}.get(module)
    if package in _OURS:
        item = sys.modules.get(module)
    for part in path.split("."):
        item = vars(item).get(part) if item is not None else None
    if not isinstance(item, type) or not issubclass(item, bases):
        raise Foreign(f"{name[:120]} is no data")
    return item


def _read_exception(content: Any) -> BaseException:
    name, args, state = content
    kind = _find_kind(name, BaseException)
    error = kind.__new__(kind, *map(_read, args))
    error.args = tuple(map(_read, args))
    vars(error).update({key: _read(one) for key, one in state.items()})
    return error


def _read_row(content: Any) -> Any:
    name, items = content
    kind = _find_kind(name, tuple)
    if len(items) != len(kind._fields):
        raise Foreign(f"{name[:120]} of another length")
    return kind._make(map(_read, items))


def _read_record(content: Any) -> Any:
    name, values = content
    kind = _find_kind(name, object)
    if not is_dataclass(kind):
        raise Foreign(f"{name[:120]} is no data")
    record = object.__new__(kind)
    known = {one.name for one in fields(kind)}
    for key, value in values.items():
        if key not in known:
            raise Foreign(f"{name[:120]} has no {key[:60]}")
        object.__setattr__(record, key, _read(value))
    if len(values) < len(known):
        raise Foreign(f"{name[:120]} lacks {', '.join(sorted(known - values.keys()))}")
    return record


_OF_ML_DTYPES = frozenset(name for name in dir(ml_dtypes) if isinstance(getattr(ml_dtypes, name), type))
_READERS: Mapping[str, Callable[[Any], Any]] = {
    "int": lambda content: int(content, 16),
    "dict": lambda content: {_read(key): _read(item) for key, item in content},
    "bytes": base64.b64decode,
    "complex": lambda content: complex(*content),
    "counter": lambda content: Counter({_read(key): _read(count) for key, count in content}),
    "slice": lambda content: slice(*map(_read, content)),
    "single": _SINGLE.__getitem__,
    "dtype": _read_dtype,
    "array": _read_array,
    "class": _read_class,
    "exception": _read_exception,
    "enumeration": lambda content: _find_kind(content[0], Enum)[content[1]],
    "row": _read_row,
    "record": _read_record,
}


def send(descriptor: int, data: bytes) -> None:
    """Send a message, whole."""
    message, sent = memoryview(_LENGTH.pack(len(data)) + data), 0
    while sent < len(message):
        sent += os.write(descriptor, message[sent:])


class Inbox:
    """Messages from a descriptor, each returned once it is complete."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._part = bytearray()

    def receive(self) -> bytes | None:
        """Read what has come of the next message, without waiting for more than a byte. Return the message if that is
        all of it. Raises EOFError at the end, OSError if the connection is lost, and Foreign if it is too long.
        """
        received = os.read(self._descriptor, self._count_missing())
        if not received:
            raise EOFError
        self._part += received
        if self._count_missing():
            return None
        data, self._part = bytes(self._part[_LENGTH.size :]), bytearray()
        return data

    def _count_missing(self) -> int:
        """Return how many bytes the message lacks, as far as its beginning tells."""
        if len(self._part) < _LENGTH.size:
            return _LENGTH.size - len(self._part)
        (size,) = _LENGTH.unpack_from(self._part)
        if size > MOST:
            raise Foreign(f"a message of {size:,} bytes")
        return size + _LENGTH.size - len(self._part)
