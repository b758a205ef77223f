"""The command `scale`: time, memory and their growth beside NumPy's."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.table import Table

from fuzz import scale_sizes
from fuzz.cli.options import Duration, SubjectName, Unclear, Words, hint
from fuzz.engine.numpy_calls import select_names
from fuzz.engine.tasks import OWN
from fuzz.report.console import open_console
from fuzz.report.scale_page import render_scale
from fuzz.scale import MEMORY, MODES, Budget, Climb, climb_all, make_findings, plan_all, to_data
from fuzz.triage.atomic_files import write_inside
from fuzz.triage.ledger import Finding
from fuzz.triage.output import Archive
from oracle.harness import Limits, Sandbox, memory_curve, time_curve

WORST = 40
WRITE_EVERY = 10.0
"""Seconds after which what was measured by then is written again."""
HEADINGS = ("name", "mode", "grows", "elements", "ms", "NumPy's", "x", "power", "NumPy's", "memory x", "compile s")


def check_timed_mode(text: str) -> str:
    """Return the mode, if calls can be timed in it."""
    if text not in MODES:
        raise Unclear(f"calls cannot be timed in mode {text!r}{hint(text, MODES)}")
    return text


def check_size(text: str) -> str:
    """Return the text, if it is a number of elements."""
    if not text.isdecimal() or int(text) < 1:
        raise Unclear(f"{text!r} is not a number of elements")
    return text


@click.command(
    "scale",
    short_help="Measure how time and memory grow.",
    epilog="Exit status: 0 if all costs grow by the same power as NumPy's, 1 if one does not, or a size "
    "crashes, 2 for a usage error, 3 if the harness itself failed.",
)
@click.argument("patterns", nargs=-1, metavar="[NAME|GLOB ...]")
@click.option("--subject", type=SubjectName(), default=OWN, help=f"The module to measure. Default: {OWN}.")
@click.option(
    "--modes",
    type=Words(check_timed_mode),
    default=",".join(MODES),
    metavar="M,..",
    help="Execution modes. Default: all.",
)
@click.option(
    "--size", type=click.IntRange(1 << 10), default=1 << 20, metavar="N", help="Elements of the largest array."
)
@click.option(
    "--call", type=Duration(), default="1s", metavar="DURATION", help="Limit of the CPU time of one call. Default: 1s."
)
@click.option("--cases", type=click.IntRange(1), default=2, metavar="N", help="Cases of each name. Default: 2.")
@click.option(
    "--directions", type=click.IntRange(1), default=3, metavar="N", help="Number of ways in which each case grows."
)
@click.option(
    "--sizes",
    type=Words(check_size),
    metavar="N,..",
    help="Measure one call of each name at these numbers of elements, instead of its growth.",
)
@click.option("--beside", type=SubjectName(), help="With --sizes: another module that is measured in the same turns.")
@click.option("--time", "seconds", type=Duration(), metavar="DURATION", help="Start nothing after this time.")
@click.option(
    "--jobs",
    type=click.IntRange(1),
    default=1,
    metavar="N",
    help="Number of processes. Default: 1, so that measurements do not disturb one another.",
)
@click.option(
    "--out", type=click.Path(file_okay=False, path_type=Path), metavar="DIR", help="An empty directory for the results."
)
@click.option("--verbose", is_flag=True, help="Show tracebacks.")
def scale_command(
    patterns: tuple[str, ...],
    subject: str,
    modes: Sequence[str],
    size: int,
    call: float,
    cases: int,
    directions: int,
    sizes: Sequence[str] | None,
    beside: str | None,
    seconds: float | None,
    jobs: int,
    out: Path | None,
    *,
    verbose: bool,
) -> int:
    """Measure time, memory and their growth beside NumPy's.

    Cases of each NAME grow by factors of 4: all arrays, single arrays, and the integers that the size of the result
    depends on. CPU time and peak memory are measured in one process with one thread, as are NumPy's. A call whose cost
    grows by another power of the size than NumPy's is a finding. NAME is one of NumPy's names (linalg.norm) or a
    pattern (linalg.*).

    With --sizes, the simplest case of each NAME is grown to these sizes, and nothing is a finding.
    """
    if beside and not sizes:
        raise Unclear("--beside needs --sizes")
    names, console, archive = select_names(patterns), open_console(), Archive.make(out)
    arguments = {"subject": subject, "devices": ("CPU:0",), "names": ()}
    limits = Limits(memory_bytes=MEMORY)
    with Sandbox(
        jobs, "fuzz.engine.tasks:prepare", arguments, start="fuzz.engine.tasks:start", limits=limits
    ) as sandbox:
        if sizes:
            results = scale_sizes.measure_all(sandbox, names, modes, list(map(int, sizes)), beside or "", seconds)
            show_sizes(write_sizes(archive, subject, beside or "", results), console)
            console.print(f"written: {archive.root}", highlight=False)
            return 0
        ladders = plan_all(sandbox, names, cases, directions)
        budget = Budget(elements=size, seconds=call)
        climbs = _collect(climb_all(sandbox, ladders, modes, budget, seconds), console)
    findings = make_findings(climbs)
    show(climbs, findings, console)
    write(archive, subject, climbs, findings)
    console.print(f"written: {archive.root}", highlight=False)
    return 1 if findings else 0


def write_sizes(
    archive: Archive, subject: str, beside: str, results: Iterable[tuple[scale_sizes.Task, Any]]
) -> list[dict[str, Any]]:
    """Write sizes.json, again and again while results come, and return its rows."""
    done: list[tuple[scale_sizes.Task, Any]] = []
    written = time.monotonic()
    for result in results:
        done.append(result)
        if time.monotonic() - written > WRITE_EVERY:
            _write_sizes(archive, subject, beside, scale_sizes.to_rows(done))
            written = time.monotonic()
    rows = scale_sizes.to_rows(done)
    _write_sizes(archive, subject, beside, rows)
    return rows


def _write_sizes(archive: Archive, subject: str, beside: str, rows: Sequence[Mapping[str, Any]]) -> None:
    write_inside(archive.root, "sizes.json", json.dumps(scale_sizes.to_data(subject, beside, rows), indent=1) + "\n")


def show_sizes(rows: Sequence[Mapping[str, Any]], console: Console) -> None:
    """Print the largest ratios, their medians, and what was not measured."""
    shown = Table(box=None, padding=(0, 1, 0, 0), header_style="bold")
    for column, heading in enumerate(("name", "mode", "elements", "ms", "x NumPy's", "x beside", "memory x")):
        shown.add_column(heading, justify="right" if column > 1 else "left", no_wrap=True)
    measured = [row for row in rows if "ratios" in row]
    for row in sorted(measured, key=lambda row: -row["ratios"]["numpy"])[:WORST]:
        ratios = [f"{row['ratios'][key]:.3g}" if key in row["ratios"] else "" for key in ("numpy", "beside", "memory")]
        shown.add_row(row["name"], row["mode"], f"{row['elements']:,}", f"{row['seconds'] * 1e3:.3g}", *ratios)
    console.print(shown, soft_wrap=False)
    for entry in scale_sizes.summarize(rows):
        medians = ", ".join(f"{ratio:.3g} x {key}" for key, ratio in entry["medians"].items())
        text = f"{entry['mode']}, {entry['size']} elements: {entry['measured']} calls, medians {medians}"
        console.print(text, highlight=False, soft_wrap=True)
    for reason, count in scale_sizes.count_missing(rows).most_common():
        console.print(f"not measured, {count}: {reason}", highlight=False, soft_wrap=True)


def _collect(climbs: Iterator[Climb], console: Console) -> list[Climb]:
    """Collect the climbs; on a terminal, show each one as it comes."""
    if not console.is_terminal or os.environ.get("CI"):
        return list(climbs)
    done = []
    with console.status("Measuring ...") as status:
        for climb in climbs:
            done.append(climb)
            status.update(f"{len(done)} measured, the last of them {climb.name} in {climb.mode}")
    return done


def write(archive: Archive, subject: str, climbs: Sequence[Climb], findings: Sequence[Finding]) -> None:
    """Write scale.json, scale.html, and the case of each finding."""
    data = to_data(subject, climbs, findings)
    write_inside(archive.root, "scale.json", json.dumps(data, indent=1) + "\n")
    write_inside(archive.root, "scale.html", render_scale(data))
    for finding in findings:
        archive.keep(finding)


def show(climbs: Sequence[Climb], findings: Sequence[Finding], console: Console) -> None:
    """Print the most expensive calls, the findings, and what was not measured, by reason."""
    shown = Table(box=None, padding=(0, 1, 0, 0), header_style="bold")
    for column, heading in enumerate(HEADINGS):
        shown.add_column(heading, justify="right" if column > 2 else "left", no_wrap=True)
    for climb in sorted(climbs, key=lambda climb: -climb.worst)[:WORST]:
        if climb.rungs:
            shown.add_row(*_format_row(climb), style="red" if climb.growths else "")
    console.print(shown, soft_wrap=False)
    for finding in findings:
        text = f"{finding.kind}: {finding.name} in {', '.join(finding.modes)}: {finding.detail}"
        console.print(f"[bold red]{finding.id}[/] {text}", highlight=False, soft_wrap=True)
    missed: dict[tuple[str, str], dict[str, None]] = {}
    for climb in climbs:
        if not climb.rungs:
            reason = climb.ended or "every size that NumPy takes is too small"
            missed.setdefault((climb.mode, reason), {})[climb.name] = None
    for (mode, reason), names in missed.items():
        console.print(f"not measured in {mode}: {', '.join(names)}: {reason}", highlight=False, soft_wrap=True)


def _format_row(climb: Climb) -> list[str]:
    """Return one row of the table."""
    last, times, memory = climb.rungs[-1], time_curve(climb.rungs), memory_curve(climb.rungs)
    figures = [times.exponent, times.reference, memory.ratio if memory.costs else None, last.compiling]
    return [
        climb.name,
        climb.mode,
        climb.ladder.label,
        f"{last.elements:,}",
        f"{last.seconds * 1e3:.3g}",
        f"{last.numpy_seconds * 1e3:.3g}",
        f"{last.seconds / last.numpy_seconds:.3g}",
        *("" if figure is None else f"{figure:.2f}" for figure in figures),
    ]
