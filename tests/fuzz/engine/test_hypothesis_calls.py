"""Calls that Hypothesis draws for a campaign: repeatable, of one structure in all siblings, and they find bugs."""

from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path

import pytest

from fuzz.engine.campaign import Campaign
from fuzz.engine.drawing import draw
from fuzz.engine.run_options import Options
from fuzz.engine.scheduler import Item
from fuzz.generate.calls import generated_names
from fuzz.generate.choices import SequenceChoices
from fuzz.strategies import draw_call


def make_item(name, seed):
    return Item(0, name, seed, 4, (("eager", 4),), by_hypothesis=True)


def test_hypothesis_draws_for_a_campaign():
    made = [draw(make_item("roll", seed), 0).json() for seed in range(5)]
    assert made == [draw(make_item("roll", seed), 0).json() for seed in range(5)]
    assert len(set(made)) == 5


def test_siblings_share_their_structure_but_not_their_elements():
    varied = 0
    for seed in range(20):
        cases = [draw(make_item("add", seed), sibling) for sibling in range(4)]
        forms = [[(a.shape, a.dtype, a.strides) for a in case.arrays()] for case in cases]
        assert forms[1:] == forms[:-1]
        varied += len({case.json() for case in cases}) > 1
    assert varied > 5


@pytest.mark.full
def test_hypothesis_finds_what_is_wrong(monkeypatch):
    monkeypatch.syspath_prepend(Path(__file__).parents[1])
    options = Options(("negative",), cases=48, seed=3, subject="planted_many", modes=("eager",), engine="hypothesis")
    assert ("negative", "value") in {(finding.name, finding.kind) for finding in Campaign(options).run().findings}


def test_a_run_from_seeds_does_without_hypothesis():
    """Importing it takes as long as importing all else, in each process that judges."""
    code = "import sys, fuzz.__main__, fuzz.engine.campaign, fuzz.engine.tasks; print('hypothesis' in sys.modules)"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "False"


ODD = (
    0,
    1,
    -1,
    2**31,
    -(2**63),
    2**200,
    1.5,
    float("nan"),
    float("inf"),
    True,
    False,
    "",
    "x" * 10_000,
    b"\xff",
    "\ud800",
)


@pytest.mark.sample(100)
@pytest.mark.parametrize("name", generated_names())
def test_any_sequence_draws_a_call(name):
    """What does not fit is the simplest choice."""
    draw_odd = random.Random(name)
    for length in (0, 1, 10, 300):
        case = draw_call(SequenceChoices([draw_odd.choice(ODD) for _ in range(length)], 1), name)
        assert sum(array.nbytes for array in getattr(case, "case", case).arrays()) < 64 << 20
