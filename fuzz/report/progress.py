"""The progress of a campaign: one live line in a terminal, plain lines elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from types import TracebackType
from typing import Any

from rich.console import Console
from rich.live import Live
from rich.text import Text

from fuzz.differences import DEATHS, SIGNATURE
from fuzz.report.terminal import LONGEST, shorten
from fuzz.triage.events import (
    READY,
    Died,
    Failed,
    Found,
    Preparing,
    Progress,
    Reproduced,
    Started,
    Triaged,
    Troubled,
    WorkerState,
)
from fuzz.triage.ledger import Finding
from fuzz.triage.records import describe_statuses
from oracle.harness import make_printable

LINE_SECONDS = 15.0  # seconds between two plain lines
LISTED = 8  # listed names that a subject lacks, at most


class Display:
    """Context manager and observer of a campaign that shows its progress on a console."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._live = Live(console=console, refresh_per_second=4, transient=True) if console.is_terminal else None
        self._next = 0.0

    def __enter__(self) -> Display:
        if self._live is not None:
            self._live.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._live is not None:
            self._live.stop()

    def __call__(self, event: Any) -> None:
        """Show an event."""
        if isinstance(event, Preparing):
            self._prepare(event)
        elif isinstance(event, Started):
            self._start(event)
        elif isinstance(event, Triaged):
            self._print(f"baseline: {describe_statuses(one.status for one in event.rejudged)}")
        elif isinstance(event, Progress):
            self._show(event)
        elif isinstance(event, Found) and event.finding.kind == SIGNATURE:
            pass  # there may be hundreds; the causes have one line for each parameter
        elif isinstance(event, Found) and (self._live is None or event.finding.kind in DEATHS):
            self._print(describe(event.finding))
        elif isinstance(event, Reproduced) and self._live is None and not event.finding.reproduced:
            self._print(f"not reproduced: {event.finding.id} {event.finding.name}")
        elif isinstance(event, Died) and not event.confirmed:
            self._print(f"a worker died, but its case runs by itself: {event.death.kind}, {event.death.detail}")
        elif isinstance(event, Troubled):
            self._print(f"trouble: {event.what}")
        elif isinstance(event, Failed):
            self._print(f"the harness failed: {event.trace.strip().rpartition(chr(10))[2]}")

    def _prepare(self, event: Preparing) -> None:
        if self._live is not None:
            self._live.update(Text(f"{event.what} ..."))
        else:
            self._print(f"{event.what} ...")

    def _start(self, event: Started) -> None:
        run = event.run
        where = f"{', '.join(run['modes'])} on {', '.join(run['devices'])}"
        goes_on = f", from item {event.first}" if event.first else ""
        self._print(
            f"{run['subject']}: has {len(event.names)} of {len(event.names) + len(event.absent)} names that calls are "
            f"drawn for, {where}; seed {run['seed']}{goes_on}"
        )
        if event.absent:
            rest = len(event.absent) - LISTED
            more = f" and {rest} more" if rest > 0 else ""
            asked = "of those asked for, " if run["names"] else ""
            self._print(f"{asked}{run['subject']} lacks {len(event.absent)}: {', '.join(event.absent[:LISTED])}{more}")

    def _show(self, progress: Progress) -> None:
        if self._live is not None:
            lines = [format_line(progress, self._console.width), *format_workers(progress.workers)]
            self._live.update(Text("\n".join(lines), overflow="ellipsis", no_wrap=True))
        elif progress.elapsed >= self._next:
            self._next = progress.elapsed + LINE_SECONDS
            for line in (format_line(progress), *format_workers(progress.workers)):
                self._print(line)

    def _print(self, text: str) -> None:
        """Print one line; in a log, unwrapped."""
        text = " ".join(make_printable(text).split("\n"))
        if self._live is not None:
            self._console.print(text, markup=False, highlight=False, soft_wrap=True)
        else:
            self._console.file.write(text + "\n")
            self._console.file.flush()


def describe(finding: Finding) -> str:
    """Return a finding as one line: "found f-0123456789 median value eager,graph float: np.median(...): 0.5 != 0.0"."""
    words = ["found", finding.id, finding.name, finding.kind, ",".join(finding.modes), finding.dtype]
    return f"{' '.join(words)}: {shorten(str(finding.minimal), LONGEST)}: {shorten(finding.detail, LONGEST)}"


def format_line(progress: Progress, width: int | None = None) -> str:
    """Return the progress as one line, the kinds of findings last, with as many of its parts as fit into `width`."""
    found = ", ".join(f"{count} {kind}" for kind, count in sorted(progress.findings.items(), key=lambda item: -item[1]))
    parts = [
        format_clock(progress.elapsed) if progress.seconds is None else _left(progress.elapsed, progress.seconds),
        f"{progress.cases:,}{'' if progress.of_cases is None else f' of {progress.of_cases:,}'} cases",
        f"{sum(progress.findings.values())} findings",
        f"{progress.reducing} being reduced" if progress.reducing else "",
        f"{progress.rate:,.0f}/s",
        f"{progress.reached} of {progress.names} names",
        found,
    ]
    text = ""
    for part in filter(None, parts):
        longer = f"{text}  {part}" if text else part
        if width is not None and len(longer) > width:
            return text or longer[:width]
        text = longer
    return text


def format_workers(workers: Sequence[WorkerState]) -> list[str]:
    """Return a line for each worker of a cluster, up to LISTED, those that are not ready first."""
    order = sorted(workers, key=lambda worker: worker.state == READY)
    lines = [f"  worker {worker.label}: {worker.state}, {worker.answered} answered" for worker in order[:LISTED]]
    rest = order[LISTED:]
    ready = sum(worker.state == READY for worker in rest)
    return [*lines, f"  and {len(rest)} more workers, {ready} ready"] if rest else lines


def format_clock(seconds: float) -> str:
    """Format seconds as 0:42, 3:05 or 1:02:03."""
    minutes, whole = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{whole:02}" if hours else f"{minutes}:{whole:02}"


def _left(elapsed: float, seconds: float) -> str:
    return f"{format_clock(elapsed)} (left {format_clock(max(0.0, seconds - elapsed))})"
