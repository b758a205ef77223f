"""Growing calls: what grows, how far ladders are climbed, and that a planted square is found."""

from __future__ import annotations

import json

import numpy as np
import pytest

from fuzz.__main__ import main
from fuzz.engine.tasks import prepare
from fuzz.report.scale_page import format_cost, make_plots, render_scale
from fuzz.scale import (
    FAILED,
    Budget,
    Climb,
    Skipped,
    Task,
    _find_excess,
    format_shapes,
    make_findings,
    measure_rung,
    to_data,
)
from fuzz.scale_ladders import FILLINGS, Ladder, Position, count_held_bytes, grow, plan_ladders, replace_leaves
from oracle import Case, run_numpy
from oracle.harness import Rung

NAMES = (
    "convolve",
    "searchsorted",
    "matmul",
    "linalg.cholesky",
    "repeat",
    "histogram",
    "zeros",
    "add.reduceat",
    "interp",
)


class TestGrowing:
    @pytest.mark.parametrize("name", NAMES)
    def test_ladders_grow_and_numpy_takes_them(self, name):
        ladders = plan_ladders(name, 1, 3)
        assert ladders
        for ladder in ladders:
            cases = [ladder.grow(step) for step in (0, 1, 2)]
            outcomes = list(map(run_numpy, cases))
            assert all(outcome.ok for outcome in outcomes)
            sizes = [count_held_bytes(case, outcome) for case, outcome in zip(cases, outcomes, strict=True)]
            assert sizes[2] >= 2 * sizes[0]

    def test_the_same_every_time(self):
        first, second = (plan_ladders("convolve", 2, 3) for _ in range(2))
        assert [ladder.grow(2).json() for ladder in first] == [ladder.grow(2).json() for ladder in second]

    def test_both_operands_grow_together_and_each_alone(self):
        grown = [[array.size for array in ladder.grow(1).arrays()] for ladder in plan_ladders("convolve", 1, 3)]
        (a, v), *_ = [[array.size for array in plan_ladders("convolve", 1, 3)[0].case.arrays()]]
        assert grown == [[4 * a, 4 * v], [4 * a, v], [a, 4 * v]]

    def test_a_matrix_grows_by_its_sides(self):
        case = Case("negative", (np.ones((3, 5)),))
        ladder = Ladder(case, (Position(0, 0), Position(0, 1)), "all arrays", "drawn")
        assert [ladder.grow(step).arrays()[0].shape for step in (0, 1, 2)] == [(3, 5), (6, 10), (12, 20)]
        assert [ladder.factor(step) for step in (0, 1, 2)] == [1, 4, 16]

    def test_numbers_grow_wherever_they_stand(self):
        case = Case("zeros", ((2, 3),))
        assert grow(case, {Position(1): 4}, "drawn").args == ((2, 12),)

    def test_one_array_stays_one(self):
        array = np.ones(3)
        case = replace_leaves(Case("add", (array, array)), lambda number, leaf: leaf * 2)
        assert case.args[0] is case.args[1]

    @pytest.mark.parametrize("filling", FILLINGS)
    @pytest.mark.parametrize("dtype", [bool, np.int8, np.uint64, np.float16, np.float32, complex, "U2"])
    def test_fillings_keep_dtypes(self, filling, dtype):
        found = FILLINGS[filling](np.ones((2, 2)).astype(dtype), (4, 4), np.random.default_rng(0))
        assert (found.shape, found.dtype) == ((4, 4), np.ones(1).astype(dtype).dtype)

    def test_what_is_sorted_stays_so(self):
        for filling in ("drawn", "spread", "repeated"):
            for dtype in (np.int64, np.float64):
                found = FILLINGS[filling](np.array([1, 2, 5], dtype), (12,), np.random.default_rng(0))
                assert (np.diff(found) >= 0).all()

    def test_indices_spread_over_what_grows(self):
        found = FILLINGS["spread"](np.array([2, 0, 1]), (3000,), np.random.default_rng(0))
        assert 2000 < found.max() < 3000

    def test_probabilities_and_matrices(self):
        shares = FILLINGS["normalized"](np.array([0.25, 0.75]), (8,), np.random.default_rng(0))
        assert shares.sum() == pytest.approx(1)
        np.linalg.cholesky(FILLINGS["definite"](np.eye(3) * 1e6, (24, 24), np.random.default_rng(0)))


def rung(factor, seconds=1e-3, held=1000):
    return Rung(factor, factor * 256, held, 1e-7, 1e-4, seconds, held, held)


class TestBudget:
    def test_what_would_take_too_long_is_not_begun(self):
        climbed = [rung(1, 0.01), rung(4, 0.16), rung(16, 2.5)]
        assert _find_excess(climbed, Budget(seconds=1.0)) == "the budget of time"
        assert not _find_excess(climbed[:2], Budget(seconds=1.0))
        assert not _find_excess([], Budget())

    def test_what_would_hold_too_much_is_not_begun(self):
        climbed = [rung(1, held=1 << 20), rung(4, held=16 << 20), rung(16, held=256 << 20)]
        assert _find_excess(climbed, Budget(elements=1 << 30)) == "the budget of memory"
        assert _find_excess(climbed, Budget(elements=1 << 20)) == "the budget of elements"


class TestClimbing:
    """In a worker, but for its limits."""

    bench = prepare("numpy", ())
    ladder = Ladder(Case("negative", (np.arange(64.0),)), (Position(0, 0),), "all arrays", "drawn")

    def climb(self, steps, key="a", elements=1 << 9):
        tasks = [Task((key, 0, "eager"), self.ladder, step, Budget(elements)) for step in steps]
        return [measure_rung(self.bench, task) for task in tasks]

    @pytest.mark.full
    def test_it_ends_at_the_first_rung_beyond_the_budget(self):
        first, second, *others = self.climb(range(12))
        assert (first.elements, second.elements) == (64, 256)
        assert {other.reason for other in others} == {"the budget of elements"}

    def test_it_ends_where_another_worker_died(self):
        assert self.climb((5, 6), "b") == [Skipped(FAILED)] * 2

    @pytest.mark.full
    def test_it_begins_where_the_case_is_large_enough(self):
        self.ladder = Ladder(Case("zeros", (4,)), (Position(0),), "the number 4", "drawn")
        results = self.climb(range(5), "c")
        assert [getattr(result, "elements", result) for result in results[:3]] == [
            Skipped("small"),
            Skipped("small"),
            64,
        ]

    def test_what_the_subject_refuses_ends_it(self):
        self.ladder = Ladder(Case("bogus", (np.arange(64.0),)), (Position(0, 0),), "all arrays", "drawn")
        assert all("NumPy refuses it" in result.reason for result in self.climb(range(3), "d"))


def climb(mode="eager", seconds=lambda n: 1e-4 * n**2, **options):
    case = Case("cumsum", (np.arange(256.0),))
    ladder = Ladder(case, (Position(0, 0),), "all arrays", "drawn")
    rungs = [Rung(n, 256 * n, 4096 * n, 1e-7 * n, 1e-6 * n, seconds(n), 2048 * n, 2048 * n) for n in (1, 4, 16, 64)]
    return Climb("cumsum", 0, mode, ladder, rungs, **options)


class TestFindings:
    def test_modes_that_grow_are_one_finding(self):
        (found,) = make_findings([climb(), climb("xla"), climb("graph", lambda n: 1e-5 * n)])
        assert (found.name, found.kind, found.modes, found.dtype) == ("cumsum", "growth", ("eager", "xla"), "float")
        assert found.minimal.args[0].size == 256

    def test_what_did_not_grow_again_is_none(self):
        assert make_findings([climb(confirmed=False)]) == []

    def test_a_death_is_a_finding(self):
        (found,) = make_findings([climb(seconds=lambda n: 1e-5 * n, death="memory", ended="memory: bad_alloc")])
        assert found.kind == "memory"

    def test_the_files_say_what_was_found(self):
        climbs = [climb(), climb("xla", lambda n: 1e-5 * n)]
        data = json.loads(json.dumps(to_data("tfnp", climbs, make_findings(climbs))))
        (finding,) = data["findings"]
        assert (finding["kind"], finding["minimal"]) == ("growth", "np.cumsum(<float64 (256,)>)")
        own, other = data["names"]["cumsum"]
        assert own["time"]["exponent"] == pytest.approx(2)
        assert own["growth"]
        assert not other["growth"]
        page = render_scale(data)
        assert page.count("<polyline") == 8
        assert "size^2.00" in page
        assert 'id="cumsum"' in page

    def test_a_plot_is_within_its_frame(self):
        data = climb().data()
        for plot in make_plots(data):
            points = [tuple(map(float, pair.split(","))) for line in plot["lines"].values() for pair in line.split()]
            assert all(0 <= x <= 330 and 0 <= y <= 200 for x, y in points)

    def test_costs_have_units(self):
        assert format_cost(2.5e-3, "time") == "2.5 ms"
        assert format_cost(3 << 20, "memory") == "3 MiB"
        assert format_cost(None, "memory") == ""

    def test_a_case_is_told_by_shapes(self):
        assert format_shapes(Case("add", (np.ones(3), 1))) == "np.add(<float64 (3,)>, 1)"


@pytest.mark.full
def test_planted_squares_are_found(tmp_path, monkeypatch, capsys):
    """They take hundreds of times what NumPy does at the end: no noise can hide that, nor make it up for the other."""
    monkeypatch.setenv("PYTHONPATH", "tests/fuzz")
    monkeypatch.syspath_prepend("tests/fuzz")
    out = tmp_path / "out"
    options = ["--subject", "quadratic", "--modes", "eager", "--size", "16000", "--cases", "1", "--directions", "1"]
    assert main(["scale", "cumsum", "cumprod", "flip", *options, "--out", str(out)]) == 1
    data = json.loads((out / "scale.json").read_text())
    findings = {finding["name"]: finding for finding in data["findings"]}
    assert findings.keys() == {"cumsum", "cumprod"}
    for finding in findings.values():
        assert (finding["kind"], finding["modes"]) == ("growth", ["eager"])
        assert Case.from_json((out / finding["case"]).read_text()).name == finding["name"]
    grown = {
        name: [growth.split()[0] for climb in data["names"][name] for growth in climb["growth"]] for name in findings
    }
    assert grown["cumsum"] == ["time"]
    assert "memory" in grown["cumprod"]
    assert {"cumsum", "cumprod"} <= set((out / "scale.html").read_text().split('"'))
    assert "growth: cumsum in eager" in " ".join(capsys.readouterr().out.split())
    assert all(len(climb["rungs"]) >= 3 for climbs in data["names"].values() for climb in climbs)
