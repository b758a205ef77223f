"""Pairs of options: which there are, and that every one of them comes where calls have turns."""

from __future__ import annotations

from collections import Counter

import pytest

from fuzz.generate.call_classes import EDGE, ORDINARY
from fuzz.generate.calls import draw_call, find_plan
from fuzz.generate.choices import SeedChoices
from fuzz.generate.option_pairs import list_options, list_pairs
from fuzz.generate.signatures import given
from oracle import run_numpy


def test_pairs_are_of_optional_parameters_and_all_their_options():
    plan = find_plan("quantile")
    pairs = list_pairs(plan)
    named = {tuple(sorted(pair)) for pair in pairs}
    assert ("axis", "keepdims") in named
    assert all("a" not in pair and "q" not in pair for pair in pairs)
    sides = {pair["side"] for pair in list_pairs(find_plan("searchsorted")) if "side" in pair}
    options = list_options(find_plan("searchsorted").slots["side"])
    assert {options[side] for side in sides} == {"left", "right"}
    assert list_pairs(plan) == pairs


@pytest.mark.parametrize("name", ["sum", "quantile", "stack", "eye", "histogram", "linalg.pinv", "unique"])
def test_each_pair_has_its_turn(name):
    plan = find_plan(name)
    pairs = list_pairs(plan)
    shown = Counter()
    for turn in range(2 * len(pairs)):
        call = draw_call(SeedChoices(turn), name, turn=turn)
        if turn % 2:
            assert call.call_class in (ORDINARY, EDGE)
            shown[run_numpy(call.case).ok and set(pairs[turn // 2]) <= given(call.case)] += 1
    assert shown[True] > 0.4 * len(pairs), shown  # some options exclude one another


def test_an_option_that_is_asked_for_is_given():
    plan = find_plan("searchsorted")
    options = list_options(plan.slots["side"])
    for turn, pair in enumerate(list_pairs(plan)):
        if "side" in pair:
            call = draw_call(SeedChoices(turn), "searchsorted", turn=2 * turn + 1)
            assert call.case.kwargs.get("side", "") in ("", options[pair["side"]])


def test_ufuncs_have_pairs_of_keywords():
    together = Counter()
    for turn in range(400):
        case = draw_call(SeedChoices(turn), "add", turn=turn).case
        together["out" in case.kwargs and "where" in case.kwargs] += 1
    assert together[True] > 5
