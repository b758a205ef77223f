"""What has become of known findings."""

from __future__ import annotations

import pytest

from fuzz.differences import SIGNATURE, Difference
from fuzz.triage.known_cases import CHANGED, FIXED, REGRESSED, STILL, UNDECIDED, KnownFinding, decide_status
from oracle import Case

CASE = Case("median", (0.0,), {"out": 1.0})
LACKING = "TypeError: median() got an unexpected keyword argument 'out'"


def known(kind=SIGNATURE, detail=LACKING, **fields):
    return KnownFinding("f-0123456789", "median", kind, ("eager",), (CASE,), detail=detail, **fields)


def seen(kind, detail, symptom=""):
    return Difference(0, 0, "median", kind, ("eager",), "float", detail, CASE.json(), symptom=symptom)


@pytest.mark.parametrize(
    ("finding", "differences", "status"),
    [
        (known(), [seen("spurious error", f"{LACKING}; NumPy gives 0.0")], STILL),
        (known(is_fixed=True), [seen("spurious error", f"{LACKING}; NumPy gives 0.0")], REGRESSED),
        (known(), [seen("spurious error", LACKING.replace("out", "axis"))], CHANGED),
        (known(), [seen("value", "expected 0.0, got 1.0")], CHANGED),
        (known(), [], FIXED),
        (known(), None, UNDECIDED),
        (known("value", "expected 0.0, got 1.0"), [seen("value", "expected 0.0, got 2.0", "other value")], STILL),
        (known("value", "", symptom="nan lost"), [seen("value", "", "other value")], CHANGED),
        (known("value", ""), [seen("dtype", "")], CHANGED),
    ],
)
def test_the_status_is_that_of_what_the_cases_show(finding, differences, status):
    assert decide_status(finding, differences).status == status
