"""Siblings as one: `tf.vectorized_map` over their stacks."""

from __future__ import annotations

import numpy as np
import pytest

from oracle import Case, Mode
from oracle.execution.modes import run_case
from oracle.harness import judge_siblings
from tests.oracle.made import kinds, made, status

tf = pytest.importorskip("tensorflow")
A = np.array([[3.0, 1.0, 2.0], [4.0, 6.0, 5.0]])
SIBLINGS = tuple(Case("sort", (A * k,)) for k in (1, -1, 2))


def test_each_sibling_gets_its_own_row():
    assert kinds("vmap", *SIBLINGS, sort=tf.sort) == []
    verdicts = judge_siblings(SIBLINGS, ["vmap"], made(sort=tf.sort))
    assert [verdict.outcomes["vmap@CPU:0"].value.tolist() for verdict in verdicts] == [
        np.sort(case.args[0]).tolist() for case in SIBLINGS
    ]


def test_a_function_that_mixes_siblings_is_found():
    baked = tf.constant(A)
    cases = [Case("sum", (A * k,)) for k in (1, 2)]
    assert kinds("vmap", *cases, sum=tf.reduce_sum) == []
    assert kinds("vmap", *cases, sum=lambda x: tf.reduce_sum(baked)) == ["value"]


def test_one_case_is_mapped_over_two_of_itself():
    assert kinds("vmap", SIBLINGS[0], sort=tf.sort) == []
    assert kinds("vmap", SIBLINGS[0], sort=tf.identity) == ["value"]


def test_an_op_without_converter_is_found():
    case = Case("sort", (np.array([[1.0, 0], [0, 2]]),))

    def sort(x):
        values = tf.linalg.svd(x, compute_uv=False)
        return tf.linalg.diag(values[::-1])[:, ::-1] if x.shape == (2, 2) else x

    assert kinds("vmap", case, sort=sort) == ["value", "not vectorized"]
    outcome = run_case(Mode("vmap"), case, made(sort=sort))
    assert outcome.looped == "Svd"


def test_a_shape_that_depends_on_data_is_found():
    def sum(x):
        return tf.reduce_sum(x[: tf.cast(x[0, 0], tf.int32)])

    case = Case("sum", (A,))
    assert kinds("vmap", case, sum=sum) == ["not vectorized"]
    assert kinds("vmap", case, sum=lambda x: tf.reduce_sum(x[:2])) == []


def test_branches_of_other_shapes_cannot_be_stacked():
    def select(x):
        return tf.switch_case(tf.cast(x[0, 0], tf.int32) % 2, [lambda: x[:1, :1], lambda: x[:, :1]])

    case = Case("sort", (A,))
    assert status("vmap", case, sort=select) == "unsupported"
    assert status("vmap", case, sort=lambda x: tf.ensure_shape(select(x), (1, 1))) == "error"


def test_random_numbers_are_unsupported():
    assert status("vmap", Case("random.normal", (A,)), random__normal=tf.identity) == "unsupported"


def test_names_may_run_row_by_row_because_of_their_ops_only():
    case = Case("linalg.svdvals", (A,))
    assert kinds("vmap", case, linalg__svdvals=lambda x: tf.linalg.svd(x, compute_uv=False)) == []
    assert kinds("vmap", case, linalg__svdvals=lambda x: tf.linalg.diag_part(tf.linalg.qr(x)[1])) == [
        "value",
        "not vectorized",
    ]


def test_errors_keep_their_class():
    def total(x, axis):
        raise np.exceptions.AxisError(axis, 2)

    assert kinds("vmap", Case("sum", (A,), {"axis": 4}), sum=total) == []


def test_structures_and_narrow_floats_come_apart():
    import ml_dtypes

    case = Case("modf", (A[0],))
    assert kinds("vmap", case, modf=lambda x: (x - tf.floor(x), tf.floor(x))) == []
    assert kinds("vmap", Case("sum", (A.astype(ml_dtypes.bfloat16),)), sum=tf.reduce_sum) == []


@pytest.mark.parametrize(
    "case",
    [
        Case("zeros", (3,)),
        Case("add", (A, A), {"out": np.zeros_like(A)}),
        Case("strings.upper", (np.array(["a"]),)),
    ],
    ids=str,
)
def test_what_cannot_be_stacked_is_unsupported(case):
    assert status("vmap", case, zeros=tf.zeros, add=tf.add) == "unsupported"


def test_results_of_several_shapes_are_unsupported():
    cases = [Case("flatnonzero", (np.array(values),)) for values in ([1, 0], [1, 1])]
    assert kinds("vmap", *cases, flatnonzero=lambda x: tf.where(x)[:, 0] + 1) == []
    (verdict, _) = judge_siblings(cases, ["vmap"], made(flatnonzero=tf.identity))
    assert verdict.outcomes["vmap@CPU:0"].kind == "unsupported"
