"""Every allowance is needed by its witness, and does not accept its counter-examples."""

from __future__ import annotations

import pytest

from oracle import ALLOWANCES, Mode, Outcome, Reason, run_numpy
from oracle.compare import pipeline

WITH_COUNTERS = [
    pytest.param(entry, exchange, id=f"{entry.id}-{number}")
    for entry in ALLOWANCES
    for number, exchange in enumerate(entry.counter)
]


def compare(exchange):
    case, mode = exchange.case, Mode(exchange.mode)
    return pipeline.compare_outcomes(case, run_numpy(case), exchange.outcome(), mode)


def is_numpys_answer(entry):
    """Whether the witness shows no difference on this processor, which one that is live does on all."""
    return not entry.is_live and pipeline.is_identical(run_numpy(entry.witness.case).value, entry.witness.answer)


@pytest.mark.sample(72)
@pytest.mark.parametrize("entry", ALLOWANCES, ids=lambda entry: entry.id)
def test_a_witness_is_allowed(entry):
    comparison = compare(entry.witness)
    assert comparison.differences == []
    assert (entry.id in [allowed for allowed, _ in comparison.allowed]) != is_numpys_answer(entry)


@pytest.mark.sample(61)
@pytest.mark.parametrize("entry", ALLOWANCES, ids=lambda entry: entry.id)
def test_a_witness_needs_its_allowance(entry, monkeypatch):
    others = tuple(other for other in ALLOWANCES if other is not entry)
    monkeypatch.setattr(pipeline, "ALLOWANCES", others)
    monkeypatch.setattr(pipeline.accept_departures, "__defaults__", (others,))
    assert (compare(entry.witness).differences != []) != is_numpys_answer(entry)


def test_a_witness_of_another_processor_needs_no_allowance(monkeypatch):
    (entry,) = (entry for entry in ALLOWANCES if entry.id == "reduce.not-in-order")
    monkeypatch.setitem(globals(), "run_numpy", lambda case: Outcome(entry.witness.answer))
    assert is_numpys_answer(entry)
    test_a_witness_is_allowed(entry)
    test_a_witness_needs_its_allowance(entry, monkeypatch)


@pytest.mark.sample(47)
@pytest.mark.parametrize(("entry", "exchange"), WITH_COUNTERS)
def test_a_counter_example_is_reported(entry, exchange):
    assert compare(exchange).differences != []


@pytest.mark.parametrize("entry", ALLOWANCES, ids=lambda entry: entry.id)
def test_an_entry_says_why(entry):
    assert len(entry.why.split()) >= 6
    assert 0 < entry.most <= 1
    if entry.reason is Reason.TENSORFLOW_FAULT:
        assert entry.link.startswith("https://")
        assert entry.until
