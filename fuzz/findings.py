"""The ledger: one entry for each distinct disagreement, however often and in however many cases it was seen."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

from oracle import Case

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
    of the modes that were asked, `outputs` what they gave, as JSON: see `fuzz.outputs`. `message` is all that the
    subject's error says, where that is more than a line.
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
FINDING = {"id": str, "name": str, "kind": str, "modes": [str], "dtype": str, "detail": str, "case": str, "repro": str}
FINDING |= {"reproduced": (bool, type(None)), "reduced": bool, "known": bool, "count": int, "index": int}
FINDING |= {"sibling": int, "attribution": str, "message": str}
"""What a line of findings.jsonl must have, for a run to go on with it."""


@dataclass
class Finding:
    """A distinct disagreement: the smallest case that shows it, and how it is told apart from others."""

    name: str
    kind: str
    modes: tuple[str, ...]
    dtype: str
    detail: str
    minimal: Case
    index: int = 0
    sibling: int = 0
    count: int = 1
    reduced: bool = True
    reproduced: bool | None = None
    known: bool = False
    repro: str = ""
    attribution: str = ""
    outputs: str = ""
    message: str = ""

    @property
    def key(self) -> tuple[str, ...]:
        """What makes it distinct: name, kind, modes, dtype class, and the parameter that a subject lacks."""
        return (self.name, self.kind, "+".join(self.modes), self.dtype, parameter_of(self.detail))

    @cached_property
    def id(self) -> str:
        """A name that the same finding has in every run."""
        return "f-" + hashlib.sha256("|".join(self.key).encode()).hexdigest()[:10]

    def data(self) -> dict[str, Any]:
        """The finding as a line of findings.jsonl, readable by itself."""
        return {
            "id": self.id,
            "name": self.name,
            "kind": self.kind,
            "modes": list(self.modes),
            "attribution": self.attribution,
            "outputs": json.loads(self.outputs) if self.outputs else None,
            "dtype": self.dtype,
            "detail": self.detail,
            "message": self.message,
            "minimal": str(self.minimal),
            "case": f"cases/{self.id}.json",
            "repro": self.repro,
            "reproduced": self.reproduced,
            "reduced": self.reduced,
            "known": self.known,
            "count": self.count,
            "index": self.index,
            "sibling": self.sibling,
        }

    @classmethod
    def from_data(cls, data: Mapping[str, Any], minimal: Case) -> Finding:
        """The finding of a line of the form FINDING, whose case was read."""
        own = (
            "name",
            "kind",
            "dtype",
            "detail",
            "index",
            "sibling",
            "count",
            "reduced",
            "reproduced",
            "known",
            "repro",
        )
        fields = {key: data[key] for key in (*own, "attribution", "message")}
        outputs = json.dumps(data["outputs"]) if data.get("outputs") else ""
        return cls(modes=tuple(data["modes"]), minimal=minimal, outputs=outputs, **fields)


class Ledger:
    """Findings by key. What is entered in the same order makes the same ledger."""

    def __init__(self, known: Iterable[str] = ()) -> None:
        self._findings: dict[tuple[str, ...], Finding] = {}
        self._known = frozenset(known)

    def __iter__(self) -> Iterator[Finding]:
        return iter(sorted(self._findings.values(), key=lambda finding: finding.key))

    def __len__(self) -> int:
        return len(self._findings)

    def enter(self, finding: Finding) -> tuple[Finding, bool]:
        """The entry for a finding, and whether it is new; one that was there counts once more."""
        entry = self._findings.get(finding.key)
        if entry is not None:
            entry.count += finding.count
            return entry, False
        finding.known = finding.id in self._known
        self._findings[finding.key] = finding
        return finding, True

    def restore(self, findings: Iterable[Finding]) -> None:
        """Take up again what was entered earlier."""
        for finding in findings:
            self.enter(finding)

    def by_kind(self) -> dict[str, int]:
        """How many findings there are of each kind."""
        counts: dict[str, int] = {}
        for finding in self:
            counts[finding.kind] = counts.get(finding.kind, 0) + 1
        return counts


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
