"""Every case here once showed a fault of tfnp's, and was reduced by the fuzzer. None may ever show it again.

A file holds a case as `python -m fuzz` keeps it; its name says which function was at fault, and how.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from fuzz.commands.jury import Jury
from oracle import Case

FILES = sorted(Path(__file__).parent.glob("*.json"))
MODES = ("eager", "graph", "xla", "graph_dims")

HANGING_ON_SIDES = {
    "fft.ihfft-different-error-d1af3135bc": "what `out=` is, is seen before the side that it lacks",
    "full_like-spurious-error-1989c8d22d": "what cannot fill an array may fill one of no elements",
    "piecewise-spurious-error-ca01a758dc": "it calls a function that nothing would call, and that cannot be called",
    "strings.encode-spurious-error-82d136359d": "an encoding that there is not may encode nothing",
}
"""Cases in which NumPy's answer hangs on sides of 0, and a graph that does not know them gives another."""


def is_open(stem, kind):
    """Whether a graph without shapes may differ in this case: the first of all to draw makes a variable, and is traced
    once more for it.
    """
    return stem in HANGING_ON_SIDES or (kind == "retrace" and stem.startswith("random."))


@pytest.fixture(scope="module")
def jury():
    with Jury("tfnp", MODES, ("CPU:0",)) as jury:
        yield jury


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_the_fault_is_gone(file, jury):
    case = Case.from_json(file.read_text())
    assert case.name == file.stem.split("-")[0]
    found = [seen for seen in jury.judge(case) if not (seen.modes == ("graph_dims",) and is_open(file.stem, seen.kind))]
    assert not found, f"{case}: " + "; ".join(
        f"{seen.kind} in {', '.join(seen.modes)}: {seen.detail}" for seen in found
    )
