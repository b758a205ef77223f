"""Floating-point errors where `errstate` or `seterr` asks for them, and warnings of statistics without elements.

TensorFlow reports no floating-point errors. So NumPy's own function is called on the same operands for its errors and
warnings alone, in eager mode, if the operands have no gradient.
"""

from __future__ import annotations

import cmath
import contextlib
import functools
from collections.abc import Callable, Mapping
from typing import Any, Final

import numpy as np

from tfnp._core.eager_tensors import executing_eagerly
from tfnp.numpy import arrays
from tfnp.numpy.lifting import lift_function, lift_in_memory
from tfnp.numpy.policy import SCALARS

_OPTIONS: Final = frozenset(("where", "ddof", "correction"))
_BEFORE_DDOF: Final = 3  # arguments by position: array, axis and dtype
_DEFAULT: Final = {"divide": "warn", "over": "warn", "under": "ignore", "invalid": "warn"}


class Settings:
    """A flag that settings may have changed, by an `errstate` that is entered, or by `seterr`."""

    is_changed = False
    depth = 0


def _is_stricter() -> bool:
    """Return whether the settings report an error in another way than the default, and not only ignore it."""
    settings: Any = np.geterr()
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
    if executing_eagerly() and _is_stricter():
        _call_numpy(function, args, kwargs or {})


def lift_statistic(
    function: Callable[..., Any], numpy_function: Callable[..., Any], *, numpy_up_to: float = SCALARS
) -> Any:
    """Return a lifted function that warns as NumPy's does of slices without elements, or without any but nan.

    These have a result that is not finite: NumPy's function is called for no others.
    """
    lifted = lift_function(function, numpy_up_to=None)
    calculate_in_memory = lift_in_memory(function, numpy_up_to)
    ignores_nan = function.__name__.startswith("nan")

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        result = calculate_in_memory(args, kwargs) if args else arrays.UNKNOWN
        if result is not arrays.UNKNOWN:
            return result
        result = lifted(*args, **kwargs)
        if executing_eagerly() and (ignores_nan or _may_be_empty(args, kwargs)) and not _is_finite(result):
            _call_numpy(numpy_function, args, kwargs)
        return result

    return call


def _may_be_empty(args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> bool:
    """Return whether a slice may have no elements, or too few for the degrees of freedom."""
    is_short = len(args) <= _BEFORE_DDOF and _OPTIONS.isdisjoint(kwargs)
    return not (is_short and args and isinstance(args[0], arrays.Array) and 0 not in args[0].shape)


def _is_finite(result: Any) -> bool:
    """Return whether all numbers are finite, as far as their sum shows. True for those that are not known."""
    if isinstance(result, arrays.Array):
        if not result.is_on_host() or result.dtype.kind not in "fc":
            return True
        result = np.add.reduce(result.memory(), None)
    return not isinstance(result, float | complex | np.inexact) or cmath.isfinite(result)


def _call_numpy(function: Callable[..., Any], args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> None:
    """Call a function of NumPy for what it reports, if all operands are known."""
    options = {name: value for name, value in kwargs.items() if name != "out"}
    known = arrays.to_host([list(args), list(options.values())])
    if known is arrays.UNKNOWN:
        return
    operands, values = known
    with contextlib.suppress(TypeError, ValueError):  # which the function of `tfnp` raises, too
        function(*operands, **dict(zip(options, values, strict=True)))
