"""Einstein's summation."""

from __future__ import annotations

import numpy as np
import pytest
import tensorflow as tf

import tfnp
from tests.tfnp.agreement import DTYPES, agree, array, gradient, traced

A, B, C = array(2, 3), array(3, 4), array(4, 2)


@pytest.mark.sample(13)
@pytest.mark.parametrize("optimize", [False, True, "greedy", "optimal"], ids=str)
@pytest.mark.parametrize(
    ("text", "operands"),
    [
        ("ij,jk", (A, B)),
        ("ij,jk->ki", (A, B)),
        ("ij,jk,kl->il", (A, B, C)),
        ("ii", (array(3, 3),)),
        ("ii->i", (array(3, 3),)),
        ("ij->", (A,)),
        ("...j,jk->...k", (array(2, 2, 3), B)),
        ("i,j", (array(2), array(3))),
        (",i->i", (2.0, array(3))),
        ("ij,ij->ij", (A, A)),
        ("ij,kj->ik", (A, np.ones((1, 1)))),
        ("ill,ki,i", (np.zeros((1, 0, 0)), np.array([[np.inf]]), np.ones(1))),
        ("ij,jk", (A, C)),
        ("ij->ii", (A,)),
        ("i1", (A,)),
        ("ij->k", (A,)),
        ("ijk", (A,)),
        ("ij,jk", (A,)),
    ],
    ids=str,
)
def test_subscripts(text, operands, optimize):
    agree("einsum", text, *operands, optimize=optimize, modes=("eager", "graph"))


@pytest.mark.sample(9)
@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_every_dtype(dtype):
    agree("einsum", "ij,jk->i", A.astype(dtype), B.astype(dtype), modes=("eager", "graph"))


def test_lists_of_labels():
    agree("einsum", A, [0, 1], B, [1, 2], modes=("eager",))
    agree("einsum", A, [0, 1], B, [1, 2], [2, 0], modes=("eager",))
    agree("einsum", A, [Ellipsis, 1], [Ellipsis], modes=("eager",))


def test_into():
    for optimize in (False, True):
        for out in (np.zeros((2, 4)), np.zeros((1, 2, 4)), np.zeros((2, 2))):
            agree("einsum", "ij,jk->ik", A, B, out=out, optimize=optimize, modes=("eager",))
        agree("einsum", "ll->", np.ones((1, 1)), out=np.zeros(1), optimize=optimize, modes=("eager",))
    agree("einsum", "ij->i", A, dtype=np.float64, casting="safe", modes=("eager",))
    agree("einsum", "ij->i", A, dtype=np.int8, casting="safe", modes=("eager",))
    with pytest.raises(TypeError, match=r"tf\.Variable"):
        tfnp.einsum("i->", tf.ones(2), out=tf.zeros(()))
    with pytest.raises(TypeError, match="kwargs"):
        tfnp.einsum("i->", tf.ones(2), bogus=1)


def test_the_path_is_numpys():
    expected = np.einsum_path("ij,jk,kl->il", A, B, C)
    assert tfnp.einsum_path("ij,jk,kl->il", *map(tf.constant, (A, B, C))) == expected


def test_unknown_dims():
    for optimize in (False, True):
        actual = traced(lambda a, b, o=optimize: tfnp.einsum("ij,jk->ki", a, b, optimize=o), A, B)
        np.testing.assert_allclose(actual, np.einsum("ij,jk->ki", A, B))
    np.testing.assert_allclose(traced(lambda a: tfnp.einsum("ii", a), array(3, 3)), np.trace(array(3, 3)))


def test_gradients():
    assert np.isfinite(gradient(lambda a, b: tfnp.einsum("ij,jk->i", a, b), A, B)[0]).all()


@pytest.mark.parametrize("compiled", [None, False, True])
def test_products_of_zeros_are_not_negative(compiled):
    x, y = np.array([-0.0, 1.0, -0.0]), np.array([1.0, 0.0, -1.0])
    for text in ("i,i->i", "i,j->ij", "i,i->", "ij,i->ij"):

        def multiply(x, y, text=text):
            return tfnp.einsum(text, x[:, None] if text.startswith("ij") else x, y)

        call = multiply if compiled is None else tf.function(multiply, jit_compile=compiled)
        for first, second in ((x, y), (-x, -y)):
            result = call(tf.constant(first), tf.constant(second)).numpy()
            assert not np.signbit(result[result == 0]).any()
