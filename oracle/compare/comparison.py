"""Comparisons: the differences of an outcome, and what was allowed or undecided."""

from __future__ import annotations

from dataclasses import dataclass, field

from oracle.case.model import Case
from oracle.execution.modes import Mode
from oracle.harness_faults import HarnessFault
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


NO_ANSWER = "NumPy has no answer"


@dataclass(frozen=True, slots=True)
class Difference:
    """A departure in a mode: its kind, and the details to show. `step` is the call of a program that shows it, on the
    subject's own operands.
    """

    kind: str
    mode: Mode
    detail: str
    step: Case | None = field(default=None, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "detail", make_printable(self.detail))

    def __str__(self) -> str:
        return f"{self.kind} in {self.mode}: {self.detail}"


@dataclass(slots=True)
class Comparison:
    """The differences of one outcome, and what was allowed or undecided.

    `allowed` holds ids of allowances, each with the kind of the accepted departure. `undecided` says why the outcome
    could not be judged completely; it is empty if it could. `harness_faults` are exceptions of the judge's own code.
    """

    differences: list[Difference] = field(default_factory=list)
    allowed: list[tuple[str, str]] = field(default_factory=list)
    undecided: str = ""
    harness_faults: list[HarnessFault] = field(default_factory=list)

    @property
    def difference(self) -> Difference | None:
        """The first difference, or None."""
        return self.differences[0] if self.differences else None
