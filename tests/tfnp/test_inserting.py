"""Elements added and removed."""

from __future__ import annotations

import numpy as np
import pytest

import tfnp
from tests.tfnp.agreement import DTYPES, agree, array, gradient, traced

EAGER = ("eager",)
PLACES = [
    0,
    -1,
    10,
    [0, 1],
    [1, 1],
    [],
    [10],
    slice(1, 3),
    slice(None),
    slice(4, 0, -1),
    slice(5, 5),
    [True, False, True],
    1.0,
    "a",
    None,
    True,
]
PLACES += [
    np.array([0, 2]),
    np.array(1),
    np.array([1]),
    np.array([True, False, True]),
    np.array([], float),
    [[0, 1]],
    np.uint8(1),
]


@pytest.mark.sample(11)
@pytest.mark.parametrize("place", PLACES, ids=map(str, PLACES))
def test_delete(place):
    for value in (array(3), array(3, 4), [1, 2, 3], array(0), 5):
        for axis in (None, 0, -1):
            agree("delete", value, place, axis, modes=EAGER)
    agree("delete", array(3, 4), place, 0, modes=("graph",))


@pytest.mark.sample(7)
@pytest.mark.parametrize("place", PLACES, ids=map(str, PLACES))
def test_insert(place):
    for values in (9, [7, 8], 2.7, [[1], [2]], array(4), 1j, []):
        for axis in (None, 0, 1):
            agree("insert", array(3, 4), place, values, axis, modes=EAGER)
    agree("insert", array(3, 4), place, 9, 0, modes=("graph",))


@pytest.mark.full
def test_dynamic_indices_under_xla():
    agree("delete", array(5), np.array([0, -1]), modes=("xla",))
    agree("delete", array(2, 3), np.array([True, False, True]), 1, modes=("xla",))
    agree("insert", array(5), np.array([0, 2, 2]), array(3), modes=("xla",))
    agree("insert", array(2, 3), np.array(1), array(2), 1, modes=("xla",))


@pytest.mark.parametrize(
    "place", [np.array([True, False, True]), np.array(True), np.array([1.0]), np.zeros(2)], ids=str
)
def test_insert_at_dynamic_indices(place):
    agree("insert", array(3), place, 9, modes=("eager", "graph", "graph_dims"))


@pytest.mark.sample(1)
@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_every_dtype(dtype):
    agree("delete", array(4, dtype=dtype), 1)
    agree("insert", array(3, dtype=dtype), 1, 5)
    agree("append", array(3, dtype=dtype), array(3, dtype=dtype))
    agree("resize", array(3, dtype=dtype), (2, 4))
    agree("trim_zeros", array(9, dtype=dtype), modes=EAGER)


@pytest.mark.parametrize("values", [9, [1, 2], array(5), array(3, 1), array(1, 4), 2.5, []], ids=str)
def test_append(values):
    for axis in (None, 0, 1, -1, 2):
        agree("append", array(3, 4), values, axis, modes=EAGER)


@pytest.mark.parametrize("shape", [3, (2, 3), (0,), (), 20, -1, (2, -1), 2.0, "a", (4, 5)], ids=str)
def test_resize(shape):
    for value in (array(3, 4), array(0), 5):
        agree("resize", value, shape, modes=("eager", "graph"))


TRIMMED = [
    [0, 0, 1, 2, 0, 3, 0],
    [0, 0],
    [],
    (0, 1, 0),
    np.pad(array(2, 3) + 1, 2),
    np.zeros((2, 3)),
    array(),
    [[0, 1], [0, 0]],
    np.array([0, np.nan, 0]),
]


@pytest.mark.sample(5)
@pytest.mark.parametrize("value", TRIMMED, ids=range(len(TRIMMED)))
def test_trim_zeros(value):
    for trim in ("fb", "F", "b", "no"):
        agree("trim_zeros", value, trim, modes=("eager", "graph"))
    for axis in (0, -1, (0, 1), 3):
        agree("trim_zeros", value, "fb", axis, modes=EAGER)


def deleting(place):
    return lambda x: tfnp.delete(x, place)


def inserting(place):
    return lambda x: tfnp.insert(x, place, 7)


@pytest.mark.full
def test_unknown_dims():
    x = array(5)
    np.testing.assert_array_equal(traced(lambda x: tfnp.delete(x, [1, -1]), x), np.delete(x, [1, -1]))
    for cut in (slice(1, -1), slice(None, None, 2), slice(-2, None, -2), slice(9, 1, -1)):
        np.testing.assert_array_equal(traced(deleting(cut), x), np.delete(x, cut))
        np.testing.assert_array_equal(traced(inserting(cut), x), np.insert(x, cut, 7))
    np.testing.assert_array_equal(traced(lambda x: tfnp.insert(x, 1, [7, 8]), x), np.insert(x, 1, [7, 8]))
    np.testing.assert_array_equal(traced(lambda x: tfnp.resize(x, (2, 4)), x), np.resize(x, (2, 4)))
    np.testing.assert_array_equal(traced(lambda x: tfnp.resize(x, 2), array(0)), np.resize(array(0), 2))


def test_gradients():
    slopes = gradient(lambda x, y: tfnp.delete(tfnp.insert(x, 1, y), 0), array(3), np.float32(5))
    np.testing.assert_array_equal(slopes[0], 2 * array(3) * [0, 1, 1])
    assert slopes[1] == 10


@pytest.mark.parametrize("shape", [[-1.0], -2.0, [2.0], 1.5, [2, -0.5]])
def test_resize_to_invalid_shapes(shape):
    agree("resize", array(3), shape, modes=EAGER)
