"""Faults of the judge's own code: they accept nothing, and are named in the verdict."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from oracle import Case, DifferenceError, Mode, Outcome, Subject, assert_agrees, compare_outcomes, judge, run_numpy
from oracle.accepted_differences.registry import BY_ID
from oracle.compare import pipeline
from oracle.harness_faults import UNDECIDED
from tests.oracle.corrupted import STRUCTURED

CASE = Case("add", (np.ones(2), 1.0))
WRONG = Outcome(np.array([2.0, 3.0]))
FAULTY = BY_ID["element.uninitialised"]


def boom(*_):
    raise KeyError("boom")


@pytest.fixture
def with_allowances(monkeypatch):
    """Let the judge ask these allowances only."""

    def plant(*allowances):
        monkeypatch.setattr(pipeline.accept_deviations, "__defaults__", (allowances,))

    return plant


@pytest.mark.parametrize("part", ["applies", "holds"])
def test_an_allowance_that_raises_accepts_nothing(with_allowances, part):
    faulty = replace(FAULTY, **{"applies": lambda *_: True, "holds": lambda _: True, part: boom})
    with_allowances(faulty)
    comparison = compare_outcomes(CASE, run_numpy(CASE), WRONG, Mode("eager"))
    assert [difference.kind for difference in comparison.deviations] == ["value"]
    assert comparison.allowed == []
    (fault,) = comparison.harness_faults
    assert (fault.part, fault.error.name, fault.case, str(fault.mode)) == (faulty.id, "KeyError", CASE, "eager@CPU:0")
    assert "test_harness_faults.py" in fault.location or fault.location.startswith("oracle/")


def test_the_allowances_after_it_are_asked(with_allowances):
    accepting = replace(FAULTY, id="accepts", applies=lambda *_: True, holds=lambda _: True)
    with_allowances(replace(FAULTY, applies=boom), accepting)
    comparison = compare_outcomes(CASE, run_numpy(CASE), WRONG, Mode("eager"))
    assert comparison.deviations == []
    assert comparison.allowed == [("accepts", "value")]
    assert len(comparison.harness_faults) == 1


def test_one_that_another_asks_again_is_named(with_allowances, monkeypatch):
    """A fault inside of a comparison with NumPy's answer to another case is that of the inner allowance."""
    inner = replace(FAULTY, id="inner", applies=boom)
    outer = replace(
        FAULTY,
        id="outer",
        applies=lambda *_: True,
        asks_again=True,
        holds=lambda query: not query.compare(Case("add", (np.zeros(2), 1.0))),
    )
    monkeypatch.setattr(pipeline, "ACCEPTING_AT_ONCE", (inner,))
    with_allowances(outer)
    comparison = compare_outcomes(CASE, run_numpy(CASE), WRONG, Mode("eager"))
    assert [fault.part for fault in comparison.harness_faults] == ["inner"]
    assert [difference.kind for difference in comparison.deviations] == ["value"]


def test_what_was_found_before_it_raised_stays(monkeypatch):
    monkeypatch.setattr(pipeline.NumericComparison, "wrong", boom)
    comparison = compare_outcomes(CASE, run_numpy(CASE), Outcome(np.ones(2, np.float32)), Mode("eager"))
    assert [difference.kind for difference in comparison.deviations] == ["dtype"]
    assert len(comparison.harness_faults) == 1


def test_a_check_of_invariants_that_raises_is_undecided(monkeypatch):
    monkeypatch.setattr("oracle.verdict.check_replicas", boom)
    verdict = judge(CASE, ["eager"], "numpy")
    assert not verdict.differs
    assert not verdict.agrees
    assert verdict.undecided == {"eager@CPU:0": UNDECIDED}
    assert [fault.part for fault in verdict.harness_faults] == ["check of invariants"]


def test_a_verdict_has_its_faults_and_prints_nothing(with_allowances, capsys):
    with_allowances(replace(FAULTY, applies=boom))
    subject = Subject("made", type(np)("made"))
    subject.takes_tensors = False
    subject.module.add = lambda x, y: np.add(x, y) + 1
    verdict = judge(CASE, ["eager"], subject)
    assert [difference.kind for difference in verdict.deviations] == ["value"]
    assert [fault.part for fault in verdict.harness_faults] == [FAULTY.id]
    with pytest.raises(DifferenceError, match="value in eager"):
        assert_agrees(np.add, np.ones(2), 1.0, subject=subject)
    assert capsys.readouterr() == ("", "")


class TestPlaces:
    """Answers on which the judge's own code raised."""

    @pytest.mark.parametrize(
        ("case", "answer"),
        [
            (Case("histogram", (np.ones((2, 3)), 3), {"weights": np.ones((2, 3))}), (np.zeros(3), np.zeros(4))),
            (Case("histogram2d", (np.arange(4.0).astype(">f8"),) * 2), (np.ones((10, 10)), *np.ones((2, 11)))),
            (Case("strings.add", (np.array(["a"]), np.array(["b"])), {"out": np.array(["cc"])}), np.array(["ba"])),
            (Case("nanmean", (np.array([1e308, 1e308, 1.0]),), {"dtype": np.longdouble}), np.longdouble(3.0)),
            (Case("matmul", (np.ones((2, 2), np.longdouble), np.ones((2, 2)))), np.zeros((2, 2), np.longdouble)),
            (Case("cov", (np.array([[1e300, -1e300, 0.0], [1e300, 1.0, 0.0]]), None, None)), np.ones((3, 3))),
            (Case("add.reduceat", (np.ones(3), [[0], [1, 2]]), {"out": np.zeros(1)}), KeyError("ragged")),
            (
                Case("power.reduceat", (np.arange(4, dtype=np.uint16), [0, 1], 0, None, np.zeros(2, bool))),
                np.array([True, False]),
            ),
            (Case("digitize", (0.0, [[1.0], [2.0, 3.0]])), KeyError("ragged")),
            (Case("polynomial.polynomial.polyfit", (np.arange(3.0),) * 2 + (1,), {"full": True}), (np.ones(2), [1.0])),
            (Case("shape", (np.ones((2, 3)),)), (2, [3])),
            (Case("linalg.det", (np.eye(2),)), np.array((1, [2.0, 3.0]), STRUCTURED)),
            (Case("polynomial.polynomial.polyroots", (np.array([1.0, 2.0, 3.0]),)), np.array(["a", "b"], "T")),
            (Case("intersect1d", (np.array([[0], [0], [1]]), [10]), {"assume_unique": True}), np.array([[0, 0]])),
            (Case("polyfit", (np.array([np.nan, 1.0]), np.ones(2), 1)), {"a": np.ones(2)}),
            (Case("atleast_1d", (Case("sum", (np.ones(2),)), np.ones(1))), (np.ones(2), np.ones(1))),
            (
                Case("power.reduce", (np.array([2, -1, 3]),), {"initial": 5, "where": np.array([True, False, True])}),
                np.array(7),
            ),
            (Case("isscalar", (3,)), np.array("NaT", "M8[s]")),
        ],
        ids=lambda value: value.name if isinstance(value, Case) else "",
    )
    @pytest.mark.parametrize("mode", ["eager", "graph_dims", "xla"])
    def test_the_judge_does_not_raise(self, case, answer, mode):
        actual = Outcome.raised(answer) if isinstance(answer, Exception) else Outcome(answer, after=case.arrays()[-1:])
        comparison = compare_outcomes(case, run_numpy(case), actual, Mode(mode))
        assert comparison.harness_faults == []
        assert comparison.deviations
