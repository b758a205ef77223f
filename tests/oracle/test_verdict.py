"""One case judged: differences by kind, what is accepted, what is raised."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

from oracle import (
    KINDS,
    Case,
    Disagreement,
    Divergence,
    Mode,
    Outcome,
    Verdict,
    check,
    judge,
    judge_siblings,
    reference,
    stale,
)
from oracle import divergences as list_of_divergences
from oracle.comparison import Difference
from oracle.divergences import accepted_by
from oracle.properties import inputs_unharmed, traced_once
from oracle.verdict import DISAGREEMENTS, dtype_class
from tests.oracle.planted import EAGER, subject, verdict

F = np.array([1.0, 2.0], np.float32)
ADD = Case("add", (F, F))


def test_differences_are_grouped_by_kind():
    found = Verdict(ADD, reference(ADD))
    found.differences = [
        Difference("value", Mode("eager"), "first"),
        Difference("dtype", Mode("xla"), "other"),
        Difference("value", Mode("graph", "CPU:1"), "second"),
    ]
    first, second = found.disagreements()
    assert (first.kind, first.modes, first.dtype, first.detail) == ("value", ("eager", "graph"), "float", "first")
    assert (second.kind, second.modes) == ("dtype", ("xla",))
    assert not found.agrees


def test_each_kind_is_an_exception_class_of_its_own():
    assert set(DISAGREEMENTS) == set(KINDS)
    assert len(set(DISAGREEMENTS.values())) == len(KINDS)
    with pytest.raises(DISAGREEMENTS["dtype"], match=r"dtype in eager \[float\]: np.add") as caught:
        check(ADD, [EAGER], subject(add=lambda x, y: np.add(x, y, dtype=np.float64)))
    assert isinstance(caught.value, Disagreement)
    assert caught.value.case is ADD
    check(ADD, ["eager"], "numpy")


def test_siblings_are_judged_each_by_its_own_reference():
    cases = [Case("add", (F + k, F)) for k in range(3)]
    constant = F + F
    verdicts = judge_siblings(cases, ["eager"], subject(add=lambda x, y: constant))
    assert [len(found.differences) for found in verdicts] == [0, 1, 1]
    assert [str(found.case) for found in verdicts] == [str(case) for case in cases]


def test_a_mode_that_has_no_meaning_for_the_subject():
    (found,) = judge_siblings([ADD], ["eager", "graph", "xla"], "numpy")
    assert found.agrees
    assert found.outcomes["graph@CPU:0"].kind == "unsupported"


@pytest.mark.parametrize(
    ("case", "expected"),
    [
        (Case("add", (np.zeros(2, np.float32), np.zeros(2))), "float"),
        (Case("add", (np.zeros(2, np.float16), np.zeros(2, np.int8))), "half+int"),
        (Case("add", (np.zeros(2, np.uint8), np.zeros(2, bool))), "bool+uint"),
        (Case("add", (np.float32(1), 1j)), "float"),
        (Case("add", (np.uint8(1), np.zeros(2, np.int8))), "int+uint"),
        (Case("add", (1, np.zeros(2))), "float"),
        (Case("vecdot", ([0.0, 1j], np.zeros(2))), "complex+float"),
        (Case("concatenate", ([[1], np.zeros(2)],)), "float+int"),
        (Case("sum", (np.zeros(2), np.int64(0))), "float"),
        (Case("zeros", (2,), {"dtype": np.complex64}), "complex"),
        (Case("ndim", ([],)), "float"),
        (Case("ndim", ([(1, 2.0)],)), "float"),
        (Case("ndim", (None,)), "python"),
        (Case("sort", (np.zeros(1, np.longdouble),)), "longdouble"),
        (Case("strings.upper", (np.array(["a"]),)), "str"),
    ],
    ids=str,
)
def test_the_class_of_dtypes(case, expected):
    assert dtype_class(case, reference(case)) == expected


def test_only_inputs_that_numpy_changes_may_be_changed():
    def spoil(a, **kwargs):
        found = np.nanmin(a, **kwargs)
        kwargs["initial"][...] = 7
        return found

    spoilt = Case("nanmin", (None,), {"initial": np.array(0.0), "where": False})
    assert judge(spoilt, ["eager"], "numpy").agrees
    case = Case("nanmin", (F,), {"initial": np.array(0.0)})
    assert judge(case, ["eager"], "numpy").agrees
    assert "inputs changed" in {found.kind for found in judge(case, ["eager"], subject(nanmin=spoil)).differences}


class TestProperties:
    def test_inputs(self):
        assert inputs_unharmed(Outcome(F), EAGER) is None
        assert inputs_unharmed(Outcome(F, changed=(1,)), EAGER).kind == "inputs changed"

    def test_traces(self):
        runner = EAGER.prepare(ADD, subject())
        assert traced_once(runner, 2, EAGER) is None
        runner.traces = 2
        assert traced_once(runner, 2, EAGER).kind == "retrace"


ENTRY = Divergence(
    names=("sin", "cos"),
    kind="value",
    modes=("eager",),
    when=lambda case, difference: np.isinf(case.args[0]).any(),
    why="infinite angles",
    link="https://example.org/1",
    witness=Case("sin", (np.array([np.inf]),)),
    until="99.0",
)


class TestDivergences:
    finite, infinite = Case("sin", (np.array([1.0]),)), ENTRY.witness

    def test_an_entry_covers_what_it_says(self):
        difference = Difference("value", EAGER, "")
        assert accepted_by(self.infinite, difference, [ENTRY]) is ENTRY
        assert accepted_by(self.finite, difference, [ENTRY]) is None
        assert accepted_by(self.infinite, Difference("dtype", EAGER, ""), [ENTRY]) is None
        assert accepted_by(self.infinite, Difference("value", Mode("xla"), ""), [ENTRY]) is None
        assert accepted_by(self.infinite, Difference("value", Mode("lists"), ""), [ENTRY]) is ENTRY
        assert accepted_by(self.infinite, Difference("value", Mode("graph_rank"), ""), [ENTRY]) is None
        assert accepted_by(Case("tan", self.infinite.args), difference, [ENTRY]) is None

    def test_what_is_accepted_is_not_raised(self, monkeypatch):
        monkeypatch.setattr(list_of_divergences, "DIVERGENCES", (ENTRY,))
        found = verdict(self.infinite, sin=np.ones_like)
        assert found.agrees
        assert [entry for _, entry in found.accepted] == [ENTRY]
        assert not verdict(self.finite, sin=np.zeros_like).agrees

    def test_a_witness_that_agrees_again_is_stale(self):
        diverging = subject(sin=np.ones_like)
        assert stale(diverging, [ENTRY], "2.21") == []
        assert "gone from eager" in stale(subject(), [ENTRY], "2.21")[0]

    def test_an_expired_entry_is_stale(self):
        assert "expired" in stale(subject(sin=np.ones_like), [ENTRY], "99.0.1")[0]
        assert stale(subject(sin=np.ones_like), [ENTRY], "98.9") == []


def test_the_front_door_is_cheap():
    program = (
        "import sys, oracle; assert not {'tensorflow', 'numpy'} & set(sys.modules); "
        "[getattr(oracle, name) for name in oracle.__all__]; "
        "oracle.judge(oracle.Case('add', (1, 2)), ['eager'], 'numpy'); assert 'tensorflow' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", program], check=True, timeout=60)


def test_the_front_door_has_no_other_names():
    import oracle

    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = oracle.nothing
    assert set(oracle.__all__) == set(oracle.HOMES)
    assert set(oracle.__all__) <= set(dir(oracle))


@pytest.mark.parametrize(
    "case",
    [
        Case("ravel", (np.array(1, ">u2"),)),
        Case("array_str", (np.array(1.0, ">f8"),)),
        Case("format_float_positional", (np.array(1.5),)),
        Case("ndarray.dtype", (np.array(0, ">i8"),)),
        Case("dtype", (">f4",)),
    ],
    ids=str,
)
def test_numpy_agrees_with_itself_where_a_tensor_holds_an_array_otherwise(case):
    assert judge(case, ["eager"], "numpy").agrees
