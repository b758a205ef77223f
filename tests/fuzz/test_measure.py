"""Measuring: at all arguments or at the hard ones, the same every time; and the table's file."""

from __future__ import annotations

import json
import re

import numpy as np
import pytest

from fuzz.__main__ import main
from fuzz.engine.tasks import prepare
from fuzz.measure import Measured, Task, format_table, make_tasks, measure_task, merge_tables, to_data
from fuzz.measure_grid import DTYPES, LIMITS, is_complete, make_arguments, make_grid
from oracle.harness import Distance, table

REALS = [name for name in DTYPES if "complex" not in name]


class TestArguments:
    @pytest.mark.parametrize("name", ["float16", "bfloat16"])
    def test_every_number_of_two_bytes(self, name):
        (found,) = make_arguments(DTYPES[name], 1, 64)
        numbers = found[~np.isnan(found)]
        infinities = int(np.isinf(numbers).sum())
        fraction_bits = 10 if name == "float16" else 7
        assert (infinities, np.unique(numbers.view(np.uint16)).size) == (2, numbers.size)
        assert numbers.size == (1 << 16) - 2 * ((1 << fraction_bits) - 1)
        assert is_complete(DTYPES[name], 1)

    @pytest.mark.parametrize("name", ["float32", "float64", "complex64", "complex128"])
    @pytest.mark.parametrize("operands", [1, 2])
    def test_samples_are_the_same_every_time(self, name, operands):
        first, second = (make_arguments(DTYPES[name], operands, 4096) for _ in range(2))
        assert [array.tobytes() for array in first] == [array.tobytes() for array in second]
        assert {array.size for array in first} == {first[0].size}
        assert 1000 < first[0].size < 20000
        assert {array.dtype for array in first} == {DTYPES[name]}
        assert not is_complete(DTYPES[name], operands)

    def test_samples_are_where_it_is_hard(self):
        (found,) = make_arguments(DTYPES["float64"], 1, 4096)
        usual = found[np.isfinite(found)]
        turns = usual[(np.abs(usual) > 1e6) & (np.abs(usual) < 1e12)] / (np.pi / 2)
        assert (np.abs(turns - np.rint(turns)) < 1e-3).sum() > 20
        assert ((usual != 1) & (np.abs(usual - 1) < 1e-9)).sum() > 20
        assert (np.abs(usual) > np.finfo(float).max / 4).sum() > 20
        assert all((np.abs(usual - limit) < 1e-9 * limit).any() for limit in LIMITS)
        assert {np.inf, -np.inf, 0.0} <= set(found.tolist())

    @pytest.mark.parametrize("name", REALS)
    def test_pairs_are_related(self, name):
        first, second = (array.astype(float) for array in make_arguments(DTYPES[name], 2, 4096))
        with np.errstate(all="ignore"):
            assert (np.abs(np.log2(np.abs(first / second))) < 3.1).sum() > 300
            power = second * np.log(first)
        assert ((np.abs(power) > 1) & (np.abs(power) < 800)).sum() > 300

    def test_the_grid_has_every_exponent(self):
        first, second = make_grid(DTYPES["float16"])
        assert first.size == second.size == np.unique(first[~np.isnan(first)].view(np.uint16)).size ** 2
        assert np.unique(np.frexp(np.abs(first[np.isfinite(first)].astype(float)))[1]).size >= 30


def found(ulps, dtype="float64", **more):
    return Distance(dtype, ulps, ("0x1p+0",) if ulps else (), 0.5004, 0.5, 100, **more)


def measured(name, ulps, dtype="float64", mode="eager"):
    return Measured(Task(name, dtype, mode, 64), found(ulps, dtype))


class TestTable:
    def test_it_is_written_and_read(self):
        data = to_data("tfnp", [measured("sin", 2), measured("cos", 0, "float16", "xla"), measured("cos", 1)])
        assert json.loads(format_table(data)) == data
        assert list(data["functions"]) == ["cos", "sin"]
        assert data["functions"]["cos"]["float16"]["xla"]["exhaustive"]
        row = data["functions"]["sin"]["float64"]["eager"]
        assert row == {
            "ulps": 2, "at": ["0x1p+0"], "error": 0.501, "numpy_error": 0.5, "arguments": 100, "exhaustive": False
        }  # fmt: skip
        assert json.loads(format_table(to_data("tfnp", []))) == to_data("tfnp", [])

    def test_the_farthest_of_several_dtypes_of_arguments_counts(self):
        several = [
            measured("angle", 1, "float32"),
            Measured(Task("angle", "complex64", "eager", 64), found(3, "float32")),
        ]
        assert to_data("tfnp", several)["functions"]["angle"]["float32"]["eager"]["ulps"] == 3

    def test_part_of_it_is_brought_up_to_date(self):
        old = to_data("tfnp", [measured("sin", 2), measured("cos", 1)])
        new = to_data("tfnp", [measured("sin", 1), measured("tan", 4)])
        both = merge_tables(old, new)["functions"]
        assert [both[name]["float64"]["eager"]["ulps"] for name in ("cos", "sin", "tan")] == [1, 1, 4]
        with pytest.raises(ValueError, match="other subject"):
            merge_tables(old | {"subject": "numpy"}, new)
        with pytest.raises(ValueError, match="other versions"):
            merge_tables(old | {"versions": {}}, new)

    def test_the_one_in_the_package_is_as_it_would_be_written(self):
        assert json.loads(format_table(table().data)) == table().data

    def test_tasks_are_what_numpy_answers(self):
        dtypes = {task.dtype for task in make_tasks(["hypot"], ["eager"], 64)}
        assert dtypes == set(REALS)
        assert {task.dtype for task in make_tasks(["multiply"], ["eager"], 64)} == {"complex64", "complex128"}
        assert {task.dtype for task in make_tasks(["float_power"], ["eager"], 64)} == {"float64"}


@pytest.mark.full
def test_numpy_is_no_distance_from_itself():
    bench = prepare("numpy", ())
    for name in ("exp", "hypot", "multiply"):
        for task in make_tasks([name], ["eager"], 1024):
            distance = measure_task(bench, task).distance
            assert (distance.ulps, distance.unlike) == (0, 0)
            assert distance.error == distance.numpy_error


@pytest.mark.full
def test_a_kernel_that_has_changed_is_noticed(tmp_path, capsys, monkeypatch):
    (tmp_path / "changed.py").write_text(CHANGED)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    path = tmp_path / "table.json"
    options = ["--subject", "changed", "--modes", "eager", "--samples", "64", "--out", str(path)]
    assert main(["lab", "measure", "cbrt", "exp2", *options]) == 1
    beyond = re.findall(r"beyond the table: (.+)", capsys.readouterr().out)
    assert [line.split()[:3] for line in beyond] == [["cbrt", "float64", "eager"]]
    functions = json.loads(path.read_text())["functions"]
    assert functions["cbrt"]["float64"]["eager"]["ulps"] > 20
    assert set(functions) == {"cbrt", "exp2"}


@pytest.mark.full
def test_a_library_is_measured_without_tensorflow_and_in_its_own_modes(tmp_path, capsys, monkeypatch):
    (tmp_path / "tensorflow.py").write_text("raise ModuleNotFoundError(\"No module named 'tensorflow'\")")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    options = ["lab", "measure", "sqrt", "--subject", "numpy", "--samples", "64", "--jobs", "1"]
    assert main([*options, "--out", str(tmp_path / "table.json")]) == 0
    modes = json.loads((tmp_path / "table.json").read_text())["functions"]["sqrt"]["complex128"]
    assert {mode: row["ulps"] for mode, row in modes.items()} == {"eager": 0}
    capsys.readouterr()
    assert main([*options, "--modes", "xla"]) == 2
    assert "numpy has no mode 'xla'" in capsys.readouterr().err


CHANGED = """
import numpy as np
from numpy import exp2, ndarray

def cbrt(x):
    return np.cbrt(x) * x.dtype.type(1 + 2.0**-48)
"""
