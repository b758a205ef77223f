"""Functions of `tfnp` that call functions of the user, which get arrays and return them."""

from __future__ import annotations

import functools
import types
from collections.abc import Callable
from typing import Any, Final

from tfnp.numpy.lifting import lift_array, lift_function, lower
from tfnp.numpy.ufuncs import ufunc

_FUNCTIONS: Final = (types.FunctionType, types.MethodType, types.BuiltinFunctionType, functools.partial, ufunc)


def lift_caller(function: Callable[..., Any], *, keeps_rank_0: bool = False) -> Any:
    """Return a function whose arguments, and the items of lists among them, may be functions of arrays."""
    lifted = lift_function(function, keeps_rank_0=keeps_rank_0)

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        return lifted(*map(lower_function, args), **{name: lower_function(value) for name, value in kwargs.items()})

    return call


def lower_function(value: Any) -> Any:
    """Return a function of arrays as one of tensors; of a list, its functions; other values unchanged."""
    if isinstance(value, _FUNCTIONS):
        return _take_tensors(value)
    if type(value) in (list, tuple) and any(isinstance(item, _FUNCTIONS) for item in value):
        return type(value)(map(lower_function, value))
    return value


def _take_tensors(function: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        return lower(function(*map(lift_array, args), **{name: lift_array(value) for name, value in kwargs.items()}))

    return call
