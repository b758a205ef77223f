"""The command `lab`: what those use who work on the harness itself."""

from __future__ import annotations

import click

from fuzz.cli.faults import faults_command
from fuzz.cli.upstream import upstream_command

MOVED = {
    "allowances": ("explain",),
    "faults": ("lab", "faults"),
    "upstream": ("lab", "upstream"),
    "triage": ("replay",),
    "reduce": ("replay", "--reduce"),
    "report": ("merge",),
}
"""What earlier commands are called now. They say so and run; to be removed with the next release."""


@click.group("lab", short_help="Commands for those who work on the harness.")
def lab_command() -> None:
    """Plant faults, check known bugs of other libraries."""


for command in (faults_command, upstream_command):
    lab_command.add_command(command)
