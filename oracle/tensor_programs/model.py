"""A program of a few ops as plain data: inputs, and steps on inputs, constants and earlier results."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

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


@dataclass(frozen=True)
class Program:
    """Inputs and steps; the last step's result is the program's.

    With `gradient`, the result is the gradient of the sum of the last step's first tensor with respect to the floating
    inputs.
    """

    inputs: tuple[np.ndarray, ...]
    steps: tuple[Step, ...]
    gradient: bool = False

    @property
    def ops(self) -> tuple[str, ...]:
        """The names of the ops, in order."""
        return tuple(step.op for step in self.steps)

    def with_inputs(self, inputs: Sequence[np.ndarray]) -> Program:
        """Return the same steps with other inputs."""
        return replace(self, inputs=tuple(inputs))

    def is_used(self, index: int) -> bool:
        """Return whether any step uses the input of that index."""
        return any(isinstance(value, Input) and value.index == index for step in self.steps for value in step.values())

    def without_unused(self) -> Program:
        """Return the program without unused inputs, and without steps that the last one does not depend on."""
        needed = {len(self.steps) - 1}
        for index in range(len(self.steps) - 1, -1, -1):
            if index in needed:
                needed |= {value.step for value in self.steps[index].values() if isinstance(value, Result)}
        steps = {old: new for new, old in enumerate(sorted(needed))}
        pruned = replace(self, steps=tuple(self.steps[old] for old in sorted(needed)))
        inputs = {old: new for new, old in enumerate(i for i in range(len(self.inputs)) if pruned.is_used(i))}

        def rename(value: Any) -> Any:
            if isinstance(value, Input):
                return Input(inputs[value.index])
            return Result(steps[value.step], value.output) if isinstance(value, Result) else value

        return Program(
            tuple(self.inputs[old] for old in inputs), tuple(step.map(rename) for step in pruned.steps), self.gradient
        )


def _unfold(value: Any) -> Iterator[Any]:
    if isinstance(value, list):
        for item in value:
            yield from _unfold(item)
    else:
        yield value


def _map(value: Any, change: Callable[[Any], Any]) -> Any:
    return [_map(item, change) for item in value] if isinstance(value, list) else change(value)
