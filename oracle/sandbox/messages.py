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
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import lru_cache
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
    if value is None or value is True or value is False:
        return value
    kind: Any = type(value)
    if kind is str or kind is float:
        return value
    if kind is int:
        return value if -_LARGEST < value < _LARGEST else {"int": hex(value)}
    if kind is list:
        return [_write(item) for item in value]
    name, write = _find_writer(kind)
    return {name: write(value)}


@lru_cache(maxsize=512)
def _find_writer(kind: type) -> tuple[str, Callable[[Any], Any]]:
    """Return what values of a class are called, and the function that writes one."""
    if kind in _WRITERS_OF:
        return _WRITERS_OF[kind]
    for name, bases, write in _WRITERS:
        if issubclass(kind, bases) and not issubclass(kind, np.ma.MaskedArray):
            return name, write
    if issubclass(kind, tuple) and hasattr(kind, "_fields"):
        return "row", _write_row
    if is_dataclass(kind):
        return "record", _write_record
    raise ValueError(f"{kind.__module__}.{kind.__qualname__} is no data")


def _write_items(value: Iterable[Any]) -> Any:
    return [_write(item) for item in value]


def _write_pairs(value: Mapping[Any, Any]) -> Any:
    return [[_write(key), _write(item)] for key, item in value.items()]


def _write_dtype(value: Any) -> Any:
    if value.kind == "T":
        raise ValueError("text of variable width is written by its elements alone")
    if value.names is not None:
        members = [[name, _write_dtype(value.fields[name][0]), value.fields[name][1]] for name in value.names]
        return {"members": members, "itemsize": value.itemsize}
    if value.subdtype is not None:
        return {"base": _write_dtype(value.subdtype[0]), "shape": list(value.subdtype[1])}
    return value.name if value.name in _OF_ML_DTYPES else value.str


def _write_array(value: Any) -> Any:
    """Return the dtype, shape and elements of an array or NumPy scalar, and whether it is a scalar."""
    array, is_scalar = np.asarray(value), isinstance(value, np.generic)
    if array.dtype.hasobject or array.dtype.kind == "T":
        letter = "T" if array.dtype.kind == "T" else "O"
        return [letter, list(array.shape), _write_items(array.ravel().tolist()), is_scalar]
    return [_write_dtype(array.dtype), list(array.shape), base64.b64encode(array.tobytes()).decode(), is_scalar]


def _write_class(value: Any) -> Any:
    if issubclass(value, np.generic):
        return f"{value.__module__}.{value.__name__}"
    name = str(value.__name__)
    if _TYPES.get(name) is not value:
        raise ValueError(f"{value.__module__}.{name} is no data")
    return name


def _write_exception(value: Any) -> Any:
    state = {key: _write(one) for key, one in vars(value).items() if key != "__notes__"}
    return [_name(type(value)), _write_items(value.args), state]


def _write_row(value: Any) -> Any:
    return [_name(type(value)), _write_items(value)]


def _write_record(value: Any) -> Any:
    kind: Any = type(value)
    return [_name(kind), {key: _write(getattr(value, key)) for key in _list_fields(kind)}]


@lru_cache(maxsize=512)
def _list_fields(kind: Any) -> tuple[str, ...]:
    return tuple(one.name for one in fields(kind))


_WRITERS_OF: Mapping[type, tuple[str, Callable[[Any], Any]]] = {
    **{kind: (kind.__name__, _write_items) for kind in (tuple, set, frozenset)},
    dict: ("dict", _write_pairs),
    Counter: ("counter", _write_pairs),
    bytes: ("bytes", lambda value: base64.b64encode(value).decode()),
    complex: ("complex", lambda value: [value.real, value.imag]),
    slice: ("slice", lambda value: _write_items((value.start, value.stop, value.step))),
    type(Ellipsis): ("single", lambda value: "..."),
    type(NotImplemented): ("single", lambda value: "NotImplemented"),
}
_WRITERS: Sequence[tuple[str, Any, Callable[[Any], Any]]] = (
    ("dtype", np.dtype, _write_dtype),
    ("array", (np.ndarray, np.generic), _write_array),
    ("class", type, _write_class),
    ("exception", BaseException, _write_exception),
    ("enumeration", Enum, lambda value: [_name(type(value)), value.name]),
)


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


@lru_cache(maxsize=512)
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
    kind: Any = _find_kind(name, object)
    has_fields = is_dataclass(kind)
    if not has_fields:
        raise Foreign(f"{name[:120]} is no data")
    if values.keys() != {*_list_fields(kind)}:
        raise Foreign(f"{name[:120]} has other fields")
    record = object.__new__(kind)
    for key, value in values.items():
        object.__setattr__(record, key, _read(value))
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
