"""Examples of differences: the worst of each name reduced, and both answers as texts."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from fuzz.coverage import QUICK, CoverageSource, NameCoverage, find_examples, survey
from fuzz.coverage.minimal_examples import LONGEST, describe_answers, format_answer, shorten
from fuzz.differences import Difference
from fuzz.engine.tasks import make_differences
from oracle import Case, judge, load_subject
from oracle.harness import Sandbox
from tests.fuzz.inline import InlineSandbox

LIBRARY = "tests.fuzz.small_library"
ARGUMENTS = {"subject": LIBRARY, "devices": ("CPU:0",), "names": ()}
TASKS = "fuzz.engine.tasks"


def find(names, sandbox):
    found = survey(sandbox, LIBRARY, ("eager",), QUICK, CoverageSource(seed=0), names=names)
    return found, find_examples(sandbox, found)


@pytest.fixture(scope="module")
def examples():
    with InlineSandbox(2, f"{TASKS}:prepare", ARGUMENTS, start=f"{TASKS}:start") as sandbox:
        return find(("median", "roll", "tile"), sandbox)[1]


def test_the_worst_difference_of_a_name_is_reduced(examples):
    assert sorted(examples) == ["median", "roll"]
    worst = examples["roll"][0]
    assert (worst.difference.kind, worst.call_class, worst.is_reduced) == ("value", "ordinary", True)
    assert worst.difference.minimal.arrays()[0].size <= 3
    assert [one.severity for one in examples["roll"]] == sorted(one.severity for one in examples["roll"])
    data = worst.data()
    assert json.loads(json.dumps(data)) == data
    assert data["call"].startswith("np.roll(")
    assert data["expected"] != data["actual"]


def difference(name, *args):
    return make_differences(judge(Case(name, args), ["eager"], load_subject(LIBRARY)))[0]


def test_a_difference_that_does_not_recur_is_left_out():
    right = Case("roll", (np.arange(3.0), 1))
    gone = replace(difference("roll", np.arange(3.0), -1), case=right.json())
    row = NameCoverage("roll", True, differences={(gone.kind, gone.symptom): gone})
    with InlineSandbox(1, f"{TASKS}:prepare", ARGUMENTS, start=f"{TASKS}:start") as sandbox:
        found, _ = find(("tile",), sandbox)
        assert find_examples(sandbox, replace(found, rows=[row])) == {"roll": []}


def test_without_time_examples_stay_as_they_were_drawn():
    drawn = difference("roll", np.arange(9.0), -1)
    row = NameCoverage("roll", True, differences={(drawn.kind, drawn.symptom): drawn})
    with InlineSandbox(1, f"{TASKS}:prepare", ARGUMENTS, start=f"{TASKS}:start") as sandbox:
        found, _ = find(("tile",), sandbox)
        (one,) = find_examples(sandbox, replace(found, rows=[row]), lambda: True)["roll"]
    assert (one.difference, one.is_reduced) == (drawn, False)


@pytest.mark.full
def test_a_call_that_ends_its_process_is_reduced_in_others(tmp_path, monkeypatch):
    (tmp_path / "dying.py").write_text(
        "import os, numpy as np\n\ndef roll(a, shift, axis=None):\n"
        "    if np.size(a) > 2:\n        os.abort()\n    return np.roll(a, shift, axis)\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    case = Case("roll", (np.arange(12.0).reshape(3, 4), 2), {"axis": 1})
    death = Difference(0, 0, "roll", "crash", ("eager",), "float", "SIGABRT", case.json(), fatal=True)
    row = NameCoverage("roll", True, differences={("crash", ""): death})
    with Sandbox(
        1, f"{TASKS}:prepare", {**ARGUMENTS, "subject": "dying"}, start=f"{TASKS}:start", modules=()
    ) as sandbox:
        found = survey(sandbox, "dying", ("eager",), QUICK, CoverageSource(seed=0), names=("tile",))
        (one,) = find_examples(sandbox, replace(found, rows=[row]))["roll"]
    assert one.is_reduced
    assert one.difference.minimal.arrays()[0].size == 3
    assert "axis" not in one.difference.minimal.kwargs


@pytest.mark.parametrize(
    ("form", "text"),
    [
        ({"form": "scalar", "dtype": "int64", "shape": [], "start": 0, "size": 1, "elements": ["2"]}, "2 int64"),
        (
            {"form": "array", "dtype": "float64", "shape": [2], "start": 0, "size": 2, "elements": ["1.0", "nan"]},
            "[1.0, nan] float64",
        ),
        (
            {"form": "array", "dtype": "bool", "shape": [0, 3], "start": 0, "size": 0, "elements": []},
            "[] bool of shape (0, 3)",
        ),
        (
            {
                "form": "array",
                "dtype": "int8",
                "shape": [40],
                "start": 0,
                "size": 40,
                "differs": [20],
                "elements": [str(number) for number in range(40)],
            },
            "[..., 18, 19, 20, 21, 22, 23, 24, 25, ...] int8",
        ),
        ({"form": "tuple", "items": [{"form": "object", "text": "1"}, {"form": "object", "text": "'a'"}]}, "(1, 'a')"),
        ({"form": "dict", "items": [{"key": "k", "form": "object", "text": "1"}]}, "{k: 1}"),
        ({"form": "error", "text": "TypeError: no"}, "TypeError: no"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_an_answer_is_a_text(form, text):
    assert format_answer(form) == text


def test_answers_without_outputs_are_those_of_the_detail():
    told = Difference(0, 0, "sin", "value", ("eager",), "float", "at [0] expected 1.0, got 2.0", "{}")
    assert describe_answers(told) == ("1.0", "2.0")
    dead = replace(told, kind="crash", detail="SIGSEGV")
    assert describe_answers(dead) == ("", "SIGSEGV")
    assert describe_answers(replace(dead, detail="")) == ("", "crash")


def test_texts_are_one_line_of_limited_length():
    assert shorten("a\n\x1b[31mb") == "a \\x1b[31mb"
    assert len(shorten("x" * 1000)) == LONGEST
