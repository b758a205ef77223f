"""The command line: a module for each command, named after it."""

from fuzz.cli.baseline import baseline_command
from fuzz.cli.bisect import bisect_command
from fuzz.cli.configuration import init_command
from fuzz.cli.coverage import coverage_command
from fuzz.cli.diff import diff_command
from fuzz.cli.explain import explain_command
from fuzz.cli.history import history_command
from fuzz.cli.lab import MOVED, lab_command
from fuzz.cli.merge import merge_command
from fuzz.cli.modes import modes_command
from fuzz.cli.replay import replay_command
from fuzz.cli.run import run_command
from fuzz.cli.versions import versions_command

__all__ = [
    "MOVED",
    "baseline_command",
    "bisect_command",
    "coverage_command",
    "diff_command",
    "explain_command",
    "history_command",
    "init_command",
    "lab_command",
    "merge_command",
    "modes_command",
    "replay_command",
    "run_command",
    "versions_command",
]
