from __future__ import annotations

import numpy as np
import pytest

from fuzz.generate.calls import draw_call, generated_names
from fuzz.generate.choices import SeedChoices
from fuzz.triage.structure import list_features, outline_case
from oracle import Case
from tests.tables import check_each, each_topic

ONES = np.ones(3)


@pytest.mark.parametrize(
    ("case", "outline"),
    [
        (Case("sum", (1.0,)), ""),
        (Case("sum", (ONES, 0)), "axis=number"),
        (Case("sum", (ONES,), {"axis": -1}), "axis=negative"),
        (Case("sum", (ONES, None)), ""),
        (Case("sum", (ONES, (0, -1))), "axis=(number, negative)"),
        (Case("sort", (np.ones((2, 0)), None)), "axis=None, empty, rank over 1"),
        (Case("nan_to_num", (np.array([np.nan]),), {"copy": 0}), "copy=False, nan"),
        (Case("pad", (ONES, 1, "wrap")), "mode='wrap'"),
        (Case("linalg.norm", (-1.5, np.inf)), "fractional, negative, ord=inf"),
        (Case("negative", (True,)), "bool"),
        (Case("nan_to_num", (1.0,), {"nan": ONES}), "nan=array"),
        (Case("pad", (ONES, 1), {"constant_values": (ONES, 0)}), "constant_values=(array, number)"),
        (Case("linalg.tensorsolve", (ONES, ONES), {"axes": (ONES,)}), "axes=(array)"),
        (Case("pad", (ONES, 1), {"mode": ONES}), "mode=array"),
        (Case("negative", (np.zeros(9),)), "over 8 elements"),
        (Case("add", (Case("sin", (1.0,)), 1.0)), "add(), sin()"),
    ],
    ids=str,
)
def test_a_structure_is_what_a_call_gives_beside_the_usual(case, outline):
    assert outline_case(case) == outline


def test_other_numbers_make_no_other_structure():
    cases = [Case("roll", (np.array(values), 1)) for values in ([0.0, 1.0], [1.0, 0.0], [-2.5, 7.0, 0.0])]
    assert len({outline_case(case) for case in cases}) == 1


def test_a_larger_case_has_the_features_of_a_smaller_one():
    small = list_features(Case("sum", (np.ones((1, 1)),), {"axis": 0}))
    assert small < list_features(Case("sum", (np.full((1, 1, 9), np.nan),), {"axis": 1, "keepdims": True}))


@each_topic(generated_names(), 150)
def test_every_drawn_call_has_a_structure(names):
    check_each(names, check_structure)


def check_structure(name):
    for seed in range(8):
        case = draw_call(SeedChoices(seed), name, hostile=seed % 4 == 3).case
        assert isinstance(outline_case(case), str)
        assert isinstance(list_features(Case.from_json(case.json())), frozenset)
