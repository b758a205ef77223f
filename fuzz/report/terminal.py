"""A run in the terminal: a table of what was found, and a few lines that sum it up."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from fuzz.report.record import Record, counted, duration, sides

SHOWN = 80
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
    table = Table(box=None, pad_edge=False, header_style="dim", row_styles=("", "on grey7"), expand=False)
    for title in ("finding", "name", "kind", "modes", "dtype"):
        table.add_column(title, no_wrap=title == "finding", overflow="fold")
    table.add_column("times", justify="right", no_wrap=True)
    table.add_column("smallest case, and what differs", overflow="fold", ratio=1)
    for row in rows:
        _, expected, actual = sides(row.get("detail", ""))
        differs = f"{_short(expected)} [dim]≠[/] {_short(actual)}" if expected else _short(actual)
        mark = " [dim]known[/]" if row.get("known") else "" if row.get("reproduced") else " [dim]not reproduced[/]"
        table.add_row(
            row["id"],
            f"[bold]{escape(row['name'])}[/]",
            f"[{style(row['kind'])}]{row['kind']}[/]{mark}",
            " ".join(row["modes"]),
            row["dtype"],
            str(row.get("count", 1)),
            f"{escape(row['minimal'])}\n[dim]{differs}[/]",
        )
    return table


def style(kind: str) -> str:
    """How a kind of finding is coloured."""
    return STYLES.get(kind, "white")


def _short(text: str) -> str:
    text = " ".join(text.split())
    return escape(text if len(text) <= 100 else text[:97] + "...")
