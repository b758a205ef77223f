"""Graphs that know no dimensions, or no rank: what they find, and what they may refuse."""

from __future__ import annotations

import numpy as np
import pytest

from fuzz.mutants.arrays import is_compiled
from oracle import Case, Mode, Outcome, run_numpy
from oracle.harness import find_deviation
from tests.oracle.made import kinds, status

tf = pytest.importorskip("tensorflow")
A = np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
EACH = pytest.mark.parametrize("mode", ["graph_dims", "graph_rank", "xla_dims"])


def size_baked_in(x):
    """Right only where the static shape is known."""
    return tf.reduce_sum(x) / (x.shape.num_elements() or 1)


def sum_by_rank(x):
    """Right only where the rank is known."""
    return tf.reduce_sum(x, axis=list(range(x.shape.rank or 0)))


def refusing(message, error=ValueError):
    def refuse(*args, **kwargs):
        raise error(message)

    return refuse


@EACH
class TestEach:
    def test_what_is_right_is_silent(self, mode):
        siblings = [Case("add", (A + k, A[0])) for k in range(3)]
        assert kinds(mode, *siblings, add=tf.add) == []

    def test_a_wrong_value_for_want_of_dimensions_is_found(self, mode):
        assert kinds("graph", Case("mean", (A,)), mean=size_baked_in) == []
        assert kinds(mode, Case("mean", (A,)), mean=size_baked_in) == ["value"]

    def test_sides_may_be_tensors(self, mode):
        def shape(x):
            found = tf.shape(x)
            return tuple(tf.unstack(found, num=x.shape.rank)) if x.shape.rank is not None else found

        assert kinds(mode, Case("shape", (A,)), shape=shape) == []
        assert kinds(mode, Case("size", (A,)), size=tf.size) == []
        assert kinds(mode, Case("size", (A,)), size=lambda x: tf.size(x) + 1) == ["value"]

    def test_a_truth_that_hangs_on_sides_may_be_a_tensor(self, mode):
        case = Case("iterable", (A,))
        assert kinds(mode, case, iterable=lambda x: tf.greater(tf.size(x), 0)) == []
        assert kinds(mode, case, iterable=lambda x: tf.less(tf.size(x), 0)) == ["value"]
        assert kinds(mode, case, iterable=tf.size) == ["value"]  # 3 for True
        assert kinds("graph", case, iterable=lambda x: tf.greater(tf.size(x), 0)) == ["structure"]

    def test_what_shapes_cause_may_fail_at_run_time(self, mode):
        assert kinds(mode, Case("add", (A, np.ones(2))), add=tf.add) == []
        assert kinds(mode, Case("add", (A, np.ones(2))), add=lambda x, y: x) == ["missing error"]

    def test_no_inputs_no_question(self, mode):
        assert status(mode, Case("zeros", ((2, 3),)), zeros=tf.zeros) == "unsupported"


class TestUnknownRank:
    def test_a_wrong_value_for_want_of_a_rank_is_found(self):
        case = Case("sum", (A,))
        assert kinds("graph_dims", case, sum=sum_by_rank) == []
        assert kinds("graph_rank", case, sum=sum_by_rank) == ["shape"]

    CLEAR = "the rank of this tensor is unknown while tracing, and must be known here"

    @pytest.mark.parametrize(
        "case",
        [
            Case("nonzero", (A,)),
            Case("gradient", (A,)),
            Case("ndim", (A,)),
            Case("iterable", (A,)),
            Case("iterable", (A[:0],)),
            Case("matmul", (A, A.T)),
            Case("diag", (A,)),
            Case("diag_indices_from", (A[:, :2],)),
        ],
        ids=str,
    )
    def test_what_means_nothing_without_a_rank_may_be_refused_clearly(self, case):
        assert kinds("graph_rank", case, **{case.name: refusing(self.CLEAR)}) == []
        assert kinds("graph_rank", case, **{case.name: refusing("no")}) == ["spurious error"]
        assert kinds("graph_rank", case, **{case.name: refusing(self.CLEAR, RuntimeError)}) == ["spurious error"]
        assert kinds("graph_dims", case, **{case.name: refusing(self.CLEAR)}) == ["spurious error"]

    @pytest.mark.parametrize(
        "case", [Case("sin", (A,)), Case("sum", (A,), {"axis": 0}), Case("sort", (A,)), Case("split", (A, 2))], ids=str
    )
    def test_nothing_else_may(self, case):
        assert kinds("graph_rank", case, **{case.name: refusing(self.CLEAR)}) == ["spurious error"]


class TestUnknownDimensionsUnderXla:
    def test_xla_compiles_the_call(self):
        def add(x, y):
            return tf.add(x, y) if is_compiled(x) else tf.subtract(x, y)

        case = Case("add", (A, A))
        assert kinds("xla_dims", case, add=add) == []
        assert kinds("graph_dims", case, add=add) == ["value"]

    def test_what_xla_cannot_compile_is_an_error(self):
        case = Case("linalg.eigvals", (A[:, :2],))
        assert kinds("xla_dims", case, linalg__eigvals=refusing("boom", RuntimeError)) == ["spurious error"]
        assert kinds("xla_dims", case, linalg__eigvals=lambda x: tf.linalg.eig(x)[0]) == []
        assert kinds("xla_dims", Case("add", (A, A)), add=lambda x, y: tf.linalg.eig(x)) == ["spurious error"]

    def test_a_graph_alone_may_not_say_what_is_unknown(self):
        message = "the dimension to unstack must be known while tracing"
        assert kinds("xla_dims", Case("unstack", (A,)), unstack=refusing(message)) == []
        assert kinds("xla_dims", Case("split", (A, 2)), split=refusing(message)) == ["spurious error"]
        assert kinds("xla", Case("unstack", (A,)), unstack=refusing(message)) == ["spurious error"]


class TestUnknownDimensions:
    def test_as_many_parts_as_a_side_is_long(self):
        message = "the dimension to unstack must be known while tracing"
        assert kinds("graph_dims", Case("unstack", (A,)), unstack=refusing(message)) == []
        assert kinds("graph_dims", Case("split", (A, 2)), split=refusing(message)) == ["spurious error"]
        assert kinds("graph", Case("unstack", (A,)), unstack=refusing(message)) == ["spurious error"]

    def test_a_dtype_may_be_that_of_other_sides(self):
        case = Case("polynomial.laguerre.lagmul", (np.ones(1, np.float32),) * 2)
        for mode, dtype, kind in (
            ("graph_dims", np.float32, None),
            ("graph_dims", np.float16, "dtype"),
            ("graph", np.float32, "dtype"),
        ):
            found = find_deviation(case, run_numpy(case), Outcome(np.ones(1, dtype)), Mode(mode))
            assert (found and found.kind) == kind
        assert (
            find_deviation(case, run_numpy(case), Outcome(np.zeros(1, np.float32)), Mode("graph_dims")).kind == "value"
        )


class TestStaticShapes:
    def test_a_promise_that_is_not_kept_is_found(self):
        def lying(x):
            result = tf.py_function(lambda x: x[:1], [x], x.dtype)
            result.set_shape([3])
            return result

        case = Case("sort", (A[0],))
        found = kinds("graph", case, sort=lying)
        assert "static shape" in found
        assert "static shape" not in kinds("graph", case, sort=tf.sort)
        assert kinds("graph_dims", case, sort=tf.sort) == []


def test_a_result_may_be_complex_where_it_is_for_all_lengths_but_one():
    empty = np.array([], np.complex128)
    for array, mode, wanted in (
        (empty, "graph_dims", []),
        (empty, "graph", ["dtype"]),
        (empty.real, "graph_dims", ["dtype"]),
    ):
        case = Case("polynomial.polynomial.polyfromroots", (array,))
        found = find_deviation(case, run_numpy(case), Outcome(np.ones(1, np.complex128)), Mode(mode))
        assert ([] if found is None else [found.kind]) == wanted
