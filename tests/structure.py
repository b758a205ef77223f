"""Measures of the structure: `python -m tests.structure` prints them beside the recorded ones, `--accept` records them.

A plainly wrong answer is followed through the judge: how many calls it takes, and how often it returns to a file that
it had left. The others are counted in the sources. None of them grows unnoticed: see `tests/test_structure.py`.
"""

from __future__ import annotations

import ast
import json
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np

from oracle import Case, Mode, Outcome, compare_outcomes, run_numpy

ROOT = Path(__file__).parents[1]
RECORDED = ROOT / "tests/structure.json"
PACKAGES = ("tfnp", "oracle", "fuzz", "tests")
HARNESS = ("oracle", "fuzz")
RARE_MODE = '"xla_dims"'  # a mode that only what concerns it names
ROW = np.linspace(0.0, 1.0, 10)
MATRIX = np.array([[4.0, 1.0, 2.0], [1.0, 3.0, -1.0], [2.0, -1.0, 5.0]])
WRONG = {
    "percentile": (Case("percentile", (ROW, 30)), 0.1, Mode("graph")),
    "add": (Case("add", (ROW, ROW)), 0.1, Mode("eager")),
    "linalg.inv": (Case("linalg.inv", (MATRIX,)), 1e-6, Mode("eager")),
}
"""Calls, by how much an answer is wrong, and in which mode."""


def measure() -> dict[str, int]:
    """Return every measure by its name."""
    found = {f"lines of {package}": sum(map(_count_lines, _list_sources(package))) for package in PACKAGES}
    classes = Counter(name for package in HARNESS for path in _list_sources(package) for name in _list_classes(path))
    found["class names that stand twice"] = sum(count > 1 for count in classes.values())
    texts = [path.read_text(encoding="utf-8") for package in HARNESS for path in _list_sources(package)]
    found["files that name a mode"] = sum(RARE_MODE in text for text in texts)
    return found | _count_commands() | follow_wrong_answers()


def _count_commands() -> dict[str, int]:
    from fuzz.__main__ import program

    return {"commands": len(program.commands), "options of run": len(program.commands["run"].params)}


def follow_wrong_answers() -> dict[str, int]:
    """Return the calls of Python functions that each wrong answer takes in the judge, and the returns to a file."""
    found: dict[str, int] = {}
    for name, (case, error, mode) in WRONG.items():
        expected = run_numpy(case)
        answer = Outcome(np.asarray(expected.value) + error)
        compare_outcomes(case, expected, answer, mode)  # what is cached once counts for nobody
        files: list[str] = []
        calls = 0

        def follow(frame, event, argument, files=files):
            nonlocal calls
            if event == "call":
                calls += 1
                path = frame.f_code.co_filename
                if "/oracle/" in path and (not files or files[-1] != path):
                    files.append(path)

        sys.setprofile(follow)
        try:
            compare_outcomes(case, expected, answer, mode)
        finally:
            sys.setprofile(None)
        found[f"calls for a wrong {name}"] = calls
        found[f"returns for a wrong {name}"] = len(files) - len(set(files))
    return found


def _list_sources(package: str) -> list[Path]:
    return sorted((ROOT / package).rglob("*.py"))


def _count_lines(path: Path) -> int:
    return len(path.read_text(encoding="utf-8").splitlines())


def _list_classes(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ClassDef):
            yield node.name


def read_recorded() -> Mapping[str, int]:
    """Return the recorded measures."""
    return json.loads(RECORDED.read_text(encoding="utf-8"))


def main() -> None:
    """Print each measure beside the recorded one; record them with --accept."""
    found = measure()
    recorded = read_recorded() if RECORDED.exists() else {}
    for name, value in found.items():
        sys.stdout.write(f"{name:32} {value:8,} {recorded.get(name, 0):8,}\n")
    if "--accept" in sys.argv:
        RECORDED.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
