"""Departures: single differences of an outcome from NumPy's, with their path in the result."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

Path = tuple[Any, ...]
"""Where in an outcome: `(0, ...)` in its value, `(1, ...)` in the arrays it wrote to; then indices and keys."""


@dataclass(frozen=True, slots=True)
class Departure:
    """A difference from NumPy's outcome. `kind` is one of `KINDS`.

    Of values of an array, `wrong` marks the elements, and `expected` and `actual` are the arrays as they were compared:
    in one dtype, in the machine's byte order. Of a structure, `is_lost` says that nothing of NumPy's value can be
    found in the answer: None for an array is a wrong value as well. `is_choice` says that a result is right as a whole,
    in another order or with other vectors than NumPy's.
    """

    kind: str
    detail: str
    path: Path = ()
    wrong: np.ndarray | None = None
    expected: np.ndarray | None = None
    actual: np.ndarray | None = None
    is_lost: bool = False
    is_choice: bool = False

    @property
    def compared(self) -> tuple[Path, np.ndarray, np.ndarray, np.ndarray] | None:
        """Path, both arrays and the mask of wrong elements, where values were compared that have a tolerance:
        longdouble has none.
        """
        if self.wrong is None or self.expected is None or self.actual is None or self.expected.dtype.char in "gG":
            return None
        return self.path, self.expected, self.actual, self.wrong


@dataclass(frozen=True, slots=True)
class Check:
    """Result of a checker: departures, and why it could not decide about the rest."""

    departures: tuple[Departure, ...] = ()
    undecided: str = ""
