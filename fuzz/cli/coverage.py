"""The command `coverage`: which of NumPy's names a subject has, which were exercised, and which agree."""

from __future__ import annotations

import json
import math
import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource
from rich.console import Console

from fuzz.cli.library_surveys import survey_libraries
from fuzz.cli.options import (
    Duration,
    Seed,
    Unclear,
    Words,
    check_subject,
    choose_subject,
    count_cores,
    mode_options,
    python_option,
    resolve_subject,
    setup_option,
    subject_option,
)
from fuzz.cli.run import DEFAULT_MODES
from fuzz.coverage import (
    DENOMINATORS,
    DEPTHS,
    EARLIER,
    Change,
    Coverage,
    CoverageSource,
    Denominator,
    MinimalExample,
    begin_survey,
    compare_with,
    confirm_changes,
    find_cases,
    find_examples,
    find_modes,
    judge_again,
    look_up_names,
    rebuild_coverage,
    survey,
)
from fuzz.engine.numpy_calls import select_names
from fuzz.engine.provenance import find_versions
from fuzz.engine.sandboxes import make_sandbox
from fuzz.history.database import Database, Run
from fuzz.history.revision import find_revision
from fuzz.report import RunRecord, make_badge, render_coverage, show_changes, show_coverage
from fuzz.report.console import open_console
from fuzz.triage.atomic_files import write_file
from fuzz.triage.commands import join_words
from fuzz.triage.configuration import covers_any, read_by_design, read_configuration
from fuzz.triage.untrusted_input import Unreadable, find_misfit, read_data
from oracle import Mode
from oracle.harness import NAMES, TENSORFLOW, Sandbox, quote

EXERCISED = {"by_name": {str: {"runs": {str: int}, "parameters": {str: {str: int}}}}}
"""What coverage needs of a summary, beside what every report does."""

JUDGING = 0.75
"""The share of a library's time after which no further calls are made: examples are reduced in the rest."""

CALLS = {"seed": int, "depth": str, "modes": [str]}
"""What the calls of a coverage depend on; a file of an older version has none of these."""


@click.command(
    "coverage",
    short_help="Show which of NumPy's names exist and agree.",
    epilog="Exit status: 0; 1 if less agrees than --fail-under; 2 for a usage error, 3 if the harness itself failed.",
)
@click.argument("names", nargs=-1, metavar="[NAME|GLOB ...]")
@subject_option
@click.option(
    "--subjects",
    type=Words(check_subject),
    metavar="A,B,..",
    help="Compare these libraries on one page, by --html and --json: each with its smallest differences. One that "
    "is not installed is judged in an environment made by uv. Those that the --json file has are kept.",
)
@click.option(
    "--time",
    "seconds",
    type=Duration(),
    metavar="DURATION",
    help="The longest time for each library of --subjects. Default: none.",
)
@setup_option
@mode_options
@python_option
@click.option(
    "--depth",
    type=click.Choice(tuple(DEPTHS)),
    help="How often each parameter and dtype is to be answered: quick for 4 times in the cheapest mode and once in "
    "others, with dtypes by their kinds; full for 12 times and 3 times, with each dtype. Default: quick.",
)
@click.option(
    "--seed",
    type=Seed(),
    metavar="N|COMMIT",
    help="Seed of the calls; the same seed gives the same calls and the same file. Default: 0.",
)
@click.option("--jobs", type=click.IntRange(1), metavar="N", help="Number of processes. Default: one for each core.")
@click.option(
    "--against",
    type=click.Choice(tuple(DENOMINATORS)),
    default="numpy",
    help="The names that coverage is a share of: all of NumPy's that are judged, those of its main namespace, or those "
    "of the array API standard. Default: numpy.",
)
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
    help="A file written by --json earlier: make the same calls, and show what changed since, as far as judging the "
    "cases again confirms it. May be repeated, the oldest first.",
)
@click.option(
    "--badge",
    "as_badge",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Write JSON for shields.io's endpoint badge.",
)
@click.option(
    "--fail-under",
    type=click.FloatRange(0, 100),
    metavar="PERCENT",
    help="Make the exit status 1 if a smaller share of the names agrees.",
)
@click.option(
    "--history",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Append the coverage to this history, and show its curve on the page; see `fuzz history`.",
)
@click.option("--verbose", is_flag=True, help="Show tracebacks.")
def coverage_command(
    names: tuple[str, ...],
    subject: str | None,
    subjects: tuple[str, ...] | None,
    seconds: float | None,
    modes: Sequence[str] | None,
    depth: str | None,
    seed: int | None,
    jobs: int | None,
    against: str,
    directory: Path | None,
    earlier: tuple[Path, ...],
    fail_under: float | None,
    **settings: Any,
) -> int:
    """Show by topic which of NumPy's names a subject has, which signatures equal NumPy's, and which names agree.

    Every name that the subject has is exercised by the same calls each time, until each of its parameters and dtypes
    was answered in each mode. NAME is one of NumPy's names (linalg.norm) or a pattern (linalg.*); the default is every
    name.
    """
    if TENSORFLOW in (subject, *(subjects or ())):
        raise Unclear(f"coverage is about NumPy's names, which --subject {TENSORFLOW} does not have")
    console = open_console()
    jobs = jobs or count_cores()
    if subjects is not None:
        is_given = click.get_current_context().get_parameter_source("subject") is ParameterSource.COMMANDLINE
        given = {
            "--subject": is_given,
            "--from": directory,
            "--fail-under": fail_under,
            "--badge": settings["as_badge"],
        }
        if unfit := [option for option, value in {**given, "--python": settings["interpreter"]}.items() if value]:
            raise Unclear(f"{unfit[0]} is about one library: leave it out, or --subjects")
        return _survey(
            subjects, names, seconds, Calls(depth, seed, modes), jobs, DENOMINATORS[against], earlier, settings
        )
    if seconds is not None:
        raise Unclear(
            "--time is the time of each library of --subjects: the calls of one coverage do not depend on time"
        )
    before = [_read_earlier(path) for path in earlier]
    calls = _choose_calls(earlier, before, Calls(depth, seed, modes))
    record = _record(directory, subject) if directory else None
    name = subject or (record.summary["subject"] if record else choose_subject(None))
    locations = settings["devices"] or ("CPU:0",)
    python = settings["interpreter"]
    with _open_sandbox(jobs, name, locations, calls, settings["setup"] or "", python) as sandbox:
        chosen = select_names(names) if names else NAMES
        found = _cover(sandbox, name, chosen, locations, calls, DENOMINATORS[against], record, console, python)
        changes = [_confirm(sandbox, compare_with(found, data), found, data) for data in before]
    show_coverage(found, console)
    show_changes(changes, console)
    _write_files(found, changes, settings)
    if fail_under is not None and found.percent < fail_under:
        console.print(f"{found.percent:.1f} % agree, less than {fail_under:g} %", highlight=False, soft_wrap=True)
        return 1
    return 0


@dataclass(frozen=True)
class Calls:
    """The options that the calls of a coverage depend on, as far as they are given."""

    depth: str | None
    seed: int | None
    modes: Sequence[str] | None


def _open_sandbox(
    jobs: int, subject: str, devices: Sequence[str], calls: Calls, setup: str, interpreter: str
) -> Sandbox:
    arguments = {
        "subject": subject,
        "devices": tuple(devices),
        "names": (),
        "modes": tuple(mode.partition("@")[0] for mode in calls.modes or DEFAULT_MODES),
        "setup": setup,
    }
    functions = {"prepare": "fuzz.engine.tasks:prepare", "start": "fuzz.engine.tasks:start"}
    return make_sandbox(jobs, {**functions, "arguments": arguments, "modules": (), "interpreter": interpreter})


def _cover(
    sandbox: Sandbox,
    subject: str,
    names: Sequence[str],
    devices: Sequence[str],
    calls: Calls,
    denominator: Denominator,
    record: RunRecord | None,
    console: Console,
    interpreter: str,
    is_over: Callable[[], bool] = lambda: False,
) -> Coverage:
    """Return the coverage of those of the names that the denominator has: of an earlier run, or by new calls."""
    chosen = [name for name in names if name in denominator.names]
    if record is not None:
        return rebuild_coverage(record.summary, look_up_names(sandbox, chosen), denominator)
    own = find_modes(sandbox, calls.modes or ()) or DEFAULT_MODES
    labels = [mode if "@" in mode else str(Mode(mode, device)) for device in devices for mode in own]
    modes = tuple(dict.fromkeys(labels))
    depth = calls.depth or "quick"
    revision = "" if interpreter else find_revision(subject)
    origin = CoverageSource(find_versions(subject, interpreter), revision, depth, calls.seed or 0)
    with _show_progress(console) as notice:
        is_meant = partial(covers_any, read_by_design(read_configuration()))
        return survey(sandbox, subject, modes, DEPTHS[depth], origin, denominator, chosen, notice, is_meant, is_over)


def _survey(
    subjects: Sequence[str],
    names: Sequence[str],
    seconds: float | None,
    calls: Calls,
    jobs: int,
    denominator: Denominator,
    earlier: Sequence[Path],
    settings: Mapping[str, Any],
) -> int:
    """Compare several libraries, and return the exit status."""
    console, limit = open_console(), math.inf if seconds is None else seconds
    chosen = [name for name in (select_names(names) if names else NAMES) if name in denominator.names]
    locations = settings["devices"] or ("CPU:0",)

    def cover(subject: str, interpreter: str) -> tuple[Coverage, dict[str, list[MinimalExample]]]:
        with _open_sandbox(jobs, subject, locations, calls, settings["setup"] or "", interpreter) as sandbox:
            begun = time.monotonic()

            def is_over(share: float) -> bool:
                return time.monotonic() - begun > share * limit

            over = partial(is_over, JUDGING)
            found = _cover(sandbox, subject, chosen, locations, calls, denominator, None, console, interpreter, over)
            return found, find_examples(sandbox, found, partial(is_over, 1.0))

    command = ["array-oracle", "coverage", *names, "--subjects", ",".join(subjects)]
    command += [] if seconds is None else ["--time", f"{seconds:g}s"]
    command += ["--depth", calls.depth] if calls.depth else []
    command += ["--modes", ",".join(calls.modes)] if calls.modes else []
    command += ["--seed", str(calls.seed)] if calls.seed else []
    own = (calls.seed or 0, calls.depth or "quick", denominator.id)
    survey = begin_survey(chosen, *own, join_words([*command, "--json", "survey.json", "--html", "survey.html"]))
    return survey_libraries(subjects, survey, cover, earlier, settings["as_json"], settings["as_html"], console)


def _choose_calls(paths: Sequence[Path], before: Sequence[dict[str, Any]], asked: Calls) -> Calls:
    """Return the calls to make: those of the last earlier coverage, where there is one. Raises Unclear if others are
    asked for.
    """
    if not before or find_misfit(before[-1], CALLS):
        return asked
    path, data = paths[-1], before[-1]
    for key, value in asked.__dict__.items():
        shown = list(value) if isinstance(value, tuple) else value
        if shown not in (None, data[key]):
            text = ",".join(value) if isinstance(value, tuple) else value
            raise Unclear(f"{path} is made of other calls: leave out --{key} {text}")
    return Calls(data["depth"], data["seed"], data["modes"])


@contextmanager
def _show_progress(console: Console) -> Iterator[Callable[[int, int], None]]:
    """Yield a function that shows how many names are done, on a terminal."""
    if not console.is_terminal or os.environ.get("CI"):
        yield lambda done, total: None
        return
    with console.status("Looking ...") as status:
        yield lambda done, total: status.update(f"{done} of {total} names exercised")


def _confirm(sandbox: Sandbox, change: Change, found: Coverage, data: dict[str, Any]) -> Change:
    return confirm_changes(change, found, data, judge_again(sandbox, find_cases(change, found, data)))


def _write_files(found: Coverage, changes: Sequence[Change], settings: Mapping[str, Any]) -> None:
    """Append the coverage to the history, unless it is that of a campaign, and write the files that are asked for."""
    date = datetime.now(UTC)
    data = {"date": date.isoformat(timespec="seconds")} | found.data()
    runs = _append(settings["history"], data, date) if settings["history"] is not None and found.origin.depth else ()
    for path, text in (
        (settings["as_json"], lambda: json.dumps(data, indent=1) + "\n"),
        (settings["as_html"], lambda: render_coverage(found, changes, runs)),
        (settings["as_badge"], lambda: json.dumps(make_badge(found)) + "\n"),
    ):
        if path is not None:
            write_file(path, text())


def _append(history: Path, data: dict[str, Any], date: datetime) -> list[Run]:
    """Append the coverage to a history, and return all that it has of this kind."""
    with Database(history) as database:
        database.add_coverage(data, date)
        runs = database.list_runs(data["subject"])
    return [run for run in runs if run.is_coverage and run.engine == runs[-1].engine]


def _record(directory: Path, subject: str | None) -> RunRecord:
    try:
        record = RunRecord.load(directory)
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
        data: dict[str, Any] = read_data(path, dict)
        if wrong := find_misfit(data, EARLIER):
            raise Unreadable(f"{path}: {wrong}")
        return data
    except Unreadable as error:
        raise Unclear(f"not a coverage file written by --json: {error}") from None
