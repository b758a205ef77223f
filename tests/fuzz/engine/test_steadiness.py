"""Subjects that answer otherwise the first time: the same seed gives the same files, and says what they are."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from fuzz.differences import UNSTABLE, Difference
from fuzz.engine.campaign import Campaign
from fuzz.engine.run_options import Options
from fuzz.engine.tasks import _look_twice
from oracle import Case

pytestmark = pytest.mark.full

UNTIMED = {"provenance", "seconds", "cases_per_core_second", "core_seconds", "core_seconds_by_name", "spent", "work"}


def run(jobs, *names):
    options = Options(names=names, cases=1600, seed=3, subject="planted_states", modes=("eager",), jobs=jobs)
    return Campaign(options).run()


def results(summary):
    data = {key: value for key, value in summary.data().items() if key not in UNTIMED}
    return json.dumps(data, sort_keys=True)


@pytest.fixture(scope="module")
def summaries():
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(Path(__file__).parents[1])
        return [run(jobs, "square") for jobs in (1, 2, 2)]


def test_what_hangs_on_the_state_of_a_process_is_found_however_many_there_are(summaries):
    one, *others = map(results, summaries)
    assert others == [one, one]


def test_what_is_wrong_at_first_is_nondeterminism_and_what_stays_wrong_is_that(summaries):
    kinds = {finding.kind: finding for finding in summaries[0].findings}
    assert {"value", UNSTABLE} <= set(kinds)
    assert "different error" not in kinds
    unstable = kinds[UNSTABLE]
    assert "SystemError: the first conversion" in unstable.detail
    assert (unstable.reduced, unstable.reproduced) == (True, True)
    assert sum(array.size for array in unstable.minimal.arrays()) <= 1
    assert any(finding.reproduced for finding in summaries[0].findings if finding.kind == "value")


def test_what_agrees_ever_after_is_nondeterminism(monkeypatch):
    monkeypatch.syspath_prepend(Path(__file__).parents[1])
    summary = run(1, "negative")
    assert {finding.kind for finding in summary.findings} == {UNSTABLE}


def difference(kind):
    return Difference(0, 0, "add", kind, ("eager",), "float", f"a {kind}", Case("add", (1, 2)).json())


@pytest.mark.parametrize(
    ("fresh", "looks", "target", "unstable"),
    [
        (False, [["value"]], "value", None),
        (False, [["dtype"], ["value"]], "value", None),
        (False, [["dtype"], []], None, None),
        (True, [["value"], ["value"]], "value", None),
        (True, [["different error", UNSTABLE], ["value"]], "value", f"a {UNSTABLE}"),
        (True, [["value"], []], None, "value at first, agrees the next time: a value"),
        (True, [[], ["value"]], "value", "agrees at first, value the next time: a value"),
        (True, [["dtype"], ["dtype"]], None, None),
    ],
)
def test_a_difference_is_looked_at_again_and_in_a_fresh_process_always(fresh, looks, target, unstable):
    seen = [[difference(kind) for kind in kinds] for kinds in looks]
    found, other = _look_twice(difference("value"), lambda: seen.pop(0), fresh)
    assert (found and found.kind) == target
    assert (other and other.detail) == unstable
    assert other is None or (other.kind, other.cold) == (UNSTABLE, True)
    assert not seen
