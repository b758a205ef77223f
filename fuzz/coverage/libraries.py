"""The coverages of several libraries side by side, as the data of a survey: by name, mode and library a state, and what
shows it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from fuzz.coverage.minimal_examples import MinimalExample, shorten
from fuzz.coverage.name_coverage import Coverage, NameCoverage
from fuzz.triage.untrusted_input import DOTTED, ENCODED, Row, Text
from oracle.harness import TOPICS

WRONG, WRONG_AT_EDGES, OTHER_FORM = "wrong", "wrong at edges", "another form"
RAISES, OTHER_ERRORS = "raises", "other errors"
REFUSES, UNSTEADY, AGREES, AGREES_WITH_ALLOWANCES = "refuses", "not reproduced", "agrees", "agrees, with allowances"
NOT_JUDGED, REEXPORTED, MISSING = "not judged", "NumPy's own", "missing"

STATES: Mapping[str, str] = {
    WRONG: "w",
    WRONG_AT_EDGES: "e",
    OTHER_FORM: "f",
    RAISES: "r",
    REFUSES: "x",
    OTHER_ERRORS: "o",
    UNSTEADY: "u",
    AGREES_WITH_ALLOWANCES: "b",
    AGREES: "a",
    NOT_JUDGED: "n",
    REEXPORTED: "c",
    MISSING: "m",
}
"""The states of a name in a mode of a library, the worst first, with the letters that stand for them in data."""

DESCRIPTIONS: Mapping[str, str] = {
    WRONG: "another value or shape in an ordinary call, or a crash or hang",
    WRONG_AT_EDGES: "the same, but only in calls with nan, infinities, empty arrays, unusual dtypes or layouts",
    OTHER_FORM: "the right values in another dtype or type",
    RAISES: "raises for some valid calls, and answers others as NumPy does",
    REFUSES: "answers no valid call by a value, of seven or more",
    OTHER_ERRORS: "differs only in errors for calls that NumPy rejects",
    UNSTEADY: "differed once, and not again",
    AGREES_WITH_ALLOWANCES: "the same, but for what NumPy leaves open or the library documents as different",
    AGREES: "answered valid calls, all of them as NumPy does",
    NOT_JUDGED: "no valid call was judged: none is drawn, none can be asked, or there was no time",
    REEXPORTED: "NumPy's own function, which the library re-exports",
    MISSING: "the library does not have the name",
}
SEVERITIES = (WRONG, WRONG_AT_EDGES, OTHER_FORM, RAISES, OTHER_ERRORS)
"""The states by the severity of an example."""

FORMAT = 1
EXAMPLES = 3  # of a name
ASKED = 7
"""The number of valid calls without a value from which a name refuses: those of three structures. Fewer say nothing."""
EXAMPLE = {
    **dict.fromkeys(("kind", "symptom", "call_class", "call", "expected", "actual"), str),
    "modes": [str],
    "reduced": bool,
    "case": ENCODED,
}
LIBRARY = {
    "subject": DOTTED,
    **dict.fromkeys(("date", "revision", "error"), str),
    "versions": {str: str},
    "seconds": (int, float),
    **dict.fromkeys(("cases", "unfinished"), int),
    "modes": {str: Text(1 << 16)},
    "calls": [int],
    "totals": {str: int},
    "examples": {str: {"count": int, "shown": [EXAMPLE]}},
    "refusals": {str: {str: str}},
}
SURVEY = {
    "format": int,
    **dict.fromkeys(("numpy", "against", "depth", "command"), str),
    "seed": int,
    "topics": [Row(str, [str])],
    "libraries": [LIBRARY],
}
"""The form of a survey's file."""


def begin_survey(names: Sequence[str], seed: int, depth: str, against: str, command: str) -> dict[str, Any]:
    """Return the data of a survey that has no library yet."""
    chosen = set(names)
    topics = [[topic, [name for name in listed if name in chosen]] for topic, listed in TOPICS.items()]
    own = {"format": FORMAT, "numpy": np.__version__, "against": against, "depth": depth, "seed": seed}
    return {**own, "command": command, "topics": [row for row in topics if row[1]], "libraries": []}


def list_names(survey: Mapping[str, Any]) -> list[str]:
    """Return the names of a survey in the order of NumPy's manual, which is that of the letters of its modes."""
    return [name for _, names in survey["topics"] for name in names]


def describe_library(
    survey: Mapping[str, Any],
    coverage: Coverage,
    examples: Mapping[str, Sequence[MinimalExample]],
    date: str,
    seconds: float,
) -> dict[str, Any]:
    """Return the data of a library in a survey."""
    rows = {row.name: row for row in coverage.rows}
    names = list_names(survey)
    states = {
        mode: [classify_name(rows[name], mode, examples.get(name, ())) for name in names] for mode in coverage.modes
    }
    refusals = {
        name: {mode: shorten(text) for mode, text in rows[name].unanswered.items() if mode in given}
        for name, *given_states in zip(names, *states.values(), strict=True)
        if (given := {mode for mode, state in zip(states, given_states, strict=True) if state == REFUSES})
    }
    counts = Counter(map(find_worst, zip(*states.values(), strict=True)))
    return {
        "subject": coverage.subject,
        "date": date,
        "revision": coverage.origin.revision,
        "error": "",
        "versions": dict(coverage.origin.versions),
        "seconds": round(seconds, 1),
        "cases": coverage.cases,
        "unfinished": coverage.unfinished,
        "calls": [sum(rows[name].runs.values()) for name in names],
        "modes": {mode: "".join(STATES[one] for one in found) for mode, found in states.items()},
        "totals": {state: counts[state] for state in STATES},
        "examples": {
            name: {"count": len(examples[name]), "shown": [one.data() for one in examples[name][:EXAMPLES]]}
            for name in names
            if examples.get(name)
        },
        "refusals": refusals,
    }


def classify_name(row: NameCoverage, mode: str, examples: Sequence[MinimalExample]) -> str:
    """Return the state of a name in a mode, given the differences that recur."""
    if not row.present:
        return REEXPORTED if row.reexported else MISSING
    shown = [SEVERITIES[one.severity] for one in examples if mode in one.difference.modes]
    worst = min(shown, key=SEVERITIES.index, default="")
    if worst in (WRONG, WRONG_AT_EDGES, OTHER_FORM):
        return worst
    if mode in row.unanswered and not row.answers.get(mode) and row.asked.get(mode, 0) >= ASKED:
        return REFUSES
    if worst:
        return worst
    if mode in row.differs:
        return UNSTEADY
    if not row.agrees_in(mode):
        return NOT_JUDGED
    return AGREES_WITH_ALLOWANCES if mode in row.allowed else AGREES


def find_worst(states: Sequence[str]) -> str:
    """Return the worst of the states that a name has in several modes; a mode that was judged counts before others."""
    return min(states, key=list(STATES).index)


def find_changes(earlier: Mapping[str, Any], later: Mapping[str, Any]) -> dict[str, tuple[str, ...]]:
    """Return by library the names of both surveys whose states are not the same."""
    before = {row["subject"]: _list_states(earlier, row) for row in earlier["libraries"]}
    found = {}
    for row in later["libraries"]:
        then, now = before.get(row["subject"]), _list_states(later, row)
        if then is not None:
            found[row["subject"]] = tuple(name for name in now if name in then and now[name] != then[name])
    return found


def _list_states(survey: Mapping[str, Any], row: Mapping[str, Any]) -> dict[str, str]:
    letters = {letter: state for state, letter in STATES.items()}
    return {
        name: find_worst([letters[letter] for letter in given])
        for name, *given in zip(list_names(survey), *row["modes"].values(), strict=True)
    }
