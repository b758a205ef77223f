"""A survey of several libraries as one page that needs no network."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from fuzz.coverage import DESCRIPTIONS, STATES, list_names
from fuzz.report.page import embed
from fuzz.report.templates import load_template
from fuzz.triage.severity import ERRORS, VALID_CALLS


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
    """Return what the page's script needs of a library: of a name's errors only the first example, whose symptom is its
    message, and no encoded cases.
    """
    keys = ("subject", "calls", "modes", "refusals")
    examples = {name: {**found, "shown": [*_list_shown(found["shown"])]} for name, found in row["examples"].items()}
    return {**{key: row[key] for key in keys}, "examples": examples}


def _list_shown(examples: Sequence[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    for number, one in enumerate(examples):
        is_error = one["kind"] in ERRORS | VALID_CALLS
        if not (is_error and number):
            yield {key: one[key] for key in one if key != "case" and not (is_error and key == "symptom")}
