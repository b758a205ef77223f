"""The command `explain`: how a name is compared, which differences are accepted, and why."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

import click
from rich.console import Console
from rich.markup import escape

from fuzz.cli.options import Unclear, choose_subject, hint
from fuzz.engine.domains import DOMAINS, NUMPY_CALLS, find_domain
from fuzz.report.console import open_console
from fuzz.report.record import list_some
from oracle import load_subject
from oracle.harness import (
    ACCEPTING,
    MODES,
    TITLES,
    UNSPECIFIED,
    Accepted,
    describe_relation,
    find_adapter,
    find_examples,
    list_allowances,
    list_by_design,
    list_offered,
)

TENSORS = ("tfnp", "tensorflow.experimental.numpy")
"""Well-known libraries of tensors, which need not be imported."""

WITH_EXAMPLES = frozenset(entry.id for entry in ACCEPTING)
OF_RELATIONS = frozenset(entry.id for entry in UNSPECIFIED)


@click.command(
    "explain",
    short_help="Say how a name is compared, and what is accepted.",
    epilog="Exit status: 0; 2 for a usage error.",
)
@click.argument("name", required=False, metavar="[NAME]")
@click.option(
    "--subject", metavar="SUBJECT", help="What a run of this subject accepts. Default: tfnp, where that is installed."
)
@click.option("--json", "as_json", is_flag=True, help="Print as JSON.")
@click.option("--verbose", is_flag=True, help="Show tracebacks.")
def explain_command(name: str | None, *, subject: str | None, as_json: bool, verbose: bool) -> int:
    """Print the registry of accepted differences: id, reason, where it applies, the share it may take, and why.

    NAME is a name of NumPy's: prints how its results are compared, what NumPy leaves open of them, and what else may be
    accepted; or an op of TensorFlow's with --subject tensorflow. The id of a difference prints that one, with its
    witnesses and its counter-examples.
    """
    subject = choose_subject(subject)
    rows = list_accepted(subject)
    by_id = {row.id: row for row in rows}
    names = find_domain(subject).names
    if name is not None and name not in (*by_id, *names):
        raise Unclear(f"{name!r} is neither the id of a difference nor a name{hint(name, [*by_id, *names])}")
    chosen = [by_id[name]] if name in by_id else [row for row in rows if name is None or row.is_for_name(name)]
    console = open_console()
    if as_json:
        console.print_json(json.dumps([describe(row) for row in chosen]))
        return 0
    if name is not None and name not in by_id and find_domain(subject) is NUMPY_CALLS:
        print_relation(name, chosen, console)
    else:
        for row in chosen:
            print_row(row, console, None if name == row.id else name, with_examples=name == row.id)
    console.print(f"{len(chosen)} of {len(rows)} accepted differences", highlight=False)
    return 0


def list_accepted(subject: str) -> tuple[Accepted, ...]:
    """Return what a run of a subject accepts: by its domain, and what its adapter declares; faults of TensorFlow's only
    of a library of tensors. A subject that has an adapter or is well known need not be installed; another one is
    imported.
    """
    adapter = find_adapter(subject)
    if adapter is None and (subject in DOMAINS or subject in TENSORS):
        return find_domain(subject).list_accepted()
    if adapter is not None:
        modes = tuple(MODES) if adapter.tensors else adapter.modes
        return (*list_allowances(on_tensors=adapter.tensors, modes=modes), *list_by_design(adapter))
    loaded = load_subject(subject)
    declared = list_by_design(loaded.adapter) if loaded.adapter is not None else ()
    return (*list_allowances(on_tensors=loaded.takes_tensors, modes=list_offered(loaded)), *declared)


def describe(row: Accepted) -> dict[str, Any]:
    """Return an accepted difference as JSON-serializable data."""
    data = asdict(row)
    if row.id in WITH_EXAMPLES:
        examples = find_examples(row.id)
        data["witnesses"] = [str(example.case) for example in examples.witnesses]
        data["counter"] = [str(example.case) for example in examples.counter]
    return data


def print_relation(name: str, rows: Sequence[Accepted], console: Console) -> None:
    """Print how the results of a name are compared, then what NumPy leaves open of them, and what else is accepted."""
    console.print(f"How [bold]{name}[/] is compared: {escape(describe_relation(name))}", highlight=False)
    console.print("\nWhat NumPy leaves open, and the largest share of the answers:", highlight=False)
    unspecified = [row for row in rows if row.id in OF_RELATIONS]
    for row in sorted(unspecified, key=lambda row: "*" in row.names):
        console.print(f"  [bold]{row.id}[/], {row.most:.0%}: {escape(row.why)}", highlight=False)
    console.print("\nWhat is accepted beyond that:", highlight=False)
    for row in rows:
        if row not in unspecified:
            print_row(row, console, name, with_examples=False)


def describe_scope(names: Sequence[str], modes: Sequence[str]) -> str:
    """Return the names and the modes that something applies to, as text to print."""
    listed = "every name" if "*" in names else escape(list_some(names, 6))
    return f"{listed} in {'every mode' if '*' in modes else ', '.join(modes)}"


def print_row(row: Accepted, console: Console, name: str | None, *, with_examples: bool) -> None:
    """Print one accepted difference, with the details that concern a name, or all of them without one. With
    `with_examples`, the witnesses and counter-examples of an allowance are printed, too.
    """
    share = f"; at most {row.most:.1%} of {'a run' if row.of_run else 'the answers of a name in a mode'}"
    console.print(f"[bold]{row.id}[/]  {TITLES[row.reason]}{share if row.most < 1 else ''}", highlight=False)
    console.print(f"  {', '.join(row.kinds)} of {describe_scope(row.names, row.modes)}", highlight=False)
    console.print(f"  {escape(row.why)}", highlight=False)
    for detail in row.details:
        if name is None or detail.is_for_name(name):
            scope = describe_scope(detail.names, detail.modes)
            console.print(f"  - {scope}: {escape(detail.why)}", highlight=False)
    if row.link:
        until = f"until TensorFlow {row.until}: " if row.until else ""
        console.print(f"  {until}{row.link}", highlight=False)
    if with_examples and row.id in WITH_EXAMPLES:
        examples = find_examples(row.id)
        titled = [("accepted", examples.witnesses), ("reported", examples.counter)]
        for title, example in ((title, one) for title, some in titled for one in some):
            outcome = example.outcome()
            answer = outcome.error or outcome.value
            line = f"  {title} in {example.record.mode}: {example.case} -> {' '.join(str(answer).split())}"
            console.print(line, markup=False, highlight=False)
