"""The command `allowances`: which differences from NumPy are accepted, and why."""

from __future__ import annotations

import json
from typing import Any

import click
from rich.console import Console
from rich.markup import escape

from fuzz.cli.options import Unclear, hint
from fuzz.report.console import open_console
from fuzz.report.record import list_some
from oracle import ALLOWANCES, NAMES, Allowance, find_examples


@click.command(
    "allowances", short_help="List accepted differences, and why.", epilog="Exit status: 0; 2 for a usage error."
)
@click.argument("name", required=False, metavar="[NAME]")
@click.option("--json", "as_json", is_flag=True, help="Print as JSON.")
@click.option("--verbose", is_flag=True, help="Show tracebacks.")
def allowances_command(name: str | None, *, as_json: bool, verbose: bool) -> int:
    """Print the registry of accepted differences: id, reason, where it applies, the share it may take, and why.

    NAME is a name of NumPy's: only what may be accepted of it is printed. The id of an allowance prints that one, with
    its witness and its counter-examples.
    """
    by_id = {entry.id: entry for entry in ALLOWANCES}
    chosen = (
        [by_id[name]] if name in by_id else [entry for entry in ALLOWANCES if name is None or entry.is_for_name(name)]
    )
    if name is not None and name not in (*by_id, *NAMES):
        raise Unclear(f"{name!r} is neither an allowance nor one of NumPy's names{hint(name, [*by_id, *NAMES])}")
    console = open_console()
    if as_json:
        console.print_json(json.dumps([describe(entry) for entry in chosen]))
        return 0
    for entry in chosen:
        print_entry(entry, console, whole=name == entry.id)
    console.print(f"{len(chosen)} of {len(ALLOWANCES)} allowances", highlight=False)
    return 0


def describe(entry: Allowance) -> dict[str, Any]:
    """Return an allowance as JSON-serializable data."""
    examples = find_examples(entry.id)
    return {
        "id": entry.id,
        "reason": entry.reason.name,
        "names": list(entry.names),
        "modes": list(entry.modes),
        "kinds": list(entry.kinds),
        "most": entry.most,
        "why": entry.why,
        "link": entry.link,
        "until": entry.until,
        "witness": str(examples.witness.case),
        "counter": [str(example.case) for example in examples.counter],
    }


def print_entry(entry: Allowance, console: Console, *, whole: bool) -> None:
    """Print one allowance; with `whole`, its witness and its counter-examples too."""
    console.print(f"[bold]{entry.id}[/]  {entry.reason.value}; at most {entry.most:.0%}", highlight=False)
    names = "every name" if "*" in entry.names else list_some(entry.names, 6)
    modes = "every mode" if "*" in entry.modes else ", ".join(entry.modes)
    console.print(f"  {', '.join(entry.kinds)} of {escape(names)} in {modes}", highlight=False)
    console.print(f"  {escape(entry.why)}", highlight=False)
    if entry.link:
        until = f"until TensorFlow {entry.until}: " if entry.until else ""
        console.print(f"  {until}{entry.link}", highlight=False)
    if whole:
        examples = find_examples(entry.id)
        for title, example in [("accepted", examples.witness), *(("reported", one) for one in examples.counter)]:
            outcome = example.outcome()
            answer = outcome.error or outcome.value
            line = f"  {title} in {example.record.mode}: {example.case} -> {' '.join(str(answer).split())}"
            console.print(line, markup=False, highlight=False)
