"""A run in the terminal: a table of what was found, and a few lines that sum it up."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rich.cells import cell_len
from rich.console import Console
from rich.markup import escape
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from fuzz.report.record import Record, counted, duration, sides

SHOWN = 80
HEADINGS = ("finding", "name", "kind", "modes", "dtype", "seen")
STYLES = {
    "value": "red",
    "dtype": "yellow",
    "shape": "magenta",
    "structure": "magenta",
    "missing error": "dark_orange3",
    "spurious error": "blue",
    "different error": "cyan",
    "crash": "bold white on red",
    "hang": "bold white on red",
    "memory": "bold white on red",
}


def show(record: Record, directory: Path | None, console: Console) -> None:
    """Print the table and the summary."""
    rows = [row for group in record.by_name.values() for row in group]
    if rows:
        console.print(_table(rows[:SHOWN]))
    if len(rows) > SHOWN:
        console.print(f"... and {len(rows) - SHOWN} more, in the report.")
    for complaint in record.complaints:
        console.print(f"[red]stale[/]  {escape(complaint)}")
    summary = record.summary
    console.print()
    console.print(f"[bold {'green' if record.is_clean else 'red'}]{escape(record.headline)}[/]", highlight=False)
    if record.by_kind:
        console.print("  " + "  ".join(f"[{style(kind)}]{kind}[/] {count}" for kind, count in record.by_kind.items()))
    rates = summary.get("cases_per_core_second") or {}
    speed = ", ".join(f"{mode} {rate:,.0f}" for mode, rate in rates.items())
    parts = [counted(summary["cases"], "case"), f"in {duration(summary['seconds'])}", f"(seed {summary['seed']})"]
    console.print(" ".join(parts) + (f"; a core-second judges {speed}" if speed else ""), highlight=False)
    names = summary["names"]
    console.print(
        f"{names['present']} of {names['total']} names present, {names['exercised']} exercised, "
        f"{names['agreeing']} agreeing",
        highlight=False,
    )
    if directory is not None:
        console.print(f"Report: {directory / 'report.html'}", highlight=False, soft_wrap=True)


def _table(rows: list[Mapping[str, Any]]) -> Table:
    """A row for each finding; below it, over the whole width, its smallest case and what differs."""
    outer = Table.grid(padding=0, expand=True)
    outer.add_column(ratio=1, overflow="fold")
    cells = [_cells(row) for row in rows]
    widths = [max(cell_len(Text.from_markup(row[column]).plain) for row in cells) for column in range(len(HEADINGS))]
    widths = [max(width, len(heading)) for width, heading in zip(widths, HEADINGS, strict=True)]
    outer.add_row(_aligned([f"[dim]{heading}[/]" for heading in HEADINGS], widths))
    for row, texts in zip(rows, cells, strict=True):
        _, expected, actual = sides(row.get("detail", ""))
        differs = f"{_short(expected)} [dim]≠[/] {_short(actual)}" if expected else _short(actual)
        outer.add_row(_aligned(texts, widths))
        outer.add_row(Padding(escape(row["minimal"]), (0, 0, 0, 2)))
        outer.add_row(Padding(f"[dim]{differs}[/]", (0, 0, 1, 2)))
    return outer


def _cells(row: Mapping[str, Any]) -> list[str]:
    mark = " [dim]known[/]" if row.get("known") else "" if row.get("reproduced") else " [dim]not reproduced[/]"
    kind = f"[{style(row['kind'])}]{row['kind']}[/]{mark}"
    name = f"[bold]{escape(row['name'])}[/]"
    return [row["id"], name, kind, " ".join(row["modes"]), row["dtype"], counted(row.get("count", 1), "time")]


def _aligned(texts: list[str], widths: list[int]) -> Table:
    line = Table.grid(padding=(0, 2))
    for place, width in enumerate(widths):
        line.add_column(width=width, no_wrap=place == 0, overflow="fold")
    line.add_row(*texts)
    return line


def style(kind: str) -> str:
    """How a kind of finding is coloured."""
    return STYLES.get(kind, "white")


def _short(text: str) -> str:
    text = " ".join(text.split())
    return escape(text if len(text) <= 100 else text[:97] + "...")
