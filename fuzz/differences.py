"""Differences, as single cases show them, before they are reduced and deduplicated."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from fuzz.generate.array_likes import ONLY_ARRAYS, make_arrays
from fuzz.generate.signatures import POSITIONAL, parameters_of
from oracle import Case
from oracle.harness import PREFIX, PROGRAM, find_mode, make_line, make_printable

_COMPARISON = re.compile(r"comparison in (\S+) of \d+$")
_STEP = re.compile(r"(\S+) (\d+)$")
_PARAMETER = re.compile(
    r"(?:unexpected keyword argument |TypeError: (?=.* is an invalid keyword argument for ))'(\w+)'"
)
_POSITIONS = re.compile(
    r"takes (?:from \d+ to )?(\d+) positional arguments? but \d+ "
    r"(?:positional arguments? \(and \d+ keyword-only arguments?\) )?(?:was|were) given"
    r"|takes (?:at most (\d+)|exactly (one)) (?:positional )?arguments? \((?!0 )\d+ given\)"
    r"|expected at most (\d+) arguments?, got \d+"
)
"""How Python says that there are too many arguments, and how functions written in C do."""

CHEAPEST_MODE = "eager"
SIGNATURE = "signature"  # the kind of a parameter that a signature lacks
DEATHS = frozenset({"crash", "hang", "memory"})  # kinds that cost a worker, or ten seconds
UNSTABLE = "nondeterminism"


def name_in_subject(subject: str, name: str) -> str:
    """Return what is told of a name of a subject: `tfnp.sum`, or that it is a program."""
    if name.startswith(PREFIX):
        return name
    return f"a program of {subject}" if name == PROGRAM else f"{subject}.{name}"


@dataclass(frozen=True)
class Difference:
    """A difference in one case, as plain data. `case` is its JSON, (`index`, `sibling`) its position in the campaign.

    `times` counts the siblings of the item with the same difference. A `fatal` one ended its process; a `cold` one
    depends on the state of the process, and is judged in fresh ones. `attribution` says what the failing modes have in
    common; `outputs` is what all modes gave, as JSON: see `fuzz.triage.element_diff`. `message` is the subject's error
    message, if it has more than one line. `symptom` says in which way the answer differs: see `fuzz.triage.symptom`.
    Here the subject's texts are made printable, and all but the message one line each.
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
    symptom: str = ""

    def __post_init__(self) -> None:
        for key in ("detail", "attribution", "symptom"):
            object.__setattr__(self, key, make_line(getattr(self, key)))
        object.__setattr__(self, "message", make_printable(self.message))

    @property
    def minimal(self) -> Case:
        """The case, of a call of NumPy's API."""
        return Case.from_json(self.case)

    @property
    def queue(self) -> str:
        """How it is reduced: in one worker, or with a worker for each candidate."""
        return "fatal" if self.fatal else "cold" if self.cold else "quick"

    @property
    def group_key(self) -> tuple[str, ...]:
        """A key that differences share if they are probably one finding, with the cheapest failing mode.

        For deaths, which are expensive to repeat, the dtype is left out: it hardly ever matters.
        """
        dtype = "" if self.kind in DEATHS else self.dtype
        mode = choose_cheapest(self.modes)
        return (self.name, self.kind, mode, dtype, find_parameter(self.detail), self.symptom)

    def resembles(self, other: Difference) -> bool:
        """Return whether both are of the same kind, with the same symptom, and about the same parameter."""
        one, two = ((each.kind, each.symptom, find_parameter(each.detail)) for each in (self, other))
        return one == two

    def among(self, others: Sequence[Difference]) -> Difference | None:
        """Return the one of the others that is the same: one that resembles it, or else one of its kind.

        In a stored case keyword arguments are sorted, and a subject that lacks two of them may then name the other one.
        """
        alike = [other for other in others if other.kind == self.kind]
        return next((other for other in alike if self.resembles(other)), alike[0] if alike else None)

    def data(self) -> dict[str, Any]:
        """Return the difference as JSON-serializable data."""
        return asdict(self)

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Difference:
        """Return the difference from data of the form DIFFERENCE."""
        return cls(**{**data, "modes": tuple(data["modes"])})


Reduced = tuple[Difference | None, Difference | None]
"""What a reduction gives: the difference that the minimal case shows in every mode, None if it did not recur; and one
of nondeterminism, if the case's first answer in this process differs from later ones.
"""


def parse_step(step: str) -> tuple[str, int] | None:
    """Return the mode and the sibling of a step; None for a step outside the subject, such as drawing, NumPy's answer
    or a comparison.
    """
    found = _STEP.match(step)
    return (label_mode(found[1]), int(found[2])) if found else None


def parse_comparison(step: str) -> str:
    """Return the mode whose answer a step compares with NumPy's; empty for any other step."""
    found = _COMPARISON.match(step)
    return label_mode(found[1]) if found else ""


def label_mode(mode: str) -> str:
    """Return a mode's label: with its device, unless that is the first CPU."""
    return mode.removesuffix("@CPU:0")


def choose_cheapest(modes: Iterable[str]) -> str:
    """Return the mode that costs least to run."""
    return min(modes, key=rank_cost)


def rank_cost(mode: str) -> tuple[int, str]:
    """Return a sort key for modes: their cost, then the device."""
    name, _, device = mode.partition("@")
    return (find_mode(name).cost, device)


def find_parameter(detail: str) -> str:
    """Return the parameter that an error says is unknown, so that each one a subject lacks is a finding of its own.

    If the error says that there are too many arguments, it is the accepted number: "after 2". NumPy's own error in a
    detail does not count.
    """
    if detail.startswith("NumPy raises "):
        detail = detail.rpartition("; got ")[2]
    detail = detail.partition("; NumPy gives ")[0]
    if found := _PARAMETER.search(detail):
        return found[1]
    found = _POSITIONS.search(detail)
    count = next(filter(None, found.groups()), "") if found else ""
    return f"after {count.replace('one', '1')}" if count else ""


def drop_parameters(case: Case, parameters: Collection[str]) -> Case:
    """Return the call without these parameters, named as `find_parameter` does.

    After "after 2", what follows the second argument is given by keyword if NumPy takes it so, or not at all;
    without such an entry, what follows the first of the parameters that has a default. A parameter without a
    default is one that a function has under another name: it is given by position. With ONLY_ARRAYS, arrays replace
    numbers and lists. The name of a variadic parameter stands for all keywords that NumPy's signature does not
    tell.
    """
    positional = [one for one in parameters_of(case.name).values() if one.kind in POSITIONAL]
    parameters = {*parameters, *_list_untold(case, parameters)}
    limits = [int(name[6:]) for name in parameters if name.startswith("after ")]
    if not limits:
        limits = [i for i, one in enumerate(positional) if one.name in parameters and one.default is not one.empty]
    most = min(limits, default=len(case.args))
    following = zip(positional[most:], case.args[most:], strict=False)
    later = {one.name: value for one, value in following if one.kind is one.POSITIONAL_OR_KEYWORD}
    args, kwargs = list(case.args[:most]), {**later, **case.kwargs}
    for one in positional[len(args) : min(limits, default=len(positional))]:
        if one.name not in kwargs or one.name not in parameters:
            break
        args.append(kwargs.pop(one.name))
    left = Case(case.name, tuple(args), {name: value for name, value in kwargs.items() if name not in parameters})
    return make_arrays(left) if ONLY_ARRAYS in parameters else left


def _list_untold(case: Case, parameters: Collection[str]) -> list[str]:
    known = parameters_of(case.name)
    if not any(one.kind is one.VAR_KEYWORD and one.name in parameters for one in known.values()):
        return []
    return [key for key in case.kwargs if key not in known]


def drop_from_program(program: Case, parameters: Mapping[str, Collection[str]]) -> Case:
    """Return the program with each of its calls without the parameters that `parameters` has for its name."""

    def drop(call: Case) -> Case:
        return drop_parameters(call, parameters[call.name]) if call.name in parameters else call

    return program.map_calls(drop) if parameters else program
