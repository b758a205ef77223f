"""The command `faults`: mutation testing of the fuzzer. Plant one known fault after another, and see whether it is
found.
"""

from __future__ import annotations

import json
import statistics
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue
from textwrap import shorten
from typing import Any

import click
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from fuzz.cli.options import Duration, Unclear, hint, python_option, subject_option
from fuzz.cli.reported import measure_reported
from fuzz.engine.run_options import LARGEST_SEED
from fuzz.engine.scheduler import ENGINES
from fuzz.engine.tasks import OWN
from fuzz.lab.reported import HALVES, load_reported
from fuzz.mutants import FAULTS, Fault
from fuzz.mutants.generated import SEPARATOR, generate_faults, take_sample
from fuzz.mutants.operators import list_kinds
from fuzz.mutants.rates import CLASSES
from fuzz.mutants.score import (
    FOUND,
    MISSED,
    NO_WITNESS,
    STATUSES,
    Hunted,
    find_class,
    find_kind,
    find_witness,
    grounds_of,
    hunt,
    measure_rate,
    open_sandbox,
    select_generated,
    selected,
)
from fuzz.report.console import open_console
from fuzz.triage.atomic_files import write_file
from oracle.harness import Sandbox


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
    "--jobs", type=click.IntRange(1), default=1, metavar="N", help="Number of faults hunted at a time. Default: 1."
)
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
@click.option("--engine", type=click.Choice(ENGINES), default="seeds", help="How calls are drawn. Default: seeds.")
@subject_option
@click.option(
    "--json", "as_json", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE", help="Write as JSON, too."
)
@click.option("--verbose", is_flag=True, help="Show tracebacks.")
def faults_command(
    patterns: tuple[str, ...],
    seconds: float,
    seed: int,
    jobs: int,
    engine: str,
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
            known = generate_faults(pattern.partition(SEPARATOR)[0]) or FAULTS
            raise Unclear(f"no fault {pattern!r}{hint(pattern, known)}")
    console = open_console()
    hunted = []
    for number, one in enumerate(hunt_all(chosen, subject or OWN, seconds, seed, jobs, engine), 1):
        hunted += [one] if one.ground else []
        console.print(format_line(one, number, len(chosen)), highlight=False, soft_wrap=True)
    hunted.sort(key=lambda one: chosen.index(one.fault))
    show_hunts(hunted, console)
    if len({find_kind(one.fault) for one in hunted}) > 1:
        show_kinds(hunted, console)
    if historical:
        show_classes(hunted, console)
    if as_json is not None:
        as_json.parent.mkdir(parents=True, exist_ok=True)
        write_file(as_json, json.dumps(summarise(hunted), indent=1) + "\n")
    return 1 if any(one.status == MISSED for one in hunted) else 0


def choose(patterns: Sequence[str], historical: bool, sample: int | None, kinds: Sequence[str]) -> list[Fault]:
    """Return the faults to hunt: written by hand, generated, or both where a pattern names both."""
    written = [] if sample or kinds else selected(patterns, historical=historical)
    if historical or not (patterns or sample or kinds):
        return written
    generated = select_generated(patterns, kinds)
    return written + (take_sample(generated, sample) if sample else generated)


def hunt_all(
    chosen: Sequence[Fault], ground: str, seconds: float, seed: int, jobs: int, engine: str = "seeds"
) -> Iterator[Hunted]:
    """Hunt every fault, `jobs` of them at a time, each job in its own sandbox; yield each hunt when it has ended."""
    waiting, done = SimpleQueue[Fault](), SimpleQueue[Hunted | BaseException]()
    for entry in chosen:
        waiting.put(entry)

    def work() -> None:
        try:
            with open_sandbox(ground) as sandbox:
                grounds = grounds_of(sandbox, ground, chosen)
                while not waiting.empty():
                    entry = waiting.get()
                    done.put(hunt_one(sandbox, entry, grounds.get(entry.name, ""), seconds, seed, engine))
        except BaseException as error:  # noqa: BLE001 - it would be lost with the thread
            done.put(error)

    with ThreadPoolExecutor(jobs) as pool:
        for _ in range(jobs):
            pool.submit(work)
        for _ in chosen:
            result = done.get()
            if isinstance(result, BaseException):
                while not waiting.empty():
                    waiting.get()
                raise result
            yield result


def hunt_one(sandbox: Sandbox, entry: Fault, ground: str, seconds: float, seed: int, engine: str) -> Hunted:
    """Hunt a fault, with what else is measured of it; one without a ground, or without a witness, is not hunted."""
    if not ground:
        return Hunted(entry, "")
    if not entry.operator:
        hunted = hunt(sandbox, entry, ground, seconds, seed, engine)
        if entry.source:
            hunted.rate = measure_rate(sandbox, entry, ground, seed)
        return hunted
    search = find_witness(sandbox, entry)
    is_seen = search is None or search.witness is not None
    hunted = hunt(sandbox, entry, ground, seconds, seed, engine) if is_seen else Hunted(entry, ground)
    hunted.search = search
    return hunted


def format_line(one: Hunted, number: int, total: int) -> str:
    """Return one line about a hunt that has just ended."""
    if not one.ground:
        return f"{number:3}/{total} [dim]skipped {one.fault.name}: it needs tensors, or what the subject lacks[/]"
    if one.status == NO_WITNESS:
        return f"{number:3}/{total} [dim]{NO_WITNESS} of {one.fault.name}: {_describe_search(one)}[/]"
    if not one.found:
        return f"{number:3}/{total} [red]missed[/] {one.fault.name} ({one.fault.target}): {one.cases} cases"
    buckets = "" if len(one.findings) == 1 else f", in {len(one.findings)} buckets"
    return f"{number:3}/{total} [green]found[/]  {one.fault.name} in {one.seconds:.1f} s{buckets}"


def _describe_search(one: Hunted) -> str:
    assert one.search is not None
    accepted = shorten(str(one.search.accepted), LONGEST_CASE)
    ending = f", and the judge accepts {accepted}" if one.search.accepted else ""
    return escape(f"it changes the answer to {one.search.changed} of {one.search.drawn} calls{ending}")


def show_hunts(hunted: Sequence[Hunted], console: Console) -> None:
    """Print the table of all hunts, and the totals."""
    table = Table(box=None, padding=(0, 1, 0, 0), header_style="bold")
    for heading in ("fault", "shows as", "core s", "elements", "calls", "buckets", "minimal case"):
        narrow = heading != "minimal case"  # the case gets the rest of the line, and may take several lines
        table.add_column(heading, overflow="fold", no_wrap=narrow, justify="right" if heading in RIGHT else "left")
    for one in hunted:
        table.add_row(*_format_row(one), style={FOUND: "", MISSED: "red"}.get(one.status, "dim"))
    console.print(table, soft_wrap=False)
    found = summarise(hunted)
    text = f"{found['found']} of {found['faults']} faults found"
    if found["missed"]:
        text += f"; missed: {', '.join(found['missed'])}"
    if found["no_witness"]:
        text += f"; {len(found['no_witness'])} without a witness"
    console.print(f"[bold {'red' if found['missed'] else 'green'}]{text}[/]", highlight=False, soft_wrap=True)
    if found["found"]:
        console.print(
            f"median {found['median_core_seconds']} core-seconds, {found['median_elements']} elements, "
            f"{found['median_calls']} calls; {found['in_one_bucket']} in one bucket; "
            f"longest {found['most_core_seconds']} core-seconds",
            highlight=False,
        )


def _make_table(texts: Sequence[str], numeric: Sequence[str]) -> Table:
    """Return a table with columns of texts, then columns of right-justified numbers."""
    table = Table(box=None, padding=(0, 1, 0, 0), header_style="bold")
    for heading in (*texts, *numeric):
        table.add_column(heading, no_wrap=True, justify="left" if heading in texts else "right")
    return table


def show_kinds(hunted: Sequence[Hunted], console: Console) -> None:
    """Print the score by kind."""
    table = _make_table(("kind",), ("faults", FOUND, MISSED, NO_WITNESS, "median core s"))
    for kind, found in summarise_kinds(hunted).items():
        seconds = found["median_core_seconds"]
        counts = [str(found[name]) for name in ("faults", "found", "missed", "no_witness")]
        table.add_row(kind, *counts, "" if seconds is None else f"{seconds:.2f}")
    console.print(table)


def summarise_kinds(hunted: Sequence[Hunted]) -> dict[str, dict[str, Any]]:
    """Return, for each kind of faults and for all, how many there are, were found, missed, or have no witness, and the
    median of the CPU seconds to find one.
    """
    groups: dict[str, list[Hunted]] = {kind: [] for kind in (*sorted({find_kind(one.fault) for one in hunted}), "all")}
    for one in hunted:
        groups[find_kind(one.fault)].append(one)
        groups["all"].append(one)
    return {
        kind: {
            "faults": len(members),
            **{status.replace(" ", "_"): sum(one.status == status for one in members) for status in STATUSES},
            "median_core_seconds": _find_median([one.seconds for one in members if one.found], 2),
        }
        for kind, members in groups.items()
    }


def show_classes(hunted: Sequence[Hunted], console: Console) -> None:
    """Print the rate of each reported fault, and a table of those that were found by class."""
    rates = _make_table(("fault", "report", "class"), ("rate", "of", "core s"))
    for one in sorted(hunted, key=lambda one: one.rate.share if one.rate else 0.0):
        known = [f"{100 * one.rate.share:.2f} %", str(sum(one.rate.drawn.values()))] if one.rate else ["", ""]
        cells = [one.fault.name, one.fault.source, find_class(one.fault), *known, f"{one.seconds:.1f}"]
        rates.add_row(*cells, style="" if one.found else "red")
    classes = _make_table(("class",), ("faults", "found", "median rate", "median core s"))
    for name, found in summarise_classes(hunted).items():
        rate, seconds = found["median_rate"], found["median_core_seconds"]
        medians = ["" if rate is None else f"{100 * rate:.2f} %", "" if seconds is None else f"{seconds:.2f}"]
        classes.add_row(name, str(found["faults"]), str(found["found"]), *medians)
    console.print(rates, classes)


def summarise_classes(hunted: Sequence[Hunted]) -> dict[str, dict[str, Any]]:
    """Return, for each class of faults and for all, how many there are, how many were found, and medians."""
    groups: dict[str, list[Hunted]] = {name: [] for name in (*CLASSES, "all")}
    for one in hunted:
        groups[find_class(one.fault)].append(one)
        groups["all"].append(one)
    return {
        name: {
            "faults": len(members),
            "found": sum(one.found for one in members),
            "missed": [one.fault.name for one in members if not one.found],
            "median_rate": _find_median([one.rate.share for one in members if one.rate], 5),
            "median_core_seconds": _find_median([one.seconds for one in members if one.found], 2),
        }
        for name, members in groups.items()
    }


def _find_median(values: Sequence[float], digits: int) -> float | None:
    return round(statistics.median(values), digits) if values else None


LONGEST_CASE = 200
RIGHT = {"core s", "elements", "calls", "buckets", "rate", "of"}


def _format_row(one: Hunted) -> list[str]:
    if not one.found:
        expected = f"{one.status}: {one.fault.kind}" if one.fault.kind else one.status
        return [one.fault.name, expected, f"{one.seconds:.1f}", "", "", "", escape(one.fault.summary)]
    kinds = ", ".join(dict.fromkeys(finding.kind for finding in one.findings))
    figures = [str(one.elements), str(one.calls), str(len(one.findings))]
    return [one.fault.name, kinds, f"{one.seconds:.1f}", *figures, escape(str(one.minimal))]


def summarise(hunted: Sequence[Hunted]) -> dict[str, Any]:
    """Return all hunts and their totals as JSON-serializable data."""
    found = [one for one in hunted if one.found]
    return {
        "faults": len(hunted),
        "found": len(found),
        "missed": [one.fault.name for one in hunted if one.status == MISSED],
        "no_witness": [one.fault.name for one in hunted if one.status == NO_WITNESS],
        "in_one_bucket": sum(len(one.findings) == 1 for one in found),
        "median_core_seconds": _find_median([one.seconds for one in found], 2),
        "most_core_seconds": round(max([one.seconds for one in found]), 2) if found else None,
        "median_elements": statistics.median([one.elements for one in found]) if found else None,
        "median_calls": statistics.median([one.calls for one in found]) if found else None,
        "kinds": summarise_kinds(hunted),
        "hunts": [one.data() for one in hunted],
        **({"classes": summarise_classes(hunted)} if any(one.fault.source for one in hunted) else {}),
    }
