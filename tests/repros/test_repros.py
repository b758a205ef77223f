"""Every case here once showed a fault of tfnp's, and was reduced by the fuzzer. None may ever show it again.

A file holds a case as `python -m fuzz` keeps it; its name says which function was at fault, and how.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from fuzz.commands.jury import Jury
from oracle import Case

FILES = sorted(Path(__file__).parent.glob("*.json"))


@pytest.fixture(scope="module")
def jury():
    with Jury("tfnp", ("eager", "graph", "xla"), ("CPU:0",)) as jury:
        yield jury


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_the_fault_is_gone(file, jury):
    case = Case.from_json(file.read_text())
    assert case.name == file.stem.split("-")[0]
    sightings = jury.judge(case)
    assert not sightings, f"{case}: " + "; ".join(
        f"{seen.kind} in {', '.join(seen.modes)}: {seen.detail}" for seen in sightings
    )
