"""Messages of a worker, and of the fork server, to the process that judges.

They run a subject's code, which can write to any descriptor that is open: an object whose reading calls a function, a
part of a message, or something else. So a message is read as far as it has come, up to MOST bytes, and is made of data.
"""

from __future__ import annotations

import io
import os
import pickle
import struct
from dataclasses import is_dataclass
from enum import Enum
from typing import Any

import numpy as np

MOST = 1 << 28
"""The bytes of a message, at most."""

_LENGTH = struct.Struct("!Q")
_OURS = ("oracle", "fuzz")  # the packages whose classes both processes have
_LIBRARIES = ("builtins", "numpy", "ml_dtypes")  # those whose exceptions and scalar types they have, too
_DATA = {
    "builtins": ("Ellipsis", "NotImplemented", "bytearray", "complex", "frozenset", "object", "range", "set", "slice"),
    "collections": ("Counter", "OrderedDict", "defaultdict", "deque"),
    "numpy": ("dtype", "ndarray"),
    "numpy._core.multiarray": ("_reconstruct", "scalar"),
    "numpy._core.numeric": ("_frombuffer",),
}
"""What the pickles of data call, by module."""

_HOLDERS = (BaseException, Enum, np.generic)
"""The classes of data in these packages, beside dataclasses."""


class Foreign(ValueError):
    """The bytes are no message of data: whatever else their sender says cannot be believed."""


class _Reader(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> Any:
        if name in _DATA.get(module, ()):
            return super().find_class(module, name)
        package = module.partition(".")[0]
        item = super().find_class(module, name) if package in (*_OURS, *_LIBRARIES) else None
        if isinstance(item, type) and (issubclass(item, _HOLDERS) or (package in _OURS and is_dataclass(item))):
            return item
        raise Foreign(f"{module}.{name} is no data")


def encode(value: Any) -> bytes:
    """Return a value as the data of a message. Raises ValueError if it is too long, and whatever its objects raise."""
    data = io.BytesIO()
    pickler = pickle.Pickler(data)
    pickler.dispatch_table = {}  # libraries tell Python to pickle exceptions by functions of theirs
    pickler.dump(value)
    if data.tell() > MOST:
        raise ValueError(f"an answer of {data.tell():,} bytes; at most {MOST >> 20} MiB are sent")
    return data.getvalue()


def decode(data: bytes) -> Any:
    """Return the data of a message. Raises Foreign for anything else."""
    try:
        return _Reader(io.BytesIO(data)).load()
    except Foreign:
        raise
    except Exception as error:  # noqa: BLE001 - what is no pickle raises whatever it likes
        raise Foreign(f"{type(error).__name__}: {error}") from None


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
