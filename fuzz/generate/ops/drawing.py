"""Drawing programs call by call. Each call runs eagerly when it is drawn, so that the next one fits its result."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from typing import Any

import numpy as np

from fuzz.generate.choices import Choices, SeedChoices
from fuzz.generate.ops.arguments import MOST_ELEMENTS, Arguments, Drawing, Value
from fuzz.generate.ops.topics import ARITHMETIC, TOPICS
from fuzz.generate.ops.values import BFLOAT16, DTYPES, GROUPS, draw_array
from fuzz.generate.ops.vocabulary import OpRow, list_consumers, read_table
from oracle import Case, Mode, Outcome
from oracle.harness import GRADIENT, PREFIX, SEVERAL, SUBSCRIPT, flatten, load_tensorflow, run_case

TRIES = 6  # calls that eager mode may reject before the program is complete
LENGTHS = (1, 1, 1, 1, 2, 2, 2, 3, 4)
LENGTHS_OF_ARITHMETIC = (1, 2, 2, 2, 3, 3, 4)  # of which compilers rewrite what several calls do


def run_eagerly(case: Case) -> Outcome:
    """Return what eager mode gives for a case."""
    return run_case(Mode("eager"), case, load_tensorflow())


def draw_programs(
    name: str,
    seed: int,
    count: int,
    announce: Callable[[int], None] = lambda number: None,
    halt: int = -1,
    run: Callable[[Case], Outcome] = run_eagerly,
) -> Iterator[Case]:
    """Yield programs that begin with an op, which have the same calls on other values; if eager mode rejects each first
    call, the last that it has rejected.

    `announce` is called with the number of each call before it runs. Call number `halt` is not run: the only program
    ends with it.
    """
    choices = SeedChoices(seed)
    rows = [row for row in read_table() if PREFIX + row.op == name]
    drawing, row = Drawing(choices), choices.pick(rows)
    case, is_complete = _draw_calls(drawing, row, announce, halt, run)
    if is_complete and _wants_gradient(drawing, choices):
        case = Case(GRADIENT, (case,))
    yield case
    classes = dict(zip(map(id, drawing.inputs), drawing.redrawn, strict=True))
    for _ in range(count - 1 if halt < 0 else 0):
        yield case.map_arrays(partial(_redraw, choices, classes))


def _draw_calls(
    drawing: Drawing, row: OpRow, announce: Callable[[int], None], halt: int, run: Callable[[Case], Outcome]
) -> tuple[Case, bool]:
    """Draw calls and run them until the program is long enough. Return it, and whether it was answered."""
    choices = drawing.choices
    is_arithmetic = row.op in ARITHMETIC and choices.flag()
    length = choices.pick(LENGTHS_OF_ARITHMETIC if is_arithmetic else LENGTHS)
    dtype, previous = _draw_dtype(row, choices), None
    program: Case | None = None
    call, latest = Case(PREFIX + row.op), list[Value]()
    for number in range(TRIES + length):
        call = Arguments(drawing, row, dtype, previous).call()
        announce(number)
        if number == halt:
            return call, False
        outcome = run(_pose(call, drawing.values))
        arrays = flatten(outcome.value) if outcome.ok else []
        if arrays:
            program = call
            latest = [
                Value(Case(PREFIX + SUBSCRIPT, (call, i)) if row.op in SEVERAL else call, array)
                for i, array in enumerate(arrays)
            ]
            drawing.values += latest
            length -= 1
            if not length:
                break
        elif program is None:
            dtype = _draw_dtype(row, choices)
            continue
        following = _choose_next(choices, latest, ("arithmetic",) if is_arithmetic else tuple(TOPICS))
        if following is None:
            break
        row, previous = following
    return (program, True) if program is not None else (call, False)


def _draw_dtype(row: OpRow, choices: Choices) -> np.dtype:
    return DTYPES[choices.pick(GROUPS[choices.pick(row.dtypes)])]


def _pose(call: Case, values: Sequence[Value]) -> Case:
    """Return the call with eager mode's values in place of the calls that make its operands."""
    arrays = {id(value.operand): value.array for value in values}

    def replace(value: Any) -> Any:
        return [*map(replace, value)] if isinstance(value, list) else arrays.get(id(value), value)

    return Case(call.name, tuple(map(replace, call.args)), {key: replace(one) for key, one in call.kwargs.items()})


def _choose_next(choices: Choices, latest: Sequence[Value], topics: Sequence[str]) -> tuple[OpRow, Value] | None:
    """Return the row of the next call, and the result that it takes as its first argument."""
    value = choices.pick(latest)
    letter = find_letter(value.array.dtype)
    if value.array.size > MOST_ELEMENTS or letter is None:
        return None
    for topic in choices.picks(topics, 4):
        rows = [row for row in _select_topic(topic, letter) if _takes(row, value.array)]
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


def _redraw(choices: Choices, classes: dict[int, str], array: np.ndarray) -> np.ndarray:
    """Return an array of the same value class with other elements; indices and constants as they are."""
    value_class = classes.get(id(array), "fixed")
    if value_class == "fixed":
        return array
    return np.array(draw_array(choices, array.dtype, array.shape, value_class or None), order="C")
