"""Functions of automatic domain."""

from __future__ import annotations

import numpy as np
import pytest
import tensorflow as tf

import tfnp
from tests.tfnp.agreement import DTYPES, agree, array, gradient, traced

UNARY = ("sqrt", "log", "log2", "log10", "arccos", "arcsin", "arctanh")
NUMBERS = np.array([0.5, -0.5, 2.0, -2.0, 0.0, -0.0, 1.0, np.inf, -np.inf, np.nan])


@pytest.mark.sample(49)
@pytest.mark.parametrize("name", UNARY)
@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_the_dtype_depends_on_the_numbers(name, dtype):
    for numbers in (array(4, dtype=dtype), np.array([0, 1], dtype), array(0, dtype=dtype)):
        agree(f"emath.{name}", numbers, modes=("eager",))
    if dtype.kind in "if":
        agree(f"emath.{name}", -array(4, dtype=dtype), modes=("eager",))


@pytest.mark.sample(5)
@pytest.mark.parametrize("name", UNARY)
def test_edges(name):
    agree(f"emath.{name}", NUMBERS, modes=("eager", "graph", "xla") if name == "sqrt" else ("eager",))
    agree(f"emath.{name}", np.float32(-3e-40), modes=("eager",))
    for number in (-1, -1.0, 2, 0.5, True, [-1, 2], "a", None):
        agree(f"emath.{name}", number, modes=("eager",))


@pytest.mark.full
def test_a_graph_takes_the_complex_function():
    for name in UNARY:
        result = traced(getattr(tfnp.emath, name), np.array([0.25, 0.5], np.float32), rank=False)
        assert result.dtype == tf.complex64
        np.testing.assert_allclose(result, getattr(np.emath, name)([0.25, 0.5]), rtol=1e-6)
        known = tf.function(lambda name=name: getattr(tfnp.emath, name)([0.25, 0.5]), autograph=False)()
        assert known.dtype == tf.float64
    for name in ("sqrt", "log", "log2", "log10"):
        assert traced(getattr(tfnp.emath, name), np.array([1, 4], np.uint16)).dtype == tf.float32
    assert traced(tfnp.emath.power, np.array([2]), np.array([3])).dtype == tf.complex128
    assert traced(tfnp.emath.power, np.array([2], np.uint8), np.array([3])).dtype == tf.float64


@pytest.mark.full
def test_powers():
    for x in (array(4), -array(4, dtype=int), array(4) * 1j, array(4, dtype=np.uint8)):
        for p in (-2, 0.5, np.array([1, 2, 0, 3]), np.array([1, -2, 0, 3], np.int8), np.array([1j, 2, -1, 0])):
            agree("emath.power", x + 1, p, modes=("eager",))
    agree("emath.power", array(4), np.array([1, -2, 0, 3], np.int8), modes=("graph",))
    agree("emath.power", 2, np.array([-np.inf + 0j]), modes=("eager", "graph"))
    agree("emath.power", 2, -1, modes=("eager",))


def test_logarithms_of_any_base():
    for n in (2, -2, 10.0, np.array([2.0, -3.0]), np.uint8(3)):
        for x in (np.array([1.0, 4.0]), np.array([1.0, -4.0], np.float32), np.array([5, 7], np.int8), -2):
            agree("emath.logn", n, x, modes=("eager",))
    agree("emath.logn", -2, np.array([5, 7], np.int8), modes=("graph",))


def test_gradients():
    for name in UNARY:
        assert np.isfinite(gradient(getattr(tfnp.emath, name), np.array([0.25, 0.75]))[0]).all()
    assert gradient(tfnp.emath.sqrt, np.array([3.0]))[0] == pytest.approx(1)
