"""The command `versions`: what changes between two releases of a library."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import click

from fuzz.adapters import REQUIREMENTS
from fuzz.cli.options import Duration, Seed, Unclear, environment_options
from fuzz.engine.numpy_calls import select_names
from fuzz.releases.answerer import NEEDED, Answerer
from fuzz.releases.changes import Changes, ReleaseChange, find_changes
from fuzz.releases.environments import Unavailable, check_package, make_environment
from fuzz.report.console import open_console
from fuzz.report.record import format_count, list_some
from fuzz.report.terminal import shorten
from fuzz.triage.atomic_files import write_inside
from fuzz.triage.output import DEFAULT

SUBJECTS = {check_package(first).partition("[")[0]: name for name, (first, *_) in reversed(REQUIREMENTS.items())}
"""The subject of a package; of several the first."""


@click.command(
    "versions",
    short_help="Find what changes between two releases of a library.",
    epilog="Exit status: 0 if nothing changes, 1 if something does, 2 for a usage error, 3 if the harness itself "
    "failed.",
)
@click.argument("old", metavar="PACKAGE==A")
@click.argument("new", metavar="PACKAGE==B")
@click.argument("names", nargs=-1, metavar="[NAME|GLOB ...]")
@click.option(
    "--time", "seconds", type=Duration(), default="2m", metavar="DURATION", help="How long calls are made. Default: 2m."
)
@click.option("--cases", type=click.IntRange(1), metavar="N", help="The largest number of calls.")
@click.option("--seed", type=Seed(), default="0", metavar="N", help="Seed of the calls. Default: 0.")
@click.option("--subject", metavar="MODULE", help="The module with NumPy's names. Default: that of the package.")
@environment_options
@click.option(
    "--out", type=click.Path(file_okay=False, path_type=Path), metavar="DIR", help="Default: fuzz-out/PACKAGE-A-B."
)
@click.option("--verbose", is_flag=True, help="Show tracebacks.")
def versions_command(
    old: str,
    new: str,
    names: tuple[str, ...],
    seconds: float,
    cases: int | None,
    seed: int,
    subject: str | None,
    others: tuple[str, ...],
    interpreter: str,
    environments: Path,
    out: Path | None,
    *,
    verbose: bool,
) -> int:
    """Make the same calls in PACKAGE==A and in PACKAGE==B, each in an environment made by uv, and report what differs:
    values, dtypes, shapes, errors, warnings and crashes.

    Each difference is reduced to the smallest call. For libraries other than NumPy, each says with which release the
    NumPy of the harness agrees. PACKAGE is numpy, jax, torch, keras, dask, tensorflow, or any package whose module has
    some of NumPy's names. changes.json has all.
    """
    console = open_console()
    package, first = split_requirement(old)
    other, second = split_requirement(new)
    if package.partition("[")[0] != other.partition("[")[0]:
        raise Unclear(f"{old} and {new} are of two packages")
    if first == second:
        raise Unclear(f"both are {old}: there is nothing to compare")
    head = package.partition("[")[0].lower()
    module = subject or SUBJECTS.get(head, head.replace("-", "_"))
    chosen = select_names(names)
    directory = out or DEFAULT / f"{head}-{first}-{second}"
    needed = (*NEEDED, "numpy", *REQUIREMENTS.get(module, ())[1:], *others)
    with ExitStack() as stack:
        try:
            pythons = [make_environment((one, *needed), interpreter, environments) for one in (old, new)]
            before, after = (stack.enter_context(Answerer(python, module)) for python in pythons)
        except Unavailable as error:
            raise Unclear(str(error)) from None
        if not {*before.names} & {*after.names} & {*chosen}:
            raise Unclear(f"{module} has none of the {len(chosen)} names in both releases")

        def observe(change: ReleaseChange) -> None:
            text = f"found {change.kind}  {shorten(str(change.case))}"
            console.print(text, markup=False, highlight=False, soft_wrap=True)

        changes = find_changes(before, after, chosen, seconds, seed=seed, most=cases, observe=observe)
        versions = [before.versions, after.versions]
    data = {
        "releases": [old, new],
        "versions": versions,
        "calls": changes.calls,
        "names": changes.names,
        "added": changes.added,
        "removed": changes.removed,
        "changes": [example.data() | {"names": names} for example, names in changes.group()],
    }
    directory.mkdir(parents=True, exist_ok=True)
    write_inside(directory, "changes.json", json.dumps(data, indent=1) + "\n")
    for line in format_changes(changes, first, second):
        console.print(line, markup=False, highlight=False, soft_wrap=True)
    console.print(f"Written: {directory / 'changes.json'}", markup=False, highlight=False)
    return 1 if changes.found or changes.added or changes.removed else 0


def split_requirement(text: str) -> tuple[str, str]:
    """Return package and version of "jax==0.4.30". Raises Unclear for anything else."""
    package, equal, version = text.partition("==")
    try:
        check_package(package)
    except Unavailable as error:
        raise Unclear(str(error)) from None
    if not equal or not version or set(version) & set(" ;,*<>=!~"):
        raise Unclear(f"{text!r} is no release; write numpy==2.3.5")
    return package, version


def format_changes(changes: Changes, first: str, second: str) -> Iterator[str]:
    """Yield the lines about all changes between two releases."""
    agreeing = {"": "", "old": f"    NumPy agrees with {first}", "new": f"    NumPy agrees with {second}"}
    for example, names in changes.group():
        case = shorten(str(example.case))
        yield f"{example.kind} ({example.call_class} call)  {list_some(names, 12)}  {case}"
        yield f"    {first}: {example.old}"
        yield f"    {second}: {example.new}"
        yield from filter(None, [agreeing.get(example.numpy, f"    NumPy agrees with {example.numpy}")])
    for what, found in (("New names", changes.added), ("Names that are gone", changes.removed)):
        yield from [f"{what}: {', '.join(found)}"] if found else []
    counts = format_count(len(changes.group()), "change"), format_count(changes.calls, "call")
    yield f"{counts[0]} in {counts[1]} of {format_count(changes.names, 'name')}"
