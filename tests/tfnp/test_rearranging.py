"""Elements put in another order."""

from __future__ import annotations

import numpy as np
import pytest

import tfnp
from tests.tfnp.agreement import DTYPES, agree, array, gradient, traced

SHAPES = [(), (0,), (5,), (2, 3), (2, 0, 3), (2, 3, 4), (2,) * 9, (2, 1) * 8]


@pytest.mark.sample(1)
@pytest.mark.parametrize("shape", SHAPES)
def test_every_rank(shape):
    for name in ("flip", "fliplr", "flipud", "rot90"):
        agree(name, array(*shape), modes=("eager", "graph"))
    agree("roll", array(*shape), 2)
    agree("roll", array(*shape), -1, 0)


@pytest.mark.sample(1)
@pytest.mark.parametrize("axis", [None, 0, -1, 5, (0, 1), (0, 0), (), [0], 1.0])
def test_axes(axis):
    agree("flip", array(2, 3), axis)
    agree("roll", array(2, 3), 1, axis)
    agree("roll", array(2, 3), (1, 2), axis)


@pytest.mark.sample(1)
@pytest.mark.parametrize("shift", [0, 7, -100, 1.0, True, [1], [[1]], np.array(3), np.array([1, 2])])
def test_static_and_dynamic_shifts(shift):
    agree("roll", array(2, 3), shift, modes=("eager", "graph"))
    agree("roll", array(2, 3), shift, (0, 1))
    agree("roll", array(2, 3), shift, -1)


@pytest.mark.parametrize("axes", [(0, 1), (1, 0), (0, 2), (-1, 0), (0, 0), (0, -3), (0, 5), (0,)])
def test_turns(axes):
    for turns in (0, 1, 2, 3, -1, 7):
        agree("rot90", array(2, 3, 4), turns, axes, modes=("eager",))


@pytest.mark.sample(1)
@pytest.mark.parametrize("dtype", DTYPES)
def test_every_dtype(dtype):
    agree("flip", array(2, 3, dtype=dtype))
    agree("roll", array(2, 3, dtype=dtype), 1, 1)
    agree("rot90", array(2, 3, dtype=dtype))


def test_unknown_dims():
    np.testing.assert_array_equal(traced(lambda x: tfnp.roll(x, 2, 1), array(2, 3)), np.roll(array(2, 3), 2, 1))
    np.testing.assert_array_equal(traced(lambda x: tfnp.roll(x, 2), array(2, 3)), np.roll(array(2, 3), 2))
    np.testing.assert_array_equal(traced(lambda x: tfnp.roll(x, 2, 0), array(0)), array(0))
    np.testing.assert_array_equal(traced(tfnp.rot90, array(2, 3)), np.rot90(array(2, 3)))


def test_gradients():
    (slope,) = gradient(lambda x: tfnp.rot90(tfnp.roll(x, 1)) * [1, 2], array(2, 3))
    np.testing.assert_array_equal(slope, 2 * array(2, 3) * np.roll(np.rot90(np.tile([1, 4], (3, 1)), -1), -1))
