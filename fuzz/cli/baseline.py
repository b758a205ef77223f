"""The command `baseline`: accept the findings of a run until a date."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import click

from fuzz.cli.options import Unclear
from fuzz.engine.recovery import read_findings
from fuzz.report.console import open_console
from fuzz.triage.atomic_files import write_file
from fuzz.triage.baseline import Baseline, read_baseline
from fuzz.triage.output import RUN
from fuzz.triage.untrusted_input import DOTTED, SETUP, Unreadable, read_data

DAYS = 90


@click.command(
    "baseline", short_help="Accept a run's findings until a date.", epilog="Exit status: 0; 2 for a usage error."
)
@click.argument("directory", type=click.Path(exists=True, file_okay=False, path_type=Path), metavar="DIR")
@click.option(
    "--write",
    type=click.Path(dir_okay=False, path_type=Path),
    required=True,
    metavar="FILE",
    help="The baseline: a new file, or one to extend. Its entries that have not expired are kept.",
)
@click.option(
    "--until", type=click.DateTime(["%Y-%m-%d"]), metavar="DATE", help=f"The last day. Default: {DAYS} days from now."
)
@click.option("--why", default="", metavar="TEXT", help="The reason for which they are accepted.")
@click.option("--verbose", is_flag=True, help="Show tracebacks.")
def baseline_command(directory: Path, write: Path, until: datetime | None, why: str, *, verbose: bool) -> int:
    """Accept the findings of the run in DIR until a date: `run --baseline FILE` then fails for new ones only.

    The file has their minimal cases. `run` judges them first, and says which findings are fixed, still there, or
    changed into another one; `replay FILE --prune` removes those that are fixed.
    """
    earlier = read_baseline(write) if write.exists() else Baseline()
    last = until.date() if until else (datetime.now(UTC) + timedelta(days=DAYS)).date()
    try:
        findings = read_findings(directory)
        rows = [finding.data() for finding in findings]
        cases = {finding.id: tuple(finding.list_cases().values()) for finding in findings}
        run = {"subject": "", "setup": ""}
        if (directory / RUN).exists():
            run = read_data(directory / RUN, {"subject": DOTTED, "setup": SETUP})
        if earlier.subject not in ("", run["subject"]):
            raise Unclear(f"{write} is a baseline of {earlier.subject}, {directory} a run of {run['subject']}")
        earlier = replace(earlier, subject=run["subject"], setup=run["setup"])
        new = earlier.with_findings(rows, last, why, cases)
        write_file(write, new.text())
    except (Unreadable, OSError) as error:
        raise Unclear(str(error)) from None
    added = sum(entry != earlier.entries.get(key) for key, entry in new.entries.items())
    open_console().print(f"{write}: {added} entries added, until {last}; {len(new.entries)} in all", soft_wrap=True)
    return 0
