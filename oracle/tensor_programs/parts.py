"""Program slicing: a single step on given operands, all steps independently, a prefix."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from oracle.tensor_programs.model import Program
from oracle.tensor_programs.steps import Constant, Input, Result, Step

Values = list[tuple[np.ndarray, ...]]
"""The results of every step."""


def shift_steps(program: Program, inputs: int, steps: int) -> list[Step]:
    """Return the steps with indices shifted by a number of inputs and steps that precede them."""

    def shift(value: Any) -> Any:
        if isinstance(value, Input):
            return Input(value.index + inputs)
        return Result(value.step + steps, value.output) if isinstance(value, Result) else value

    return [step.map(shift) for step in program.steps]


def fill_operands(step: Step, inputs: Sequence[np.ndarray], results: Values) -> Step:
    """Return the step with arrays in place of inputs, constants and results."""

    def value_of(value: Any) -> Any:
        if isinstance(value, Input):
            return inputs[value.index]
        if isinstance(value, Result):
            return results[value.step][value.output]
        return value.array if isinstance(value, Constant) else value

    return step.map(value_of)


def isolate(program: Program, index: int, inputs: Sequence[np.ndarray], results: Values) -> Program:
    """Return a program of one step, on its eager operands."""
    inputs_of_step: list[np.ndarray] = []

    def feed(value: Any) -> Any:
        if not isinstance(value, Input | Result):
            return value
        inputs_of_step.append(inputs[value.index] if isinstance(value, Input) else results[value.step][value.output])
        return Input(len(inputs_of_step) - 1)

    step = program.steps[index].map(feed)
    return Program(tuple(inputs_of_step), (step,))


def force(program: Program, inputs: Sequence[np.ndarray], results: Values) -> Program:
    """Return the program with eager's values as the operands of each step, so that errors do not propagate."""
    arrays = [*inputs, *(array for group in results for array in group)]
    starts = [len(inputs)]
    for group in results:
        starts.append(starts[-1] + len(group))

    def feed(value: Any) -> Any:
        return Input(starts[value.step] + value.output) if isinstance(value, Result) else value

    return Program(tuple(arrays), tuple(step.map(feed) for step in program.steps))


def take_prefix(program: Program, index: int) -> Program:
    """Return the program up to and including a step."""
    return replace(program, steps=program.steps[: index + 1]).without_unused()
