"""Calls at fixed sizes: which call is measured, its ratios, and what the table says."""

from __future__ import annotations

import json

import numpy as np
import pytest

from fuzz.__main__ import main
from fuzz.engine.tasks import prepare
from fuzz.scale_ladders import drop_options, plan_plainest
from fuzz.scale_sizes import Cost, Missing, Task, count_missing, measure_size, plan, summarize, to_rows
from oracle import Case

SIZE = 1000


@pytest.mark.parametrize("name", ["add", "sort", "diff", "zeros", "linalg.norm", "random.random"])
def test_the_plainest_case_has_no_options_and_grows_to_the_size(name):
    ladder = plan_plainest(name)
    assert ladder is not None
    case = ladder.grow_to(SIZE)
    assert not case.kwargs
    assert len(case.args) <= 2
    sizes = [array.size for array in case.arrays()] or [np.prod(case.args[0])]
    assert SIZE / 2 < max(sizes) < 2 * SIZE


def test_options_are_dropped_but_not_arrays_nor_what_numpy_needs():
    array = np.arange(4.0)
    plainest = {
        Case("sort", (array, -1, "stable")): Case("sort", (array,)),
        Case("sum", (array,), {"dtype": np.float32}): Case("sum", (array,)),
        Case("add", (array, 2.0)): Case("add", (array, 2.0)),
        Case("average", (array, 0, array)): Case("average", (array, 0, array)),
    }
    for case, plainer in plainest.items():
        assert str(drop_options(case)) == str(plainer)


class TestMeasuring:
    bench = prepare("numpy", ())

    def test_time_and_memory_are_about_numpys_for_numpy(self):
        ladder = plan(self.bench, "add")
        cost = measure_size(self.bench, Task("add", "eager", 1 << 18, ladder, "numpy"))
        assert isinstance(cost, Cost)
        assert 0.3 < cost.time_ratio < 3
        assert 0.3 < cost.beside_ratio < 3
        assert cost.memory_ratio is None or 0.5 < cost.memory_ratio < 2

    def test_what_a_library_lacks_has_no_ratio(self):
        ladder = plan(self.bench, "add")
        cost = measure_size(self.bench, Task("add", "eager", SIZE, ladder, "math"))
        assert cost.beside_ratio is None

    def test_nothing_is_measured_when_the_time_is_over(self):
        task = Task("add", "eager", SIZE, plan(self.bench, "add"), end=0.0)
        assert measure_size(self.bench, task) == Missing("the time is over")

    def test_what_numpy_refuses_is_not_measured(self):
        ladder = plan(self.bench, "add")
        task = Task("add", "eager", SIZE, type(ladder)(Case("bogus", ladder.case.args), ladder.positions, "", "drawn"))
        assert "NumPy refuses it" in measure_size(self.bench, task).reason


def rows():
    ladder = plan_plainest("add")

    def cost(seconds, beside):
        return Cost(1000, "np.add(...)", seconds, 1e-3, 0.0, 1 << 20, 3 << 20, 1 << 20, beside)

    tasks = [Task(name, "eager", 1000, ladder) for name in ("sort", "add", "sum")]
    return to_rows(zip(tasks, (cost(4e-3, 1e-3), cost(2e-3, None), Missing("it fails")), strict=True))


def test_medians_are_of_the_calls_that_were_measured():
    (found,) = summarize(rows())
    assert found == {
        "mode": "eager",
        "size": 1000,
        "measured": 2,
        "medians": {"numpy": 3.0, "beside": 4.0, "memory": 3.0},
    }
    assert count_missing(rows()) == {"eager: it fails": 1}


def test_rows_are_plain_data_in_order():
    found = json.loads(json.dumps(rows()))
    assert [row["name"] for row in found] == ["add", "sort", "sum"]
    assert found[1]["ratios"] == {"numpy": 4.0, "beside": 4.0, "memory": 3.0}
    assert found[2] == {"name": "sum", "mode": "eager", "size": 1000, "missing": "it fails"}


def test_the_command_writes_a_table(tmp_path, capsys):
    out = tmp_path / "out"
    options = ["--subject", "numpy", "--modes", "eager", "--sizes", "1000", "--beside", "numpy", "--out", str(out)]
    assert main(["scale", "negative", *options]) == 0
    (row,) = json.loads((out / "sizes.json").read_text())["rows"]
    assert row["ratios"].keys() >= {"numpy", "beside"}
    printed = " ".join(capsys.readouterr().out.split())
    assert "eager, 1000 elements: 1 calls, medians" in printed


def test_sizes_are_numbers_and_beside_needs_them(capsys):
    assert main(["scale", "add", "--sizes", "many"]) == 2
    assert main(["scale", "add", "--beside", "numpy"]) == 2
    assert "--beside needs --sizes" in capsys.readouterr().err
