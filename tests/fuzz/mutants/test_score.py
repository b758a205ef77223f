"""Hunts for planted faults on NumPy: campaigns whose subject is NumPy with one fault."""

import pytest

from fuzz.mutants import FAULTS
from fuzz.mutants.score import hunt, open_sandbox


@pytest.fixture(scope="module")
def sandbox():
    with open_sandbox("numpy") as opened:
        yield opened


@pytest.mark.parametrize(
    "fault", ["median_takes_the_lower_middle", "sum_ignores_dtype", "sum_raises_a_bare_value_error"]
)
def test_a_planted_fault_is_found(sandbox, fault):
    hunted = hunt(sandbox, FAULTS[fault], "numpy", 10.0, 1)
    assert FAULTS[fault].kind in {one.kind for one in hunted.findings}
    assert not hunted.failures
