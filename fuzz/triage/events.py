"""The events that a campaign passes to its observers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from fuzz.triage.ledger import Finding
from fuzz.triage.records import Record
from oracle.harness import Death


@dataclass(frozen=True)
class Preparing:
    """Nothing is judged yet; `what` is being done first."""

    what: str


@dataclass(frozen=True)
class Started:
    """The subject is loaded. `names` will be exercised; `absent` names will not, as the subject lacks them.

    `run` is the content of run.json. A resumed run starts at item `first`.
    """

    run: Mapping[str, Any]
    names: Sequence[str]
    absent: Sequence[str] = ()
    left_out: Sequence[str] = ()
    first: int = 0


@dataclass(frozen=True)
class Triaged:
    """Known findings were judged again."""

    rejudged: Sequence[Record]


@dataclass(frozen=True)
class WorkerState:
    """A worker of a cluster. `state` is one of STATES; `why` says why it is not used.

    `joined` and `lost` are times in UTC, of ISO 8601; `lost` is empty for those that stayed. `answered` counts the
    leases that it answered, `redone` the tasks that others did because it was lost.
    """

    address: str
    name: str
    state: str
    joined: str
    lost: str = ""
    why: str = ""
    answered: int = 0
    redone: Mapping[str, int] = field(default_factory=dict)

    @property
    def label(self) -> str:
        """The name, with the address if that says more."""
        return self.name if self.name == self.address else f"{self.name} ({self.address})"

    def data(self) -> dict[str, Any]:
        """Return the worker as summary.json has it."""
        return {
            "address": self.address,
            "name": self.name,
            "state": self.state,
            "joined": self.joined,
            "lost": self.lost,
            "why": self.why,
            "answered": self.answered,
            "redone": dict(self.redone),
        }


WORKER: dict[str, Any] = {"address": str, "name": str, "state": str, "joined": str, "lost": str, "why": str}
WORKER |= {"answered": int, "redone": {str: int}}
"""The form of a worker in a run's files."""

STARTING, READY, UNUSABLE, LOST = STATES = ("starting", "ready", "unusable", "lost")


@dataclass(frozen=True)
class Progress:
    """State of the campaign; sent several times a second. `workers` are those of a cluster."""

    elapsed: float
    seconds: float | None
    cases: int
    of_cases: int | None
    reached: int
    names: int
    findings: Mapping[str, int]
    reducing: int
    workers: Sequence[WorkerState] = ()

    @property
    def rate(self) -> float:
        """Cases per second."""
        return self.cases / self.elapsed if self.elapsed else 0.0


@dataclass(frozen=True)
class Seen:
    """A finding in the making, which is reduced by a few candidates: a thorough reduction, and `Found`, follow."""

    finding: Finding


@dataclass(frozen=True)
class Found:
    """A new finding: reduced if possible, not yet reproduced by a script."""

    finding: Finding


@dataclass(frozen=True)
class Joined:
    """A finding was found again, by another minimal case, which it keeps."""

    finding: Finding


@dataclass(frozen=True)
class Reproduced:
    """A finding's script has run; `finding.reproduced` says whether it showed the difference."""

    finding: Finding
    source: str


@dataclass(frozen=True)
class Died:
    """A worker crashed or hung. `confirmed` says whether the item does so by itself, too."""

    death: Death
    confirmed: bool


@dataclass(frozen=True)
class Troubled:
    """Something outside the campaign went wrong, such as a killed process or a full disk; the run continues."""

    what: str


@dataclass(frozen=True)
class Saved:
    """A checkpoint: the content of state.json, from which the run can be resumed."""

    state: Mapping[str, Any]


@dataclass(frozen=True)
class Failed:
    """The harness itself failed, for the first time with this traceback."""

    trace: str


@dataclass(frozen=True)
class Stopped:
    """The run is over; it can be resumed from `state`."""

    summary: Any
    state: Mapping[str, Any]
