"""Every test is in one shard, and shards take about as long as each other."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml

from tests.shards import cut, estimate_times, parse_shard

ROOT = Path(__file__).parent.parent


@pytest.mark.parametrize(
    "times", [[1.0] * 100, [100.0, *[0.1] * 500, 50.0], [1.0, 2.0], [0.0, 0.0, 5.0], [0.0] * 7, []]
)
def test_every_test_is_in_one_shard(times):
    stretches = [cut(times, shard, 6) for shard in range(1, 7)]
    assert sorted(position for stretch in stretches for position in stretch) == list(range(len(times)))


def test_shards_take_as_long_as_each_other():
    times = [0.1] * 3000 + [20.0] * 30 + [1.0] * 100
    sums = [sum(times[position] for position in cut(times, shard, 6)) for shard in range(1, 7)]
    assert max(sums) - min(sums) <= 2 * max(times)


def test_a_test_takes_as_long_as_those_of_its_file():
    files = {"a.py": {"seconds": 10.0, "tests": 5}, "b.py": {"seconds": 2.0, "tests": 1}}
    assert estimate_times(["a.py::one", "b.py::two", "c.py::three"], files) == [2.0, 2.0, 2.0]
    assert estimate_times(["c.py::three"], {}) == [1.0]


@pytest.mark.parametrize("text", ["0/6", "7/6", "2", "2/0", "a/b"])
def test_a_shard_that_is_none_is_a_usage_error(text):
    assert parse_shard("2/6") == (2, 6)
    with pytest.raises(pytest.UsageError, match="write 2/6"):
        parse_shard(text)


def test_the_night_runs_every_shard():
    job = yaml.safe_load((ROOT / ".github/workflows/ci.yml").read_text())["jobs"]["full"]
    shards = re.findall(r"--shard (\d+)/(\d+)", "\n".join(job["strategy"]["matrix"]["command"]))
    assert [(int(shard), int(total)) for shard, total in shards] == [(number, 6) for number in range(1, 7)]
