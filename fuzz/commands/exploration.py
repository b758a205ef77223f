"""`run`: invent calls of NumPy's API, judge a subject on them, report what differs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
from rich.console import Console

from fuzz.archive import Archive
from fuzz.campaign import Campaign, Options
from fuzz.commands.options import SEED_LIMIT, Duration, Shard, cores, subject, ways
from fuzz.progress import Display
from fuzz.report import Record, annotate, show, write_reports
from oracle import SandboxError

DEFAULT_SECONDS = 60.0
DEFAULT_MODES = ("eager", "graph", "xla")
INTERRUPTED, HARNESS_FAILED = 130, 3


@click.command(
    epilog="Exit status: 0 if nothing new was found, 1 for new findings or a stale divergence, 2 for a mistake on the "
    "command line, 3 if the harness itself failed, 130 if interrupted: the report then tells what was found so far."
)
@click.argument("names", nargs=-1, metavar="[NAME|GLOB ...]")
@click.option("--time", "seconds", type=Duration(), metavar="120s", help="How long: 120s, 2m, 1h. Default: 60s.")
@click.option("--cases", type=click.IntRange(1), metavar="N", help="How many cases, over the whole run.")
@click.option("--jobs", type=click.IntRange(1), metavar="N", help="How many processes. Default: one for each core.")
@click.option("--seed", type=click.IntRange(0, SEED_LIMIT), metavar="N", help="Same seed, same cases. Default: random.")
@ways
@subject
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Where the report goes; a directory that is not empty is refused. Default: the next number under fuzz-out/.",
)
@click.option("--shard", type=Shard(), default=(1, 1), metavar="I/N", help="Only part I of N of the cases.")
@click.option("--executor", default="local", metavar="local|dask:ADDRESS", help="Where workers run.")
@click.option("--programs", is_flag=True, help="Nest calls in one another, too.")
@click.option(
    "--signatures",
    type=click.Choice(["on", "off"]),
    default="on",
    help="Whether parameters that the subject's signatures lack are findings. Default: on.",
)
@click.option("--verbose", is_flag=True, help="Show tracebacks.")
def run(names: tuple[str, ...], out: Path | None, *, verbose: bool, **settings: Any) -> int:
    """Judge a subject against NumPy on invented calls.

    NAME is a name of NumPy's (linalg.norm), or a pattern (linalg.*, *sort*). Without any, every name has its turn.
    """
    console = Console()
    display = Display(console)
    observers: list[Callable[[Any], None]] = [display]

    def observe(event: Any) -> None:
        for observer in observers:
            observer(event)

    campaign = Campaign(options_of(names, settings), observe)
    archive = Archive.make(out)  # only now that the options are known to be fit
    observers.append(archive.watch)
    try:
        with display:
            campaign.run()
    except (ValueError, SandboxError):
        _remove_if_empty(archive.root)
        raise
    record = Record.load(archive.root)
    write_reports(record, archive.root)
    show(record, archive.root, console)
    annotate(record)
    return status_of(record, archive.root, console)


def options_of(names: tuple[str, ...], settings: dict[str, Any]) -> Options:
    """The campaign's options, defaults filled in."""
    seconds, cases = settings["seconds"], settings["cases"]
    return Options(
        names=names,
        seconds=DEFAULT_SECONDS if seconds is None and cases is None else seconds,
        cases=cases,
        jobs=settings["jobs"] or cores(),
        seed=settings["seed"],
        modes=settings["modes"] or DEFAULT_MODES,
        devices=settings["devices"] or ("CPU:0",),
        subject=settings["subject"] or "tfnp",
        shard=settings["shard"],
        executor=settings["executor"],
        programs=settings["programs"],
        signatures=settings["signatures"] == "on",
    )


def status_of(record: Record, directory: Path, console: Console) -> int:
    """The exit status that a run deserves, explained where it is neither 0 nor 1."""
    failures = record.summary.get("failures")
    if failures:
        (directory / "log").write_text(log_of(failures))
        console.print(
            f"The harness failed on {len(failures)} of its own tasks: see {directory / 'log'}", soft_wrap=True
        )
    if record.summary.get("interrupted"):
        return INTERRUPTED
    if failures:
        return HARNESS_FAILED
    if not record.summary["cases"]:
        console.print("Nothing was judged: give more --time.")
        return HARNESS_FAILED
    return 0 if record.is_clean else 1


def log_of(failures: Any) -> str:
    """Tracebacks, each with how often it was seen where that is known."""
    if isinstance(failures, dict):
        return "\n".join(f"{count} times:\n{trace}" for trace, count in failures.items())
    return "\n".join(str(trace) for trace in failures)


def _remove_if_empty(directory: Path) -> None:
    for folder in (directory, directory.parent):
        try:
            folder.rmdir()
        except OSError:
            return
