"""Differences, slopes, areas."""

from __future__ import annotations

import numpy as np
import pytest
import tensorflow as tf

import tfnp
from tests.tfnp.agreement import DTYPES, agree, array, traced
from tests.tfnp.agreement import gradient as slopes

NAMES = ("diff", "ediff1d", "gradient", "trapezoid")
UNEVEN = np.array([0.0, 1.0, 1.5, 4.0])


@pytest.mark.sample(1)
@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_every_dtype(dtype):
    for name in NAMES:
        agree(name, array(3, 4, dtype=dtype), modes=("eager", "graph"))
    agree("gradient", array(4, dtype=dtype), UNEVEN, edge_order=2, modes=("eager",))
    agree("trapezoid", array(4, dtype=dtype), array(4, dtype=dtype), modes=("eager",))


@pytest.mark.parametrize("axis", [0, 1, -1, 2, -3, True, 1.0, None, (0, 1), "a"], ids=str)
def test_axes(axis):
    for name in ("diff", "gradient", "trapezoid"):
        agree(name, array(3, 4), axis=axis, modes=("eager",))
        agree(name, array(), axis=axis, modes=("eager",))


@pytest.mark.parametrize("n", [0, 1, 3, 9, -1, True, 2.0, np.int64(0), None], ids=str)
def test_repeated_differences(n):
    agree("diff", array(2, 4), n, modes=("eager", "graph"))
    agree("diff", [1, 4, 9], n, prepend=0.5, modes=("eager",))
    agree("diff", 3, n, modes=("eager",))


@pytest.mark.full
def test_ends():
    for end in (0, 1.5, [7], array(2, 1), array(2, 3), array(3), array(1, 2, 1)):
        agree("diff", array(2, 4), prepend=end, modes=("eager", "graph"))
        agree("diff", array(2, 4), append=end, modes=("eager", "graph"))
        agree("ediff1d", array(2, 4), to_begin=end, to_end=end, modes=("eager", "graph"))
    agree("ediff1d", array(3, dtype=np.int8), to_end=1.5)
    agree("ediff1d", array(0), to_end=[1, 2])
    agree("ediff1d", np.array([True]))


def test_widths_are_taken_along_the_axis():
    x = array(3, 4) * 0.5
    for axis in (0, 1):
        agree("trapezoid", array(3, 4) ** 2, x, axis=axis, modes=("eager",))


@pytest.mark.full
def test_areas():
    for x in (UNEVEN, UNEVEN[:3], np.ones((3, 4)), np.ones((2, 3, 4)), np.ones((1, 1)), [[0, 1, 2, 3]], 5.0, []):
        agree("trapezoid", array(3, 4), x, modes=("eager", "graph"))
    for dx in (2, 0.5, np.float32(2), [1.0, 2.0, 3.0], [[1.0], [2.0], [3.0]], [1.0, 2.0]):
        agree("trapezoid", array(3, 4), dx=dx, modes=("eager", "graph"))
    for shape in ((), (0,), (1,), (0, 3)):
        agree("trapezoid", array(*shape))
    agree("trapezoid", np.array([1 + 1j, complex(np.nan, 2), 3]))
    agree("trapezoid", array(3), UNEVEN[:3], 2.0, 0)


@pytest.mark.full
@pytest.mark.parametrize("edge_order", [0, 1, 2, 3])
def test_slopes(edge_order):
    f = array(4, 4) ** 2
    for steps in ((), (2,), (0.5, 3), (UNEVEN, 2.0), (UNEVEN, UNEVEN), (np.arange(4),), (UNEVEN[:2], 1), (1, 2, 3)):
        agree("gradient", f, *steps, edge_order=edge_order, modes=("eager", "graph"))
        agree("gradient", f, *steps, axis=0, edge_order=edge_order, modes=("eager",))
    for shape in ((), (0,), (1,), (2,), (3,), (2, 3)):
        agree("gradient", array(*shape), edge_order=edge_order)
    agree("gradient", np.array([3e38, 0, -np.inf, 1], np.float32), edge_order=edge_order)
    agree("gradient", np.array([1, 2, 4, 8], np.uint8), np.array(2, np.uint8), edge_order=edge_order)
    agree("gradient", f, 0, edge_order=edge_order, modes=("eager",))


def test_unknown_dims():
    x = array(3, 4)
    for function in (np.diff, np.ediff1d, np.trapezoid):
        np.testing.assert_allclose(traced(getattr(tfnp, function.__name__), x), function(x))
    for edge_order in (1, 2):
        actual = traced(lambda x, order=edge_order: tfnp.gradient(x, UNEVEN, axis=1, edge_order=order), x)
        np.testing.assert_allclose(actual, np.gradient(x, UNEVEN, axis=1, edge_order=edge_order))


def test_gradients():
    assert slopes(tfnp.diff, np.array([1.0, 2.0, 4.0]))[0].tolist() == [-2, -2, 4]
    assert np.isfinite(slopes(lambda x: tfnp.gradient(x, UNEVEN), np.array([1.0, 2.0, 4.0, 5.0]))[0]).all()
    assert slopes(tfnp.trapezoid, np.array([1.0, 2.0]))[0].tolist() == [1.5, 1.5]
    assert isinstance(tfnp.gradient(tf.ones((2, 2))), tuple)
