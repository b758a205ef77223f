"""The plots: ratios of small and of large calls, sigmoid by size, training by the sizes of model and data."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import matplotlib as mpl

mpl.use("Agg")

import matplotlib.pyplot as plt

COLORS = {"raw": "#d95f02", "stock": "#7570b3", "numpy": "#1b9e77", "jax": "#e7298a"}


def draw(data: Mapping[str, Any], folder: Path) -> Iterator[Path]:
    """Write the plots for which there are figures."""
    groups = {name: group["rows"] for name, group in data["groups"].items()}
    headlines = groups.get("headlines", [])
    plans: dict[str, tuple[list[Any], Callable[[list[Any], str], plt.Figure]]] = {
        "overhead": (groups.get("overhead", []), draw_ratios),
        "scale": (groups.get("scale", []), draw_ratios),
        "sigmoid": ([row for row in headlines if row["heading"].startswith("Sigmoid")], draw_sigmoid),
        "training": ([row for row in headlines if "training" in row["heading"]], draw_training),
    }
    for name, (rows, plot) in plans.items():
        if rows:
            figure = plot(rows, data["clock"])
            path = folder / f"{name}.png"
            figure.savefig(path, dpi=110, metadata={"Software": None})
            plt.close(figure)
            yield path


def draw_ratios(rows: list[dict[str, Any]], _: str) -> plt.Figure:
    """Return a point for each row and contender: how many times longer ours takes."""
    figure, axes = plt.subplots(figsize=(8, 1 + 0.19 * len(rows)), layout="constrained")
    for name, color in COLORS.items():
        points = [(row["ratios"][name], place) for place, row in enumerate(rows) if name in row["ratios"]]
        if points:
            axes.scatter(*zip(*points, strict=True), s=18, color=color, label=f"/ {name}", zorder=3)
    axes.set_yticks(range(len(rows)), [row["name"] for row in rows], fontsize=7)
    axes.invert_yaxis()
    axes.set(
        xscale="log", xlabel="time of tfnp / time of another; to the left of 1 tfnp is faster", ylim=(len(rows), -1)
    )
    axes.axvline(1, color="black", linewidth=0.8)
    axes.grid(axis="both", color="0.92")
    axes.legend(loc="upper right", fontsize=8)
    return figure


def draw_sigmoid(rows: list[dict[str, Any]], clock: str) -> plt.Figure:
    """Return microseconds of a call by the number of elements."""
    figure, axes = plt.subplots(figsize=(7.5, 4.5), layout="constrained")
    sizes = [int(row["name"].split()[0]) for row in rows]
    for name in rows[0][clock]:
        points = [(size, 1e6 * row[clock][name]) for size, row in zip(sizes, rows, strict=True) if name in row[clock]]
        style = "--" if name.startswith(("stock", "numpy", "jax")) else "-"
        axes.loglog(*zip(*points, strict=True), style, marker="o", markersize=4, label=name)
    axes.set(xlabel="elements", ylabel="microseconds a call", title="sigmoid of float32")
    axes.grid(color="0.92")
    axes.legend(fontsize=8)
    return figure


def draw_training(rows: list[dict[str, Any]], clock: str) -> plt.Figure:
    """Return how many times longer an eager step takes than one in a graph, by the size of the data, for each model."""
    figure, axes = plt.subplots(figsize=(7.5, 4), layout="constrained")
    models: dict[str, list[dict[str, Any]]] = {}
    for row in rows:
        models.setdefault(row["name"].partition(",")[0], []).append(row)
    for name, (library, style) in {"tfnp": ("tfnp", "-"), "raw": ("raw", "--")}.items():
        for number, (model, members) in enumerate(models.items()):
            batches = [int(row["name"].split()[-1]) for row in members]
            times = [row[clock] for row in members]
            gains = [own[f"{library}, eager"] / own[f"{library}, tf.function"] for own in times]
            axes.semilogx(batches, gains, style, color=f"C{number}", marker="o", markersize=4, label=f"{name}, {model}")
    axes.set(
        xlabel="examples in a batch", ylabel="eager / tf.function", title="a step of training: what a graph is worth"
    )
    axes.axhline(1, color="black", linewidth=0.8)
    axes.grid(color="0.92")
    axes.legend(fontsize=8)
    return figure
