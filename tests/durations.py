"""How long tests take, by file and by execution mode: `tox -e tests -- --durations-json` writes tests/durations.json.

In the full tier `--durations-json` updates tests/durations_full.json, file by file: a shard runs some of them.

A test's time is that of its set-up, call and tear-down on the clock of the wall. The time in which a mode was judged in
the test's own process is told apart; what a sandbox's worker does is not, and counts as the test's alone.
"""

from __future__ import annotations

import json
import os
import platform
import time
from collections import defaultdict
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from oracle import verdict
from tests import tiers

PATH = Path(__file__).with_suffix(".json")
FULL = PATH.with_stem("durations_full")
MODES = "seconds by mode"
SLOWEST = 40  # tests that are listed by name


class Durations:
    """The controller's part: sums of what every worker reports."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.begun = time.monotonic()
        self.tests: dict[str, float] = defaultdict(float)
        self.modes: dict[str, dict[str, float]] = defaultdict(lambda: defaultdict(float))

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.tests[report.nodeid] += report.duration
        if report.when == "teardown":
            for name, value in report.user_properties:
                if name == MODES:
                    for mode, seconds in value.items():
                        self.modes[report.nodeid.partition("::")[0]][mode] += seconds

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        files: dict[str, dict[str, Any]] = {}
        for test, seconds in self.tests.items():
            name = test.partition("::")[0]
            file = files.setdefault(name, {"tests": 0, "seconds": 0.0})
            file["tests"] += 1
            file["seconds"] += seconds
        for name, file in files.items():
            file["seconds"] = round(file["seconds"], 2)
            file["modes"] = {mode: round(spent, 2) for mode, spent in sorted(self.modes[name].items())}
        totals: dict[str, float] = defaultdict(float)
        for by_mode in self.modes.values():
            for mode, seconds in by_mode.items():
                totals[mode] += seconds
        slowest = sorted(self.tests.items(), key=lambda item: -item[1])[:SLOWEST]
        data = {
            "date": datetime.now(UTC).date().isoformat(),
            "machine": describe_machine(),
            "arguments": list(session.config.invocation_params.args),
            "wall_seconds": round(time.monotonic() - self.begun, 1),
            "tests": len(self.tests),
            "seconds": round(sum(self.tests.values()), 1),
            "modes": {mode: round(seconds, 1) for mode, seconds in sorted(totals.items())},
            "slowest": {test: round(seconds, 2) for test, seconds in slowest},
            "files": dict(sorted(files.items(), key=lambda item: -item[1]["seconds"])),
        }
        if self.path == FULL and FULL.exists():  # other shards have told of other files
            data["files"] = {**json.loads(FULL.read_text())["files"], **data["files"]}
        self.path.write_text(json.dumps(data, indent=1) + "\n")


def describe_machine() -> str:
    """Return the processor's name and how many cores this process may use."""
    lines = Path("/proc/cpuinfo").read_text().splitlines() if Path("/proc/cpuinfo").exists() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return f"{names[0] if names else platform.processor() or platform.machine()}, {len(os.sched_getaffinity(0))} cores"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--durations-json",
        nargs="?",
        const=Path(),
        type=Path,
        metavar="FILE",
        help="write how long tests take, by file and mode (default, tests/durations.json, or durations_full.json)",
    )


def pytest_configure(config: pytest.Config) -> None:
    path = config.getoption("--durations-json")
    if path is not None and not hasattr(config, "workerinput"):
        is_default = path == Path()
        config.pluginmanager.register(Durations((FULL if tiers.is_full else PATH) if is_default else path))


@pytest.fixture(autouse=True)
def _time_modes(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Tell apart the time that a test spends in each mode, where this was asked for."""
    if request.config.getoption("--durations-json") is None:
        yield
        return
    spent: dict[str, float] = defaultdict(float)
    judge_in = verdict._judge_in

    def judge_and_time(mode: Any, *arguments: Any) -> None:
        begun = time.monotonic()
        try:
            judge_in(mode, *arguments)
        finally:
            spent[mode.name] += time.monotonic() - begun

    monkeypatch.setattr(verdict, "_judge_in", judge_and_time)
    yield
    if spent:
        request.node.user_properties.append((MODES, dict(spent)))
