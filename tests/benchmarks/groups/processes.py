"""What whole processes cost: imports, the replay of one case, a campaign; beside the import of TensorFlow."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from oracle import Case
from tests.benchmarks.measurement import Group, Row


def rows(n: int) -> Iterator[Row]:
    cases = max(n // 200, 10)
    campaign = ("--subject", "numpy", "--modes", "eager", "--jobs", "1", "--seed", "1", "--cases", str(cases))
    tensorflow = {"import tensorflow": start("-c", "import tensorflow")}
    tfnp, run = start("-c", "import tfnp"), start("-m", "fuzz", "run", *campaign)
    replay = start("-m", "fuzz", "replay", "case.json", "--modes", "eager")
    yield Row("import tfnp", {"tfnp": tfnp, **tensorflow}, "Processes")
    yield Row("fuzz replay, one case", {"fuzz replay": replay, **tensorflow}, "Processes")
    yield Row(f"fuzz run, {cases} cases", {"fuzz run": run, **tensorflow}, "Processes")


def start(*arguments: str) -> Callable[[], int]:
    """Return a call that runs Python with these arguments, in a folder that has nothing but a case."""
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}

    def run() -> int:
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "case.json").write_text(Case("add", (1.0, 2.0)).json())
            command = [sys.executable, *arguments]
            subprocess.run(command, cwd=folder, env=environment, capture_output=True, check=True)
        return 0

    return run


GROUP = Group(
    "Processes",
    "Whole processes, with all below them: imports, the replay of one case, and a campaign of 5,000 cases in which "
    "NumPy is judged against itself, so that what is measured is the harness.",
    rows,
    in_processes=True,
)
