"""The command `faults`: mutation testing of the fuzzer. Plant one known fault after another, and see whether it is
found.
"""

from __future__ import annotations

import json
import statistics
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from textwrap import shorten
from typing import Any

import click
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from fuzz.cli.options import Duration, Unclear, hint, python_option, subject_option
from fuzz.cli.reported import measure_reported
from fuzz.engine.run_options import LARGEST_SEED
from fuzz.engine.tasks import OWN
from fuzz.lab.reported import HALVES, load_reported
from fuzz.mutants import FAULTS, Fault
from fuzz.mutants.generated import SEPARATOR, generate_faults, take_sample
from fuzz.mutants.operators import list_kinds
from fuzz.mutants.score import (
    FOUND,
    MISSED,
    NO_WITNESS,
    STATUSES,
    Hunted,
    find_class,
    find_kind,
    grounds_of,
    hunt_one,
    open_sandbox,
    select_generated,
    selected,
)
from fuzz.report.console import open_console
from fuzz.triage.atomic_files import write_file

LONGEST_CASE = 200


@click.command(
    "faults",
    short_help="Test the fuzzer by planted faults.",
    epilog="Exit status: 0 if every fault was found that has a witness, 1 if one was missed, 2 for a usage error, 3 if "
    "the harness itself failed.",
)
@click.argument("patterns", nargs=-1, metavar="[NAME|GLOB ...]")
@click.option(
    "--time",
    "seconds",
    type=Duration(),
    default="60s",
    metavar="DURATION",
    help="CPU time for each fault, after which it counts as missed; with --reported the time of the run.",
)
@click.option("--seed", type=click.IntRange(0, LARGEST_SEED), default=1, metavar="N", help="Seed of the cases.")
@click.option(
    "--historical", is_flag=True, help="Plant 100 bugs that users of array libraries reported, instead of the others."
)
@click.option(
    "--sample",
    type=click.IntRange(1),
    metavar="N",
    help="Plant a fixed sample of N generated faults, as many of each kind: an option ignored, an axis off by one ...",
)
@click.option(
    "--kind",
    "kinds",
    type=click.Choice(list_kinds()),
    multiple=True,
    help="Plant generated faults of this kind alone. May be given several times.",
)
@click.option(
    "--reported",
    metavar="LIBRARY",
    help="Plant nothing: run a library, such as mlx.core, in a release that has bugs which users reported, and say "
    "which of them are found.",
)
@click.option(
    "--half",
    type=click.Choice(HALVES),
    help="The half of the reported bugs that is told by name. Default: tuned; apart is to measure by, unseen.",
)
@python_option
@subject_option
@click.option(
    "--json", "as_json", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE", help="Write as JSON, too."
)
@click.option("--verbose", is_flag=True, help="Show tracebacks.")
def faults_command(
    patterns: tuple[str, ...],
    seconds: float,
    seed: int,
    subject: str | None,
    as_json: Path | None,
    sample: int | None,
    kinds: tuple[str, ...],
    reported: str | None,
    half: str | None,
    interpreter: str,
    *,
    historical: bool,
    verbose: bool,
) -> int:
    """Plant known faults in a correct subject, one after another, and report which ones the fuzzer finds.

    Without arguments they are those written by hand. NAME is the name of a fault, of the function that has it, or a
    pattern; of a historical one, its report, too, such as "jax-ml/*"; of a generated one its id, such as "sum/axis/*".
    A function that the subject lacks is taken from NumPy.
    """
    if reported:
        return measure_reported(load_reported(), reported, half, seconds, seed, interpreter, open_console())
    if historical and (sample or kinds):
        raise Unclear("--historical has no kinds and no sample")
    chosen = choose(patterns, historical, sample, kinds)
    for pattern in patterns:
        if not choose([pattern], historical, sample, kinds):
            known = [entry.name for entry in selected(historical=historical)]
            known = list(generate_faults(pattern.partition(SEPARATOR)[0])) or known
            others = "without" if historical else "with"
            told = f": it is hunted {others} --historical" if pattern in FAULTS else hint(pattern, known)
            raise Unclear(f"no fault {pattern!r}{told}")
    console = open_console()
    hunted = []
    for number, one in enumerate(hunt_all(chosen, subject or OWN, seconds, seed), 1):
        console.print(f"{number:3}/{len(chosen)} {format_line(one)}", highlight=False, soft_wrap=True)
        hunted += [one] if one.ground else []
    data = summarise(hunted)
    show(data, console)
    if as_json is not None:
        as_json.parent.mkdir(parents=True, exist_ok=True)
        write_file(as_json, json.dumps(data, indent=1) + "\n")
    return 1 if data["missed"] else 0


def choose(patterns: Sequence[str], historical: bool, sample: int | None, kinds: Sequence[str]) -> list[Fault]:
    """Return the faults to hunt: written by hand, generated, or both where a pattern names both."""
    written = [] if sample or kinds else selected(patterns, historical=historical)
    if historical or not (patterns or sample or kinds):
        return written
    generated = select_generated(patterns, kinds)
    return written + (take_sample(generated, sample) if sample else generated)


def hunt_all(chosen: Sequence[Fault], ground: str, seconds: float, seed: int) -> Iterator[Hunted]:
    """Hunt one fault after another in a sandbox; one without a ground is not hunted."""
    with open_sandbox(ground) as sandbox:
        grounds = grounds_of(sandbox, ground, chosen)
        for entry in chosen:
            own = grounds.get(entry.name, "")
            yield hunt_one(sandbox, entry, own, seconds, seed) if own else Hunted(entry, "")


def format_line(one: Hunted) -> str:
    """Return one line about a hunt that has just ended."""
    if not one.ground:
        return f"[dim]skipped {one.fault.name}: it needs tensors, or what the subject lacks[/]"
    name = f"{one.fault.name} ({one.fault.source})" if one.fault.source else one.fault.name
    rate = "" if one.rate is None else f"; {100 * one.rate.share:.2f} % of drawn calls show it"
    if one.status == NO_WITNESS:
        return f"[dim]{NO_WITNESS} of {name}: {_describe_search(one)}[/]"
    if one.status == MISSED:
        return f"[red]missed[/] {name}: {escape(one.fault.summary)}; {one.cases} cases{rate}"
    kinds = ", ".join(dict.fromkeys(finding.kind for finding in one.findings))
    minimal = escape(shorten(str(one.minimal), LONGEST_CASE))
    return f"[green]found[/]  {name} in {one.seconds:.1f} s: {kinds}, {minimal}{rate}"


def _describe_search(one: Hunted) -> str:
    assert one.search is not None
    accepted = shorten(str(one.search.accepted), LONGEST_CASE)
    ending = f", and the judge accepts {accepted}" if one.search.accepted else ""
    return escape(f"it changes the answer to {one.search.changed} of {one.search.drawn} calls{ending}")


def show(data: Mapping[str, Any], console: Console) -> None:
    """Print the score by kind, or by class of reported faults, and which were missed."""
    columns = {"faults": "faults", **{_as_key(status): status for status in STATUSES}}
    columns |= {"median_core_seconds": "median core s", "median_rate": "median rate"}
    for heading in ("kinds", "classes"):
        table = Table(box=None, padding=(0, 1, 0, 0), header_style="bold")
        table.add_column(heading, no_wrap=True)
        for text in columns.values():
            table.add_column(text, no_wrap=True, justify="right")
        for name, found in data.get(heading, {}).items():
            table.add_row(name, *("" if found[key] is None else str(found[key]) for key in columns))
        if table.row_count > (1 if heading == "classes" else 2):  # more than one kind, and all
            console.print(table)
    text = f"{data['found']} of {data['faults']} faults found"
    text += f"; missed: {', '.join(data['missed'])}" if data["missed"] else ""
    text += f"; {len(data['no_witness'])} without a witness" if data["no_witness"] else ""
    console.print(f"[bold {'red' if data['missed'] else 'green'}]{text}[/]", highlight=False, soft_wrap=True)


def summarise(hunted: Sequence[Hunted]) -> dict[str, Any]:
    """Return all hunts and their totals as JSON-serializable data."""
    found = [one for one in hunted if one.found]
    reported = [one for one in hunted if one.fault.source]
    return {
        "faults": len(hunted),
        "found": len(found),
        "missed": [one.fault.name for one in hunted if one.status == MISSED],
        "no_witness": [one.fault.name for one in hunted if one.status == NO_WITNESS],
        "in_one_bucket": sum(len(one.findings) == 1 for one in found),
        "median_elements": _find_median([one.elements for one in found], 1),
        "kinds": summarise_groups(hunted, lambda one: find_kind(one.fault)),
        **({"classes": summarise_groups(reported, lambda one: find_class(one.fault))} if reported else {}),
        "hunts": [one.data() for one in hunted],
    }


def summarise_groups(hunted: Sequence[Hunted], group: Callable[[Hunted], str]) -> dict[str, dict[str, Any]]:
    """Return, for each group of faults and for all, how many there are, were found, missed, or have no witness, and the
    medians of the CPU seconds to find one and of the percentage of drawn calls that show it.
    """
    members: dict[str, list[Hunted]] = {name: [] for name in (*sorted({group(one) for one in hunted}), "all")}
    for one in hunted:
        members[group(one)].append(one)
        members["all"].append(one)
    return {
        name: {
            "faults": len(own),
            **{_as_key(status): sum(one.status == status for one in own) for status in STATUSES},
            "median_core_seconds": _find_median([one.seconds for one in own if one.status == FOUND], 2),
            "median_rate": _find_median([100 * one.rate.share for one in own if one.rate], 3),
        }
        for name, own in members.items()
    }


def _as_key(status: str) -> str:
    return status.replace(" ", "_")


def _find_median(values: Sequence[float], digits: int) -> float | None:
    return round(statistics.median(values), digits) if values else None
