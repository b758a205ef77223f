"""Python objects that a block of a program can reach: what it could change other than arrays and names.

A loop of the graph runs the Python code of its body a few times while it is traced, and not once for each iteration. So
a body that appends to a list, takes from an iterator or draws random numbers is no loop of the graph.
"""

from __future__ import annotations

import functools
import types
from collections import deque
from collections.abc import Callable, Iterator
from typing import Any, Final

import numpy as np
import tensorflow as tf

from tfnp.numpy.arrays import Array

_MOST_OBJECTS: Final = 20_000
_OPAQUE: Final = frozenset(("tensorflow", "keras", "numpy", "tfnp", "ml_dtypes", "wrapt", "absl"))
"""Packages whose functions and objects are not looked into."""
_ATOMS: Final = (
    int,
    float,
    complex,
    str,
    bytes,
    type(None),
    type(...),
    slice,
    range,
    np.generic,
    np.dtype,
    tf.DType,
    type,
)
_RANDOM: Final = (np.random.Generator, np.random.RandomState, np.random.BitGenerator)
_ITERATORS: Final = (types.GeneratorType, enumerate, zip, map, filter)


class Objects:
    """The objects that functions can reach, as their code refers to them.

    `uses_arrays` says whether arrays of `tfnp.numpy`, or the module itself, are among them. `reason` says why it cannot
    be known what the functions change; None if it can.
    """

    def __init__(self, functions: tuple[Callable[..., Any] | None, ...], values: tuple[Any, ...] = ()) -> None:
        self.uses_arrays = False
        self.reason: str | None = None
        self._seen: dict[int, Any] = {}
        self._states: list[tuple[Any, Any]] = []
        pending = [*functions, *values]
        while pending and len(self._seen) <= _MOST_OBJECTS:
            value = pending.pop()
            if isinstance(value, _ATOMS) or id(value) in self._seen:
                continue
            self._seen[id(value)] = value
            if len(self._seen) > _MOST_OBJECTS:
                self.reason = f"its code refers to more than {_MOST_OBJECTS} Python objects"
            pending += self._look_into(value)

    def _look_into(self, value: Any) -> Iterator[Any]:
        """Yield the objects that one refers to, and remember the state of one that can change."""
        if isinstance(value, Array):
            self.uses_arrays = True
        elif isinstance(value, types.FunctionType):
            yield from self._look_into_function(value)
        elif isinstance(value, types.MethodType):
            yield from (value.__func__, value.__self__)
        elif isinstance(value, functools.partial):
            yield from (value.func, value.args, value.keywords)
        elif isinstance(value, types.BuiltinFunctionType):
            owner = value.__self__
            if owner is not None and not isinstance(owner, types.ModuleType | type):
                self._look_into_owner(value, owner)
        elif isinstance(value, types.ModuleType):
            self.uses_arrays = self.uses_arrays or value.__name__.startswith("tfnp.numpy")
        elif isinstance(value, tf.Tensor | tf.Variable | tf.__internal__.CompositeTensor):
            pass
        else:
            yield from self._look_into_object(value)

    def _look_into_owner(self, method: Any, owner: Any) -> None:
        if isinstance(owner, list | dict | set | deque | bytearray):
            self._states.append((owner, _copy(owner)))
        elif not isinstance(owner, (*_ATOMS, tuple, frozenset)):
            self.reason = f"it calls {method.__name__} of a {type(owner).__name__}, which may change it"

    def _look_into_function(self, function: types.FunctionType) -> Iterator[Any]:
        module = function.__module__ or ""
        package = module.partition(".")[0]
        if module.startswith(("tfnp.random", "tfnp.numpy.random")):
            self.reason = "it draws random numbers"
        if package in _OPAQUE and "__autograph_generated" not in function.__code__.co_filename:
            return
        yield from function.__defaults__ or ()
        yield from (function.__kwdefaults__ or {}).values()
        yield from _list_names(function, _list_closure(function))

    def _look_into_object(self, value: Any) -> Iterator[Any]:
        cls = type(value)
        package = cls.__module__.partition(".")[0]
        if isinstance(value, _RANDOM) or cls.__module__.startswith("tfnp.random"):
            self.reason = "it may draw random numbers"
        elif isinstance(value, _ITERATORS):
            self.reason = f"it may take from a {cls.__name__}"
        elif isinstance(value, list | dict | set | deque | bytearray | np.ndarray):
            self._states.append((value, _copy(value)))
            yield from _list_items(value)
        elif isinstance(value, tuple | frozenset):
            yield from value
        elif package in _OPAQUE:
            return
        elif isinstance(value, Iterator) and not hasattr(cls, "__getitem__"):
            self.reason = f"it may take from a {cls.__name__}"
        if isinstance(getattr(value, "__dict__", None), dict):
            self._states.append((value.__dict__, dict(value.__dict__)))
            yield from value.__dict__.values()

    def find_change(self) -> str | None:
        """Return what has changed since this was made; None if nothing has."""
        for value, state in self._states:
            if not _is_same(value, state):
                return f"it changes a {type(value).__name__}"
        return None

    def restore(self) -> None:
        """Undo the changes."""
        for value, state in self._states:
            if not _is_same(value, state):
                _restore(value, state)


def _list_closure(function: types.FunctionType) -> list[Any]:
    values = []
    for cell in function.__closure__ or ():
        try:
            values.append(cell.cell_contents)
        except ValueError:  # it is empty
            continue
    return values


def _list_names(function: types.FunctionType, values: list[Any]) -> Iterator[Any]:
    """Yield the values of the closure, the globals that the code names, and what it names in modules among them."""
    names: set[str] = set()
    codes = [function.__code__]
    while codes:
        code = codes.pop()
        names |= {*code.co_names}
        codes += [constant for constant in code.co_consts if isinstance(constant, types.CodeType)]
    values += [function.__globals__[name] for name in names if name in function.__globals__]
    seen: set[int] = set()
    while values:
        value = values.pop()
        yield value
        if isinstance(value, types.ModuleType) and id(value) not in seen:
            seen.add(id(value))
            values += [vars(value)[name] for name in names if name in vars(value)]


def _list_items(value: Any) -> Iterator[Any]:
    if isinstance(value, dict):
        yield from value.keys()
        yield from value.values()
    elif not isinstance(value, bytearray | np.ndarray):
        yield from value


def _copy(value: Any) -> Any:
    return value.copy()


def _is_same(value: Any, state: Any) -> bool:
    if isinstance(value, np.ndarray):
        return value.shape == state.shape and value.tobytes() == state.tobytes()
    if isinstance(value, bytearray | set):
        return bool(value == state)
    if isinstance(value, dict):
        return value.keys() == state.keys() and all(value[key] is state[key] for key in state)
    return len(value) == len(state) and all(one is other for one, other in zip(value, state, strict=True))


def _restore(value: Any, state: Any) -> None:
    if isinstance(value, np.ndarray):
        value[...] = state
    elif isinstance(value, list | bytearray):
        value[:] = state
    else:
        value.clear()
        if isinstance(value, dict | set):
            value.update(state)
        else:
            value.extend(state)
