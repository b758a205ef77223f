"""The command `modes`: the modes that a subject has, and whether its adapter works."""

from __future__ import annotations

from collections.abc import Callable

import click
from rich.console import Console

from fuzz.adapters.fields import FIELDS
from fuzz.cli.explain import TENSORS
from fuzz.cli.options import choose_subject, python_option, subject_option
from fuzz.coverage.adapter_trials import AdapterTrial, list_untold, try_adapter, try_mode
from fuzz.engine.domains import find_domain
from fuzz.engine.run_options import MODES as SHORT
from fuzz.engine.sandboxes import make_sandbox
from fuzz.report.console import open_console
from fuzz.report.record import format_count
from fuzz.triage.untrusted_input import make_printable
from oracle import load_subject
from oracle.harness import COMPILERS, MODES, OF_ADAPTERS, find_adapter, find_mode, list_offered


@click.command(
    "modes",
    short_help="List the modes of a subject; try its adapter.",
    epilog="Exit status: 0; 1 if --try finds that something does not work; 2 for a usage error.",
)
@subject_option
@python_option
@click.option(
    "--try",
    "tries",
    is_flag=True,
    help="Try the adapter of a library with arrays of its own: convert arrays, make a few calls in each mode, and say "
    "what each field that it does not give is for.",
)
@click.option("--verbose", is_flag=True, help="Show tracebacks.")
def modes_command(subject: str | None, interpreter: str, *, tries: bool, verbose: bool) -> int:
    """List the modes in which a subject's functions can be run, for --modes: what each is, and how many times as much
    an item costs as in eager mode.
    """
    console = open_console()
    if tries:
        return _try(choose_subject(subject), interpreter, console)
    usual = (*SHORT, *_find_own_modes(choose_subject(subject)))
    for name in list_modes(choose_subject(subject)):
        row = find_mode(name)
        marked = "  in long runs" if row.late else "" if name in usual or name in COMPILERS else "  if it is asked for"
        text = f"{name:15} {row.words:30} {row.period:3} x{marked}"
        console.print(text, markup=False, highlight=False, soft_wrap=True)
    return 0


def _find_own_modes(subject: str) -> tuple[str, ...]:
    """Return the modes of an adapter that is known; none if they are those of libraries of tensors."""
    adapter = find_adapter(subject)
    return adapter.modes if adapter is not None else ()


def list_modes(subject: str) -> tuple[str, ...]:
    """Return the modes that a subject has. One that has an adapter or is well known need not be installed."""
    if own := _find_own_modes(subject):
        return own
    if find_adapter(subject) is not None or subject in TENSORS:
        return tuple(name for name in MODES if name not in OF_ADAPTERS)
    return find_domain(subject).modes or list_offered(load_subject(subject))


def _try(subject: str, interpreter: str, console: Console) -> int:
    """Print what works of a library with an adapter, and return the exit status."""

    def tell(text: str) -> None:
        console.print(make_printable(text), markup=False, highlight=False, soft_wrap=True)

    arguments = {"subject": subject, "devices": ("CPU:0",), "names": (), "modes": (), "setup": ""}
    functions = {"prepare": "fuzz.engine.tasks:prepare", "start": "fuzz.engine.tasks:start"}
    with make_sandbox(1, {**functions, "arguments": arguments, "modules": (), "interpreter": interpreter}) as sandbox:
        trial = try_adapter(sandbox)
        if trial is None:
            tell(f"{subject} takes NumPy's arrays, or tensors, and needs no adapter.")
            return 0
        _show_adapter(subject, trial, tell)
        works = not trial.trouble
        for mode in trial.modes:
            found = try_mode(sandbox, mode)
            works = works and bool(found.agreeing)
            tell(f"{mode}: {format_count(found.agreeing, 'plain call')} answered as NumPy does")
            for line in found.others:
                tell(f"    not {line}")
    tell("Not given:")
    for key in list_untold(trial, tuple(FIELDS)):
        tell(f"    {key:13} {FIELDS[key]}")
    return 0 if works else 1


def _show_adapter(subject: str, trial: AdapterTrial, tell: Callable[[str], None]) -> None:
    told = "An adapter was inferred:" if trial.is_inferred else "Given by the adapter:"
    tell(told)
    for key, value in trial.given.items():
        tell(f"    {key:13} {value}")
    tell(f"Conversion: {trial.trouble or 'arrays survive it there and back'}")
    tell(
        f"Dtypes: {', '.join(trial.dtypes) or 'none'}"
        + (f"; not {', '.join(trial.unsupported)}" if trial.unsupported else "")
    )
    parts = [f"{count} of {home or 'the main namespace'}" for home, count in trial.names.items()]
    tell(f"NumPy's names that {subject} has: {', '.join(parts) or 'none'}")
