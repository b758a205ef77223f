"""The page of `scale`: the most expensive calls, and for each name its costs by size on log-log axes, beside
NumPy's.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, select_autoescape

WIDTH, HEIGHT, MARGIN = 330, 200, 38
WORST = 60
QUANTITIES = {
    "time": ("seconds", "numpy_seconds", "CPU time"),
    "memory": ("peak", "numpy_peak", "peak memory"),
}
UNITS = {
    "time": ((1.0, "s"), (1e-3, "ms"), (1e-6, "us"), (1e-9, "ns")),
    "memory": ((1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB"), (1, "B")),
}


def render_scale(data: Mapping[str, Any]) -> str:
    """Return the page for the content of scale.json."""
    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent),
        autoescape=select_autoescape(["html"]),
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["cost"] = format_cost
    groups = {
        name: [{**climb, "plots": make_plots(climb)} for climb in climbs if climb["rungs"]]
        for name, climbs in data["names"].items()
    }
    rows = [(name, climb) for name, climbs in groups.items() for climb in climbs]
    worst = sorted(rows, key=lambda row: -_ratio(row[1]))[:WORST]
    return environment.get_template("scale_page.html").render(
        data=data, groups=groups, worst=worst, width=WIDTH, height=HEIGHT, margin=MARGIN
    )


def _ratio(climb: Mapping[str, Any]) -> float:
    """Return the larger of the ratios of time and of memory at the largest size."""
    return max((climb[quantity]["ratio"] or 0.0 for quantity in QUANTITIES if quantity in climb), default=0.0)


def format_cost(value: float | None, quantity: str) -> str:
    """Format a cost with its unit, to three digits."""
    if value is None:
        return ""
    unit, name = next((entry for entry in UNITS[quantity] if value >= entry[0]), UNITS[quantity][-1])
    return f"{value / unit:.3g} {name}"


def make_plots(climb: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return a plot of each measured quantity, as coordinates in an SVG drawing."""
    found = []
    for quantity, (own, numpys, title) in QUANTITIES.items():
        rungs = [rung for rung in climb["rungs"] if rung[own] is not None and rung[numpys] is not None]
        if len(rungs) > 1:
            found.append(_make_plot(quantity, title, rungs, own, numpys))
    return found


def _make_plot(quantity: str, title: str, rungs: Sequence[Mapping[str, Any]], own: str, numpys: str) -> dict[str, Any]:
    least = UNITS[quantity][-1][0]
    costs = {key: [max(rung[key], least) for rung in rungs] for key in (own, numpys)}
    x = _Scale([rung["factor"] for rung in rungs], MARGIN, WIDTH - 10)
    y = _Scale([*costs[own], *costs[numpys]], HEIGHT - 24, 10)
    return {
        "title": title,
        "lines": {
            line: " ".join(
                f"{x(rung['factor']):.1f},{y(cost):.1f}" for rung, cost in zip(rungs, costs[key], strict=True)
            )
            for line, key in (("own", own), ("numpys", numpys))
        },
        "dots": [
            (x(rung["factor"]), y(cost), f"{rung['elements']:,} elements: {format_cost(cost, quantity)}", line)
            for line, key in (("own", own), ("numpys", numpys))
            for rung, cost in zip(rungs, costs[key], strict=True)
        ],
        "across": [(x(tick), f"{tick:g}") for tick in x.ticks(4)],
        "up": [(y(tick), format_cost(tick, quantity)) for tick in y.ticks(10)],
    }


class _Scale:
    """Logarithmic scale from values to coordinates between `first` and `last`."""

    def __init__(self, numbers: Sequence[float], first: float, last: float) -> None:
        self._low, self._high = math.log(min(numbers)), math.log(max(numbers))
        self._first, self._last = first, last

    def __call__(self, number: float) -> float:
        span = self._high - self._low or 1.0
        return self._first + (math.log(number) - self._low) / span * (self._last - self._first)

    def ticks(self, base: int) -> list[float]:
        """Return the powers of a base that are on the scale, at most five."""
        low, high = (end / math.log(base) for end in (self._low, self._high))
        powers = range(math.ceil(low - 1e-9), math.floor(high + 1e-9) + 1)
        return [float(base) ** power for power in powers[:: len(powers) // 6 + 1]]
