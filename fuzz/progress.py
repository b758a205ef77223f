"""How a campaign is going: one live line in a terminal, a plain line now and then where nobody watches."""

from __future__ import annotations

from types import TracebackType
from typing import Any

from rich.console import Console
from rich.live import Live
from rich.text import Text

from fuzz.events import Died, Failed, Found, Progress, Started
from fuzz.findings import DEATHS

LINE_SECONDS = 15.0  # between two plain lines


class Display:
    """Observes a campaign, and shows it on a console; a context manager."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._live = Live(console=console, refresh_per_second=4, transient=True) if console.is_terminal else None
        self._next = 0.0

    def __enter__(self) -> Display:
        if self._live is not None:
            self._live.start()
            self._live.update(Text("starting ..."))
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._live is not None:
            self._live.stop()

    def __call__(self, event: Any) -> None:
        """Show what happened."""
        if isinstance(event, Started):
            self._print(f"{event.options.subject}: {len(event.names)} names, seed {event.seed}")
        elif isinstance(event, Progress):
            self._show(event)
        elif isinstance(event, Found) and event.finding.kind in DEATHS:
            self._print(f"{event.finding.kind}: {event.finding.minimal}")
        elif isinstance(event, Died) and not event.confirmed:
            self._print(f"a worker died, but its case alone is harmless: {event.death.kind}, {event.death.detail}")
        elif isinstance(event, Failed):
            self._print(f"the harness failed: {event.trace.strip().rpartition(chr(10))[2]}")

    def _show(self, progress: Progress) -> None:
        if self._live is not None:
            self._live.update(Text(line(progress), overflow="ellipsis", no_wrap=True))
        elif progress.elapsed >= self._next:
            self._next = progress.elapsed + LINE_SECONDS
            self._print(line(progress))

    def _print(self, text: str) -> None:
        self._console.print(text, markup=False, highlight=False, soft_wrap=True)


def line(progress: Progress) -> str:
    """The state of a campaign in one line."""
    found = ", ".join(f"{count} {kind}" for kind, count in sorted(progress.findings.items()))
    parts = [
        clock(progress.elapsed) if progress.seconds is None else _left(progress.elapsed, progress.seconds),
        f"{progress.cases:,}{'' if progress.of_cases is None else f' of {progress.of_cases:,}'} cases",
        f"{progress.rate:,.0f}/s",
        f"{progress.reached} of {progress.names} names",
        f"{sum(progress.findings.values())} findings{f' ({found})' if found else ''}",
    ]
    if progress.pursued:
        parts.append(f"{progress.pursued} pursued")
    return "  ".join(parts)


def clock(seconds: float) -> str:
    """Seconds as a clock shows them: 0:42, 3:05, 1:02:03."""
    minutes, whole = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{whole:02}" if hours else f"{minutes}:{whole:02}"


def _left(elapsed: float, seconds: float) -> str:
    return f"{clock(elapsed)} (left {clock(max(0.0, seconds - elapsed))})"
