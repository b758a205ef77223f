"""Python's buffer protocol for arrays before Python 3.12, where classes written in Python cannot define `__buffer__`.

The slot of the class is set by its address (https://docs.python.org/3.11/c-api/typeobj.html#buffer-object-structures).
"""

from __future__ import annotations

import ctypes
import sys
from typing import Any, Final

_SLOT: Final = 20 * ctypes.sizeof(ctypes.c_void_p)  # of tp_as_buffer in PyTypeObject of 64-bit CPython 3.11
_NEEDED: Final = sys.version_info < (3, 12) and sys.implementation.name == "cpython" and sys.maxsize > 1 << 32
_get_buffer: Final = ctypes.pythonapi.PyObject_GetBuffer
_get_buffer.argtypes, _get_buffer.restype = (ctypes.py_object, ctypes.c_void_p, ctypes.c_int), ctypes.c_int


def _fill(array: Any, view: int, flags: int) -> int:
    """Fill a view with the memory of an array; return -1 if it has none."""
    try:
        return int(_get_buffer(array.__buffer__(flags), view, flags))
    except BaseException:  # noqa: BLE001 - C calls, and no exception may pass it
        return -1


_FILL: Final = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.py_object, ctypes.c_void_p, ctypes.c_int)(_fill)


def define_buffer(cls: type) -> type:
    """Have Python's buffer protocol call the method `__buffer__` of a class."""
    if _NEEDED:
        procedures = ctypes.c_void_p.from_address(id(cls) + _SLOT).value
        if procedures:
            ctypes.c_void_p.from_address(procedures).value = ctypes.cast(_FILL, ctypes.c_void_p).value
    return cls
