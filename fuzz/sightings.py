"""Sightings: a disagreement as one case shows it, before it is reduced and told apart from others."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from oracle import Case

_STEP = re.compile(r"(\S+) (\d+)$")
_PARAMETER = re.compile(r"unexpected keyword argument '(\w+)'")
_POSITIONS = re.compile(r"takes (?:from \d+ to )?(\d+) positional arguments? but \d+ (?:was|were) given")

# The order in which modes are asked for a reduction: the cheapest that fails does it.
COSTS = (
    *("eager", "arrays", "lists", "variables", "repeated", "graph", "graph_dims", "graph_rank"),
    *("while", "gradient", "vmap", "keras", "strategy", "gradient_graph", "jit", "compile", "xla", "gradient_xla"),
)

SIGNATURE = "signature"  # the kind of what signatures tell: a parameter that the subject's lacks
DEATHS = frozenset({"crash", "hang", "memory"})  # kinds that cost a worker, or ten seconds
UNSTABLE = "nondeterminism"


@dataclass(frozen=True)
class Sighting:
    """A disagreement in one case, as plain data: `case` is its JSON, (`index`, `sibling`) its place in the campaign.

    `times` counts the siblings of the item that show the same. One that is `fatal` killed its process; one that is
    `cold` hangs on the state of the process, and is looked at in fresh ones. `attribution` says who is alone with it,
    of the modes that were asked, `outputs` what they gave, as JSON: see `fuzz.triage.element_diff`. `message` is all
    that the subject's error says, where that is more than a line.
    """

    index: int
    sibling: int
    name: str
    kind: str
    modes: tuple[str, ...]
    dtype: str
    detail: str
    case: str
    times: int = 1
    fatal: bool = False
    attribution: str = ""
    outputs: str = ""
    cold: bool = False
    message: str = ""

    @property
    def lane(self) -> str:
        """How it is pursued: reduced in one worker, or a worker for each candidate."""
        return "fatal" if self.fatal else "cold" if self.cold else "quick"

    @property
    def prekey(self) -> tuple[str, ...]:
        """What sightings share that are probably one finding: the cheapest failing mode stands for all.

        What is dear to look at again, a death, is hardly ever about the dtype.
        """
        dtype = "" if self.kind in DEATHS else self.dtype
        return (self.name, self.kind, cheapest(self.modes), dtype, parameter_of(self.detail))

    def resembles(self, other: Sighting) -> bool:
        """Whether it is of the same kind, and about the same parameter."""
        return self.kind == other.kind and parameter_of(self.detail) == parameter_of(other.detail)

    def among(self, others: Sequence[Sighting]) -> Sighting | None:
        """Which of the others it is: one that resembles it, or else one of its kind.

        A case that is written down has its keyword arguments sorted, and a subject that lacks two of them may then
        complain of the other.
        """
        alike = [other for other in others if other.kind == self.kind]
        return next((other for other in alike if self.resembles(other)), alike[0] if alike else None)

    def data(self) -> dict[str, Any]:
        """The sighting as JSON has it."""
        return asdict(self)

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Sighting:
        """The sighting that `data` gave: of the form SIGHTING."""
        return cls(**{key: data[key] for key in SIGHTING} | {"modes": tuple(data["modes"])})


SIGHTING = {"index": int, "sibling": int, "name": str, "kind": str, "modes": [str], "dtype": str, "detail": str}
SIGHTING |= {"case": str, "times": int, "fatal": bool, "attribution": str, "cold": bool, "message": str, "outputs": str}


@dataclass(frozen=True)
class Reduced:
    """The smallest case found for a sighting, and how it fails in every mode; None if it does not fail alone.

    `unstable` is a sighting of its own: the case answers otherwise at first than ever after, in this process.
    """

    sighting: Sighting | None
    calls: int
    seconds: float
    unstable: Sighting | None = None


def parse_step(step: str) -> tuple[str, int] | None:
    """The mode and the sibling that a step was about; None where it was not in the subject's hands, but the drawing of
    a case, NumPy's answer, or a comparison.
    """
    found = _STEP.match(step)
    return (label(found[1]), int(found[2])) if found else None


def label(mode: str) -> str:
    """A mode's name, with its device unless that is the first CPU."""
    return mode.removesuffix("@CPU:0")


def cheapest(modes: Iterable[str]) -> str:
    """The mode that costs least to run."""
    return min(modes, key=cost_rank)


def cost_rank(mode: str) -> tuple[int, str]:
    """Modes sorted by what they cost; those on the first device first."""
    name, _, device = mode.partition("@")
    return (COSTS.index(name) if name in COSTS else len(COSTS), device)


def parameter_of(detail: str) -> str:
    """The parameter that an error says is unknown: each that a subject lacks is a finding of its own.

    Where it says that there are too many arguments, their number is what it lacks: "after 2".
    """
    if found := _PARAMETER.search(detail):
        return found[1]
    found = _POSITIONS.search(detail)
    return f"after {found[1]}" if found else ""


def without(case: Case, parameters: Collection[str]) -> Case:
    """The call without parameters that `parameter_of` found lacking."""
    most = min((int(name[6:]) for name in parameters if name.startswith("after ")), default=len(case.args))
    kwargs = {name: value for name, value in case.kwargs.items() if name not in parameters}
    return Case(case.name, case.args[:most], kwargs)
