"""The console of a command: a terminal, or a log, whose lines are as long as they are."""

from __future__ import annotations

from rich.console import Console

WIDTH = 160  # of tables in a log


def open_console() -> Console:
    """Return a console of standard output. On a terminal lines are wrapped between words, in a log never."""
    console = Console()
    if not console.is_terminal:
        console.soft_wrap, console.width = True, WIDTH
    return console
