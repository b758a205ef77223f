"""For every test: fork servers that start warm, cases that the quick suite leaves out, and less garbage collection."""

from __future__ import annotations

import gc
from collections import defaultdict

import pytest

from oracle.sandbox.client import ForkServerClient
from tests.warm_start import launch_warm

pytest_plugins = ["tests.durations"]


@pytest.fixture(autouse=True, scope="session")
def _fork_servers_start_warm():
    """Have sandboxes that this process opens forked from one that has imported what they need."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ForkServerClient, "_launch", launch_warm)
        yield


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
    """Mark as slow what is exhaustive, and all but a few cases, spread evenly, of tests marked by `quick_cases`."""
    cases = defaultdict(list)
    for item in items:
        if item.get_closest_marker("exhaustive"):
            item.add_marker(pytest.mark.slow)
        if item.get_closest_marker("quick_cases"):
            cases[item.nodeid.partition("[")[0]].append(item)
    for every in cases.values():
        (count,) = every[0].get_closest_marker("quick_cases").args
        quick = {len(every) * number // count for number in range(count)}
        for number, item in enumerate(every):
            if number not in quick:
                item.add_marker(pytest.mark.slow)
