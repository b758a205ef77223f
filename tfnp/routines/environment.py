"""NumPy's settings, and information about it and the process, unchanged.

Calculations here do not depend on them: no floating-point warnings are raised, whatever `seterr` says, and there are no
buffers.
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
    """Return False: tensors are stored in C order."""
    check_array(a)
    to_tensor(a)
    return False
