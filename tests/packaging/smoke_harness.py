"""What must work where the harness alone was installed, without TensorFlow: a module is judged, from run to report."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
import tempfile
import time
from importlib import metadata
from pathlib import Path

import fuzz
import oracle
from fuzz.schemas import read_schema
from fuzz.upstream.bugs import find_scripts_folder, read_bugs

OTHERS = ("tensorflow", "tfnp", "keras", "jax", "torch")
MODULE = '''
import numpy as np


def roll(a, shift, axis=None):
    """Roll elements along an axis."""
    return np.roll(a, abs(shift), axis)


def flip(m, axis=None):
    """Reverse the order of elements."""
    return np.flip(m, axis)
'''
CASES = 300
FOUND = 1  # the exit status of a run with findings, and of the script of a finding


def check_files() -> None:
    """Check that the wheel has what the packages read, and nothing of how it was built."""
    folder = Path(fuzz.__file__).parent
    assert "site-packages" in folder.parts, folder
    assert Path(oracle.__file__).parents[1] == folder.parent
    assert not [name for name in OTHERS if importlib.util.find_spec(name) is not None]
    assert not [name for name in ("pyproject.toml", "hatch_build.py", "README.md") if (folder / name).exists()]
    assert (folder / "py.typed").exists()
    assert read_schema("summary")
    assert find_scripts_folder() == folder / "upstream" / "scripts"
    assert len(read_bugs(folder / "upstream" / "scripts")) > 100
    assert "fuzz.pytest_plugin" in {one.name for one in metadata.entry_points(group="pytest11")}
    (script,) = metadata.entry_points(group="console_scripts", name="array-oracle")
    assert callable(script.load())


def judge(folder: Path) -> None:
    """Run a campaign against a module with one fault, and the script of what it finds."""
    (folder / "shifts.py").write_text(MODULE)
    words = [
        "--subject",
        "shifts",
        "--values-only",
        "--cases",
        str(CASES),
        "--seed",
        "1",
        "--jobs",
        "1",
        "--out",
        "run",
    ]
    done = subprocess.run([sys.executable, "-m", "fuzz", "run", *words], cwd=folder, check=False)
    assert done.returncode == FOUND, done.returncode
    assert (folder / "run" / "report.html").stat().st_size > 0
    scripts = sorted((folder / "run" / "repros").glob("*.py"))
    assert scripts, "no finding"
    environment = {"PYTHONPATH": str(folder), "PATH": ""}
    for script in scripts:
        shown = subprocess.run([sys.executable, script], capture_output=True, text=True, check=False, env=environment)
        assert shown.returncode == FOUND, shown.stderr
        assert "roll" in script.read_text(), script


def main() -> None:
    """Check the files, judge a module, and print the versions."""
    check_files()
    begun = time.monotonic()
    with tempfile.TemporaryDirectory() as name:
        judge(Path(name))
    versions = [f"{name} {metadata.version(name)}" for name in ("array-oracle", "numpy", "ml_dtypes", "hypothesis")]
    seconds = f"{time.monotonic() - begun:.0f} s from run to report"
    print("works:", f"Python {sys.version.split()[0]},", ", ".join(versions) + ",", seconds)


if __name__ == "__main__":
    main()
