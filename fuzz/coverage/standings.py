"""Coverage of NumPy's API: for each name, whether the subject has it, with which signature, and how far it was
exercised.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import repeat
from operator import attrgetter, itemgetter
from random import Random
from typing import Any

import numpy as np

from fuzz.engine.missing_parameters import inspect_parameters, join_parameters
from fuzz.engine.scheduler import Item
from fuzz.engine.tasks import Bench, Tally, draw, judge_item
from fuzz.generate.calls import generated_names
from fuzz.generate.signatures import given, parameters_of, signature_change, takes_all, told
from fuzz.sightings import label_mode
from oracle import GRADIENTS, NAMES, TOPICS, Death, Lease, Sandbox, run_numpy, step, topic_of

SIBLINGS = 3
ATTEMPTS = 24
"""How many structures are drawn to choose from: to draw one takes a thousandth of what it takes to compile it."""

MOST = 4  # parameters that a structure should give
TURNS = 3  # structures after which a mode that answers none counts as declining

STRIDE = 1 << 32
OTHER = "Other"


@dataclass
class Standing:
    """The coverage of one of NumPy's names.

    `signature` is "same", "extended" by keywords of the subject's own, "different", or "" if the subject lacks the name
    or NumPy has no signature for it. `runs` counts cases by mode; `valid` those that NumPy accepts, `refused` those
    that it rejects; `asked` the valid cases that a mode can run; `answers` the structures that a mode answered by a
    value. `differs` holds the modes with a disagreement, `allowed` those with an accepted difference. `parameters`
    counts, for each of NumPy's parameters, the valid structures that gave it, by mode. `classes` are the classes of
    arguments in a sample of the calls. A name that the subject merely re-exports from NumPy is not `present`.
    `without` are parameters that are never given to the function.
    """

    name: str
    present: bool = False
    signature: str = ""
    change: str = ""
    runs: dict[str, int] = field(default_factory=dict)
    valid: int = 0
    asked: dict[str, int] = field(default_factory=dict)
    answers: dict[str, int] = field(default_factory=dict)
    allowed: tuple[str, ...] = ()
    differs: tuple[str, ...] = ()
    parameters: dict[str, dict[str, int]] = field(default_factory=dict)
    classes: tuple[str, ...] = ()
    refused: int = 0
    reexported: bool = False
    without: tuple[str, ...] = ()

    @property
    def answered(self) -> frozenset[str]:
        """The modes that answered any call."""
        return frozenset(mode for modes in self.parameters.values() for mode in modes)

    def modes_without(self, parameter: str) -> tuple[str, ...]:
        """Return the modes that answered other calls, but none that gives the parameter."""
        return tuple(sorted(self.answered - self.parameters[parameter].keys()))

    def lacking(self, mode: str) -> frozenset[str]:
        """Return the parameters for which a mode has no answer yet; none once it has declined often enough."""
        if mode not in self.answered and self.runs.get(mode, 0) >= SIBLINGS * TURNS:
            return frozenset()
        given = self.parameters.keys() - set(self.without)
        return frozenset(key for key in given if mode not in self.parameters[key])

    @property
    def exercised_parameters(self) -> list[str]:
        """The parameters that were given in every mode that answered."""
        return [key for key, modes in self.parameters.items() if modes and not self.modes_without(key)]

    @property
    def exercised(self) -> bool:
        return bool(self.runs) and self.valid > 0

    @property
    def agrees(self) -> bool:
        """Whether every mode that ran the name answered by a value, and none disagreed."""
        return self.exercised and not self.differs and all(self.answers.get(mode) for mode in self.asked)

    @property
    def agrees_only_with_allowances(self) -> bool:
        return self.agrees and bool(self.allowed)

    def agrees_in(self, mode: str) -> bool:
        """Return whether the mode answered a valid call by a value, and never disagreed."""
        return self.exercised and bool(self.answers.get(mode)) and mode not in self.differs

    def data(self) -> dict[str, Any]:
        """Return the coverage of the name as JSON-serializable data."""
        plain = {**self.__dict__, "differs": list(self.differs), "allowed": list(self.allowed)}
        plain |= {"classes": list(self.classes), "without": list(self.without)}
        return {**plain, "exercised": self.exercised, "agrees": self.agrees}


@dataclass
class Coverage:
    """The coverage of all names."""

    subject: str
    modes: tuple[str, ...]
    standings: list[Standing]

    def totals(self, names: Collection[str] | None = None) -> dict[str, int]:
        """Return how many of the names exist, are present, have the same signature, were exercised, agree; and agree in
        each mode.
        """
        rows = [row for row in self.standings if names is None or row.name in names]
        counts = {
            "total": len(rows),
            "present": sum(row.present for row in rows),
            "reexported": sum(row.reexported for row in rows),
            "same signature": sum(row.signature == "same" for row in rows),
            "extended signature": sum(row.signature == "extended" for row in rows),
            "with signature": sum(row.present and bool(row.signature) for row in rows),
            "exercised": sum(row.exercised for row in rows),
            "agreeing": sum(row.agrees for row in rows),
            "with allowances": sum(row.agrees_only_with_allowances for row in rows),
            "parameters": sum(len(row.parameters) for row in rows),
            "exercised parameters": sum(len(row.exercised_parameters) for row in rows),
        }
        return counts | {mode: sum(row.agrees_in(mode) for row in rows) for mode in self.modes}

    def topics(self) -> list[dict[str, Any]]:
        """Return the totals of each topic, in the order of NumPy's manual."""
        looked_up = {row.name for row in self.standings}
        return [
            {"topic": topic} | self.totals(frozenset(names))
            for topic, names in TOPICS.items()
            if not looked_up.isdisjoint(names)
        ]

    def data(self) -> dict[str, Any]:
        """Return everything as JSON-serializable data."""
        return {
            "subject": self.subject,
            "numpy": np.__version__,
            "modes": list(self.modes),
            "totals": self.totals(),
            "topics": self.topics(),
            "names": [{"topic": topic_of(row.name)} | row.data() for row in self.standings],
        }


DEPTHS: dict[str, Callable[[Standing, tuple[str, ...]], bool]] = {
    "every parameter": lambda row, modes: len(row.exercised_parameters) == len(row.parameters),
    "several dtypes": lambda row, modes: sum(name.startswith("dtype kind ") for name in row.classes) > 1,
    "several ranks": lambda row, modes: sum(name.startswith("rank ") for name in row.classes) > 1,
    "memory layouts": lambda row, modes: not {"not contiguous", "read-only", "byte-swapped"}.isdisjoint(row.classes),
    "forms of arguments": lambda row, modes: sum(form in row.classes for form in ("array", "list", "tuple")) > 1,
    "error paths": lambda row, modes: row.refused > 0,
    "every mode": lambda row, modes: all(row.runs.get(mode) for mode in modes),
    "gradient": lambda row, modes: any(mode.partition("@")[0] in GRADIENTS for mode in row.runs),
}
"""How deep a name was exercised: what calls of it had, by the name of that."""


def count_depths(coverage: Coverage) -> dict[str, int]:
    """Count the exercised names that reached each depth."""
    rows = [row for row in coverage.standings if row.exercised]
    return {depth: sum(reached(row, coverage.modes) for row in rows) for depth, reached in DEPTHS.items()}


@dataclass(frozen=True)
class Change:
    """The difference to an earlier coverage: its date and totals, and the names by what changed."""

    date: str
    totals: Mapping[str, int]
    names: Mapping[str, tuple[str, ...]]


def compare_with(coverage: Coverage, earlier: Mapping[str, Any]) -> Change:
    """Return the difference to the data of an earlier coverage, of the form EARLIER."""
    now = {row.name: (row.present, row.agrees) for row in coverage.standings}
    then = {row["name"]: (row["present"], row["agrees"]) for row in earlier["names"]}
    both = sorted(now.keys() & then.keys())

    def names(index: int, gained: bool) -> tuple[str, ...]:
        return tuple(name for name in both if now[name][index] is gained and then[name][index] is not gained)

    changes = {
        "new": names(0, True),
        "gone": names(0, False),
        "now agreeing": names(1, True),
        "no longer agreeing": names(1, False),
    }
    return Change(earlier.get("date", ""), earlier["totals"], changes)


EARLIER = {"subject": str, "totals": {str: int}, "names": [{"name": str, "present": bool, "agrees": bool}]}
"""What an earlier coverage must have."""


def look_up(bench: Bench, names: Sequence[str]) -> list[Standing]:
    """Return what the subject has of these names, and whether the signatures are NumPy's. Runs in a worker."""
    found = [_look_up_name(bench, name) for name in names]
    never = join_parameters(*inspect_parameters(bench.subject, [row.name for row in found if row.present]))
    return [replace(row, without=never.get(row.name, ())) for row in found]


def _look_up_name(bench: Bench, name: str) -> Standing:
    try:
        found = bench.subject.find(name)
    except AttributeError:
        return Standing(name)
    if bench.subject.reexports(name):
        return Standing(name, reexported=True)
    parameters: dict[str, dict[str, int]] = {parameter: {} for parameter in parameters_of(name)}
    if name.startswith("ndarray."):
        return Standing(name, True, parameters=parameters)
    expected = found if found is attrgetter(name)(np) else told(name)
    change = signature_change(expected, found)
    signature = "" if change is None else "different" if change else "same"
    if change and takes_all(expected, found):
        signature = "extended"
    return Standing(name, True, signature, change or "", parameters=parameters)


def look_up_names(sandbox: Sandbox, names: Sequence[str] = NAMES) -> list[Standing]:
    """Return what the subject has of NumPy's names."""
    return _inspect(sandbox, "fuzz.coverage:look_up", names, list)


def find_modes(sandbox: Sandbox) -> tuple[str, ...]:
    """Return the subject's own default modes; empty if they are those of libraries of tensors."""
    return _inspect(sandbox, "fuzz.engine.tasks:find_modes", None, tuple)


def _inspect(sandbox: Sandbox, function: str, item: Any, kind: type) -> Any:
    (reply,) = sandbox.run([Lease(0, function, [item])])
    found = reply.results[0]
    if not isinstance(found, kind):
        raise RuntimeError(f"the subject cannot be inspected: {getattr(found, 'trace', found)}")
    return found


def survey(
    sandbox: Sandbox,
    subject: str,
    modes: Sequence[str],
    seconds: float,
    seed: int = 0,
    notice: Callable[[int, int], None] = lambda done, total: None,
    names: Sequence[str] = NAMES,
) -> Coverage:
    """Look up every name, then exercise each in every mode. While `seconds` allow, exercise the names again for which a
    parameter lacks an answer in some mode.
    """
    standings = {row.name: row for row in look_up_names(sandbox, names)}
    drawn = [name for name in generated_names() if name in standings and standings[name].present]
    deadline = time.monotonic() + seconds
    begun: dict[int, Item] = {}

    def lacking(name: str) -> dict[str, frozenset[str]]:
        found = {mode: standings[name].lacking(label_mode(mode)) for mode in modes}
        return {mode: parameters for mode, parameters in found.items() if parameters}

    def incomplete() -> list[str]:
        return [name for name in drawn if not standings[name].runs or lacking(name)] or drawn

    def leases() -> Iterator[Lease]:
        for plain in generate_items(incomplete, modes, seed):
            item = replace(plain, without=frozenset(standings[plain.name].without))
            if time.monotonic() > deadline:
                return
            begun[item.index] = item
            required = lacking(item.name) if standings[item.name].runs else {}
            yield Lease(item.index, "fuzz.coverage:exercise", [(item, required)], confirm=False)

    for reply in sandbox.run(leases()):
        item = begun.pop(reply.index)
        enter(standings[item.name], item, reply.results[0])
        notice(sum(row.exercised for row in standings.values()), len(drawn))
    return Coverage(subject, tuple(label_mode(mode) for mode in modes), list(standings.values()))


def generate_items(names: Callable[[], Sequence[str]], modes: Sequence[str], seed: int) -> Iterator[Item]:
    """Yield an item for every name in every mode, round after round. `names` is called at the beginning of each round,
    and each is shuffled anew, so that no name is always last.
    """
    index = 0
    while turn := names():
        for name in Random(seed + index).sample(turn, len(turn)):
            yield Item(index, name, seed + index, SIBLINGS, tuple((mode, SIBLINGS) for mode in modes))
            index += 1


def exercise(bench: Bench, chosen: tuple[Item, Mapping[str, frozenset[str]]]) -> Tally:
    """Judge an item. Where modes lack parameters, choose a structure that gives most of them, and judge it in those
    modes. Runs in a worker.
    """
    item, lacking = chosen
    if not lacking:
        return judge_item(bench, item)
    step("drawing")
    gain, best = max(map(_direct, _propose_items(item, lacking), repeat(lacking)), key=itemgetter(0))
    return judge_item(bench, best) if gain else Tally(item.index, item.name, 0)


def _propose_items(item: Item, lacking: Mapping[str, frozenset[str]]) -> Iterator[Item]:
    """Yield items that require a few of the parameters each: with all of them at once, few calls are valid."""
    parameters = sorted(frozenset().union(*lacking.values()))
    for attempt in range(ATTEMPTS):
        random = Random(item.seed + attempt * STRIDE)
        required = frozenset(random.sample(parameters, random.randint(1, min(len(parameters), MOST))))
        yield replace(item, seed=item.seed + attempt * STRIDE, siblings=1, required=required)


def _direct(item: Item, lacking: Mapping[str, frozenset[str]]) -> tuple[int, Item]:
    """Return how many missing parameters an item gives, or 0 if NumPy rejects it, and the item in the modes that lack
    them.
    """
    case = draw(item, 0)
    gains = {mode: len(given(case) & lacking.get(mode, frozenset())) for mode, _ in item.runs}
    runs = tuple((mode, 1) for mode, gain in gains.items() if gain)
    return sum(gains.values()) if runs and run_numpy(case).ok else 0, replace(item, runs=runs)


def enter(standing: Standing, item: Item, result: Any) -> None:
    """Add the result of one item. A death counts as a disagreement of the mode in which it happened."""
    if isinstance(result, Tally):
        standing.valid += result.valid
        standing.refused += max(0, result.cases - result.valid)
        found = frozenset().union(*(result.depth or {}).values())
        standing.classes = tuple(sorted(found.union(standing.classes)))
        for mode, runs in result.runs.items():
            standing.runs[label_mode(mode)] = standing.runs.get(label_mode(mode), 0) + runs
        for mode, count in result.asked.items():
            if count:
                standing.asked[label_mode(mode)] = standing.asked.get(label_mode(mode), 0) + count
        for mode in map(label_mode, result.answered):
            standing.answers[mode] = standing.answers.get(mode, 0) + 1
        standing.allowed = tuple(sorted({*standing.allowed, *(mode for _, mode in result.allowed)}))
        for parameter in result.given & standing.parameters.keys():
            counts = standing.parameters[parameter]
            counts.update({mode: counts.get(mode, 0) + 1 for mode in map(label_mode, result.answered)})
        modes = {mode for sighting in result.sightings for mode in sighting.modes}
        standing.differs = tuple(sorted({*standing.differs, *modes}))
    elif isinstance(result, Death):
        mode = label_mode(result.step.partition(" ")[0])
        if mode in {label_mode(run[0]) for run in item.runs}:
            standing.differs = tuple(sorted({*standing.differs, mode}))
            standing.runs[mode] = standing.runs.get(mode, 0) + 1
            standing.valid += 1


def rebuild_coverage(summary: Mapping[str, Any], looked_up: Iterable[Standing]) -> Coverage:
    """Return the coverage of an earlier run, from its summary.json."""
    standings = {row.name: row for row in looked_up}
    for name, counts in summary["by_name"].items():
        if name in standings:
            standings[name].runs = dict(counts.get("runs", {}))
            standings[name].valid = round(counts["valid"] * counts["cases"])
            standings[name].refused = counts["cases"] - standings[name].valid
            depth = counts.get("depth", {}).get("parameters", {}).values()
            standings[name].classes = tuple(sorted({key for shares in depth for key, share in shares.items() if share}))
            standings[name].asked = dict(counts.get("asked", {}))
            standings[name].answers = dict(counts.get("answers", {}))
            standings[name].parameters.update(counts.get("parameters", {}))
    for entry in summary.get("allowed", {}).values():
        for name, modes in entry["names"].items():
            if name in standings:
                standings[name].allowed = tuple(sorted({*standings[name].allowed, *modes}))
    for finding in summary["findings"]:
        if finding["name"] in standings:
            row = standings[finding["name"]]
            row.differs = tuple(sorted({*row.differs, *finding["modes"]}))
            row.valid = max(row.valid, 1)
    modes = [
        mode if device == "CPU:0" else f"{mode}@{device}" for device in summary["devices"] for mode in summary["modes"]
    ]
    return Coverage(summary["subject"], tuple(modes), list(standings.values()))
