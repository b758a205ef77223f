"""Every source of choices keeps its promises: bounds, replay, independence of the two streams, shrinking."""

from __future__ import annotations

import math

import pytest
from hypothesis import find, settings
from hypothesis.strategies import composite

from fuzz.choices import HypothesisChoices, RecordedChoices, Recording, SeedChoices


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


def test_seeds_differ():
    assert len({str(decisions(SeedChoices(seed))) for seed in range(50)}) == 50


@pytest.mark.parametrize("seed", range(20))
def test_a_recording_replays(seed):
    recording = Recording(SeedChoices(seed, seed + 1))
    made = decisions(recording)
    assert decisions(RecordedChoices(recording.made, recording.values.made)) == made
    assert made == decisions(SeedChoices(seed, seed + 1))


def test_any_list_of_numbers_is_a_recording():
    choices = RecordedChoices([10**9, -(10**9), 3.7])
    assert choices.integer(0, 5) == 5
    assert choices.pick("abc") == "a"
    assert choices.integer(0, 9) == 3
    assert [choices.integer(2, 9), choices.flag(), choices.pick("xy"), choices.floats()] == [2, False, "x", 0.0]


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


def test_hypothesis_shrinks_to_the_simplest():
    simplest = find(drawn(), lambda made: True, settings=settings(database=None, derandomize=True))
    assert simplest == [0, 0, False, False, "a", *[0] * 7, "0.0", *[0] * 5, 1]
