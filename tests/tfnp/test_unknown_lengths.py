"""Functions whose length is a tensor that a graph does not know, and functions of arrays of which it knows no dim."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
import tensorflow as tf

import tfnp
from tests.tables import check_each
from tests.tfnp.agreement import array, take_gradient, traced

OF_LENGTH = {
    "linspace": lambda m, n: m.linspace(0.5, 3, n),
    "linspace of an open interval": lambda m, n: m.linspace(0, 3, n, endpoint=False),
    "linspace of integers": lambda m, n: m.linspace(0, 7, n, dtype=np.int32),
    "linspace between arrays": lambda m, n: m.linspace(np.array([0.0, 1.0]), np.array([1.0, 5.0]), n, axis=-1),
    "linspace with the step": lambda m, n: m.linspace(0.5, 3, n, retstep=True),
    "logspace": lambda m, n: m.logspace(0, 2, n),
    "bartlett": lambda m, n: m.bartlett(n),
    "blackman": lambda m, n: m.blackman(n),
    "hamming": lambda m, n: m.hamming(n),
    "hanning": lambda m, n: m.hanning(n),
    "kaiser": lambda m, n: m.kaiser(n, 8.6),
    "mgrid": lambda m, n: m.mgrid[0:n, 1:3],
    "mgrid of one axis": lambda m, n: m.mgrid[0:n],
    "mgrid with a step": lambda m, n: m.mgrid[0:n:0.5, 0:1:3j],
    "ogrid": lambda m, n: m.ogrid[0:n, 0:n],
    "r_": lambda m, n: m.r_[0:n, 7],
    "tril_indices": lambda m, n: m.tril_indices(n),
    "tril_indices of a rectangle": lambda m, n: m.tril_indices(n, -1, 3),
    "triu_indices": lambda m, n: m.triu_indices(n),
    "triu_indices of a rectangle": lambda m, n: m.triu_indices(3, 1, n),
    "diag_indices": lambda m, n: m.diag_indices(n, 3),
    "unravel_index": lambda m, n: m.unravel_index([0, 3], (2, n + 2)),
    "unravel_index by columns": lambda m, n: m.unravel_index(3, (n + 2, 2), "F"),
}


def trace(call):
    """Return a function of the length, of which the graph knows only the dtype."""

    @tf.function(input_signature=[tf.TensorSpec([], tf.int64)], autograph=False)
    def traced(length):
        with tfnp.numpy_behavior():
            return call(tfnp, length)

    return traced


def test_a_length_may_be_unknown_while_tracing():
    def check(name):
        traced = trace(OF_LENGTH[name])
        for n in (0, 1, 5):
            actual, expected = traced(n), OF_LENGTH[name](np, n)
            are_several = isinstance(expected, tuple)
            for one, other in zip(actual, expected, strict=True) if are_several else [(actual, expected)]:
                assert one.dtype == np.asarray(other).dtype
                np.testing.assert_allclose(one.numpy(), other, rtol=1e-14, atol=1e-15)

    check_each(OF_LENGTH, check)


def test_a_negative_length_fails_when_the_graph_runs():
    with pytest.raises(tf.errors.InvalidArgumentError, match="Number of samples must be non-negative"):
        trace(OF_LENGTH["linspace"])(-1)


def test_an_index_out_of_unknown_bounds_fails_when_the_graph_runs():
    with pytest.raises(tf.errors.InvalidArgumentError, match="out of bounds"):
        trace(lambda m, n: m.unravel_index(9, (n, 2)))(3)


def test_a_permutation_of_unknown_length_is_that_of_a_static_one():
    actual = trace(lambda m, n: m.random.default_rng(3).permutation(n))(4)
    np.testing.assert_array_equal(actual, tfnp.random.default_rng(3).permutation(4))


def test_gradients_flow_to_the_ends_of_an_unknown_number_of_points():
    def call(m, n):
        start = tf.constant(1.0)
        return take_gradient(lambda start: tf.reduce_sum(m.linspace(start, 3.0, n)), start)

    assert trace(call)(5) == 2.5


X, NAN = array(2, 3), np.array([[1.0, np.nan, 3.0], [np.nan, np.nan, -2.0], [2.0, 4.0, 5.0]])
AWKWARD = np.array([-np.inf, -2.5, -0.5, -0.0, 0.5, 1.5, 125.0, np.inf, np.nan])
UNEVEN, Y = np.array([0.0, 1.0, 1.5, 4.0]), np.array([1.0, 3.0, -2.0, 0.5])
SQUARE, RIGHT = np.array([[2.0, 0.5, -0.3], [0.1, 1.5, 0.7], [0.4, -0.6, 1.1]]), np.array([1.0, -2.0, 0.5])
INDICES, SET = np.array([[1, 0], [0, 2]]), (np.array([4, 1, 4, 2]), np.array([2, 9, 4]))
BYTES = (np.arange(12) * 37 % 256).reshape(3, 4).astype(np.uint8)

Call = tuple[Callable[..., Any], Sequence[np.ndarray]]
CALLS: list[Call] = [
    (lambda m, x: m.roll(x, 2, 1), [X]),
    (lambda m, x: m.roll(x, 2), [X]),
    (lambda m, x: m.roll(x, 2, 0), [array(0)]),
    (lambda m, x: m.rot90(x), [X]),
    *[(lambda m, x, name=name: getattr(m, name)(x), [x]) for name in ("cov", "corrcoef") for x in (NAN[2:], X[0])],
    *[(lambda m, x, name=name: getattr(m, name)(x), [array(3, 4)]) for name in ("diff", "ediff1d", "trapezoid")],
    *[(lambda m, x, n=n: m.gradient(x, UNEVEN, axis=1, edge_order=n), [array(3, 4)]) for n in (1, 2)],
    *[
        (lambda m, x, name=name: getattr(m, f"nan{name}")(x, axis=1), [NAN[:2]])
        for name in ("max", "mean", "min", "prod", "std", "sum", "var", "cumprod", "cumsum")
    ],
    (lambda m, x: m.packbits(x, 1), [array(2, 11, dtype=bool)]),
    *[(lambda m, x, count=count: m.unpackbits(x, 1, count), [BYTES]) for count in (None, 5, 40, -3)],
    *[
        (lambda m, x, name=name, k=k: getattr(m, name)(x, k), [x])
        for k in (0, 1, -2)
        for name, x in (("diag", array(3, 4)), ("diag", array(3)), ("tril", array(3, 4)))
    ],
    (lambda m, x: m.triu(x), [array(3)]),
    (lambda m, x: m.tile(x, (2, 2)), [array(3)]),
    (lambda m, x: m.repeat(x, 3), [X]),
    (lambda m, x: m.repeat(x, [1, 0, 2]), [array(3)]),
    (lambda m, x: m.bincount(x), [np.array([3, 1, 0, 3])]),
    (lambda m, x: m.bincount(x, minlength=3), [np.zeros(0, int)]),
    (lambda m, x: m.array_split(x, 3), [array(7)]),
    (lambda m, x: m.split(x, [-3, 5]), [array(7)]),
    (lambda m, x: m.sort(x), [array(5)]),
    *[
        (lambda m, a, b, best=best: m.einsum("ij,jk->ki", a, b, optimize=best), [X, array(3, 4)])
        for best in (False, True)
    ],
    (lambda m, a: m.einsum("ii", a), [array(3, 3)]),
    (lambda m, x: m.take(x, [0, -1], 1), [X]),
    (lambda m, x, i: m.take(x, i), [array(4), np.array([[1], [-1]])]),
    (lambda m, x, i: m.take_along_axis(x, i, 1), [X, INDICES]),
    (lambda m, x: m.compress(x > 3, x), [array(4)]),
    (lambda m, i, x: m.choose(i, [x, 9]), [np.array([1, 0]), array(2)]),
    (lambda m, x: m.select([x > 3], [x], -1), [array(3)]),
    (lambda m, x, y: m.polyfit(x, y, 2), [UNEVEN, Y]),
    (lambda m, *parts: m.linalg.multi_dot(list(parts)), [X, array(3, 4), array(4, 2), array(2, 2)]),
    (lambda m, x: m.linalg.matrix_power(x, 0), [SQUARE]),
    *[
        (lambda m, x, name=name: getattr(m.linalg, name)(x), [SQUARE])
        for name in ("norm", "det", "cond", "matrix_rank", "trace", "vector_norm")
    ],
    *[
        (lambda m, x, y, name=name: getattr(m, name)(x, y), SET)
        for name in ("intersect1d", "union1d", "setdiff1d", "setxor1d", "isin")
    ],
    (lambda m, x: m.unique(x, axis=0), SET[:1]),
    (lambda m, x, y: m.meshgrid(x, y), [array(2), array(3)]),
    (lambda m, n: m.indices((n, 2)), [np.array(3)]),
    (lambda m, x, y: m.concatenate([x, y], 1), [X, array(2, 1)]),
    *[(lambda m, x, y, name=name: getattr(m, name)(x, y), [X, array(3, 2)]) for name in ("dot", "kron")],
    (lambda m, x: m.inner(x, x), [X]),
    (lambda m, x: m.diagonal(x), [X]),
    (lambda m, x, y: m.tensordot(x, y, 1), [X, array(3, 2)]),
    (lambda m, x: m.mean(x, axis=0), [array(4)]),
    (lambda m, x: m.std(x, axis=1), [X]),
    (lambda m, x: m.sum(x, axis=0), [X]),
    (lambda m, x: m.max(x, axis=(0, 1), keepdims=True), [X]),
    (lambda m, x: m.round(x, 1), [AWKWARD]),
    (lambda m, x: m.clip(x, 0, [1]), [AWKWARD]),
    *[(lambda m, x, name=name: getattr(m, name)(x), [AWKWARD]) for name in ("nan_to_num", "angle")],
    (lambda m, n: m.zeros((n, 2)), [np.array(3)]),
    *[(lambda m, x, name=name: getattr(m, name)(x), [UNEVEN]) for name in ("vander", "polyder", "polyint")],
    (lambda m, x, counts: m.tile(x, counts), [X, np.array([2, 1, 3])]),
    (lambda m, x, y: m.correlate(x, y), [UNEVEN[:2], UNEVEN]),
    (lambda m, x, y: m.convolve(x, y, "valid"), [UNEVEN[:2], UNEVEN]),
]
CUTS = (slice(1, -1), slice(None, None, 2), slice(-2, None, -2), slice(9, 1, -1))
MORE_CALLS: list[Call] = [
    (lambda m, x: m.delete(x, [1, -1]), [array(5)]),
    *[(lambda m, x, cut=cut: m.delete(x, cut), [array(5)]) for cut in CUTS],
    *[(lambda m, x, cut=cut: m.insert(x, cut, 7), [array(5)]) for cut in CUTS],
    (lambda m, x: m.insert(x, 1, [7, 8]), [array(5)]),
    (lambda m, x: m.resize(x, (2, 4)), [array(5)]),
    (lambda m, x: m.resize(x, 2), [array(0)]),
    *[
        (lambda m, x, name=name, axis=axis: getattr(m, name)(x, axis=axis), [NAN])
        for name in ("median", "nanmedian")
        for axis in (0, 1, None)
    ],
    *[
        (lambda m, x, name=name, method=method: getattr(m, name)(x, [0.1, 0.6], 1, method=method), [NAN])
        for name in ("quantile", "nanquantile")
        for method in ("linear", "hazen", "nearest")
    ],
    *[(lambda m, x, bins=bins: m.histogram(x, bins), [UNEVEN]) for bins in (3, [0.0, 2.0, 9.5], "sqrt", "fd")],
    (lambda m, x: m.linalg.inv(x), [SQUARE]),
    (lambda m, x: m.linalg.pinv(x[:, :2]), [SQUARE]),
    (lambda m, x, y: m.linalg.lstsq(x[:, :2], y), [SQUARE, RIGHT]),
    (lambda m, x, y: m.linalg.solve(x, y), [SQUARE, RIGHT]),
    *[(lambda m, p, q, name=name: getattr(m, f"poly{name}")(p, q), [Y, RIGHT]) for name in ("add", "mul", "val")],
    *[(lambda m, x, y, name=name: getattr(m, name)(x, y), [array(5), array(3)]) for name in ("convolve", "correlate")],
    (lambda m, x: m.unwrap(x), [array(5)]),
    (lambda m, x: m.interp(x, UNEVEN, Y), [array(5)]),
    *[
        (lambda m, x, name=name, method=method: getattr(getattr(m, name), method)(x, axis=1), [SQUARE])
        for name in ("add", "subtract", "maximum", "hypot", "logaddexp")
        for method in ("reduce", "accumulate")
    ],
    *[
        (lambda m, x, i, name=name: getattr(m, name).reduceat(x, i), [SQUARE, np.array([0, 2, 1])])
        for name in ("add", "subtract", "maximum", "hypot", "logaddexp")
    ],
    *[
        (lambda m, x, y, name=name: getattr(m, name).outer(x, y), [SQUARE, RIGHT])
        for name in ("add", "subtract", "maximum", "hypot", "logaddexp")
    ],
]


PARTS = [CALLS[number::4] for number in range(4)]


@pytest.mark.sample(4)
@pytest.mark.parametrize("calls", [*PARTS, pytest.param(MORE_CALLS, marks=pytest.mark.full)], ids=[*"1234", "more"])
@pytest.mark.filterwarnings("ignore:.*encountered:RuntimeWarning", "ignore:Mean of empty slice", "ignore:All-NaN")
def test_results_are_numpys_where_no_dim_is_known(calls):
    def check(call: Call) -> None:
        function, arrays = call
        actual = tf.nest.flatten(traced(lambda *tensors: function(tfnp, *tensors), *arrays))
        expected = tf.nest.flatten(function(np, *arrays))
        for one, other in zip(actual, expected, strict=True):
            np.testing.assert_allclose(one, other, rtol=1e-6, atol=1e-12)

    check_each(calls, check)


def test_the_length_of_a_window_is_an_integer():
    np.testing.assert_allclose(tf.function(tfnp.hanning)(tf.constant(5)), np.hanning(5), rtol=1e-15)
    with pytest.raises(TypeError, match="must be static"):
        tf.function(tfnp.hanning)(tf.constant(3.5))
    assert tfnp.hanning(tf.constant(5)).shape == (5,)
