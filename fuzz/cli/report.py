"""The command `report`: rebuild the report of a run, complete or not."""

from __future__ import annotations

from pathlib import Path

import click

from fuzz.cli.options import Unclear
from fuzz.cli.stored_runs import DIRECTORY, raise_unclear
from fuzz.engine.recovery import read_run
from fuzz.report import Record, show, write_reports
from fuzz.report.console import open_console
from fuzz.triage.output import RUN, Archive
from fuzz.triage.untrusted_input import Unreadable


@click.command(
    "report",
    short_help="Rebuild the report of a run.",
    epilog="Exit status: 0 if nothing new was found, 1 for new findings, 2 for a usage error.",
)
@click.argument("directory", type=DIRECTORY, metavar="DIR")
@click.option("--verbose", is_flag=True, help="Show tracebacks.")
def report_command(directory: Path, *, verbose: bool) -> int:
    """Rebuild the report of the run in DIR from its files, even if the run was killed."""
    try:
        if (directory / RUN).exists():
            with Archive(directory, raise_unclear) as archive:
                summary = read_run(directory).summary()
                archive.conclude(summary.data(), summary.findings)
        record = Record.load(directory)
        write_reports(record, directory)
    except (Unreadable, OSError) as error:
        raise Unclear(f"{directory} contains no run: {error}") from None
    show(record, directory, open_console())
    return 0 if record.passes else 1
