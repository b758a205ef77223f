"""Harness faults: exceptions that the judge's own code raised. They say nothing about the subject."""

from __future__ import annotations

import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from oracle.case.model import Case
from oracle.modes import Mode
from oracle.reference.outcome import Raised

ROOT = Path(__file__).parents[1]
UNDECIDED = "the comparison raised an exception"


@dataclass(frozen=True, slots=True)
class HarnessFault:
    """An exception of the judge's own code.

    `part` is the id of an allowance, or what else the judge was doing. `location` is where in the judge it was raised:
    `oracle/equality/jumps.py:112 in _edges_of`.
    """

    part: str
    error: Raised
    location: str
    case: Case
    mode: Mode

    @classmethod
    def of(cls, error: BaseException, part: str, case: Case, mode: Mode) -> HarnessFault:
        """Return an exception as a fault."""
        return cls(part, Raised.of(error), find_location(error), case, mode)

    def __str__(self) -> str:
        return f"{self.part} raised {self.error} at {self.location} in {self.mode}: {self.case}"


@contextmanager
def record_faults(faults: list[HarnessFault], part: str, case: Case, mode: Mode) -> Iterator[None]:
    """Record an exception of the block in `faults`, and go on after the block."""
    try:
        yield
    except Exception as error:  # noqa: BLE001 - whatever a predicate raises
        faults.append(HarnessFault.of(error, part, case, mode))


def find_location(error: BaseException) -> str:
    """Return the innermost line of this package in a traceback; that of NumPy would be the same for many faults."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename != __file__]
    inner = [frame for frame in frames if Path(frame.filename).is_relative_to(ROOT / "oracle")]
    for frame in (inner or frames)[-1:]:
        path = Path(frame.filename)
        shown = path.relative_to(ROOT) if path.is_relative_to(ROOT) else path.name
        return f"{shown}:{frame.lineno} in {frame.name}"
    return ""
