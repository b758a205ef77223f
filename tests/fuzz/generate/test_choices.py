"""Every source of choices keeps its promises: bounds, independence of the two streams, shrinking."""

from __future__ import annotations

import math

import pytest
from hypothesis import find, settings
from hypothesis.strategies import composite

from fuzz.generate.choices import HypothesisChoices, SeedChoices, SequenceChoices


def decisions(choices):
    """A little of everything."""
    return [
        choices.integer(-5, 5),
        choices.integer(0, 2**200),
        choices.flag(),
        choices.flag(0.02),
        choices.pick("abcdef"),
        *choices.picks(range(100), 7),
        repr(choices.floats()),
        *choices.values.picks(range(1000), 5),
        choices.values.integer(1, 6),
    ]


@composite
def drawn(draw):
    return decisions(HypothesisChoices(draw))


def test_equal_seeds_choose_equally():
    assert decisions(SeedChoices(7, 3)) == decisions(SeedChoices(7, 3))


def test_siblings_share_all_but_values():
    one, other = decisions(SeedChoices(7, 0)), decisions(SeedChoices(7, 1))
    assert one[:-6] == other[:-6]
    assert one[-6:] != other[-6:]


def test_any_list_is_a_sequence():
    choices = SequenceChoices([10**9, -(10**9), 3, 2.5, 1])
    assert choices.integer(0, 5) == 0
    assert choices.pick("abc") == "a"
    assert [choices.integer(0, 9), choices.floats(), choices.integer(2, 9)] == [3, 2.5, 2]
    assert [choices.integer(-9, -2), choices.integer(2, 9), choices.flag(), choices.floats()] == [-2, 2, False, 0.0]


def test_siblings_of_what_hypothesis_drew_share_the_structure():
    sequence = [0, *[0] * 11, 0.0, 0, 77, *[0] * 12]
    one, other = decisions(SequenceChoices(sequence)), decisions(SequenceChoices(sequence, 1))
    assert one[:-6] == other[:-6]
    assert one[-6:-1] != other[-6:-1]
    assert one[-1] == other[-1]


def test_integers_keep_their_bounds():
    choices = SeedChoices(0)
    assert {choices.integer(-1, 1) for _ in range(100)} == {-1, 0, 1}
    assert all(0 <= choices.integer(0, 2**64) <= 2**64 for _ in range(100))


def test_flags_come_about_as_often_as_asked():
    choices = SeedChoices(1)
    assert 60 < sum(choices.flag(0.1) for _ in range(1000)) < 150


def test_every_kind_of_float_comes():
    choices = SeedChoices(2)
    found = [choices.floats() for _ in range(5000)]
    assert any(math.isnan(value) for value in found)
    assert any(abs(value) > 1e300 for value in found)
    assert any(0 < abs(value) < 1e-300 for value in found)


@pytest.mark.full
def test_hypothesis_shrinks_to_the_simplest():
    simplest = find(drawn(), lambda made: True, settings=settings(database=None, derandomize=True))
    assert simplest == [0, 0, False, False, "a", *[0] * 7, "0.0", *[0] * 5, 1]
