"""The command `modes`: the modes that a subject has."""

from __future__ import annotations

import click

from fuzz.cli.explain import TENSORS
from fuzz.cli.options import choose_subject, subject_option
from fuzz.engine.domains import find_domain
from fuzz.engine.run_options import MODES as SHORT
from fuzz.report.console import open_console
from oracle import load_subject
from oracle.harness import COMPILERS, MODES, find_adapter, find_mode, list_offered


@click.command("modes", short_help="List the modes of a subject.", epilog="Exit status: 0; 2 for a usage error.")
@subject_option
@click.option("--verbose", is_flag=True, help="Show tracebacks.")
def modes_command(subject: str | None, *, verbose: bool) -> int:
    """List the modes in which a subject's functions can be run, for --modes: what each is, and how many times as much
    an item costs as in eager mode.
    """
    console = open_console()
    for name in list_modes(choose_subject(subject)):
        row = find_mode(name)
        is_usual = name in SHORT or name in COMPILERS or name not in MODES
        marked = "" if is_usual else "  in long runs" if row.late else "  if it is asked for"
        text = f"{name:15} {row.words:30} {row.period:3} x{marked}"
        console.print(text, markup=False, highlight=False, soft_wrap=True)
    return 0


def list_modes(subject: str) -> tuple[str, ...]:
    """Return the modes that a subject has. One that has an adapter or is well known need not be installed."""
    adapter = find_adapter(subject)
    if adapter is not None and not adapter.tensors:
        return adapter.modes
    if adapter is not None or subject in TENSORS:
        return tuple(name for name in MODES if name not in COMPILERS)
    return find_domain(subject).modes or list_offered(load_subject(subject))
