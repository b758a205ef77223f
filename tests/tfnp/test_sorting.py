"""Elements in order, nan last."""

from __future__ import annotations

import numpy as np
import pytest
import tensorflow as tf

import tfnp
from tests.tfnp.agreement import DTYPES, agree, array, gradient, traced

AWKWARD = np.array([np.nan, 1.0, -np.inf, 0.0, np.nan, np.inf, -3.5, 2.0], np.float32)
COMPLEX = np.array(
    [complex(1, np.nan), 2 + 1j, complex(np.nan, 0), 2 - 1j, -1, complex(np.nan, np.nan), complex(0, np.nan)]
)


@pytest.mark.sample(1)
@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_every_dtype(dtype):
    agree("sort", array(4, 5, dtype=dtype))
    agree("argsort", array(4, 5, dtype=dtype), kind="stable", modes=("eager", "graph"))


@pytest.mark.full
@pytest.mark.parametrize("name", ["sort", "argsort"])
def test_nan_and_complex_numbers(name):
    for values in (
        AWKWARD,
        AWKWARD.astype(np.float16),
        AWKWARD.astype(np.float64),
        COMPLEX,
        COMPLEX.astype(np.complex64),
    ):
        agree(name, values, stable=True)


def test_nan_comes_last():
    for values in (AWKWARD, COMPLEX):
        for name in ("sort", "argsort"):
            agree(name, values, stable=True, modes=("eager",))


@pytest.mark.parametrize(
    "options", [{"kind": "heapsort"}, {"kind": "bogus"}, {"stable": True, "kind": "m"}, {"order": "a"}]
)
def test_kinds(options):
    agree("sort", array(5), modes=("eager",), **options)


@pytest.mark.parametrize("axis", [None, 0, -1, 2, True, (0,)])
def test_axes(axis):
    for name in ("sort", "argsort"):
        agree(name, array(3, 4), axis, modes=("eager", "graph"))
        agree(name, array(), axis, modes=("eager",))
        agree(name, array(0, 3), axis, modes=("eager",))


def test_zeros_of_both_signs_keep_their_places():
    zeros = np.array([0.0, -0.0, 0.0, -1.0])
    assert np.signbit(tfnp.sort(zeros).numpy()).tolist() == [True, False, True, False]
    assert tfnp.argsort(zeros).numpy().tolist() == [3, 0, 1, 2]


@pytest.mark.full
@pytest.mark.parametrize("shape", [(40, 30), (17, 4, 5), (3, 8)])
def test_many_keys(shape):
    keys = np.random.default_rng(0).integers(0, 2, shape).astype(float)
    for axis in range(-1, len(shape) - 1):
        agree("lexsort", keys, axis=axis)
        unknown = tf.function(lambda keys, axis=axis: tfnp.lexsort(keys, axis), [tf.TensorSpec([None] * len(shape))])
        np.testing.assert_array_equal(unknown(keys.astype(np.float32)), np.lexsort(keys, axis))


def test_lexsort():
    agree("lexsort", (array(6) % 2, array(6) % 3))
    agree("lexsort", [array(2, 3), AWKWARD[:6].reshape(2, 3)], axis=0)
    agree("lexsort", (array(6), array(5)), modes=("eager",))
    agree("lexsort", (), modes=("eager",))


def test_partitions():
    for name in ("partition", "argpartition"):
        agree(name, array(7), 3)
        agree(name, array(3, 5), (1, -1), axis=0, modes=("eager",))
        agree(name, array(7), 7, modes=("eager",))
        agree(name, array(7), 1.0, modes=("eager",))


def test_sort_complex():
    for dtype in (np.int8, np.int32, np.float32, np.complex64):
        agree("sort_complex", array(2, 3, dtype=dtype), modes=("eager",))


def test_gradients_go_where_the_elements_come_from():
    x = np.array([3.0, 1.0, 2.0], np.float32)
    assert gradient(lambda x: tfnp.sort(x) * np.array([1.0, 0.0, 0.0], np.float32), x)[0].tolist() == [0, 2, 0]


def test_unknown_dims():
    assert traced(tfnp.sort, array(5)).numpy().tolist() == sorted(array(5).tolist())
