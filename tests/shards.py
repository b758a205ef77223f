"""Shards of the suite: `pytest --shard 2/6` runs a sixth of the tests, of about as much time as any other sixth.

A file's times are those of tests/durations_full.json, which `--durations-json` writes in the full tier, else those of
the first tier. A shard is a stretch of the collected tests, so that few modules have tests, and set up their fixtures,
in two of them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from tests.durations import FULL, PATH


def parse_shard(text: str) -> tuple[int, int]:
    """Return which shard of how many."""
    found = re.fullmatch(r"(\d+)/(\d+)", text)
    if found is None or not 1 <= int(found[1]) <= int(found[2]):
        raise pytest.UsageError(f"--shard {text}: write 2/6 for the second of six")
    return int(found[1]), int(found[2])


def estimate_times(tests: Sequence[str], files: Mapping[str, Mapping[str, Any]]) -> list[float]:
    """Return how long each test takes: the mean of its file's, or of all where nothing is known of the file."""
    total, count = (sum(file[key] for file in files.values()) for key in ("seconds", "tests"))
    overall = total / count if count else 1.0
    means = {name: file["seconds"] / file["tests"] for name, file in files.items() if file["tests"]}
    return [means.get(test.partition("::")[0], overall) for test in tests]


def cut(times: Sequence[float], shard: int, shards: int) -> range:
    """Return the positions of the tests of a shard: a stretch of all, by the middle of each test's time."""
    if not (total := sum(times)):
        return cut([1.0] * len(times), shard, shards) if times else range(0)
    begun, chosen = 0.0, []
    for position, seconds in enumerate(times):
        middle = begun + seconds / 2
        begun += seconds
        if min(int(middle / total * shards), shards - 1) == shard - 1:
            chosen.append(position)
    return range(chosen[0], chosen[-1] + 1) if chosen else range(0)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--shard", type=parse_shard, metavar="I/N", help="run shard I of N of the tests")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Deselect the tests of other shards, after those of the other tier."""
    if (shard := config.getoption("--shard")) is None:
        return
    files = {}
    for path in (PATH, FULL):
        files |= json.loads(path.read_text())["files"] if path.exists() else {}
    chosen = cut(estimate_times([item.nodeid for item in items], files), *shard)
    config.hook.pytest_deselected(items=[item for position, item in enumerate(items) if position not in chosen])
    items[:] = [items[position] for position in chosen]
