from __future__ import annotations

import json
from collections import Counter

import pytest

from fuzz.engine.drawing import draw
from fuzz.engine.scheduler import (
    ALONE,
    ALONE_COMPILED,
    EPOCH,
    FEW,
    FEW_COMPILED,
    MOST_CRASHES,
    SIBLINGS,
    ItemStream,
    Schedule,
)
from oracle.harness import find_mode, has_slope

NAMES = [f"name{number}" for number in range(10)]
MODES = ("eager", "graph", "xla")


def items(schedule, count, **options):
    return taken(ItemStream(schedule, **options), count)


def taken(stream, count, consumed=None):
    """What lease after lease holds, until there are so many items or no more."""
    found = []
    while len(found) < count and (more := stream.take(count - len(found), consumed)):
        found += more
    return found


def test_an_item_is_a_function_of_seed_and_index():
    forth, back = Schedule(NAMES, MODES, 7), Schedule(NAMES[::-1], MODES[::-1], 7)
    assert [forth.item(i) for i in range(50)] == [back.item(i) for i in reversed(range(50))][::-1]
    assert forth.item(3) != Schedule(NAMES, MODES, 8).item(3)


def test_every_name_has_its_turn_before_any_has_another():
    for turn in range(3):
        names = [item.name for item in items(Schedule(NAMES, MODES, 1), 30)[turn * 10 : turn * 10 + 10]]
        assert sorted(names) == sorted(NAMES)


def test_dear_modes_have_fewer_turns_and_every_compiled_function_several_siblings():
    """But for the first turns, in which new structures come before further values."""
    first = ALONE * len(NAMES)
    runs = [(item.index, *run) for item in items(Schedule(NAMES, MODES, 1), 3000) for run in item.runs]
    turns = Counter(mode for _, mode, _ in runs)
    assert turns["eager"] > turns["graph"] > turns["xla"] > 0
    assert all(siblings == (1 if index < first else SIBLINGS) for index, _, siblings in runs)


def test_modes_that_are_asked_for_run_in_every_item():
    assert all(dict(item.runs).keys() == set(MODES) for item in items(Schedule(NAMES, MODES, 1, turns="every"), 50))


def test_a_run_of_few_names_gives_dear_modes_a_turn_in_the_root_of_their_cost():
    modes = ("eager", "graph", "xla", "saved")
    assert Schedule(NAMES, modes, 1, turns="root").turns() == {"eager": 1, "graph": 2, "xla": 4, "saved": 8}
    assert Schedule(NAMES, modes, 1).turns() == {"eager": 1, "graph": 5, "xla": 18, "saved": 2 * 60}


def test_dear_modes_begin_when_every_name_has_had_a_few_turns_in_the_others():
    schedule = Schedule(NAMES, ("eager", "graph", "variables", "gradient"), 1)
    first = {}
    for item in items(schedule, 100 * len(NAMES)):
        for mode, _ in item.runs:
            first.setdefault(mode, item.index // len(NAMES))
    assert first["eager"] == 0
    assert first["graph"] < find_mode("variables").late <= min(first["variables"], first["gradient"])
    for turns in ("root", "every"):
        asked = Schedule(NAMES, ("eager", "variables"), 1, turns=turns)
        assert any(dict(item.runs).get("variables") for item in items(asked, len(NAMES)))


@pytest.mark.parametrize("count", [1, 4, 64])
def test_new_structures_come_before_many_values_of_each(count):
    schedule = Schedule(NAMES, ("eager",), 1, siblings=count)
    drawn = [item.siblings for item in items(schedule, 110 * len(NAMES))]
    turns = [set(drawn[i : i + len(NAMES)]) for i in range(0, len(drawn), len(NAMES))]
    small = [FEW_COMPILED] * FEW if count > SIBLINGS else [1] * ALONE + [count] * (FEW - ALONE)
    assert turns == [{one} for one in small] + [{count}] * 10
    for index in (0, 1, len(NAMES), 9 * len(NAMES) + 3, 33 * len(NAMES) + 2, 105 * len(NAMES) + 1):
        assert schedule.count_cases(index) == sum(drawn[:index])


def test_every_second_call_gives_the_pair_of_options_whose_turn_it_is():
    schedule = Schedule(["std"], ["eager"], 1)
    turns = [item.turn for item in items(schedule, 400)]
    given = [turn // 2 for turn in turns if turn is not None]
    assert 150 < len(given) < 250
    assert given == sorted(set(given))
    assert max(given) > 390
    for other in (
        Schedule(["std"], ["eager"], 1, engine="hypothesis"),
        Schedule(["std"], ["eager"], 1, calls="invalid"),
    ):
        assert {item.turn for item in items(other, 50)} == {None}


def test_each_name_meets_each_mode_equally_often():
    turns = Counter((item.name, mode) for item in items(Schedule(NAMES, MODES, 1), 3000) for mode, _ in item.runs)
    for mode in MODES:
        often = [turns[name, mode] for name in NAMES]
        assert 0 < min(often) >= max(often) - 1


def test_the_only_mode_runs_every_time():
    assert all(item.runs for item in items(Schedule(NAMES, ("xla",), 1), 20))
    assert all("xla@GPU:0" in dict(item.runs) for item in items(Schedule(NAMES, ("xla@GPU:0",), 1), 20))


def test_cases_are_counted_to_the_last():
    found = items(Schedule(NAMES, MODES, 1), 1000, cases=83)
    assert sum(item.siblings for item in found) == 83
    assert all(siblings <= item.siblings for item in found for _, siblings in item.runs)


def test_shards_share_what_one_run_would_do():
    whole = items(Schedule(NAMES, MODES, 1), 1000, cases=500)
    parts = [items(Schedule(NAMES, MODES, 1), 1000, cases=500, shard=(part, 3)) for part in (1, 2, 3)]
    assert sorted((item for part in parts for item in part), key=lambda item: item.index) == whole
    assert all(parts)


def test_a_feed_waits_for_what_may_change_its_items():
    schedule = Schedule(NAMES, MODES, 1)
    stream = ItemStream(schedule)
    first = taken(stream, 10_000, consumed=0)
    assert len(first) == 2 * EPOCH
    assert stream.take(1, consumed=EPOCH - 1) == []
    assert len(taken(stream, 10_000, consumed=EPOCH)) == EPOCH


def test_what_is_new_or_deadly_goes_alone():
    schedule = Schedule(NAMES, MODES, 1)
    stream = ItemStream(schedule)
    assert [len(stream.take(64, None)) for _ in NAMES] == [1] * len(NAMES)
    assert len(stream.take(64, None)) == 64
    schedule.learn_death(0, schedule.item(4).name, "eager")
    assert [len(stream.take(64, None)) for _ in range(4)] == [1, 9, 1, 9]


def test_a_name_is_left_alone_in_a_mode_it_died_in_from_the_epoch_after_the_next():
    schedule = Schedule(NAMES, ("eager",), 1)
    name = schedule.item(0).name
    before = [schedule.item(index) for index in range(2 * EPOCH)]
    for _ in range(MOST_CRASHES):
        schedule.learn_death(0, name, "eager")
    assert [schedule.item(index) for index in range(2 * EPOCH)] == before
    later = [schedule.item(index) for index in range(2 * EPOCH, 3 * EPOCH)]
    assert {bool(item.runs) for item in later if item.name == name} == {False}
    assert {bool(item.runs) for item in later if item.name != name} == {True}


def test_a_parameter_that_a_subject_lacks_is_seldom_passed_from_the_epoch_after_the_next():
    schedule = Schedule(NAMES, ("eager",), 1)
    name = schedule.item(0).name
    schedule.learn_lack(0, name, "out")
    early = [schedule.item(index) for index in range(2 * EPOCH)]
    later = [schedule.item(index) for index in range(2 * EPOCH, 12 * EPOCH)]
    assert {item.without for item in early} == {frozenset()}
    assert {item.without for item in later if item.name != name} == {frozenset()}
    passed = [not item.without for item in later if item.name == name]
    assert 0 < sum(passed) < len(passed) / 4


def test_every_second_turn_goes_where_something_new_was_seen():
    schedule = Schedule(NAMES, MODES, 1)
    early = [schedule.item(index) for index in range(EPOCH)]
    for item in early:
        schedule.learn_novelty(item, 50 if item.name == NAMES[0] else 1)
    assert [schedule.item(index) for index in range(EPOCH)] == early
    later = Counter(schedule.item(index).name for index in range(2 * EPOCH, 12 * EPOCH))
    assert later[NAMES[0]] > 4 * max(later[name] for name in NAMES[1:])
    assert min(later.values()) > 10 * EPOCH / 2 / len(NAMES)
    due = Counter(
        (item.name, mode) for item in map(schedule.item, range(2 * EPOCH, 12 * EPOCH)) for mode, _ in item.runs
    )
    assert all(due[name, mode] for name in NAMES for mode in MODES)


def test_novelty_is_weighed_against_what_it_costs():
    schedule = Schedule(NAMES, MODES, 1)
    for item in [schedule.item(index) for index in range(EPOCH)]:
        cheap = item.runs == (("eager", item.siblings),)
        schedule.learn_novelty(item, 10 if cheap == (item.name == NAMES[0]) else 0)
    later = Counter(schedule.item(index).name for index in range(2 * EPOCH, 12 * EPOCH))
    assert later.most_common(1)[0][0] == NAMES[0]


def test_what_is_known_is_drawn_less_not_never():
    schedule = Schedule(NAMES, MODES, 1)
    for item in [schedule.item(index) for index in range(EPOCH)]:
        schedule.learn_novelty(item, 0)
    assert Counter(schedule.item(index).name for index in range(2 * EPOCH, 12 * EPOCH)).keys() == set(NAMES)


def test_one_item_in_so_many_is_a_program_gives_all_by_keyword_or_is_cold():
    schedule = Schedule(["add", "sin", "sort"], ["eager", "graph"], 1, programs=8, keywords=8)
    items = [schedule.item(index) for index in range(4096)]
    assert sum(item.program for item in items) == 512
    assert 350 < sum(item.keywords for item in items) < 700
    assert 30 < sum(item.cold for item in items) < 110
    assert schedule.turns() == {"eager": 1, "graph": 5}
    plain = Schedule(["add", "sin", "sort"], ["eager", "graph"], 1)
    assert not any(item.program or item.keywords for item in map(plain.item, range(300)))


def test_items_of_modes_of_derivatives_draw_calls_that_have_one():
    names = ("add", "cumsum", "mean", "linalg.inv", "sqrt", "where")
    found = items(Schedule(names, ("eager", "jvp", "gradient_xla"), 1), 300)
    assert {one.differentiable for one in found} == {True, False}
    assert all(one.differentiable is bool({"jvp", "gradient_xla"} & dict(one.runs).keys()) for one in found)
    derived = [has_slope(draw(one, 0)) for one in found if one.differentiable]
    assert sum(derived) > 0.9 * len(derived)
    plain = [has_slope(draw(one, 0)) for one in found if not one.differentiable]
    assert sum(plain) < 0.3 * len(plain)


def test_what_was_learnt_is_known_again():
    one, other = (Schedule(["add", "sin", "sort"], ["eager", "graph"], 1) for _ in range(2))
    for index in range(700):
        item = one.item(index)
        one.learn_novelty(item, index % 7)
        if item.name == "sin" and index < 300:
            one.learn_death(index, "sin", "graph")
        if item.name == "add":
            one.learn_lack(index, "add", "out")
    other.restore(json.loads(json.dumps(one.data(700))))
    assert [one.item(index) for index in range(700, 1100)] == [other.item(index) for index in range(700, 1100)]
    assert any(item.without for item in map(other.item, range(700, 1100)))
    rest = ItemStream(other, 4000, first=700).take(1, None)
    assert [item.index for item in rest] == [700]


def test_options_are_given_alone_where_calls_are_compiled_until_they_are_taken():
    schedule = Schedule(["mean"], ["eager"], 1, siblings=16)
    items = [schedule.item(index) for index in range(ALONE_COMPILED)]
    alone = [item.required for item in items if "where" in item.dropped or "where" in item.required]
    assert alone.count(frozenset()) > 4
    assert len(set().union(*alone)) > 3
    assert all(item.required.isdisjoint(item.dropped) and len(item.required) < 2 for item in items)
    schedule.learn_answers(items[0], {"a", "axis", "dtype", "keepdims", "where"}, answered=True)
    later = [schedule.item(index).required for index in range(2 * schedule.epoch, ALONE_COMPILED)]
    assert {frozenset(), frozenset({"out"})} >= set(later)
