"""What the command line can do: a module for each command."""

from fuzz.commands.accepted import allowances
from fuzz.commands.baselines import baseline
from fuzz.commands.comparison import compare
from fuzz.commands.exploration import run
from fuzz.commands.inventory import coverage
from fuzz.commands.measurement import measure
from fuzz.commands.planting import faults
from fuzz.commands.reduction import reduce
from fuzz.commands.retrial import replay
from fuzz.commands.scale import measure_scale
from fuzz.commands.stored_runs import diff, merge, report
from fuzz.commands.upstream_bugs import upstream

__all__ = [
    "allowances",
    "baseline",
    "compare",
    "coverage",
    "diff",
    "faults",
    "measure",
    "measure_scale",
    "merge",
    "reduce",
    "replay",
    "report",
    "run",
    "upstream",
]
