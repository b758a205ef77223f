"""Hunts for planted faults on NumPy: campaigns whose subject is NumPy with one fault."""

import pytest

from fuzz.mutants.generated import find_fault
from fuzz.mutants.score import hunt, open_sandbox


@pytest.fixture(scope="module")
def sandbox():
    with open_sandbox("numpy") as opened:
        yield opened


@pytest.mark.parametrize(
    ("fault", "kind"),
    [
        ("median_takes_the_lower_middle", "value"),
        pytest.param("sum/dtype/ignored", "dtype", marks=pytest.mark.full),
        ("sum_raises_a_bare_value_error", "different error"),
    ],
)
def test_a_planted_fault_is_found(sandbox, fault, kind):
    hunted = hunt(sandbox, find_fault(fault), "numpy", 10.0, 1)
    assert kind in {one.kind for one in hunted.findings}
    assert not hunted.failures
