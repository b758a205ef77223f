"""Recorded cases that are judged again: differing, open, mended, flaky and slow ones."""

from __future__ import annotations

import pytest

from fuzz.differences import Difference
from fuzz.engine.regressions import replay_case
from fuzz.triage.recorded_cases import RecordedCase
from oracle import Case

CASE = Case("add", (1, 2))


class Judge:
    """A judge of cases that differ in some modes."""

    def __init__(self, *differing):
        self.differing = differing

    def judge(self, case, modes):
        assert modes
        shown = tuple(mode for mode in modes if mode in self.differing)
        return [Difference(0, 0, "add", "value", shown, "int", "3 is not 4", case.json())] if shown else []


def replay(differing, modes=(), **known):
    return replay_case(
        Judge(*differing), RecordedCase("add-value-0", CASE, "value", ("eager", "xla"), "", **known), modes
    )


@pytest.mark.parametrize(
    ("differing", "known", "changes"),
    [
        ((), {}, []),
        (("graph",), {}, []),
        (("xla",), {}, ["add-value-0 differs in xla: value: 3 is not 4"]),
        (("xla",), {"open": {"xla": "why"}}, []),
        ((), {"open": {"xla": "why"}}, ["add-value-0 is mended in xla: remove it from `open`"]),
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


def test_a_case_is_judged_in_the_modes_asked_for():
    assert replay(("graph",), ("graph",)).back == {"graph": "value: 3 is not 4"}
    assert replay(("graph",), ("graph",), slow={"graph": "why"}).modes == []
