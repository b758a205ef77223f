"""The calls that coverage consists of: a fixed set for each name, which depends on NumPy, the seed and the depth."""

from __future__ import annotations

import hashlib
import warnings
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from fuzz.engine.drawing import draw
from fuzz.engine.scheduler import INVALID, MIXED, Item
from fuzz.generate.arrays import kind
from fuzz.generate.signatures import given
from oracle import Case, run_numpy
from oracle.harness import step

SIBLINGS = 3  # cases of a structure: to compile it takes longer than to run it
DRAWS = 128  # structures that are drawn to choose from: to draw one takes a thousandth of what it takes to compile it
REQUESTS = 24  # structures that are asked to give a parameter which too few of the others give
SCALAR_TYPES = frozenset(np.sctypeDict.values())
KINDS = {"b": "bool", "i": "int", "u": "uint", "f": "float", "c": "complex", "U": "text", "S": "bytes"}


@dataclass(frozen=True)
class Depth:
    """The number of times that each parameter and dtype is to be answered in the cheapest mode, and in each other;
    dtypes count one by one, or by their kinds.
    """

    cheapest: int
    others: int
    by_kind: bool


QUICK, FULL = Depth(4, 1, by_kind=True), Depth(12, 3, by_kind=False)
DEPTHS: Mapping[str, Depth] = {"quick": QUICK, "full": FULL}


@dataclass(frozen=True)
class Structure:
    """A structure of calls, drawn from a seed, which gives these parameters arguments of these dtypes.

    `required` parameters were asked for when it was drawn. An `invalid` one has a planted fault.
    """

    number: int
    seed: int
    parameters: frozenset[str] = frozenset()
    dtypes: frozenset[str] = frozenset()
    required: frozenset[str] = frozenset()
    invalid: bool = False

    def item(self, name: str, without: frozenset[str], runs: Iterable[tuple[str, int]] = ()) -> Item:
        """Return the item of a campaign that has this structure."""
        calls = INVALID if self.invalid else MIXED
        return Item(
            self.number, name, self.seed, SIBLINGS, tuple(runs), without=without, required=self.required, calls=calls
        )


@dataclass(frozen=True)
class DrawingTask:
    """A name whose structures are to be drawn; without these parameters, nor numbers at which NumPy hangs or
    crashes.
    """

    name: str
    seed: int
    depth: Depth
    parameters: frozenset[str]
    without: frozenset[str] = frozenset()
    excluded: frozenset[int] = frozenset()


def draw_structures(bench: object, task: DrawingTask) -> list[Structure]:
    """Return valid structures of a name, then invalid ones. Runs in a worker, and calls NumPy alone."""
    with warnings.catch_warnings(action="ignore"), np.errstate(all="ignore"):
        found = list(_draw_valid(task, range(DRAWS), frozenset()))
        missing = sorted(
            parameter
            for parameter in task.parameters
            if sum(parameter in one.parameters for one in found) < task.depth.cheapest
        )
        for turn, parameter in enumerate(missing, 1):
            numbers = range(DRAWS + turn * REQUESTS, DRAWS + (turn + 1) * REQUESTS)
            found += _draw_valid(task, numbers, frozenset({parameter}))
    first = DRAWS + (len(missing) + 1) * REQUESTS
    return found + [
        Structure(number, make_seed(task.seed, task.name, number), invalid=True)
        for number in range(first, first + task.depth.cheapest)
    ]


def _draw_valid(task: DrawingTask, numbers: range, required: frozenset[str]) -> Iterator[Structure]:
    for number in numbers:
        if number in task.excluded:
            continue
        step(f"drawing {number}")
        drawn = Structure(number, make_seed(task.seed, task.name, number), required=required)
        case = draw(drawn.item(task.name, task.without), 0)
        parameters = given(case)
        if required <= parameters and run_numpy(case).ok:
            yield Structure(number, drawn.seed, parameters, name_dtypes(case, task.depth), required)


def parse_drawing(text: str) -> int | None:
    """Return the number of the structure at which a worker died while drawing."""
    word, _, number = text.partition(" ")
    return int(number) if word == "drawing" and number.isdigit() else None


def make_seed(seed: int, name: str, number: int) -> int:
    """Return the seed of a structure: it depends on no other name, so that a selection of names has the same calls."""
    return int.from_bytes(hashlib.sha256(f"{seed}/{name}/{number}".encode()).digest()[:6])


def name_dtypes(case: Case, depth: Depth) -> frozenset[str]:
    """Return the dtypes, or their kinds, of the arrays in a call and of its arguments that are dtypes themselves."""
    found = {array.dtype for array in case.arrays()}
    found |= {np.dtype(value) for value in (*case.args, *case.kwargs.values()) if _is_dtype(value)}
    return frozenset(_name_dtype(dtype, depth) for dtype in found)


def _is_dtype(value: object) -> bool:
    """Return whether an argument is a dtype or a scalar type: np.float32, but not np.floating, which is abstract."""
    return isinstance(value, np.dtype) or (isinstance(value, type) and value in SCALAR_TYPES)


def _name_dtype(dtype: np.dtype, depth: Depth) -> str:
    if depth.by_kind or dtype.kind in "US":
        return KINDS.get(kind(dtype), str(dtype))
    return dtype.newbyteorder("=").name
