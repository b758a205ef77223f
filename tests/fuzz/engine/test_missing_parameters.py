"""Parameters that signatures lack: read, believed only if Python says the same, each a finding, and never called."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from fuzz.differences import SIGNATURE, drop_from_program, drop_parameters, find_parameter
from fuzz.engine.campaign import Campaign
from fuzz.engine.missing_parameters import (
    draw_call,
    inspect_parameters,
    join_parameters,
    list_missing,
    list_withheld,
    make_finding,
)
from fuzz.engine.run_options import Options
from fuzz.mutants import FAULTS, plant
from fuzz.triage.ledger import Finding
from fuzz.triage.output import Archive
from oracle import Adapter, Case, Subject, run_numpy


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


def forward(a, axis=None, **kwargs):
    """Return the sum.

    `out` is where it is written to, dtype=None its dtype; where the axis is None, in order of C.

    keepdims, initial : whatever NumPy's are
    """


def silent(a, axis=None, **kwargs):
    """Return the sum."""


def swapped(a, out=None, axis=None, dtype=None, keepdims=False, initial=0, where=True):
    """Has NumPy's parameters in another order."""


UFUNC_OPTIONS = ("where", "casting", "order", "dtype", "subok", "signature")


@pytest.mark.parametrize(
    ("name", "function", "withheld"),
    [
        ("sum", np.sum, ()),
        ("sum", forward, ("where", "after 6")),
        ("sum", silent, ("dtype", "out", "keepdims", "initial", "where", "after 2")),
        ("sum", lambda a, axis=None: a, ("after 2",)),
        ("sum", swapped, ("after 1",)),
        ("sum", lambda array, axis=None, dtype=None, out=None, keepdims=0, initial=0, where=1: 0, ("after 7",)),
        ("median", lambda a, axis=None, keepdims=False: a, ("after 2",)),
        ("median", lambda a, weights=None: a, ("after 1",)),
        ("clip", lambda a, lower, upper, out=None, min=None, max=None: a, (*UFUNC_OPTIONS, "after 4")),
        ("clip", np.clip, ()),
        (
            "pad",
            lambda array, pad_width, mode="constant", constant_values=0: 0,
            ("stat_length", "end_values", "reflect_type", "after 3"),
        ),
        ("add", lambda x1, x2, /, *args, **kwargs: 0, ("out", *UFUNC_OPTIONS, "after 2")),
        ("add", lambda one, other: 0, ("after 2",)),
        ("add.reduce", lambda array, axis=0, dtype=None: 0, ("keepdims", "initial", "where", "after 3")),
        ("add.outer", lambda a, b: 0, ("out", *UFUNC_OPTIONS, "after 2")),
        ("sum", len, ()),
        ("sum", lambda *args, **kwargs: args, ()),
        ("median", plant(FAULTS["median_takes_the_lower_middle"], np, "wrong").median, ()),
    ],
)
def test_what_is_not_documented_or_would_mean_something_else_is_withheld(name, function, withheld):
    missing = list_missing(name, function)
    assert set(list_withheld(name, function, missing)) == set(withheld)


@pytest.mark.parametrize(
    ("function", "call", "given"),
    [
        (
            lambda a, axis=None, keepdims=False: a,
            "median(0.0, None, None, False, True)",
            "median(0.0, None, keepdims=True)",
        ),
        (lambda a, axis=None, keepdims=False: a, "median(a=0.0, axis=0)", "median(a=0.0, axis=0)"),
        (lambda x, axis=None: x, "median(a=0.0, axis=0, out=None)", "median(0.0, axis=0)"),
        (lambda a, out=None, axis=None: a, "median(0.0, 0)", "median(0.0, axis=0)"),
        (lambda a, lower, upper: a, "clip(0.0, a_min=1, a_max=2, casting='no')", "clip(0.0, 1, 2)"),
        (lambda a, lower, upper: a, "clip(0.0, 1, 2, None)", "clip(0.0, 1, 2)"),
        (lambda x1, x2, /, **kwargs: 0, "add(1, 2, None, where=True)", "add(1, 2)"),
    ],
)
def test_a_parameter_is_given_in_its_position_or_by_keyword_or_not_at_all(function, call, given):
    name = call.partition("(")[0]
    missing = list_missing(name, function)
    never = (*missing, *list_withheld(name, function, missing))
    case = eval(call, {name: lambda *args, **kwargs: Case(name, args, kwargs)})
    assert str(drop_parameters(case, never)) == f"np.{given}"


def test_keywords_that_numpys_signature_does_not_tell_are_dropped_by_the_name_of_all():
    case = Case("clip", (0.0, 0, 1), {"casting": "unsafe", "dtype": float})
    assert str(drop_parameters(case, ("kwargs",))) == "np.clip(0.0, 0, 1)"


def test_calls_within_programs_go_without_what_is_never_given():
    program = Case("sum", (Case("median", (0.0, None, None), {"keepdims": True}), None), {"dtype": "f4"})
    assert str(drop_from_program(program, {"median": ("out", "after 2"), "sum": ("dtype",)})) == (
        "np.sum(np.median(0.0, None, keepdims=True), None)"
    )
    assert drop_from_program(program, {}) is program


def test_what_an_adapter_declares_as_lacking_is_never_given_either():
    module = ModuleType("boxes")
    module.median = lambda a, axis=None, out=None, keepdims=False: a
    adapter = Adapter(imports="", module="np", array="np.ndarray", lacks=frozenset({"out"}))
    subject = Subject("boxes", module, adapter)
    subject.module = module
    never = join_parameters(*inspect_parameters(subject, ("median",)))
    assert never["median"] == ("overwrite_input", "out", "after 2", "after 3")


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


def test_a_missing_parameter_is_the_same_finding_whatever_the_modes():
    case = Case("linalg.norm", (1,), {"keepdims": True})
    ids = {make_finding("linalg.norm", "keepdims", modes, case).id for modes in (("eager",), ("eager", "graph", "xla"))}
    assert len(ids) == 1
    shown = [
        Finding("linalg.norm", "value", modes, "float", "expected 1, got 2", case) for modes in (("eager",), ("xla",))
    ]
    assert shown[0].id != shown[1].id


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """Summaries of a run with signatures and of one without."""
    found = {}
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(Path(__file__).parents[1])
        for signatures in (True, False):
            directory = tmp_path_factory.mktemp("thin") / "run"
            options = Options(
                ("cumsum", "maximum"), modes=("eager",), cases=64, seed=3, subject="thin_arrays", signatures=signatures
            )
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
