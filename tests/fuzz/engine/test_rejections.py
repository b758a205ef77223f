from __future__ import annotations

import json
from itertools import permutations

from fuzz.engine.rejections import ENOUGH, FORM, Rejections
from fuzz.engine.scheduler import Schedule
from fuzz.triage.untrusted_input import find_misfit

SEEN = [(0, {"a"}, True), (1, {"a", "axis"}, False), (2, {"a", "axis"}, False), (3, {"a", "axis", "dtype"}, False)]


def learn(seen):
    found = Rejections()
    for index, given, answered in seen:
        found.learn(index, "mean", given, answered=answered)
    return found


def test_what_is_refused_wherever_it_is_given_is_known_in_any_order():
    for order in permutations(SEEN):
        found = learn(order)
        assert found.find("mean", 4) == {"axis"}
        assert found.find("mean", 3) == frozenset()  # the third rejection is not settled
        assert found.find("sum", 4) == frozenset()


def test_a_parameter_that_is_taken_once_is_not_refused():
    assert learn([*SEEN, (9, {"a", "axis"}, True)]).find("mean", 9) == {"axis"}
    assert learn([*SEEN, (9, {"a", "axis"}, True)]).find("mean", 10) == frozenset()


def test_nothing_is_known_of_a_name_that_never_answers():
    assert learn([(index, {"a"}, False) for index in range(9)]).find("mean", 9) == frozenset()


def test_what_is_known_survives_a_run():
    found = learn(SEEN)
    data = json.loads(json.dumps(found.data()))
    assert not find_misfit(data, FORM)
    again = Rejections()
    again.restore(data)
    assert again.find("mean", 4) == {"axis"}


def test_refused_parameters_are_seldom_given():
    schedule = Schedule(["mean"], ["eager"], 1)
    items = [schedule.item(index) for index in range(ENOUGH + 1)]
    for item in items:
        schedule.learn_answers(item, frozenset({"a"} if item is items[0] else {"a", "axis"}), answered=item is items[0])
    later = [schedule.item(index) for index in range(2 * schedule.epoch, 3 * schedule.epoch)]
    assert 0.85 < sum("axis" in item.without for item in later) / len(later) < 1
