"""Every allowance is needed by its witness, and does not accept its counter-examples."""

from __future__ import annotations

import pytest

from oracle import ALLOWANCES, Mode, Outcome, Reason, run_numpy
from oracle.compare import pipeline
from tests.tables import check_each, each_group, group

COUNTER_EXAMPLES = group(
    [(f"{entry.id}, {number}", exchange) for entry in ALLOWANCES for number, exchange in enumerate(entry.counter)],
    lambda example: example[0].partition(".")[0],
)
"""The counter-examples, with the entry's id and a number, by the first word of the id."""


def compare(exchange, exact_errors=False):
    case, mode = exchange.case, Mode(exchange.mode)
    return pipeline.compare_outcomes(case, run_numpy(case), exchange.outcome(), mode, exact_errors=exact_errors)


def is_numpys_answer(entry):
    """Whether the witness shows no difference on this processor, which one that is live does on all."""
    return not entry.is_live and pipeline.is_identical(run_numpy(entry.witness.case).value, entry.witness.answer)


def test_a_witness_is_allowed():
    check_each(ALLOWANCES, check_witness)


def check_witness(entry):
    comparison = compare(entry.witness)
    assert comparison.differences == []
    assert (entry.id in [allowed for allowed, _ in comparison.allowed]) != is_numpys_answer(entry)


def test_a_witness_needs_its_allowance():
    check_each(ALLOWANCES, check_need)


def check_need(entry):
    others = tuple(other for other in ALLOWANCES if other is not entry)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pipeline, "ALLOWANCES", others)
        patch.setattr(pipeline.accept_departures, "__defaults__", (others,))
        assert (compare(entry.witness).differences != []) != is_numpys_answer(entry)


def test_a_witness_of_another_processor_needs_no_allowance(monkeypatch):
    (entry,) = (entry for entry in ALLOWANCES if entry.id == "reduce.not-in-order")
    monkeypatch.setitem(globals(), "run_numpy", lambda case: Outcome(entry.witness.answer))
    assert is_numpys_answer(entry)
    check_witness(entry)
    check_need(entry)


@each_group("examples", COUNTER_EXAMPLES, 150)
def test_a_counter_example_is_reported(examples):
    check_each(examples, check_counter_example)


def check_counter_example(example):
    _, exchange = example
    assert compare(exchange, exact_errors=True).differences != []


def test_an_entry_says_why():
    check_each(ALLOWANCES, check_reason)


def check_reason(entry):
    assert len(entry.why.split()) >= 6
    assert 0 < entry.most <= 1
    if entry.reason is Reason.TENSORFLOW_FAULT:
        assert entry.link.startswith("https://")
        assert entry.until
