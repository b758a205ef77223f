"""The wrapper around functions of `tfnp`: what it leaves to NumPy, and what it must not hide."""

from __future__ import annotations

import decimal
import io
import pathlib
import time

import numpy
import pytest

import tfnp
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


def nest(depth):
    return [nest(depth - 1)] if depth else 1.0


def recur():
    values = [1.0, [2.0]]
    values[1].append(values)
    return values


@pytest.mark.parametrize("policy", ["auto", "tensorflow"])
@pytest.mark.parametrize("namespace", [np, tfnp], ids=["arrays", "tensors"])
@pytest.mark.parametrize(
    "values", [recur(), nest(70), nest(900), [[1.0, 2.0], [3.0]]], ids=["recursive", "70", "900", "ragged"]
)
def test_lists_of_no_array_are_numpys_error(values, namespace, policy):
    calls = {
        "array": (),
        "sum": (),
        "sort": (),
        "add": (1,),
        "sqrt": (),
        "where": (1, 2),
        "isin": ([1],),
        "dot": ([1.0],),
    }
    with np.calculate_with(policy):
        for name, others in calls.items():
            with pytest.raises(ValueError, match="setting an array element"):
                getattr(namespace, name)(values, *others)


@pytest.mark.parametrize("policy", ["auto", "tensorflow"])
@pytest.mark.parametrize("namespace", [np, tfnp], ids=["arrays", "tensors"])
@pytest.mark.parametrize(
    "make",
    [
        lambda np: np.zeros(1 << 45),
        lambda np: np.ones((1 << 30, 1 << 20)),
        lambda np: np.full(1 << 46, 1.0),
        lambda np: np.zeros_like(np.ones(2), shape=(1 << 45,)),
        lambda np: np.tile(np.arange(10), 1 << 40),
        lambda np: np.repeat(np.arange(10), 1 << 40),
        lambda np: np.arange(1 << 44),
        lambda np: np.eye(1 << 24),
        lambda np: np.pad(np.ones(3), 1 << 44),
        lambda np: np.pad(np.ones((3, 3)), 1 << 23, mode="edge"),
        lambda np: np.add.outer(np.ones(1 << 23), np.ones(1 << 23)),
        lambda np: np.divmod.outer(np.ones(1 << 23), np.ones((1 << 10, 1 << 13))),
        lambda np: np.outer(np.ones(1 << 23), np.ones(1 << 23)),
        lambda np: np.linalg.outer(np.ones(1 << 23), np.ones(1 << 23)),
    ],
)
def test_an_array_that_no_memory_holds_is_an_error_at_once(make, namespace, policy):
    start = time.monotonic()
    with np.calculate_with(policy), pytest.raises(MemoryError, match="Unable to allocate"):
        make(namespace)
    assert time.monotonic() - start < 5  # TensorFlow waits for ten seconds


@pytest.mark.parametrize("policy", ["auto", "tensorflow"])
def test_a_number_in_a_large_shape_takes_no_memory(policy):
    with np.calculate_with(policy):
        for value in (1.5, [2.0], np.array(3.0), numpy.float32(1)):
            wide = np.broadcast_to(value, (1 << 44,))
            assert wide.shape == (1 << 44,)
            assert wide[-1] == numpy.ravel(value)[0]
            assert not wide.flags.writeable
