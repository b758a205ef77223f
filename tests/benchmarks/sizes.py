"""Every name at a thousand and a million elements, as Markdown, from what `fuzz scale --sizes` wrote.

    python -m fuzz scale --sizes 1000,1000000 --beside tests.benchmarks.raw_ops --out DIR
    python -m tests.benchmarks --page --sizes DIR/sizes.json

Calls above the limits have a reason in `reasons.toml`, under `large`. Those that have none are listed by

    python -m tests.benchmarks.sizes DIR/sizes.json ...
"""

from __future__ import annotations

import json
import statistics
import sys
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from oracle.harness import topic_of
from tests.benchmarks.report import format_ratio, format_time

REASONS = Path(__file__).with_name("reasons.toml")
LIMITS = {"numpy": 5.0, "beside": 2.0, "memory": 3.0}
"""Ratios of eager calls at the largest size above which a name needs a reason."""
TITLES = {"numpy": "x numpy", "beside": "x raw", "memory": "memory x numpy"}
FEWEST = 5
"""How many names a topic has at least to have a median."""

Row = Mapping[str, Any]


def load_rows(paths: Iterable[Path]) -> list[dict[str, Any]]:
    """Return the rows of files that `fuzz scale --sizes` wrote."""
    return [row for path in paths for row in json.loads(path.read_text())["rows"]]


def load_reasons() -> dict[str, str]:
    """Return the reasons by the pattern of names that each is for."""
    entries = tomllib.loads(REASONS.read_text()).get("large", [])
    return {pattern: entry["why"] for entry in entries for pattern in entry["names"]}


def find_reason(name: str, reasons: Mapping[str, str]) -> str:
    """Return the reason of the first pattern that matches; an empty string without one."""
    return next((why for pattern, why in reasons.items() if fnmatchcase(name, pattern)), "")


def find_slow(rows: Sequence[Row]) -> list[Row]:
    """Return the eager calls at the largest size that are above a limit, the worst first."""
    largest = max((row["size"] for row in rows), default=0)
    slow = [row for row in rows if row["mode"] == "eager" and row["size"] == largest and find_excess(row) > 1]
    return sorted(slow, key=find_excess, reverse=True)


def find_excess(row: Row) -> float:
    """Return the largest ratio of a row in units of its limit."""
    ratios = row.get("ratios", {})
    return max((ratios[key] / limit for key, limit in LIMITS.items() if key in ratios), default=0.0)


def find_unexplained(rows: Sequence[Row], reasons: Mapping[str, str]) -> list[Row]:
    """Return the calls above a limit that have no reason, the worst first."""
    return [row for row in find_slow(rows) if not find_reason(row["name"], reasons)]


def find_stale(rows: Sequence[Row], reasons: Iterable[str]) -> list[str]:
    """Return the patterns that match measured names, but none above a limit."""
    slow, measured = {row["name"] for row in find_slow(rows)}, {row["name"] for row in rows if "ratios" in row}

    def has_match(names: Iterable[str], pattern: str) -> bool:
        return any(fnmatchcase(name, pattern) for name in names)

    return [pattern for pattern in reasons if has_match(measured, pattern) and not has_match(slow, pattern)]


def write_sizes(rows: Sequence[Row]) -> Iterator[str]:
    """Yield the lines of the section: medians by mode, size and topic, what is slower and why, and every name."""
    yield from _write_medians(rows)
    yield ""
    yield from _write_topics(rows)
    yield ""
    yield from _write_slow(rows)
    yield ""
    yield from _write_names(rows)


def _write_medians(rows: Sequence[Row]) -> Iterator[str]:
    yield "| mode | elements | names | " + " | ".join(TITLES.values()) + " |"
    yield "|---|--:|--:|" + "--:|" * len(TITLES)
    for mode, size in dict.fromkeys((row["mode"], row["size"]) for row in rows):
        found = [row for row in rows if (row["mode"], row["size"]) == (mode, size) and "ratios" in row]
        yield f"| {mode} | {size:,} | {len(found)} | {' | '.join(_median(found, key) for key in TITLES)} |"


def _write_topics(rows: Sequence[Row]) -> Iterator[str]:
    largest = max(row["size"] for row in rows)
    measured = [row for row in rows if row["mode"] == "eager" and row["size"] == largest and "ratios" in row]
    topics = {
        topic: [row for row in measured if topic_of(row["name"]) == topic] for topic in map(_find_topic, measured)
    }
    yield f"| topic, eager, {largest:,} elements | names | " + " | ".join(TITLES.values()) + " |"
    yield "|---|--:|" + "--:|" * len(TITLES)
    for topic, members in sorted(topics.items()):
        if len(members) >= FEWEST:
            yield f"| {topic} | {len(members)} | {' | '.join(_median(members, key) for key in TITLES)} |"


def _find_topic(row: Row) -> str:
    return topic_of(row["name"])


def _median(rows: Sequence[Row], key: str) -> str:
    values = [row["ratios"][key] for row in rows if key in row["ratios"]]
    return format_ratio(statistics.median(values)) if values else ""


def _write_slow(rows: Sequence[Row]) -> Iterator[str]:
    slow, reasons = find_slow(rows), load_reasons()
    limits = " or ".join(f"{limit:g} {TITLES[key]}" for key, limit in LIMITS.items())
    yield f"{len(slow)} eager calls of a million elements are above {limits}:"
    yield ""
    yield "| | " + " | ".join(TITLES.values()) + " | why |"
    yield "|---|" + "--:|" * len(TITLES) + "---|"
    for row in slow:
        cells = [_cell(row, key) for key in TITLES]
        yield f"| {row['name']} | {' | '.join(cells)} | {' '.join(find_reason(row['name'], reasons).split())} |"


def _cell(row: Row | None, key: str) -> str:
    return format_ratio(row["ratios"][key]) if row is not None and key in row.get("ratios", {}) else ""


def _write_names(rows: Sequence[Row]) -> Iterator[str]:
    """Yield a line for each name, with its ratios to NumPy's time in every mode and size."""
    columns = list(dict.fromkeys((row["mode"], row["size"]) for row in rows))
    largest = max(size for _, size in columns)
    cells = {(row["name"], row["mode"], row["size"]): row for row in rows if "ratios" in row}
    yield "| call | time | x raw | memory | " + " | ".join(f"{mode}, {size:,}" for mode, size in columns) + " |"
    yield "|---|--:|--:|--:|" + "--:|" * len(columns)
    for name in dict.fromkeys(row["name"] for row in rows):
        main = cells.get((name, "eager", largest))
        ratios = [_cell(cells.get((name, *column)), "numpy") for column in columns]
        if main is None:
            continue
        first = [f"`{main['case'].removeprefix('np.')}`", format_time(main["seconds"])]
        yield f"| {' | '.join([*first, _cell(main, 'beside'), _cell(main, 'memory'), *ratios])} |"


def main() -> int:
    rows, reasons = load_rows(map(Path, sys.argv[1:])), load_reasons()
    unexplained = find_unexplained(rows, reasons)
    for row in unexplained:
        ratios = ", ".join(
            f"{format_ratio(row['ratios'][key])} {TITLES[key]}" for key in TITLES if key in row["ratios"]
        )
        print(f"{row['name']}: {ratios}; {row['case']}")
    print(f"{len(unexplained)} of {len(find_slow(rows))} slow calls have no reason")
    for pattern in find_stale(rows, reasons):
        print(f"no longer slow: {pattern}")
    return 1 if unexplained else 0


if __name__ == "__main__":
    sys.exit(main())
