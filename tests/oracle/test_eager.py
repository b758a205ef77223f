"""Modes against eager mode: another one of several right answers is a finding, and rounding is none."""

from __future__ import annotations

import numpy as np
import pytest
import tensorflow as tf

import tfnp
from oracle import Adapter, ByDesign, Case, Mode, Outcome, Subject, judge, run_numpy
from oracle.compare.eager import find_other_choice, has_choice

KIND = "differs from eager"
TIES = np.array([3, 1, 3, 1, 3, 1])
ROWS = np.array([[4.0, 1.0, 0.5], [1.0, 3.0, 0.25], [0.5, 0.25, 2.0]])
SEED = Case("random.default_rng", (7,))


def negate(*parts):
    """Return a change that negates these parts of a tuple: right for eigenvectors and for pairs of factors."""

    def change(result):
        return type(result)(*[-part if index in parts else part for index, part in enumerate(result)])

    return change


def reverse(result):
    return tf.reverse(result, [0])


def reverse_pairs(result):
    return type(result)(tf.reverse(result[0], [0]), tf.reverse(result[1], [1]))


FAULTS = {
    "argsort_of_equal_elements": (
        Case("argsort", (TIES,)),
        "graph",
        lambda order: tf.gather(order, [2, 1, 0, 5, 4, 3]),
    ),
    "argsort_of_equal_elements_when_mapped": (
        Case("argsort", (TIES,)),
        "vmap",
        lambda order: tf.gather(order, [2, 1, 0, 5, 4, 3]),
    ),
    "argpartition_beyond_the_element": (
        Case("argpartition", (np.arange(5.0), 0)),
        "graph",
        lambda i: tf.gather(i, [0, 4, 3, 2, 1]),
    ),
    "partition_beyond_the_element": (
        Case("partition", (np.arange(5.0), 0)),
        "xla",
        lambda x: tf.gather(x, [0, 4, 3, 2, 1]),
    ),
    "unique_values_in_another_order": (Case("unique_values", (np.array([3.0, 1.0, 2.0]),)), "graph", reverse),
    "signs_of_eigenvectors": (Case("linalg.eigh", (ROWS,)), "graph", negate(1)),
    "signs_of_eigenvectors_when_saved": (Case("linalg.eigh", (ROWS,)), "saved", negate(1)),
    "signs_of_singular_vectors": (Case("linalg.svd", (ROWS,)), "graph", negate(0, 2)),
    "signs_of_factors": (Case("linalg.qr", (ROWS,)), "graph", negate(0, 1)),
    "signs_of_factors_of_unknown_shape": (Case("linalg.qr", (ROWS,)), "graph_dims", negate(0, 1)),
    "order_of_eigenvalues": (Case("linalg.eigvals", (ROWS,)), "graph", reverse),
    "order_of_eigenvalues_and_vectors": (Case("linalg.eig", (ROWS,)), "graph", reverse_pairs),
    "order_of_roots": (Case("roots", (np.array([1.0, -6.0, 11.0, -6.0]),)), "graph", reverse),
    "other_exponential_numbers": (Case("random.Generator.exponential", (SEED, 1.0, 200)), "graph", reverse),
    "other_integers": (Case("random.Generator.poisson", (SEED, 5.0, 200)), "graph", reverse),
    "other_numbers_under_xla": (Case("random.Generator.gamma", (SEED, 2.0, 1.0, 200)), "xla", reverse),
    "other_numbers_in_a_loop": (Case("random.Generator.laplace", (SEED, 0.0, 1.0, 200)), "while", tf.negative),
}
"""Faults of one mode that NumPy's freedom covers: each answer is right by itself."""


class Planted(Subject):
    """tfnp, with another answer of one function where it is traced."""

    def __init__(self, name, change):
        super().__init__("tfnp", tfnp)
        self.name_of_planted, self.change = name, change

    def find(self, name):
        function = super().find(name)
        if name != self.name_of_planted:
            return function

        def planted(*args, **kwargs):
            result = function(*args, **kwargs)
            return result if tf.executing_eagerly() else self.change(result)

        return planted


def list_kinds(case, mode, subject):
    return [difference.kind for difference in judge(case, [mode], subject).deviations]


@pytest.mark.sample(3)
@pytest.mark.parametrize("fault", FAULTS)
def test_another_right_answer_than_eager_mode_s_is_found(fault):
    case, mode, change = FAULTS[fault]
    assert list_kinds(case, mode, "tfnp") == []
    assert list_kinds(case, mode, Planted(case.name, change)) == [KIND]


def test_a_wrong_answer_of_eager_mode_is_no_difference_of_another_mode():
    class WrongEagerly(Planted):
        def find(self, name):
            function = Subject.find(self, name)
            is_it = name == self.name_of_planted
            return (
                (lambda *args: self.change(function(*args)) if tf.executing_eagerly() else function(*args))
                if is_it
                else function
            )

    case = Case("linalg.eigh", (ROWS,))
    subject = WrongEagerly(case.name, lambda result: type(result)(result[0], 2 * result[1]))
    assert list_kinds(case, "graph", subject) == []
    assert list_kinds(case, "eager", subject) == ["value"]


def test_rounding_is_no_other_choice():
    case = Case("linalg.eigh", (ROWS,))
    expected = run_numpy(case)
    values, vectors = expected.value
    rounded = Outcome((values * (1 + 1e-13), vectors * (1 - 1e-13)))
    negated = Outcome((values, -vectors))
    assert has_choice(case, expected, Mode("graph"))
    assert find_other_choice(case, expected, expected, rounded) == ""
    assert find_other_choice(case, expected, expected, negated).startswith("at [0, 0] eager mode gives ")


def test_eigenvectors_that_a_rounding_error_turns_are_no_choice():
    case = Case("linalg.eigh", (np.eye(3),))
    expected = run_numpy(case)
    turned = np.linalg.qr(np.arange(9.0).reshape(3, 3) + np.eye(3))[0]
    assert find_other_choice(case, expected, expected, Outcome((expected.value[0], turned))) == ""


def test_a_compiler_has_its_own_signs():
    case = Case("linalg.eigh", (ROWS,))
    assert not has_choice(case, run_numpy(case), Mode("xla"))


@pytest.mark.parametrize(
    "case",
    [
        Case("argsort", (np.array([3, 1, 2]),)),
        Case("argsort", (TIES,), {"kind": "stable"}),
        Case("sum", (ROWS,)),
        Case("unique", (TIES,)),
    ],
    ids=str,
)
def test_one_right_answer_is_no_choice(case):
    assert not has_choice(case, run_numpy(case), Mode("graph"))


@pytest.mark.parametrize("is_declared", [False, True])
def test_an_adapter_may_declare_another_choice(is_declared):
    design = ByDesign("order", "compiled sets are in descending order", (KIND,), "", ("unique_values",), ("jit",))
    adapter = Adapter(
        name="turned",
        imports="import numpy as xp",
        array="xp.ndarray",
        compiled={"jit": "lambda *args: xp.flip({}(*args))"},
        by_design=(design,) if is_declared else (),
    )
    verdict = judge(
        Case("unique_values", (np.array([3.0, 1.0, 2.0]),)), ["eager", "jit"], Subject("turned", adapter=adapter)
    )
    allowed = [entry.allowance for entry in verdict.allowed if entry.mode.startswith("jit") and entry.kind == KIND]
    assert [difference.kind for difference in verdict.deviations] == ([] if is_declared else [KIND])
    assert allowed == (["turned: order"] if is_declared else [])
