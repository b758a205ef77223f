"""NumPy's universal functions of arrays, made of those of `tfnp`."""

from __future__ import annotations

import functools
from typing import Any, Final

import numpy as np

from tfnp._core import dtypes
from tfnp.numpy import arrays, in_memory
from tfnp.numpy.arrays import UNKNOWN, Array, Public, Weak, cast_weak
from tfnp.numpy.floating_errors import Settings, report_errors
from tfnp.numpy.lifting import call_with_outputs, lift, lift_array, lift_function, lift_write, lower
from tfnp.numpy.numpy_calls import ERRORS, call_numpy_instead
from tfnp.numpy.policy import SMALL
from tfnp.numpy.selections import SelectedStorage, calculate
from tfnp.numpy.subclasses import Subclasses, find_prototype, wrap_result


class UfuncType(type):
    """The class of `ufunc`, of which NumPy's own ufuncs are instances, too."""

    def __instancecheck__(cls, instance: Any) -> bool:
        return super().__instancecheck__(instance) or isinstance(instance, np.ufunc)


class ufunc(metaclass=UfuncType):  # noqa: N801 - NumPy's name
    """A ufunc of `tfnp` whose operands, results and outputs are arrays. It is equal to NumPy's own."""

    def __init__(self, function: Any) -> None:
        self._function = function
        self._numpy_ufunc = function._numpy_ufunc
        self.nin, self.nout, self.nargs = function.nin, function.nout, function.nargs
        self.identity, self.signature = function.identity, function.signature
        self.types, self.ntypes = function.types, function.ntypes
        self.__module__ = "tfnp.numpy"
        self.__name__, self.__qualname__, self.__doc__ = function.__name__, function.__name__, function.__doc__
        self.__signature__ = function.__signature__
        self.reduce = self._lift_method(function.reduce)
        self.accumulate = self._lift_method(function.accumulate)
        self.reduceat = self._lift_method(function.reduceat)
        self.outer = self._lift_method(function.outer)
        self.at = lift_write(function.at, function._numpy_ufunc.at)
        self.resolve_dtypes = lift_function(function.resolve_dtypes)

    def _lift_method(self, method: Any) -> Any:
        """Return a lifted method, which an operand may override."""
        lifted = lift_function(method, numpy_up_to=SMALL)

        @functools.wraps(method)
        def call(*args: Any, **kwargs: Any) -> Any:
            override = find_override(args)
            if override is not None:
                return defer(self._numpy_ufunc, method.__name__, override, args, kwargs)
            return lifted(*args, **kwargs)

        return call

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        if len(args) == self.nin and self.nout == 1 and len(kwargs) <= 1:
            output = kwargs.get("out")
            output = output[0] if type(output) is tuple and len(output) == 1 else output
            result = UNKNOWN
            if not kwargs:
                result = in_memory.calculate(self._numpy_ufunc, args)
            elif output is not None:
                result = in_memory.write(self._numpy_ufunc, args, output)
            if result is not UNKNOWN:
                return result
        if Settings.is_changed:
            report_errors(self._numpy_ufunc, args[: self.nin], kwargs)
        try:
            return self._call(args, kwargs)
        except ERRORS as error:
            return call_numpy_instead(self._function, args, kwargs, error)

    def _call(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        if Weak.are_used:
            args = (*cast_weak(args[: self.nin]), *args[self.nin :])
        if kwargs or len(args) != self.nin:
            return self._call_fully(args, kwargs)
        if SelectedStorage.are_used and self.signature is None:
            selected = calculate(self._function, args)
            if selected is not None:
                return arrays.of_storage(Public.ndarray, selected)
        if len(args) == 2:
            x, y = args
            if type(x) is Public.ndarray and (type(y) is Public.ndarray or type(y) in _WEAK_SCALARS):
                return lift(self._function(x.tensor(), y if type(y) in _WEAK_SCALARS else y.tensor()))
        elif type(args[0]) is Public.ndarray:
            return lift(self._function(args[0].tensor()))
        lowered = [arg.tensor() if type(arg) is Public.ndarray else lower(arg) for arg in args]
        override = find_override(args)
        if override is not None:
            return defer(self._numpy_ufunc, "__call__", override, args, kwargs)
        return self._lift(self._function(*lowered), args)

    def _lift(self, result: Any, args: tuple[Any, ...]) -> Any:
        prototype = find_prototype(args) if Subclasses.are_used else None
        if prototype is None:
            return lift(result)
        return wrap_result(lift_array(result), prototype, (self._numpy_ufunc, args, 0), may_be_scalar=True)

    def _call_fully(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        override = find_override(args)
        if override is not None:
            return defer(self._numpy_ufunc, "__call__", override, args, kwargs)
        if kwargs.get("out") is None and len(args) <= self.nin:
            result = self._function(*map(lower, args), **{name: lower(value) for name, value in kwargs.items()})
            return self._lift(result, args)
        try:
            return call_with_outputs(
                self._function,
                args,
                kwargs,
                range(self.nin, self.nargs),
                lift_array if kwargs.get("out") is ... else lift,
            )
        except TypeError:
            self._raise_casting_error(args, kwargs)
            raise

    def _raise_casting_error(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        """Raise NumPy's UFuncTypeError for operands and outputs of these dtypes, if it is one of casting."""
        signature = self.signature is None
        if signature and "where" not in kwargs:
            placeholders = [_make_placeholder(arg) for arg in args]
            options = {name: _make_placeholder(value) for name, value in kwargs.items()}
            with np.errstate(all="ignore"):
                self._numpy_ufunc(*placeholders, **options)

    def __eq__(self, other: object) -> bool:
        return other is self._numpy_ufunc or getattr(other, "_numpy_ufunc", None) is self._numpy_ufunc

    def __hash__(self) -> int:
        return hash(self._numpy_ufunc)

    def __repr__(self) -> str:
        return f"<ufunc {self.__name__!r}>"

    def __reduce__(self) -> str:
        return self.__name__


_WEAK_SCALARS: Final = frozenset((int, float, complex))


def defer(numpy_ufunc: np.ufunc, method: str, override: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Call an operand's override of a ufunc. Raise TypeError if it returns NotImplemented."""
    result = override.__array_ufunc__(numpy_ufunc, method, *args, **kwargs)
    if result is NotImplemented:
        raise TypeError(
            f"operand type(s) all returned NotImplemented from __array_ufunc__({numpy_ufunc!r}, {method!r})"
        )
    return result


def find_override(args: tuple[Any, ...]) -> Any:
    """Return the first operand of a class that overrides ufuncs (NEP 13): a subclass, or a class of somebody else's."""
    for arg in args:
        cls = type(arg)
        if cls is Public.ndarray or cls is float or cls is int:
            continue
        method = getattr(cls, "__array_ufunc__", None)
        if method is None or method is np.ndarray.__array_ufunc__ or isinstance(arg, np.generic):
            continue
        if method is not Public.ndarray.__array_ufunc__:
            return arg
    return None


def _make_placeholder(value: Any) -> Any:
    """Return an array of rank 0 and the dtype of an array; other values unchanged."""
    if isinstance(value, tuple):
        return tuple(map(_make_placeholder, value))
    if isinstance(value, Array | np.ndarray):
        return np.ones((), value.dtype)
    return value if not hasattr(value, "dtype") else np.ones((), np.dtype(dtypes.as_numpy(value.dtype)))
