"""No measure of the structure grows unnoticed; `python -m tests.structure --accept` records what is meant."""

from __future__ import annotations

from tests.structure import follow_wrong_answers, measure, read_recorded

LINES = 300  # by which a package may grow before somebody looks at it
CALLS = 1.1  # NumPy's functions in Python are among them, and differ from release to release


def test_no_measure_of_the_structure_grows_unnoticed():
    recorded = read_recorded()
    grown = {
        name: (recorded[name], value)
        for name, value in measure().items()
        if value > (recorded[name] + LINES if name.startswith("lines") else recorded[name] * CALLS)
    }
    assert grown == {}


def test_a_wrong_answer_takes_calls_and_returns():
    found = follow_wrong_answers()
    assert all(found.values())
    assert found["calls for a wrong add"] < found["calls for a wrong percentile"]
