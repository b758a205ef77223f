"""Comparison of several subjects on the same cases."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from fuzz.engine.drawing import draw
from fuzz.engine.scheduler import SIBLINGS, Item, Schedule
from fuzz.engine.tasks import Bench, make_sightings
from fuzz.sightings import parse_step
from oracle.harness import Death, Failure, Lease, Sandbox, judge_siblings, step

ITEMS = 8  # items of a lease
ABSENT, AGREES = "absent", "agrees"


@dataclass
class Judged:
    """A case and, by subject, its disagreements with NumPy as pairs of kind and detail; none if it agrees."""

    name: str
    source: str
    seen: dict[str, dict[str, str]] = field(default_factory=dict)

    def standing(self, subject: str) -> str:
        """Return the subject's result in a word or two."""
        return ", ".join(sorted(self.seen[subject])) or AGREES

    @property
    def is_telling(self) -> bool:
        """Whether the subjects' results differ."""
        return len({self.standing(subject) for subject in self.seen}) > 1


def make_items(names: Sequence[str], modes: Sequence[str], seed: int, cases: int) -> list[Item]:
    """Return the items that every subject is judged on. Nothing is learnt from one to the next."""
    schedule = Schedule(names, modes, seed)
    return [schedule.item(index, cases - index * SIBLINGS) for index in range(-(-cases // SIBLINGS))]


def judge_subject(sandbox: Sandbox, items: Sequence[Item]) -> Iterator[tuple[Item, list[dict[str, Any]]]]:
    """Judge the items against the sandbox's subject."""
    parts = [items[start : start + ITEMS] for start in range(0, len(items), ITEMS)]
    leases = (Lease(number, "fuzz.comparison:judge_cases", part) for number, part in enumerate(parts))
    for reply in sandbox.run(leases):
        for item, result in zip(parts[reply.index], reply.results, strict=True):
            yield item, _make_rows(item, result)


def _make_rows(item: Item, result: Any) -> list[dict[str, Any]]:
    """Return the results of an item's cases; for a case that ended its worker, the death."""
    if isinstance(result, Failure):
        raise RuntimeError(f"{item.name} cannot be judged: {result.trace}")
    if not isinstance(result, Death):
        rows: list[dict[str, Any]] = result
        return rows
    key = parse_step(result.step)
    sibling = key[1] if key else 0
    seen = {result.kind: result.detail} if key else {}  # a death of NumPy, or in a comparison, says nothing
    return [{"sibling": sibling, "source": str(draw(item, sibling)), "seen": seen}]


def judge_cases(bench: Bench, item: Item) -> list[dict[str, Any]]:
    """Judge each case of an item. Runs in a worker."""
    step("drawing")
    cases = [draw(item, sibling) for sibling in range(item.siblings)]
    seen: list[dict[str, str]] = [{} for _ in cases]
    if not bench.subject.has(item.name):
        seen = [{ABSENT: ""} for _ in cases]
    else:
        for mode, _ in item.runs:
            for number, verdict in enumerate(judge_siblings(cases, [mode], bench.subject)):
                for sighting in make_sightings(verdict):
                    seen[number].setdefault(sighting.kind, f"{', '.join(sighting.modes)}: {sighting.detail}")
    rows = zip(cases, seen, strict=True)
    return [{"sibling": n, "source": case.typed(), "seen": found} for n, (case, found) in enumerate(rows)]


class Comparison:
    """The results of the same cases, by item, sibling and subject."""

    def __init__(self, subjects: Sequence[str]) -> None:
        self.subjects = list(subjects)
        self._judged: dict[tuple[int, int], Judged] = {}

    def enter(self, subject: str, item: Item, rows: Sequence[dict[str, Any]]) -> None:
        """Enter the results of an item's cases for one subject."""
        for row in rows:
            key = (item.index, row["sibling"])
            self._judged.setdefault(key, Judged(item.name, row["source"])).seen[subject] = row["seen"]

    @property
    def cases(self) -> list[Judged]:
        """The cases that all subjects were judged on."""
        judged = [self._judged[key] for key in sorted(self._judged)]
        return [one for one in judged if len(one.seen) == len(self.subjects)]

    def totals(self) -> dict[str, Counter[str]]:
        """By subject, the number of cases that agree, and of those with each kind of disagreement."""
        return {
            subject: Counter(kind for one in self.cases for kind in (one.seen[subject] or {AGREES: ""}))
            for subject in self.subjects
        }

    def by_name(self) -> dict[str, dict[str, tuple[int, int]]]:
        """By name and subject, the number of cases that agree, and of all cases."""
        found: dict[str, dict[str, tuple[int, int]]] = {}
        for one in sorted(self.cases, key=lambda one: one.name):
            row = found.setdefault(one.name, dict.fromkeys(self.subjects, (0, 0)))
            for subject in self.subjects:
                agreeing, total = row[subject]
                row[subject] = (agreeing + (not one.seen[subject]), total + 1)
        return found

    @property
    def telling(self) -> list[Judged]:
        """The cases for which the subjects' results differ."""
        return [one for one in self.cases if one.is_telling]

    def data(self) -> dict[str, Any]:
        """Return the comparison as JSON-serializable data."""
        return {
            "subjects": self.subjects,
            "cases": len(self.cases),
            "totals": {subject: dict(counts) for subject, counts in self.totals().items()},
            "names": self.by_name(),
            "telling": [{"name": one.name, "case": one.source, "seen": one.seen} for one in self.telling],
        }
