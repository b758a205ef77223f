"""Libraries side by side: the state of a name in a mode, totals, and what changed between two surveys."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from fuzz.coverage import (
    DESCRIPTIONS,
    STATES,
    SURVEY,
    Coverage,
    NameCoverage,
    begin_survey,
    describe_library,
    find_changes,
    list_names,
)
from fuzz.coverage.libraries import ASKED, EXAMPLES, classify_name
from fuzz.coverage.minimal_examples import MinimalExample
from fuzz.differences import Difference
from fuzz.triage.untrusted_input import find_misfit
from oracle import Case

CASE = Case("sin", (0.5,)).json()


def example(kind="value", call_class="ordinary", modes=("eager",), symptom=""):
    return MinimalExample(Difference(0, 0, "sin", kind, modes, "float", "got 2", CASE, symptom=symptom), call_class)


ANSWERED = {"runs": {"eager": 3, "jit": 3}, "valid": 3, "asked": {"eager": 3, "jit": 3}, "answers": {"eager": 3}}
SILENT = {**ANSWERED, "asked": {"eager": ASKED}, "answers": {}, "unanswered": {"eager": "TypeError: no"}}


@pytest.mark.parametrize(
    ("own", "examples", "state"),
    [
        ({"present": False}, [], "missing"),
        ({"present": False, "reexported": True}, [], "NumPy's own"),
        ({}, [], "not judged"),
        (ANSWERED, [], "agrees"),
        ({**ANSWERED, "allowed": ("eager",)}, [], "agrees, with allowances"),
        ({**ANSWERED, "allowed": ("jit",)}, [], "agrees"),
        ({**ANSWERED, "differs": ("eager",)}, [], "not reproduced"),
        ({**ANSWERED, "differs": ("eager",)}, [example()], "wrong"),
        ({**ANSWERED, "differs": ("eager",)}, [example(call_class="edge")], "wrong at edges"),
        ({**ANSWERED, "differs": ("eager",)}, [example("dtype"), example("spurious error")], "another form"),
        ({**ANSWERED, "differs": ("eager",)}, [example("dtype"), example(call_class="edge")], "wrong at edges"),
        ({**ANSWERED, "differs": ("eager",)}, [example("spurious error")], "raises"),
        ({**ANSWERED, "differs": ("eager",)}, [example("missing error", "invalid")], "other errors"),
        ({**ANSWERED, "differs": ("eager", "jit")}, [example(modes=("jit",)), example("spurious error")], "raises"),
        (SILENT, [], "refuses"),
        ({**SILENT, "asked": {"eager": ASKED - 1}}, [], "not judged"),
        ({**SILENT, "differs": ("eager",)}, [example("spurious error")], "refuses"),
        ({**SILENT, "differs": ("eager",)}, [example("crash")], "wrong"),
        ({**SILENT, "answers": {"eager": 1}}, [], "agrees"),
    ],
)
def test_the_state_of_a_name_is_the_worst_that_was_seen_in_the_mode(own, examples, state):
    row = NameCoverage("sin", **{"present": True, **own})
    assert classify_name(row, "eager", examples) == state


def test_every_state_has_a_letter_and_a_description():
    assert STATES.keys() == DESCRIPTIONS.keys()
    assert len(set(STATES.values())) == len(STATES)
    assert all(len(letter) == 1 for letter in STATES.values())


def test_the_manual_describes_the_states_likewise():
    manual = (Path(__file__).parents[2] / "docs/survey.md").read_text()
    assert re.findall(r"^\| ([^|]+) \| ([^|]+) \|$", manual, re.MULTILINE)[1:] == list(DESCRIPTIONS.items())


NAMES = ("sin", "cos", "tan")


def describe(*rows, examples=None, subject="some.library", modes=("eager", "jit")):
    survey = begin_survey(NAMES, 0, "quick", "numpy", "array-oracle coverage")
    found = Coverage(subject, modes, list(rows), 30, unfinished=1)
    survey["libraries"].append(describe_library(survey, found, examples or {}, "2026-01-01T00:00:00+00:00", 1.26))
    return survey


def test_the_data_of_a_library_have_the_form_of_a_survey():
    shown = [example(symptom=str(number)) for number in range(EXAMPLES + 1)]
    rows = [
        NameCoverage("sin", True, **{**ANSWERED, "differs": ("eager",)}),
        NameCoverage("cos", True, **SILENT),
        NameCoverage("tan"),
    ]
    survey = describe(*rows, examples={"sin": shown})
    data = json.loads(json.dumps(survey))
    assert not find_misfit(data, SURVEY)
    (row,) = data["libraries"]
    order = [list_names(data).index(name) for name in NAMES]
    assert [row["modes"]["eager"][index] for index in order] == [STATES["wrong"], STATES["refuses"], STATES["missing"]]
    assert [row["modes"]["jit"][index] for index in order] == [STATES["not judged"]] * 2 + [STATES["missing"]]
    assert {state: count for state, count in row["totals"].items() if count} == {"wrong": 1, "refuses": 1, "missing": 1}
    assert row["examples"]["sin"]["count"] == EXAMPLES + 1
    assert len(row["examples"]["sin"]["shown"]) == EXAMPLES
    assert row["refusals"] == {"cos": {"eager": "TypeError: no"}}
    assert (row["cases"], row["unfinished"], row["seconds"]) == (30, 1, 1.3)


def test_changes_are_names_in_another_state():
    agreeing = NameCoverage("sin", True, **ANSWERED)
    earlier = describe(agreeing, NameCoverage("cos"), NameCoverage("tan"))
    later = describe(NameCoverage("sin", True, **SILENT), NameCoverage("cos"), NameCoverage("tan"))
    assert find_changes(earlier, earlier) == {"some.library": ()}
    assert find_changes(earlier, later) == {"some.library": ("sin",)}
    assert find_changes(describe(*map(NameCoverage, NAMES), subject="another"), later) == {}
