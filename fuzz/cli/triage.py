"""The command `triage`: judge everything known again, and say what has become of it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import click
from rich.console import Console

from fuzz.cli.case_files import Judged, find_judged, find_recorded
from fuzz.cli.history import append_verdicts
from fuzz.cli.options import (
    Unclear,
    mode_options,
    python_option,
    resolve_setup,
    resolve_subject,
    setup_option,
    subject_option,
)
from fuzz.engine.case_judge import CaseJudge, JudgeDied
from fuzz.engine.recovery import read_findings
from fuzz.engine.tasks import OWN
from fuzz.report.console import open_console
from fuzz.report.terminal import print_rejudged
from fuzz.triage.atomic_files import write_file
from fuzz.triage.baseline import Baseline, UnfitBaseline, read_baseline
from fuzz.triage.known_cases import (
    CHANGED,
    FIXED,
    REGRESSED,
    KnownFinding,
    Rejudged,
    decide_status,
    describe_statuses,
)
from fuzz.triage.ledger import Finding
from fuzz.triage.output import FINDINGS
from fuzz.triage.recorded_cases import RecordedCase
from fuzz.triage.untrusted_input import Unreadable
from oracle import Mode


@dataclass(frozen=True)
class KnownFile:
    """The known findings of a file, the subject that they are judged against, and the baseline, if it is one."""

    path: Path
    known: Sequence[KnownFinding]
    judged: Judged
    baseline: Baseline | None = None


@click.command(
    "triage",
    short_help="Judge everything known again: fixed, still there, changed, regressed.",
    epilog="Exit status: 0 if every known finding is still there or fixed, 1 if one has changed or regressed, 2 for a "
    "usage error, 3 if the harness itself failed.",
)
@click.argument("words", nargs=-1, required=True, metavar="DIR|FILE ...")
@subject_option
@setup_option
@mode_options
@python_option
@click.option("--prune", is_flag=True, help="Remove the fixed findings from a baseline.")
@click.option(
    "--history",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Append the result to this history; see `fuzz history`.",
)
@click.option("--json", "as_json", is_flag=True, help="Print as JSON.")
@click.option("--verbose", is_flag=True, help="Show tracebacks.")
def triage_command(
    words: tuple[str, ...],
    subject: str | None,
    setup: str | None,
    modes: Sequence[str] | None,
    devices: Sequence[str] | None,
    history: Path | None,
    interpreter: str,
    *,
    prune: bool,
    as_json: bool,
    verbose: bool,
) -> int:
    """Judge everything known again: a run's directory, a findings.jsonl, a baseline, or recorded cases.

    A finding is *still* there if one of its minimal cases shows it; *changed* if they show something else; *fixed* if
    all agree in every mode that showed it; *regressed* if it was fixed, as recorded cases are unless they are open.
    """
    console = open_console()
    files = [file for word in words for file in find_known(word, Judged(subject, setup))]
    if prune and not all(file.baseline for file in files):
        raise Unclear("--prune takes baselines; `replay --prune` takes recorded cases")
    rejudged: list[Rejudged] = []
    for judged in dict.fromkeys(file.judged for file in files):
        known = {file.path: list(file.known) for file in files if file.judged == judged}
        everything = [one for found in known.values() for one in found]
        results = rejudge(everything, judged, modes, devices, interpreter)
        rejudged += results
        for file in files:
            if prune and file.baseline is not None and file.judged == judged:
                _prune(file, results, console)
        if history is not None:
            append_verdicts(history, results, judged.subject or OWN)
    if as_json:
        console.print_json(json.dumps([one.data() for one in sorted(rejudged, key=lambda one: one.order)]))
    else:
        print_rejudged([one.data() for one in sorted(rejudged, key=lambda one: one.order)], console)
        console.print(describe_statuses(one.status for one in rejudged), highlight=False)
    return 1 if any(one.status in (REGRESSED, CHANGED) for one in rejudged) else 0


def rejudge(
    known: Sequence[KnownFinding],
    judged: Judged,
    modes: Sequence[str] | None,
    devices: Sequence[str] | None,
    interpreter: str = "",
) -> list[Rejudged]:
    """Judge the cases of known findings in the environment of an interpreter, each in those of its modes that are asked
    for, by default in all.
    """
    own = [Mode.parse(mode) for one in known for mode in one.modes]
    names = modes or list(dict.fromkeys(mode.name for mode in own)) or None
    locations = devices or list(dict.fromkeys(mode.device for mode in own)) or ("CPU:0",)
    with CaseJudge(judged.subject, names, locations, judged.setup, interpreter=interpreter) as case_judge:
        return [_rejudge_one(case_judge, one) for one in known]


def _rejudge_one(case_judge: CaseJudge, known: KnownFinding) -> Rejudged:
    modes = [mode for mode in known.modes if mode in case_judge.modes]
    if not modes:
        return decide_status(known, None)
    try:
        return decide_status(known, [one for case in known.cases for one in case_judge.judge(case, modes)])
    except JudgeDied as error:
        return replace(decide_status(known, None), shown=str(error))


def find_known(word: str, given: Judged) -> list[KnownFile]:
    """Return the known findings that a word of the command line names. Raises Unclear."""
    path = Path(word)
    recorded = find_recorded(word, given)
    if recorded:
        return [KnownFile(file.path, [*_read_recorded(file.recorded)], file.judged) for file in recorded]
    folder = path if path.is_dir() else path.parent
    try:
        if path.is_dir() or path.name == FINDINGS:
            if not (folder / FINDINGS).exists():
                raise Unreadable(f"{folder}: there is no {FINDINGS}")
            known = [make_known(finding) for finding in read_findings(folder)]
            return [KnownFile(path, known, find_judged(folder, given))]
        if not path.exists():
            raise Unreadable(f"no file {word!r}")
        baseline = read_baseline(path)
    except (Unreadable, UnfitBaseline, OSError) as error:
        raise Unclear(str(error)) from None
    named = baseline.subject
    subject = given.subject or (resolve_subject(named, None, path) if named else None)
    own = baseline.setup if subject == named else ""
    return [
        KnownFile(path, baseline.list_known(), Judged(subject, given.setup or resolve_setup(own, None, path)), baseline)
    ]


def make_known(finding: Finding) -> KnownFinding:
    """Return a finding of a run as one that is known."""
    cases = tuple(finding.list_cases().values())
    identity = (finding.id, finding.name, finding.kind, finding.modes)
    return KnownFinding(*identity, cases=cases, symptom=finding.symptom, detail=finding.detail)


def _read_recorded(recorded: Sequence[RecordedCase]) -> Iterable[KnownFinding]:
    """Yield recorded cases as known findings: what is open, and what is fixed. A flaky one is neither."""
    for one in recorded:
        judged = [mode for mode in one.modes if mode not in one.slow and mode not in one.flaky]
        for is_fixed in (False, True):
            modes = tuple(mode for mode in judged if (mode not in one.open) is is_fixed)
            if modes:
                yield KnownFinding(one.id, one.case.name, one.kind, modes, (one.case,), is_fixed=is_fixed)


def _prune(file: KnownFile, rejudged: Sequence[Rejudged], console: Console) -> None:
    assert file.baseline is not None
    fixed = {one.known.id for one in rejudged if one.status == FIXED} & file.baseline.entries.keys()
    write_file(file.path, file.baseline.without(fixed).text())
    left = len(file.baseline.entries) - len(fixed)
    console.print(f"{file.path}: {len(fixed)} removed, {left} left", markup=False, highlight=False)
