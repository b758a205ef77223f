"""The command `scale`: time, memory and their growth beside NumPy's."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from pathlib import Path

import click
from rich.console import Console
from rich.table import Table

from fuzz.cli.options import Duration, SubjectName, Unclear, Words, hint
from fuzz.engine.numpy_calls import select_names
from fuzz.engine.tasks import OWN
from fuzz.report.console import open_console
from fuzz.report.scale_page import render_scale
from fuzz.scale import MEMORY, MODES, Budget, Climb, climb_all, make_findings, plan_all, to_data
from fuzz.triage.ledger import Finding
from fuzz.triage.output import Archive
from oracle import Limits, Sandbox, memory_curve, time_curve

WORST = 40
HEADINGS = ("name", "mode", "grows", "elements", "ms", "NumPy's", "x", "power", "NumPy's", "memory x", "compile s")


def check_timed_mode(text: str) -> str:
    """Return the mode, if calls can be timed in it."""
    if text not in MODES:
        raise Unclear(f"calls cannot be timed in mode {text!r}{hint(text, MODES)}")
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
    """
    names, console, archive = select_names(patterns), open_console(), Archive.make(out)
    arguments = {"subject": subject, "devices": ("CPU:0",), "names": ()}
    limits = Limits(memory_bytes=MEMORY)
    with Sandbox(
        jobs, "fuzz.engine.tasks:prepare", arguments, start="fuzz.engine.tasks:start", limits=limits
    ) as sandbox:
        ladders = plan_all(sandbox, names, cases, directions)
        budget = Budget(elements=size, seconds=call)
        climbs = _collect(climb_all(sandbox, ladders, modes, budget, seconds), console)
    findings = make_findings(climbs)
    show(climbs, findings, console)
    write(archive, subject, climbs, findings)
    console.print(f"written: {archive.root}", highlight=False)
    return 1 if findings else 0


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
    (archive.root / "scale.json").write_text(json.dumps(data, indent=1) + "\n")
    (archive.root / "scale.html").write_text(render_scale(data))
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
