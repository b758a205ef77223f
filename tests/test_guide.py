"""The guide is a program: what it prints is what it says, in one process that starts TensorFlow itself."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
GUIDE = ROOT / "docs" / "guide.md"
BLOCK = re.compile(r"^```python\n(.*?)^```$(?:\n^```text( timings)?\n(.*?)^```$)?", re.DOTALL | re.MULTILINE)
END_OF_BLOCK = "-- end of a block --"
ENVIRONMENT = {"PYTHONPATH": str(ROOT), "MPLBACKEND": "Agg", "CUDA_VISIBLE_DEVICES": "-1", "TF_CPP_MIN_LOG_LEVEL": "3"}


def program(guide: str) -> str:
    """The guide's Python, every line where it is in the guide, so that a traceback points there."""
    lines, is_code = [], False
    for line in guide.splitlines():
        if line == "```python":
            is_code = True
            lines.append("")
        elif line == "```" and is_code:
            is_code = False
            lines.append(f"print({END_OF_BLOCK!r})")
        else:
            lines.append(line if is_code else "")
    return "\n".join(lines)


def form(timings: str) -> str:
    """What is printed, with any number, however wide."""
    return re.sub(r" *\b\d[\d.]*", " #", timings)


@pytest.fixture(scope="module")
def directory(tmp_path_factory):
    return tmp_path_factory.mktemp("guide")


@pytest.fixture(scope="module")
def printed(directory):
    script = directory / "guide.py"
    script.write_text(program(GUIDE.read_text()))
    run = subprocess.run(
        [sys.executable, script.name],
        cwd=directory,
        env=os.environ | ENVIRONMENT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr[-3000:]
    return run.stdout.split(END_OF_BLOCK + "\n")[:-1]


def test_every_block_prints_what_the_guide_says(printed):
    blocks = BLOCK.findall(GUIDE.read_text())
    assert len(blocks) == len(printed) == GUIDE.read_text().count("```python")
    for (_, is_timed, said), found in zip(blocks, printed, strict=True):
        assert (form(found) if is_timed else found) == (form(said) if is_timed else said)


def test_the_plot_is_written(printed, directory):
    assert (directory / "sigmoid.png").read_bytes().startswith(b"\x89PNG")


def test_numbers_do_not_matter_in_timings():
    assert form("eager    0.123 ms\n") == form("eager 45 ms\n") != form("eager 45 us\n")
