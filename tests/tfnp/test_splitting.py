"""Arrays taken apart along an axis."""

from __future__ import annotations

import numpy as np
import pytest
import tensorflow as tf

import tfnp
from tests.tfnp.agreement import DTYPES, agree, array, gradient, traced

SECTIONS = [1, 2, 3, 0, -1, 2.0, [2], [1, 3], [3, 1], [-2], [10], [], (2, 4), [1.0], "a", None, np.int64(2), True]


@pytest.mark.sample(4)
@pytest.mark.parametrize("sections", SECTIONS, ids=map(str, SECTIONS))
def test_sections(sections):
    for name in ("split", "array_split"):
        agree(name, array(6), sections, modes=("eager", "graph"))
        agree(name, array(3, 4), sections, 1, modes=("eager", "graph"))
    for name in ("hsplit", "vsplit", "dsplit"):
        agree(name, array(2, 4, 6), sections, modes=("eager",))


@pytest.mark.sample(2)
@pytest.mark.parametrize("shape", [(), (0,), (5,), (2, 3), (2, 0), (2, 1) * 8])
def test_every_rank(shape):
    for name in ("split", "array_split", "hsplit", "vsplit", "dsplit"):
        agree(name, array(*shape), 1, modes=("eager", "graph"))
        agree(name, array(*shape), [1], modes=("eager",))
    for axis in (0, 1, -1, 20):
        agree("unstack", array(*shape), axis=axis, modes=("eager", "graph"))
        agree("array_split", array(*shape), 2, axis, modes=("eager",))


@pytest.mark.sample(1)
@pytest.mark.parametrize("dtype", DTYPES)
def test_every_dtype(dtype):
    agree("split", array(4, dtype=dtype), 2)
    agree("array_split", array(5, dtype=dtype), [4, 2])
    agree("unstack", array(2, 2, dtype=dtype))


@pytest.mark.full
def test_dynamic_indices():
    for indices in ([1, 3], [3, 1], [-2, 10], []):
        agree("split", array(3, 5), np.array(indices, np.int64), 1)


def test_dynamic_sections():
    """Which are as many parts: one index is a list of one."""
    for name in ("split", "array_split", "vsplit"):
        agree(name, array(2, 3), np.array(2), modes=("eager",))
        with pytest.raises(TypeError, match="number of sections must be static"):
            tf.function(getattr(tfnp, name))(array(2, 3), tf.constant(2))


def test_unknown_dims():
    for result, expected in zip(
        traced(lambda x: tfnp.array_split(x, 3), array(7)), np.array_split(array(7), 3), strict=True
    ):
        np.testing.assert_array_equal(result, expected)
    for result, expected in zip(
        traced(lambda x: tfnp.split(x, [-3, 5]), array(7)), np.split(array(7), [-3, 5]), strict=True
    ):
        np.testing.assert_array_equal(result, expected)
    with pytest.raises(ValueError, match="must be static"):
        traced(tfnp.unstack, array(3))


def test_gradients():
    (slope,) = gradient(lambda x: tfnp.split(x, 2)[1], array(4))
    np.testing.assert_array_equal(slope, 2 * array(4) * [0, 0, 1, 1])


def test_lists_keep_their_length_for_any_axis():
    for value in ([[0.0, 1.0]], [[1], [2], [3]], [[1, 2, 3], [4, 5, 6]]):
        for sections in (1, 1.0, 2, 3):
            agree("array_split", value, sections, 1, modes=("eager", "graph"))
