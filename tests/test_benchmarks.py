"""Benchmarks: every row runs and gives NumPy's answer; what is written follows from the figures. No time is judged."""

from __future__ import annotations

import contextlib
import json
import time
from itertools import pairwise, permutations

import numpy as np
import pytest
import tensorflow as tf

import tfnp
from tests.benchmarks import compile_times, npbench
from tests.benchmarks.__main__ import NAMES, format_line, format_ratio, format_time
from tests.benchmarks.groups import GROUPS, processes
from tests.benchmarks.measurement import Result, Row, Settings, _check, choose_order, measure

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


def test_a_line_has_the_ratios_and_what_is_left_out():
    row = {"name": "sort", "cpu": {"tfnp": 4e-3, "numpy": 1e-3}, "ratios": {"numpy": 4.0}, "left_out": {"jax": "fails"}}
    assert " ".join(format_line(row, "cpu").split()) == "sort tfnp 4.00 ms numpy 4.0 jax fails"


def test_figures_have_units():
    assert [format_time(seconds) for seconds in (2.5, 2.5e-2, 1e-5, 3e-8)] == ["2.50 s", "25.0 ms", "10.0 us", "30 ns"]
    assert [format_ratio(ratio) for ratio in (0.123, 1.04, 9.96, 120.4)] == ["0.12", "1.0", "10", "120"]


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


SMOOTH = """
import numpy as np


def smooth(steps, x):
    for _ in range(steps):
        x[1:-1] = (x[:-2] + x[1:-1] + x[2:]) / 3
    return np.sum(x)
"""


def write_program(folder, source, name="smooth"):
    """A checkout of one program, as NPBench's are."""
    (folder / "bench_info").mkdir()
    benchmarks = folder / "npbench" / "benchmarks" / "stencils"
    benchmarks.mkdir(parents=True)
    (benchmarks / f"{name}_numpy.py").write_text(source)
    made = "import numpy as np\n\n\ndef initialize(n):\n    return np.arange(n) % 5.0\n"
    (benchmarks / f"{name}.py").write_text(made)
    info = {
        "module_name": name,
        "func_name": name,
        "relative_path": "stencils",
        "parameters": {"S": {"steps": 20, "n": 50}},
        "init": {"func_name": "initialize", "input_args": ["n"], "output_args": ["x"]},
        "input_args": ["steps", "x"],
        "array_args": ["x"],
        "output_args": ["x"],
    }
    (folder / "bench_info" / f"{name}.json").write_text(json.dumps({"benchmark": info}))
    return npbench.Program(folder, next(npbench.list_programs(folder, [])), "S")


def measure_npbench(program, *modes):
    told = {}
    npbench.measure_program(program, modes, 0.01, time.perf_counter, told.update)
    return {"name": program.name, **told}


class TestNPBench:
    @pytest.mark.parametrize("mode", ["eager", pytest.param("jit", marks=pytest.mark.full)])
    def test_a_program_is_compared_and_timed(self, tmp_path, mode):
        figures = measure_npbench(write_program(tmp_path, SMOOTH), mode)
        assert "error" not in figures[mode]
        assert figures["ratios"][mode] > 0
        assert figures["rounds"] >= npbench.FEWEST_ROUNDS
        page = "\n".join(npbench.format_page([figures], {"cores": "2"}, "0123456789", "S", "wall clock"))
        assert "of 1 programs" in page
        assert "| smooth |" in page

    def test_another_answer_and_an_error_have_no_ratio(self, tmp_path):
        program = write_program(tmp_path, SMOOTH.replace("/ 3", "/ len(type(x).__module__)"))
        figures = measure_npbench(program, "eager")
        assert figures["eager"]["error"].startswith("result 0 has a relative error")
        assert figures["ratios"] == {}
        page = npbench.format_page([figures], {}, "", "S", "wall clock")
        assert "eager" not in page[-3] or "smooth" not in page[-3]

    def test_a_folder_without_programs_is_an_error(self, tmp_path):
        with pytest.raises(SystemExit, match="give the folder of a checkout"):
            npbench.main(["--checkout", str(tmp_path), "--threads", "all"])
