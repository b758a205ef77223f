"""What the command line can do: a module for each command."""

from fuzz.commands.accepted import allowances
from fuzz.commands.exploration import run
from fuzz.commands.inventory import coverage
from fuzz.commands.measurement import measure
from fuzz.commands.planting import faults
from fuzz.commands.reduction import reduce
from fuzz.commands.retrial import replay
from fuzz.commands.scale import measure_scale

__all__ = ["allowances", "coverage", "faults", "measure", "measure_scale", "reduce", "replay", "run"]
