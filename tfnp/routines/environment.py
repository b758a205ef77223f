"""Settings of floating-point errors and of buffers, and NumPy's information about itself and the process.

TensorFlow raises no floating-point errors and has no buffers. The settings are accepted, checked as NumPy checks them,
and kept, so that programs which set and restore them run; nothing depends on them. They are tfnp's own: NumPy's do not
change with them.
"""

from __future__ import annotations

from contextlib import ContextDecorator
from contextvars import ContextVar
from typing import Any, Final

import numpy as np
from numpy import (
    ScalarType,
    info,
    little_endian,
    sctypeDict,
    show_config,
    show_runtime,
    typecodes,
)

from tfnp._core.arguments import check_array
from tfnp._core.convert import to_tensor
from tfnp._core.parameters import ArrayLike, ShapeLike

__all__ = [
    "ScalarType",
    "errstate",
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


def isfortran(a: ArrayLike) -> bool:
    """Return False: tensors are stored in C order."""
    check_array(a)
    to_tensor(a)
    return False


_DEFAULT_ERRORS: Final[Any] = np.geterr()
_DEFAULT_SIZE: Final = np.getbufsize()
_errors: Final[ContextVar[Any]] = ContextVar("errors", default=None)
_error_callback: Final[ContextVar[Any]] = ContextVar("error_callback", default=None)
_buffer_size: Final[ContextVar[int]] = ContextVar("buffer_size", default=_DEFAULT_SIZE)


def geterr() -> dict[str, str]:
    """Return the settings of `seterr` and `errstate`, which have no effect on tensors, and not NumPy's own."""
    return dict(_errors.get() or _DEFAULT_ERRORS)


def seterr(
    all: str | None = None,
    divide: str | None = None,
    over: str | None = None,
    under: str | None = None,
    invalid: str | None = None,
) -> dict[str, str]:
    """Accepted without an effect: TensorFlow raises no floating-point errors. NumPy's own settings do not change.

    Returns the old settings.
    """
    old: Any = geterr()
    with np.errstate(**old):
        np.seterr(all, divide, over, under, invalid)  # type: ignore[arg-type]  # checks them
        _errors.set(np.geterr())
    return old


def geterrcall() -> Any:
    """Return the function that was set by `seterrcall`, which is never called."""
    return _error_callback.get()


def seterrcall(func: Any) -> Any:
    """Accepted without an effect: TensorFlow raises no floating-point errors. NumPy's own callback does not change.

    Returns the old function.
    """
    old = geterrcall()
    with np.errstate():
        np.seterrcall(func)  # checks it
    _error_callback.set(func)
    return old


def getbufsize() -> int:
    """Return the setting of `setbufsize`, which has no effect on tensors."""
    return _buffer_size.get()


def setbufsize(size: ShapeLike) -> int:
    """Accepted without an effect: TensorFlow has no such buffers. NumPy's own setting does not change.

    Returns the old size.
    """
    old = getbufsize()
    with np.errstate():  # which restores the size, too
        np.setbufsize(size)
        _buffer_size.set(np.getbufsize())
    return old


_ABSENT: Final = object()


class errstate(ContextDecorator):  # noqa: N801 - NumPy's name
    """Accepted without an effect: TensorFlow raises no floating-point errors. NumPy's own settings do not change.

    A context manager, and a decorator; it can be entered again after it has been left. At its end, all of these
    settings are what they were before, as with NumPy's.
    """

    def __init__(
        self,
        *,
        call: Any = _ABSENT,
        all: str | None = None,
        divide: str | None = None,
        over: str | None = None,
        under: str | None = None,
        invalid: str | None = None,
    ) -> None:
        self._call = call
        self._settings = {"all": all, "divide": divide, "over": over, "under": under, "invalid": invalid}
        self._tokens: list[Any] = []

    def __enter__(self) -> None:
        self._tokens.append((_errors.set(geterr()), _error_callback.set(geterrcall()), _buffer_size.set(getbufsize())))
        try:
            seterr(**self._settings)
            if self._call is not _ABSENT:
                seterrcall(self._call)
        except BaseException:
            self._restore()
            raise

    def __exit__(self, *_: object) -> None:
        self._restore()

    def _restore(self) -> None:
        errors, callback, size = self._tokens.pop()
        _errors.reset(errors)
        _error_callback.reset(callback)
        _buffer_size.reset(size)
