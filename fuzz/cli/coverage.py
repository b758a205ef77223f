"""The command `coverage`: which of NumPy's names a subject has, which were exercised, and which agree."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click
from rich.console import Console

from fuzz.cli.argument_gaps import show_depth, show_pairs, show_rejections
from fuzz.cli.options import Duration, Unclear, count_cores, mode_options, resolve_subject, subject_option
from fuzz.cli.run import DEFAULT_MODES
from fuzz.coverage import EARLIER, Change, Coverage, compare_with, find_modes, look_up_names, rebuild_coverage, survey
from fuzz.engine.run_options import select_names
from fuzz.engine.tasks import OWN
from fuzz.report import Record, make_badge, render_coverage, show_changes, show_coverage
from fuzz.tensorflow_subject.summary import SUBJECT
from fuzz.triage.untrusted_input import Unreadable, find_misfit, read_data
from oracle import NAMES, Mode, Sandbox, quote

WIDTH = 120
EXERCISED = {"by_name": {str: {"runs": {str: int}, "parameters": {str: {str: int}}}}}
"""What coverage needs of a summary, beside what every report does."""


@click.command(
    "coverage",
    short_help="Show which of NumPy's names exist and agree.",
    epilog="Exit status: 0, whatever is covered; 1 for what never comes or is rejected too often, with --depth, "
    "--pairs or --rejected; 2 for a usage error, 3 if the harness itself failed.",
)
@click.argument("names", nargs=-1, metavar="[NAME|GLOB ...]")
@subject_option
@mode_options
@click.option(
    "--time",
    "seconds",
    type=Duration(),
    default="60s",
    metavar="DURATION",
    help="Time limit for exercising names: 90, 120s, 2m. Default: 60s.",
)
@click.option("--jobs", type=click.IntRange(1), metavar="N", help="Number of processes. Default: one for each core.")
@click.option(
    "--from",
    "directory",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    metavar="DIR",
    help="Show what an earlier run has exercised, instead of running anything.",
)
@click.option(
    "--json", "as_json", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE", help="Write as JSON."
)
@click.option(
    "--html", "as_html", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE", help="Write a page."
)
@click.option(
    "--since",
    "earlier",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    multiple=True,
    metavar="FILE",
    help="A file written by --json earlier: show what changed since. May be repeated, the oldest first.",
)
@click.option(
    "--badge",
    "as_badge",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Write JSON for shields.io's endpoint badge.",
)
@click.option(
    "--depth",
    is_flag=True,
    help="Show instead, by parameter, which classes of arguments (empty, read-only, nan, by keyword ...) occur in "
    "1,000 calls of each NAME, running NumPy only. Fails if a class that NumPy accepts never occurs. Without NAME, "
    "shows such classes only.",
)
@click.option(
    "--pairs",
    is_flag=True,
    help="Show instead how many pairs of options occur in 2,000 calls of each NAME, running NumPy only. Fails if a "
    "pair that NumPy accepts never occurs.",
)
@click.option(
    "--rejected",
    is_flag=True,
    help="Show instead how many calls of each NAME NumPy rejects, by class and reason. Fails if these are more than "
    "8 % of all.",
)
@click.option("--verbose", is_flag=True, help="Show tracebacks.")
def coverage_command(
    names: tuple[str, ...],
    subject: str | None,
    modes: Sequence[str] | None,
    devices: Sequence[str] | None,
    seconds: float,
    jobs: int | None,
    directory: Path | None,
    as_json: Path | None,
    as_html: Path | None,
    earlier: tuple[Path, ...],
    as_badge: Path | None,
    *,
    depth: bool,
    pairs: bool,
    rejected: bool,
    verbose: bool,
) -> int:
    """Show by topic which of NumPy's names a subject has, which signatures equal NumPy's, and which names agree.

    Every name that the subject has is exercised by a few cases in each mode. While time is left, calls follow that give
    the parameters not yet given in some mode. NAME is one of NumPy's names (linalg.norm) or a pattern (linalg.*); the
    default is every name.
    """
    if subject == SUBJECT:
        raise Unclear(f"coverage is about NumPy's names, which --subject {SUBJECT} does not have")
    chosen = select_names(names) if names else NAMES
    console = Console()
    if not console.is_terminal:
        console.width = WIDTH  # the width of a log, not of a terminal
    for is_asked, show in ((depth, show_depth), (pairs, show_pairs), (rejected, show_rejections)):
        if is_asked:
            return show(select_names(names), jobs or count_cores(), as_json, console, whole=bool(names))
    before = [_read_earlier(path) for path in earlier]
    record = _record(directory, subject) if directory else None
    name = subject or (record.summary["subject"] if record else OWN)
    devices = devices or ("CPU:0",)
    arguments = {"subject": name, "devices": tuple(devices), "names": (), "modes": modes or DEFAULT_MODES}
    with Sandbox(
        jobs or count_cores(), "fuzz.engine.tasks:prepare", arguments, start="fuzz.engine.tasks:start", modules=()
    ) as sandbox:
        if record is not None:
            found = rebuild_coverage(record.summary, look_up_names(sandbox, chosen))
        else:
            own = modes or find_modes(sandbox) or DEFAULT_MODES
            ways = [str(Mode(mode, device)) for device in devices for mode in own]
            found = _exercise(sandbox, name, ways, seconds, console, chosen)
    changes = [compare_with(found, data) for data in before]
    show_coverage(found, console)
    show_changes(changes, console)
    _write(found, changes, as_json, as_html, as_badge)
    return 0


def _exercise(
    sandbox: Sandbox, name: str, ways: Sequence[str], seconds: float, console: Console, names: Sequence[str]
) -> Coverage:
    if not console.is_terminal or os.environ.get("CI"):
        return survey(sandbox, name, ways, seconds, names=names)
    with console.status("Looking ...") as status:
        return survey(
            sandbox,
            name,
            ways,
            seconds,
            notice=lambda done, total: status.update(f"{done} of {total} names exercised"),
            names=names,
        )


def _record(directory: Path, subject: str | None) -> Record:
    try:
        record = Record.load(directory)
    except Unreadable as error:
        raise Unclear(f"{directory} contains no run: {error}") from None
    if subject not in (None, record.summary["subject"]):
        raise Unclear(f"{directory} contains a run of {quote(record.summary['subject'])}, not of {subject}")
    resolve_subject(record.summary["subject"], subject, directory)
    wrong = find_misfit(record.summary, EXERCISED)
    if wrong:
        raise Unclear(f"{directory} contains no run: {wrong}")
    return record


def _read_earlier(path: Path) -> dict[str, Any]:
    try:
        return read_data(path, EARLIER)
    except Unreadable as error:
        raise Unclear(f"not a coverage file written by --json: {error}") from None


def _write(
    found: Coverage, changes: Sequence[Change], as_json: Path | None, as_html: Path | None, as_badge: Path | None
) -> None:
    date = {"date": datetime.now(UTC).strftime("%Y-%m-%d %H:%M")}
    for path, text in (
        (as_json, lambda: json.dumps(date | found.data(), indent=1) + "\n"),
        (as_html, lambda: render_coverage(found, changes)),
        (as_badge, lambda: json.dumps(make_badge(found)) + "\n"),
    ):
        if path is not None:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text())
