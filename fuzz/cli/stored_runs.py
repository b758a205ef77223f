"""Runs that the command line names by their directories."""

from __future__ import annotations

from pathlib import Path
from typing import NoReturn

import click

from fuzz.cli.options import Unclear
from fuzz.engine.recovery import Stored, read_run
from fuzz.triage.untrusted_input import Unreadable

DIRECTORY = click.Path(exists=True, file_okay=False, path_type=Path)


def load_run(directory: Path) -> Stored:
    """Return the run in a directory. Raises Unclear if there is none."""
    try:
        return read_run(directory)
    except Unreadable as error:
        raise Unclear(f"{directory} contains no run: {error}") from None


def raise_unclear(what: str) -> NoReturn:
    """Raise Unclear with this message."""
    raise Unclear(what)
