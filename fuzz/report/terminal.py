"""A run in the terminal: a table of what was found, and a few lines that sum it up."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.padding import Padding
from rich.text import Text

from fuzz.report.record import Record, counted, duration, share, sides

SHOWN = 80
LISTED = 5  # allowances, and reasons for being undecided
LONGEST = 400  # characters of a case; its file has them all
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
        _print_table(rows[:SHOWN], console)
    if len(rows) > SHOWN:
        console.print(f"... and {len(rows) - SHOWN} more, in the report.")
    for complaint in record.complaints:
        console.print(f"[red]allowance[/]  {escape(complaint)}")
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
    _print_standing(record, console)
    if directory is not None:
        console.print(f"Report: {directory / 'report.html'}", highlight=False, soft_wrap=True)


def _print_standing(record: Record, console: Console) -> None:
    """Print how much rests on allowances and how much is undecided, the largest shares by name."""
    console.print(record.standing[:1].upper() + record.standing[1:], highlight=False)
    for entries, title in ((record.allowed, "allowed"), (record.undecided, "undecided")):
        for name, entry in entries[:LISTED]:
            part = share(entry["count"], record.answers)
            console.print(f"  {title} {escape(name)}: {entry['count']:,} ({part})", highlight=False)
        if len(entries) > LISTED:
            console.print(f"  and {len(entries) - LISTED} more, in the report", highlight=False)


def _print_table(rows: list[Mapping[str, Any]], console: Console) -> None:
    """A line for each finding, in columns if they fit; below it its smallest case, and what differs."""
    lines = [[Text(heading, "dim") for heading in HEADINGS], *map(_cells, rows)]
    widths = [max(line[column].cell_len for line in lines) for column in range(len(HEADINGS))]
    if sum(widths) + 2 * len(widths) > console.width:
        widths = [0] * len(widths)
    console.print(_aligned(lines[0], widths))
    for row, line in zip(rows, lines[1:], strict=True):
        _, expected, actual = sides(row.get("detail", ""))
        differs = f"{shortened(expected)} ≠ {shortened(actual)}" if expected else shortened(actual)
        console.print(_aligned(line, widths))
        console.print(Padding(Text(shortened(row["minimal"], LONGEST)), (0, 0, 0, 2)))
        console.print(Padding(Text(differs, "dim"), (0, 0, 1, 2)))


def _aligned(cells: list[Text], widths: list[int]) -> Text:
    for cell, width in zip(cells, widths, strict=True):
        cell.pad_right(max(0, width - cell.cell_len))
    return Text("  ").join(cells)


def _cells(row: Mapping[str, Any]) -> list[Text]:
    mark = " known" if row.get("known") else "" if row.get("reproduced") else " not reproduced"
    kind = Text.assemble((row["kind"], style(row["kind"])), (mark, "dim"))
    texts = (row["id"], Text(row["name"], "bold"), kind, " ".join(row["modes"]), row["dtype"])
    cells = [text if isinstance(text, Text) else Text(text) for text in texts]
    return [*cells, Text(counted(row.get("count", 1), "time"))]


def style(kind: str) -> str:
    """How a kind of finding is coloured."""
    return STYLES.get(kind, "white")


def shortened(text: str, most: int = 160) -> str:
    """The text on one line, its end left out if it is long."""
    text = " ".join(text.split())
    return text if len(text) <= most else text[: most - 3] + "..."
