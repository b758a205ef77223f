"""Einstein's summation."""

from __future__ import annotations

import numpy as np
import pytest
import tensorflow as tf

import tfnp
from tests.tfnp.agreement import agree, array

A, B, C = array(2, 3), array(3, 4), array(4, 2)


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
