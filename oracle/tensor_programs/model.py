"""A program of a few ops as plain data: inputs, and steps on inputs, constants and earlier results."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from oracle.tensor_programs import encoding, source
from oracle.tensor_programs.steps import Input, Result, Step


@dataclass(frozen=True, eq=False)
class Program:
    """Inputs and steps; the last step's result is the program's.

    With `gradient`, the result is the gradient of the sum of the last step's first tensor with respect to the floating
    inputs.
    """

    inputs: tuple[np.ndarray, ...]
    steps: tuple[Step, ...]
    gradient: bool = False

    def __str__(self) -> str:
        return source.statement(self)

    def json(self) -> str:
        """Return the text of the program: one line, which has every bit of its inputs but the payloads of nan."""
        return encoding.encode(self.inputs, self.steps, gradient=self.gradient)

    @classmethod
    def from_json(cls, text: str) -> Program:
        """Return the program that `json` wrote. Raises Undecodable, a ValueError, for anything else."""
        inputs, steps, gradient = encoding.decode(text)
        return cls(inputs, steps, gradient)

    @property
    def id(self) -> str:
        """A short identifier that equal programs share, in every process and on every machine."""
        return "p-" + hashlib.sha256(self.json().encode()).hexdigest()[:12]

    @property
    def name(self) -> str:
        """The name of the last op."""
        return self.steps[-1].op

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
