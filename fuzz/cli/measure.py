"""The command `measure`: how far a subject's elementwise functions are from NumPy's, in units in the last place."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.table import Table

from fuzz.cli.options import Duration, SubjectName, Unclear, Words, choose_subject, count_cores, hint
from fuzz.engine.case_judge import check_modes_found
from fuzz.measure import Measured, find_measurable, format_table, make_tasks, measure_all, merge_tables, to_data
from fuzz.report.console import open_console
from fuzz.triage.atomic_files import write_file
from fuzz.triage.untrusted_input import Unreadable, find_misfit, read_data
from oracle.harness import MEASURED, Lease, Sandbox, table

MODES = ("eager", "xla")
HEADINGS = ("function", "result", "mode", "ulps", "table", "error", "NumPy's", "unlike")


def check_mode(text: str) -> str:
    """Return the mode, if the table has it. Other modes run the same kernels as one of these."""
    if text not in MODES:
        raise Unclear(f"mode {text!r} is not measured{hint(text, MODES)}")
    return text


@click.command(
    "measure",
    short_help="Measure errors of elementwise functions.",
    epilog="Exit status: 0 if every error is within the package's table, 1 if one exceeds it, 2 for a "
    "usage error, 3 if the harness itself failed.",
)
@click.argument("patterns", nargs=-1, metavar="[NAME|GLOB ...]")
@click.option("--subject", type=SubjectName(), help="The module to measure. Default: tfnp, if it is installed.")
@click.option(
    "--modes",
    type=Words(check_mode),
    metavar="M,..",
    help="Execution modes. Default: those of eager and xla that the subject has.",
)
@click.option(
    "--samples",
    type=click.IntRange(64, 1 << 26),
    default=1 << 18,
    metavar="N",
    help="Number of sample arguments, where not every value is tried. Default: 262144.",
)
@click.option("--time", "seconds", type=Duration(), metavar="DURATION", help="Start nothing after this time.")
@click.option("--jobs", type=click.IntRange(1), metavar="N", help="Number of processes. Default: one for each core.")
@click.option(
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Write the table as JSON; an existing table is updated.",
)
@click.option("--verbose", is_flag=True, help="Show tracebacks.")
def measure_command(
    patterns: tuple[str, ...],
    subject: str | None,
    modes: Sequence[str] | None,
    samples: int,
    seconds: float | None,
    jobs: int | None,
    out: Path | None,
    *,
    verbose: bool,
) -> int:
    """Measure how far a subject's elementwise functions are from NumPy's, in units in the last place.

    A function of one argument is tried on every float16 and bfloat16 value; for other dtypes, and functions of two
    arguments, on samples that are the same each time. NAME is the name of a function, or a pattern.
    """
    names = select_functions(patterns)
    earlier = _read(out) if out is not None and out.exists() else None
    console = open_console()
    subject = choose_subject(subject)
    arguments = {"subject": subject, "devices": ("CPU:0",), "names": ()}
    with Sandbox(
        jobs or count_cores(), "fuzz.engine.tasks:prepare", arguments, start="fuzz.engine.tasks:start", modules=()
    ) as sandbox:
        there = find_measurable(sandbox)
        tasks_left = make_tasks([name for name in names if name in there], _choose_modes(sandbox, modes), samples)
        results = _collect(measure_all(sandbox, tasks_left, seconds), console)
    data = to_data(subject, results)
    beyond = show(data, console)
    for one in results:
        if one.reason:
            console.print(f"not measured: {one.task}: {one.reason}", highlight=False, soft_wrap=True)
    absent = [name for name in names if name not in there]
    if absent:
        console.print(f"absent: {', '.join(absent)}", highlight=False, soft_wrap=True)
    if out is not None:
        write_file(out, format_table(data if earlier is None else _merge_with_earlier(out, earlier, data)))
    return 1 if beyond else 0


def _choose_modes(sandbox: Sandbox, asked: Sequence[str] | None) -> Sequence[str]:
    """Return the modes that were asked for, or those that the subject has. Raises Unusable for one that it lacks."""
    (reply,) = sandbox.run([Lease(0, "fuzz.engine.tasks:find_modes", [asked or ()])])
    offered = check_modes_found(reply.results[0]) or MODES  # which are those of tensors
    return asked or [mode for mode in MODES if mode in offered]


def _collect(results: Iterator[Measured], console: Console) -> list[Measured]:
    """Collect the results; on a terminal, show each one as it comes."""
    if not console.is_terminal or os.environ.get("CI"):
        return list(results)
    done = []
    with console.status("Measuring ...") as status:
        for result in results:
            done.append(result)
            status.update(f"{len(done)} measured, the last of them {result.task}")
    return done


def select_functions(patterns: Sequence[str]) -> list[str]:
    """Return the functions that match one of the patterns; without patterns, all of them."""
    for pattern in patterns:
        if not any(fnmatchcase(name, pattern) for name in MEASURED):
            raise Unclear(f"function {pattern!r} is not measured{hint(pattern, MEASURED)}")
    return [name for name in MEASURED if not patterns or any(fnmatchcase(name, pattern) for pattern in patterns)]


def _read(path: Path) -> dict[str, Any]:
    try:
        data: dict[str, Any] = read_data(path, dict)
        if wrong := find_misfit(data, {"functions": {str: {str: {str: dict}}}}):
            raise Unreadable(f"{path}: {wrong}")
        return data
    except Unreadable as error:
        raise Unclear(f"{path} contains no table: {error}") from None


def _merge_with_earlier(path: Path, earlier: dict[str, Any], data: dict[str, Any]) -> dict[str, Any]:
    try:
        return merge_tables(earlier, data)
    except ValueError as error:
        raise Unclear(f"{path} cannot be updated: {error}") from None


def _is_beyond(name: str, dtype: str, mode: str, found: dict[str, Any]) -> bool:
    """Return whether a function's error is larger than allowed, or exceeds any rounding for more arguments than the
    table says.
    """
    allowed, known = table().allowed(name, dtype, mode), table().measured(name, dtype, mode)
    if allowed is None or known is None:
        return False
    return found["ulps"] > allowed or found.get("unlike", 0) > known.get("unlike", 0)


def show(data: dict[str, Any], console: Console) -> list[str]:
    """Print the measured errors beside the allowed ones, and return the names that exceed them."""
    shown = Table(box=None, padding=(0, 1, 0, 0), header_style="bold")
    for heading in HEADINGS:
        shown.add_column(heading, justify="right" if heading in HEADINGS[3:] else "left", no_wrap=True)
    beyond = []
    for name, dtypes in data["functions"].items():
        for dtype, modes in dtypes.items():
            for mode, found in modes.items():
                allowed = table().allowed(name, dtype, mode)
                is_beyond = _is_beyond(name, dtype, mode, found)
                beyond += [f"{name} {dtype} {mode}"] if is_beyond else []
                figures = [found["ulps"], allowed, found["error"], found["numpy_error"], found.get("unlike")]
                texts = ["" if figure is None else f"{figure:g}" for figure in figures]
                shown.add_row(name, dtype, mode, *texts, style="red" if is_beyond else "")
    console.print(shown, soft_wrap=False)
    if beyond:
        console.print(f"[bold red]beyond the table: {', '.join(beyond)}[/]", highlight=False, soft_wrap=True)
    return beyond
