"""What a campaign amounts to, and what it holds against the list of accepted divergences."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from fuzz.campaign import Options
from fuzz.summary import Counts, Summary
from oracle import Case, Divergence, divergences

ENTRY = Divergence(
    "sin", "value", ("xla",), lambda case, difference: True, "angles", "", Case("sin", (np.array([1.0]),)), "99.0", 0.1
)


def summary(swallowed: int, subject: str = "tfnp") -> Summary:
    counts = Counts(accepted=Counter({str(ENTRY): swallowed}), runs_of={"sin": Counter({"xla": 100, "eager": 900})})
    return Summary(Options(subject=subject), 1, 1.0, counts, (), [], False, ("gone from xla: another",))


@pytest.fixture(autouse=True)
def _one_entry(monkeypatch):
    monkeypatch.setattr(divergences, "DIVERGENCES", (ENTRY,))


def test_an_entry_that_swallows_more_than_its_share_is_a_complaint():
    gone, greedy = summary(60).data()["stale"]
    assert gone == "gone from xla: another"
    assert greedy.startswith("swallows too much, 60 of 100 answers")


def test_one_that_does_not_is_none():
    assert summary(10).complaints == ["gone from xla: another"]


def test_the_entries_are_our_own_librarys():
    assert summary(60, "tensorflow.experimental.numpy").complaints == ["gone from xla: another"]
