"""Benchmarks: every row runs and gives NumPy's answer; what is written follows from the figures. No time is judged."""

from __future__ import annotations

import contextlib
import json
import subprocess
from itertools import groupby, pairwise, permutations

import numpy as np
import pytest
import tensorflow as tf

import tfnp
from tests.benchmarks import compile_times, history
from tests.benchmarks.__main__ import NAMES
from tests.benchmarks.groups import GROUPS, processes
from tests.benchmarks.measurement import Group, Result, Row, Settings, _check, choose_order, data_of, measure
from tests.benchmarks.report import (
    format_ratio,
    format_time,
    summarize,
    write_report,
    write_slower,
)

SMALL = 64


@pytest.fixture
def eager_functions():
    """Run functions without tracing them: what is compiled gives the same, but takes minutes to compile."""
    tf.config.run_functions_eagerly(True)
    yield
    tf.config.run_functions_eagerly(False)


@pytest.mark.sample(1)
@pytest.mark.parametrize("name", [name for name in NAMES if name != "processes"])
@pytest.mark.usefixtures("eager_functions")
def test_every_row_gives_numpys_answer(name):
    group = GROUPS[name]
    for row in group.rows(SMALL):
        result = Result(row.name, row.heading, row.note)
        with tfnp.numpy_behavior() if group.numpy_behavior else contextlib.nullcontext():
            calls = _check(row, result)
        assert next(iter(row.contenders)) in calls
        assert not result.left_out.keys() - {"stock", "jax"}, (row.name, result.left_out)


@pytest.mark.full
def test_processes_end_well():
    for row in GROUPS["processes"].rows(SMALL):
        assert [call() for call in row.contenders.values()] == [0, 0]


def test_the_time_of_processes_counts():
    result = measure(Row("start", {"python": processes.start("-c", "pass")}), Settings(0.01, in_processes=True))
    assert result.cpu["python"] > 0.003


class TestMeasuring:
    @pytest.mark.full
    def test_ratios_are_of_the_first_to_the_others(self):
        array = np.ones(1 << 16)

        def repeat(times):
            for _ in range(times):
                array.cumsum()
            return 0

        result = measure(Row("cumsum", {"ours": lambda: repeat(8), "theirs": lambda: repeat(1)}), Settings(0.2))
        assert result.ratios.keys() == {"theirs"}
        assert result.ratios["theirs"] > 2
        assert result.cpu["ours"] > result.cpu["theirs"] > 0
        low, high = result.spreads["theirs"]
        assert low <= result.ratios["theirs"] <= high

    def test_no_contender_always_runs_after_the_same_one(self):
        names = ["tfnp", "raw", "numpy", "jax"]
        orders = [choose_order(names, number) for number in range(1, 41)]
        assert all(sorted(order) == sorted(names) for order in orders)
        pairs = {pair for order in orders for pair in pairwise(order)}
        assert pairs == set(permutations(names, 2))
        assert {order[0] for order in orders} == set(names)

    @pytest.mark.full
    def test_another_answer_is_left_out(self):
        def fail():
            raise ValueError

        calls = {"ours": lambda: 1.0, "wrong": lambda: 2.0, "flat": lambda: [1.0, 1.0], "failing": fail}
        result = measure(Row("one", calls), Settings(0.01))
        assert result.left_out == {
            "wrong": "gives another answer",
            "flat": "gives another answer",
            "failing": "raises ValueError",
        }
        assert result.ratios == {}

    @pytest.mark.full
    def test_ours_has_to_answer(self):
        with pytest.raises(ZeroDivisionError):
            measure(Row("one", {"ours": lambda: 1 / 0}), Settings(0.01))


def example():
    """Figures of every group, made up."""
    rows = {
        name: [
            data_of(Result("sort", "Sorts", "why it is so", *[{"tfnp": 4e-3, "numpy": 1e-3, "raw": 5e-3}] * 3))
            | {
                "ratios": {"numpy": 4.0, "raw": 0.8},
                "wall_ratios": {"numpy": 3.0, "raw": 0.9},
                "left_out": {"stock": "gives another answer"},
                "rounds": 3,
            }
        ]
        for name in NAMES
    }
    headline = dict.fromkeys(("tfnp, eager", "tfnp, tf.function", "raw, eager", "raw, tf.function"), 1e-3)
    rows["headlines"] = [
        {"name": "32 elements", "heading": "Sigmoid of float32", "cpu": {"tfnp": 1e-5, "numpy": 1e-6}},
        {"name": "width 16, batch 32", "heading": "A step of training", "cpu": headline},
    ]
    for row in rows["headlines"]:
        row |= {
            "first": row["cpu"],
            "wall": row["cpu"],
            "ratios": dict.fromkeys(list(row["cpu"])[1:], 10.0),
            "rounds": 3,
        }
    groups = {name: {"title": name.title(), "text": "About it.", "rows": rows[name]} for name in NAMES}
    return {"machine": {"processor": "Example 1"}, "elements": SMALL, "clock": "cpu", "seconds": 1, "groups": groups}


class TestWriting:
    def test_the_report_has_tables(self, tmp_path):
        write_report(example(), tmp_path)
        text = (tmp_path / "bench.md").read_text()
        assert "| sort | 4.00 ms | 4.00 ms | **4.0** | 0.8 | gives another answer |" in text
        assert "| clock | CPU time |" in text

    def test_the_worst_comes_first(self):
        rows = [{"name": name, "ratios": {"numpy": ratio}} for name, ratio in (("a", 3.0), ("b", 30.0), ("c", 1.5))]
        lines = list(write_slower(rows))
        assert lines[0].startswith("2 of 3 rows")
        assert [line.split()[1] for line in lines[4:]] == ["b", "a"]

    def test_medians_are_by_both_clocks(self):
        rows = [
            {"ratios": {"raw": cpu}, "wall_ratios": {"raw": wall}} for cpu, wall in ((1.0, 0.5), (2.0, 0.7), (3.0, 9.0))
        ]
        assert summarize(rows).endswith("2.0 or 0.7 x raw (3).")

    def test_figures_have_units(self):
        assert [format_time(seconds) for seconds in (2.5, 2.5e-2, 1e-5, 3e-8)] == [
            "2.50 s",
            "25.0 ms",
            "10.0 us",
            "30 ns",
        ]
        assert [format_ratio(ratio) for ratio in (0.123, 1.04, 9.96, 120.4)] == ["0.12", "1.0", "10", "120"]


class TestHistory:
    def test_headlines_are_twenty_different_ratios(self):
        assert len(history.HEADLINES) == len({one.label for one in history.HEADLINES}) == 20
        assert {one.group for one in history.HEADLINES} <= set(NAMES)

    def test_a_headline_is_of_the_first_row_of_its_name(self, monkeypatch):
        calls = {"ours": lambda: 1.0, "theirs": lambda: 1.0, "others": lambda: 1 / 0}
        rows = [Row("other", {}), Row("sum", calls), Row("sum", {}), Row("sort", calls), Row("never", {})]
        headlines = [history.Headline("group", name, "theirs", "ours", name) for name in ("sort", "sum")]
        monkeypatch.setattr(history, "HEADLINES", headlines)
        monkeypatch.setitem(GROUPS, "group", Group("", "", lambda n: iter(rows)))
        found = {one.label: result for one, result in history.measure_headlines(0.001)}
        assert found.keys() == {"sort: theirs / ours", "sum: theirs / ours"}
        assert all(result.ratios.keys() == result.spreads.keys() == {"ours"} for result in found.values())

    def test_every_headline_has_its_row(self):
        for name, members in groupby(history.HEADLINES, lambda one: one.group):
            rows = {row.name: row for row in GROUPS[name].rows(10**6 if name == "processes" else SMALL)}
            for one in members:
                contenders = rows.get(one.row, rows.get(one.row.replace("128", "16").replace("512", "32"))).contenders
                assert {one.ours, one.other} - contenders.keys() <= {"jax", "jax.jit"}, one

    def test_a_commit_has_one_line_for_each_processor(self, tmp_path):
        path = tmp_path / "history.jsonl"
        lines = [
            {"commit": commit, "machine": {"processor": processor}, "ratios": {"a": [1.0, 0.9, 1.1]}}
            for commit, processor in [("one", "A"), ("two", "A"), ("one", "B"), ("one", "A")]
        ]
        for line in lines:
            history.append_line(line, path)
        assert [json.loads(text) for text in path.read_text().splitlines()] == lines[1:]

    def test_only_what_is_committed_is_measured(self, tmp_path):
        def git(*words):
            subprocess.run(["git", "-c", "user.name=A", "-c", "user.email=a@b.c", *words], cwd=tmp_path, check=True)

        (tmp_path / "package.py").write_text("")
        (tmp_path / history.FILE.name).write_text("")
        git("init", "-q")
        git("add", ".")
        git("commit", "-q", "-m", "first")
        (tmp_path / history.FILE.name).write_text("a line")
        assert len(history.describe_commit(tmp_path)["commit"]) == 40
        (tmp_path / "package.py").write_text("changed = 1")
        with pytest.raises(SystemExit, match=r"package\.py"):
            history.describe_commit(tmp_path)


def test_times_to_compile_are_measured_and_shown() -> None:
    case = compile_times.Case("sort", (np.array([2.0, 1.0]),))
    traced, compiled = compile_times.measure_case(case, gradient=True)
    assert traced is not None
    assert compiled is not None
    assert 0 <= traced < 60 > compiled >= 0
    assert compile_times.measure_case(compile_times.Case("nonzero", (np.ones(2),)), gradient=False)[1] is None
    page = compile_times.format_page({"sort": [0.1, 0.2, None, 0.3], "linalg.eigh": [0.1, 2.0, 0.25, 1.0]})
    assert page[-1] == "| linalg.eigh | 0.10 | 2.00 | 0.25 | 1.00 |"
    assert "| *most* | 0.10 | 2.00 | 0.25 | 1.00 |" in page
    assert not any(line.startswith("| sort") for line in page)


def test_functions_are_traced_for_each_shape(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compile_times, "SHAPES", 12)
    row = compile_times.measure_signatures(compile_times.list_functions()["sum"], jit_compile=False)
    assert row["traces"] == 12
    assert compile_times.format_signatures({("sum", "graph"): row})[-1].startswith("| sum | graph | 12 | ")
