from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest

from fuzz.engine.drawing import draw
from fuzz.engine.rejections import Rejections
from fuzz.engine.scheduler import Schedule
from fuzz.generate.argument_coverage import list_forms
from oracle import Case

SEEN = [(0, {"a"}, True), (1, {"a", "axis"}, False), (2, {"a", "axis"}, False), (3, {"a", "axis", "dtype"}, False)]


def learn(seen):
    found = Rejections()
    for index, forms, answered in seen:
        found.learn(index, "mean", forms, answered=answered)
    return found


def test_what_is_rejected_wherever_it_is_given_is_known_in_any_order():
    for order in permutations(SEEN):
        found = learn(order)
        assert found.find("mean", 4) == {"axis"}
        assert found.find("mean", 2) == frozenset()  # the second rejection is not settled
        assert found.find("sum", 4) == frozenset()


def test_what_comes_with_a_rejected_form_is_not_blamed():
    """Two calls give an axis, but a list, too, as three others do."""
    seen = [(0, {"a", "a array"}, True), *((index, {"a", "a list"}, False) for index in (1, 2, 3))]
    seen += [(4, {"a", "a list", "axis"}, False), (5, {"a", "a list", "axis"}, False)]
    assert learn(seen).find("mean", 6) == {"a list"}
    seen += [(6, {"a", "a array", "axis"}, False), (7, {"a", "a array", "axis"}, False)]
    assert learn(seen).find("mean", 8) == {"a list", "axis"}


def test_nothing_is_known_of_a_name_that_never_answers():
    assert learn([(index, {"a"}, False) for index in range(9)]).find("mean", 9) == frozenset()


def test_forms_are_what_a_compiler_sees():
    case = Case("mean", (np.ones((2, 3), np.float32).T,), {"axis": 1, "keepdims": True, "dtype": None})
    assert list_forms(case) == {
        *("a", "a by position", "a array", "a array of float32", "a array of rank 2", "a not contiguous"),
        *("axis", "axis by keyword", "axis int", "axis no array"),
        *("dtype", "dtype by keyword", "dtype no array", "dtype value None"),
        *("keepdims", "keepdims by keyword", "keepdims no array", "keepdims value True"),
    }
    assert list_forms(Case("concatenate", ([np.ones(1)],), {})) >= {"arrays list", "arrays list of array of float64"}


@pytest.mark.parametrize("siblings", [4, 16], ids=["cheap", "compiled"])
def test_rejected_parameters_and_forms_are_seldom_drawn(siblings):
    """Of a name that takes contiguous arrays alone, and no axis: one item in sixteen tries the others."""
    schedule = Schedule(["mean"], ["eager"], 1, siblings=siblings)
    for index in range(512):
        item = schedule.item(index)
        forms = list_forms(draw(item, 0))
        schedule.learn_answers(item, forms, answered="a array" in forms and "axis" not in forms)
    later = [schedule.item(index) for index in range(512, 1024)]
    drawn = [list_forms(draw(item, 0)) for item in later]
    assert 0.85 < sum("axis" not in forms and "a array" in forms for forms in drawn) / len(drawn) < 1
