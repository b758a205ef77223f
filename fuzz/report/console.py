"""The console of a command: a terminal, or a log, whose lines are as long as they are; and standard output itself."""

from __future__ import annotations

import io
import os
import re
import signal
import sys
from typing import Any

from rich.console import Console

from oracle.harness import make_printable, occupy_standard_descriptors

WIDTH = 160  # of tables in a log
PIPE_CLOSED = 141  # the exit status of a program that is ended by SIGPIPE
_COMMAND = re.compile(r"^(\s*:)(?=:)|##(?=\[)", re.MULTILINE)


class Output(io.FileIO):
    """A descriptor for output that may be lost: what a full disk has no room for is dropped, and the command goes on;
    when nobody reads a pipe any more, it is asked to end, as by SIGTERM.
    """

    is_closed_pipe = False

    def write(self, data: Any) -> int:
        """Write the bytes, or drop them."""
        try:
            return super().write(data) or 0
        except BrokenPipeError:
            if not self.is_closed_pipe:
                self.is_closed_pipe = True
                os.kill(os.getpid(), signal.SIGTERM)
        except OSError:
            pass
        return len(data)


def open_output() -> Output | None:
    """Replace standard output by one that may be lost, in which any character can be written. Return its descriptor;
    None if there is no standard output.
    """
    occupy_standard_descriptors()
    if sys.stdout is None:
        return None
    raw = Output(sys.stdout.fileno(), "w", closefd=False)
    encoding = sys.stdout.encoding
    sys.stdout = io.TextIOWrapper(io.BufferedWriter(raw), encoding, "backslashreplace", line_buffering=True)
    return raw


def mask_commands(text: str) -> str:
    """Return a text in which nothing is a command of the runner of workflows."""
    return _COMMAND.sub(lambda found: found[0] + " ", text)


class _WorkflowLog:
    """Standard output of a workflow's step, in which no line is a command of the runner's."""

    def write(self, text: str) -> int:
        sys.stdout.write(mask_commands(text))
        return len(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(sys.stdout, name)


class _Console(Console):
    """A console whose texts may be those of files' names: what does not print as itself is escaped."""

    def print(self, *objects: Any, **options: Any) -> None:
        """Print objects, texts with escapes."""
        super().print(*(make_printable(one) if isinstance(one, str) else one for one in objects), **options)


def open_console() -> Console:
    """Return a console of standard output. On a terminal lines are wrapped between words, in a log never."""
    log: Any = _WorkflowLog() if os.environ.get("GITHUB_ACTIONS") == "true" else None
    console = _Console(file=log)
    if not console.is_terminal:
        console.soft_wrap, console.width = True, WIDTH
    return console
