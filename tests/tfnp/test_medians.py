"""Medians, with and without nan."""

from __future__ import annotations

import numpy as np
import pytest

import tfnp
from tests.tfnp.agreement import DTYPES, agree, array, traced

NAN = np.array([[1.0, np.nan, 3.0, -np.inf], [np.nan, np.nan, np.nan, np.nan], [2.0, 4.0, 5.0, 3.0]], np.float32)
BOTH = pytest.mark.parametrize("name", ["median", "nanmedian"])


@pytest.mark.sample(12)
@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_every_dtype(dtype):
    agree("median", array(3, 4, dtype=dtype), 1, modes=("eager",))
    if dtype.kind not in "cV":
        agree("nanmedian", array(3, 4, dtype=dtype), 1, modes=("eager",))
        agree("nanmedian", array(3, dtype=dtype), modes=("eager",))


@pytest.mark.sample(1)
@BOTH
@pytest.mark.parametrize("axis", [None, 0, -1, (0, 1), (), 2, (0, 0)])
def test_axes(name, axis):
    agree(name, NAN, axis, modes=("eager",))
    agree(name, NAN, axis, keepdims=True)


@pytest.mark.sample(1)
@BOTH
def test_empty_and_single(name):
    for shape in ((0,), (3, 0), (0, 3), (), (1,)):
        agree(name, array(*shape), modes=("eager", "graph"))
        agree(name, array(*shape), -1, modes=("eager",))


@pytest.mark.full
@pytest.mark.parametrize("name", ["median", "nanmedian", "nanquantile"])
@pytest.mark.parametrize("shape", [(0,), (2, 0), (0, 2), (1, 1, 0)])
def test_empty_with_dynamic_length(name, shape):
    for dtype in ("d", "i"):
        for axis in (None, -1, tuple(range(len(shape)))):
            share = (0.5,) if name == "nanquantile" else ()
            agree(name, np.zeros(shape, dtype), *share, axis=axis, modes=("graph_dims",))


@pytest.mark.sample(1)
@pytest.mark.parametrize("axis", [(), (0, 1), (1, 0), (0, 1, 2)])
def test_one_of_several_axes_needs_rows(axis):
    for name in ("median", "nanmedian"):
        agree(name, np.zeros((1, 1, 0)), axis, modes=("eager", "graph", "graph_dims"))
    agree("quantile", np.zeros((1, 1, 0)), 0.5, axis, modes=("eager", "graph", "graph_dims"))


@pytest.mark.sample(2)
@BOTH
@pytest.mark.parametrize("dtype", ["d", "f", "b", "B"])
def test_outputs(name, dtype):
    agree(name, array(3, 4), 1, np.zeros(3, dtype), modes=("eager", "graph"))
    agree(name, array(3, 4), out=np.zeros((), dtype), modes=("eager",))
    agree(name, array(3, 4), 1, np.zeros(2, dtype), modes=("eager",))
    agree(name, array(3, 4), 1, np.zeros((3, 1), dtype), keepdims=True, modes=("eager",))
    agree(name, array(3, 4), 1, np.ones((3, 2), dtype), keepdims=True, modes=("eager",))
    agree(name, array(3, 4), 1, np.zeros(3, dtype), keepdims=True, modes=("eager",))


def test_results_that_do_not_fit():
    agree("nanmedian", np.array([300, 300]), out=np.zeros((), np.int8), modes=("eager",))
    agree("median", np.array([300, 300]), out=np.zeros((), np.int8), modes=("eager",))
    agree("median", NAN, 1, np.zeros(3, np.int32), modes=("eager",))
    agree("nanmedian", np.array([[65504.0]], np.float16), 0)


@pytest.mark.full
def test_unknown_dims():
    x = NAN[:, :3]
    for axis in (0, 1, None):
        for name in ("median", "nanmedian"):
            result = traced(lambda x, n=name, a=axis: getattr(tfnp, n)(x, axis=a), x)
            np.testing.assert_array_equal(result, getattr(np, name)(x, axis=axis))
