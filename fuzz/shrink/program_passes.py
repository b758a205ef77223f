"""Shrinking passes for programs of ops: fewer steps, smaller shapes, plainer arguments, simpler numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Protocol, TypeGuard

import numpy as np

from fuzz.shrink.order import to_numbers, weigh_value
from oracle.harness import Constant, Input, Program, Result, Step

Values = Sequence[tuple[np.ndarray, ...]]
Answer = Callable[[Program], Any]
SIMPLE = (0.0, 1.0, -1.0, 2.0, 0.5)


class ReducingProgram(Protocol):
    """Protocol: what a pass needs of a reduction. `answer` returns the results of all steps of a program but the last,
    in eager mode, or something else if there are none.
    """

    best: Program

    def attempt(self, candidate: Program) -> bool: ...

    def answer(self, case: Program) -> Any: ...


def measure_program(program: Program) -> tuple[float, ...]:
    """Return how complex a program is, as a tuple in lexicographic order."""
    constants = [value.array for step in program.steps for value in step.values() if isinstance(value, Constant)]
    arrays = [*program.inputs, *constants]
    return (
        len(program.steps) + program.gradient,
        sum(array.size for array in arrays),
        sum(array.ndim for array in arrays),
        sum(len(step.kwargs) for step in program.steps) + len(arrays),
        sum(weigh_value(number) for array in program.inputs for number in to_numbers(array)),
    )


def drop_steps(reduction: ReducingProgram) -> None:
    """Make the results of the first steps inputs, drop the last steps, and replace a step by its operand."""
    while len(reduction.best.steps) > 1 and any(map(reduction.attempt, _fewer_steps(reduction))):
        pass


def _fewer_steps(reduction: ReducingProgram) -> Iterator[Program]:
    program = reduction.best
    values = reduction.answer(program)
    if isinstance(values, list) and len(values) == len(program.steps) - 1:
        for first in range(len(program.steps) - 1, 0, -1):
            yield cut(program, first, values)
    for end in range(1, len(program.steps)):
        yield replace(program, steps=program.steps[:end]).without_unused()
    for index in range(len(program.steps) - 1):
        operand = next(iter(program.steps[index].values()), None)
        if isinstance(operand, Input | Result):
            yield _bypassed(program, index, operand)


def cut(program: Program, first: int, values: Values) -> Program:
    """Return the program from step `first` on; the results of earlier steps become inputs."""
    inputs = list(program.inputs)
    indices: dict[tuple[int, int], int] = {}

    def fed(value: object) -> object:
        if not isinstance(value, Result):
            return value
        if value.step >= first:
            return Result(value.step - first, value.output)
        key = (value.step, value.output)
        if key not in indices:
            indices[key] = len(inputs)
            inputs.append(values[value.step][value.output])
        return Input(indices[key])

    steps = tuple(step.map(fed) for step in program.steps[first:])
    return Program(tuple(inputs), steps, program.gradient).without_unused()


def _bypassed(program: Program, index: int, operand: Input | Result) -> Program:
    def changed(value: object) -> object:
        return operand if isinstance(value, Result) and value.step == index else value

    steps = tuple(step.map(changed) for step in program.steps)
    return Program(program.inputs, steps, program.gradient).without_unused()


def _attempt_each(propose: Callable[[Program], Iterator[Program]], reduction: ReducingProgram) -> None:
    """Attempt candidates until none is accepted, from the first on after each that is."""
    while any(map(reduction.attempt, propose(reduction.best))):
        pass


def _fewer_elements(program: Program) -> Iterator[Program]:
    """Yield programs in which all inputs with the same first dimension are shorter, or lose that axis."""
    lengths = sorted({array.shape[0] for array in program.inputs if array.ndim}, reverse=True)
    for length in lengths:
        if length < 2:
            continue
        for size in sorted({1, 2, length // 2, length - 1} - {length, 0}):
            for start in dict.fromkeys((0, length - size, *(range(1, length - size) if length <= 9 else ()))):
                yield _sliced(program, length, slice(start, start + size))
    if any(array.ndim > 1 and array.shape[0] == 1 for array in program.inputs):
        yield program.with_inputs(
            [array[0] if array.ndim > 1 and array.shape[0] == 1 else array for array in program.inputs]
        )


def _sliced(program: Program, length: int, part: slice) -> Program:
    def changed(value: object) -> object:
        if isinstance(value, Constant) and value.array.ndim and value.array.shape[0] == length:
            return Constant(value.array[part])
        return value

    inputs = tuple(a[part] if a.ndim and a.shape[0] == length else a for a in program.inputs)
    return Program(inputs, tuple(step.map(changed) for step in program.steps), program.gradient)


def _plainer_arguments(program: Program) -> Iterator[Program]:
    """Yield programs with a keyword argument removed, or a constant as a scalar."""
    for index, step in enumerate(program.steps):
        for name in step.kwargs:
            kwargs = {key: value for key, value in step.kwargs.items() if key != name}
            yield _with_step(program, index, Step(step.op, step.args, kwargs))

        def scalar(value: object) -> object:
            return Constant(np.ravel(value.array)[0:1].reshape(())) if _is_uniform(value) else value

        if any(_is_uniform(value) for value in step.values()):
            yield _with_step(program, index, step.map(scalar))


def _is_uniform(value: object) -> TypeGuard[Constant]:
    if not isinstance(value, Constant) or value.array.ndim != 1 or not value.array.size:
        return False
    return value.array.dtype.kind not in "iu" and len({x.tobytes() for x in value.array}) == 1


def _with_step(program: Program, index: int, step: Step) -> Program:
    steps = (*program.steps[:index], step, *program.steps[index + 1 :])
    return Program(program.inputs, steps, program.gradient).without_unused()


def _simpler_numbers(program: Program) -> Iterator[Program]:
    """Yield programs with simpler elements: all at once first, then one by one."""
    for position, array in enumerate(program.inputs):
        if array.dtype == bool or not array.size:
            continue
        for number in SIMPLE[:2]:
            simple = np.full_like(array, number)
            if simple.tobytes() != array.tobytes():
                yield _with_input(program, position, simple)
        if array.size > 8:
            continue
        for index in np.ndindex(array.shape):
            if _is_simple(array[index]):
                continue
            for number in SIMPLE:
                changed = array.copy()
                changed[index] = number
                if changed.tobytes() != array.tobytes():
                    yield _with_input(program, position, changed)


def _is_simple(value: Any) -> bool:
    return any(value == number for number in SIMPLE)


def _with_input(program: Program, index: int, array: np.ndarray) -> Program:
    return program.with_inputs([*program.inputs[:index], array, *program.inputs[index + 1 :]])


STEPS = (
    drop_steps,
    partial(_attempt_each, _fewer_elements),
    partial(_attempt_each, _plainer_arguments),
    partial(_attempt_each, _simpler_numbers),
)
