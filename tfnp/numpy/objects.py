"""Objects of classes of `tfnp`, such as generators and polynomials: their attributes and results are lifted."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from typing import Any, ClassVar

import numpy as np

from tfnp.numpy.arrays import lower_key, of_buffer
from tfnp.numpy.lifting import WRAPPERS, Lifted, lift, lift_function, lower
from tfnp.numpy.numpy_calls import ERRORS, call_numpy_instead


class LiftedClass(type):
    """The class of such classes: attributes that are missing are those of the class of `tfnp`, lifted."""

    _inner_class: type

    def __call__(cls, *args: Any, **kwargs: Any) -> Any:
        """Return an object; NumPy's of arguments that no tensor can hold, such as fractions."""
        try:
            return super().__call__(*args, **kwargs)
        except ERRORS as error:
            numpy_class = getattr(np.polynomial, cls.__name__, getattr(np, cls.__name__, None))
            return call_numpy_instead(cls, args, kwargs, error, numpy_class)

    def __getattr__(cls, name: str) -> Any:
        if name.startswith("__") or name == "_inner_class":
            raise AttributeError(f"type object {cls.__name__!r} has no attribute {name!r}", name=name, obj=cls)
        value = getattr(cls._inner_class, name)
        if isinstance(value, np.ndarray):
            return of_buffer(value)
        return lift_function(value) if callable(value) else lift(value)


def _forward(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return an operator of the object that is wrapped."""

    def apply(self: Any, other: Any, /) -> Any:
        result = function(self._inner, lower(other))
        return result if result is NotImplemented else lift(result)

    return apply


def _forward_reflected(function: Callable[..., Any]) -> Callable[..., Any]:
    def apply(self: Any, other: Any, /) -> Any:
        result = function(lower(other), self._inner)
        return result if result is NotImplemented else lift(result)

    return apply


class LiftedObject(Lifted, metaclass=LiftedClass):
    """An object of a class of `tfnp`, made with lowered arguments."""

    _inner_class: ClassVar[type]
    __array_ufunc__ = None

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        args, kwargs = tuple(map(lower, args)), {name: lower(value) for name, value in kwargs.items()}
        object.__setattr__(self, "_inner", self._inner_class(*args, **kwargs))

    def __init_subclass__(cls) -> None:
        inner = cls.__dict__.get("_inner_class")
        if inner is not None:
            WRAPPERS[inner] = cls._wrap

    @classmethod
    def _wrap(cls, inner: Any) -> Any:
        """Return the lifted object of one of `tfnp`: always the same."""
        lifted = getattr(inner, "_lifted", None)
        if lifted is None:
            lifted = cls.__new__(cls)
            object.__setattr__(lifted, "_inner", inner)
        return lifted

    def __setattr__(self, name: str, value: Any) -> None:
        setattr(self._inner, name, lower(value))

    def __str__(self) -> str:
        return str(self._inner)

    def __repr__(self) -> str:
        return repr(self._inner)

    def __reduce__(self) -> Any:
        return _restore, (type(self), self._inner)


class LiftedSeries(LiftedObject):
    """A polynomial: it can be called, iterated over, compared, and calculated with."""

    __hash__ = None  # type: ignore[assignment] # equal by its coefficients

    __add__ = _forward(operator.add)
    __sub__ = _forward(operator.sub)
    __mul__ = _forward(operator.mul)
    __truediv__ = _forward(operator.truediv)
    __floordiv__ = _forward(operator.floordiv)
    __mod__ = _forward(operator.mod)
    __divmod__ = _forward(divmod)
    __pow__ = _forward(operator.pow)
    __radd__ = _forward_reflected(operator.add)
    __rsub__ = _forward_reflected(operator.sub)
    __rmul__ = _forward_reflected(operator.mul)
    __rtruediv__ = _forward_reflected(operator.truediv)
    __rfloordiv__ = _forward_reflected(operator.floordiv)
    __rmod__ = _forward_reflected(operator.mod)
    __rdivmod__ = _forward_reflected(divmod)

    def __eq__(self, other: Any) -> Any:
        return lift(self._inner == lower(other))

    def __ne__(self, other: Any) -> Any:
        return lift(self._inner != lower(other))

    def __neg__(self) -> Any:
        return lift(-self._inner)

    def __pos__(self) -> Any:
        return lift(+self._inner)

    def __call__(self, arg: Any) -> Any:
        return lift(self._inner(lower(arg)))

    def __len__(self) -> int:
        return len(self._inner)

    def __iter__(self) -> Iterator[Any]:
        return map(lift, iter(self._inner))

    def __getitem__(self, key: Any) -> Any:
        return lift(self._inner[lower_key(key)])

    def __setitem__(self, key: Any, value: Any) -> None:
        self._inner[lower_key(key)] = lower(value)

    def __format__(self, format_spec: str) -> str:
        return format(self._inner, format_spec)

    def __array__(self, dtype: Any = None, /, *, copy: Any = None) -> np.ndarray:
        return np.array(np.asarray(self._inner), dtype, copy=copy)


class Indexed:
    """An object that is indexed, such as `mgrid` and `r_`."""

    def __init__(self, inner: Any) -> None:
        self._inner = inner

    def __getitem__(self, key: Any) -> Any:
        return lift(self._inner[lower_key(key)])


def _restore(cls: Any, inner: Any) -> Any:
    """Return a pickled object."""
    return cls._wrap(inner)
