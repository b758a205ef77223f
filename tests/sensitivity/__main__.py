"""Plant each fault of faults.toml in a copy of the sources, and say which test notices it.

    python -m tests.sensitivity [ID ...] [--tier tests|full] [--named] [--json FILE]

A fault's own test files run first, up to the first failure; if they notice nothing, then the remaining tests of `tfnp`.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from tests.sensitivity.faults import ROOT, Fault, plant, read_faults

REMAINING = ("tests/tfnp", "tests/repros", "tests/fuzz/testing/test_sandbox_judge.py")
MARKS = {"tests": "not full", "full": ""}
NOTHING_NOTICED = (0, 5)  # exit statuses of pytest: all passed; no tests
LONGEST = 3600.0  # seconds; a test that hangs has noticed the fault
NOT_COPIED = shutil.ignore_patterns(".*", "__pycache__", "build", "dist", "fuzz-out")
FAILURE = re.compile(r"^(?:FAILED|ERROR) (\S+?(?:\[.*?\])?)(?: - .*)?$", re.MULTILINE)
"""A line of pytest's summary. The parameters of a test may contain spaces."""


class Copy:
    """A copy of the sources, which its tests import, as do the processes that these start."""

    def __init__(self, folder: Path) -> None:
        shutil.copytree(ROOT, folder, ignore=NOT_COPIED)
        self.folder = folder
        self._environment = {**os.environ, "PYTHONPATH": str(folder)}
        found = self._run("-c", "from importlib.util import find_spec; print(find_spec('tfnp').origin)").stdout.strip()
        if Path(found) != folder / "tfnp/__init__.py":
            raise RuntimeError(f"tests of the copy in {folder} import {found}")

    def _run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, *arguments],
            cwd=self.folder,
            env=self._environment,
            capture_output=True,
            text=True,
            timeout=LONGEST,
            check=False,
        )

    def find_failures(self, tier: str, *arguments: str) -> list[str]:
        """Return the ids of the tests that fail."""
        try:
            done = self._run("-m", "pytest", "-q", "-p", "no:cacheprovider", "-m", MARKS[tier], *arguments)
        except subprocess.TimeoutExpired:
            return [f"more than {LONGEST:g} s"]
        if done.returncode in NOTHING_NOTICED:
            return []
        failures = FAILURE.findall(done.stdout)
        if not failures:
            raise RuntimeError(f"pytest ends with {done.returncode}:\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}")
        return failures

    def find_noticing(self, fault: Fault, tier: str, *, named: bool) -> str | None:
        """Return the first test that fails when the fault is planted; None if all pass."""
        with plant(fault, self.folder):
            failures = self.find_failures(tier, "-x", *fault.tests)
            if not failures and not named:
                failures = self.find_failures(tier, "-x", *REMAINING, *[f"--ignore={path}" for path in fault.tests])
        return failures[0] if failures else None


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.sensitivity", description=__doc__.partition("\n")[0])
    parser.add_argument("ids", nargs="*", metavar="ID", help="faults; all by default")
    parser.add_argument("--tier", choices=MARKS, default="tests", help="which tests run (default: %(default)s)")
    parser.add_argument("--named", action="store_true", help="run only the test files that a fault names")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the tests that noticed, by fault")
    options = parser.parse_args(arguments)
    unknown = set(options.ids) - {fault.id for fault in read_faults()}
    if unknown:
        parser.error(f"no such fault: {', '.join(sorted(unknown))}")
    return options


def main(arguments: Sequence[str] | None = None) -> int:
    """Return the exit status: 1 if a fault was missed, or if a test fails without one."""
    options = parse(arguments)
    faults = [fault for fault in read_faults() if not options.ids or fault.id in options.ids]
    noticed: dict[str, str | None] = {}
    with tempfile.TemporaryDirectory(prefix="sensitivity-") as folder:
        copy = Copy(Path(folder) / "copy")
        for fault in faults:
            start = time.monotonic()
            test = noticed[fault.id] = copy.find_noticing(fault, options.tier, named=options.named)
            print(f"{fault.id:34} {time.monotonic() - start:5.0f} s  {test or 'MISSED'}", flush=True)
            if options.json:
                options.json.write_text(json.dumps(noticed, indent=1) + "\n")
        tests = sorted({test for test in noticed.values() if test and "::" in test})
        failing = copy.find_failures(options.tier, *tests) if tests else []
    caught = sum(test is not None for test in noticed.values())
    print(f"{caught} of {len(faults)} faults caught, {len(faults) - caught} missed")
    for test in failing:
        print(f"fails without a fault, too: {test}")
    return int(caught < len(faults) or bool(failing))


if __name__ == "__main__":
    sys.exit(main())
