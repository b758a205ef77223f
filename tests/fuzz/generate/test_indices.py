"""Index expressions: every form, mostly within bounds."""

from __future__ import annotations

import numpy as np

from fuzz.generate import indices
from fuzz.generate.arrays import shape
from fuzz.generate.choices import SeedChoices


def accepted(array, index):
    try:
        return array[index] is not None
    except (IndexError, ValueError):
        return False


def test_most_expressions_are_within_bounds():
    results = []
    for seed in range(1500):
        choices = SeedChoices(seed)
        wanted = shape(choices, 0, 4)
        results.append(accepted(np.zeros(wanted), indices.expression(choices, wanted)))
    assert 0.6 < np.mean(results) < 1


def test_every_form_comes():
    forms = set()
    for seed in range(2000):
        choices = SeedChoices(seed)
        found = indices.expression(choices, (2, 3, 4))
        forms |= {type(part) for part in (found if type(found) is tuple else (found,))}
        forms |= {part.dtype for part in (found if type(found) is tuple else (found,)) if type(part) is np.ndarray}
        forms |= {"empty" for part in [found] if type(found) is tuple and not found}
    wanted = {int, slice, type(None), type(Ellipsis), list, bool, np.ndarray, "empty"}
    assert wanted <= forms
    assert {np.dtype(name) for name in ("bool", "int8", "uint8", "int32", "int64")} <= forms


def test_positions_stay_within_the_side():
    for seed in range(300):
        choices = SeedChoices(seed)
        side = choices.integer(1, 200)
        found = indices.positions(choices, side, (5,))
        assert (-side <= found.astype(int)).all()
        assert (found.astype(int) < side).all()


def test_positions_beyond_come_when_asked():
    found = [indices.position(SeedChoices(seed), 4, beyond=True) for seed in range(30)]
    assert not any(-4 <= place < 4 for place in found)


def test_slices_have_any_step_but_none():
    found = [indices.cut(SeedChoices(seed), 5) for seed in range(300)]
    steps = {one.step for one in found}
    assert {None, 1, -1, 2} <= steps
    assert 0 not in steps
    assert all(accepted(np.zeros(5), one) for one in found)
