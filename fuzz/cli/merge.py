"""The command `merge`: one report of several runs, or of one again."""

from __future__ import annotations

from pathlib import Path

import click

from fuzz.cli.history import append_run, tell_history
from fuzz.cli.options import Unclear
from fuzz.cli.stored_runs import DIRECTORY, load_run, raise_unclear
from fuzz.engine.recovery import Stored, merge_runs, read_run
from fuzz.history.database import Database
from fuzz.report import RunRecord, show, write_reports
from fuzz.report.console import open_console
from fuzz.triage.ledger import Finding
from fuzz.triage.output import RUN, Archive
from fuzz.triage.untrusted_input import Unreadable, check_path, read_text
from oracle.harness import make_printable


@click.command(
    "merge",
    short_help="Make one report of several runs, or that of one again.",
    epilog="Exit status: 0 if nothing new was found in any of the runs, 1 for new findings, 2 for a usage error.",
)
@click.argument("directories", type=DIRECTORY, nargs=-1, required=True, metavar="DIR ...")
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Directory of the report, new or empty. Default: the next number under fuzz-out/; of one run, its own.",
)
@click.option(
    "--history",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Append the runs to this history, each once; see `fuzz history`.",
)
@click.option("--verbose", is_flag=True, help="Show tracebacks.")
def merge_command(directories: tuple[Path, ...], out: Path | None, history: Path | None, *, verbose: bool) -> int:
    """Make one report of several runs of a subject: its shards, or runs with other seeds or other modes.

    The report of one run is made again in its own directory, even if the run was killed, unless --out names another.
    """
    if history is not None:
        with Database(history) as database:
            for directory in directories:
                append_run(database, directory)
    if len(directories) == 1 and out is None:
        return _rebuild(directories[0], history)
    stored = [load_run(directory) for directory in directories]
    try:
        summary = merge_runs(stored)
    except ValueError as error:
        raise Unclear(str(error)) from None
    with Archive.make(out, raise_unclear) as archive:
        for finding in summary.findings:
            archive.keep(finding, _find_script(finding, stored))
        if history is not None:
            tell_history(history, summary.findings, archive.root, summary.options.subject)
        archive.conclude(summary.data(), summary.findings)
        record = RunRecord.load(archive.root, is_ours=False)
        write_reports(record, archive.root)
        show(record, archive.root, open_console())
    return 0 if record.passes else 1


def _rebuild(directory: Path, history: Path | None) -> int:
    """Make the report of the run in a directory again from its files, and return the exit status."""
    try:
        if (directory / RUN).exists():
            with Archive(directory, raise_unclear) as archive:
                summary = read_run(directory).summary()
                if history is not None:
                    tell_history(history, summary.findings, directory, summary.options.subject)
                archive.conclude(summary.data(), summary.findings)
        record = RunRecord.load(directory, is_ours=False)
        write_reports(record, directory)
    except (Unreadable, OSError) as error:
        raise Unclear(f"{directory} contains no run: {error}") from None
    show(record, directory, open_console())
    return 0 if record.passes else 1


def _find_script(finding: Finding, stored: list[Stored]) -> str:
    """Return the script of a finding from the first run that has one."""
    for run in stored:
        path = run.root / finding.repro
        if finding.repro and path.is_file():
            return make_printable(read_text(check_path(run.root, finding.repro, str(run.root)), is_inside=True))
    return ""
