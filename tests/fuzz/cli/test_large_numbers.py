"""Seeds and counts at their limits: what `run` writes, `report`, `merge` and `run --resume` read."""

from __future__ import annotations

import json
import random
import shutil
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from fuzz.__main__ import main
from fuzz.cli.options import LONGEST_SECONDS
from fuzz.engine.run_options import LARGEST_SEED, MOST_CASES, MOST_SHARDS
from fuzz.schemas import read_schema
from fuzz.triage.untrusted_input import LARGEST_NUMBER, find_misfit

LIMITS = (0, 2**53 + 1, 2**63 - 1, 2**63, 2**64 - 1)
COMMITS = [f"{random.Random(number).getrandbits(160):040x}" for number in range(3)]
QUICK = ["--modes", "eager", "--jobs", "1"]


def read(path):
    return json.loads(path.read_text())


def judge(directory, *options):
    return main(["run", "negative", "add", "--subject", "numpy", *QUICK, *map(str, options), "--out", str(directory)])


def check_it_is_read(directory, folder, status, *more):
    """Have each command that reads a run read this one."""
    assert main(["merge", str(directory)]) == status
    assert main(["merge", str(directory), str(directory), "--out", str(folder / "merged")]) == status
    assert main(["merge", str(folder / "merged")]) == status
    assert main(["run", "--resume", str(directory), "--jobs", "1", *more]) == status
    assert main(["coverage", "--from", str(directory), "--json", str(folder / "coverage.json")]) == 0
    assert main(["coverage", "--from", str(directory), "--since", str(folder / "coverage.json")]) == 0


@pytest.mark.sample(1)
@pytest.mark.parametrize("seed", [*LIMITS, *COMMITS, "f" * 40])
def test_a_run_of_any_seed_is_read(seed, tmp_path, capsys):
    directory = tmp_path / "run"
    assert judge(directory, "--seed", seed, "--cases", 8) == 0
    number = seed if isinstance(seed, int) else int(seed[:16], 16)
    assert number <= LARGEST_SEED
    assert read(directory / "run.json")["seed"] == number
    check_it_is_read(directory, tmp_path, 0, "--cases", "16")
    assert [read(one / "summary.json")["seed"] for one in (directory, tmp_path / "merged")] == [number, number]
    assert f"--seed {number} " in read(directory / "run.json")["command"]
    for name in ("run", "state"):
        Draft202012Validator(read_schema(name)).validate(read(directory / f"{name}.json"))


@pytest.mark.full
@pytest.mark.parametrize(
    "options",
    [
        ("--cases", MOST_CASES, "--time", "1s"),
        ("--time", f"{LONGEST_SECONDS:.0f}s", "--cases", 8),
        ("--shard", f"1/{MOST_SHARDS}", "--cases", 8),
        ("--shard", f"{MOST_SHARDS}/{MOST_SHARDS}", "--cases", 4 * MOST_SHARDS),
    ],
    ids=lambda options: " ".join(map(str, options)),
)
def test_a_run_of_any_size_is_read(options, tmp_path, capsys):
    assert judge(tmp_path / "run", "--seed", 2**64 - 1, *options) == 0
    check_it_is_read(tmp_path / "run", tmp_path, 0, "--time", "1s")


def enlarge(data, number, key=""):
    """Return the data of a run's file with this number for each of its integers that counts something."""
    if isinstance(data, dict):
        return {key: enlarge(value, number, key) for key, value in data.items()}
    if isinstance(data, list):
        return [enlarge(item, number, key) for item in data]
    return number if isinstance(data, int) and not isinstance(data, bool) and key != "format" else data


@pytest.mark.full
@pytest.mark.parametrize("number", LIMITS)
def test_a_run_with_any_count_is_read(stored_run, number, tmp_path, capsys, monkeypatch):
    monkeypatch.syspath_prepend(Path(__file__).parents[1])
    directory = tmp_path / "run"
    shutil.copytree(stored_run, directory)
    (directory / "state.json").write_text(json.dumps(enlarge(read(stored_run / "state.json"), number)))
    lines = (stored_run / "findings.jsonl").read_text().splitlines()
    rows = [json.loads(line) for line in lines]
    assert rows
    changed = [row | dict.fromkeys(("index", "sibling", "count"), number) for row in rows]
    (directory / "findings.jsonl").write_text("".join(json.dumps(row) + "\n" for row in changed))
    given = ["--subject", "planted_many"]
    assert main(["merge", str(directory)]) == 1
    assert {row["index"] for row in read(directory / "summary.json")["findings"]} == {number}
    assert main(["merge", str(directory), str(stored_run), "--out", str(tmp_path / "merged")]) == 1
    assert main(["merge", str(tmp_path / "merged")]) == 1
    assert main(["run", "--resume", str(directory), *given, "--jobs", "1", "--time", "1s"]) == 1


def test_numbers_that_are_read_can_be_added_and_multiplied_as_floats():
    largest = LARGEST_NUMBER - 1
    assert find_misfit(largest, int) == find_misfit(-largest, object) == ""
    assert "negative" in find_misfit(-1, int)
    assert "negative" in find_misfit({"a": -0.5}, {str: (int, float)})
    assert float(largest * largest) < float("inf")
    for number in (LARGEST_NUMBER, -LARGEST_NUMBER, float("inf"), float("nan"), 1e300):
        assert "too large" in find_misfit(number, (int, float))
