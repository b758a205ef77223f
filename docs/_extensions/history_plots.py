"""Small plots of the ratios in `tests/benchmarks/history.jsonl`, one over the commits for each."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import Any, NamedTuple

FILE = Path(__file__).parents[2] / "tests" / "benchmarks" / "history.jsonl"
WIDTH, HEIGHT, TOP, LEFT = 300, 96, 8, 44
RANGE = 1.5  # the least that an axis shows: the ratio of its ends
COLORS = 4  # in site.css


class Point(NamedTuple):
    """A ratio at a commit: its median, and the quartiles of its rounds."""

    x: float
    median: float
    low: float
    high: float
    about: str
    processor: int


def read_lines(path: Path = FILE) -> list[dict[str, Any]]:
    """Return what was measured, the oldest commit first."""
    lines = [json.loads(text) for text in path.read_text().splitlines()] if path.exists() else []
    return sorted(lines, key=lambda line: line["date"])


def list_points(label: str, lines: Sequence[dict[str, Any]]) -> list[Point]:
    """Return the points of one ratio; those of a commit that was measured on several processors have one x."""
    commits = list(dict.fromkeys(line["commit"] for line in lines))
    processors = list(dict.fromkeys(line["machine"]["processor"] for line in lines))
    points = []
    for line in lines:
        if label in line["ratios"]:
            median, low, high = line["ratios"][label]
            x = LEFT + 14 + (WIDTH - LEFT - 28) * (commits.index(line["commit"]) + 0.5) / len(commits)
            about = f"{line['commit'][:10]}, {line['date'][:10]}: {median:.3g} ({low:.3g} to {high:.3g})"
            points.append(Point(x, median, low, high, about, processors.index(line["machine"]["processor"])))
    return points


class Axis(NamedTuple):
    """A logarithmic axis: its ends."""

    least: float
    most: float

    @classmethod
    def around(cls, points: Sequence[Point]) -> Axis:
        """Return the axis that holds all quartiles, and reaches over RANGE at least."""
        least, most = min(point.low for point in points), max(point.high for point in points)
        margin = max(1.05, math.sqrt(RANGE * least / most))
        return cls(least / margin, most * margin)

    def find_y(self, value: float) -> float:
        """Return the height of a value in the plot."""
        return TOP + (HEIGHT - 2 * TOP) * math.log(self.most / value) / math.log(self.most / self.least)

    def draw(self) -> str:
        """Return lines at both ends, and at 1 where it lies between; an end near to 1 has none."""
        has_one = self.least <= 1 <= self.most
        apart = 0.15 * math.log(self.most / self.least)
        ticks = [end for end in self if not (has_one and abs(math.log(end)) < apart)] + [1.0] * has_one
        return "".join(
            f'<line class="tick" x1="{LEFT}" x2="{WIDTH}" y1="{self.find_y(tick):.1f}" y2="{self.find_y(tick):.1f}"/>'
            f'<text x="{LEFT - 6}" y="{self.find_y(tick) + 4:.1f}" text-anchor="end">{tick:.3g}</text>'
            for tick in ticks
        )


def draw_point(point: Point, axis: Axis) -> str:
    """Return a dot, and a bar between the quartiles."""
    return (
        f'<g><title>{escape(point.about)}</title><line x1="{point.x:.1f}" x2="{point.x:.1f}" '
        f'y1="{axis.find_y(point.high):.1f}" y2="{axis.find_y(point.low):.1f}"/>'
        f'<circle cx="{point.x:.1f}" cy="{axis.find_y(point.median):.1f}" r="3.5"/></g>'
    )


def draw_plot(label: str, points: Sequence[Point]) -> str:
    """Return the plot of a ratio as a figure of HTML."""
    axis = Axis.around(points)
    drawn = axis.draw()
    for processor in sorted({point.processor for point in points}):
        own = [point for point in points if point.processor == processor]
        corners = " ".join(f"{point.x:.1f},{axis.find_y(point.median):.1f}" for point in own)
        dots = "".join(draw_point(point, axis) for point in own)
        drawn += f'<g class="processor{processor % COLORS}"><polyline points="{corners}"/>{dots}</g>'
    text = escape(f"{label}, {points[-1].about}")
    return (
        f'<figure class="ratio"><figcaption>{escape(label)} <strong>{points[-1].median:.3g}</strong></figcaption>'
        f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{text}">{drawn}</svg></figure>'
    )


def render_history(lines: Sequence[dict[str, Any]]) -> str:
    """Return Markdown: the processors and the plots; where nothing was measured, a sentence."""
    if not lines:
        return "Nothing was measured yet.\n"
    processors: dict[str, dict[str, Any]] = {line["machine"]["processor"]: line["machine"] for line in lines}
    count = len({line["commit"] for line in lines})
    dates = " to ".join(dict.fromkeys(line["date"][:10] for line in (lines[0], lines[-1])))
    page = [f"{count} commit{'s' * (count > 1)}, {dates}, on these processors, the last time with these versions:", ""]
    for position, (processor, machine) in enumerate(processors.items()):
        versions = ", ".join(f"{key} {machine[key]}" for key in ("python", "numpy", "tensorflow", "jax"))
        page.append(f'- <b class="processor{position % COLORS}">●</b> {escape(processor)}: {versions}')
    labels = dict.fromkeys(label for line in reversed(lines) for label in line["ratios"])
    plots = [draw_plot(label, list_points(label, lines)) for label in labels]
    return "\n".join([*page, "", '<div class="ratios">', *plots, "</div>", ""])
