from __future__ import annotations

from dataclasses import replace

import pytest

from fuzz.engine import drawing
from fuzz.engine.scheduler import ALONE_COMPILED, Schedule
from fuzz.generate import preconditions
from fuzz.generate.argument_coverage import list_traits
from oracle.harness import describe_structure

NAMES = ("mean", "clip", "histogram", "linalg.qr", "sign")
COMPILED = 16  # siblings


def draw_first(name, count, seed=5, siblings=COMPILED):
    """Return the first items, after those that give an option alone."""
    schedule = Schedule([name], ["eager"], seed, siblings=siblings)
    first = ALONE_COMPILED if siblings == COMPILED else 0
    return [schedule.item(turn) for turn in range(first, first + count)]


@pytest.fixture(autouse=True)
def afresh():
    drawing._list_chosen.cache_clear()


@pytest.mark.parametrize("name", NAMES)
def test_what_is_chosen_depends_on_no_other_item(name):
    items = draw_first(name, 12)
    forwards = [drawing.draw(item, 0).json() for item in items]
    drawing._list_chosen.cache_clear()
    backwards = [drawing.draw(item, 0).json() for item in reversed(items)]
    assert forwards == backwards[::-1]


def test_chosen_calls_show_more_than_others():
    chosen, plain = set(), set()
    for name in NAMES:
        items = draw_first(name, 24)
        for at, met in ((0, chosen), (1, plain)):
            for item in items[at::2]:
                assert (item.candidates is None) == bool(at)
                met.update(f"{name} {trait}" for trait in list_traits(drawing.draw(item, 0)))
    assert len(chosen) > 1.2 * len(plain)


@pytest.mark.parametrize("name", NAMES)
def test_every_second_sibling_has_other_sizes_and_nothing_else(name):
    resized = set()
    for item in draw_first(name, 8):
        plain = [drawing.draw(item, sibling) for sibling in range(4)]
        others = [drawing.draw(item, sibling, any_size=True) for sibling in range(4)]
        assert [others[0].json(), others[2].json()] == [plain[0].json(), plain[2].json()]
        assert {describe_structure(case, any_size=True) for case in others} == {
            describe_structure(case, any_size=True) for case in plain
        }
        resized |= {tuple(array.shape for array in case.arrays()) for case in others[1::2]}
        resized -= {tuple(array.shape for array in case.arrays()) for case in plain}
    assert len(resized) > 4


def test_a_precondition_holds_also_without_what_is_dropped():
    for item in draw_first("searchsorted", 60):
        without_sorter = replace(item, dropped=frozenset({"sorter"}))
        assert preconditions.holds(drawing.draw(without_sorter, 0))
