"""A survey of several libraries as one page that needs no network."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fuzz.coverage import DESCRIPTIONS, STATES, list_names
from fuzz.report.page import embed
from fuzz.report.templates import load_template


def render_survey(survey: Mapping[str, Any]) -> str:
    """Render the page: the libraries with their totals, and by topic each name with its state in each library; a cell
    opens to the calls that show it.
    """
    libraries = [row for row in survey["libraries"] if not row["error"]]
    return load_template("survey.html").render(
        survey=survey,
        libraries=libraries,
        failed=[row for row in survey["libraries"] if row["error"]],
        count=len(list_names(survey)),
        states=STATES,
        descriptions=DESCRIPTIONS,
        data=embed({"topics": survey["topics"], "states": STATES, "libraries": [_shorten(row) for row in libraries]}),
    )


def _shorten(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the page's script needs of a library."""
    keys = ("subject", "calls", "modes", "refusals")
    examples = {
        name: {**found, "shown": [{key: one[key] for key in one if key != "case"} for one in found["shown"]]}
        for name, found in row["examples"].items()
    }
    return {**{key: row[key] for key in keys}, "examples": examples}
