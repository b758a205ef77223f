"""Coverage in the terminal: a line and a bar for each topic, and the totals."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from fuzz.coverage import Change, Coverage
from fuzz.report.record import describe_reexported, list_some

WIDTH = 24
NARROW = 150
"""Up to how many columns a terminal has no room for bars."""


def show_coverage(coverage: Coverage, console: Console) -> None:
    """Print the table."""
    table = Table(box=None, pad_edge=False, header_style="dim", expand=False)
    narrow = console.width < NARROW
    table.add_column("topic", overflow="fold", max_width=22 if narrow else None)
    if not narrow:
        table.add_column("", no_wrap=True)
    for title in ("names", "present", "same signature", "exercised", "agreeing", *coverage.modes, "parameters"):
        table.add_column(title, justify="right", no_wrap=False)
    rows = coverage.topics()
    for row in rows:
        table.add_row(row["topic"], *([] if narrow else [make_bar(row)]), *_cells(row, coverage.modes))
    table.add_section()
    totals = coverage.totals()
    cells = [f"[bold]{cell}[/]" for cell in _cells(totals, coverage.modes)]
    table.add_row("[bold]all[/]", *([] if narrow else [make_bar(totals)]), *cells)
    console.print(table, soft_wrap=False)
    console.print(
        f"[bold]{escape(coverage.subject)}[/] has {totals['present']} of {coverage.described} "
        f"({format_share(totals['present'], totals['total'])}). Of {totals['with signature']} names that have a "
        f"signature in NumPy, {totals['same signature']} have the same one, and {totals['extended signature']} the "
        f"same with additional keywords. {totals['exercised']} names were exercised; {totals['agreeing']} of those "
        f"agree in every mode they ran in, {totals['with allowances']} of them only with accepted differences. "
        f"{totals['exercised parameters']} of {totals['parameters']} parameters were given in every mode that answers "
        f"calls of their function, and {totals['exercised dtypes']} of {totals['dtypes']} dtypes.",
        highlight=False,
        soft_wrap=True,
    )
    console.print(_describe_calls(coverage), markup=False, highlight=False, soft_wrap=True)
    if totals["reexported"]:
        told = describe_reexported(totals["reexported"])
        console.print(f"{coverage.subject} {told}", markup=False, highlight=False, soft_wrap=True)


def _describe_calls(coverage: Coverage) -> str:
    """Return what the coverage is made of: cases, seed, depth, and versions."""
    origin = coverage.origin
    parts = [f"{coverage.cases:,} cases"]
    parts += [f"{origin.depth}, seed {origin.seed}"] if origin.depth else []
    parts += [f"{package} {version}" for package, version in origin.versions.items()]
    is_told = any(version.startswith("commit ") for version in origin.versions.values())
    return ", ".join([*parts, *([f"commit {origin.revision}"] if origin.revision and not is_told else [])])


def show_changes(changes: Sequence[Change], console: Console) -> None:
    """Print what changed since each earlier coverage file."""
    for change in changes:
        parts = [f"{len(names)} {what} ({list_some(names)})" for what, names in change.names.items() if names]
        when = f"Since {change.date}" if change.date else "Since the earlier run"
        text = f"{when}: {'; '.join(parts) or 'nothing changed'}"
        if change.unconfirmed:
            text += f"; judged again, {len(change.unconfirmed)} have not ({list_some(change.unconfirmed)})"
        console.print(text, markup=False, highlight=False, soft_wrap=True)


def make_bar(row: dict[str, int]) -> Text:
    """Return a bar: the names that agree, agree only with allowances, were exercised, are present, of all."""
    total = row["total"] or 1
    counts = (row["agreeing"] - row.get("with allowances", 0), row["agreeing"], row["exercised"], row["present"])
    ends = [round(WIDTH * count / total) for count in counts] + [WIDTH]
    signs = (("█", "green"), ("█", "cyan"), ("▓", "yellow"), ("▒", "red"), ("░", "dim"))
    text = Text()
    begin = 0
    for end, (sign, style) in zip(ends, signs, strict=True):
        if end > begin:
            text.append(sign * (end - begin), style)
            begin = end
    return text


def format_share(part: int, whole: int) -> str:
    """Return a percentage; 100 % only if it is all, 0 % only if it is none."""
    if not whole:
        return "-"
    percent = 100 * part / whole
    if part and percent < 0.1:
        return "<0.1 %"
    return f"{min(percent, 99.9) if part < whole else 100:.{0 if part == whole else 1}f} %"


def _cells(row: dict[str, int], modes: tuple[str, ...]) -> list[str]:
    counts = [str(row[key]) for key in ("total", "present", "same signature", "exercised", "agreeing", *modes)]
    return [*counts, f"{row['exercised parameters']}/{row['parameters']}"]
