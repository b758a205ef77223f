"""The command `diff`: the causes of findings that only one of two runs has."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click
from rich.console import Console

from fuzz.cli.case_files import Judged, find_judged
from fuzz.cli.options import Unclear, setup_option, subject_option
from fuzz.cli.replay import judge_records
from fuzz.cli.stored_runs import DIRECTORY
from fuzz.engine.recovery import read_findings
from fuzz.report.console import open_console
from fuzz.report.record import format_count, list_some
from fuzz.report.terminal import NAMED, shorten
from fuzz.triage.ledger import Finding
from fuzz.triage.output import RUN, STATE, SUMMARY
from fuzz.triage.records import STATUSES, make_record
from fuzz.triage.root_cause import group_findings
from fuzz.triage.untrusted_input import Unreadable, read_data
from oracle.harness import quote


@click.command(
    "diff",
    short_help="Show the findings that only one of two runs has.",
    epilog="Exit status: 0 if the second run has no finding that the first has not, 1 if it has, 2 for a usage error.",
)
@click.argument("first", type=DIRECTORY, metavar="RUN")
@click.argument("second", type=DIRECTORY, metavar="RUN")
@click.option("--replay", is_flag=True, help="Judge again what only the first run has: only then it may be fixed.")
@subject_option
@setup_option
@click.option("--json", "as_json", is_flag=True, help="Print as JSON.")
@click.option("--verbose", is_flag=True, help="Show tracebacks.")
def diff_command(
    first: Path, second: Path, *, replay: bool, subject: str | None, setup: str | None, as_json: bool, verbose: bool
) -> int:
    """Show the findings that only one of two runs has, by cause, the worst first.

    A run draws some calls of very many, so a finding that the second run has not may still be there: --replay tells.
    """
    console = open_console()
    before, after = (_read_findings(directory) for directory in (first, second))
    subjects = [_read_subject(directory) for directory in (first, second)]
    if all(subjects) and len(set(subjects)) > 1:
        raise Unclear(f"{first} judged {subjects[0]}, {second} judged {subjects[1]}")
    missing = [finding for key, finding in before.items() if key not in after]
    new = [finding for key, finding in after.items() if key not in before]
    both = len(before.keys() & after.keys())
    statuses: dict[str, str] = {}
    if replay and missing:
        judged = find_judged(first, Judged(subject, setup))
        results = judge_records([make_record(finding) for finding in missing], judged)
        statuses = {one.id: one.status for one in results}
    if as_json:
        rows = {"missing": [finding.data() for finding in missing], "new": [finding.data() for finding in new]}
        console.print_json(json.dumps(rows | {"both": both, "statuses": statuses}))
        return 1 if new else 0
    _print_causes("+", new, {}, console)
    _print_causes("-", missing, statuses, console)
    counts = Counter(statuses.values())
    told = ", ".join(f"{counts[status]} {status}" for status in STATUSES if counts[status])
    told = told or ("--replay tells whether they are fixed" if missing else "")
    console.print(
        f"{len(new)} new, {len(missing)} not found again{f' ({told})' if told else ''}, {both} in both", highlight=False
    )
    return 1 if new else 0


def _print_causes(sign: str, findings: Sequence[Finding], statuses: dict[str, str], console: Console) -> None:
    """Print a line for each cause, with its example, and what has become of its findings, where that is known."""
    rows: list[dict[str, Any]] = [finding.data() for finding in findings]
    for cause in group_findings(rows):
        counts = Counter(statuses[row["id"]] for row in cause.rows if row["id"] in statuses)
        told = ", ".join(f"{counts[status]} {status}" for status in STATUSES if counts[status])
        parts = [f"{sign} {cause.kind}", cause.title.replace("`", ""), list_some(cause.names, NAMED)]
        parts += [shorten(cause.example["minimal"]), cause.example["id"], format_count(cause.count, "finding"), told]
        console.print("  ".join(filter(None, parts)), markup=False, highlight=False)


def _read_subject(directory: Path) -> str:
    """Return the subject of a run; an empty text if its directory does not say."""
    try:
        subject = read_data(directory / RUN, {"subject": str})["subject"]
    except Unreadable:
        return ""
    return quote(subject)


def _read_findings(directory: Path) -> dict[str, Finding]:
    try:
        if not any((directory / name).exists() for name in (RUN, STATE, SUMMARY)):
            raise Unreadable(f"there is no {RUN}")
        return {finding.id: finding for finding in read_findings(directory)}
    except Unreadable as error:
        raise Unclear(f"{directory} contains no run: {error}") from None
