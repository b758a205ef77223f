"""The record of a run: plain data, from which every report is made and can be made again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from fuzz.differences import SIGNATURE
from fuzz.engine.harness_faults import HARNESS_FAULT
from fuzz.triage.events import WORKER
from fuzz.triage.ledger import FINDING
from fuzz.triage.records import REJUDGED
from fuzz.triage.root_cause import Cause, group_findings, rank_kind
from fuzz.triage.severity import (
    CLASSES,
    FAIL_ON,
    KNOWN,
    NOT_REPRODUCED,
    OF_FUNCTIONS,
    OLDER,
    STATUSES,
    count_classes,
    fails_run,
    find_status,
    is_new,
)
from fuzz.triage.untrusted_input import (
    DEVICE,
    DOTTED,
    LINES,
    MODE,
    SETUP,
    TIME,
    Default,
    Text,
    check_path,
    read_data,
    read_text,
)
from oracle.harness import make_printable

SUMMARY, RUN = "summary.json", "run.json"
NUMBER = (int, float)
COUNTS = {str: int}
CHOSEN = {"names": {str: COUNTS}, "count": int}
ROW: dict[str, Any] = {key: Default(getattr(form, "form", form)) for key, form in FINDING.items()}
ROW |= {key: FINDING[key] for key in ("id", "name", "kind", "modes", "repro")}
ROW |= {"call_class": Default(frozenset(CLASSES)), "structure": Default(str), "minimal": Default(Text(100_000))}
ROW |= {"root": Default(str), "upstream": Default([str]), "cause": Default(str), "status": Default(frozenset(STATUSES))}
NAME = {"cases": int, "valid": NUMBER, "runs": Default(COUNTS), "asked": Default(COUNTS), "answers": Default(COUNTS)}
NAME |= {"parameters": Default({str: COUNTS})}
NAME |= {"depth": Default({"calls": int, "parameters": {str: {str: NUMBER}}})}
OTHER_INTERPRETER = "INTERPRETER"
"""What a command says in place of an interpreter that only a file names."""

TOTALS = dict.fromkeys(("total", "present", "exercised", "agreeing"), int)
PART = {"seed": int, "shard": str, "versions": {str: str}, "revision": str, "machine": str, "started": TIME}
OPTIONAL: dict[str, Any] = {
    "versions": {str: str},
    "provenance": [PART | {"command": Default(Text(100_000))}],
    "schedule": {"modes": COUNTS, "programs": int, "keywords": int},
    "left_out": [str],
    "setup": SETUP,
    "interpreter": str,
    "fail_on": frozenset(FAIL_ON),
    "calls": str,
    "seed": int,
    "shard": str,
    "seconds": NUMBER,
    "interrupted": bool,
    "broken": str,
    "workers": [WORKER],
    "cases": int,
    "cases_per_core_second": {str: NUMBER},
    "core_seconds": {str: NUMBER},
    "core_seconds_by_name": {str: NUMBER},
    "names": TOTALS | {"reexported": Default(int), "judged": Default(int)},
    "topics": [TOTALS | {"topic": str}],
    "answers": int,
    "allowed": {str: CHOSEN | {"reason": str, "why": str, "share": NUMBER}},
    "not_offered": COUNTS,
    "not_judged": {"names": [str], "modes": [str], "faulted": [str]},
    "undecided": {str: CHOSEN},
    "unsupported": {str: COUNTS},
    "stale": [str],
    "lost": COUNTS,
    "failures": {LINES: int},
    "harness_faults": [HARNESS_FAULT],
    "rejudged": [REJUDGED],
    "untried": [str],
    "missing_parameters": {str: [str]},
    "statuses": {str: int},
}
FORM: dict[str, Any] = {key: Default(form) for key, form in OPTIONAL.items()}
FORM |= {"subject": DOTTED, "devices": [DEVICE], "modes": [MODE], "by_name": {str: NAME}, "findings": [ROW]}
"""The form of a summary; its causes are made of the findings."""


@dataclass(frozen=True)
class RunRecord:
    """The summary of a run, as summary.json has it, with the texts of scripts and cases by finding, and the command
    that repeats the run.
    """

    summary: Mapping[str, Any]
    scripts: Mapping[str, str] = field(default_factory=dict)
    cases: Mapping[str, str] = field(default_factory=dict)
    command: str = ""

    @classmethod
    def load(cls, directory: Path, *, is_ours: bool = True) -> RunRecord:
        """Read the record from a run's directory. Raises Unreadable if there is none. Of a run that is not ours no
        command names the program that its files call its interpreter: people copy commands, and run them.
        """
        path = directory / SUMMARY
        summary = read_data(path, FORM)
        if summary.get("interpreter") and not is_ours:
            summary["interpreter"] = OTHER_INTERPRETER
        scripts, cases = (_read_texts(directory, summary["findings"], key) for key in ("repro", "case"))
        run = directory / RUN
        command = read_data(run, {"command": Text(100_000)})["command"] if run.exists() else ""
        return cls(summary, scripts, cases, command)

    @property
    def findings(self) -> Sequence[Mapping[str, Any]]:
        """The findings, as lines of findings.jsonl have them."""
        return self.summary["findings"]

    @cached_property
    def shown(self) -> list[Mapping[str, Any]]:
        """The findings but those that their scripts did not show."""
        return [row for row in self.findings if find_status(row) != NOT_REPRODUCED]

    @cached_property
    def unreproduced(self) -> list[Mapping[str, Any]]:
        """The findings that their scripts did not show, the worst first: they do not fail the run."""
        rows = [row for row in self.findings if find_status(row) == NOT_REPRODUCED]
        return [row for cause in group_findings(rows) for row in cause.rows]

    @property
    def new(self) -> list[Mapping[str, Any]]:
        """The findings that no baseline accepts, that no base has, and that no script has failed to show."""
        return [row for row in self.findings if is_new(row)]

    @property
    def fail_on(self) -> str:
        """The least severe class of calls whose new findings fail the run, or "any"."""
        fail_on = self.summary.get("fail_on", "any")
        return fail_on if fail_on in FAIL_ON else "any"

    @property
    def failing(self) -> list[Mapping[str, Any]]:
        """The new findings that fail the run."""
        return [row for row in self.findings if fails_run(row, self.fail_on)]

    @property
    def severities(self) -> str:
        """How many new findings there are by class of call, in a line; empty without any."""
        counts = count_classes(self.new)
        passed = len(self.new) - len(self.failing)
        told = ", ".join(f"{count:,} of {name} calls" for name, count in counts.items())
        return f"{told}; {passed:,} do not fail the run (--fail-on {self.fail_on})" if passed else told

    @cached_property
    def causes(self) -> list[Cause]:
        """The findings grouped by cause, the worst first, but those that their scripts did not show."""
        return group_findings(self.shown)

    @cached_property
    def modes(self) -> list[str]:
        """The modes of the run, one entry for each device, labelled as in findings."""
        devices = self.summary.get("devices") or ["CPU:0"]
        asked = [
            mode if device == "CPU:0" else f"{mode}@{device}" for device in devices for mode in self.summary["modes"]
        ]
        return list(dict.fromkeys([*asked, *sorted({mode for row in self.findings for mode in row["modes"]})]))

    @cached_property
    def asked(self) -> dict[str, frozenset[str]]:
        """By name, the modes in which valid calls were judged."""
        judged = (self.summary.get("by_name") or {}).items()
        return {name: frozenset(counts.get("asked", counts.get("runs", {}))) for name, counts in judged}

    @cached_property
    def answered(self) -> dict[str, frozenset[str]]:
        """By name, the modes that answered a valid call by a value."""
        judged = (self.summary.get("by_name") or {}).items()
        return {name: frozenset(counts.get("answers", counts.get("runs", {}))) for name, counts in judged}

    @cached_property
    def worst(self) -> dict[str, dict[str, str]]:
        """The worst kind of finding, by name and mode."""
        worst: dict[str, dict[str, str]] = {}
        for row in self.shown:
            modes = worst.setdefault(row["name"], {})
            for mode in row["modes"]:
                modes[mode] = min(modes.get(mode, row["kind"]), row["kind"], key=rank_kind)
        return worst

    @property
    def by_name(self) -> dict[str, list[Mapping[str, Any]]]:
        """The findings of each name, in alphabetical order."""
        groups: dict[str, list[Mapping[str, Any]]] = {}
        for row in sorted(self.findings, key=lambda row: (row["name"].lower(), row["kind"], row["id"])):
            groups.setdefault(row["name"], []).append(row)
        return groups

    @property
    def by_kind(self) -> dict[str, int]:
        """The number of findings of each kind, the worst kind first, but those that their scripts did not show."""
        counts = Counter(row["kind"] for row in self.shown)
        return {kind: counts[kind] for kind in sorted(counts, key=rank_kind)}

    @property
    def complaints(self) -> Sequence[str]:
        """Problems with allowances: no longer needed, expired, or past their share."""
        return self.summary.get("stale", ())

    @property
    def workers(self) -> Sequence[Mapping[str, Any]]:
        """The workers of a cluster, in the order in which they joined."""
        return self.summary.get("workers", ())

    @property
    def troubled_workers(self) -> list[str]:
        """A line for each worker of a cluster that was lost, or could not be used."""
        return [describe_worker(row) for row in self.workers if row["state"] not in ("ready", "starting")]

    @property
    def untried(self) -> int:
        """The number of findings for which there was no time: they are not reduced, or no script was tried."""
        return len(self.summary.get("untried", ()))

    def describe_untried(self) -> str:
        """Return what there was no time for, of those findings."""
        rows = [row for row in self.findings if row["id"] in set(self.summary.get("untried", ()))]
        waiting = sum(row.get("reproduced") is None and row["kind"] not in OF_FUNCTIONS for row in rows)
        larger = sum(not row.get("reduced", True) for row in rows)
        parts = [f"to reduce {format_count(larger, 'finding')} thoroughly"] if larger else []
        parts += [f"to try the script of {format_count(waiting, 'finding')}"] if waiting else []
        return " and ".join(parts)

    def describe_trial(self, row: Mapping[str, Any]) -> str:
        """Return what is to be said of a finding that no script shows; else nothing."""
        if row["kind"] in OF_FUNCTIONS or row.get("reproduced"):
            return ""
        if row.get("reproduced") is False:
            return NOT_REPRODUCED
        return "script not tried: no time" if row["id"] in self.summary.get("untried", ()) else "script not tried"

    @property
    def rejudged(self) -> Sequence[Mapping[str, Any]]:
        """What has become of findings that were known before, the worst first."""
        return self.summary.get("rejudged", ())

    @property
    def harness_faults(self) -> Sequence[Mapping[str, Any]]:
        """Exceptions and deaths of the judge's own code, by location, the most frequent first."""
        return self.summary.get("harness_faults", ())

    @property
    def allowed(self) -> list[tuple[str, Mapping[str, Any]]]:
        """The allowances that accepted an answer, those with the largest share first."""
        return sorted(self.summary.get("allowed", {}).items(), key=lambda item: (-item[1]["count"], item[0]))

    @property
    def undecided(self) -> list[tuple[str, Mapping[str, Any]]]:
        """The reasons for which answers could not be judged, the most frequent first."""
        return sorted(self.summary.get("undecided", {}).items(), key=lambda item: (-item[1]["count"], item[0]))

    @property
    def unsupported(self) -> int:
        """The number of cases that a mode could not run."""
        return sum(sum(modes.values()) for modes in self.summary.get("unsupported", {}).values())

    @property
    def answers(self) -> int:
        """The number of answers, judged or not: one for each case and mode."""
        return self.summary.get("answers", 0)

    @property
    def standing(self) -> str:
        """How many answers depend on allowances, are undecided, or were not given."""
        allowed = sum(entry["count"] for _, entry in self.allowed)
        undecided = sum(entry["count"] for _, entry in self.undecided)
        counts = {"allowed": allowed, "undecided": undecided, "unsupported": self.unsupported}
        parts = [f"{count:,} {title} ({format_share(count, self.answers)})" for title, count in counts.items()]
        return f"of {format_count(self.answers, 'answer')}: {', '.join(parts)}"

    @property
    def not_offered(self) -> str:
        """What the subject's adapter declares as not offered, in a line; empty without an adapter."""
        parameters = self.summary.get("not_offered") or {}
        if not parameters:
            return ""
        listed = list_some([f"{name}= ({format_count(count, 'name')})" for name, count in parameters.items()])
        names = self.summary["names"]
        return f"not offered, and not asked for: {listed}; {names['total'] - names['present']} of NumPy's names"

    @property
    def reexported(self) -> str:
        """How many of NumPy's names are NumPy's own objects in the subject, in a line; empty if none is."""
        return describe_reexported(self.summary["names"].get("reexported", 0))

    @property
    def headline(self) -> str:
        """The verdict in one line."""
        subject, interrupted = self.summary["subject"], " so far" if self.summary.get("interrupted") else ""
        if not self.summary.get("cases"):
            return f"{subject}: nothing was judged"
        counts = Counter(map(find_status, self.findings))
        told = [format_count(counts[KNOWN], "known one")] * bool(counts[KNOWN])
        told += [f"{counts[status]} {status}" for status in (OLDER, NOT_REPRODUCED) if counts[status]]
        tail = f" ({', '.join(told)})" if told else ""
        if not self.new and not self.complaints:
            names = self.summary["names"]
            if not names.get("judged", names["exercised"]):
                return f"{subject}: nothing was judged: no valid call was answered by a value that could be"
            judged = f"{names.get('judged', names['exercised'])} of {names['total']} names"
            return f"{subject}: no difference in {judged}{interrupted}{tail}{self._list_unjudged()}"
        names, missing = len({row["name"] for row in self.new}), sum(row["kind"] == SIGNATURE for row in self.new)
        kinds = [(len(self.new) - missing, "difference"), (missing, "missing parameter")]
        found = " and ".join(format_count(count, noun) for count, noun in kinds if count)
        parts = [f"{found} in {format_count(names, 'name')}{tail}"] if self.new else []
        parts += [format_count(len(self.complaints), "stale allowance")] if self.complaints else []
        return f"{subject}: {', '.join(parts)}{interrupted}"

    def _list_unjudged(self) -> str:
        """Return how many exercised names, and which modes, were not judged, for the headline."""
        unjudged = self.not_judged
        parts = [f"{format_count(len(unjudged['names']), 'name')}"] * bool(unjudged["names"])
        parts += [f"the modes {list_some(unjudged['modes'])}"] * bool(unjudged["modes"])
        faulted = f" (the judge failed on {len(unjudged['faulted'])})" if unjudged["faulted"] else ""
        return f"; not judged: {' and '.join(parts)}{faulted}" if parts else ""

    @property
    def not_judged(self) -> Mapping[str, Sequence[str]]:
        """The exercised `names` and the `modes` of which no answer was judged; the judge `faulted` on some of them."""
        return self.summary.get("not_judged") or {"names": (), "modes": (), "faulted": ()}

    @property
    def has_judged(self) -> bool:
        """Whether any answer was judged."""
        names = self.summary.get("names") or {}
        return bool(names.get("judged", names.get("exercised", 1)) or self.shown)

    @property
    def is_clean(self) -> bool:
        """Whether something was judged, in every mode that ran, and there are no new findings and no complaints."""
        unjudged = self.not_judged
        is_judged = self.has_judged and not unjudged["modes"] and not unjudged["faulted"]
        return is_judged and not self.new and not self.complaints

    @property
    def passes(self) -> bool:
        """Whether the run succeeds: no new finding that fails it, and no complaints."""
        return not self.failing and not self.complaints


def _read_texts(directory: Path, rows: Sequence[Mapping[str, Any]], key: str) -> dict[str, str]:
    """Return the existing files that rows name under a key, by the finding's id."""
    paths = {row["id"]: check_path(directory, row[key], str(directory)) for row in rows if row.get(key)}
    return {
        identity: make_printable(read_text(path, is_inside=True)) for identity, path in paths.items() if path.exists()
    }


def describe_worker(row: Mapping[str, Any]) -> str:
    """Return what became of a worker of a cluster, in a line."""
    label = row["name"] if row["name"] == row["address"] else f"{row['name']} ({row['address']})"
    again = ", ".join(format_count(count, task) for task, count in row["redone"].items())
    parts = [
        f"{label}: {row['state']}",
        f"since {row['lost']}" if row["lost"] else "",
        row["why"],
        f"after {format_count(row['answered'], 'task')}" if row["answered"] else "",
        f"done again by others: {again}" if again else "",
    ]
    return ", ".join(filter(None, parts))


def describe_reexported(count: int) -> str:
    """Return how many names a subject re-exports, in a line; empty if none."""
    return f"re-exports {count} of NumPy's names, which {'is' if count == 1 else 'are'} not judged" if count else ""


def describe_fault(fault: Mapping[str, Any]) -> str:
    """Describe a harness fault in a line: where it was, how often, what the judge was doing, and what happened."""
    mode = f" in {fault['mode']}" if fault["mode"] else ""
    return f"{fault['location']} ({format_count(fault['count'], 'time')}), {fault['part']}{mode}: {fault['error']}"


def format_share(count: int, total: int) -> str:
    """Format a share as a percentage: "0.3 %", "12 %"."""
    percent = 100 * count / total if total else 0.0
    return f"{percent:.2g} %" if percent < 10 else f"{percent:.0f} %"


def list_some(names: Sequence[str], most: int = 8) -> str:
    """Return the first few names, and how many more there are: "add, sort and 12 more"."""
    rest = len(names) - most
    return ", ".join(names[:most]) + (f" and {rest} more" if rest > 0 else "")


def format_count(number: int, noun: str) -> str:
    """Format a number of things: "1 case", "1,204 cases"."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def describe_agreement(row: Mapping[str, Any]) -> str:
    """Return which modes agree with one another: "eager = graph ≠ NumPy = xla"; without stored outputs, the modes that
    differ.
    """
    groups = (row.get("outputs") or {}).get("agreement") or []
    if len(groups) < 2:
        return ", ".join(row["modes"])
    return " ≠ ".join(" = ".join(group) for group in (*groups[1:], groups[0]))


def format_duration(seconds: float) -> str:
    """Format seconds as 42 s, 3 min 5 s or 1 h 2 min."""
    whole = round(seconds)
    if whole < 60:
        return f"{seconds:.1f} s" if seconds < 10 else f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600} h {whole % 3600 // 60} min"
