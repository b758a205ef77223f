"""Deviations: ways in which an outcome in a mode is not as NumPy's, with the path in the result."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from oracle.case.model import Case
from oracle.modes import Mode
from oracle.reference.display import make_printable

KINDS = (
    "value",
    "dtype",
    "shape",
    "structure",
    "differs from eager",
    "missing error",
    "spurious error",
    "different error",
    "never answered",
    "crash",
    "hang",
    "memory",
    "inputs changed",
    "nondeterminism",
    "retrace",
    "static shape",
    "not vectorized",
    "gradient",
)

Path = tuple[Any, ...]
"""Where in an outcome: `(0, ...)` in its value, `(1, ...)` in the arrays it wrote to; then indices and keys."""


EAGER = Mode("eager")


@dataclass(frozen=True, slots=True)
class Deviation:
    """A way in which an outcome is not as NumPy's. `kind` is one of `KINDS`, `mode` the mode of one that is reported.
    `step` is the call of a program that shows it, on the subject's own operands.

    Of values of an array, `wrong` marks the elements, and `expected` and `actual` are the arrays as they were compared:
    in one dtype, in the machine's byte order. Of a structure, `is_lost` says that nothing of NumPy's value can be
    found in the answer: None for an array is a wrong value as well. `is_choice` says that a result is right as a whole,
    in another order or with other vectors than NumPy's.
    """

    kind: str
    detail: str
    path: Path = ()
    wrong: np.ndarray | None = field(default=None, compare=False)
    expected: np.ndarray | None = field(default=None, compare=False)
    actual: np.ndarray | None = field(default=None, compare=False)
    is_lost: bool = False
    is_choice: bool = False
    mode: Mode = EAGER
    step: Case | None = field(default=None, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "detail", make_printable(self.detail))

    def __str__(self) -> str:
        return f"{self.kind} in {self.mode}: {self.detail}"

    @property
    def compared(self) -> tuple[Path, np.ndarray, np.ndarray, np.ndarray] | None:
        """Path, both arrays and the mask of wrong elements, where values were compared that have a tolerance:
        longdouble has none.
        """
        if self.wrong is None or self.expected is None or self.actual is None or self.expected.dtype.char in "gG":
            return None
        return self.path, self.expected, self.actual, self.wrong


@dataclass(frozen=True, slots=True)
class CheckResult:
    """Result of a checker: deviations, and why it could not decide about the rest."""

    deviations: tuple[Deviation, ...] = ()
    undecided: str = ""
