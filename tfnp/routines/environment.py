"""What NumPy says of itself, of the process and of memory: its own answers, which calculations here do not depend on.

Floating-point warnings are not raised here, whatever `seterr` asks for; no buffer is used, of whatever size. Memory is
not to be seen: `isfortran` is False of all that a tensor can be.
"""

from __future__ import annotations

from typing import Any

from numpy import (
    ScalarType,
    dtypes,
    errstate,
    exceptions,
    getbufsize,
    geterr,
    geterrcall,
    info,
    little_endian,
    sctypeDict,
    setbufsize,
    seterr,
    seterrcall,
    show_config,
    show_runtime,
    typecodes,
)

from tfnp._core.arguments import check_array
from tfnp._core.convert import to_tensor

__all__ = [
    "ScalarType",
    "dtypes",
    "errstate",
    "exceptions",
    "getbufsize",
    "geterr",
    "geterrcall",
    "info",
    "isfortran",
    "little_endian",
    "sctypeDict",
    "setbufsize",
    "seterr",
    "seterrcall",
    "show_config",
    "show_runtime",
    "typecodes",
]


def isfortran(a: Any) -> bool:
    """False: tensors lie by rows, and what is made of another array does too."""
    check_array(a)
    to_tensor(a)
    return False
