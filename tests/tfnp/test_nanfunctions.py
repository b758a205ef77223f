"""Reductions that leave out what is nan."""

from __future__ import annotations

import numpy as np
import pytest
import tensorflow as tf

import tfnp
from tests.tfnp.agreement import DTYPES, agree, array, gradient, traced

REDUCTIONS = ("nanmax", "nanmean", "nanmin", "nanprod", "nanstd", "nansum", "nanvar")
NAMES = (*REDUCTIONS, "nancumprod", "nancumsum")
HOLES = np.array([[1.0, np.nan, 3.0], [np.nan, np.nan, -2.0]])
COMPLEX = np.array([complex(1, 2), complex(np.nan, 1), complex(3, -1), complex(2, np.nan)])


@pytest.mark.sample(1)
@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_every_dtype(dtype):
    for name in NAMES:
        agree(name, array(2, 3, dtype=dtype), 0, modes=("eager", "graph"))
    if dtype.kind in "fc":
        for name in NAMES:
            agree(name, HOLES.astype(dtype), 1, modes=("eager",))


@pytest.mark.sample(1)
@pytest.mark.parametrize("axis", [None, 0, 1, -1, (0, 1), (), 2, True, (0, 0)], ids=str)
def test_axes(axis):
    for name in NAMES:
        agree(name, HOLES, axis, modes=("eager", "graph"))


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    "options",
    [
        {"keepdims": True},
        {"where": np.array([True, False, True])},
        {"where": [[True], [False]]},
        {"where": [], "axis": 1},
        {"out": np.zeros(3)},
        {"out": np.zeros(3, np.float32)},
        {"out": np.zeros(3, np.int64)},
        {"out": np.zeros(2)},
        {"out": np.zeros((0, 0))},
        {"out": np.zeros((1, 3)), "keepdims": True},
    ],
    ids=str,
)
def test_options(options):
    for name in REDUCTIONS:
        if "where" in options and name in ("nanmax", "nanmin"):
            agree(name, HOLES, initial=-1.0, modes=("eager", "graph"), **{"axis": 0, **options})
        agree(name, HOLES, modes=("eager", "graph"), **{"axis": 0, **options})
        agree(name, array(2, 3, dtype=np.int8), modes=("eager",), **{"axis": 0, **options})


@pytest.mark.full
@pytest.mark.parametrize("dtype", [np.float32, np.int64, np.bool_, np.complex128, np.float16], ids=str)
def test_dtypes_of_results(dtype):
    for name in ("nansum", "nanprod", "nanmean", "nanvar", "nanstd", "nancumsum", "nancumprod"):
        for value in (HOLES, COMPLEX, array(3, dtype=np.uint8)):
            agree(name, value, dtype=dtype, modes=("eager", "graph"))


@pytest.mark.full
def test_complex_numbers():
    for name in NAMES:
        agree(name, COMPLEX)
        agree(name, np.full(2, np.nan * 1j), modes=("eager", "graph"))


@pytest.mark.full
@pytest.mark.parametrize("ddof", [0, 1, 2, 5, 0.5], ids=str)
def test_degrees_of_freedom(ddof):
    for name in ("nanvar", "nanstd"):
        agree(name, HOLES, 1, ddof=ddof)
        agree(name, HOLES, 1, correction=ddof, modes=("eager",))
        agree(name, HOLES, 1, ddof=ddof, mean=np.array([[2.0], [-2.0]]), modes=("eager",))


@pytest.mark.full
def test_all_nan():
    for name in NAMES:
        agree(name, np.full((2, 2), np.nan), 0)
        agree(name, np.nan)
        agree(name, [], modes=("eager", "graph"))
        agree(name, [np.nan, 1.0])


@pytest.mark.full
def test_initial_values():
    for name in ("nanmax", "nanmin", "nansum", "nanprod"):
        for initial in (2.0, np.nan, None, 1j, [1]):
            agree(name, HOLES, 0, initial=initial, modes=("eager", "graph"))
            agree(name, [np.nan, np.nan], initial=initial, modes=("eager",))


def test_squares_of_small_integers_in_a_graph():
    for dtype in (np.uint8, np.int16, np.uint64):
        small = array(3, dtype=dtype)
        assert tf.function(lambda x: tfnp.square(x - x[::-1]))(small).numpy().tolist() == [16, 0, 16]
        agree("nanvar", small, dtype=bool, modes=("graph",))


def test_unknown_dims():
    for name in NAMES:
        actual = traced(lambda x, name=name: getattr(tfnp, name)(x, axis=1), HOLES)
        np.testing.assert_allclose(actual, getattr(np, name)(HOLES, axis=1))


def test_gradients():
    x = np.array([1.0, np.nan, 3.0])
    for name in ("nansum", "nanmean", "nanmax", "nanvar", "nanprod"):
        slope = gradient(getattr(tfnp, name), x)[0]
        assert np.isfinite(slope).all()
        assert slope[1] == 0
