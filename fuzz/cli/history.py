"""The command `history`: what was found, fixed and regressed over weeks."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import click

from fuzz.cli.options import Unclear
from fuzz.cli.stored_runs import DIRECTORY, load_run
from fuzz.history.database import Database, UnfitHistory
from fuzz.history.lives import count_weeks, describe_lives, describe_weeks, estimate_unseen, trace_lives
from fuzz.history.revision import find_revision
from fuzz.report.console import open_console
from fuzz.report.history_page import PAGE, make_feed, render_history
from fuzz.triage.atomic_files import write_file, write_inside
from fuzz.triage.ledger import Finding
from fuzz.triage.records import Record

FILE = Path(".fuzz/history.sqlite")


@click.command(
    "history",
    short_help="Show what was found, fixed and regressed by week.",
    epilog="Exit status: 0; 2 for a usage error.",
)
@click.argument("directories", type=DIRECTORY, nargs=-1, metavar="[DIR ...]")
@click.option(
    "--file",
    type=click.Path(dir_okay=False, path_type=Path),
    default=FILE,
    metavar="FILE",
    help=f"The history, an SQLite file. Default: {FILE}.",
)
@click.option("--subject", default="", metavar="MODULE", help="Show the runs of this subject only.")
@click.option("--html", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE", help="Write a page.")
@click.option("--feed", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE", help="Write an Atom feed.")
@click.option("--verbose", is_flag=True, help="Show tracebacks.")
def history_command(
    directories: tuple[Path, ...], file: Path, subject: str, html: Path | None, feed: Path | None, *, verbose: bool
) -> int:
    """Append the runs in DIR ... to a history, and show what was found, fixed and regressed by week.

    `run`, `replay`, `coverage` and `merge` append to it with --history FILE, too. A run is
    appended once, however often it is named; nothing in the file is ever changed.
    """
    console = open_console()
    if not directories and not file.exists():
        raise Unclear(f"there is no history {file}; `run --history {file}` makes one, or name a run's directory")
    try:
        with Database(file) as database:
            added = sum(append_run(database, directory) for directory in directories)
            runs = database.list_runs(subject)
            seen, verdicts = database.list_seen(runs), database.list_verdicts()
    except UnfitHistory as error:
        raise Unclear(str(error)) from None
    if directories:
        console.print(f"{file}: {added} of {len(directories)} runs appended", markup=False, highlight=False)
    if not runs:
        raise Unclear(f"{file} has no run{f' of {subject}' if subject else ''}")
    lives = trace_lives(seen, verdicts)
    for line in describe_lives(lives):
        console.print(line, markup=False, highlight=False)
    for line in describe_weeks(count_weeks(lives, runs)):
        console.print(line, highlight=False)
    unseen = estimate_unseen(seen)
    if unseen is not None:
        text = f"The next difference is of a finding never seen with a chance of {100 * unseen:.2g} %"
        console.print(text, highlight=False)
    _write(html, render_history(runs, seen, verdicts).encode())
    _write(feed, make_feed(lives, runs[-1].subject, runs[-1].at))
    return 0


def _write(path: Path | None, data: bytes) -> None:
    if path is not None:
        write_file(path, data)


def append_run(database: Database, directory: Path) -> bool:
    """Append the run in a directory to a history, dated by its start. Return False if it was there already."""
    stored = load_run(directory)
    provenance = stored.options.provenance
    origin = (provenance.revision, provenance.machine, stored.run["engine"])
    return database.add_run(stored.summary().data(), stored.started, *origin)


def tell_history(file: Path, findings: Sequence[Finding], root: Path, subject: str) -> None:
    """Tell findings of a subject when a history has seen them first, and write its page to the directory of a run that
    it has.
    """
    with Database(file) as database:
        runs = database.list_runs(subject)
        seen, verdicts = database.list_seen(runs), database.list_verdicts()
    firsts: dict[str, datetime] = {}
    for one in seen:
        firsts.setdefault(one.finding, one.run.at)
    for finding in findings:
        finding.first_seen = firsts[finding.id].isoformat() if finding.id in firsts else ""
    write_inside(root, PAGE, render_history(runs, seen, verdicts))


def append_verdicts(file: Path, rejudged: Sequence[Record], subject: str) -> None:
    """Append to a history what has become of known findings of a subject, as of now."""
    with Database(file) as database:
        database.add_verdicts(subject, [one.data() for one in rejudged], datetime.now(UTC), find_revision(subject))
