"""Figures as text, and as tables of Markdown."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterator, Mapping
from itertools import groupby
from pathlib import Path
from typing import Any

LIMITS = {"numpy": 2.0, "raw": 1.3}
"""From which ratio on a row of a million elements is listed as slower."""
SORT_LIMITS = {"numpy": 5.0, "raw": 1.3}
SORT_HEADINGS = ("Sorting and selection", "Sets")
CALL_LIMITS = {"raw": 1.4}
"""From which ratio on a row of a few elements is."""


def format_time(seconds: float) -> str:
    for unit, factor in (("s", 1.0), ("ms", 1e3), ("us", 1e6)):
        if seconds * factor >= 1:
            return f"{seconds * factor:#.3g} {unit}".replace(". ", " ")
    return f"{seconds * 1e9:.0f} ns"


def format_ratio(ratio: float) -> str:
    return f"{ratio:.0f}" if ratio >= 9.95 else f"{ratio:.2g}" if ratio < 0.995 else f"{ratio:.1f}"


def format_line(row: Mapping[str, Any], clock: str) -> str:
    """Return a row for the terminal."""
    ours, *others = row[clock]
    ratios = "".join(f"  {name} {format_ratio(row['ratios'][name])}" for name in others)
    left_out = "".join(f"  {name} {reason}" for name, reason in row.get("left_out", {}).items())
    return f"{row['name']:<32}{ours} {format_time(row[clock][ours]):<9}{ratios}{left_out}"


def write_tables(rows: list[dict[str, Any]], clock: str, *, compiled: bool = False) -> Iterator[str]:
    """Yield lines of Markdown: a table for each heading, with ratios above 1 in which ours takes longer."""
    for heading, part in groupby(rows, lambda row: row.get("heading", "")):
        members = list(part)
        ours = next(iter(members[0][clock]))
        columns = list(dict.fromkeys(name for row in members for name in row["ratios"] | row.get("left_out", {})))
        compilers = [name for name in (ours, *columns) if compiled and name != "numpy"]
        yield (
            f"\n| {heading} | {ours} | wall | "
            + " | ".join(f"/ {name}" for name in columns)
            + _cells(f"{name}, first call" for name in compilers)
        )
        yield "|---|" + "--:|" * (2 + len(columns) + len(compilers))
        for row in members:
            cells = [_ratio_cell(row, name) for name in columns]
            first = [format_time(row["first"][name]) if name in row["first"] else "" for name in compilers]
            times = " | ".join(format_time(row[key][ours]) for key in (clock, "wall"))
            yield f"| {row['name']} | {times} | " + " | ".join(cells) + _cells(first)


def _cells(texts: Any) -> str:
    return "".join(f" | {text}" for text in texts) + " |"


def _ratio_cell(row: Mapping[str, Any], name: str) -> str:
    if name in row["ratios"]:
        text = format_ratio(row["ratios"][name])
        return f"**{text}**" if row["ratios"][name] > 1.05 else text
    return row.get("left_out", {}).get(name, "")


def find_limits(row: Mapping[str, Any]) -> dict[str, float]:
    """Return the limits of a row of a million elements."""
    return SORT_LIMITS if row.get("heading") in SORT_HEADINGS else LIMITS


def write_slower(
    rows: list[dict[str, Any]], limits_of: Callable[[Mapping[str, Any]], Mapping[str, float]] = find_limits
) -> Iterator[str]:
    """Yield a table of rows in which we are slower than the limits, the worst first."""

    def find_excess(row: Mapping[str, Any]) -> float:
        return max(
            (row["ratios"][name] / limit for name, limit in limits_of(row).items() if name in row["ratios"]), default=0
        )

    slow = [row for row in rows if find_excess(row) > 1]
    if not slow:
        return
    names = list(limits_of(slow[0]))
    limits = " or ".join(f"{limit:g} x {name}" for name, limit in limits_of({}).items())
    if any(limits_of(row) != limits_of({}) for row in rows):
        limits += f" ({SORT_LIMITS['numpy']:g} x numpy for sorts, selections and sets)"
    yield f"{len(slow)} of {len(rows)} rows take more than {limits}:"
    yield ""
    yield "| | " + " | ".join(f"x {name}" for name in names) + " | why |"
    yield "|---|" + "--:|" * len(names) + "---|"
    for row in sorted(slow, key=find_excess, reverse=True):
        figures = [format_ratio(row["ratios"][name]) if name in row["ratios"] else "" for name in names]
        yield f"| {row['name']} | {' | '.join(figures)} | {row.get('note', '')} |"


def describe(data: Mapping[str, Any]) -> str:
    """Return the machine and how it was measured, as a table."""
    facts = {**data["machine"], "clock": {"cpu": "CPU time", "wall": "wall clock"}[data["clock"]]}
    return "\n".join(["| | |", "|---|---|", *(f"| {name} | {fact} |" for name, fact in facts.items())])


def summarize(rows: list[dict[str, Any]]) -> str:
    """Return the median ratio to each contender, by CPU time and by the wall clock, over the rows that it answered."""
    medians = []
    for name in dict.fromkeys(name for row in rows for name in row["ratios"]):
        found = [row for row in rows if name in row["ratios"]]
        both = [statistics.median(row[key][name] for row in found) for key in ("ratios", "wall_ratios")]
        medians.append(f"{' or '.join(map(format_ratio, both))} x {name} ({len(found)})")
    return "Medians over the rows, by CPU time or by the wall clock: " + ", ".join(medians) + "."


def write_group(name: str, data: Mapping[str, Any]) -> Iterator[str]:
    """Yield the lines of a group: median ratios, what is slower, and the tables."""
    rows, clock = data["groups"][name]["rows"], data["clock"]
    if name != "headlines":
        yield summarize(rows)
    if name == "scale":
        yield ""
        yield from write_slower(rows)
    if name == "overhead":
        yield ""
        yield from write_slower(rows, lambda _: CALL_LIMITS)
    yield from write_tables(rows, clock, compiled=name == "compiled")


def write_report(data: Mapping[str, Any], out: Path) -> None:
    """Write bench.md."""
    lines = ["# Benchmarks", "", describe(data)]
    for name, group in data["groups"].items():
        lines += ["", f"## {group['title']}", "", group["text"], "", *write_group(name, data)]
    (out / "bench.md").write_text("\n".join(lines) + "\n")
