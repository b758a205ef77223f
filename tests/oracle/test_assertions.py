"""What a stranger's test suite uses."""

from __future__ import annotations

import types

import numpy as np
import pytest

import oracle
from oracle import DifferenceError, NotJudged, assert_agrees, call, check, harness, judge

X = np.array([3.0, 1.0, 2.0])


def planted(**functions):
    module = types.ModuleType("mine")
    module.__getattr__ = lambda name: getattr(np, name)
    for name, function in functions.items():
        setattr(module, name, function)
    return module


@pytest.mark.parametrize(
    ("function", "name"),
    [
        (np.roll, "roll"),
        ("roll", "roll"),
        (np.linalg.norm, "linalg.norm"),
        (np.add, "add"),
        (np.add.reduce, "add.reduce"),
        (np.ndarray.sort, "ndarray.sort"),
        (np.fft.fft, "fft.fft"),
        (np.polynomial.Polynomial, "polynomial.Polynomial"),
    ],
)
def test_a_call_is_a_case(function, name):
    case = call(function, X, 1, axis=0)
    assert (case.name, case.args[1], case.kwargs) == (name, 1, {"axis": 0})


def test_what_numpy_lacks_is_no_case():
    with pytest.raises(ValueError, match="did you mean median"):
        call("medain", X)
    with pytest.raises(ValueError, match="no function of NumPy's"):
        call(len, X)
    with pytest.raises(TypeError, match="a function of NumPy's or its name"):
        call(3, X)


def test_what_was_not_judged_does_not_pass():
    module = types.ModuleType("masking")
    module.log, module.ndarray = np.ma.log, np.ndarray
    with pytest.raises(NotJudged, match="was not judged in eager@CPU:0: the answer is masked there"):
        assert_agrees(np.log, -1.0, subject=module)
    with pytest.raises(ValueError, match="numpy has no mode 'graph'; it has eager"):
        assert_agrees(np.roll, [0.0, 1.0], 1, subject="numpy", modes=("graph",))
    assert issubclass(NotJudged, AssertionError)
    assert issubclass(DifferenceError, AssertionError)


def test_a_live_module_is_judged():
    wrong = planted(roll=lambda a, shift: np.roll(a, -shift))
    with pytest.raises(DifferenceError, match=r"np\.roll"):
        assert_agrees(np.roll, X, 1, subject=wrong)
    with pytest.raises(DifferenceError, match=r"np\.roll"):
        check(call(np.roll, X, 1), subject=wrong)
    verdict = judge(call(np.roll, X, 1), ["eager"], wrong)
    assert [difference.kind for difference in verdict.deviations] == ["value"]


def make_function(name, module="mine"):
    def function(*args):
        return args

    function.__name__ = function.__qualname__ = name
    function.__module__ = module
    return function


@pytest.mark.parametrize(
    ("function", "hint"),
    [
        (
            make_function("median"),
            "median is no function of NumPy's that the oracle judges; pass np.median, and the module",
        ),
        (make_function("norm", "mine.linalg"), "; pass np.linalg.norm, and"),
        (make_function("matrix_rank"), "; pass np.linalg.matrix_rank, and"),
        (make_function("medain"), "judges$"),
    ],
)
def test_a_function_of_the_subjects_own_is_told_what_to_pass(function, hint):
    with pytest.raises(ValueError, match=hint):
        assert_agrees(function, X, subject="numpy")


@pytest.mark.parametrize(("function", "error"), [(np.roll, DifferenceError), (make_function("roll"), ValueError)])
def test_a_traceback_ends_at_the_callers_line(function, error):
    wrong = planted(roll=lambda a, shift: np.roll(a, -shift))
    with pytest.raises(error) as shown:
        assert_agrees(function, X, 1, subject=wrong)
    assert [entry.path.name for entry in shown.traceback.filter(shown)] == ["test_assertions.py"]
    assert len(shown.traceback) > 1


def test_the_first_names_are_those_that_everybody_needs():
    first = ["Case", "call", "judge", "check", "assert_agrees", "Mode", "Subject", "Verdict", "Deviation"]
    assert oracle.__all__[: len(first)] == first
    assert set(oracle.__all__).isdisjoint(harness.__all__)


def test_the_subject_may_be_that_of_the_project(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(TypeError, match=r"name it in \[tool\.fuzz\]"):
        assert_agrees(np.sort, X)
    (tmp_path / "sorts_down.py").write_text("import numpy as np\ndef sort(a): return np.sort(a)[::-1].copy()\n")
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "pyproject.toml").write_text('[tool.fuzz]\nsubject = "sorts_down"\nmodes = ["eager"]\n')
    with pytest.raises(DifferenceError, match="value"):
        assert_agrees(np.sort, X)
    assert_agrees(np.sort, X, subject=np)
