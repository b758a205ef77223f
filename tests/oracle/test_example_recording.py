from __future__ import annotations

import json

import numpy as np
import pytest

from oracle import Case, Mode, run_numpy
from oracle.corpus.records import ON_ARRAYS, RecordedOutcome
from oracle.subject import Subject
from tests.oracle.example_recording import NoExample, make_examples

EAGER = Mode("eager")
MIXED_ZEROS = Case("minimum", (np.array([0.0, 1.0]), np.array([-0.0, 2.0])))


class OtherZero:
    """NumPy with the other zero as the minimum of both."""

    @staticmethod
    def minimum(x1, x2):
        return np.where(np.asarray(x1) < np.asarray(x2), x1, x2) + 0.0


def test_a_witness_is_what_the_row_accepts_and_a_counter_example_what_the_judge_reports():
    answer = OtherZero.minimum(*MIXED_ZEROS.args)
    assert np.signbit(answer[0]) != np.signbit(run_numpy(MIXED_ZEROS).value[0])
    lines = make_examples("zero.of-either-sign", MIXED_ZEROS, EAGER, Subject("other", OtherZero))
    witness, counter = (json.loads(line) for line in lines)
    assert [(row.pop("id"), row.pop("role")) for row in (witness, counter)] == [
        ("zero.of-either-sign", "witness"),
        ("zero.of-either-sign", "counter"),
    ]
    assert not RecordedOutcome(json.dumps(witness)).judge().deviations
    assert RecordedOutcome(json.dumps(counter)).judge().deviations


def test_an_answer_that_the_row_does_not_accept_makes_no_example():
    with pytest.raises(NoExample, match="does not accept what arrays answers"):
        make_examples("zero.of-either-sign", MIXED_ZEROS, EAGER, ON_ARRAYS)
