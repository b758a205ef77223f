"""Programs judged step by step: each call on the subject's own operands."""

from __future__ import annotations

import json
from types import ModuleType, SimpleNamespace

import numpy as np
import pytest
import tensorflow as tf

from oracle import Case, Mode, Outcome, judge, run_numpy
from oracle.case.decoding import Undecodable
from oracle.compare.pipeline import compare_outcomes, is_same_answer
from oracle.corpus.outcome_encoding import decode_outcome, encode_outcome
from oracle.execution.steps import is_recordable
from oracle.subject import Subject
from tests.oracle.made import made

X = np.array([0.1, 0.2, 0.4])
SET = np.array([3, 1, 2, 0])


def subject_with(**functions) -> Subject:
    """NumPy with other functions: a subject that takes arrays."""
    module = ModuleType("nearly")
    vars(module).update({name: value for name, value in vars(np).items() if not name.startswith("__")})
    vars(module).update(functions)
    return Subject("nearly", module)


def find_differences(case, mode="eager", **functions):
    return judge(case, [mode], subject_with(**functions)).deviations


def nested(name, *args):
    """A case whose arguments may be lists of a name and arguments."""
    return Case(name, tuple(nested(*arg) if isinstance(arg, list) else arg for arg in args))


def double_last(x, *args, **kwargs):
    """The sine, with another last element."""
    result = np.sin(x, *args, **kwargs)
    result[-1] *= 1 + 1e-12
    return result


class TestWhatIsRight:
    def test_a_scalar_is_the_same_operand_as_an_array_without_dimensions(self):
        case = nested("ndarray.tolist", ["transpose", ["copy", ["sum", X]]])
        posed = Case("copy", (np.sum(X),))
        steps = [(posed, Outcome(np.array(np.sum(X)))), (Case("transpose", (np.array(np.sum(X)),)), Outcome(np.sum(X)))]
        steps = [(Case("sum", (X,)), Outcome(np.sum(X))), *steps, (Case("ndarray.tolist", (np.sum(X),)), Outcome(0.7))]
        comparison = compare_outcomes(
            case, run_numpy(case), Outcome(float(np.sum(X)), steps=tuple(steps)), Mode("eager")
        )
        assert [difference.step.name for difference in comparison.deviations] == ["ndarray.tolist"]

    def test_a_rounding_error_may_decide_a_later_shape(self):
        case = nested("nonzero", ["subtract", ["exp", X], np.exp(X)])
        (difference,) = find_differences(case, exp=lambda x: np.exp(x) + 1e-3)
        assert difference.step.name == "exp"
        assert find_differences(case, exp=lambda x: np.nextafter(np.exp(x), 0)) == []

    def test_a_zero_of_either_sign_is_passed_on(self):
        case = nested("divide", 1.0, ["max", np.array([0.0, -0.0])])
        other = np.copysign(0.0, -np.sign(run_numpy(case).value))
        assert find_differences(case, max=lambda x: np.float64(other)) == []


class TestWhatIsWrong:
    def test_a_wrong_call_is_named_with_its_operands(self):
        (difference,) = find_differences(nested("sum", ["multiply", ["sin", X], ["cos", X]]), sin=double_last)
        assert difference.detail.startswith("in call 1, sin: at [2] expected")
        assert difference.step.name == "sin"
        assert difference.step.args[0].tobytes() == X.tobytes()

    def test_an_error_is_found_that_the_result_hides(self):
        """A large number beside it has no digits for it."""
        (difference,) = find_differences(nested("add", 1e9, ["sin", X]), sin=double_last)
        assert difference.step.name == "sin"

    def test_a_call_is_judged_on_what_the_calls_before_it_gave(self):
        functions = {"unique_values": lambda x: np.unique(x)[::-1], "cumsum": lambda x: np.cumsum(np.sort(x))}
        (difference,) = find_differences(nested("cumsum", ["unique_values", SET]), **functions)
        assert difference.detail.startswith("in call 2, cumsum: at [0] expected 3, got 0")

    def test_a_write_that_does_not_reach_the_array_is_found(self):
        target = np.zeros(3)
        case = Case("sum", (Case("last", (Case("copyto", (target, X)), target)),))
        assert find_differences(case) == []
        differences = find_differences(case, copyto=lambda target, values: None)
        assert [difference.step.name for difference in differences] == ["copyto"]

    def test_a_write_that_does_not_reach_a_view_is_found(self):
        base = Case("array", (np.arange(4.0),))
        view = Case("ravel", (base,))
        case = Case("sum", (Case("last", (Case("copyto", (view, np.ones(4))), base)),))
        assert find_differences(case) == []
        (difference,) = find_differences(case, ravel=lambda x: np.array(np.ravel(x)))
        assert "the operands are" in difference.detail
        assert difference.step.name == "sum"

    @pytest.mark.parametrize("error", [RuntimeError("broken"), ValueError("not that")])
    def test_an_error_is_that_of_its_call(self, error):
        def fail(*args):
            raise error

        (difference,) = find_differences(nested("sum", ["sin", ["cos", X]]), sin=fail)
        assert difference.kind == "spurious error"
        assert difference.detail.startswith("in call 2, sin: ")

    def test_a_call_that_should_raise_is_found(self):
        case = nested("sum", ["reshape", ["sin", X], (2, 2)])
        (difference,) = find_differences(case, reshape=np.resize)
        assert (difference.kind, difference.step.name) == ("missing error", "reshape")

    def test_a_function_that_is_missing_is_an_error_of_the_program(self):
        subject = subject_with()
        del subject.module.cos
        (difference,) = judge(nested("add", ["sin", X], ["cos", X]), ["eager"], subject).deviations
        assert (difference.kind, difference.step) == ("spurious error", None)
        assert "cos" in difference.detail


class TestOtherModes:
    """Programs of a subject of tensors, whose unique values come in descending order."""

    CASE = nested("cumsum", ["unique_values", SET])

    def find_differences(self, modes, cumsum=tf.cumsum):
        functions = {"unique_values": lambda x: tf.sort(x, direction="DESCENDING"), "cumsum": cumsum}
        return judge(self.CASE, modes, made(**functions)).deviations

    @pytest.mark.parametrize("modes", [["eager", "graph"], ["graph"]])
    def test_what_eager_mode_gives_is_right_in_a_graph(self, modes):
        assert self.find_differences(modes) == []

    @pytest.mark.parametrize("modes", [["eager", "graph"], ["graph"]])
    def test_another_answer_is_a_difference(self, modes):
        def count(x):
            return tf.cumsum(x) + (0 if tf.executing_eagerly() else 1)

        (difference,) = self.find_differences(modes, count)
        assert (difference.kind, difference.mode.name) == ("value", "graph")


@pytest.mark.parametrize(
    ("one", "other", "is_same"),
    [
        (0.0, -0.0, True),
        (np.nan, -np.nan, True),
        (complex(np.inf, np.nan), complex(np.nan, np.inf), True),
        (np.inf, -np.inf, False),
        (1.0, np.nextafter(1.0, 2), False),
        (complex(np.inf, 0), complex(1, 0), False),
    ],
)
def test_answers_are_the_same_but_for_bits_that_are_left_open(one, other, is_same):
    outcomes = [Outcome([np.array([1.0]), np.array([each])]) for each in (one, other)]
    assert is_same_answer(*outcomes) is is_same


class TestOperands:
    def test_a_series_is_the_call_that_makes_it(self):
        series = Case("polynomial.Chebyshev", (np.array([1.0, 2.0, 3.0]),), {"domain": [0.0, 2.0]})
        case = Case("sum", (Case("polynomial.Chebyshev.roots", (series,)),))
        assert find_differences(case) == []
        differences = find_differences(case, sum=lambda x: np.sum(x) * (1 + 1e-6))
        assert differences[0].step.name == "sum"

    def test_a_generator_that_serves_one_call_is_made_again(self):
        draws = Case("random.Generator.normal", (Case("random.default_rng", (0,)), 0.0, 1.0, 3))
        assert is_recordable(Case("sum", (draws,)))
        assert find_differences(Case("sum", (draws,))) == []

    def test_a_generator_that_serves_two_calls_is_judged_by_the_whole_program(self):
        generator = Case("random.default_rng", (0,))
        draws = [Case("random.Generator.random", (generator, 3)) for _ in range(2)]
        assert not is_recordable(Case("add", tuple(draws)))
        assert find_differences(Case("add", tuple(draws))) == []

    def test_an_object_of_the_subjects_own_leaves_the_program_to_be_judged_as_a_whole(self):
        case = nested("add", ["sin", X], ["cos", X])
        assert find_differences(case, sin=lambda x: SimpleNamespace(), add=lambda x, y: np.sin(X) + y) == []
        (difference,) = find_differences(case, sin=lambda x: SimpleNamespace(), add=lambda x, y: 2 * y)
        assert difference.step is None


def test_steps_survive_encoding():
    case = nested("sum", ["multiply", ["sin", np.array([0.5, np.nan])], 2.0])
    outcome = judge(case, ["eager"], subject_with(sin=double_last)).outcomes[str(Mode("eager"))]
    decoded = decode_outcome(json.loads(json.dumps(encode_outcome(outcome))))
    assert [str(posed) for posed, _ in decoded.steps] == [str(posed) for posed, _ in outcome.steps]
    assert compare_outcomes(case, run_numpy(case), decoded, Mode("eager")).deviations == []
    (posed, first), *others = decoded.steps
    decoded.steps = ((posed, Outcome(first.value + 1)), *others)
    (difference,) = compare_outcomes(case, run_numpy(case), decoded, Mode("eager")).deviations
    assert difference.step.name == "sin"


@pytest.mark.parametrize("step", ["sin", [], [{"case": "sin", "args": [1.0], "kwargs": {}}], [1, {}]])
def test_a_malformed_step_is_refused(step):
    with pytest.raises(Undecodable):
        decode_outcome({"steps": [step]})
