"""Defaults of the commands from the table [tool.fuzz] of pyproject.toml; and the command `init`, which writes it."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from fuzz.cli.options import SubjectName, Unclear
from fuzz.triage.atomic_files import write_inside
from fuzz.triage.configuration import read_configuration
from fuzz.triage.untrusted_input import read_text
from oracle.harness import CONFIGURATION

EVERYWHERE = ("subject", "setup", "history")
"""Keys that every command with such an option takes. Others are for `run`, and as far as it has them for `coverage`."""


def make_defaults(commands: Mapping[str, click.Command], words: Sequence[str]) -> dict[str, dict[str, Any]]:
    """Return the defaults of each command's options that the table gives. A resumed run has options of its own."""
    table = read_configuration()
    values: dict[str, Any] = {
        key.replace("-", "_"): ",".join(value) if key in ("modes", "devices") else value
        for key, value in table.items()
        if key != "by-design" and not (key == "baseline" and not os.path.exists(value))
    }
    if "--resume" in words:
        values = {key: value for key, value in values.items() if key in (*EVERYWHERE, "baseline")}
    return {name: _choose(command, values) for name, command in commands.items()}


def _choose(command: click.Command, values: Mapping[str, Any]) -> dict[str, Any]:
    if isinstance(command, click.Group):
        return {name: _choose(one, values) for name, one in command.commands.items()}
    own = {parameter.name for parameter in command.params}
    takes_all = command.name in ("run", "coverage")
    return {key: value for key, value in values.items() if key in own and (takes_all or key in EVERYWHERE)}


@click.command(
    "init",
    short_help="Write [tool.fuzz] for a module.",
    epilog="Exit status: 0; 2 for a usage error, or a table there.",
)
@click.argument("module", type=SubjectName(), metavar="MODULE")
@click.option("--verbose", is_flag=True, help="Show tracebacks.")
def init_command(module: str, *, verbose: bool) -> int:
    """Write the table [tool.fuzz] for a module to pyproject.toml here: then `run` and others need no --subject."""
    if read_configuration():
        raise Unclear(f"{CONFIGURATION} has a table [tool.fuzz] already")
    text = read_text(CONFIGURATION) if os.path.lexists(CONFIGURATION) else ""
    table = f"""\
[tool.fuzz]
subject = "{module}"
baseline = ".fuzz/baseline.json"  # written by: python -m fuzz baseline DIR --write .fuzz/baseline.json
history = ".fuzz/history.sqlite"

# A difference that is meant: a function or a glob; if you like, its kind and its symptom, and the last day.
# [[tool.fuzz.by-design]]
# name = "median"
# kind = "dtype"
# symptom = "narrower float"
# why = "computed in single precision"
# until = 2030-12-31
"""
    write_inside(Path(), CONFIGURATION.name, f"{text.rstrip()}\n\n{table}" if text.strip() else table)
    click.echo(f"{CONFIGURATION}: [tool.fuzz] written; python -m fuzz run judges {module}")
    return 0
