"""Pairs of options that NumPy accepts come, and are missed if they do not."""

from __future__ import annotations

import pytest

from fuzz.generate import pair_gaps
from fuzz.generate.call_classes import ORDINARY, DrawnCall
from fuzz.generate.calls import draw_call
from fuzz.generate.choices import SeedChoices
from fuzz.generate.pair_gaps import sound_pairs
from fuzz.generate.signatures import given


@pytest.mark.parametrize("name", ["sum", "eye", "searchsorted", "unique", "stack"])
def test_pairs_come(name):
    found = sound_pairs(None, (name, ()))
    assert found.pairs
    assert found.missing == ()


def test_a_pair_that_does_not_come_is_missed(monkeypatch):
    def draw_without(choices, name, turn):
        call = draw_call(choices, name, turn=turn)
        if turn < 2000 and "keepdims" in given(call.case):
            return DrawnCall(draw_call(SeedChoices(1), name).case, ORDINARY)
        return call

    monkeypatch.setattr(pair_gaps, "draw_call", draw_without)
    found = sound_pairs(None, ("sum", ()))
    assert any("keepdims" in text for text in found.missing)
