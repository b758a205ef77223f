"""What has become of known findings."""

from __future__ import annotations

import pytest

from fuzz.differences import SIGNATURE, Difference
from fuzz.triage.recorded_cases import make_id, make_recorded
from fuzz.triage.records import CHANGED, FIXED, REGRESSED, STILL, UNDECIDED, Record, decide_status
from oracle import Case

CASE = Case("median", (0.0,), {"out": 1.0})
LACKING = "TypeError: median() got an unexpected keyword argument 'out'"


def known(kind=SIGNATURE, detail=LACKING, **fields):
    return Record("f-0123456789", "median", kind, ("eager",), (CASE,), detail=detail, **fields)


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


PLUS = Case("add", (1, 2))
PLUS_ID = make_id(PLUS, "value")


def replay(differing, modes=("eager", "xla"), **known):
    record = make_recorded(PLUS, "value", ("eager", "xla"), "", **known)
    judged = [mode for mode in modes if mode not in record.slow]
    shown = tuple(mode for mode in judged if mode in differing)
    found = [Difference(0, 0, "add", "value", shown, "int", "3 is not 4", PLUS.json())] if shown else []
    return decide_status(record, found, judged)


@pytest.mark.parametrize(
    ("differing", "known", "changes"),
    [
        ((), {}, []),
        (("graph",), {}, []),
        (("xla",), {}, [f"{PLUS_ID} differs in xla: value: 3 is not 4"]),
        (("xla",), {"open": {"xla": "why"}}, []),
        ((), {"open": {"xla": "why"}}, [f"{PLUS_ID} is mended in xla: remove it from `open`"]),
        (("eager",), {"open": {"xla": "why"}}, None),
        ((), {"open": {"graph": "why"}}, []),
        ((), {"flaky": {"xla": "why"}}, []),
        (("xla",), {"flaky": {"xla": "why"}}, []),
        (("xla",), {"slow": {"xla": "why"}}, []),
        ((), {"flaky": {"xla": "why"}, "open": {"xla": "why"}}, []),
    ],
)
def test_what_is_not_as_recorded_is_said(differing, known, changes):
    found = replay(differing, **known).list_changes()
    if changes is None:
        assert len(found) == 2
    else:
        assert found == changes


def test_an_open_case_that_differs_is_still_there():
    assert replay(("xla",), open={"xla": "why"}).status == STILL
    assert replay((), open={"xla": "why"}).status == FIXED
    assert replay(("eager", "xla"), open={"xla": "why"}).status == REGRESSED
    assert replay(("xla",), flaky={"xla": "why"}).status == FIXED
