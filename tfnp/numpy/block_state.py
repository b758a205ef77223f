"""The state of a block of a program: the names that it assigns, with AutoGraph's functions that read and write them."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Sequence
from typing import Any

import tensorflow as tf

from tfnp.numpy.arrays import Array
from tfnp.numpy.block_values import Type, UnsupportedBlockError, find_type, from_tensor, is_same, is_undefined, join


class State:
    """The names that a block may assign.

    AutoGraph lists `x[i]` among them where the block writes to it. Arrays are carried by their storages, so these names
    are not assigned; a block that assigns to items of other objects is not supported.
    """

    def __init__(self, get: Callable[[], Any], put: Callable[[Any], None], names: Sequence[str]) -> None:
        self._get, self._put = get, put
        self.names = [name if isinstance(name, str) else str(name) for name in names]
        self._items = [position for position, name in enumerate(self.names) if "[" in name]

    def check(self) -> None:
        """Raise UnsupportedBlockError if the block assigns to items of other objects than arrays."""
        variables = {
            **inspect.getclosurevars(self._put).nonlocals,
            **inspect.getclosurevars(self._get).nonlocals,
        }
        for position in self._items:
            name, *attributes = self.names[position].partition("[")[0].split(".")
            value = functools.reduce(lambda owner, key: getattr(owner, key, None), attributes, variables.get(name))
            if not isinstance(value, Array) and not is_undefined(value):
                raise UnsupportedBlockError(f"it changes a {type(value).__name__}")

    def get(self) -> list[Any]:
        """Return the values; None for items of arrays."""
        if not self._items:
            return list(self._get())
        variables = inspect.getclosurevars(self._get).nonlocals
        names = enumerate(self.names)
        simple = {p: variables[name] for p, name in names if p not in self._items and name in variables}
        if len(simple) + len(self._items) == len(self.names):
            return [simple.get(position) for position in range(len(self.names))]
        values = list(self._get())
        return [None if position in self._items else value for position, value in enumerate(values)]

    def put(self, values: Sequence[Any]) -> None:
        """Assign the values."""
        self._put(tuple(values))

    def find_changed(self, before: Sequence[Any], after: Sequence[Any]) -> list[int]:
        """Return the positions of names that a block has assigned another value."""
        return [
            position
            for position, (old, new) in enumerate(zip(before, after, strict=True))
            if position not in self._items and not is_same(old, new)
        ]

    def join_types(self, position: int, old: Any, new: Any, known: Type | None) -> Type:
        """Return the type of a name that has the values `old` and `new`, and a type that is known so far."""
        name = self.names[position]
        if is_undefined(new):
            raise UnsupportedBlockError(f"{name} has a value only on some ways through it")
        result = find_type(new, name)
        for other in (known, None if is_undefined(old) else find_type(old, name)):
            result = result if other is None else join(result, other, name)
        return result

    def describe(self, position: int, value: Any) -> Any:
        """Return the type of an array or tensor; other values as they are."""
        return find_type(value, self.names[position]) if isinstance(value, Array | tf.Tensor) else value

    def join_descriptions(self, position: int, one: Any, other: Any) -> Type:
        """Return the type of a name that two branches assign, of which `describe` told the values."""
        name = self.names[position]
        if is_undefined(one) or is_undefined(other):
            raise UnsupportedBlockError(f"{name} has a value only on some ways through it")
        first, second = (value if isinstance(value, Type) else find_type(value, name) for value in (one, other))
        return join(first, second, name)

    def fill(self, values: Sequence[Any], types: dict[int, Type], tensors: Sequence[Any]) -> list[Any]:
        """Return values with those of the types in place of others."""
        result = list(values)
        for (position, of), tensor in zip(types.items(), tensors, strict=True):
            result[position] = from_tensor(tensor, of)
        return result


def list_updated(values: Sequence[Any], types: dict[int, Type]) -> list[int]:
    """Return the positions of arrays that were made of tensors of a block, and written to since."""
    return [
        position for position in types if isinstance(values[position], Array) and values[position]._storage.version != 0
    ]
