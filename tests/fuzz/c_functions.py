"""A namespace of NumPy arrays whose functions tell no signature, as those that are written in C.

The docstrings of `nansum` and `argsort` name the parameters. `nansum` says only that a number of arguments is wrong,
`nanprod` and `nanmax` name the keyword. `flip` takes arguments by position only. `any` has a signature of any keywords,
and rejects them. `nanmax` is wrong: it lets nan through.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

__all__ = ["any", "argsort", "flip", "nanmax", "nanprod", "nansum", "ndarray"]
ndarray = np.ndarray


class CFunction:
    """A callable without a signature, that takes the parameters of a Python function, and documents what it is told."""

    def __init__(self, function: Callable[..., Any], parameters: str, doc: str | None, says: str) -> None:
        self.__name__, self.__doc__ = function.__name__.removeprefix("_"), doc
        self._function, self._parameters, self._says = function, parameters.split(), says

    @property
    def __signature__(self) -> Any:
        raise ValueError("no signature found")

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        for key in kwargs:
            if key not in self._parameters:
                raise TypeError(self._says.format(name=self.__name__, key=key))
        if len(args) > max(2, len(self._parameters)):
            raise TypeError(f"{self.__name__} expected at most 2 arguments, got {len(args)}")
        return self._function(*args, **kwargs)


def _nansum(a, axis=None):
    return np.nansum(a, axis)


def _nanprod(a, axis=None):
    return np.nanprod(a, axis)


def _nanmax(a, axis=None):
    return np.max(a, axis)


def _argsort(a, axis=-1):
    return np.argsort(a, axis, stable=True)


def _flip(m, axis=None):
    return np.flip(m, axis)


nansum = CFunction(_nansum, "a axis", "nansum(a, axis=None)\n\nSum, without nan.", "wrong number of keyword arguments")
nanprod = CFunction(_nanprod, "a axis", None, "{name}() got an unexpected keyword argument '{key}'")
nanmax = CFunction(_nanmax, "a axis", "The largest.", "'{key}' is an invalid keyword argument for {name}()")
argsort = CFunction(_argsort, "a axis", "argsort(a[, axis])", "argsort() takes no such argument")
flip = CFunction(_flip, "", None, "{name}() takes no keyword arguments")


def any(a, axis=None, **options):
    """Return whether any element is true."""
    if options:
        raise TypeError(f"any() does not support {', '.join(options)}")
    return np.any(a, axis)
