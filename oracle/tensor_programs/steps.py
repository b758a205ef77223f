"""Steps of a program as plain data: an op on inputs, constants and earlier results."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np


@dataclass(frozen=True, slots=True)
class Input:
    """The operand that is the input of that index."""

    index: int


@dataclass(frozen=True, slots=True)
class Result:
    """The operand that is the result of a step; of several tensors, the one at `position`."""

    step: int
    output: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class Constant:
    """A constant of the graph, with the dtype and the shape of the array."""

    array: np.ndarray


@dataclass(frozen=True, slots=True)
class DType:
    """A dtype of TensorFlow, by its name."""

    name: str


@dataclass(frozen=True, slots=True)
class Function:
    """An op as an argument, by its name: what a loop calls."""

    name: str


@dataclass(frozen=True, slots=True)
class Subscript:
    """An index expression of integers, slices, None for a new axis, and Ellipsis."""

    entries: tuple[Any, ...]


@dataclass(frozen=True)
class Step:
    """One call. `op` is a name of the vocabulary; arguments are operands, Python values, and lists of both."""

    op: str
    args: tuple[Any, ...] = ()
    kwargs: Mapping[str, Any] = field(default_factory=dict)

    def values(self) -> Iterator[Any]:
        """Yield everything in the arguments, with lists flattened."""
        for value in (*self.args, *self.kwargs.values()):
            yield from _unfold(value)

    def map(self, change: Callable[[Any], Any]) -> Step:
        """Return the step with each value replaced by `change` of it."""
        args = tuple(_map(value, change) for value in self.args)
        return Step(self.op, args, {name: _map(value, change) for name, value in self.kwargs.items()})


class Chain(Protocol):
    """Protocol: inputs, and steps on them, as a program has them."""

    @property
    def inputs(self) -> Sequence[np.ndarray]: ...
    @property
    def steps(self) -> Sequence[Step]: ...
    @property
    def gradient(self) -> bool: ...


def _unfold(value: Any) -> Iterator[Any]:
    if isinstance(value, list):
        for item in value:
            yield from _unfold(item)
    else:
        yield value


def _map(value: Any, change: Callable[[Any], Any]) -> Any:
    return [_map(item, change) for item in value] if isinstance(value, list) else change(value)
