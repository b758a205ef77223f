"""Coverage as a self-contained HTML page, and as a badge."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from fuzz.coverage import Change, Coverage, NameCoverage, count_depths
from fuzz.history.database import Run
from fuzz.report.coverage_table import format_share
from fuzz.report.history_page import HEIGHT, WIDTH, count_most_names, draw_curves
from fuzz.report.templates import load_template
from oracle.harness import TOPICS

COLOURS = ((95, "brightgreen"), (85, "green"), (70, "yellowgreen"), (50, "yellow"), (25, "orange"), (0, "red"))
"""From which percentage on a badge has which of shields.io's colours."""


def render_coverage(coverage: Coverage, since: Sequence[Change] = (), runs: Sequence[Run] = ()) -> str:
    """Render the page: totals, depths, the curve over the coverages of a history, changes, and by topic each name with
    its signature, modes, parameters and dtypes.
    """
    by_name = {row.name: row for row in coverage.rows}
    topics = [(row, [by_name[name] for name in TOPICS[row["topic"]] if name in by_name]) for row in coverage.topics()]
    return load_template("coverage.html").render(
        coverage=coverage,
        totals=coverage.totals(),
        topics=topics,
        depths=count_depths(coverage),
        since=since,
        numpy=np.__version__,
        share=format_share,
        state=classify_state,
        runs=runs,
        curves=draw_curves(runs),
        most_names=count_most_names(runs),
        width=WIDTH,
        height=HEIGHT,
    )


def classify_state(row: NameCoverage) -> str:
    """Return the state by which the page filters a name."""
    if not row.present:
        return "absent"
    if row.differs:
        return "differs"
    if row.agrees:
        return "agrees"
    return "never answered" if row.exercised else "not exercised"


def make_badge(coverage: Coverage) -> dict[str, Any]:
    """Return the data that shields.io's endpoint badge reads: the share of the names that agree."""
    totals = coverage.totals()
    colour = next(colour for least, colour in COLOURS if coverage.percent >= least)
    message = f"{totals['agreeing']} of {totals['total']} agree"
    return {"schemaVersion": 1, "label": coverage.denominator.label, "message": message, "color": colour}
