"""Floating-point errors of arrays, where `errstate` or `seterr` asks for more than NumPy's default warnings.

TensorFlow reports no floating-point errors. So NumPy's own ufunc is called on the same operands for its errors alone,
in eager mode, if the operands have no gradient.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping
from typing import Any, Final

import numpy as np

from tfnp._core.eager_tensors import executing_eagerly
from tfnp.numpy import arrays

_DEFAULT: Final = {"divide": "warn", "over": "warn", "under": "ignore", "invalid": "warn"}


class Settings:
    """A flag that settings may have changed, by an `errstate` that is entered, or by `seterr`."""

    is_changed = False
    depth = 0


def _is_stricter() -> bool:
    """Return whether the settings report an error in another way than the default, and not only ignore it."""
    settings: Mapping[str, str] = np.geterr()
    return any(value not in ("ignore", _DEFAULT[kind]) for kind, value in settings.items())


class errstate(np.errstate):  # noqa: N801 - NumPy's name
    """NumPy's context manager for floating-point errors, which ufuncs of arrays obey in eager mode."""

    def __enter__(self) -> None:
        super().__enter__()
        Settings.depth += 1
        Settings.is_changed = True

    def __exit__(self, *exc_info: Any) -> None:
        super().__exit__(*exc_info)
        Settings.depth -= 1
        Settings.is_changed = Settings.depth > 0 or _is_stricter()


def seterr(
    all: str | None = None,
    divide: str | None = None,
    over: str | None = None,
    under: str | None = None,
    invalid: str | None = None,
) -> dict[str, str]:
    """Set how floating-point errors are handled, and return the previous settings."""
    previous: Any = np.seterr(all, divide, over, under, invalid)  # type: ignore[arg-type] # NumPy checks them
    Settings.is_changed = Settings.depth > 0 or _is_stricter()
    return previous


def report_errors(function: Callable[..., Any], args: tuple[Any, ...], kwargs: Mapping[str, Any] | None = None) -> None:
    """Call a function of NumPy for its floating-point errors, if settings ask for them and all operands are known."""
    if not executing_eagerly() or not _is_stricter():
        return
    options = {name: value for name, value in (kwargs or {}).items() if name != "out"}
    known = arrays.to_host([list(args), list(options.values())])
    if known is arrays.UNKNOWN:
        return
    operands, values = known
    with contextlib.suppress(TypeError, ValueError):  # which the function of `tfnp` raises, too
        function(*operands, **dict(zip(options, values, strict=True)))
