"""The command `reduce`: shrink a case to the smallest one with the same difference."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from fuzz.cli.case_files import find_cases
from fuzz.cli.options import Unclear, errors_option, mode_options, python_option, setup_option, subject_option
from fuzz.engine.case_judge import CaseJudge
from fuzz.report.console import open_console
from fuzz.triage.atomic_files import write_file
from oracle.harness import AnyCase


@click.command(
    "reduce",
    short_help="Reduce a case to the smallest one.",
    epilog="Exit status: 0 if the case agrees and there is nothing to reduce, 1 if it disagrees and its reduction is "
    "printed, 2 for a usage error, 3 if the harness itself failed.",
)
@click.argument("file", metavar="FILE")
@subject_option
@setup_option
@mode_options
@errors_option
@python_option
@click.option(
    "--budget", type=click.IntRange(1), metavar="N", help="Largest number of candidates to try. Default: 400."
)
@click.option(
    "--write",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Write the reduced case to this file, too.",
)
@click.option("--verbose", is_flag=True, help="Show tracebacks.")
def reduce_command(
    file: str,
    subject: str | None,
    setup: str | None,
    modes: Sequence[str] | None,
    devices: Sequence[str] | None,
    budget: int | None,
    write: Path | None,
    interpreter: str,
    *,
    errors: bool,
    verbose: bool,
) -> int:
    """Reduce the case in FILE to the smallest one that disagrees in the same way, and print it with a script."""
    if write is not None and write.exists():
        raise Unclear(f"{write} exists and is not overwritten")
    found = find_cases(file, None, subject, setup)
    if len(found) != 1:
        raise Unclear(f"{file} holds {len(found)} cases: reduce takes one")
    stored = found[0]
    console = open_console()
    labels = (modes or None, devices or ("CPU:0",))
    with CaseJudge(stored.subject, *labels, stored.setup, exact_errors=errors, interpreter=interpreter) as case_judge:
        differences = case_judge.judge(stored.case)
        if not differences:
            console.print(f"agrees: {stored.case}", markup=False, highlight=False)
            return 0
        minimal, last = case_judge.reduce(stored.case, differences[0], budget)
        script = case_judge.write_script(last, minimal)
    console.print(f"{last.kind} in {', '.join(last.modes)}: {last.detail}", markup=False, highlight=False)
    console.print(f"{minimal}\n{minimal.json()}\n", markup=False, highlight=False)
    console.print(script, markup=False, highlight=False)
    if write is not None:
        _write(write, minimal)
    return 1


def _write(path: Path, case: AnyCase) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    write_file(path, case.json() + "\n")
