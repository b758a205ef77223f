"""The wrapper around functions of `tfnp`: what it leaves to NumPy, and what it must not hide."""

from __future__ import annotations

import decimal
import io
import pathlib

import numpy
import pytest

import tfnp.numpy as np
from tfnp.numpy.lifting import lift_function

ORDINARY = {
    "numbers": (1, 2.5, 1j, True),
    "arrays": (np.ones(2), numpy.ones(2), [1, [2.0]], (1, None)),
    "text": ("mean", "median", "max", "grid", "Output", "", "V", numpy.str_("m")),
    "dtypes": (float, numpy.dtype("f4"), numpy.int8, "f8"),
    "files": (pathlib.Path("file"), io.StringIO("1 2"), io.BytesIO(b"1")),
    "generators": (np.random.default_rng(0), numpy.random.default_rng(0), numpy.random.PCG64(0)),
    "functions": (abs, numpy.add, np.add),
    "containers": ({"a": 1}, range(3), slice(2), ...),
}


@pytest.mark.parametrize("error", [TypeError, ValueError, AttributeError])
@pytest.mark.parametrize("kind", ORDINARY)
def test_no_error_for_ordinary_arguments_is_left_to_numpy(kind, error):
    def shape(a):
        raise error("a fault of tfnp")

    shape.__module__ = "tfnp"
    faulty = lift_function(shape, numpy_up_to=None)
    for argument in ORDINARY[kind]:
        with pytest.raises(error, match="a fault of tfnp"):
            faulty(argument)
    assert faulty(decimal.Decimal(1)) == ()


@pytest.mark.parametrize("policy", ["auto", "tensorflow"])
@pytest.mark.parametrize(
    "make",
    [
        lambda np, dtype: np.array([1.0, 2.0]).astype(dtype),
        lambda np, dtype: np.array([1, 2], dtype=dtype),
        lambda np, dtype: np.zeros(2, dtype),
        lambda np, dtype: np.arange(3, dtype=dtype),
        lambda np, dtype: np.full_like(np.ones(2), 2, dtype=dtype),
    ],
)
def test_arrays_of_another_byte_order_are_numpys(make, policy):
    with np.calculate_with(policy):
        for dtype in (">f8", numpy.dtype(">i4"), "<f8"):
            actual, expected = make(np, dtype), make(numpy, dtype)
            assert actual.dtype == expected.dtype
            assert actual.tobytes() == expected.tobytes()
            assert isinstance(actual + 1, np.ndarray)
