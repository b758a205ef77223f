from __future__ import annotations

import pytest

from fuzz.releases.bisection import RIGHT, UNKNOWN, WRONG, bisect

RELEASES = [f"1.{number}" for number in range(32)]


class Trials:
    """The result of each release, and which were tried."""

    def __init__(self, is_wrong, unknown=()):
        self.is_wrong, self.unknown, self.tried = is_wrong, unknown, []

    def look(self, release):
        self.tried.append(release)
        number = RELEASES.index(release)
        return UNKNOWN if number in self.unknown else WRONG if self.is_wrong(number) else RIGHT


@pytest.mark.parametrize("first", [1, 2, 15, 16, 31])
def test_the_first_wrong_release_is_found_in_few_trials(first):
    trials = Trials(lambda number: number >= first)
    assert bisect(RELEASES, trials.look) == f"1.{first - 1} right, 1.{first} wrong"
    assert len(trials.tried) <= 7


def test_known_ends_are_not_tried():
    trials = Trials(lambda number: number >= 9)
    assert bisect(RELEASES[4:13], trials.look, {"1.4": RIGHT, "1.12": WRONG}) == "1.8 right, 1.9 wrong"
    assert not {"1.4", "1.12"} & {*trials.tried}
    assert {RELEASES.index(release) for release in trials.tried} <= {*range(5, 12)}


def test_a_finding_that_was_always_there_is_never_right():
    assert bisect(RELEASES, Trials(lambda number: True).look) == "wrong in every release tried, 1.0 to 1.31"
    assert bisect(RELEASES, Trials(lambda number: False).look) == "right in every release tried, 1.0 to 1.31"


def test_releases_that_do_not_tell_are_passed_over():
    trials = Trials(lambda number: number >= 16, unknown={0, 1, 14, 15, 16, 31})
    assert bisect(RELEASES, trials.look) == "1.13 right, 1.17 wrong"
    assert bisect(RELEASES[:3], Trials(lambda number: True, unknown={0, 1, 2}).look) == "no release could be tried"
