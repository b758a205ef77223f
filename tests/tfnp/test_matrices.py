"""Matrices of a pattern."""

from __future__ import annotations

import numpy as np
import pytest
import tensorflow as tf

import tfnp
from tests.tfnp.agreement import DTYPES, agree, array, gradient, traced

DIMS = [(3,), (3, 4), (0,), (3, 2, 1), (3, None, -1), (-1,), (2.0,), ("a",), (3, 3, 1.5), (2, 2, 9)]


@pytest.mark.parametrize("dims", DIMS, ids=map(str, DIMS))
def test_eye_and_tri(dims):
    agree("eye", *dims, modes=("eager", "graph"))
    agree("tri", *dims, modes=("eager",))
    agree("identity", dims[0], modes=("eager",))


@pytest.mark.sample(3)
@pytest.mark.parametrize("shape", [(3,), (0,), (3, 4), (4, 3), (0, 3), (2, 2, 2), (), (2, 1) * 5])
@pytest.mark.parametrize("k", [0, 1, -2, 5, -5])
def test_diagonals_and_triangles(shape, k):
    for name in ("diag", "diagflat", "tril", "triu"):
        agree(name, array(*shape), k, modes=("eager", "graph", "xla") if k in (1, -5) else ("eager",))


@pytest.mark.sample(1)
@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_every_dtype(dtype):
    for name in ("diag", "tril", "triu"):
        agree(name, array(3, 4, dtype=dtype))
    agree("diag", array(3, dtype=dtype), 1)
    agree("eye", 2, dtype=dtype, modes=("eager",))
    agree("vander", array(3, dtype=dtype), 4, modes=("eager",))


def test_a_triangle_cuts_nan_and_infinity():
    agree("tril", np.full((2, 2), np.nan))
    agree("triu", np.full((2, 2), np.inf), 1)


@pytest.mark.sample(3)
@pytest.mark.parametrize(
    "args",
    [(array(3),), (array(3), 2), (array(3), 0), (array(3), 5, True), (array(2, 2),), (5,), (array(0),), (array(3), -1)],
)
def test_vander(args):
    agree("vander", *args)


def test_unknown_dims():
    for k in (0, 1, -2):
        np.testing.assert_array_equal(traced(lambda x, k=k: tfnp.diag(x, k), array(3, 4)), np.diag(array(3, 4), k))
        np.testing.assert_array_equal(traced(lambda x, k=k: tfnp.diag(x, k), array(3)), np.diag(array(3), k))
        np.testing.assert_array_equal(traced(lambda x, k=k: tfnp.tril(x, k), array(3, 4)), np.tril(array(3, 4), k))
    np.testing.assert_array_equal(traced(tfnp.triu, array(3)), np.triu(array(3)))


def test_gradients():
    (slope,) = gradient(lambda x: tfnp.diag(tfnp.triu(x)), array(2, 2))
    np.testing.assert_array_equal(slope, 2 * np.diag(np.diag(array(2, 2))))


@pytest.mark.parametrize(("name", "options"), [("eye", {"k": 1}), ("tri", {"k": -1}), ("eye", {"dtype": "bool"})])
def test_the_size_of_a_matrix_may_be_a_tensor(name, options):
    traced = tf.function(lambda rows, columns: getattr(tfnp, name)(rows, columns, **options))
    for rows, columns in [(3, 4), (0, 2), (2, 2)]:
        expected = getattr(np, name)(rows, columns, **options)
        np.testing.assert_array_equal(traced(tf.constant(rows), tf.constant(columns)), expected, strict=True)
    square = tf.function(lambda size: getattr(tfnp, name)(size, **options))
    np.testing.assert_array_equal(square(tf.constant(3)), getattr(np, name)(3, **options), strict=True)
