"""One case judged: differences by kind, what is accepted, what is raised."""

from __future__ import annotations

import dataclasses
import subprocess
import sys
from dataclasses import replace
from functools import partial
from types import ModuleType

import ml_dtypes
import numpy as np
import pytest

from oracle import (
    RETURNED,
    Adapter,
    Case,
    Deviation,
    DifferenceError,
    Mode,
    Outcome,
    Verdict,
    audit,
    check,
    compare_outcomes,
    judge,
    run_numpy,
)
from oracle.accepted_differences.model import Query, always
from oracle.compare.pipeline import accept_deviations
from oracle.corpus.records import RecordedOutcome
from oracle.equality.numeric import NumericComparison
from oracle.examples import Example, Examples
from oracle.execution.convert import Foreign
from oracle.execution.modes import ModeNotOffered, prepare_case
from oracle.execution.native import library_of
from oracle.harness import KINDS, Allowance, Reason, find_stale, judge_siblings
from oracle.invariants import check_inputs, check_traces
from oracle.subject import Subject
from oracle.verdict import ERRORS, TOO_LARGE, dtype_class
from tests.oracle.planted import EAGER, subject

F = np.array([1.0, 2.0], np.float32)
ADD = Case("add", (F, F))


def test_differences_are_grouped_by_kind():
    found = Verdict(ADD, run_numpy(ADD))
    found.deviations = [
        Deviation("value", "first", mode=Mode("eager")),
        Deviation("dtype", "other", mode=Mode("xla")),
        Deviation("value", "second", mode=Mode("graph", "CPU:1")),
    ]
    first, second = found.list_errors()
    assert (first.kind, first.modes, first.dtype, first.detail) == ("value", ("eager", "graph"), "float", "first")
    assert (second.kind, second.modes) == ("dtype", ("xla",))
    assert not found.agrees


def test_each_kind_is_an_exception_class_of_its_own():
    assert set(ERRORS) == set(KINDS)
    assert len(set(ERRORS.values())) == len(KINDS)
    with pytest.raises(ERRORS["dtype"], match=r"dtype in eager \[float\]: np.add") as caught:
        check(ADD, [EAGER], subject(add=lambda x, y: np.add(x, y, dtype=np.float64)))
    assert isinstance(caught.value, DifferenceError)
    assert caught.value.case is ADD
    check(ADD, ["eager"], "numpy")


def test_a_difference_is_written_when_it_is_read(monkeypatch):
    """The text of a large case takes seconds, and whoever groups differences needs none."""
    found = Verdict(ADD, run_numpy(ADD), deviations=[Deviation("value", "first", mode=Mode("eager"))])
    with monkeypatch.context() as patch:
        patch.setattr(Case, "__str__", pytest.fail)
        (difference,) = found.list_errors()
    assert str(difference) == f"value in eager [float]: {ADD}: first"


def test_siblings_are_judged_each_by_its_own_reference():
    cases = [Case("add", (F + k, F)) for k in range(3)]
    constant = F + F
    verdicts = judge_siblings(cases, ["eager"], subject(add=lambda x, y: constant))
    assert [len(found.deviations) for found in verdicts] == [0, 1, 1]
    assert [str(found.case) for found in verdicts] == [str(case) for case in cases]


def test_an_answer_too_large_to_compare_is_undecided_and_the_subject_is_not_asked(monkeypatch):
    monkeypatch.setattr("oracle.verdict.LARGEST_ANSWER", 1000)
    asked = []
    cases = [Case("repeat", (np.arange(3), count)) for count in (2, 10**4, 3)]
    verdicts = judge_siblings(cases, ["eager"], subject(repeat=lambda a, n: asked.append(n) or np.zeros(1)))
    assert [found.undecided for found in verdicts] == [{}, {"eager@CPU:0": TOO_LARGE}, {}]
    assert [len(found.deviations) for found in verdicts] == [1, 0, 1]
    assert 10**4 not in asked


def test_the_bytes_of_a_result_that_is_a_type():
    assert judge(Case("common_type", (np.zeros(2, np.int64),)), ["eager"], "numpy").agrees


def test_a_mode_that_has_no_meaning_for_the_subject():
    with pytest.raises(ModeNotOffered, match="numpy has no mode 'graph'; it has eager"):
        judge_siblings([ADD], ["eager", "graph", "xla"], "numpy")


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
    assert dtype_class(case, run_numpy(case)) == expected


def test_only_inputs_that_numpy_changes_may_be_changed():
    def spoil(a, **kwargs):
        found = np.nanmin(a, **kwargs)
        kwargs["initial"][...] = 7
        return found

    spoilt = Case("nanmin", (None,), {"initial": np.array(0.0), "where": False})
    assert judge(spoilt, ["eager"], "numpy").agrees
    case = Case("nanmin", (F,), {"initial": np.array(0.0)})
    assert judge(case, ["eager"], "numpy").agrees
    assert "inputs changed" in {found.kind for found in judge(case, ["eager"], subject(nanmin=spoil)).deviations}


class TestProperties:
    def test_inputs(self):
        assert check_inputs(Outcome(F), EAGER) is None
        assert check_inputs(Outcome(F, changed=(1,)), EAGER).kind == "inputs changed"

    def test_traces(self):
        runner = prepare_case(EAGER, ADD, subject())
        assert check_traces(runner, 2, EAGER) is None
        runner.traces = 2
        assert check_traces(runner, 2, EAGER).kind == "retrace"


INFINITE = Case("sin", (np.array([np.inf]),))
ENTRY = Allowance(
    id="test.sine-of-infinity",
    reason=Reason.TENSORFLOW_FAULT,
    names=("sin",),
    modes=("eager",),
    kinds=("value",),
    applies=lambda case, expected: bool(np.isinf(case.args[0]).any()),
    holds=lambda query: np.abs(query.actual_part) == 1,
    why="an entry that stands for others in these tests",
    link="https://example.org",
    until="99.0",
)


class TestAllowances:
    def covers(self, case, kind="value", mode="eager", on_tensors=True):
        return ENTRY.covers(case, run_numpy(case), Mode(mode), kind, on_tensors)

    def test_an_entry_covers_its_names_kinds_and_modes(self):
        assert self.covers(INFINITE)
        assert not self.covers(Case("sin", (np.array([1.0]),)))
        assert not self.covers(INFINITE, kind="dtype")
        assert not self.covers(INFINITE, mode="xla")
        assert self.covers(INFINITE, mode="lists")
        assert not self.covers(INFINITE, mode="graph_rank")
        assert not self.covers(Case("tan", INFINITE.args))

    def test_tensorflow_is_no_excuse_for_a_subject_of_arrays(self):
        assert not self.covers(INFINITE, on_tensors=False)

    def test_an_entry_needs_a_limit_and_a_link(self):
        with pytest.raises(ValueError, match="applies to everything"):
            dataclasses.replace(ENTRY, names=("*",), modes=("*",), applies=always)
        with pytest.raises(ValueError, match="needs a link"):
            dataclasses.replace(ENTRY, link="")
        with pytest.raises(ValueError, match="a release at which it expires"):
            dataclasses.replace(ENTRY, until="")

    def test_each_allowance_takes_away_its_elements_only(self):
        deviation = Deviation("value", "", (0,), np.array([True, True, False]))
        held = dataclasses.replace(ENTRY, applies=always, holds=lambda query: np.array([True, False, True]))
        case, outcome = Case("sin", (np.zeros(3),)), Outcome(np.zeros(3))
        evidence = NumericComparison(case, outcome, False)
        query = partial(Query, case, outcome, outcome, EAGER, evidence=evidence, compare=lambda case: [])
        allowed = []
        (left,) = accept_deviations([deviation], query, allowed, [], [held])
        assert left.wrong.tolist() == [False, True, False]
        assert allowed == [(ENTRY.id, "value")]

    @pytest.fixture(autouse=True)
    def with_a_witness(self, monkeypatch):
        record = RecordedOutcome.of(INFINITE, EAGER, True, Outcome(np.array([1.0])))
        examples = Examples((Example(ENTRY.id, "witness", record),), ())
        monkeypatch.setattr(audit, "find_examples", lambda identity: examples)

    def test_a_witness_that_agrees_again_is_stale(self):
        assert "gone from eager" in find_stale(subject(), [ENTRY], "2.21")[0]

    def test_an_expired_entry_is_stale(self):
        assert "expired" in find_stale(subject(), [ENTRY], "99.0.1")[0]
        assert not any("expired" in complaint for complaint in find_stale(subject(), [ENTRY], "98.9"))


def test_an_allowed_sign_of_zero_hides_no_dtype():
    case = Case("sort", (np.array([0.0, -0.0, 1.0]),))
    wrong = np.array([-0.0, 0.0, 1.0], np.float32)
    comparison = compare_outcomes(case, run_numpy(case), Outcome(wrong), EAGER)
    assert [difference.kind for difference in comparison.deviations] == ["dtype"]


@pytest.mark.full
def test_the_front_door_is_cheap():
    program = (
        "import sys, oracle; assert 'tensorflow' not in sys.modules; "
        "oracle.judge(oracle.Case('add', (1, 2)), ['eager'], 'numpy'); assert 'tensorflow' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", program], check=True, timeout=60)


def test_the_front_door_has_no_other_names():
    import oracle

    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = oracle.nothing
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


@pytest.mark.parametrize("mode", ["graph", "graph_dims", "vmap", "xla", "gradient_graph"])
def test_a_case_that_differs_in_a_list_is_prepared_for_by_itself(mode):
    cases = [Case("multiply", (np.array([1.0, 2.0]), factors)) for factors in ([3.0, 4.0], [5.0, 0.0], [3.0, 4.0])]
    for verdict in judge_siblings(cases, [mode], "tfnp"):
        assert not verdict.deviations


def test_a_librarys_python_number_is_told_of_float32_and_not_of_bfloat16_once_more():
    module = ModuleType("of_python_numbers")
    module.ndarray, module.nansum = np.ndarray, lambda a: float(np.nansum(a))
    for dtype, kinds in ((np.float32, ["structure"]), (ml_dtypes.bfloat16, [])):
        verdict = judge(Case("nansum", (np.array([0.5, np.nan], dtype),)), ["eager"], module)
        assert [difference.kind for difference in verdict.deviations] == kinds
    module.nansum = lambda a: float(np.nansum(a)) + 1
    assert judge(Case("nansum", (np.array([0.5], ml_dtypes.bfloat16),)), ["eager"], module).deviations


PUTTING = """from types import SimpleNamespace
import numpy as np
def put_in_a_copy(a, indices, values, axis):
    a = a.copy()
    np.put_along_axis(a, indices, values, axis)
    return a
xp = SimpleNamespace(put_along_axis={})
"""


@pytest.mark.parametrize(
    ("put", "kinds"),
    [
        ("put_in_a_copy", ["structure"]),
        ("lambda *args: put_in_a_copy(*args) + 1", ["value", "structure"]),
        ("lambda a, *args: np.put_along_axis(a, *args) or a", ["structure"]),
        ("lambda *args: None", ["value"]),
        ("np.put_along_axis", []),
    ],
    ids=["returned", "returned wrong", "written and returned", "not written", "right"],
)
def test_an_array_that_is_returned_and_not_written_is_another_form(put, kinds):
    """Not of a library whose arrays can be written to: there its aliases would keep what they had."""
    adapter = Adapter(imports=PUTTING.format(put), array="np.ndarray", from_numpy="np.array({})")
    case = Case("put_along_axis", (np.array([2.0, 1.0]), np.array([0]), np.array(5.0), 0))
    found = judge(case, ["eager"], Subject("xp", adapter=adapter)).deviations
    assert [difference.kind for difference in found] == kinds
    assert any(difference.detail == RETURNED for difference in found) == (put == "put_in_a_copy")
    written = judge(case, ["eager"], Subject("xp", adapter=replace(adapter, views=True))).deviations
    assert ("value" in [difference.kind for difference in written]) == ("np" not in put)


ADDING = """from types import SimpleNamespace
import numpy as np
class Array:
    def __init__(self, x):
        self.x = np.array(x)
    def __iadd__(self, other):
        return Array({})
    def __array__(self, dtype=None, copy=None):
        return self.x
xp = SimpleNamespace(ndarray=Array, Array=Array)
"""


@pytest.mark.parametrize(
    ("result", "kinds"),
    [("self.x + other.x", ["structure"]), ("self.x - other.x", ["value"]), ("self.x.__iadd__(other.x)", [])],
)
def test_an_operator_in_place_may_return_a_new_array(result, kinds):
    """Python's `x += y` then assigns it to `x`: a difference of form."""
    adapter = Adapter(imports=ADDING.format(result), array="xp.Array", from_numpy="xp.Array({})")
    case = Case("ndarray.__iadd__", (np.array([1.0]), np.array([2.0])))
    verdict = judge(case, ["eager"], Subject("xp", adapter=adapter))
    assert [difference.kind for difference in verdict.deviations] == kinds


DRAWING = """from types import SimpleNamespace
import numpy as np
class Generator:
    def __init__(self, seed=None):
        self.generator = np.random.default_rng([seed, 7])
    def normal(self, loc=0.0, scale=1.0, size=None):
        return {}
random = SimpleNamespace(default_rng=Generator, Generator=Generator)
xp = SimpleNamespace(random=random)
"""


@pytest.mark.parametrize(
    ("draws", "streams", "kinds"),
    [
        ("self.generator.normal(loc, scale, size)", True, ["value"]),
        ("self.generator.normal(loc, scale, size)", False, []),
        ("self.generator.normal(loc, 2 * scale, size)", False, ["value"]),
    ],
)
def test_a_library_may_have_streams_of_its_own(draws, streams, kinds):
    adapter = Adapter(imports=DRAWING.format(draws), array="np.ndarray", from_numpy="np.array({})", streams=streams)
    case = Case("random.Generator.normal", (Case("random.default_rng", (1,)), 0.0, 1.0, 2000))
    verdict = judge(case, ["eager"], Subject("xp", adapter=adapter))
    assert [difference.kind for difference in verdict.deviations] == kinds


IN_ITS_DTYPE = """from types import SimpleNamespace
import numpy as np
xp = SimpleNamespace(cumsum=lambda a: np.cumsum(a, dtype=a.dtype){}, apply_along_axis=np.apply_along_axis)
"""


@pytest.mark.parametrize(("wrong", "kinds"), [("", []), (" + 1", ["value"]), (" * 0", ["value"])])
def test_integers_that_wrap_around_in_a_librarys_own_dtype_are_numpys_answer_in_it(wrong, kinds):
    adapter = Adapter(imports=IN_ITS_DTYPE.format(wrong), array="np.ndarray", from_numpy="np.array({})", promotes=False)
    verdict = judge(Case("cumsum", (np.array([126, 0, 2, 128], np.uint8),)), ["eager"], Subject("xp", adapter=adapter))
    assert [difference.kind for difference in verdict.deviations] == kinds


def test_a_function_that_a_library_lacks_cannot_be_an_argument():
    adapter = Adapter(imports=IN_ITS_DTYPE.format(""), array="np.ndarray", from_numpy="np.array({})")
    case = Case("apply_along_axis", (np.sort, -1, np.array([1.0, 0.0])))
    verdict = judge(case, ["eager"], Subject("xp", adapter=adapter))
    assert not verdict.deviations
    assert verdict.not_judged == {"eager@CPU:0": "the mode cannot make this call"}
    has_one = Case("apply_along_axis", (np.cumsum, -1, np.array([1.0, 0.0])))
    assert judge(has_one, ["eager"], Subject("xp", adapter=adapter)).agrees


class Box:
    """An object of a library's, with elements."""

    def __init__(self, elements):
        self.elements = elements

    def __array__(self, dtype=None, copy=None):
        return np.asarray(self.elements, dtype)


@pytest.mark.parametrize(
    ("wrap", "kinds"),
    [
        (Box, ["structure"]),
        (lambda a: Box(a + 1), ["value"]),
        (lambda a: Box(a[:1]), ["shape"]),
        (lambda a: Box(np.array([None])), ["value"]),
        (lambda a: object(), ["value"]),
    ],
    ids=["right", "wrong", "another shape", "no elements", "opaque"],
)
def test_the_elements_of_a_librarys_object_are_compared(wrap, kinds):
    module = ModuleType("of_boxes")
    module.ndarray, module.negative = np.ndarray, lambda a: wrap(np.negative(a))
    verdict = judge(Case("negative", (np.array([1.0, 2.0]),)), ["eager"], module)
    assert [difference.kind for difference in verdict.deviations] == kinds


def test_an_object_of_which_only_the_class_is_known_differs_in_structure():
    expected = run_numpy(Case("finfo", (np.float64,)))
    found = compare_outcomes(Case("finfo", (np.float64,)), expected, Outcome(Foreign("Finfo")), EAGER)
    assert [difference.kind for difference in found.deviations] == ["structure"]
    assert not compare_outcomes(Case("finfo", (np.float64,)), expected, Outcome(Foreign("finfo")), EAGER).deviations


def make_compiler(sizes):
    """Return a subject of NumPy's functions, compiled for a call, and the list of those that were compiled."""
    imports = "import numpy as xp\nmade = []\ndef compiled(function):\n    made.append(function)\n    return function"
    adapter = Adapter(imports=imports, array="xp.ndarray", compiled={"jit": "compiled({})"}, sizes=sizes)
    subject = Subject("compiler", adapter=adapter)
    return subject, library_of(subject).namespace["made"]


@pytest.mark.parametrize(("sizes", "compiled"), [(False, 3), (True, 1)])
def test_siblings_of_other_sizes_share_what_is_compiled_for_any_size(sizes, compiled):
    subject, made = make_compiler(sizes)
    cases = [Case("sum", (np.ones(length),)) for length in (3, 0, 5)]
    verdicts = judge_siblings(cases, ["jit"], subject, twice=False)
    assert [verdict.outcomes["jit@CPU:0"].value for verdict in verdicts] == [3, 0, 5]
    assert len(made) == compiled


@pytest.mark.parametrize("is_first_answered", [True, False])
def test_further_cases_are_judged_if_the_first_is_answered(is_first_answered):
    subject, made = make_compiler(sizes=True)
    cases = [Case("reshape", (np.ones(length), 4)) for length in (4 if is_first_answered else 3, 4, 4)]
    verdicts = judge_siblings(cases, ["jit"], subject, twice=False, if_answered=True)
    assert len(verdicts) == (3 if is_first_answered else 1)
    assert all(verdict.outcomes for verdict in verdicts)
    assert len(made) == 1


THIN = """from types import SimpleNamespace
def fail(x):
    {}
xp = SimpleNamespace(exp=fail)"""


@pytest.mark.parametrize(
    ("failure", "kinds", "is_allowed"),
    [
        ("raise TypeError('operand type(s) all returned NotImplemented from __array_ufunc__')", [], True),
        (
            "raise TypeError(\"no implementation found for 'numpy.exp' on types that implement __array_function__\")",
            [],
            True,
        ),
        ("raise NotImplementedError('complex numbers are not supported yet')", [], True),
        ('raise ValueError("`stable=True` isn\'t currently supported.")', [], True),
        ("raise ValueError('this is not support for anything')", ["spurious error"], False),
        ("raise TypeError(\"ufunc 'exp' not supported for the input types\")", ["spurious error"], False),
        ("None + 1", ["spurious error"], False),
        ("None < 1", ["spurious error"], False),
        ("f'{None:d}'", ["spurious error"], False),
        ("raise ValueError('negative')", ["spurious error"], False),
        ("import no_such_package", [], False),
        ("import numpy.no_such_module", ["spurious error"], False),
    ],
)
def test_an_error_that_says_that_a_call_is_not_implemented_is_the_librarys_design(failure, kinds, is_allowed):
    adapter = Adapter(name="thin", imports=THIN.format(failure), array="np.ndarray", from_numpy="np.array({})")
    verdict = judge(Case("exp", (F,)), ["eager"], Subject("thin", adapter=adapter))
    assert [difference.kind for difference in verdict.deviations] == kinds
    assert ["thin: not implemented" in entry.allowance for entry in verdict.allowed] == [True] * is_allowed


@pytest.mark.parametrize(
    ("adapter", "most"), [(None, 1.0), (Adapter(imports="import numpy as xp", array="xp.ndarray"), 3.0)]
)
def test_a_library_with_arrays_of_its_own_may_compile_in_its_first_call(monkeypatch, adapter, most):
    """Sparse compiles each function when it is first called, for seconds: that is no hang."""
    allowances = {}
    monkeypatch.setattr("oracle.verdict.step", lambda text, allowance=1.0: allowances.update({text: allowance}))
    subject = Subject("thin", adapter=adapter) if adapter else "numpy"
    judge_siblings([Case("exp", (F,)), Case("exp", (-F,))], ["eager"], subject)
    assert (allowances["eager@CPU:0 0"], allowances["eager@CPU:0 1"]) == (most, 1.0)
