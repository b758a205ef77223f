"""Kinds of programs, with their length, and the modes in which each is worth running."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from fuzz.tensorflow_subject.vocabulary import OpRow, read_table

ARITHMETIC = frozenset(
    f"math.{name}"
    for name in (
        *("add", "subtract", "multiply", "divide", "pow", "square", "sqrt", "negative", "logical_not", "reduce_max"),
        *("reduce_min", "squared_difference", "maximum", "minimum", "floor", "less", "greater", "abs", "reciprocal"),
        *("reduce_sum", "exp", "log", "conj", "less_equal", "greater_equal", "equal", "tanh", "rsqrt", "argmax"),
    )
) | {"cast", "transpose", "reshape"}
"""What compilers rewrite most."""

SIZED_BY_DATA = frozenset({"boolean_mask", "where", "unique", "sequence_mask", "dynamic_partition"})
"""Ops whose result's size depends on data."""

TOPICS: dict[str, Callable[[str], bool]] = {
    "arithmetic": lambda op: op in ARITHMETIC,
    "bitwise": lambda op: op.startswith(("bitwise.", "math.logical_")),
    "reductions": lambda op: op.startswith(("math.reduce_", "math.arg", "math.cum", "math.count", "norm")),
    "shapes": lambda op: "." not in op and op not in ("cast", "sort", "argsort", "where", "saturate_cast"),
    "sorting": lambda op: op in ("sort", "argsort", "searchsorted", "math.top_k", "unique", "where", "clip_by_value"),
    "segments": lambda op: "segment" in op or "scatter" in op,
    "casts": lambda op: op in ("cast", "bitcast", "saturate_cast"),
    "linalg": lambda op: op.startswith("linalg."),
    "layers": lambda op: op.startswith(("nn.", "signal.")),
    "functions": lambda op: op.startswith("math.") and op not in ARITHMETIC,
}
"""What a later step may be of, each as often as any other."""


@dataclass(frozen=True)
class ProgramKind:
    """A kind of programs: the ops that may come first, the number of steps, the modes, and the number of siblings."""

    name: str
    begins: Callable[[str], bool]
    lengths: Sequence[int]
    ways: Sequence[str]
    siblings: int = 10
    topics: Sequence[str] = tuple(TOPICS)


EVERY_WAY = ("eager", "graph", "xla")
TURN = ProgramKind("turn", lambda op: True, (1, 1, 1, 1, 2, 2, 2, 3, 4), EVERY_WAY)
REWRITTEN = ProgramKind(
    "rewritten", lambda op: op in ARITHMETIC, (1, 2, 2, 2, 3, 3, 4), ("eager", "graph"), topics=("arithmetic",)
)
COMPILED = ProgramKind(
    "compiled",
    lambda op: op in ARITHMETIC,
    (2, 2, 3),
    EVERY_WAY,
    topics=("arithmetic", "bitwise", "reductions", "casts"),
)
DATA_SIZED = ProgramKind("data-sized", lambda op: op in SIZED_BY_DATA, (2, 2, 2, 3), EVERY_WAY)
CALLS = ProgramKind("calls", lambda op: True, (1,), ("eager",), siblings=24)

PROGRAM_KINDS = (TURN, CALLS, REWRITTEN, TURN, DATA_SIZED, REWRITTEN, TURN, CALLS, REWRITTEN, COMPILED)
"""In turn, item by item: those that cost little come as often as those that need a compiler."""


def find_program_kind(index: int) -> tuple[ProgramKind, int]:
    """Return the kind of the program of an item, and its number among those of the kind."""
    program_kind = PROGRAM_KINDS[index % len(PROGRAM_KINDS)]
    before = sum(one is program_kind for one in PROGRAM_KINDS[: index % len(PROGRAM_KINDS)])
    return program_kind, index // len(PROGRAM_KINDS) * sum(one is program_kind for one in PROGRAM_KINDS) + before


@lru_cache(maxsize=8)
def select_rows(program_kind: ProgramKind, selected: tuple[str, ...]) -> tuple[OpRow, ...]:
    """Return the rows that may come first in programs of a kind; any selected row if none of those is selected."""
    chosen = frozenset(selected)
    rows = [row for row in read_table() if not chosen or row.op in chosen]
    return tuple(row for row in rows if program_kind.begins(row.op)) or tuple(rows)


@lru_cache(maxsize=64)
def shuffle_rows(seed: int, turn: int, count: int) -> tuple[int, ...]:
    """Return the order in which rows have their turn: each once before any comes again, shuffled each time."""
    return tuple(int(index) for index in np.random.default_rng((seed, turn)).permutation(count))


def find_turn(seed: int, index: int, selected: tuple[str, ...]) -> OpRow:
    """Return the row whose turn it is in a program: that of its first step."""
    program_kind, number = find_program_kind(index)
    rows = select_rows(program_kind, selected)
    return rows[shuffle_rows(seed, number // len(rows), len(rows))[number % len(rows)]]
