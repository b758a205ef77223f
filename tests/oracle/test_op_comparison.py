"""How programs of TensorFlow's ops are judged: what is accepted, with its reason, and what is close to it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import tensorflow  # noqa: F401 - the judge imports it only in workers, and here it judges in this process

from oracle import verdict
from oracle.case.model import Case
from oracle.case.tensor_ops import GRADIENT
from oracle.compare.comparison import NO_ANSWER
from oracle.compare.op_comparison import compare_ops
from oracle.execution import modes
from oracle.harness import find_excessive, list_not_compared
from oracle.modes import Mode
from oracle.ops.tolerances import tolerance_of
from oracle.reference.display import flatten
from oracle.reference.outcome import Outcome, Raised
from oracle.subject import load_tensorflow
from oracle.verdict import judge, judge_siblings


def make_constant(number, dtype="float32"):
    constant = np.array(number, dtype)
    constant.flags.writeable = False
    return constant


def call(op, *operands, dtype="float32"):
    """A call of an op; lists are arrays of that dtype."""
    return Case(f"tf.{op}", tuple(np.array(one, dtype) if isinstance(one, list) else one for one in operands))


def take(owner, index):
    return Case("tf.Tensor.__getitem__", (owner, index))


def slope_of(case):
    return Case(GRADIENT, (case,))


def judge_ops(case, mode):
    return judge(case, dict.fromkeys(("eager", mode)), "tensorflow")


def list_modes(judged):
    return [mode for error in judged.list_errors() for mode in error.modes]


ACCEPTED = {
    "a power that a graph multiplies": (call("math.pow", [2.7], make_constant(3)), "graph", "rewritten"),
    "one of several results that a graph computes otherwise": (
        take(call("linalg.normalize", call("math.special.bessel_j0", [-0.4185, 0.7046], dtype="float16")), 0),
        "graph", "rewritten",
    ),
    "the sign of a zero part": (
        call("math.divide", [complex(-0.0, 0)], make_constant(0.5, "complex128"), dtype="complex128"),
        "graph", "complex-zero",
    ),
    "one over a zero of either sign": (
        slope_of(call("math.log", call("math.minimum", [0.0, 0, 0, 0, 0, 0, -0.0, -0.0], make_constant(0)))),
        "xla", "tie-of-zeros",
    ),
    "a substitution that overflows": (
        call("linalg.triangular_solve", [[1, 0], [-3.4e38, -2.5e38]], [[8.5e37, -1.7e38], [-3.4e38, -2.5e38]]),
        "xla", "overflow-in-between",
    ),
    "a mean whose sum overflows": (
        Case("tf.nn.moments", (np.array([-1.7, -0.9, 0.4, 1.3, 0.17, 1.3, -1.3, 1.7]) * 1e308, [0])),
        "xla", "overflow-in-between",
    ),
    "a search in what is not sorted": (call("searchsorted", [0, 2, 0], [1, 2, 0]), "eager", "unsorted"),
}  # fmt: skip


@pytest.mark.sample(5)
@pytest.mark.parametrize("name", ACCEPTED)
def test_what_nothing_promises_is_declared_and_not_reported(name):
    case, mode, reason = ACCEPTED[name]
    judged = judge_ops(case, mode)
    assert not judged.differs
    assert {entry.allowance for entry in judged.allowed} == {reason}


REPORTED = {
    "a power that is another number": (call("math.pow", [-0.0], make_constant(0.5)), "graph"),
    "the root of a number on the cut": (call("math.sqrt", [complex(-4, -0.0)], dtype="complex64"), "eager"),
    "the greatest behind an infinity": (call("math.argmax", [-np.inf, np.finfo(np.float32).min]), "eager"),
    "an elementary function of a small number": (call("nn.elu", [-1e-9]), "eager"),
    "a sum of squares that overflows": (call("math.reduce_std", [0, 8.5e37]), "eager"),
}


@pytest.mark.parametrize("name", REPORTED)
def test_what_is_close_to_what_is_accepted_is_reported(name):
    case, mode = REPORTED[name]
    assert list_modes(judge_ops(case, mode)) == [mode]


MISSED = call("math.logical_not", call("math.less", [np.nan], make_constant(0)))
KNOWN = {
    "a constant that is folded": (call("math.divide", [1e38], make_constant(2e38)), "graph", "math.divide", "value"),
    "not (x < 0) in a graph": (MISSED, "graph", "math.logical_not", "value"),
    "relu6 under XLA": (call("nn.relu6", [np.nan]), "xla", "nn.relu6", "value"),
    "the last of what a mask left": (
        take(Case("tf.boolean_mask", (np.array([1, 2, 3, 4], np.int32), np.array([True, False, True, False]))), -1),
        "xla", "Tensor.__getitem__", "value",
    ),
    "the slope of cumprod": (slope_of(call("math.cumprod", [2, 0, 3])), "eager", "gradient", "gradient"),
}  # fmt: skip
"""Known bugs: a program, a mode that shows it, the op that is blamed, and the kind."""


@pytest.mark.sample(3)
@pytest.mark.parametrize("name", KNOWN)
def test_known_bugs_are_told_of_the_smallest_part_that_shows_them(name):
    case, mode, op, kind = KNOWN[name]
    (error,) = judge_ops(case, mode).list_errors()
    assert (error.case.name, error.kind, mode in error.modes) == (f"tf.{op}", kind, True)


@pytest.mark.parametrize(
    "case",
    [
        call("math.add", call("math.sqrt", [1.0, 4.0]), make_constant(1)),
        call("math.reduce_sum", call("sort", [3, 1, 2], dtype="int32")),
        call("math.exp", call("math.tanh", [0.5, -0.25], dtype="float64")),
        slope_of(call("math.square", [1.5, 2.5], dtype="float64")),
    ],
)
def test_what_is_right_is_not_reported(case):
    judged = judge(case, ("eager", "graph", "xla"), "tensorflow")
    assert judged.agrees
    assert all(map(judged.has_judged, judged.outcomes))
    assert judged.allowed == []


def test_a_mode_that_gives_the_wrong_answer_of_eager_mode_shows_the_same_difference():
    (error,) = judge(REPORTED["the greatest behind an infinity"][0], ("eager", "graph"), "tensorflow").list_errors()
    assert error.modes == ("eager", "graph")


def test_a_mode_that_gives_the_right_answer_of_eager_mode_shows_no_difference():
    (error,) = judge(MISSED, ("eager", "graph", "xla"), "tensorflow").list_errors()
    assert error.modes == ("graph",)


@pytest.mark.parametrize(
    "case",
    [
        call("linalg.qr", [[2.0, 1], [0, 1]]),
        call("math.negative", call("math.bessel_i0", [1e9])),
        slope_of(call("math.square", [1e9])),
    ],
    ids=["no reference", "no reference of one call", "too steep for differences"],
)
def test_an_answer_of_eager_mode_that_nothing_contradicts_or_confirms_is_undecided(case):
    judged = judge(case, ("eager", "graph"), "tensorflow")
    assert not judged.differs
    assert judged.undecided == {"eager@CPU:0": NO_ANSWER}
    assert [judged.has_judged(mode) for mode in judged.outcomes] == [False, True]


DEMANDED = {
    "a search in what is sorted": ("searchsorted", "int32", ([0, 1, 2], [1, 2, 0])),
    "a search in what has ties": ("searchsorted", "int32", ([0, 1, 1, 2], [1])),
    "a substitution in triangles": ("linalg.triangular_solve", "float32", ([[1, 0], [-3, -2]], [[8, -1], [-3, -2]])),
    "a system whose matrix is far from singular": ("linalg.solve", "float32", ([[2, 0], [1, 1]], [[1], [1]])),
    "a mean of numbers whose sum is within range": ("math.reduce_mean", "float32", ([1e38, -1e38, 1e38],)),
    "a shift by less than the width": ("bitwise.left_shift", "int32", ([1, 2], [31, 0])),
    "a division by integers none of which is zero": ("math.floordiv", "int32", ([7, -7], [2, -2])),
    "a range that is not empty": ("clip_by_value", "float32", ([-1, 5], [0, 0], [0, 3])),
    "a power of finite complex numbers": ("math.pow", "complex64", ([1j, 2], [2, 1])),
}  # fmt: skip
"""Calls beside those whose results are not compared: an op, the dtype and the operands."""


@pytest.mark.parametrize("name", DEMANDED)
def test_results_close_to_what_is_not_compared_are_compared(name):
    op, dtype, operands = DEMANDED[name]
    assert tolerance_of(call(op, *operands, dtype=dtype), np.zeros(2, dtype)).declared == ""


WRONG = {
    "nan for one over a zero that won a tie": (
        ACCEPTED["one over a zero of either sign"][0], "xla", lambda slope: np.where(np.isinf(slope), np.nan, slope),
    ),
    "another infinity where no zeros tie": (slope_of(call("math.sqrt", [0.0, 1.0])), "xla", np.negative),
    "another number beside the sign of a zero part": (
        call("math.divide", [complex(-0.0, 0), 1], make_constant(0.5, "complex128"), dtype="complex128"),
        "graph", lambda quotient: quotient + np.array([0, 1e-9]),
    ),
    "a second result behind the sign of a zero part": (
        call("split", [complex(-0.0, 0), 1], 2, dtype="complex128"),
        "graph", lambda part: np.where(part == 0, 0, part + 1e-9),
    ),
    "a power that a graph multiplies too roughly": (
        ACCEPTED["a power that a graph multiplies"][0], "graph", lambda power: power * np.float32(1 + 1e-5),
    ),
}  # fmt: skip
"""Programs beside accepted differences, and what is done to the answer of a mode before it is judged."""


@pytest.mark.parametrize("name", WRONG)
def test_wrong_answers_beside_accepted_differences_are_reported(name, monkeypatch):
    case, wrong, change = WRONG[name]
    prepare = verdict.prepare_case

    def prepare_wrongly(mode, *arguments):
        run = prepare(mode, *arguments)
        if mode.name != wrong:
            return run

        def answer(sibling):
            outcome = run(sibling)
            changed = [change(array).astype(array.dtype) for array in flatten(outcome.value)]
            return replace(outcome, value=changed if isinstance(outcome.value, list) else changed[0])

        answer.traces = 1
        return answer

    monkeypatch.setattr(verdict, "prepare_case", prepare_wrongly)
    assert set(list_modes(judge_ops(case, wrong))) == {wrong}


REFUSALS = {
    "no kernel": ("InvalidArgumentError", "Detected unsupported operations when trying to compile graph f", True),
    "a dtype": ("UnimplementedError", "Complex component type is not implemented.", True),
    "a shape": ("InvalidArgumentError", "UnsortedSegmentMin requires indices of a static shape", False),
    "an op's name": ("InvalidArgumentError", "{{node DynamicStitch}} not all indices are used", False),
    "the compiler's own fault": ("InternalError", "Need a bounded dimension to be set to an unsupported pair", False),
    "an argument": ("ValueError", "only supports numbers", False),
}  # fmt: skip
"""Errors of XLA where eager mode answers, and whether they say that it has no such op."""


@pytest.mark.parametrize("name", REFUSALS)
def test_only_an_op_that_xla_does_not_have_is_unsupported(name):
    error, message, is_refusal = REFUSALS[name]
    bases = ("ValueError",) if error == "ValueError" else ()
    case, actual = call("math.add", [1.0], [2.0]), Outcome(kind="error", error=Raised(error, bases, message))
    compared = compare_ops(case, Outcome(np.array([3.0], "float32")), actual, Mode("xla"), lambda mode, case: actual)
    assert compared.allowed == ([("unsupported", "value")] if is_refusal else [])
    assert [part.deviation.kind for part in compared.parts] == ([] if is_refusal else ["spurious error"])


@pytest.mark.parametrize("row", list_not_compared(), ids=lambda row: row.id)
def test_a_reason_that_takes_more_than_its_share_is_told(row):
    def find(count, answers):
        taken = {row.id: {"add": {"graph": count // 2}, "cast": {"xla": count - count // 2}}}
        return find_excessive([row], taken, {"add": {"graph": answers // 2}, "cast": {"xla": answers - answers // 2}})

    answers = 100_000
    assert find(int(row.most * answers), answers) == []
    (message,) = find(int(2 * row.most * answers) + 20, answers)
    assert message.startswith(f"{row.id} took ")
    assert find(1000, 1000) == []


def test_parts_of_programs_that_differ_in_values_are_compiled_once():
    def count(*cases):
        modes._prepare_compiled.cache_clear()
        outcomes = [modes.run_compiled(Mode("xla"), case, load_tensorflow()) for case in cases]
        return [outcome.value.tolist() for outcome in outcomes], modes._prepare_compiled.cache_info().misses

    two, three = make_constant(2), make_constant(3)
    assert count(call("math.add", [1], two), call("math.add", [5], two)) == ([[3], [7]], 1)
    assert count(call("math.add", [1], two), call("math.add", [1], three), call("math.add", [1, 1], two)) == (
        [[3], [4], [3, 3]],
        3,
    )


def test_a_known_outcome_of_eager_mode_is_judged_and_compared_with_and_not_run_again():
    case = call("math.square", [3.0])
    known = Outcome(np.array([8.0], "float32"), steps=((case, Outcome(np.array([8.0], "float32"))),))
    verdicts = {}
    for mode in ("eager", "graph"):
        (verdicts[mode],) = judge_siblings([case], [mode], load_tensorflow(), twice=False, expected=[known])
    assert list_modes(verdicts["eager"]) == ["eager"]
    assert [entry.allowance for entry in verdicts["graph"].allowed] == ["another-way"]
