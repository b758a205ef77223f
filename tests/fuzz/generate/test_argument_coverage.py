"""The depth of calls: which parameter was given what, and how often."""

from __future__ import annotations

import math

import numpy as np
import pytest

from fuzz.generate.argument_coverage import (
    BROADCASTS,
    BY_KEYWORD,
    BY_POSITION,
    OMITTED,
    RESULT,
    VARIED,
    ArgumentCounts,
    bind,
    classify,
    classify_answered,
)
from oracle import Case


def test_arguments_are_bound_by_position_and_by_keyword():
    bound = bind(Case("sum", (np.ones(3), 0), {"keepdims": True}))
    assert {name: argument.way for name, argument in bound.items()} == {
        "a": BY_POSITION,
        "axis": BY_POSITION,
        "keepdims": BY_KEYWORD,
    }


def test_any_number_of_arguments_are_one_parameters():
    found = classify(Case("meshgrid", (np.ones(3), np.array([math.nan])), {"indexing": "ij"}))
    assert {"nan", "2 to 8 elements", "one element"} <= found["xi"]
    assert found["indexing"] == {BY_KEYWORD, "value 'ij'"}


def test_an_attribute_belongs_to_an_array():
    assert "rank 2" in classify(Case("ndarray.T", (np.ones((2, 3)),)))["self"]


def test_keywords_that_are_not_named_have_a_parameter():
    assert "Python float" in classify(Case("pad", (np.ones(3), 1), {"constant_values": 2.5}))["kwargs"]


def test_what_is_smaller_than_the_rest_broadcasts():
    found = classify(Case("add", (np.ones((2, 3)), np.ones(3))))
    assert BROADCASTS in found["x2"]
    assert BROADCASTS not in found["x1"]


def test_arrays_in_a_list_are_looked_at():
    assert {"list", "infinity"} <= classify(Case("concatenate", ([np.array([math.inf]), np.ones(2)],)))["arrays"]


@pytest.mark.parametrize(
    ("q", "classes"),
    [(0.5, {"an exact position"}), (0.3, set()), (1.0, {"an end"}), ([0.0, 0.25], {"an end", "an exact position"})],
)
def test_positions_of_quantiles(q, classes):
    found = classify(Case("quantile", (np.arange(5.0), q)))["q"]
    assert found & {"an end", "an exact position"} == classes


def test_random_results_are_looked_at():
    case = Case("random.normal", (), {"size": 9})
    assert classify_answered(case, np.arange(9.0))[RESULT] == {VARIED}
    assert VARIED not in classify_answered(case, np.ones(9))[RESULT]
    assert RESULT not in classify_answered(Case("sum", (np.ones(3),)), np.ones(9))


def test_shares_are_of_the_calls_that_give_a_parameter():
    depth = ArgumentCounts()
    depth.add(classify(Case("sum", (np.ones(3),), {"axis": 0})))
    depth.add(classify(Case("sum", (np.array([math.nan]),))))
    shares = depth.data()["parameters"]
    assert depth.data()["calls"] == 2
    assert (shares["a"]["nan"], shares["a"][OMITTED]) == (0.5, 0.0)
    assert (shares["axis"][BY_KEYWORD], shares["axis"][OMITTED]) == (1.0, 0.5)
