"""The result of a campaign as data: counts by name and mode, and the findings."""

from __future__ import annotations

import platform
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, packages_distributions, requires, version
from typing import Any

from fuzz.engine.domain import count_by_topic
from fuzz.engine.domains import find_domain
from fuzz.engine.harness_faults import HarnessFaults
from fuzz.engine.tallies import Tally
from fuzz.generate.argument_coverage import Depth
from fuzz.history.revision import find_revision
from fuzz.releases.interpreters import list_versions
from fuzz.sightings import label_mode
from fuzz.triage.ledger import Finding
from fuzz.triage.root_cause import group_findings
from fuzz.upstream.recognition import find_library, load_bugs, recognise
from oracle.harness import ACCEPTING, BY_DESIGN, UNDECIDED, Accepted, find_adapter, find_excessive

TENSORFLOW = "tensorflow"
PACKAGES = ("numpy", TENSORFLOW, "ml_dtypes")


@dataclass
class Counts:
    """The counts of all items together."""

    items: int = 0
    cases: Counter[str] = field(default_factory=Counter)
    valid: Counter[str] = field(default_factory=Counter)
    runs: Counter[str] = field(default_factory=Counter)
    runs_of: dict[str, Counter[str]] = field(default_factory=dict)
    given: dict[str, dict[str, Counter[str]]] = field(default_factory=dict)
    seconds: Counter[str] = field(default_factory=Counter)
    seconds_of: Counter[str] = field(default_factory=Counter)
    asked: dict[str, Counter[str]] = field(default_factory=dict)
    answered: dict[str, Counter[str]] = field(default_factory=dict)
    unanswered: dict[tuple[str, str], tuple[int, str, str]] = field(default_factory=dict)
    allowed: dict[str, dict[str, Counter[str]]] = field(default_factory=dict)
    undecided: dict[str, dict[str, Counter[str]]] = field(default_factory=dict)
    unsupported: dict[str, Counter[str]] = field(default_factory=dict)
    depth: dict[str, Depth] = field(default_factory=dict)
    lost: Counter[str] = field(default_factory=Counter)
    failures: Counter[str] = field(default_factory=Counter)
    harness_faults: HarnessFaults = field(default_factory=HarnessFaults)

    def add(self, tally: Tally) -> None:
        """Add the tally of one item."""
        self.items += tally.items
        self.cases[tally.name] += tally.cases
        self.valid[tally.name] += tally.valid
        self.runs.update(tally.runs)
        self.runs_of.setdefault(tally.name, Counter()).update(tally.runs)
        for parameter in sorted(tally.given):  # state.json has the order of entry, which a set's must not decide
            modes = self.given.setdefault(tally.name, {}).setdefault(parameter, Counter())
            modes.update(map(label_mode, tally.answered))
        self.seconds.update(tally.seconds)
        if tally.seconds:
            self.seconds_of.update({tally.name: sum(tally.seconds.values())})
        self._add_answers(tally)
        self.harness_faults.merge(tally.harness_faults)
        if tally.depth is not None:
            self.depth.setdefault(tally.name, Depth()).add(tally.depth)
        for (entry, mode), count in tally.allowed.items():
            self.allowed.setdefault(entry, {}).setdefault(tally.name, Counter())[mode] += count
        for (reason, mode), count in tally.undecided.items():
            self.undecided.setdefault(reason, {}).setdefault(tally.name, Counter())[mode] += count
        if tally.unsupported:
            self.unsupported.setdefault(tally.name, Counter()).update(tally.unsupported)

    def _add_answers(self, tally: Tally) -> None:
        """Add the modes that answered a valid call by a value, and an example for each that has not yet."""
        self.asked.setdefault(tally.name, Counter()).update(
            {label_mode(mode): count for mode, count in tally.asked.items()}
        )
        answered = self.answered.setdefault(tally.name, Counter())
        answered.update(map(label_mode, tally.answered))
        for mode, (case, error) in tally.unanswered.items():
            self.unanswered.setdefault((tally.name, label_mode(mode)), (tally.index, case, error))

    def data(self) -> dict[str, Any]:
        """Return the counts as JSON-serializable data."""
        unanswered = [[name, mode, *found] for (name, mode), found in self.unanswered.items()]
        depth = {name: [entry.calls, entry.given, entry.classes] for name, entry in self.depth.items()}
        own = {key: getattr(self, key) for key in COUNTS if key not in ("unanswered", "depth")}
        return {
            **own,
            "seconds_of": self.seconds_of,
            "unanswered": unanswered,
            "depth": depth,
            "harness_faults": self.harness_faults.data(),
        }

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Counts:
        """Return the counts from data of the form COUNTS."""
        found = cls(items=data["items"])
        for key in ONCE:
            setattr(found, key, Counter(data[key]))
        found.seconds_of = Counter(data.get("seconds_of", {}))  # older runs have none
        for key in TWICE:
            setattr(found, key, {name: Counter(counts) for name, counts in data[key].items()})
        for key in THRICE:
            outer = data[key].items()
            setattr(found, key, {name: {one: Counter(c) for one, c in inner.items()} for name, inner in outer})
        for name, mode, index, case, error in data["unanswered"]:
            found.unanswered[name, mode] = (index, case, error)
        for name, (calls, given, classes) in data["depth"].items():
            counters = {parameter: Counter(counts) for parameter, counts in classes.items()}
            found.depth[name] = Depth(calls, counters, Counter(given))
        found.harness_faults = HarnessFaults.from_data(data.get("harness_faults", ()))  # older runs have none
        return found

    def merge(self, other: Counts) -> None:
        """Add the counts of another part of the same run."""
        self.items += other.items
        for key in (*ONCE, "seconds_of"):
            getattr(self, key).update(getattr(other, key))
        for key in TWICE:
            _add_all(getattr(self, key), getattr(other, key))
        for key in THRICE:
            for name, inner in getattr(other, key).items():
                _add_all(getattr(self, key).setdefault(name, {}), inner)
        self.harness_faults.merge(other.harness_faults)
        for entry, found in other.unanswered.items():
            self.unanswered[entry] = min(found, self.unanswered.get(entry, found))
        for name, depth in other.depth.items():
            own = self.depth.setdefault(name, Depth())
            own.calls += depth.calls
            own.given.update(depth.given)
            _add_all(own.classes, depth.classes)

    def allows_all(self, name: str, mode: str) -> bool:
        """Return whether allowances without a largest share took as many answers in a mode as there were valid
        calls.
        """
        whole = [entry.id for entry in ACCEPTING if entry.most == 1.0]
        taken = sum(self.allowed.get(entry, {}).get(name, Counter())[mode] for entry in whole)
        return taken >= self.asked[name][mode]

    @property
    def total(self) -> int:
        """The number of cases."""
        return self.cases.total()


ONCE = ("cases", "valid", "runs", "seconds", "lost", "failures")
TWICE = ("runs_of", "asked", "answered", "unsupported")
THRICE = ("given", "allowed", "undecided")
"""The fields of Counts by how deep their counters lie."""

COUNTS: dict[str, Any] = {"items": int}
COUNTS |= {key: {str: (int, float)} for key in ONCE}
COUNTS |= {key: {str: {str: int}} for key in TWICE}
COUNTS |= {key: {str: {str: {str: int}}} for key in THRICE}
COUNTS |= {"unanswered": [[(str, int)]], "depth": {str: [(int, dict)]}}


def _add_all(counts: dict[str, Counter[str]], others: Mapping[str, Counter[str]]) -> None:
    for name, counter in others.items():
        counts.setdefault(name, Counter()).update(counter)


@dataclass
class Summary:
    """The summary of a campaign that is over."""

    options: Any
    seed: int
    seconds: float
    counts: Counts
    present: Sequence[str]
    findings: list[Finding]
    interrupted: bool = False
    stale: Sequence[str] = ()
    missing: Mapping[str, Sequence[str]] = field(default_factory=dict)
    not_offered: Mapping[str, Sequence[str]] = field(default_factory=dict)
    announced: Mapping[str, str] = field(default_factory=dict)
    turns: Mapping[str, int] = field(default_factory=dict)
    reexported: Sequence[str] = ()
    rejudged: Sequence[Mapping[str, Any]] = ()
    workers: Sequence[Mapping[str, Any]] = ()
    broken: str = ""
    untried: Sequence[str] = ()

    @property
    def exercised(self) -> list[str]:
        """The names with at least one case that NumPy accepts."""
        return sorted(name for name, valid in self.counts.valid.items() if valid)

    @property
    def judged(self) -> list[str]:
        """The names of which an answer was judged: a value for a valid call, in any mode; and those with a finding."""
        differing = {finding.name for finding in self.findings}
        return sorted(
            {name for name in self.exercised if self.counts.answered.get(name, Counter()).total()} | differing
        )

    @property
    def agreeing(self) -> list[str]:
        """The names without a finding of which an answer was judged in every mode that they were run in."""
        differing, counts = {finding.name for finding in self.findings}, self.counts
        return [
            name
            for name in self.judged
            if name not in differing
            and all(counts.answered[name][mode] for mode, asked in counts.asked.get(name, {}).items() if asked)
        ]

    @property
    def modes_not_judged(self) -> list[str]:
        """The modes that ran, and of which no answer was judged."""
        judged = {mode for modes in self.counts.answered.values() for mode, count in modes.items() if count}
        judged |= {mode for finding in self.findings for mode in finding.modes}
        return sorted({label_mode(mode) for mode, count in self.counts.runs.items() if count} - judged)

    @property
    def faulted(self) -> list[str]:
        """The names of which the judge failed on every answer, by an exception of its own."""
        failed = self.counts.undecided.get(UNDECIDED, {})
        return sorted(name for name in self.exercised if failed.get(name) and name not in self.judged)

    @property
    def complaints(self) -> list[str]:
        """What is wrong with accepted differences: out of date, or past their share."""
        runs = {name: _count_by_label(modes) for name, modes in self.counts.runs_of.items()}
        options = self.options
        domain = find_domain(options.subject)
        rows = domain.list_accepted() if domain.has_shares(options.subject, options.names) else ()
        return [*self.stale, *find_excessive(rows, self.counts.allowed, runs)]

    def _describe_names(self) -> dict[str, Any]:
        """Return what was done with each name."""
        counts = self.counts
        return {
            name: {
                "cases": cases,
                "valid": round(counts.valid[name] / cases, 3),
                "runs": dict(counts.runs_of.get(name, {})),
                "asked": {mode: count for mode, count in counts.asked.get(name, {}).items() if count},
                "answers": {mode: count for mode, count in counts.answered.get(name, {}).items() if count},
                "parameters": {key: dict(modes) for key, modes in sorted(counts.given.get(name, {}).items())},
                **({"depth": counts.depth[name].data()} if name in counts.depth else {}),
            }
            for name, cases in sorted(counts.cases.items())
            if cases
        }

    def data(self) -> dict[str, Any]:
        """Return the summary as summary.json has it."""
        counts, domain = self.counts, find_domain(self.options.subject)
        return {
            "subject": self.options.subject,
            "versions": find_versions(self.options.subject, self.options.interpreter),
            "devices": list(self.options.devices),
            "modes": list(self.options.modes),
            "schedule": {
                "modes": dict(self.turns),
                "programs": self.options.programs,
                "keywords": self.options.keywords,
            },
            "left_out": self.options.left_out,
            "setup": self.options.setup,
            "interpreter": self.options.interpreter,
            "fail_on": self.options.fail_on,
            "calls": self.options.calls,
            "seed": self.seed,
            "shard": "{}/{}".format(*self.options.shard),
            "seconds": round(self.seconds, 3),
            "interrupted": self.interrupted,
            "broken": self.broken,
            "workers": [dict(row) for row in self.workers],
            "cases": counts.total,
            "cases_per_core_second": {
                mode: round(counts.runs[mode] / seconds, 1) for mode, seconds in counts.seconds.items() if seconds
            },
            "core_seconds": {mode: round(seconds, 3) for mode, seconds in counts.seconds.items()},
            "core_seconds_by_name": {name: round(seconds, 3) for name, seconds in sorted(counts.seconds_of.items())},
            "names": {
                "total": len(domain.names),
                "present": len(set(self.present) & set(domain.names)),
                "exercised": len(self.exercised),
                "judged": len(self.judged),
                "agreeing": len(self.agreeing),
                "reexported": len(set(self.reexported) & set(domain.names)),
            },
            "topics": count_by_topic(domain.topics, self.present, self.exercised, self.agreeing),
            "by_name": self._describe_names(),
            "answers": counts.runs.total(),
            "allowed": summarise_allowed(counts, self.announced, domain.list_accepted()),
            "not_offered": count_parameters(self.not_offered),
            "not_judged": {
                "names": sorted(set(self.exercised) - set(self.judged)),
                "modes": self.modes_not_judged,
                "faulted": self.faulted,
            },
            "undecided": sort_counts(counts.undecided),
            "unsupported": {name: dict(modes) for name, modes in sorted(counts.unsupported.items())},
            "stale": self.complaints,
            "lost": dict(sorted(counts.lost.items())),
            "failures": dict(counts.failures),
            "harness_faults": counts.harness_faults.data(),
            "rejudged": [dict(row) for row in self.rejudged],
            "untried": list(self.untried),
            "missing_parameters": {name: list(parameters) for name, parameters in sorted(self.missing.items())},
            **group_rows([finding.data() for finding in self.findings], self.options.subject),
        }


def group_rows(rows: Sequence[dict[str, Any]], subject: str) -> dict[str, Any]:
    """Return the findings, each with the id of its cause and the known bugs that it resembles, and the causes."""
    bugs = load_bugs(find_library(subject))
    rows = [row | {"upstream": recognise(row, bugs)} for row in rows]
    causes = group_findings(rows)
    ids = {row["id"]: cause.id for cause in causes for row in cause.rows}
    return {
        "causes": [cause.data() for cause in causes],
        "findings": [row | {"cause": ids[row["id"]]} for row in rows],
    }


def count_parameters(not_offered: Mapping[str, Sequence[str]]) -> dict[str, int]:
    """Return how many names do not offer each parameter, the largest counts first."""
    counts = Counter(key for keys in not_offered.values() for key in keys if not key.startswith("after "))
    return dict(counts.most_common())


def summarise_allowed(counts: Counts, announced: Mapping[str, str], accepted: Sequence[Accepted]) -> dict[str, Any]:
    """Return the accepted differences, the most frequent first: reason, share of all answers, counts by name and mode.

    `announced` maps the ids of the subject's adapter to their reasons; `accepted` is what the subject's domain accepts.
    """
    answers, found = counts.runs.total(), {}
    reasons = {row.id: (row.reason, row.why) for row in accepted}
    reasons |= {entry: (BY_DESIGN, why) for entry, why in announced.items()}
    for entry in sorted(reasons, key=lambda entry: -_sum_counts(counts.allowed.get(entry, {}))):
        taken = counts.allowed.get(entry)
        if taken:
            reason, why = reasons[entry]
            found[entry] = {
                "reason": reason,
                "why": why,
                "count": _sum_counts(taken),
                "share": round(_sum_counts(taken) / answers, 6),
                "names": {name: dict(modes) for name, modes in sorted(taken.items())},
            }
    return found


def sort_counts(counts: dict[str, dict[str, Counter[str]]]) -> dict[str, Any]:
    """Return counts by reason, name and mode, the largest first."""
    return {
        reason: {"count": _sum_counts(names), "names": {name: dict(modes) for name, modes in sorted(names.items())}}
        for reason, names in sorted(counts.items(), key=lambda item: -_sum_counts(item[1]))
    }


def _sum_counts(names: dict[str, Counter[str]]) -> int:
    return sum(modes.total() for modes in names.values())


def _count_by_label(modes: Counter[str]) -> Counter[str]:
    return Counter({label_mode(mode): count for mode, count in modes.items()})


@lru_cache(maxsize=8)
def _list_versions(subject: str) -> tuple[tuple[str, str], ...]:
    head = subject.partition(".")[0]
    distributions = {package: package for package in PACKAGES} | {head: _find_distribution(head)}
    found = {"python": platform.python_version()}
    for package, distribution in distributions.items():
        if package == TENSORFLOW and not _may_use_tensorflow(subject, distributions[head]):
            continue
        try:
            found[package] = version(distribution)
        except PackageNotFoundError:
            pass
    if head not in found and (revision := find_revision(subject)):
        found[head] = f"commit {revision[:10]}{'+' if revision.endswith('+') else ''}"
    return tuple(found.items())


def _may_use_tensorflow(subject: str, distribution: str) -> bool:
    """Return whether a subject is TensorFlow, requires it, is not installed, or has tensors by its adapter."""
    adapter = find_adapter(subject)
    try:
        required = requires(distribution) or ()
    except PackageNotFoundError:
        return True
    is_named = any(text.partition(";")[0].startswith(TENSORFLOW) for text in (distribution, *required))
    return is_named or (adapter is not None and adapter.tensors)


def _find_distribution(module: str) -> str:
    """Return the distribution that has a module, or the module's own name."""
    return next(iter(packages_distributions().get(module, ())), module)


def find_versions(subject: str, interpreter: str = "") -> dict[str, str]:
    """Return the versions of the subject and of the packages involved, in the environment of an interpreter if one is
    named; of a subject that is not installed, the commit of its sources, if there is one.
    """
    versions = dict(_list_versions(subject))
    if not interpreter:
        return versions
    head = subject.partition(".")[0]
    others = {name.lower().replace("-", "_"): value for name, value in list_versions(interpreter).items()}
    return {name: others[name] for name in ("python", *PACKAGES, head) if name in others}
