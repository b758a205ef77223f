"""The command `run`: generate calls of NumPy's API, judge a subject on them, report the differences."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import click
from rich.console import Console

from fuzz.cli.base_revision import Base, open_base
from fuzz.cli.history import append_run, tell_history
from fuzz.cli.interrupts import Interrupts
from fuzz.cli.options import (
    Duration,
    Sectioned,
    Seed,
    Shard,
    TimeScale,
    Unclear,
    check_offered_modes,
    choose_subject,
    count_cores,
    mode_options,
    python_option,
    resolve_interpreter,
    resolve_setup,
    resolve_subject,
    setup_option,
    subject_option,
)
from fuzz.engine.campaign import Campaign, Earlier
from fuzz.engine.core_seconds import list_costs
from fuzz.engine.domains import check_options, find_domain
from fuzz.engine.executors import PATIENCE
from fuzz.engine.recovery import Stored, read_run
from fuzz.engine.run_options import (
    EVERY_SECOND,
    FEW_NAMES,
    LONG_CASES,
    LONG_MODES,
    LONG_SECONDS,
    MODES,
    MOST_CASES,
    SOMETIMES,
    Options,
    format_command,
)
from fuzz.engine.scheduler import COST, ENGINES, EVERY, HOSTILE, INVALID, MIXED, ROOT
from fuzz.engine.summary import Summary
from fuzz.history.database import Database
from fuzz.report import RunRecord, annotate, show, write_reports
from fuzz.report.console import mask_commands, open_console
from fuzz.report.locations import describe_location
from fuzz.report.log import LEVELS, log_event, print_log
from fuzz.report.progress import Display
from fuzz.triage.atomic_files import write_inside
from fuzz.triage.baseline import Baseline, read_baseline
from fuzz.triage.commands import join_words, set_python_path
from fuzz.triage.configuration import accept_by_design, read_by_design, read_configuration
from fuzz.triage.events import Troubled
from fuzz.triage.output import RUN, Archive
from fuzz.triage.severity import FAIL_ON
from fuzz.triage.untrusted_input import Unreadable
from oracle.harness import SandboxError

DEFAULT_SECONDS = 60.0
DEFAULT_MODES = MODES
UNTRIED_SECONDS = 60.0  # for findings that a run left unreduced or without a script
MISTAKEN, HARNESS_FAILED, INTERRUPTED = 2, 3, 130


SECTIONS = {
    "Every day": (
        *("--subject", "--time", "--cases", "--seed", "--modes"),
        *("--jobs", "--out", "--resume", "--baseline", "--fail-on"),
    ),
    "What is drawn and judged": (
        *("--values-only", "--signatures", "--programs", "--errors", "--hostile"),
        *("--engine", "--schedule", "--devices", "--setup"),
    ),
    "Where it runs": ("--python", "--allow-root", "--shard", "--executor", "--wait", "--time-scale"),
    "What was there before": ("--base", "--base-python", "--history"),
    "What is printed": ("--log-level", "--explain-time", "--verbose", "--help"),
}


class SectionedRun(Sectioned):
    """The command `run`."""

    sections = SECTIONS


@click.command(
    "run",
    cls=SectionedRun,
    short_help="Judge a subject on generated calls.",
    epilog="Exit status: 0 if nothing new was found, 1 for new findings or stale allowances, 2 for a usage error, "
    "a subject that cannot be imported, or too little time to judge anything, 3 if the harness itself "
    "failed, 130 if interrupted: with a report of what was found so far.",
)
@click.argument("names", nargs=-1, metavar="[NAME|GLOB ...]")
@click.option(
    "--time",
    "seconds",
    type=Duration(),
    metavar="DURATION",
    help="Time of the whole run, from its start to its reports: 90, 120s, 2m, 1h30m. If the subject takes longer to "
    "import, less is left for cases, but at least a tenth. Default: 60s.",
)
@click.option("--cases", type=click.IntRange(1, MOST_CASES), metavar="N", help="Number of cases of the whole run.")
@click.option("--jobs", type=click.IntRange(1), metavar="N", help="Number of processes. Default: one for each core.")
@click.option(
    "--seed",
    type=Seed(),
    metavar="N|COMMIT",
    help="Seed; with the same number of cases, a run is the same. Default: random.",
)
@mode_options
@python_option
@subject_option
@setup_option
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Directory of the report, new or empty. Default: the next number under fuzz-out/.",
)
@click.option(
    "--resume",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    metavar="DIR",
    help="Resume the run in DIR, however it ended: for --time more, or up to --cases in all.",
)
@click.option(
    "--baseline",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Accepted findings, written by `fuzz baseline`: the run fails for others only.",
)
@click.option(
    "--history",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Append the run to this history; see `fuzz history`.",
)
@click.option(
    "--base",
    metavar="REVISION",
    help="Judge what is found at this revision of the subject's repository, too: what is there already is older, and "
    "does not fail the run. For sources that need no building.",
)
@click.option(
    "--base-python",
    metavar="INTERPRETER",
    help="The same for the version of the subject that is installed in the environment of this interpreter, where "
    "this harness has to be installed, too.",
)
@click.option("--shard", type=Shard(), default=(1, 1), metavar="I/N", help="Run only shard I of N of the cases.")
@click.option(
    "--executor",
    default="local",
    metavar="local|dask:ADDRESS",
    help="Where workers run: on this machine, or on the Dask cluster whose scheduler has this address.",
)
@click.option(
    "--wait",
    "patience",
    type=Duration(),
    default=PATIENCE,
    metavar="DURATION",
    help="How long a cluster may be without workers, at first and later, before the run ends. Meanwhile no --time "
    f"passes. Default: {PATIENCE / 60:g}m.",
)
@click.option(
    "--time-scale",
    type=TimeScale(),
    metavar="FACTOR",
    help="Factor of the times after which a call is a hang, a lease of cases ends, and a checkpoint is written: 5 for "
    "a machine on which calls take so much longer, as with sanitizers or emulation. Default: 1.",
)
@click.option("--programs", is_flag=True, help="Nest calls in one another in every second item.")
@click.option(
    "--schedule",
    type=click.Choice(["short", "long"]),
    help="long includes all modes, programs, and calls by keyword. Default: long for runs over two minutes, and of up "
    f"to {FEW_NAMES} names.",
)
@click.option(
    "--engine",
    type=click.Choice(ENGINES),
    help="How calls are drawn: from seeds, or by hypothesis, as pytest --numpy-subject does. Default: seeds.",
)
@click.option(
    "--signatures",
    type=click.Choice(["on", "off"]),
    default=None,
    help="Whether parameters that the subject's signatures lack are findings, or only a line of the report. Default: "
    "on for tfnp, which has all of NumPy's; off for others.",
)
@click.option(
    "--values-only",
    is_flag=True,
    help="Report only wrong values, shapes, dtypes and gradients, calls that crash, hang, exhaust the memory or answer "
    "otherwise the next time, and changed inputs: neither errors nor signatures.",
)
@click.option(
    "--errors",
    is_flag=True,
    help="Draw invalid calls only, each with one planted fault, and judge errors by NumPy's own classes. Otherwise any "
    "error agrees that says that an argument is wrong, or something not supported.",
)
@click.option(
    "--hostile",
    is_flag=True,
    help="Draw calls with nonsense in them, and report only crashes, hangs, exhausted memory and changed inputs.",
)
@click.option(
    "--fail-on",
    type=click.Choice(tuple(FAIL_ON)),
    help="Which new findings make the exit status 1: those of ordinary calls only, those of ordinary and edge calls, "
    "or any. Others are reported as warnings. Default: any.",
)
@click.option(
    "--log-level",
    type=click.Choice(LEVELS),
    help="Log what happens on stderr too, from this level on, a line with a time for each event: workers that ended or "
    "were started again, findings, the harness's own failures.",
)
@click.option(
    "--explain-time",
    is_flag=True,
    help="Print where the time of workers went: by what they did, and the names and modes that cost most.",
)
@click.option("--verbose", is_flag=True, help="Show tracebacks.")
@click.pass_obj
def run_command(
    begun: float,
    names: tuple[str, ...],
    out: Path | None,
    resume: Path | None,
    baseline: Path | None,
    history: Path | None,
    base: str | None,
    base_python: str | None,
    log_level: str | None,
    explain_time: bool,
    **settings: Any,
) -> int:
    """Judge a subject against NumPy on generated calls.

    NAME is one of NumPy's names (linalg.norm) or a pattern (linalg.*). The default is every name in turn.
    """
    console = open_console()
    if log_level is not None:
        print_log(log_level)
    display = Display(console)
    accepted = read_baseline(baseline) if baseline is not None else Baseline()
    if resume is None:
        options, earlier = make_options(names, settings), Earlier()
    else:
        stored = _load_stored(resume, names, out, settings)
        options, earlier = resume_options(stored, settings), stored.earlier
    if accepted.subject not in ("", options.subject):
        raise Unclear(f"{baseline} is a baseline of {accepted.subject}, not of {options.subject}")
    options = replace(options, known=accepted.marks)
    observers: list[Callable[[Any], None]] = []

    def observe(event: Any) -> None:
        for observer in observers:
            observer(event)

    campaign = Campaign(options, observe, earlier=earlier, known=accepted.list_known(), begun=begun)

    archive = open_archive(out, resume, display)  # from here on the options are valid
    observers += [archive.watch, log_event, display]  # everything that observers were told is written
    with open_base(base, base_python, options.subject) as earlier_subject, archive, Interrupts(campaign):
        if resume is None:
            archive.write(RUN, json.dumps(campaign.options.data(campaign.seed), indent=1) + "\n")
        try:
            with display:
                summary = campaign.run()
        except (ValueError, SandboxError, KeyboardInterrupt):
            if resume is None:
                _remove_unused(archive.root)
            raise
        if accept_by_design(summary.findings, read_by_design(read_configuration())):
            archive.conclude(summary.data(), summary.findings)
        if earlier_subject is not None:
            mark_older(summary, archive, earlier_subject)
        try:
            describe_findings(summary, archive, history)
        finally:  # a history that is unfit costs no report
            status = conclude(summary, archive, accepted, console)
        told = campaign.describe_time(time.monotonic() - begun)
        tell_time(told, list_costs(summary.data()) if explain_time else [], console)
        return status


def open_archive(out: Path | None, resume: Path | None, display: Display) -> Archive:
    """Return the directory of a run, a new one or that of the run to resume; trouble with it is displayed."""

    def notice(what: str) -> None:
        display(Troubled(what))

    return Archive.make(out, notice) if resume is None else Archive(resume, notice)


def tell_time(told: str, costs: Sequence[str], console: Console) -> None:
    """Print where the time of a run went, and what cost most."""
    for line in (f"Time: {told}", *costs):
        console.print(line, markup=False, highlight=False, soft_wrap=True)


def conclude(summary: Summary, archive: Archive, accepted: Baseline, console: Console) -> int:
    """Write the reports, print the summary, and return the exit status."""
    record, directory = _record(summary, archive), archive.root
    try:
        write_reports(record, directory)
        shown: Path | None = directory
    except OSError as error:
        console.print(f"No report: {directory}: {error.strerror or error}", soft_wrap=True)
        shown = None
    show(record, shown, console)
    annotate(record)
    for line in accepted.complaints(record.findings):
        console.print(line, markup=False, highlight=False, soft_wrap=True)
    schedule = record.summary["schedule"]
    turns = [f"{mode}/{turn}" for mode, turn in schedule["modes"].items()]
    turns += [f"{name}/{schedule[name]}" for name in ("programs", "keywords") if schedule[name]]
    console.print(f"Schedule: mode/n runs in one item of n: {', '.join(turns)}", highlight=False, soft_wrap=True)
    if record.summary["left_out"]:
        left_out = ", ".join(record.summary["left_out"])
        console.print(f"Left out in a short run: {left_out}", highlight=False, soft_wrap=True)
    drawn, judged = summary.counts.drawn, summary.counts.total
    if drawn != judged:
        told = f"{drawn:,} drawn, as --cases counts them; {judged:,} judged"
        note = find_domain(summary.options.subject).note_on_counts
        console.print(f"Cases: {told}{note}", highlight=False)
    command = format_command(summary.options, summary.seed, summary.counts.drawn)
    command = set_python_path(command, summary.options.subject)
    console.print(f"Repeat: {command}", markup=False, highlight=False, soft_wrap=True)
    if (record.summary.get("interrupted") or record.untried) and shown is not None:
        console.print(f"Resume: {format_resume(directory, summary)}", markup=False, highlight=False, soft_wrap=True)
    return choose_exit_status(record, directory, console)


def format_resume(directory: Path, summary: Summary) -> str:
    """Return the command that resumes a run. One that had all its time needs more."""
    options = summary.options
    words = ["python", "-m", "fuzz", "run", "--resume", str(directory), "--subject", options.subject]
    words += ["--python", options.interpreter] if options.interpreter else []
    words += ["--executor", options.executor] if options.executor != "local" else []
    words += [] if summary.interrupted else ["--time", f"{UNTRIED_SECONDS:g}s"]
    return set_python_path(join_words(words), options.subject)


def describe_findings(summary: Summary, archive: Archive, history: Path | None) -> None:
    """Tell findings where their functions are and since when a history knows them, and write them again; the run is
    appended to the history. Raises UnfitHistory.
    """
    for finding in summary.findings:
        finding.location = describe_location(summary.options.subject, finding.name, archive.root)
    try:
        if history is not None:
            with Database(history) as database:
                append_run(database, archive.root)
            tell_history(history, summary.findings, archive.root, summary.options.subject)
    finally:
        archive.conclude(summary.data(), summary.findings)


def mark_older(summary: Summary, archive: Archive, base: Base) -> None:
    """Mark the findings that the base has, too, and write them again."""
    if any(not finding.known for finding in summary.findings):
        older = base.find_older(archive.root, summary.options.subject, summary.options.setup)
        for finding in summary.findings:
            finding.older = finding.id in older
        archive.conclude(summary.data(), summary.findings)


def _record(summary: Summary, archive: Archive) -> RunRecord:
    """Return the record of the run as its directory has it, or as it is in memory if the directory is incomplete."""
    if archive.is_complete:
        return RunRecord.load(archive.root)
    return RunRecord(json.loads(json.dumps(summary.data())), archive.scripts)


def make_options(names: tuple[str, ...], settings: dict[str, Any]) -> Options:
    """Return the campaign's options, with defaults filled in."""
    if settings["values_only"] and settings["signatures"] == "on":
        raise Unclear("--values-only reports no signatures: leave out --signatures on")
    chosen = [key for key in ("errors", "hostile", "values_only", "programs") if settings[key]]
    if len(chosen) > 1 and {"errors", "hostile"} & set(chosen):
        given = " and ".join(f"--{key.replace('_', '-')}" for key in chosen)
        raise Unclear(f"{given} exclude one another: give one of them")
    if {"errors", "hostile"} & set(chosen) and settings["engine"] not in (None, "seeds"):
        raise Unclear(f"--{chosen[0]} draws calls from seeds: leave out --engine")
    seconds, cases = settings["seconds"], settings["cases"]
    subject = choose_subject(settings["subject"])
    check_offered_modes(subject, settings["modes"] or ())
    check_options(subject, [key for key, value in settings.items() if value])
    domain = find_domain(subject)
    is_few = bool(names) and len(domain.select(names)) <= FEW_NAMES
    is_long = is_few or (seconds or 0.0) > LONG_SECONDS or (cases or 0) > LONG_CASES
    if settings["schedule"]:
        is_long = settings["schedule"] == "long"
    is_mixed = is_long and "programs" not in domain.unfit
    return Options(
        names=names,
        seconds=DEFAULT_SECONDS if seconds is None and cases is None else seconds,
        cases=cases,
        jobs=settings["jobs"] or count_cores(),
        seed=settings["seed"],
        modes=domain.choose_modes(settings["modes"]) or (LONG_MODES if is_long else MODES),
        devices=settings["devices"] or (),
        subject=subject,
        setup=settings["setup"] or "",
        interpreter=settings.get("interpreter") or "",
        shard=settings["shard"],
        executor=settings["executor"],
        patience=settings.get("patience", PATIENCE),
        programs=EVERY_SECOND if settings["programs"] else SOMETIMES if is_mixed and not chosen else 0,
        keywords=SOMETIMES if is_mixed else 0,
        signatures=settings["signatures"] != "off",
        engine=settings["engine"] or "seeds",
        values_only=settings["values_only"],
        fail_on=settings["fail_on"] or "any",
        time_scale=settings.get("time_scale") or 1.0,
        calls=INVALID if settings["errors"] else HOSTILE if settings["hostile"] else MIXED,
        turns=EVERY if settings["modes"] else ROOT if is_few else COST,
        unasked=frozenset(key for key in ("modes", "signatures", "programs") if not settings[key]),
    )


OWN_OF_A_RUN = ("seed", "modes", "devices", "schedule", "engine", "signatures")
"""Options that a run that goes on has already."""


def _load_stored(directory: Path, names: tuple[str, ...], out: Path | None, settings: dict[str, Any]) -> Stored:
    """Return the run to resume. Raises Unclear if the command line contradicts its options."""
    given = [f"--{key}" for key in OWN_OF_A_RUN if settings[key] is not None]
    given += [
        *names[:1],
        *(["--out"] if out else []),
        *(f"--{key}" for key in ("programs", "errors", "hostile") if settings[key]),
    ]
    given += ["--shard"] if settings["shard"] != (1, 1) else []
    if given:
        raise Unclear(f"--resume keeps the options of the run and does not take {given[0]}")
    try:
        stored = read_run(directory)
    except Unreadable as error:
        raise Unclear(f"{directory} contains no run to resume: {error}") from None
    if settings["subject"] not in (None, stored.run["subject"]):
        raise Unclear(f"{directory} contains a run of {stored.run['subject']}, not of {settings['subject']}")
    resolve_subject(stored.run["subject"], settings["subject"], directory / RUN)
    resolve_setup(stored.run["setup"], settings["setup"], directory / RUN)
    resolve_interpreter(stored.run["interpreter"], settings["interpreter"], directory / RUN)
    return stored


def resume_options(stored: Stored, settings: dict[str, Any]) -> Options:
    """Return the options of a resumed run, limited to the time and cases left, or to what the command line says now."""
    options, state = stored.options, stored.state or {"seconds": 0.0, "finished": False}
    seconds, cases = settings["seconds"], settings["cases"]
    if seconds is None and cases is None:
        if state["finished"]:
            raise Unclear(f"the run in {stored.root} is complete; extend it by --time or --cases")
        cases = options.cases
        seconds = None if options.seconds is None else max(1.0, options.seconds - state["seconds"])
    fail_on = settings["fail_on"] or options.fail_on
    return replace(
        options,
        seconds=seconds,
        cases=cases,
        jobs=settings["jobs"] or count_cores(),
        executor=settings["executor"],
        patience=settings.get("patience", PATIENCE),
        fail_on=fail_on,
        time_scale=settings.get("time_scale") or options.time_scale,
    )


def choose_exit_status(record: RunRecord, directory: Path, console: Console) -> int:
    """Return the exit status of a run, and print why it is neither 0 nor 1 if so."""
    failures = record.summary.get("failures")
    if failures:
        _tell_failures(failures, directory, console)
    if record.summary.get("broken"):
        console.print(f"The run ended early: {record.summary['broken']}", markup=False, soft_wrap=True)
        return HARNESS_FAILED
    if record.summary.get("interrupted"):
        return INTERRUPTED
    if failures:
        return HARNESS_FAILED
    if record.not_judged["faulted"]:
        faulted = ", ".join(record.not_judged["faulted"])
        console.print(f"The judge failed on every answer of {faulted}: see the harness faults.", soft_wrap=True)
        return HARNESS_FAILED
    if not record.summary["cases"]:
        console.print("Nothing was judged; allow more --time.")
        return MISTAKEN
    if not record.has_judged:
        modes = ",".join(record.summary["modes"])
        console.print(f"Nothing was judged: no valid call was answered in {modes} by a value.", soft_wrap=True)
        return MISTAKEN
    return 0 if record.passes else 1


def _tell_failures(failures: Any, directory: Path, console: Console) -> None:
    try:
        write_inside(directory, "log", mask_commands(format_log(failures)))
        where = f"see {directory / 'log'}"
    except OSError:
        where = format_log(failures)
    console.print(f"The harness failed on {len(failures)} of its own tasks: {where}", markup=False, soft_wrap=True)


def format_log(failures: Any) -> str:
    """Return the tracebacks as one text, each with how often it was seen, where that is known."""
    if isinstance(failures, dict):
        return "\n".join(f"{count} times:\n{trace}" for trace, count in failures.items())
    return "\n".join(str(trace) for trace in failures)


def _remove_unused(directory: Path) -> None:
    """Remove the directory of a run that ended before it began; one with findings can be resumed."""
    if any(path.name != RUN for path in directory.iterdir()):
        return
    (directory / RUN).unlink(missing_ok=True)
    for folder in (directory, directory.parent):
        try:
            folder.rmdir()
        except OSError:
            return
