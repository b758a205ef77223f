"""Functions without a signature: which parameters they take is read in their docstrings, or found out by calls."""

from __future__ import annotations

import inspect
import json
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace

import numpy as np
import pytest

from fuzz.__main__ import main
from fuzz.coverage import look_up_names
from fuzz.differences import SIGNATURE, Difference, drop_parameters, find_parameter
from fuzz.engine.missing_parameters import find_missing, inspect_parameters
from fuzz.engine.parameter_trials import Trials
from fuzz.generate.array_likes import ONLY_ARRAYS
from fuzz.generate.signatures import parameters_in, tells_signature
from fuzz.triage.records import Record
from oracle import Case, Subject, load_subject
from oracle.harness import Death

MISSING = {
    "any": ("out", "keepdims", "where"),
    "argsort": ("kind", "order", "stable"),
    "nanmax": ("out", "keepdims", "initial", "where"),
    "nanprod": ("dtype", "out", "keepdims", "initial", "where"),
    "nansum": ("dtype", "out", "keepdims", "initial", "where"),
}


@pytest.fixture
def folder(monkeypatch):
    """The folder of the planted library, on the path."""
    home = Path(__file__).parents[1]
    monkeypatch.syspath_prepend(home)
    monkeypatch.setenv("PYTHONPATH", str(home))
    return home


@pytest.fixture
def library(folder):
    return load_subject("c_functions")


@pytest.mark.parametrize(
    ("doc", "signature"),
    [
        ("f(a, axis=None)\n\nReturn f(x).", "(a, axis=None)"),
        ("f(a[, axis[, out]])", "(a, axis=None, out=None)"),
        ("f(a, [axis, out])", "(a, axis=None, out=None)"),
        ("f(double a, int axis=0) -> float", "(a, axis=0)"),
        (
            "f(a: array, /, axis: int | None = None, *, keepdims: bool = False) -> array",
            "(a, /, axis=None, *, keepdims=False)",
        ),
        ("package.f(x, shape=(1, 2),\n  where=<no value>)", "(x, shape=(1, 2), where='<no value>')"),
        ("f(x, /[, out], *, where=True, ...)", "(x, /, out=None, *, where=True, **kwargs)"),
        ("f(*args, **kwargs)\nOverloaded function.", "(*args, **kwargs)"),
    ],
)
def test_parameters_are_read_in_the_first_line_of_a_docstring(doc, signature):
    function = make_function(doc)
    assert not tells_signature(function)
    assert str(inspect.Signature(parameters_in(function))) == signature


@pytest.mark.parametrize(
    "doc", [None, "", "Return f(a).", "g(a, axis=None)", "f(a, axis=None", "f([start,] stop)", "f(1)"]
)
def test_any_other_docstring_tells_none(doc):
    assert parameters_in(make_function(doc)) == []


def make_function(doc):
    def call(*args, **kwargs):
        return 0

    call.__name__, call.__doc__, call.__signature__ = "f", doc, 0  # what is no signature raises a TypeError
    return call


def test_functions_without_signature_lack_what_they_reject(library):
    assert find_missing(library, (*MISSING, "flip")) == MISSING


def test_without_calls_only_docstrings_tell(library):
    found, _ = inspect_parameters(library, (*MISSING, "flip"), tries=False)
    assert found == {name: MISSING[name] for name in ("argsort", "nansum")}


def make_library(nansum):
    module = ModuleType("made_by_hand")
    module.ndarray, module.nansum = np.ndarray, nansum
    return Subject("made_by_hand", module)


def test_a_parameter_is_not_lacking_because_its_value_is_rejected():
    def nansum(*args, keepdims=False, **others):
        if others or not isinstance(keepdims, bool):
            raise TypeError(f"incompatible arguments: {', '.join(others) or 'keepdims'}")
        return np.float64(0.0)

    trials = Trials(make_library(nansum), "nansum")
    assert trials.lacks("keepdims") is False
    assert trials.lacks("dtype") is True


def test_a_missing_parameter_is_recognized_in_an_error_that_names_none():
    known = Record(
        "f-0", "nansum", SIGNATURE, ("eager",), detail="TypeError: nansum() got an unexpected keyword argument 'out'"
    )
    shown = Difference(
        0, 0, "nansum", "spurious error", ("eager",), "float", "TypeError: wrong number of arguments", "{}"
    )
    assert known.resembles(shown)
    assert not known.resembles(Difference(0, 0, "nansum", "value", ("eager",), "float", "expected 0, got 1", "{}"))
    named = "TypeError: 'dtype' is an invalid keyword argument for nansum(); NumPy gives 0"
    assert not known.resembles(Difference(0, 0, "nansum", "spurious error", ("eager",), "float", named, "{}"))


BOXES = """
import numpy as np

class Box:
    def __init__(self, data):
        self.data = data

    def to_numpy(self):
        return self.data

    shape = property(lambda self: self.data.shape)

def asarray(a):
    return Box(np.asarray(a))

def make_function(function):
    def call(x, /):
        {check}
        return asarray(function(getattr(x, "data", x)))
    return call

negative, square, cos = map(make_function, (np.negative, np.square, np.cos))
"""


@pytest.mark.parametrize(
    ("check", "takes_only_arrays"), [("x.shape", True), ("pass", False), ("raise TypeError", False)]
)
def test_a_library_that_takes_no_numbers_for_arrays_is_given_arrays(tmp_path, monkeypatch, check, takes_only_arrays):
    name = f"boxes_{len(check)}"
    (tmp_path / f"{name}.py").write_text(BOXES.format(check=check))
    monkeypatch.syspath_prepend(tmp_path)
    names = ("negative", "square", "cos", "asarray")
    _, withheld = inspect_parameters(load_subject(name), names)
    assert {key for key in names if ONLY_ARRAYS in withheld.get(key, ())} == (
        {*names[:3]} if takes_only_arrays else set()
    )
    given = drop_parameters(Case("cos", (0.5,)), withheld.get("cos", ()))
    assert str(given) == ("np.cos(np.array(0.5, np.float64))" if takes_only_arrays else "np.cos(0.5)")


class DyingSandbox:
    """A sandbox whose worker dies of a call that tries a parameter."""

    def run(self, leases):
        (lease,) = leases
        _, tries = lease.items[0]
        return [SimpleNamespace(results=[Death("crash", "", "SIGSEGV") if tries else []])]


def test_a_trial_that_ends_the_worker_is_done_without():
    assert look_up_names(DyingSandbox(), ("nansum",)) == []


@pytest.mark.full
def test_a_library_that_a_trial_kills_is_judged_all_the_same(tmp_path, monkeypatch, capsys):
    source = "import os\nfrom numpy import nansum as numpys, ndarray\n\ndef nansum(a, *args, **kwargs):\n"
    source += "    return os.abort() if 'no_such_parameter' in kwargs else numpys(a, *args, **kwargs)\n"
    (tmp_path / "crashing.py").write_text(source)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    words = ["run", "nansum", "--subject", "crashing", "--cases", "100", "--seed", "1", "--jobs", "1", "--out", "run"]
    assert main(words) == 0, capsys.readouterr().out


@pytest.mark.parametrize("other", [False, pytest.param(True, marks=pytest.mark.full)])
def test_a_missing_parameter_is_one_finding_and_a_wrong_value_still_found(folder, tmp_path, monkeypatch, capsys, other):
    monkeypatch.chdir(tmp_path)
    words = ["run", "nansum", "nanmax", "nanprod", "--subject", "c_functions", "--cases", "300", "--seed", "1"]
    words += ["--signatures", "on"]
    words += ["--python", sys.executable] if other else []
    assert main([*words, "--signatures", "on", "--jobs", "1", "--out", "run"]) == 1
    summary = json.loads(Path("run/summary.json").read_text())
    assert summary["missing_parameters"] == {name: [*MISSING[name]] for name in ("nanmax", "nanprod", "nansum")}
    rows = summary["findings"]
    lacking = [(row["name"], find_parameter(row["detail"])) for row in rows if row["kind"] == SIGNATURE]
    assert sorted(lacking) == sorted((name, key) for name in ("nanmax", "nanprod", "nansum") for key in MISSING[name])
    assert not [row for row in rows if "argument" in row["detail"] and row["kind"] != SIGNATURE]
    assert {row["name"] for row in rows if row["kind"] == "value"} == {"nanmax"}
