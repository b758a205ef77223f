"""`report`, `diff` and `merge`: runs as their directories hold them, whole or cut short."""

from __future__ import annotations

import json
from pathlib import Path

import click
from rich.console import Console

from fuzz.archive import FINDINGS, RUN, STATE, SUMMARY, Archive
from fuzz.commands.options import Unclear
from fuzz.commands.stored_programs import describe_row, diff_program_runs, is_program_run, refuse_programs
from fuzz.findings import Finding
from fuzz.progress import describe
from fuzz.reading import Unreadable, path_inside, read_text
from fuzz.recovery import Stored, merge_runs, read_findings, read_run
from fuzz.report import Record, show, write_reports

DIRECTORY = click.Path(exists=True, file_okay=False, path_type=Path)


@click.command(
    epilog="Exit status: 0 if nothing new was found, 1 for new findings, 2 for a mistake on the command line."
)
@click.argument("directory", type=DIRECTORY, metavar="DIR")
@click.option("--verbose", is_flag=True, help="Show tracebacks.")
def report(directory: Path, *, verbose: bool) -> int:
    """Write the report of the run in DIR anew, from what it has left: also of one that was killed."""
    try:
        if is_program_run(directory):
            if not (directory / SUMMARY).exists():
                refuse_programs(directory, f"it was cut short: what it found is in its {FINDINGS}, cases and repros")
        elif (directory / RUN).exists():
            with Archive(directory, _refuse) as archive:
                archive.conclude(read_run(directory).summary().data())
        record = Record.load(directory)
        write_reports(record, directory)
    except (Unreadable, OSError) as error:
        raise Unclear(f"{directory} holds no run: {error}") from None
    show(record, directory, Console())
    return 0 if record.is_clean else 1


@click.command(
    epilog="Exit status: 0 if the second run has no finding that the first has not, 1 if it has, 2 for a mistake on "
    "the command line."
)
@click.argument("first", type=DIRECTORY, metavar="RUN")
@click.argument("second", type=DIRECTORY, metavar="RUN")
@click.option("--json", "as_json", is_flag=True, help="Print as JSON.")
@click.option("--verbose", is_flag=True, help="Show tracebacks.")
def diff(first: Path, second: Path, *, as_json: bool, verbose: bool) -> int:
    """Show which findings of two runs only one of them has."""
    console = Console(soft_wrap=True)
    if is_program_run(first) and is_program_run(second):
        return _diff_programs(first, second, console, as_json=as_json)
    before, after = (_findings(directory) for directory in (first, second))
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


@click.command(
    epilog="Exit status: 0 if nothing new was found in any of the runs, 1 for new findings, 2 for a mistake on the "
    "command line."
)
@click.argument("directories", type=DIRECTORY, nargs=-1, required=True, metavar="DIR ...")
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Where the report goes; one that is not empty is refused. Default: the next number under fuzz-out/.",
)
@click.option("--verbose", is_flag=True, help="Show tracebacks.")
def merge(directories: tuple[Path, ...], out: Path | None, *, verbose: bool) -> int:
    """Make one report of several runs of a subject: the shards of one, or runs with other seeds or other modes."""
    for directory in directories:
        refuse_programs(directory, "those are not merged: `diff` says how two of them differ")
    stored = [_stored(directory) for directory in directories]
    try:
        summary = merge_runs(stored)
    except ValueError as error:
        raise Unclear(str(error)) from None
    with Archive.make(out, _refuse) as archive:
        for finding in summary.findings:
            archive.keep(finding, _script(finding, stored))
        archive.conclude(summary.data())
        record = Record.load(archive.root)
        write_reports(record, archive.root)
        show(record, archive.root, Console())
    return 0 if record.is_clean else 1


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


def _script(finding: Finding, stored: list[Stored]) -> str:
    """The script of a finding, from the first of the runs that has one."""
    for run in stored:
        path = run.root / finding.repro
        if finding.repro and path.is_file():
            return read_text(path_inside(run.root, finding.repro, str(run.root)))
    return ""


def _stored(directory: Path) -> Stored:
    try:
        return read_run(directory)
    except Unreadable as error:
        raise Unclear(f"{directory} holds no run: {error}") from None


def _findings(directory: Path) -> dict[str, Finding]:
    try:
        if not any((directory / name).exists() for name in (RUN, STATE, SUMMARY)):
            raise Unreadable(f"there is no {RUN}")
        return {finding.id: finding for finding in read_findings(directory)}
    except Unreadable as error:
        raise Unclear(f"{directory} holds no run: {error}") from None


def _refuse(what: str) -> None:
    raise Unclear(what)
