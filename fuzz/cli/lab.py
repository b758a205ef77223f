"""The command `lab`: what those use who work on the harness itself."""

from __future__ import annotations

import click

from fuzz.cli.faults import faults_command
from fuzz.cli.measure import measure_command
from fuzz.cli.upstream import upstream_command

MOVED = {
    "allowances": "fuzz explain",
    "faults": "fuzz lab faults",
    "measure": "fuzz lab measure",
    "upstream": "fuzz lab upstream",
    "scale": "python -m tests.benchmarks.every_name, in a clone of the repository",
}
"""What earlier commands are called now; to be removed with the next release."""


@click.group("lab", short_help="Commands for those who work on the harness.")
def lab_command() -> None:
    """Plant faults, measure rounding errors, check known bugs of other libraries."""


for command in (faults_command, measure_command, upstream_command):
    lab_command.add_command(command)
