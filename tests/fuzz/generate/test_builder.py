"""A draft draws what is asked for when it is asked for, misses once, and says when strategies wait for one another."""

from __future__ import annotations

import inspect

import numpy as np
import pytest

from fuzz.generate.builder import OMITTED, Draft, always
from fuzz.generate.calls import plan_of
from fuzz.generate.choices import SeedChoices
from fuzz.generate.scalars import literal, together


def plan(function, **line):
    return plan_of(function.__name__, function, line)


def roll(a, shift, axis=None):
    return np.roll(a, shift, axis)


def test_arguments_may_be_asked_for_out_of_order():
    asked = []

    def shift(draft):
        asked.append(draft["axis"])
        return 1

    case = Draft(SeedChoices(0), plan(roll, shift=shift, axis=always(literal(0)))).case()
    assert asked == [0]
    assert list(inspect.signature(roll).bind(*case.args, **case.kwargs).arguments) == ["a", "shift", "axis"]


def test_what_is_left_out_has_its_default():
    draft = Draft(SeedChoices(0), plan(roll, axis=always(lambda draft: OMITTED)))
    assert draft["axis"] is None
    assert draft.omits("axis")


def test_a_word_may_follow_another():
    def pair(x=None, y=None):
        return x, y

    for seed in range(50):
        draft = Draft(SeedChoices(seed), plan(pair, x=literal(1), y=together("x", literal(2))))
        assert draft.omits("x") == draft.omits("y")


def test_words_that_wait_for_one_another_are_refused():
    line = {"a": lambda draft: draft["shift"], "shift": lambda draft: draft["a"]}
    with pytest.raises(RuntimeError, match="is needed to draw"):
        Draft(SeedChoices(0), plan(roll, **line)).case()


def test_one_argument_is_invalid():
    missed = []

    def strategy(draft):
        missed.append((draft.should_be_invalid(), draft.should_be_invalid()))
        return 0

    Draft(SeedChoices(0), plan(roll, shift=strategy), invalid="shift").case()
    Draft(SeedChoices(0), plan(roll, shift=strategy), invalid="a").case()
    assert missed == [(True, False), (False, False)]


def test_a_fault_is_planted_only_by_a_strategy_that_has_one():
    draft = Draft(SeedChoices(0), plan(roll, shift=lambda draft: 7), invalid="shift")
    assert draft["shift"] == 7
    assert draft.fault is None


def test_a_word_must_cope_with_what_is_right():
    def fails(draft):
        raise ValueError("strategy")

    with pytest.raises(ValueError, match="strategy"):
        Draft(SeedChoices(0), plan(roll, shift=fails)).case()


def test_answers_know_the_arguments_but_not_their_contents():
    draft = Draft(SeedChoices(3), plan(np.sum, a=lambda draft: np.ones((2, 3), np.int8), axis=always(literal(0))))
    for name in ("a", "axis"):
        draft[name]
    answer = draft.answer()
    assert (answer.shape, answer.dtype) == ((3,), np.int64)
    assert not answer.any()
