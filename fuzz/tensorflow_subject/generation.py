"""Drawing programs step by step. Each step runs eagerly when it is drawn, so that the next one fits its result."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Protocol

import numpy as np

from fuzz.generate.choices import Choices, SeedChoices
from fuzz.tensorflow_subject.arguments import MOST_ELEMENTS, Arguments, Drawing, Value
from fuzz.tensorflow_subject.program_kinds import TOPICS, ProgramKind, find_program_kind, find_turn, select_rows
from fuzz.tensorflow_subject.values import BFLOAT16, DTYPES, GROUPS, draw_array
from fuzz.tensorflow_subject.vocabulary import OpRow, list_consumers
from oracle.harness import Program, Result, Step

TRIES = 6  # steps that eager mode may reject before the program is complete


class StepRunner(Protocol):
    """Protocol: runs steps as they are drawn; a session of the oracle."""

    def feed(self, array: np.ndarray) -> None: ...

    def run(self, step: Step) -> tuple[np.ndarray, ...] | object: ...


class Halted(Exception):
    """Raised with the program up to the step at which drawing was to stop; that step was not run."""

    def __init__(self, program: Program) -> None:
        super().__init__()
        self.program = program


@dataclass(frozen=True)
class Drawn:
    """A program, and the inputs of its siblings, the program's own first."""

    program: Program
    siblings: tuple[tuple[np.ndarray, ...], ...]
    program_kind: ProgramKind


def draw_program(
    seed: int,
    index: int,
    make: Callable[[], StepRunner],
    announce: Callable[[str], None] = lambda text: None,
    halt: int = -1,
    selected: tuple[str, ...] = (),
    resting: frozenset[str] = frozenset(),
) -> Drawn | None:
    """Draw the program of an index; None if eager mode rejected every first step.

    `announce` is called with the number of each step before it runs. At step number `halt` Halted is raised, with the
    program up to it. Ops in `resting` are left out.
    """
    program_kind, number = find_program_kind(index)
    rows, row = select_rows(program_kind, selected), find_turn(seed, index, selected)
    if row.op in resting:
        return None
    choices = SeedChoices(seed * 1_000_003 + index)
    drawing = Drawing(choices)
    runner = make()
    drawing.feed = runner.feed
    dtype = DTYPES[_dtype_of_turn(row, number // len(rows), choices)]
    steps = _draw_steps(drawing, row, dtype, program_kind, runner, announce, halt, frozenset(selected), resting)
    if not steps:
        return None
    program = Program(tuple(drawing.inputs), tuple(steps), gradient=_wants_gradient(drawing, choices))
    pruned = program.without_unused()
    used = [i for i, array in enumerate(drawing.inputs) if any(array is one for one in pruned.inputs)]
    value_classes = [drawing.redrawn[i] for i in used]
    siblings = (_draw_sibling(pruned.inputs, value_classes, choices) for _ in range(program_kind.siblings - 1))
    return Drawn(pruned, (pruned.inputs, *siblings), program_kind)


def _draw_steps(
    drawing: Drawing,
    row: OpRow,
    dtype: np.dtype,
    program_kind: ProgramKind,
    runner: StepRunner,
    announce: Callable[[str], None],
    halt: int,
    selected: frozenset[str],
    resting: frozenset[str],
) -> list[Step]:
    """Draw steps and run them until the program is long enough."""
    steps: list[Step] = []
    choices, number = drawing.choices, 0
    length = choices.pick(program_kind.lengths)
    previous: Value | None = None
    for _ in range(TRIES + length):
        step = Arguments(drawing, row, dtype, previous).step()
        announce(f"draw {number}")
        if number == halt:
            raise Halted(Program(tuple(drawing.inputs), (*steps, step)).without_unused())
        number += 1
        results = runner.run(step)
        if isinstance(results, tuple) and results:
            steps.append(step)
            drawing.values += [Value(Result(len(steps) - 1, i), array) for i, array in enumerate(results)]
            if len(steps) >= length:
                break
        elif not steps:
            dtype = DTYPES[choices.pick(GROUPS[choices.pick(row.dtypes)])]
            continue
        following = _choose_next(drawing, steps, program_kind, selected, resting)
        if following is None:
            break
        row, previous = following
    return steps


def _dtype_of_turn(row: OpRow, turn: int, choices: Choices) -> str:
    names = list(dict.fromkeys(name for letter in row.dtypes for name in GROUPS[letter]))
    return names[turn % len(names)] if choices.flag() else choices.pick(GROUPS[choices.pick(row.dtypes)])


def _choose_next(
    drawing: Drawing,
    steps: Sequence[Step],
    program_kind: ProgramKind,
    selected: frozenset[str],
    resting: frozenset[str],
) -> tuple[OpRow, Value] | None:
    """Return the row of the next step, and the result that it takes as its first argument."""
    choices = drawing.choices
    last = [value for value in drawing.values if isinstance(value.operand, Result)]
    latest = [value for value in last if value.operand.step == len(steps) - 1]
    value = choices.pick(latest if choices.flag(0.85) else last)
    letter = find_letter(value.array.dtype)
    if value.array.size > MOST_ELEMENTS or letter is None:
        return None
    for topic in choices.picks(program_kind.topics, 4):
        rows = [row for row in _select_topic(topic, letter) if _takes(row, value.array) and row.op not in resting]
        rows = [row for row in rows if row.op in selected] or rows if selected else rows
        if rows:
            return choices.pick(rows), value
    return None


@cache
def _select_topic(topic: str, letter: str) -> tuple[OpRow, ...]:
    """Return the rows of a topic that take tensors of the letter's dtypes."""
    rows = [row for row in list_consumers() if TOPICS[topic](row.op)]
    return tuple(row for row in rows if letter in row.dtypes or (letter == "d" and "f" in row.dtypes))


def _takes(row: OpRow, array: np.ndarray) -> bool:
    role = row.parameters[0][1]
    if role == "const":
        role = row.parameters[1][1]
    if role == "x:square":
        return array.ndim >= 2 and array.shape[-1] == array.shape[-2]
    if role == "x:1d":
        return array.ndim == 1
    if role == "x:1dmask":
        return array.ndim >= 1
    if role == "x:sorted":
        return array.ndim == 1
    return role in ("x", "x:any") or (array.ndim >= 1 and array.size > 0)


def find_letter(dtype: np.dtype) -> str | None:
    """Return the table's letter for a dtype, or None."""
    if dtype in (np.float32, np.float64):
        return "d"
    return "f" if dtype in (np.float16, BFLOAT16) else dtype.kind if dtype.kind in "ciub" else None


def _wants_gradient(drawing: Drawing, choices: Choices) -> bool:
    last = drawing.values[-1].array
    floats = any(array.dtype in (np.float32, np.float64) for array in drawing.inputs)
    return floats and last.dtype in (np.float32, np.float64) and choices.flag(0.15)


def _draw_sibling(
    inputs: Sequence[np.ndarray], value_classes: Sequence[str], choices: Choices
) -> tuple[np.ndarray, ...]:
    """Return the inputs with other elements."""
    return tuple(
        array if value_class == "fixed" else draw_array(choices, array.dtype, array.shape, value_class or None)
        for array, value_class in zip(inputs, value_classes, strict=True)
    )
