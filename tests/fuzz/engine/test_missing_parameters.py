"""Parameters that signatures lack: read, believed only if Python says the same, each a finding, and never called."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path

import pytest

from fuzz.engine.campaign import Campaign
from fuzz.engine.missing_parameters import draw_call, find_missing, list_missing, make_finding
from fuzz.engine.run_options import Options
from fuzz.sightings import SIGNATURE, find_parameter
from fuzz.triage.output import Archive
from oracle import Case, Subject, run_numpy


@pytest.fixture(scope="module")
def thin():
    spec = importlib.util.spec_from_file_location("thin_arrays", Path(__file__).parents[1] / "thin_arrays.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_what_a_signature_lacks_is_read(thin):
    assert list_missing("cumsum", thin.cumsum) == ("dtype", "out")
    assert list_missing("maximum", thin.maximum) == ("out", "casting", "order", "dtype", "subok", "signature")


def test_a_signature_that_a_decorator_shows_is_not_believed(thin):
    assert list_missing("sqrt", thin.sqrt) == ()


@pytest.mark.parametrize("function", [lambda a, **others: a, len, 3, lambda *args, **kwargs: 0])
def test_what_takes_any_keyword_or_tells_nothing_lacks_nothing(function):
    assert list_missing("cumsum", function) == ()


def test_only_names_that_the_subject_has_are_looked_at(thin):
    found = find_missing(Subject("thin_arrays", thin), ("cumsum", "sqrt", "median"))
    assert found == {"cumsum": ("dtype", "out")}


@pytest.mark.parametrize(
    ("name", "parameter", "missing"),
    [("sum", "out", ("dtype", "out")), ("maximum", "casting", ("out", "casting")), ("clip", "min", ("min", "max"))],
)
def test_the_call_for_a_finding_gives_the_parameter_and_numpy_answers_it(name, parameter, missing):
    case = draw_call(name, parameter, missing)
    assert parameter in case.kwargs
    assert not (set(missing) - {parameter}) & set(case.kwargs)
    assert run_numpy(case).ok
    assert len(str(case)) < 80
    assert draw_call(name, parameter, missing).json() == case.json()


def test_a_finding_is_about_its_parameter():
    finding = make_finding("linalg.norm", "keepdims", ("eager", "xla"), Case("linalg.norm", (1,), {"keepdims": True}))
    assert (finding.kind, find_parameter(finding.detail)) == (SIGNATURE, "keepdims")
    other = make_finding("linalg.norm", "axis", ("eager", "xla"), Case("linalg.norm", (1,), {"axis": 0}))
    assert finding.id != other.id


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """Summaries of a run with signatures and of one without."""
    found = {}
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(Path(__file__).parents[1])
        for signatures in (True, False):
            directory = tmp_path_factory.mktemp("thin") / "run"
            options = Options(("cumsum", "maximum"), cases=64, seed=3, subject="thin_arrays", signatures=signatures)
            Campaign(options, Archive.make(directory).watch).run()
            found[signatures] = json.loads((directory / "summary.json").read_text())
    return found


@pytest.mark.full
def test_each_missing_parameter_is_one_finding_and_hides_nothing_else(runs):
    summary = runs[True]
    assert summary["missing_parameters"]["cumsum"] == ["dtype", "out"]
    rows = [row for row in summary["findings"] if row["kind"] == SIGNATURE]
    assert {(row["name"], find_parameter(row["detail"])) for row in rows} == {
        (name, parameter) for name, missing in summary["missing_parameters"].items() for parameter in missing
    }
    assert {row["count"] for row in rows} == {1}
    others = [row for row in summary["findings"] if row["kind"] != SIGNATURE]
    assert not [row for row in others if find_parameter(row["detail"])]
    assert summary["names"]["exercised"] == 2
    titles = {cause["title"]: cause["names"] for cause in summary["causes"]}
    assert titles["`dtype=` and `out=` are not accepted"] == ["cumsum", "maximum"]


@pytest.mark.full
def test_without_signatures_none_is_told(runs):
    summary = runs[False]
    assert summary["missing_parameters"] == {}
    assert not [row for row in summary["findings"] if find_parameter(row["detail"])]
