"""The result of a campaign as data: counts by name and mode, and the findings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from fuzz.differences import choose_cheapest, label_mode
from fuzz.engine.core_seconds import round_spent
from fuzz.engine.domain import count_by_topic
from fuzz.engine.domains import find_domain
from fuzz.engine.harness_faults import HARNESS_FAULT, HarnessFaults
from fuzz.engine.item_results import ItemResult
from fuzz.engine.provenance import join_versions
from fuzz.generate.argument_coverage import ArgumentCounts
from fuzz.triage.ledger import Finding
from fuzz.triage.root_cause import group_findings
from fuzz.triage.severity import STATUSES, find_status
from fuzz.triage.untrusted_input import LINES, Row
from fuzz.upstream.recognition import find_library, load_bugs, recognise
from oracle.harness import ACCEPTING, BY_DESIGN, UNDECIDED, Accepted, find_excessive


@dataclass
class Counts:
    """The counts of all items together."""

    items: int = 0
    drawn: int = 0
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
    depth: dict[str, ArgumentCounts] = field(default_factory=dict)
    lost: Counter[str] = field(default_factory=Counter)
    failures: Counter[str] = field(default_factory=Counter)
    harness_faults: HarnessFaults = field(default_factory=HarnessFaults)
    spent: dict[str, dict[str, Counter[str]]] = field(default_factory=dict)
    work: Counter[str] = field(default_factory=Counter)

    def add(self, result: ItemResult) -> None:
        """Add the result of one item."""
        self.items += 1
        self.drawn += result.drawn
        self.cases[result.name] += result.cases
        self.valid[result.name] += result.valid
        self.runs.update(result.runs)
        self.runs_of.setdefault(result.name, Counter()).update(result.runs)
        for parameter in sorted(result.given):  # state.json has the order of entry, which a set's must not decide
            modes = self.given.setdefault(result.name, {}).setdefault(parameter, Counter())
            modes.update(map(label_mode, result.answered))
        self.seconds.update(result.seconds)
        if result.seconds:
            self.seconds_of.update({result.name: sum(result.seconds.values())})
        self._add_answers(result)
        self._add_spent(result)
        self.harness_faults.merge(result.harness_faults)
        if result.depth is not None:
            self.depth.setdefault(result.name, ArgumentCounts()).add(result.depth)
        for (entry, mode), count in result.allowed.items():
            self.allowed.setdefault(entry, {}).setdefault(result.name, Counter())[mode] += count
        for (reason, mode), count in result.undecided.items():
            self.undecided.setdefault(reason, {}).setdefault(result.name, Counter())[mode] += count
        if result.unsupported:
            self.unsupported.setdefault(result.name, Counter()).update(result.unsupported)

    def _add_answers(self, result: ItemResult) -> None:
        """Add the modes that answered a valid call by a value, and an example for each that has not yet."""
        self.asked.setdefault(result.name, Counter()).update(
            {label_mode(mode): count for mode, count in result.asked.items()}
        )
        answered = self.answered.setdefault(result.name, Counter())
        answered.update(map(label_mode, result.answered))
        for mode, (case, error) in result.unanswered.items():
            self.unanswered.setdefault((result.name, label_mode(mode)), (result.index, case, error))

    def find_spent(self, name: str, mode: str) -> Counter[str]:
        """Return the seconds by phase of a name in a mode, and what they bought: see `fuzz.engine.core_seconds`."""
        return self.spent.setdefault(name, {}).setdefault(mode, Counter())

    def _add_spent(self, result: ItemResult) -> None:
        for mode, count in result.runs.items():
            judged = count - result.unsupported[mode]
            judged -= sum(times for (_, where), times in result.undecided.items() if where == mode)
            self.find_spent(result.name, mode).update({"structures": 1, "drawn": count, "judged": judged})
        for mode, phases in result.spent.items():
            self.find_spent(result.name, mode).update(phases)
        for difference in result.differences:
            for mode in difference.modes:
                self.find_spent(result.name, mode)["differences"] += difference.times

    def data(self) -> dict[str, Any]:
        """Return the counts as JSON-serializable data."""
        unanswered = [[name, mode, *found] for (name, mode), found in self.unanswered.items()]
        depth = {name: [entry.calls, entry.given, entry.classes] for name, entry in self.depth.items()}
        own = {key: getattr(self, key) for key in COUNTS if key not in ("unanswered", "depth", "harness_faults")}
        return {
            **own,
            "unanswered": unanswered,
            "depth": depth,
            "harness_faults": self.harness_faults.data(),
        }

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Counts:
        """Return the counts from data of the form COUNTS."""
        found = cls(items=data["items"], drawn=data["drawn"])
        for key in ONCE:
            setattr(found, key, Counter(data[key]))
        found.seconds_of = Counter(data["seconds_of"])
        found.work = Counter(data["work"])
        for key in TWICE:
            setattr(found, key, {name: Counter(counts) for name, counts in data[key].items()})
        for key in (*THRICE, "spent"):
            outer = data[key].items()
            setattr(found, key, {name: {one: Counter(c) for one, c in inner.items()} for name, inner in outer})
        for name, mode, index, case, error in data["unanswered"]:
            found.unanswered[name, mode] = (index, case, error)
        for name, (calls, given, classes) in data["depth"].items():
            counters = {parameter: Counter(counts) for parameter, counts in classes.items()}
            found.depth[name] = ArgumentCounts(calls, counters, Counter(given))
        found.harness_faults = HarnessFaults.from_data(data["harness_faults"])
        return found

    def merge(self, other: Counts) -> None:
        """Add the counts of another part of the same run."""
        self.items += other.items
        self.drawn += other.drawn
        for key in (*ONCE, "seconds_of", "work"):
            getattr(self, key).update(getattr(other, key))
        for key in TWICE:
            _add_all(getattr(self, key), getattr(other, key))
        for key in (*THRICE, "spent"):
            for name, inner in getattr(other, key).items():
                _add_all(getattr(self, key).setdefault(name, {}), inner)
        self.harness_faults.merge(other.harness_faults)
        for entry, found in other.unanswered.items():
            self.unanswered[entry] = min(found, self.unanswered.get(entry, found))
        for name, depth in other.depth.items():
            own = self.depth.setdefault(name, ArgumentCounts())
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

COUNTS: dict[str, Any] = {"items": int, "drawn": int, "work": {str: (int, float)}}
COUNTS |= {"spent": {str: {str: {str: (int, float)}}}}
COUNTS |= {key: {str: (int, float)} for key in ONCE}
COUNTS |= {key: {str: {str: int}} for key in TWICE}
COUNTS |= {key: {str: {str: {str: int}}} for key in THRICE}
COUNTS |= {"unanswered": [Row(str, str, int, LINES, LINES)], "seconds_of": {str: (int, float)}}
COUNTS |= {"depth": {str: Row(int, {str: int}, {str: {str: int}})}}
COUNTS |= {"harness_faults": [HARNESS_FAULT], "failures": {LINES: int}}


def _add_all(counts: dict[str, Counter[str]], others: Mapping[str, Counter[str]]) -> None:
    for name, counter in others.items():
        counts.setdefault(name, Counter()).update(counter)


@dataclass
class Summary:
    """The summary of a campaign that is over. `parts` are the provenance of the runs that it was merged from."""

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
    by_design: Mapping[str, str] = field(default_factory=dict)
    turns: Mapping[str, int] = field(default_factory=dict)
    reexported: Sequence[str] = ()
    rejudged: Sequence[Mapping[str, Any]] = ()
    workers: Sequence[Mapping[str, Any]] = ()
    broken: str = ""
    untried: Sequence[str] = ()
    parts: Sequence[Mapping[str, Any]] = ()

    @property
    def provenance(self) -> Sequence[Mapping[str, Any]]:
        """The provenance of the run, or of each of the `parts` that were merged."""
        options = self.options
        own = {"seed": self.seed, "shard": "{}/{}".format(*options.shard), **options.provenance.data()}
        return self.parts or [own]

    @property
    def exercised(self) -> list[str]:
        """The names with at least one case that NumPy accepts, or a finding, be it reproduced or not."""
        valid = {name for name, count in self.counts.valid.items() if count}
        return sorted(valid | {finding.name for finding in self.findings})

    @property
    def judged(self) -> list[str]:
        """The names of which an answer was judged: a value for a valid call, in any mode; and those with a finding that
        its script does not deny.
        """
        differing = {finding.name for finding in self.findings if finding.reproduced is not False}
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

    def _join_findings(self) -> dict[str, dict[str, Counter[str]]]:
        """Return what was spent by name and mode, with how many findings there are reduced, and how many wait."""
        spent = {name: {mode: Counter(row) for mode, row in modes.items()} for name, modes in self.counts.spent.items()}
        untried = set(self.untried)
        for finding in self.findings:
            row = spent.setdefault(finding.name, {}).setdefault(choose_cheapest(finding.modes), Counter())
            row["waiting" if finding.id in untried else "reduced"] += 1
        return spent

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
            "versions": join_versions(self.provenance),
            "provenance": [dict(row) for row in self.provenance],
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
            "work": {what: round(seconds, 3) for what, seconds in counts.work.items()},
            "spent": round_spent(self._join_findings()),
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
            "allowed": summarise_allowed(counts, self.by_design, domain.list_accepted()),
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
    rows = [row | {"upstream": recognise(row, bugs), "status": find_status(row)} for row in rows]
    causes = group_findings(rows)
    ids = {row["id"]: cause.id for cause in causes for row in cause.rows}
    return {
        "statuses": {status: sum(row["status"] == status for row in rows) for status in STATUSES},
        "causes": [cause.data() for cause in causes],
        "findings": [row | {"cause": ids[row["id"]]} for row in rows],
    }


def count_parameters(not_offered: Mapping[str, Sequence[str]]) -> dict[str, int]:
    """Return how many names do not offer each parameter, the largest counts first."""
    counts = Counter(key for keys in not_offered.values() for key in keys if not key.startswith("after "))
    return dict(counts.most_common())


def summarise_allowed(counts: Counts, by_design: Mapping[str, str], accepted: Sequence[Accepted]) -> dict[str, Any]:
    """Return the accepted differences, the most frequent first: reason, share of all answers, counts by name and mode.

    `by_design` maps the ids of the subject's adapter to their reasons; `accepted` is what the subject's domain accepts.
    """
    answers, found = counts.runs.total(), {}
    reasons = {row.id: (row.reason, row.why) for row in accepted}
    reasons |= {entry: (BY_DESIGN, why) for entry, why in by_design.items()}
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
