"""What a evidence says of a subject's answer, without the pipeline around it."""

from __future__ import annotations

import numpy as np

from oracle import run_numpy
from oracle.equality.numeric import NumericComparison

PATH = (0,)


def judge_elements(case, value, compiled=False) -> str:
    """Say "equal", "undecided" or "wrong" of an answer, or which allowances leave nothing of what is wrong."""
    outcome = run_numpy(case)
    assert outcome.kind == "ok", outcome
    expected, actual = np.asarray(outcome.value), np.asarray(value)
    assert (expected.dtype, expected.shape) == (actual.dtype, actual.shape), (expected.dtype, actual.dtype)
    evidence = NumericComparison(case, outcome, compiled)
    wrong = evidence.wrong(PATH, expected, actual)
    if not wrong.any():
        return "undecided" if evidence.undecided else "equal"
    taken = []
    for name in ("measured", "order", "flushed"):
        found = getattr(evidence, f"within_{name}")(PATH, expected, actual, wrong)
        assert not (found & ~wrong).any()
        if found.any():
            taken.append(name)
            wrong = wrong & ~found
    return "wrong" if wrong.any() else " ".join(taken)


def left_over(case, value, compiled=False) -> list[str]:
    """The kinds of difference, as `planted.answer` gives them, that neither equality nor an allowance accepts."""
    return ["value"] if judge_elements(case, value, compiled) == "wrong" else []
