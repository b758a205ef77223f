"""Coverage as one HTML page that needs nothing else."""

from __future__ import annotations

import numpy as np

from fuzz.coverage import Coverage
from fuzz.report.coverage_table import share
from fuzz.report.templates import template
from oracle import TOPICS


def render_coverage(coverage: Coverage) -> str:
    """The page: totals, a bar for each topic, and below it each name with its signature and modes."""
    standings = {row.name: row for row in coverage.standings}
    topics = [
        (row, [standings[name] for name in TOPICS[row["topic"]] if name in standings]) for row in coverage.topics()
    ]
    return template("coverage.html").render(
        coverage=coverage, totals=coverage.totals(), topics=topics, numpy=np.__version__, share=share
    )
