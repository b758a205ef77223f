"""What a campaign amounts to: counts by name and mode, and the findings, as data."""

from __future__ import annotations

import platform
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from fuzz.findings import Finding
from fuzz.trials import OWN, Tally, label
from oracle import NAMES, TOPICS, greedy

PACKAGES = ("numpy", "tensorflow", "ml_dtypes")


@dataclass
class Counts:
    """The sum of what items gave."""

    items: int = 0
    cases: Counter[str] = field(default_factory=Counter)
    valid: Counter[str] = field(default_factory=Counter)
    runs: Counter[str] = field(default_factory=Counter)
    runs_of: dict[str, Counter[str]] = field(default_factory=dict)
    given: dict[str, dict[str, Counter[str]]] = field(default_factory=dict)
    seconds: Counter[str] = field(default_factory=Counter)
    accepted: Counter[str] = field(default_factory=Counter)
    unsupported: int = 0
    lost: Counter[str] = field(default_factory=Counter)
    failures: Counter[str] = field(default_factory=Counter)

    def add(self, tally: Tally) -> None:
        """Add one item's."""
        self.items += 1
        self.cases[tally.name] += tally.cases
        self.valid[tally.name] += tally.valid
        self.runs.update(tally.runs)
        self.runs_of.setdefault(tally.name, Counter()).update(tally.runs)
        for parameter in tally.given:
            modes = self.given.setdefault(tally.name, {}).setdefault(parameter, Counter())
            modes.update(map(label, tally.answered))
        for mode, seconds in tally.seconds.items():
            self.seconds[mode] += seconds  # type: ignore[assignment]
        self.accepted.update(tally.accepted)
        self.unsupported += tally.unsupported

    @property
    def total(self) -> int:
        """How many cases there were."""
        return self.cases.total()


@dataclass
class Summary:
    """A campaign, when it is over."""

    options: Any
    seed: int
    seconds: float
    counts: Counts
    present: Sequence[str]
    findings: list[Finding]
    interrupted: bool = False
    stale: Sequence[str] = ()

    @property
    def exercised(self) -> list[str]:
        """Names with at least one case that NumPy accepts."""
        return sorted(name for name, valid in self.counts.valid.items() if valid)

    @property
    def agreeing(self) -> list[str]:
        """Names that were exercised and have no finding."""
        differing = {finding.name for finding in self.findings}
        return [name for name in self.exercised if name not in differing]

    @property
    def complaints(self) -> list[str]:
        """What is wrong with the accepted divergences, which are our own library's: gone, expired, or too greedy."""
        eaten = greedy(self.counts.accepted, self.counts.runs_of) if self.options.subject == OWN else []
        return [*self.stale, *eaten]

    def data(self) -> dict[str, Any]:
        """The summary as summary.json has it."""
        counts = self.counts
        return {
            "subject": self.options.subject,
            "versions": versions(self.options.subject),
            "devices": list(self.options.devices),
            "modes": list(self.options.modes),
            "seed": self.seed,
            "shard": "{}/{}".format(*self.options.shard),
            "seconds": round(self.seconds, 3),
            "interrupted": self.interrupted,
            "cases": counts.total,
            "cases_per_core_second": {
                mode: round(counts.runs[mode] / seconds, 1) for mode, seconds in counts.seconds.items() if seconds
            },
            "core_seconds": {mode: round(seconds, 3) for mode, seconds in counts.seconds.items()},
            "names": {
                "total": len(NAMES),
                "present": len(set(self.present) & set(NAMES)),
                "exercised": len(self.exercised),
                "agreeing": len(self.agreeing),
            },
            "topics": by_topic(self.present, self.exercised, self.agreeing),
            "by_name": {
                name: {
                    "cases": cases,
                    "valid": round(counts.valid[name] / cases, 3),
                    "runs": dict(counts.runs_of.get(name, {})),
                    "parameters": {key: dict(modes) for key, modes in sorted(counts.given.get(name, {}).items())},
                }
                for name, cases in sorted(counts.cases.items())
                if cases
            },
            "accepted": dict(sorted(counts.accepted.items())),
            "stale": self.complaints,
            "unsupported": counts.unsupported,
            "lost": dict(sorted(counts.lost.items())),
            "failures": dict(counts.failures),
            "findings": [finding.data() for finding in self.findings],
        }


def by_topic(present: Iterable[str], exercised: Iterable[str], agreeing: Iterable[str]) -> list[dict[str, Any]]:
    """A run's names by topic, as summary.json has them."""
    sets = {"present": set(present), "exercised": set(exercised), "agreeing": set(agreeing)}
    return [
        {"topic": topic, "total": len(names)} | {key: len(found.intersection(names)) for key, found in sets.items()}
        for topic, names in TOPICS.items()
        if names
    ]


def versions(subject: str) -> dict[str, str]:
    """The versions of what takes part."""
    found = {"python": platform.python_version()}
    for package in dict.fromkeys((*PACKAGES, subject.partition(".")[0])):
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            pass
    return found
