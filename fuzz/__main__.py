"""The command line: `array-oracle`, which is `python -m fuzz`."""

from __future__ import annotations

import re
import signal
import sys
import time
import traceback
from collections.abc import Sequence
from importlib import metadata
from pathlib import Path
from typing import NoReturn

import click

from fuzz import cli
from fuzz.cli.configuration import make_defaults
from fuzz.engine.cluster import ClusterLost
from fuzz.engine.dask_client import NoCluster
from fuzz.engine.domain import Unusable
from fuzz.engine.executors import UnknownExecutor
from fuzz.engine.tasks import UnknownSetup
from fuzz.engine.time_limit import measure_age
from fuzz.history.database import UnfitHistory
from fuzz.releases.environments import Unavailable
from fuzz.report.console import PIPE_CLOSED, mask_commands, open_output
from fuzz.triage.atomic_files import write_inside
from fuzz.triage.baseline import UnfitBaseline
from fuzz.triage.output import DEFAULT, OccupiedDirectory
from fuzz.triage.untrusted_input import Unreadable
from oracle.harness import (
    ModeNotOffered,
    PreparationError,
    Unconfined,
    UnfitConfiguration,
    UnknownSubject,
    make_line,
    make_lines,
)

BREAKS = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")
LONGEST_MESSAGE = 20_000  # characters of a usage error, at most
AGREES, MISTAKEN, HARNESS_FAILED, INTERRUPTED = 0, 2, 3, 130
MISTAKES = (
    *(Unusable, OccupiedDirectory, Unreadable, UnfitBaseline, UnfitHistory, UnfitConfiguration),
    *(NoCluster, UnknownExecutor, UnknownSetup, UnknownSubject, ModeNotOffered, Unavailable),
    Unconfined,
    PreparationError,  # an imported module has ended the process
)


COMMAND, MODULE = "array-oracle", "python -m fuzz"
"""The names of the program: of the console script, whose completion click provides, and of the module."""

SECTIONS = {
    "Every day": ("run", "replay", "coverage", "explain", "modes", "init"),
    "In CI": ("merge", "baseline", "diff", "history"),
    "Upgrades": ("versions", "bisect"),
}
LABORATORY = "Laboratory"
"""The section of all other commands, for those who work on the harness."""


class Commands(click.Group):
    """A group whose help lists commands by section, in the order of the sections. A command that has another name now
    says so.
    """

    def resolve_command(
        self, context: click.Context, arguments: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command of the first argument. Raises UsageError."""
        if now := cli.MOVED.get(arguments[0]):
            click.echo(f"fuzz: `fuzz {arguments[0]}` is `fuzz {' '.join(now)}` now", err=True)
            arguments = [*now, *arguments[1:]]
        return super().resolve_command(context, arguments)

    def format_commands(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the sections."""
        listed = [name for names in SECTIONS.values() for name in names]
        for title, names in {**SECTIONS, LABORATORY: sorted(self.commands.keys() - listed)}.items():
            commands = {name: self.commands[name] for name in names if name in self.commands}
            shown = [name for name, command in commands.items() if not command.hidden]
            if shown:
                with formatter.section(title):
                    formatter.write_dl([(name, commands[name].get_short_help_str(80)) for name in shown])


def _print_version(context: click.Context, option: click.Parameter, is_asked: bool) -> None:
    if is_asked and not context.resilient_parsing:
        click.echo(f"array-oracle {metadata.version('array-oracle')}, NumPy {metadata.version('numpy')}")
        context.exit()


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_print_version,
    help="Print the version, and NumPy's.",
)
def program() -> None:
    """Find out where a library that promises NumPy's API departs from NumPy.

    Calls of NumPy's API are generated and run in NumPy and in the subject, in every execution mode. A call with a
    different result is reduced to the smallest one that shows it, and published as a script of its own.
    """


for command in (
    cli.explain_command,
    cli.run_command,
    cli.replay_command,
    cli.history_command,
    cli.init_command,
    cli.baseline_command,
    cli.bisect_command,
    cli.diff_command,
    cli.merge_command,
    cli.modes_command,
    cli.coverage_command,
    cli.lab_command,
    cli.versions_command,
):
    program.add_command(command)


def main(arguments: Sequence[str] | None = None, age: float = 0.0, name: str = MODULE) -> int:
    """Run a command and return its exit status. A usage error is printed in one line. `age` are the seconds that the
    process has run: they count as time of a run. `name` is the program's in its help.
    """
    begun = time.monotonic() - age
    try:
        words = sys.argv[1:] if arguments is None else arguments
        for word in words:
            if BREAKS.search(word):  # of a folder's name it would begin a line of the log
                raise click.UsageError(f"an argument has a line break or control character: {make_line(word, 200)}")
        defaults = make_defaults(program.commands, words)
        status = program.main(arguments, prog_name=name, standalone_mode=False, default_map=defaults, obj=begun)
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message())
        return MISTAKEN
    except click.ClickException as error:
        return _complain(error.format_message(), MISTAKEN)
    except MISTAKES as error:
        return _complain(str(error), MISTAKEN)
    except ClusterLost as error:
        return _complain(str(error), HARNESS_FAILED)
    except (KeyboardInterrupt, click.Abort):
        return _complain("interrupted", INTERRUPTED)
    except Exception as error:  # noqa: BLE001 - whatever it is, it is the harness's own fault, and said so
        return _fail(error)
    return status if isinstance(status, int) else AGREES


def _complain(message: str, status: int) -> int:
    line = make_line(" ".join(message.split()), LONGEST_MESSAGE)
    click.echo(mask_commands(f"fuzz: {line}"), err=True)
    return status


def _fail(error: Exception) -> int:
    """Print one line about an error of the harness, with the path of the traceback, and return the exit status."""
    where = "" if "--verbose" in sys.argv else f" ({_write_trace()})"
    if not where:
        click.echo(_format_trace(), err=True)
    text = str(error).strip().split("\n", 1)[0]
    return _complain(f"the harness failed: {type(error).__name__}: {text}{where}", HARNESS_FAILED)


def _format_trace() -> str:
    """Return the traceback, whose texts may be a subject's, printable and without commands of a workflow's runner."""
    return mask_commands(make_lines(traceback.format_exc()))


def _write_trace() -> str:
    """Write the traceback to a file, and return its path."""
    path = DEFAULT / "failure.log"
    try:
        write_inside(DEFAULT, path.name, f"{_format_trace()}\n")
    except OSError:
        return "--verbose shows the traceback"
    return f"traceback: {path}"


def _stop(*_: object) -> NoReturn:
    raise KeyboardInterrupt


def run_script() -> NoReturn:
    """Run the console script. Modules of the working directory can be subjects, as they can for `python -m`, but do not
    come before those that are installed: a file `random.py` in it is not the harness's.
    """
    if not sys.flags.safe_path:
        sys.path.append(str(Path.cwd()))
    run_program(COMMAND)


def run_program(name: str) -> NoReturn:
    """Run the program as a process: with signals, the time since its start, and its exit status."""
    signal.signal(signal.SIGTERM, _stop)
    output = open_output()
    status = main(age=measure_age(), name=name)
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)  # everything is written, so an interrupt may be ignored
    if output is not None:
        sys.stdout.flush()
    sys.exit(PIPE_CLOSED if output and output.is_closed_pipe else status)


if __name__ == "__main__":
    run_program(MODULE)
