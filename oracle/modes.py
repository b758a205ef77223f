"""The modes of execution: a row for each, with all that is known of it; `oracle.execution.modes` has what runs it.

A new mode is a row here, an executor there, a line in `docs/harness/modes.md`, and a test.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

FIRST_DEVICE = "CPU:0"

NARROW = "unknown dimensions under XLA"
XLA, SHAPES, CONTEXT, FORWARD = "XLA", "unknown shapes", "layers, replicas and loops", "forward mode"
OTHERS, EAGER, GRAPH, TRACING, DERIVED = "inputs that are no tensors", "eager", "graph", "tracing", "gradients"

MODE_GROUPS = (
    *(NARROW, XLA, "unknown rank", "unknown dimensions", SHAPES, "the vectorized map", "Keras layers", "replicas"),
    *("loops", CONTEXT, "NumPy arrays as inputs", "lists as inputs", "variables as inputs", "eager calls that recur"),
    *(OTHERS, "saved models", FORWARD, EAGER, GRAPH, TRACING, DERIVED),
)
"""What modes have in common, the narrower first."""


@dataclass(frozen=True, slots=True)
class ModeRow:
    """A mode of execution.

    `words` say in a heading what it does. It belongs to some of MODE_GROUPS. `kernels` is the simplest mode that runs
    the same ones. Modes that show a difference are ranked by `cost`: a reduction uses the cheapest,
    and tries so many candidates as the `budget` says. `period` is how many times as much an item costs as in eager
    mode. One that is `late` shows little that eager mode, graphs and XLA do not: it is left out in short runs, and
    where modes take turns by their cost it begins with this turn of all names. One that is not late, and not among
    the modes of every run, runs only where it is asked for. `tracing` is how many times longer than
    in other traced modes a first call may take, because TensorFlow traces a function for each op, or several.
    """

    name: str
    words: str
    groups: tuple[str, ...]
    kernels: str
    cost: int
    period: int
    budget: int = 60
    late: int = 0
    tracing: float = 1.0


MODES = {
    row.name: row
    for row in (
        ModeRow("eager", "eager", (EAGER,), "eager", 0, 1, 400),
        ModeRow("graph", "graph", (GRAPH, TRACING), "graph", 6, 5, 150),
        ModeRow("xla", "XLA", (XLA, TRACING), "xla", 21, 18),
        ModeRow(
            "graph_dims",
            "graph, unknown dimensions",
            ("unknown dimensions", SHAPES, GRAPH, TRACING),
            *("graph", 7, 5, 150, 4),
        ),
        ModeRow("graph_rank", "graph, unknown rank", ("unknown rank", SHAPES, GRAPH, TRACING), "graph", 8, 5, 150, 4),
        ModeRow(
            "xla_dims",
            "XLA, unknown dimensions",
            (NARROW, XLA, "unknown dimensions", SHAPES, TRACING),
            *("xla", 22, 18, 60, 4),
        ),
        ModeRow("vmap", "vectorized_map", ("the vectorized map", GRAPH, TRACING), "graph", 11, 16, 100, 4),
        ModeRow("variables", "eager, variables", ("variables as inputs", OTHERS, EAGER), "eager", 4, 5, 300, 4),
        ModeRow("in_memory", "eager, NumPy calculates", (EAGER,), "in_memory", 1, 2, 400),
        ModeRow("repeated", "eager, called again and again", ("eager calls that recur", EAGER), "eager", 5, 12, 60, 4),
        ModeRow("saved", "saved and loaded", ("saved models", GRAPH, TRACING), "graph", 18, 60, 50, 16, 4.0),
        ModeRow("keras", "Keras layer", ("Keras layers", CONTEXT, GRAPH, TRACING), "graph", 14, 16, 60, 4),
        ModeRow(
            "strategy", "MirroredStrategy, two CPUs", ("replicas", CONTEXT, GRAPH, TRACING), "graph", 15, 16, 60, 4
        ),
        ModeRow("while", "while loop", ("loops", CONTEXT, GRAPH, TRACING), "graph", 9, 12, 100, 4),
        ModeRow("gradient", "tape", (EAGER, DERIVED), "gradient", 10, 15, 150, 4),
        ModeRow("gradient_graph", "tape in a graph", (GRAPH, TRACING, DERIVED), "gradient_graph", 16, 30, 100, 4),
        ModeRow(
            "gradient_while",
            "tape in a loop",
            ("loops", GRAPH, TRACING, DERIVED),
            *("gradient_while", 17, 100, 60, 4, 2.0),
        ),
        ModeRow("gradient_xla", "tape under XLA", (XLA, TRACING, DERIVED), "gradient_xla", 23, 80, 50, 4),
        ModeRow("jvp", "forward mode", (FORWARD, EAGER, DERIVED), "jvp", 12, 24, 100, 4, 4.0),
        ModeRow("hvp", "forward mode over a tape", (FORWARD, EAGER, DERIVED), "hvp", 13, 50, 100, 4, 8.0),
        ModeRow("arrays", "eager, NumPy arrays", ("NumPy arrays as inputs", OTHERS, EAGER), "eager", 2, 3, 400),
        ModeRow("lists", "eager, lists", ("lists as inputs", OTHERS, EAGER), "eager", 3, 3, 400),
        ModeRow("jit", "jit", (TRACING,), "xla", 19, 8),
        ModeRow("compile", "compile", (TRACING,), "xla", 20, 40),
    )
}
"""The modes by name, in the order in which a run has them. An adapter may call the mode of its compiler otherwise."""


def select_modes(*groups: str, without: str = "") -> frozenset[str]:
    """Return the modes that belong to one of these groups, and not to another one."""
    return frozenset(name for name, row in MODES.items() if {*groups} & {*row.groups} and without not in row.groups)


COMPILERS = ("jit", "compile")
"""The usual names of the modes of libraries that have compilers of their own; an adapter may call them otherwise."""

OF_ADAPTERS = (*COMPILERS, "in_memory")
"""The modes that a subject has only if its adapter says so."""

CONTEXTS = tuple(name for name, row in MODES.items() if CONTEXT in row.groups)
"""The modes in which a call is part of a program that TensorFlow runs: a layer, replicas, a loop."""

UNDER_XLA = select_modes(XLA, without=DERIVED)
"""The modes in which XLA compiles a call."""

TRACED = select_modes(TRACING, without=DERIVED)
"""The modes in which the subject sees no values, only symbols for them."""

SUBSTITUTES = select_modes(OTHERS)
"""The modes that are eager, but pass no tensors."""

GRADIENTS = select_modes(DERIVED)
"""The modes that ask for a call's derivative, not for its result."""

SHAPELESS = select_modes(SHAPES)
"""The modes in which the subject does not even see shapes."""

SHAPELESS_UNDER_XLA = select_modes(NARROW)
"""The modes in which XLA compiles a call of unknown dimensions."""


OF_OPS = ("eager", "graph", "xla")
"""The modes in which programs of TensorFlow's ops are run."""

ADAPTED_PERIODS = {"parallel": 32, "fastmath": 32}
"""The periods of modes of adapters' own that cost more than `jit`: of Numba's, most of what differs shows in njit."""


def find_mode(name: str) -> ModeRow:
    """Return the row of a mode; one of an adapter's own compiles, as XLA does."""
    return MODES.get(name) or ModeRow(
        name, name, (TRACING,), "xla", len(MODES), ADAPTED_PERIODS.get(name, MODES["jit"].period)
    )


MODE_NAME = re.compile(r"[a-z][a-z0-9_]{0,30}", re.ASCII)
"""What a mode may be called. One without a row is the compiled mode of some adapter."""


@dataclass(frozen=True, slots=True)
class Mode:
    """An execution mode on a device: `str(Mode("graph")) == "graph@CPU:0"`."""

    name: str
    device: str = FIRST_DEVICE

    def __post_init__(self) -> None:
        if not MODE_NAME.fullmatch(self.name):
            raise ValueError(f"no mode {self.name!r}; there are {', '.join(MODES)}")

    def __str__(self) -> str:
        return f"{self.name}@{self.device}"

    @classmethod
    def parse(cls, text: str) -> Mode:
        """Return the mode that `str` wrote; the device may be left out."""
        name, _, device = text.partition("@")
        return cls(name, device or FIRST_DEVICE)

    @property
    def is_traced(self) -> bool:
        """Return whether the subject gets symbols for values."""
        return self.name in TRACED or self.name not in MODES

    @property
    def is_compiled(self) -> bool:
        """Return whether XLA compiles the call, for static shapes or for unknown ones."""
        return self.name in UNDER_XLA

    @property
    def kin(self) -> str:
        """The name of the simplest mode that runs the same kernels."""
        return find_mode(self.name).kernels
