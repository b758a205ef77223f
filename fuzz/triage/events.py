"""What a campaign tells whoever watches it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from fuzz.triage.ledger import Finding
from oracle import Death


@dataclass(frozen=True)
class Preparing:
    """Nothing is judged yet; this is being done meanwhile."""

    what: str


@dataclass(frozen=True)
class Started:
    """The subject is loaded, and these names are going to be exercised, those that are `absent` not.

    `run` says all that makes the run, as run.json has it. A run that goes on begins at item `first`.
    """

    run: Mapping[str, Any]
    names: Sequence[str]
    absent: Sequence[str] = ()
    left_out: Sequence[str] = ()
    first: int = 0


@dataclass(frozen=True)
class Progress:
    """Where the campaign stands; several times a second."""

    elapsed: float
    seconds: float | None
    cases: int
    of_cases: int | None
    reached: int
    names: int
    findings: Mapping[str, int]
    pursued: int

    @property
    def rate(self) -> float:
        """Cases in a second."""
        return self.cases / self.elapsed if self.elapsed else 0.0


@dataclass(frozen=True)
class Found:
    """A new finding: reduced, if it could be, and not yet reproduced."""

    finding: Finding


@dataclass(frozen=True)
class Reproduced:
    """Its script has run, and `finding.reproduced` says whether it shows what it should."""

    finding: Finding
    source: str


@dataclass(frozen=True)
class Died:
    """A worker died; if that is not `confirmed`, the same item alone did no harm."""

    death: Death
    confirmed: bool


@dataclass(frozen=True)
class Troubled:
    """Something outside went wrong, and the run goes on: a process was killed, or the disk is full."""

    what: str


@dataclass(frozen=True)
class Saved:
    """How far the campaign is, as state.json has it: from there it could go on."""

    state: Mapping[str, Any]


@dataclass(frozen=True)
class Failed:
    """The harness itself made a mistake, for the first time this one."""

    trace: str


@dataclass(frozen=True)
class Stopped:
    """It is over; from `state` it could go on."""

    summary: Any
    state: Mapping[str, Any]
