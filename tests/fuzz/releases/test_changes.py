from __future__ import annotations

import numpy as np
import pytest

from fuzz.releases.answerer import Answerer, ReleaseAnswer
from fuzz.releases.changes import find_changes, find_differences
from fuzz.releases.environments import Unavailable
from oracle import Case, Outcome
from oracle.execution.convert import Foreign
from oracle.harness import NAMES
from oracle.reference.outcome import Raised
from tests.fuzz.releases.libraries import NEW, OLD, make_release


@pytest.fixture(scope="module")
def releases(tmp_path_factory):
    folder = tmp_path_factory.mktemp("releases")
    pythons = [make_release(folder / name, source) for name, source in (("old", OLD), ("new", NEW))]
    with Answerer(pythons[0], "changing_library") as old, Answerer(pythons[1], "changing_library") as new:
        yield old, new


def test_what_changes_is_found_and_reduced(releases):
    changes = find_changes(*releases, NAMES, 60.0, most=480)
    found = {(change.name, change.kind): change for change in changes.found}
    assert found.keys() == {
        ("roll", "value"),
        ("median", "dtype"),
        ("trace", "spurious error"),
        ("diff", "warning"),
        ("tile", "crash"),
    }
    assert found["roll", "value"].numpy == "new"
    assert found["median", "dtype"].numpy == "old"
    assert str(found["trace", "spurious error"].new) == "ValueError: no such diagonal"
    assert found["diff", "warning"].symptom == "FutureWarning: a difference of order N at N"
    assert found["diff", "warning"].old == "no warning"
    assert found["tile", "crash"].new == "crash"
    assert all(len(str(change.case)) < 60 for change in found.values())
    assert (changes.added, changes.removed) == (["fliplr"], ["ptp"])
    assert changes.names == 6
    assert changes.calls == 480


def test_changes_are_grouped_the_worst_first(releases):
    groups = find_changes(*releases, ("roll", "trace", "diff"), 60.0, most=300).group()
    kinds = [example.kind for example, _ in groups]
    assert kinds[:1] == ["value"]
    assert kinds.index("spurious error") < kinds.index("warning")
    assert all(names == [example.name] for example, names in groups)


def test_a_process_that_dies_answers_the_next_call(releases):
    _, new = releases
    assert new.ask(Case("tile", ([1.0], 0))).outcome.kind == "crash"
    assert new.ask(Case("flipud", ([1.0],))).outcome.value.tolist() == [1.0]


def test_rounding_is_no_change():
    case = Case("sum", ([0.1, 0.2, 0.3],))
    assert find_differences(case, ReleaseAnswer(Outcome(0.6)), ReleaseAnswer(Outcome(0.6000000000000001))) == []
    assert [one.kind for one in find_differences(case, ReleaseAnswer(Outcome(0.6)), ReleaseAnswer(Outcome(0.7)))] == [
        "value"
    ]


def test_objects_of_the_library_differ_by_class():
    case = Case("result_type", (np.float64,))
    answers = [ReleaseAnswer(Outcome(Foreign(kind))) for kind in ("dtype", "dtype", "finfo")]
    assert find_differences(case, answers[0], answers[1]) == []
    assert [one.kind for one in find_differences(case, answers[0], answers[2])] == ["structure"]


def test_errors_differ_by_class():
    case = Case("sum", ([0.1],), {"axis": 3})
    answers = [
        ReleaseAnswer(Outcome(kind="error", error=Raised.of(error)))
        for error in (ValueError("axis 3"), ValueError("axis three"), TypeError("axis 3"))
    ]
    assert find_differences(case, answers[0], answers[1]) == []
    assert [one.kind for one in find_differences(case, answers[0], answers[2])] == ["different error"]


def test_a_library_that_cannot_be_imported_is_told(tmp_path):
    python = make_release(tmp_path / "broken", "raise ImportError('no libcuda.so')\n")
    with (
        pytest.raises(Unavailable, match=r"changing_library cannot be judged .*no libcuda\.so"),
        Answerer(python, "changing_library"),
    ):
        pass
