"""Reading a run back from its directory, to resume it or to report it, however it ended."""

from __future__ import annotations

import base64
import re
from array import array
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from fuzz.engine.campaign import Earlier
from fuzz.engine.domains import find_domain
from fuzz.engine.provenance import Provenance
from fuzz.engine.run_options import FORMAT, Options, parse_shard, parse_time_scale
from fuzz.engine.scheduler import CALLS, ENGINES, LEARNT, TURNS
from fuzz.engine.summary import COUNTS, Counts, Summary
from fuzz.triage.events import WORKER
from fuzz.triage.ledger import FINDING, OUTPUTS, Finding, Ledger
from fuzz.triage.output import FINDINGS, RUN, STATE
from fuzz.triage.queue import REDUCED_SO_FAR
from fuzz.triage.records import REJUDGED
from fuzz.triage.severity import CLASSES, FAIL_ON, classify_finding
from fuzz.triage.untrusted_input import (
    DEVICE,
    DOTTED,
    MODE,
    SETUP,
    STATE_LIMITS,
    TIME,
    Misfit,
    Text,
    Unreadable,
    check_path,
    read_data,
    read_lines,
    read_text,
    take,
)
from oracle import Case
from oracle.harness import parse_json

MOST_FINDINGS = 5000  # of a directory that is read: causes are found by comparing them
COMMAND = Text(100_000)
RUN_FORM: dict[str, Any] = {
    "format": int,
    "subject": DOTTED,
    "setup": SETUP,
    "interpreter": str,
    "names": [str],
    "modes": [MODE],
    "devices": [DEVICE],
    "seed": int,
    "shard": str,
    "programs": int,
    "keywords": int,
    "signatures": bool,
    "engine": frozenset(ENGINES),
    "seconds": (int, float, type(None)),
    "cases": (int, type(None)),
    "values_only": bool,
    "siblings": int,
    "own_modes": [MODE],
    "fail_on": frozenset(FAIL_ON),
    "turns": frozenset(TURNS),
    "calls": frozenset(CALLS),
    "time_scale": (int, float),
    "versions": {str: str},
    "revision": re.compile(r"(?:[0-9a-f]{7,64}\+?)?"),
    "machine": str,
    "started": TIME,
    "command": COMMAND,
}
STATE_FORM: dict[str, Any] = {
    "format": int,
    "finished": bool,
    "following": int,
    "seconds": (int, float),
    "present": [str],
    "reexported": [str],
    "stale": [str],
    "missing": {str: [str]},
    "adapted": bool,
    "announced": {str: str},
    "counts": COUNTS,
    "features": re.compile(r"[A-Za-z0-9+/=]*"),
    "schedule": LEARNT,
    "reductions": REDUCED_SO_FAR,
    "rejudged": [REJUDGED],
    "workers": [WORKER],
}


@dataclass(frozen=True)
class Stored:
    """The contents of a run's directory. `state` is None if the run ended before its first case."""

    root: Path
    run: Mapping[str, Any]
    state: Mapping[str, Any] | None = None
    findings: list[Finding] = field(default_factory=list)

    @property
    def options(self) -> Options:
        """The options of the run."""
        run = self.run
        return Options(
            names=tuple(run["names"]),
            seconds=run["seconds"],
            cases=run["cases"],
            seed=run["seed"],
            modes=tuple(run["modes"]),
            devices=tuple(run["devices"]),
            subject=run["subject"],
            setup=run["setup"],
            interpreter=run["interpreter"],
            shard=parse_shard(run["shard"]),
            programs=run["programs"],
            keywords=run["keywords"],
            signatures=run["signatures"],
            engine=run["engine"],
            values_only=run["values_only"],
            siblings=run["siblings"],
            own_modes=tuple(run["own_modes"]),
            fail_on=run["fail_on"],
            turns=run["turns"],
            calls=run["calls"],
            time_scale=parse_time_scale(run["time_scale"]),
            provenance=Provenance.from_data(run),
        )

    @property
    def started(self) -> datetime:
        """The time at which the run started."""
        return datetime.fromisoformat(self.run["started"])

    @property
    def earlier(self) -> Earlier:
        """The state and findings from which a campaign resumes."""
        return Earlier(self.state, self.findings)

    def summary(self) -> Summary:
        """Return the summary of the run, as far as it went."""
        state, domain = self.state or {}, find_domain(self.run["subject"])
        self._count_findings()
        counts = Counts.from_data(state["counts"]) if state else Counts()
        modes = [
            mode if device == "CPU:0" else f"{mode}@{device}" for device in self.devices for mode in self.run["modes"]
        ]
        return Summary(
            options=self.options,
            seed=self.run["seed"],
            seconds=state.get("seconds", 0.0),
            counts=counts,
            present=state.get("present", ()),
            reexported=state.get("reexported", ()),
            findings=sorted(self.findings, key=lambda finding: finding.key),
            interrupted=not state.get("finished", False),
            stale=state.get("stale", ()),
            missing=state.get("missing", {}) if self.options.reports_signatures else {},
            not_offered={} if self.options.reports_signatures else state.get("missing", {}),
            by_design=state.get("announced", {}),
            turns=domain.schedule(self.options, domain.names[:1], modes, 0).turns(),
            rejudged=state.get("rejudged", ()),
            workers=state.get("workers", ()),
        )

    def _count_findings(self) -> None:
        """Set how often each finding was seen: its line may be older than the state."""
        if self.state is None:
            return
        times = {tuple(key): count for *key, _, count in self.state["reductions"]["seen"]}
        counts: Counter[str] = Counter()
        for *key, identity in self.state["reductions"]["led"]:
            counts[identity] += times.get(tuple(key), 0)
        for finding in self.findings:
            finding.count = counts[finding.id] or finding.count

    @property
    def devices(self) -> list[str]:
        return self.run["devices"] or ["CPU:0"]


def read_run(directory: Path) -> Stored:
    """Read the run in a directory. Raises Unreadable if there is none, or if files are missing."""
    path = directory / RUN
    found = read_data(path, {"format": int})["format"]
    if found != FORMAT:
        raise Unreadable(f"{path}: has format {found}; this version reads format {FORMAT}")
    run = read_data(path, RUN_FORM)
    state = read_data(directory / STATE, STATE_FORM, STATE_LIMITS) if (directory / STATE).exists() else None
    stored = Stored(directory, run, state, read_findings(directory))
    try:
        stored.summary()
        if state is not None:
            _check_encoded(state)
    except (TypeError, ValueError, AttributeError, KeyError, IndexError) as error:
        raise Unreadable(f"{directory}: not a run that can be resumed: {error}") from None
    return stored


def _check_encoded(state: Mapping[str, Any]) -> None:
    """Raise ValueError if a text of a state cannot be decoded as what it holds: features, differences."""
    array("I", base64.b64decode(state["features"], validate=True))
    for difference in (*state["reductions"]["first"], *state["reductions"]["open"]):
        Case.from_json(difference["case"])
        if difference["outputs"]:
            take(parse_json(difference["outputs"]), OUTPUTS)


def read_findings(directory: Path) -> list[Finding]:
    """Return the findings in a run's directory; the last line of each counts. Raises Unreadable."""
    path = directory / FINDINGS
    rows: dict[str, Mapping[str, Any]] = {}
    if path.exists():
        for number, row in enumerate(read_lines(path), 1):
            try:
                finding = take(row, FINDING)
            except Misfit as error:
                raise Unreadable(f"{path}, line {number}: not a finding: {error}") from None
            rows[finding["id"]] = finding
            if len(rows) > MOST_FINDINGS:
                raise Unreadable(f"{path}: more than {MOST_FINDINGS:,} findings; no more are read")
    return [_restore_finding(directory, row) for row in rows.values()]


def _restore_finding(directory: Path, row: Mapping[str, Any]) -> Finding:
    minimal, *others = (_read_case(directory, name) for name in (row["case"], *row["others"]))
    return Finding.from_data(row, minimal, others)


def _read_case(directory: Path, name: str) -> Case:
    path = check_path(directory, name, str(directory / FINDINGS))
    try:
        return Case.from_json(read_text(path, is_inside=True))
    except ValueError as error:
        raise Unreadable(f"{path}: {error}") from None


def _merge_findings(findings: Sequence[Finding]) -> Ledger:
    """Return the findings of several runs. One is known, older or not reproduced only if it is in each run that has it,
    and its call is of the worst class in which a run shows it: no run excuses what another has found.
    """
    new = {finding.id for finding in findings if not finding.known}
    ledger = Ledger(finding.marks[0] for finding in findings if finding.id not in new)
    newer = {finding.id for finding in findings if not finding.older}
    ledger.restore(sorted(findings, key=_rank_evidence))
    for finding in ledger:
        finding.older = finding.id not in newer
    return ledger


def _rank_evidence(finding: Finding) -> tuple[bool, int, int]:
    """Return how little an entry says for a finding of a merge, as a sort key."""
    worst = CLASSES.index(classify_finding(finding.kind, finding.minimal, finding.symptom))
    return finding.reproduced is False, worst, (True, None, False).index(finding.reproduced)


def merge_runs(stored: Sequence[Stored]) -> Summary:
    """Return one summary of several runs of a subject. Raises ValueError if subject or setup differ."""
    first = stored[0]
    for other in stored[1:]:
        for key in ("subject", "setup"):
            if other.run[key] != first.run[key]:
                raise ValueError(
                    f"{other.root} is of {key} {other.run[key] or 'none'}, {first.root} of {first.run[key] or 'none'}"
                )
    ledger, whole = _merge_findings([finding for run in stored for finding in run.findings]), first.summary()
    for other in stored[1:]:
        part = other.summary()
        whole.counts.merge(part.counts)
        whole.seconds += part.seconds
        whole.present = sorted({*whole.present, *part.present})
        whole.reexported = sorted({*whole.reexported, *part.reexported})
        whole.interrupted |= part.interrupted
        whole.workers = [*whole.workers, *part.workers]
        whole.turns = {**part.turns, **whole.turns}
        whole.missing = {**whole.missing, **part.missing}
        whole.not_offered = {**whole.not_offered, **part.not_offered}
        whole.by_design = {**whole.by_design, **part.by_design}
        whole.stale = tuple(dict.fromkeys((*whole.stale, *part.stale)))
    modes = tuple(dict.fromkeys(mode for run in stored for mode in run.run["modes"]))
    devices = tuple(dict.fromkeys(device for run in stored for device in run.devices))
    strictest = max((run.run["fail_on"] for run in stored), key=lambda fail_on: len(FAIL_ON[fail_on]))
    whole.options = replace(whole.options, modes=modes, devices=devices, shard=(1, 1), fail_on=strictest)
    whole.findings = list(ledger)
    whole.parts = [{**row, "command": run.run["command"]} for run in stored for row in run.summary().provenance]
    return whole
