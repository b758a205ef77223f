"""The command `compare`: judge several subjects on the same cases, side by side."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import click
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from fuzz.cli.options import Seed, SubjectInterpreter, SubjectName, Unclear, count_cores, mode_options
from fuzz.cli.run import DEFAULT_MODES
from fuzz.comparison import AGREES, Comparison, judge_subject, make_items
from fuzz.engine.numpy_calls import select_names
from fuzz.engine.sandboxes import make_sandbox
from fuzz.report.console import open_console
from fuzz.sightings import label_mode
from fuzz.triage.atomic_files import write_file
from oracle import Mode

SHOWN = 40  # the largest number of names and of cases to print


@click.command(
    "compare",
    short_help="Judge several subjects side by side.",
    epilog="Exit status: 0 if the subjects' results agree, 1 if they differ, 2 for a usage error, 3 "
    "if the harness itself failed.",
)
@click.argument("subjects", type=SubjectName(), nargs=-1, required=True, metavar="SUBJECT SUBJECT ...")
@click.option(
    "--names", "patterns", default="*", metavar="NAME|GLOB,..", help="Names to draw, as NAME or GLOB. Default: all."
)
@click.option("--cases", type=click.IntRange(1), default=2000, metavar="N", help="Number of cases. Default: 2000.")
@click.option("--seed", type=Seed(), default=0, metavar="N|COMMIT", help="Seed of the cases. Default: 0.")
@click.option("--jobs", type=click.IntRange(1), metavar="N", help="Number of processes. Default: one for each core.")
@mode_options
@click.option(
    "--python",
    "interpreters",
    type=SubjectInterpreter(),
    multiple=True,
    is_eager=True,  # it has to be known when subjects are read
    metavar="SUBJECT=INTERPRETER",
    help="Judge a subject in the environment of another Python, as `run --python`; may be repeated.",
)
@click.option(
    "--json", "as_json", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE", help="Write as JSON."
)
@click.option("--verbose", is_flag=True, help="Show tracebacks.")
def compare_command(
    subjects: tuple[str, ...],
    patterns: str,
    cases: int,
    seed: int,
    jobs: int | None,
    modes: Sequence[str] | None,
    devices: Sequence[str] | None,
    interpreters: Sequence[tuple[str, str]],
    as_json: Path | None,
    *,
    verbose: bool,
) -> int:
    """Judge several subjects on the same cases, and show where they differ in outcome.

    A name that a subject lacks counts as absent, so that subjects with more and with fewer names can be compared.
    """
    if len(set(subjects)) < 2:
        raise Unclear("compare needs at least two subjects")
    pythons = dict(interpreters)
    if unknown := sorted(pythons.keys() - set(subjects)):
        raise Unclear(f"--python names {', '.join(unknown)}, which is not compared")
    devices = devices or ("CPU:0",)
    requested = tuple(label_mode(str(Mode(mode, device))) for device in devices for mode in modes or DEFAULT_MODES)
    items = make_items(select_names(patterns.split(",")), requested, seed, cases)
    console, found = open_console(), Comparison(list(dict.fromkeys(subjects)))
    for subject in found.subjects:
        console.print(f"judging {subject} ...", markup=False, highlight=False)
        arguments = {"subject": subject, "devices": devices, "names": (), "modes": modes or DEFAULT_MODES}
        functions = {"prepare": "fuzz.engine.tasks:prepare", "start": "fuzz.engine.tasks:start"}
        own = {"arguments": arguments, "modules": (), "interpreter": pythons.get(subject, "")}
        with make_sandbox(jobs or count_cores(), {**functions, **own}) as sandbox:
            for item, rows in judge_subject(sandbox, items):
                found.enter(subject, item, rows)
    show_comparison(found, console)
    if as_json is not None:
        as_json.parent.mkdir(parents=True, exist_ok=True)
        write_file(as_json, json.dumps(found.data(), indent=1) + "\n")
    return 1 if found.telling else 0


def show_comparison(found: Comparison, console: Console) -> None:
    """Print the totals, the names for which the subjects' results differ, and some cases that tell them apart."""
    telling = found.telling
    names = {one.name for one in telling}
    table = Table(box=None, pad_edge=False, header_style="bold")
    for title in ("name", *found.subjects):
        table.add_column(escape(title))
    for name, row in [(name, row) for name, row in found.by_name().items() if name in names][:SHOWN]:
        table.add_row(name, *(f"{agreeing}/{total}" for agreeing, total in row.values()))
    if names:
        console.print(table, soft_wrap=False)
    if len(names) > SHOWN:
        console.print(f"... and {len(names) - SHOWN} more names")
    for one in telling[:SHOWN]:
        console.print(one.source, markup=False, highlight=False, soft_wrap=True)
        for subject in found.subjects:
            seen = "; ".join(f"{kind} in {text}".rstrip() for kind, text in one.seen[subject].items())
            console.print(f"  {subject}: {seen or AGREES}", markup=False, highlight=False, soft_wrap=True)
    console.print()
    for subject, counts in found.totals().items():
        kinds = ", ".join(f"{count} {kind}" for kind, count in counts.most_common() if kind != AGREES)
        agreeing = f"agrees in {counts[AGREES]} of {len(found.cases)} cases"
        console.print(f"{subject} {agreeing}{f': {kinds}' if kinds else ''}", markup=False, highlight=False)
    console.print(f"{len(telling)} cases with different results", highlight=False)
