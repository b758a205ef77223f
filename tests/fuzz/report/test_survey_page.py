"""The page of a survey: whole without a network, and texts of libraries are data in it."""

from __future__ import annotations

import json
import re

from fuzz.coverage import STATES, Coverage, NameCoverage, begin_survey, describe_library
from fuzz.coverage.minimal_examples import MinimalExample
from fuzz.differences import Difference
from fuzz.report import render_survey
from oracle import Case

HOSTILE = "</script><script>alert(1)</script><img src=x onerror=alert(2)>"


def make_survey():
    survey = begin_survey(("sin", "cos"), 0, "quick", "numpy", f"array-oracle {HOSTILE}")
    found = Difference(
        0, 0, "sin", "value", ("eager",), "float", f"expected 1, got {HOSTILE}", Case("sin", (1,)).json()
    )
    rows = [
        NameCoverage("sin", True, valid=1, runs={"eager": 1}, differs=("eager",)),
        NameCoverage("cos", True, asked={"eager": 9}, unanswered={"eager": HOSTILE}),
    ]
    own = describe_library(
        survey,
        Coverage("some.library", ("eager",), rows),
        {"sin": [MinimalExample(found, "ordinary")]},
        "2026-01-01",
        1.0,
    )
    failed = {**own, "subject": "another", "error": HOSTILE}
    survey["libraries"] += [{**own, "versions": {"numpy": HOSTILE}}, failed]
    return survey


def test_texts_of_libraries_are_no_part_of_the_page():
    page = render_survey(make_survey())
    assert "<script>alert" not in page
    assert "<img" not in page
    assert page.count("<script") == page.count("</script>") == 2
    assert not re.search(r"""(?:src|href)=["']?(?:https?:)?//""", page)


def test_the_data_have_every_name_and_no_encoded_case():
    page = render_survey(make_survey())
    data = json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)[1])
    assert data["states"] == dict(STATES)
    (row,) = data["libraries"]
    assert sorted(name for _, names in data["topics"] for name in names) == ["cos", "sin"]
    assert len(row["modes"]["eager"]) == 2
    (shown,) = row["examples"]["sin"]["shown"]
    assert "case" not in shown
    assert HOSTILE in shown["actual"]
    assert row["refusals"]["cos"]["eager"] == HOSTILE


def test_of_errors_one_example_is_enough():
    survey = make_survey()
    found = survey["libraries"][0]["examples"]["sin"]
    value = found["shown"][0]
    error = {**value, "kind": "spurious error", "symptom": HOSTILE}
    found["shown"] = [value, {**value, "symptom": "nan lost"}, error]
    assert [one["kind"] for one in read_examples(survey)] == ["value", "value"]
    found["shown"] = [error, error]
    (shown,) = read_examples(survey)
    assert "symptom" not in shown


def read_examples(survey):
    data = json.loads(re.search(r'id="data">(.*?)</script>', render_survey(survey), re.DOTALL)[1])
    return data["libraries"][0]["examples"]["sin"]["shown"]
