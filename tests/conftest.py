"""For every test: fork servers that start warm, the two tiers, and less garbage collection."""

from __future__ import annotations

import gc
from collections import defaultdict
from pathlib import Path

import pytest

from oracle.sandbox.client import ForkServerClient
from tests import tiers
from tests.warm_start import launch_warm

pytest_plugins = ["tests.durations", "tests.shards"]
TFNP, CASES_OF_TFNP = Path(__file__).parent / "tfnp", 3
"""Tests that trace graphs, and how many cases of each the first tier has where a test does not say."""

FIRST_TIER = "not full"
"""What pyproject.toml has pytest select unless it is told otherwise."""


@pytest.fixture(autouse=True, scope="session")
def _fork_servers_start_warm():
    """Have sandboxes that this process opens forked from one that has imported what they need."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ForkServerClient, "_launch", launch_warm)
        yield


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    tiers.is_full = config.getoption("markexpr") != FIRST_TIER


def pytest_collection() -> None:
    """Collect no garbage while modules are imported and tests are made: nearly all of that stays."""
    gc.disable()


def pytest_collection_finish() -> None:
    """Spare later collections of garbage the million objects that stay until the end."""
    gc.collect()
    gc.freeze()
    gc.enable()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark as `full` all but a few cases, spread evenly, of tests marked by `sample`, and of those of tfnp."""
    cases = defaultdict(list)
    for item in items:
        if item.get_closest_marker("sample") or (TFNP in item.path.parents and not item.get_closest_marker("full")):
            cases[item.nodeid.partition("[")[0]].append(item)
    for every in cases.values():
        mark = every[0].get_closest_marker("sample")
        count = min(len(every), mark.args[0] if mark else CASES_OF_TFNP)
        drawn = {len(every) * number // count for number in range(count)}
        for number, item in enumerate(every):
            if number not in drawn:
                item.add_marker(pytest.mark.full)
