"""The coverage of names: what a subject has, what of it was exercised, and how much of that agrees."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from fuzz.coverage.denominators import FULL_NUMPY, Denominator
from fuzz.coverage.structures import Structure
from fuzz.differences import Difference, label_mode, rank_cost
from fuzz.engine.drawing import draw
from fuzz.engine.item_results import ItemResult
from fuzz.engine.scheduler import Item
from oracle.harness import GRADIENTS, TOPICS, Death, dtype_class, make_line, topic_of


@dataclass
class NameCoverage:
    """The coverage of one of NumPy's names.

    `signature` is "same", "extended" by keywords of the subject's own, "different", or "" if the subject lacks the name
    or NumPy has no signature for it. `runs` counts cases by mode; `valid` those that NumPy accepts, `refused` those
    that it rejects; `asked` the valid cases that a mode can run; `answers` the structures that a mode answered by a
    value. `differs` holds the modes with a difference, `allowed` those with an accepted difference. `parameters`
    counts, for each of NumPy's parameters, the valid structures that gave it, by mode; `dtypes` the same for the dtypes
    of arrays. `classes` are the classes of arguments in a sample of the calls. `examples` holds for each mode that
    differs the kind of the first difference, and its case as JSON. A name that the subject merely re-exports from NumPy
    is not `present`. `without` are parameters that are never given to the function. `unanswered` has for modes that
    answered some structure by no value what they gave instead; `differences` the first difference of each kind and
    symptom, with all modes that showed it.
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
    dtypes: dict[str, dict[str, int]] = field(default_factory=dict)
    examples: dict[str, dict[str, str]] = field(default_factory=dict)
    unanswered: dict[str, str] = field(default_factory=dict)
    differences: dict[tuple[str, str], Difference] = field(default_factory=dict)

    @property
    def answered(self) -> frozenset[str]:
        """The modes that answered any call."""
        counted = (*self.parameters.values(), *self.dtypes.values())
        return frozenset(mode for modes in counted for mode in modes)

    def modes_without(self, counts: Mapping[str, int]) -> tuple[str, ...]:
        """Return the modes that answered other calls, but none of those that are counted."""
        return tuple(sorted(self.answered - counts.keys()))

    @property
    def exercised_parameters(self) -> list[str]:
        """The parameters that were given in every mode that answered."""
        return [key for key, modes in self.parameters.items() if modes and not self.modes_without(modes)]

    @property
    def exercised_dtypes(self) -> list[str]:
        """The dtypes that were given in every mode that answered."""
        return [key for key, modes in self.dtypes.items() if modes and not self.modes_without(modes)]

    @property
    def exercised(self) -> bool:
        return bool(self.runs) and self.valid > 0

    @property
    def judged(self) -> bool:
        """Whether a value was judged that answers a valid call, or the name differs."""
        return self.exercised and bool(self.answers or self.differs)

    @property
    def agrees(self) -> bool:
        """Whether every mode that ran the name answered by a value that was judged, and none disagreed."""
        is_judged = bool(self.asked) and all(self.answers.get(mode) for mode in self.asked)
        return self.exercised and not self.differs and is_judged

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
        del plain["differences"]
        return {**plain, "exercised": self.exercised, "agrees": self.agrees}


@dataclass(frozen=True)
class CoverageSource:
    """The origin of a coverage: versions of the subject and other packages, the commit of the subject's sources, and
    the seed and depth that the calls depend on; empty and None for that of a campaign.
    """

    versions: Mapping[str, str] = field(default_factory=dict)
    revision: str = ""
    depth: str = ""
    seed: int | None = None


@dataclass
class Coverage:
    """The coverage of the names of a denominator, or of some of them; of those `unfinished` not all calls were made."""

    subject: str
    modes: tuple[str, ...]
    rows: list[NameCoverage]
    cases: int = 0
    origin: CoverageSource = field(default_factory=CoverageSource)
    denominator: Denominator = FULL_NUMPY
    unfinished: int = 0

    def totals(self, names: Collection[str] | None = None) -> dict[str, int]:
        """Return how many of the names exist, are present, have the same signature, were exercised, agree; and agree in
        each mode.
        """
        rows = [row for row in self.rows if names is None or row.name in names]
        counts = {
            "total": len(rows),
            "present": sum(row.present for row in rows),
            "reexported": sum(row.reexported for row in rows),
            "same signature": sum(row.signature == "same" for row in rows),
            "extended signature": sum(row.signature == "extended" for row in rows),
            "with signature": sum(row.present and bool(row.signature) for row in rows),
            "exercised": sum(row.exercised for row in rows),
            "judged": sum(row.judged for row in rows),
            "agreeing": sum(row.agrees for row in rows),
            "with allowances": sum(row.agrees_only_with_allowances for row in rows),
            "parameters": sum(len(row.parameters) for row in rows),
            "exercised parameters": sum(len(row.exercised_parameters) for row in rows),
            "dtypes": sum(len(row.dtypes) for row in rows),
            "exercised dtypes": sum(len(row.exercised_dtypes) for row in rows),
        }
        return counts | {mode: sum(row.agrees_in(mode) for row in rows) for mode in self.modes}

    @property
    def described(self) -> str:
        """The phrase for the names that are counted."""
        return self.denominator.describe(len(self.rows))

    @property
    def percent(self) -> float:
        """The share of the names that agree."""
        totals = self.totals()
        return 100 * totals["agreeing"] / (totals["total"] or 1)

    def topics(self) -> list[dict[str, Any]]:
        """Return the totals of each topic, in the order of NumPy's manual."""
        looked_up = {row.name for row in self.rows}
        return [
            {"topic": topic} | self.totals(frozenset(names))
            for topic, names in TOPICS.items()
            if not looked_up.isdisjoint(names)
        ]

    def data(self) -> dict[str, Any]:
        """Return everything as JSON-serializable data."""
        return {
            "subject": self.subject,
            "versions": dict(self.origin.versions),
            "revision": self.origin.revision,
            "numpy": np.__version__,
            "against": self.denominator.id,
            "depth": self.origin.depth,
            "seed": self.origin.seed,
            "cases": self.cases,
            "modes": list(self.modes),
            "totals": self.totals(),
            "topics": self.topics(),
            "names": [{"topic": topic_of(row.name)} | row.data() for row in self.rows],
        }


DEPTHS: dict[str, Callable[[NameCoverage, tuple[str, ...]], bool]] = {
    "every parameter": lambda row, modes: len(row.exercised_parameters) == len(row.parameters),
    "every dtype": lambda row, modes: len(row.exercised_dtypes) == len(row.dtypes),
    "several dtypes": lambda row, modes: (
        len(row.dtypes) > 1 or sum(name.startswith("dtype kind ") for name in row.classes) > 1
    ),
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
    rows = [row for row in coverage.rows if row.exercised]
    return {depth: sum(reached(row, coverage.modes) for row in rows) for depth, reached in DEPTHS.items()}


def enter(
    row: NameCoverage,
    structure: Structure,
    item: Item,
    result: Any,
    is_meant: Callable[[Difference], bool] = lambda difference: False,
) -> None:
    """Add the result of one item. A death counts as a difference of the mode in which it happened; a difference that
    the project means counts as allowed.
    """
    if isinstance(result, ItemResult):
        row.valid += result.valid
        row.refused += max(0, result.cases - result.valid)
        found = frozenset().union(*(result.depth or {}).values())
        row.classes = tuple(sorted(found.union(row.classes)))
        for mode, runs in result.runs.items():
            _count(row.runs, mode, runs)
        for mode, count in result.asked.items():
            _count(row.asked, mode, count)
        row.allowed = tuple(sorted({*row.allowed, *(mode for _, mode in result.allowed)}))
        tables = ((row.parameters, result.given & row.parameters.keys()), (row.dtypes, structure.dtypes))
        for mode in result.answered:
            _count(row.answers, mode, 1)
            for table, keys in tables:
                for key in keys:
                    _count(table.setdefault(key, {}), mode, 1)
        for difference in result.differences:
            if is_meant(difference):
                row.allowed = tuple(sorted({*row.allowed, *difference.modes}))
                continue
            _add_difference(row, difference)
        for mode, (_, given) in result.unanswered.items():
            row.unanswered.setdefault(label_mode(mode), make_line(given))
    elif isinstance(result, Death):
        mode, _, sibling = result.step.partition(" ")
        if label_mode(mode) in {label_mode(run[0]) for run in item.runs}:
            number, label = int(sibling) if sibling.isdigit() else 0, label_mode(mode)
            case = draw(item, number)
            own = (row.name, result.kind, (label,), dtype_class(case), result.detail, case.json())
            _add_difference(row, Difference(item.index, number, *own, fatal=True))
            _count(row.runs, mode, 1)
            row.valid += 1


def _count(counts: dict[str, int], mode: str, count: int) -> None:
    if count:
        counts[label_mode(mode)] = counts.get(label_mode(mode), 0) + count


def _add_difference(row: NameCoverage, found: Difference) -> None:
    row.differs = tuple(sorted({*row.differs, *found.modes}))
    for mode in found.modes:
        row.examples.setdefault(mode, {"kind": found.kind, "case": found.case})
    first = row.differences.setdefault((found.kind, found.symptom), found)
    modes = tuple(sorted({*first.modes, *found.modes}, key=rank_cost))
    row.differences[found.kind, found.symptom] = replace(first, modes=modes)


def rebuild_coverage(
    summary: Mapping[str, Any], looked_up: Iterable[NameCoverage], denominator: Denominator = FULL_NUMPY
) -> Coverage:
    """Return the coverage of an earlier run, from its summary.json."""
    by_name = {row.name: row for row in looked_up}
    for name, counts in summary["by_name"].items():
        if name in by_name:
            by_name[name].runs = dict(counts.get("runs", {}))
            by_name[name].valid = round(counts["valid"] * counts["cases"])
            by_name[name].refused = counts["cases"] - by_name[name].valid
            depth = counts.get("depth", {}).get("parameters", {}).values()
            by_name[name].classes = tuple(sorted({key for shares in depth for key, share in shares.items() if share}))
            by_name[name].asked = dict(counts.get("asked", by_name[name].runs))
            by_name[name].answers = dict(counts.get("answers", {}))
            by_name[name].parameters.update(counts.get("parameters", {}))
    for entry in summary.get("allowed", {}).values():
        for name, modes in entry["names"].items():
            if name in by_name:
                by_name[name].allowed = tuple(sorted({*by_name[name].allowed, *modes}))
    for finding in summary["findings"]:
        if finding["name"] in by_name:
            row = by_name[finding["name"]]
            row.differs = tuple(sorted({*row.differs, *finding["modes"]}))
            row.valid = max(row.valid, 1)
    modes = [
        mode if device == "CPU:0" else f"{mode}@{device}" for device in summary["devices"] for mode in summary["modes"]
    ]
    origin = CoverageSource(summary.get("versions", {}))
    return Coverage(summary["subject"], tuple(modes), list(by_name.values()), summary["cases"], origin, denominator)
