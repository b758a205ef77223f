"""Calls that NumPy calculates for small arrays: their results are those of `tfnp`, in memory of their own."""

from __future__ import annotations

import operator

import numpy
import pytest
import tensorflow as tf

import tfnp
import tfnp.numpy as np
from tests.tables import check_each

pytestmark = pytest.mark.usefixtures("auto_policy")
CALLS = """
np.add.accumulate(x); np.add.reduce(x); np.add.reduceat(x, [0, 2]); np.all(x); np.any(x, axis=0); np.argmax(x)
np.argmin(x, axis=1); np.average(x, weights=y); np.count_nonzero(x); np.max(x, axis=0, keepdims=True); np.mean(x, 1)
np.median(x); np.min(x); np.percentile(x, [20, 50]); np.prod(x); np.ptp(x); np.quantile(x, 0.3, axis=0); np.std(x)
np.sum(x, dtype=np.float32); np.var(x, ddof=1); np.nanargmax(z); np.nanargmin(z); np.nanmax(z); np.nanmean(z)
np.nanmin(z); np.nanprod(z); np.nanstd(z); np.nansum(z); np.nanvar(z); np.cross(x[:, :3], y[:, :3]); np.dot(x, y.T)
np.einsum("ij,kj->ik", x, y); np.inner(x, y); np.kron(x, y); np.outer(x, y); np.tensordot(x, y, 2); np.trace(x)
np.vdot(x, y); np.allclose(x, y); np.array_equal(x, x); np.clip(x, 1, y); np.cumprod(x); np.cumsum(x, 1); np.diff(x)
np.interp([0.5, 1.5], [0, 1, 2], [1.0, 3.0, 2.0]); np.isclose(x, y); np.round(x, 1); np.argsort(x); np.argwhere(x > 1)
np.bincount(n); np.bincount(n, n * 0.5, minlength=9); np.digitize(x, [0.0, 1.0, 3.0]); np.flatnonzero(x > 1)
np.nonzero(x > 1); np.searchsorted([1.0, 2.0, 3.0], x, side="right"); np.sort(x, axis=0); np.unique(n)
np.unique(n, return_counts=True); np.column_stack((n, n)); np.concatenate([x, y], axis=1); np.delete(n, [1]); n // n[0]
np.dstack((x, y)); np.hstack([x, y]); np.insert(n, 1, 5); np.repeat(x, 2, axis=0); np.roll(x, 1); np.append(x, 1.0)
np.take(n, [0, -1]); np.stack([x, y]); np.tile(n, (2, 1)); np.vstack((x, y)); np.where(x > y, x, 0); np.where(x > y)
x.mean(axis=0); x.argsort(); x.cumsum(); x.dot(y.T); x.max(); x.nonzero(); x.round(); x.repeat(2); x.std()
np.linalg.cholesky(s); np.linalg.cond(s); np.linalg.det(s); np.linalg.inv(s); np.linalg.lstsq(s, s)[0]; divmod(x, 2)
np.linalg.matrix_norm(s); np.linalg.matrix_power(s, 3); np.linalg.matrix_rank(s); np.linalg.norm(x); np.linalg.pinv(s)
np.linalg.slogdet(s); np.linalg.solve(s, s[0]); np.linalg.vector_norm(x); np.linalg.eigvalsh(s); np.linalg.svdvals(x)
np.exp(x); np.sin(x); np.hypot(x, y); np.modf(x); np.logical_not(x); np.isnan(z); np.maximum(x, 1.5); np.matmul(x, y.T)
x.take([0, 1]); x.trace()
-x; abs(x); ~n; x + y; 1 - x; x * 2; x / y; x // y; x % y; x**2; x @ y.T; x == y; x != 2; x < y; n & 1; n << 1; 3 | n
""".replace("\n", ";").split(";")
EXACT = ("add", "sub", "mul", "truediv", "floordiv", "mod", "eq", "ne", "lt", "le", "gt", "ge")


def make_values(np):
    x = np.array([[1.5, -2.25, 0.0, 7.0], [3.0, 0.5, 2.5, -1.0], [4.0, 1.0, -0.5, 2.0]])
    z = np.array([1.0, np.nan, 3.0, 2.0])
    s = np.array([[4.0, 1.0, 0.5], [1.0, 3.0, -1.0], [0.5, -1.0, 5.0]])
    return {"np": np, "x": x, "y": x[::-1] + 1.25, "z": z, "s": s, "n": np.array([3, 1, 4, 1, 5])}


def run_by_tfnp(call):
    """Return the result of a call for which NumPy is not used."""
    with np.calculate_with("tensorflow"):
        return call()


def assert_same(actual, expected):
    if isinstance(actual, tuple):
        assert len(actual) == len(expected)
        for one, other in zip(actual, expected, strict=True):
            assert_same(one, other)
    else:
        assert type(actual) is type(expected)
        assert getattr(actual, "dtype", None) == getattr(expected, "dtype", None)
        numpy.testing.assert_allclose(numpy.asarray(actual), numpy.asarray(expected), rtol=1e-12, atol=1e-12)


def test_results_are_those_of_tfnp():
    def check(call):
        actual = eval(call, make_values(np))
        assert_same(actual, run_by_tfnp(lambda: eval(call, make_values(np))))

    check_each([call.strip() for call in CALLS if call.strip()], check)


def test_arithmetic_has_the_same_bits_as_in_a_graph():
    generator = numpy.random.default_rng(0)
    for dtype in ("float32", "float64"):
        x, y = (
            np.array((generator.normal(size=1000) * 10.0 ** generator.integers(-9, 9, 1000)).astype(dtype))
            for _ in "xy"
        )
        for name in EXACT:
            operate = getattr(operator, name)
            traced = tf.function(operate, autograph=False)(x, y)
            numpy.testing.assert_array_equal(numpy.asarray(operate(x, y)), numpy.asarray(traced), err_msg=name)


def test_small_arrays_are_calculated_in_memory_and_large_tensors_are_not():
    x = np.arange(6.0)
    assert (x + x)._storage.tensor is None
    assert np.sqrt(x)._storage.tensor is None
    assert np.cumsum(x)._storage.tensor is None
    y = np.array(tf.ones(1 << 16))
    calls = {
        "operator": lambda *xs: sum(xs),
        "power": lambda *xs: xs[0] ** 2 + xs[-1],
        "product": lambda *xs: xs[0].reshape(4, -1) @ xs[-1].reshape(-1, 4),
        "ufunc": lambda *xs: np.hypot(xs[0], xs[-1]),
        "reduction": lambda *xs: np.sum(np.stack(xs), 0),
        "function": lambda *xs: np.concatenate(xs),
    }
    for name, call in calls.items():
        assert call(y)._storage.memory is None, name
        assert call(y, y)._storage.memory is None, name
        z = y.copy()
        z[0] = 4.0  # its tensor is not current, and to make one takes longer
        assert call(y, z)._storage.tensor is None, name
        assert call(z)._storage.tensor is None, name


def test_a_copy_has_the_order_of_its_argument():
    x = np.arange(6.0).reshape(2, 3)
    x[0, 0] = 1.0
    for transposed in (x.T, x.T[1:]):
        assert np.copy(transposed).strides == numpy.copy(numpy.asarray(transposed)).strides
        assert np.zeros_like(transposed).strides == numpy.zeros_like(numpy.asarray(transposed)).strides
        assert transposed.copy().flags.c_contiguous


def test_results_share_no_memory_with_the_arguments():
    x = np.arange(4.0)
    for call in (
        np.concatenate,
        np.stack,
        np.hstack,
        lambda xs: np.tile(xs[0], 1),
        lambda xs: np.take(xs[0], [0, 1, 2, 3]),
    ):
        result = call([x])
        x[0] = 5.0
        assert result.ravel()[0] == 0.0
        result[...] = 9.0
        assert x[1] == 1.0
        x[0] = 0.0


def test_positional_outputs_are_written_to():
    x, out = np.array([[1.0, 3.0], [2.0, 4.0]]), np.zeros(2)
    before = out + 0
    assert tf.reduce_sum(out) == 0  # which makes a tensor that the write has to replace
    assert np.mean(x, 0, None, out) is out
    assert out.tolist() == [1.5, 3.5]
    assert tf.reduce_sum(out) == 5
    assert before.tolist() == [0.0, 0.0]


def test_options_of_tfnp_are_taken():
    assert np.unique([2, 1, 2], size=3, fill_value=7).tolist() == [1, 2, 7]
    assert np.nonzero(np.array([0, 1, 2]), size=1)[0].tolist() == [1]


def test_gradients_are_recorded():
    x = np.array([1.0, 2.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = np.dot(x, x) + (x * 3).sum() + np.linalg.norm(x) ** 2
    assert tape.gradient(y, x).tolist() == [7.0, 11.0]


def test_another_promotion_is_obeyed():
    x = np.arange(3, dtype=np.int32)
    with tfnp.numpy_behavior(dtype_conversion_mode="all"):
        assert (x + np.ones(3, np.float32)).dtype == numpy.float32
    assert (x + np.ones(3, np.float32)).dtype == numpy.float64


@pytest.mark.parametrize("name", ["eig", "eigh", "svd", "eigvals"])
def test_decompositions_have_lapacks_order_and_signs(name):
    generator = numpy.random.default_rng(0)
    for size in (4, 40):
        matrix = generator.normal(size=(size, size))
        actual, expected = getattr(np.linalg, name)(np.array(matrix)), getattr(numpy.linalg, name)(matrix)
        for one, other in zip(actual, expected, strict=True) if isinstance(expected, tuple) else [(actual, expected)]:
            numpy.testing.assert_array_equal(numpy.asarray(one), other)


def test_warnings_are_numpys():
    with pytest.warns(RuntimeWarning, match="divide by zero"):
        np.ones(2) / np.zeros(2)
    with pytest.warns(RuntimeWarning, match="empty slice") as record:
        np.mean(np.zeros((2, 0)), axis=1)
    assert sum("empty" in str(warning.message) for warning in record) == 1


def test_outputs_are_written_in_memory_also_where_they_overlap():
    x, y = np.arange(6.0), numpy.arange(6.0)
    view = x[::2]
    assert np.add(x[1:], x[:-1], out=x[1:]).base is x
    numpy.add(y[1:], y[:-1], out=y[1:])
    assert x._storage.tensor is None
    assert x.tolist() == y.tolist()
    assert view.tolist() == y[::2].tolist()
    z = np.array(tf.ones(3))  # memory of a tensor, which must not change
    before = z + 0
    assert np.multiply(z, 3, out=(z,)) is z
    assert (z.tolist(), before.tolist()) == ([3.0, 3.0, 3.0], [1.0, 1.0, 1.0])
    with pytest.raises(numpy._core._exceptions.UFuncTypeError, match="Cannot cast"):
        np.add(x, 0.5, out=np.zeros(6, int))
    with pytest.raises(ValueError, match="read-only"):
        np.add(1, 2, out=np.broadcast_to(np.zeros(1), (2, 1)))


def list_leaves(result):
    if isinstance(result, tuple | list):
        return [leaf for item in result for leaf in list_leaves(item)]
    return [result]


@pytest.mark.sample(1)
@pytest.mark.parametrize("policy", ["auto", "tensorflow", "numpy"])
def test_no_result_is_a_tensor_or_numpys_array(policy):
    def check(call):
        seen = []

        def trace(values):
            results = list_leaves(eval(call, dict(values, np=np)))
            seen.extend(map(type, results))
            return [result for result in results if isinstance(result, np.ndarray)]

        values = {name: value for name, value in make_values(np).items() if name != "np"}
        with np.calculate_with(policy):
            trace(values)
            tf.function(trace, autograph=False)(values)
        assert seen
        assert {cls for cls in seen if issubclass(cls, tf.Tensor | tf.Variable) or cls is numpy.ndarray} == set()

    check_each([call.strip() for call in CALLS if call.strip()], check)
