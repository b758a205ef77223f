"""The command `diff`: the findings that only one of two runs has."""

from __future__ import annotations

import json
from pathlib import Path

import click
from rich.console import Console

from fuzz.cli.options import Unclear
from fuzz.cli.stored_programs import describe_row, diff_program_runs, is_program_run
from fuzz.cli.stored_runs import DIRECTORY
from fuzz.engine.recovery import read_findings
from fuzz.report.progress import describe
from fuzz.triage.ledger import Finding
from fuzz.triage.output import RUN, STATE, SUMMARY
from fuzz.triage.untrusted_input import Unreadable


@click.command(
    "diff",
    short_help="Show the findings that only one of two runs has.",
    epilog="Exit status: 0 if the second run has no finding that the first has not, 1 if it has, 2 for a usage error.",
)
@click.argument("first", type=DIRECTORY, metavar="RUN")
@click.argument("second", type=DIRECTORY, metavar="RUN")
@click.option("--json", "as_json", is_flag=True, help="Print as JSON.")
@click.option("--verbose", is_flag=True, help="Show tracebacks.")
def diff_command(first: Path, second: Path, *, as_json: bool, verbose: bool) -> int:
    """Show the findings that only one of two runs has."""
    console = Console(soft_wrap=True)
    if is_program_run(first) and is_program_run(second):
        return _diff_programs(first, second, console, as_json=as_json)
    before, after = (_read_findings(directory) for directory in (first, second))
    gone = [finding for key, finding in before.items() if key not in after]
    new = [finding for key, finding in after.items() if key not in before]
    both = len(before.keys() & after.keys())
    if as_json:
        parts = {"gone": gone, "new": new}
        rows = {title: [finding.data() for finding in found] for title, found in parts.items()}
        console.print_json(json.dumps(rows | {"both": both}))
        return 1 if new else 0
    for sign, found in (("-", gone), ("+", new)):
        for finding in found:
            console.print(f"{sign} {describe(finding).removeprefix('found ')}", markup=False, highlight=False)
    console.print(f"{len(new)} new, {len(gone)} gone, {both} in both", highlight=False)
    return 1 if new else 0


def _diff_programs(first: Path, second: Path, console: Console, *, as_json: bool) -> int:
    try:
        gone, new, both = diff_program_runs(first, second)
    except (Unreadable, OSError) as error:
        raise Unclear(str(error)) from None
    if as_json:
        console.print_json(json.dumps({"gone": gone, "new": new, "both": both}))
        return 1 if new else 0
    for sign, rows in (("-", gone), ("+", new)):
        for row in rows:
            console.print(f"{sign} {describe_row(row)}", markup=False, highlight=False)
    console.print(f"{len(new)} new, {len(gone)} gone, {both} in both", highlight=False)
    return 1 if new else 0


def _read_findings(directory: Path) -> dict[str, Finding]:
    try:
        if not any((directory / name).exists() for name in (RUN, STATE, SUMMARY)):
            raise Unreadable(f"there is no {RUN}")
        return {finding.id: finding for finding in read_findings(directory)}
    except Unreadable as error:
        raise Unclear(f"{directory} contains no run: {error}") from None
