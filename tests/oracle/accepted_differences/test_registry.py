"""Every allowance is needed by its witness, and does not accept its counter-examples."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from oracle import run_numpy
from oracle.compare import pipeline
from oracle.examples import read_examples
from oracle.harness import ACCEPTING, Reason, find_examples
from tests.tables import check_each, each_group, group

COUNTER_EXAMPLES = group(
    [
        (f"{entry.id}, {number}", example)
        for entry in ACCEPTING
        for number, example in enumerate(find_examples(entry.id).counter)
    ],
    lambda example: example[0].partition(".")[0],
)
"""The counter-examples, with the entry's id and a number, by the first word of the id."""


def compare(example, exact_errors=False):
    case, mode = example.case, example.mode
    return pipeline.compare_outcomes(case, run_numpy(case), example.outcome(), mode, exact_errors=exact_errors)


WITNESSES = [(entry, witness) for entry in ACCEPTING for witness in find_examples(entry.id).witnesses]


def is_numpys_answer(entry, witness):
    """Whether the witness shows no difference on this processor, which one that is live does on all."""
    return not entry.is_live and pipeline.is_identical(run_numpy(witness.case).value, witness.outcome().value)


def test_each_allowance_has_examples_and_no_other_id_has():
    assert sorted(read_examples()) == sorted(entry.id for entry in ACCEPTING)


def test_what_is_open_or_another_librarys_fault_has_a_link():
    root = Path(__file__).parents[3]
    for entry in ACCEPTING:
        if entry.reason in (Reason.NUMPY_OPEN, Reason.TENSORFLOW_FAULT):
            assert entry.link.startswith("https://") or (root / entry.link).is_file(), entry.id
    with pytest.raises(ValueError, match="needs a link"):
        replace(next(entry for entry in ACCEPTING if entry.reason is Reason.NUMPY_OPEN), link="")


def test_a_witness_is_allowed():
    check_each(WITNESSES, check_witness)


def check_witness(pair):
    entry, witness = pair
    comparison = compare(witness)
    assert comparison.deviations == []
    assert (entry.id in [allowed for allowed, _ in comparison.allowed]) != is_numpys_answer(entry, witness)


def test_a_witness_needs_its_allowance():
    check_each(WITNESSES, check_need)


def check_need(pair):
    entry, witness = pair
    others = tuple(other for other in ACCEPTING if other is not entry)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pipeline, "ACCEPTING_AT_ONCE", tuple(other for other in others if not other.asks_again))
        patch.setattr(pipeline.accept_deviations, "__defaults__", (others,))
        assert (compare(witness).deviations != []) != is_numpys_answer(entry, witness)


def test_a_witness_of_another_processor_needs_no_allowance(monkeypatch):
    (pair,) = (pair for pair in WITNESSES if pair[0].id == "reduce.not-in-order")
    monkeypatch.setitem(globals(), "run_numpy", lambda case: pair[1].outcome())
    assert is_numpys_answer(*pair)
    check_witness(pair)
    check_need(pair)


@each_group("examples", COUNTER_EXAMPLES, 150)
def test_a_counter_example_is_reported(examples):
    check_each(examples, check_counter_example)


def check_counter_example(example):
    _, wrong = example
    assert compare(wrong, exact_errors=True).deviations != []


def test_an_entry_says_why():
    check_each(ACCEPTING, check_reason)


def check_reason(entry):
    assert len(entry.why.split()) >= 6
    assert 0 < entry.most <= 1
    if entry.reason is Reason.TENSORFLOW_FAULT:
        assert entry.link.startswith("https://")
        assert entry.until
