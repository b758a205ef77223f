"""What both sides gave, as plain data: elements, where they differ, and who agrees with whom."""

from __future__ import annotations

import json

import numpy as np
import pytest

from fuzz.triage import element_diff
from fuzz.triage.element_diff import SHOWN, describe_outputs, group_by_outcome
from oracle import Case, Deviation, Mode, Outcome, Verdict
from oracle.harness import Raised

CASE = Case("add", (1, 2))


def verdict(expected, **outcomes):
    differences = [
        Deviation("value", "", mode=Mode.parse(mode)) for mode, outcome in outcomes.items() if outcome.kind != "agrees"
    ]
    kept = {mode: expected if outcome.kind == "agrees" else outcome for mode, outcome in outcomes.items()}
    return Verdict(CASE, expected, {str(Mode.parse(mode)): outcome for mode, outcome in kept.items()}, differences)


AGREES = Outcome(kind="agrees")


def shown(expected, actual):
    found = describe_outputs(verdict(Outcome(expected), eager=Outcome(actual)), str(Mode.parse("eager")))
    assert json.loads(json.dumps(found)) == found
    return found["expected"], found["actual"]


def raised(message):
    return Outcome(error=Raised("ValueError", ("ValueError",), message), kind="error")


@pytest.mark.parametrize(
    ("one", "other", "differs"),
    [
        (np.array([0.0, 1.0, np.nan]), np.array([-0.0, 1.0, np.nan]), [0]),
        (np.array([[1, 2], [3, 4]]), np.array([[1, 0], [0, 4]]), [1, 2]),
        (np.array(["a", "b"]), np.array(["a", "c"]), [1]),
        (np.float64(0.5), np.array(0.25), [0]),
        (np.array([]), np.array([]), []),
    ],
)
def test_elements_that_are_not_the_same_are_marked_on_both_sides(one, other, differs):
    left, right = shown(one, other)
    assert left["differs"] == right["differs"] == differs
    assert left["shape"] == list(one.shape)
    assert len(left["elements"]) == one.size


def test_of_many_elements_those_around_the_first_difference_are_shown():
    one, other = np.arange(1000), np.arange(1000)
    other[500] = 7
    left, right = shown(one, other)
    assert left["start"] < 500 < left["start"] + len(left["elements"])
    assert (left["differs"], right["elements"][500 - right["start"]]) == ([500], "7")
    assert len(left["elements"]) == SHOWN
    assert left["size"] == 1000


def test_of_many_elements_those_after_the_first_difference_are_not_written(monkeypatch):
    written = []
    monkeypatch.setattr(element_diff, "format_object", lambda *value: written.append(value) or str(value[0]))
    one, other = np.zeros(100_000), np.ones(100_000)
    left, _ = shown(one, other)
    assert left["differs"] == list(range(SHOWN))
    assert len(written) <= 4 * SHOWN


def test_containers_are_told_apart_and_looked_into():
    left, right = shown((np.zeros(1), np.ones(1)), [np.zeros(1), np.zeros(1)])
    assert (left["form"], right["form"]) == ("tuple", "list")
    assert right["items"][1]["elements"] == ["0.0"]
    left, right = shown({"a": np.zeros(1)}, {"a": np.ones(1)})
    assert left["items"] == [left["items"][0]]
    assert (left["items"][0]["key"], right["items"][0]["differs"]) == ("a", [0])


def test_objects_errors_and_deaths_are_text():
    left, right = shown(True, np.dtype("int8"))
    assert (left, right) == ({"form": "object", "text": "True"}, {"form": "object", "text": "dtype('int8')"})
    found = describe_outputs(verdict(Outcome(np.zeros(2)), eager=raised("no")), str(Mode.parse("eager")))
    assert found["actual"] == {"form": "error", "text": "ValueError: no"}
    assert found["expected"]["elements"] == ["0.0", "0.0"]


def test_what_was_written_to_is_part_of_the_output():
    left, _ = shown(np.zeros(1), np.zeros(1))
    expected, actual = Outcome(1, after=(np.zeros(1),)), Outcome(1, after=(np.ones(1),))
    found = describe_outputs(verdict(expected, eager=actual), str(Mode.parse("eager")))
    assert found["actual"]["items"][1]["differs"] == [0]
    assert left["form"] == "array"


def test_modes_are_grouped_by_what_they_answered():
    same = {"eager": Outcome(np.ones(2)), "graph": Outcome(np.ones(2))}
    assert group_by_outcome(verdict(Outcome(np.zeros(2)), **same, xla=AGREES)) == [["NumPy", "xla"], ["eager", "graph"]]
    others = {"eager": Outcome(np.ones(2)), "graph": Outcome(np.ones(2, np.float32)), "xla": raised("no")}
    assert group_by_outcome(verdict(Outcome(np.zeros(2)), **others)) == [["NumPy"], ["eager"], ["graph"], ["xla"]]
    assert group_by_outcome(verdict(Outcome(1), eager=raised("no"), graph=raised("never"))) == [
        ["NumPy"],
        ["eager", "graph"],
    ]


class Opaque:
    def __array__(self, dtype=None, copy=None):
        raise RuntimeError("no dense array is made of this")


def test_an_object_that_refuses_to_be_an_array_is_told_by_its_class():
    left, right = shown(np.array([0.0]), Opaque())
    assert (left["form"], right["form"]) == ("array", "object")
    answers = {"eager": Outcome(Opaque()), "graph": Outcome(Opaque()), "xla": Outcome(0.5)}
    assert group_by_outcome(verdict(Outcome(1.0), **answers)) == [["NumPy"], ["eager", "graph"], ["xla"]]
