"""Where a run's time went."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from fuzz.engine.campaign import Campaign
from fuzz.engine.core_seconds import COMPILING, DRAWING, JUDGING, NUMPY, SUBJECT, count_phases, list_costs
from fuzz.engine.run_options import Options
from fuzz.engine.summary import Counts
from tests.fuzz.inline import run_inline


def test_steps_are_counted_as_phases():
    times = {"drawing": 1.0, "reference of 3": 2.0, "eager 0": 4.0, "graph 0": 8.0, "graph 2": 16.0, "beginning": 0.5}
    times["comparison in graph of 2"] = 32.0
    assert count_phases(times) == {DRAWING: 1.0, NUMPY: 2.0, SUBJECT: 20.0, COMPILING: 8.0, JUDGING: 32.5}


@pytest.fixture
def summary(monkeypatch):
    run_inline(monkeypatch)
    monkeypatch.syspath_prepend(Path(__file__).parents[1])
    options = Options(names=("negative", "add"), subject="planted_many", cases=40, modes=("eager",), seed=3)
    return Campaign(options).run()


def test_a_run_says_by_name_and_mode_what_its_time_bought(summary):
    data = summary.data()
    rows = {name: data["spent"][name]["eager"] for name in ("negative", "add")}
    assert sum(row["drawn"] for row in rows.values()) == sum(row["judged"] for row in rows.values()) == 40
    assert sum(row["structures"] for row in rows.values()) == 22
    assert rows["negative"]["differences"] > 0
    assert rows["negative"]["reduced"] == 1
    assert "differences" not in rows["add"]
    assert {"judging", "reducing", "scripts", "idle"} <= data["work"].keys()
    assert data["work"]["reducing"] == pytest.approx(rows["negative"]["reducing"], abs=0.01)


def test_the_costs_are_listed_the_largest_first(summary):
    lines = list_costs(summary.data())
    assert lines[0].startswith("Workers: ")
    assert "2 names" not in lines[2]
    assert lines[2] == "In all: 22 structures, 40 drawn, 40 judged, " + lines[2].partition("judged, ")[2]
    assert [line.split()[2] for line in lines[3:]] == ["negative", "add"]


def test_what_was_spent_survives_state_and_merging():
    counts = Counts()
    counts.find_spent("add", "eager").update({"judged": 3, SUBJECT: 0.5})
    counts.work = Counter(judging=2.0)
    read = Counts.from_data(counts.data())
    read.merge(counts)
    assert read.spent == {"add": {"eager": Counter({"judged": 6, SUBJECT: 1.0})}}
    assert read.work == {"judging": 4.0}
