"""`add.reduce` and its kin: every method of every ufunc, with every option, in every mode."""

from __future__ import annotations

import inspect
import re
from operator import attrgetter

import ml_dtypes
import numpy as np
import pytest
import tensorflow as tf

import tfnp
import tfnp.numpy
from tests.tfnp.agreement import agree, array, take_gradient

UFUNCS = [name for name in dir(np) if isinstance(getattr(np, name), np.ufunc) and getattr(np, name).__name__ == name]
LONG = np.linspace(1, 2, 40)


@pytest.mark.parametrize("name", UFUNCS)
def test_attributes(name):
    expected, actual = getattr(np, name), getattr(tfnp, name)
    for attribute in ("nin", "nout", "nargs", "identity", "signature", "__name__", "__qualname__", "__doc__"):
        assert getattr(actual, attribute) == getattr(expected, attribute)
    assert set(actual.types) <= set(expected.types)
    assert actual.ntypes == len(actual.types)
    assert repr(actual) == repr(expected)


@pytest.mark.parametrize("method", ["accumulate", "reduceat", "outer", "resolve_dtypes"])
def test_signatures_are_numpys(method):
    expected = inspect.signature(getattr(np.add, method)).parameters.values()
    actual = inspect.signature(getattr(tfnp.add, method)).parameters.values()
    assert [(p.name, p.kind, p.default) for p in expected] == [(p.name, p.kind, p.default) for p in actual]


def test_ufuncs_that_do_not_reduce():
    for name in ("sin", "divmod", "frexp", "matmul"):
        for method in ("reduce", "accumulate"):
            with pytest.raises((ValueError, RuntimeError)) as expected:
                attrgetter(f"{name}.{method}")(np)(array(3))
            with pytest.raises(expected.type, match=f"^{re.escape(str(expected.value))}$"):
                attrgetter(f"{name}.{method}")(tfnp)(array(3))
    for name, method, arguments in (
        *(("sin", "outer", (array(3), array(2))), ("sin", "at", (array(3), 0, 1)), ("divmod", "at", (array(3), 0, 1))),
        *(("frexp", "outer", (array(3), array(2))), ("matmul", "outer", (array(3), array(2)))),
        *(("matmul", "at", (array(3), 0, 1)), ("sin", "reduceat", (array(3), [0]))),
    ):
        with pytest.raises((ValueError, TypeError)) as expected:
            attrgetter(f"{name}.{method}")(np)(*arguments)
        with pytest.raises(expected.type):
            attrgetter(f"{name}.{method}")(tfnp)(*arguments)
    agree("add.accumulate", 3)
    agree("add.reduceat", 3, [0])
    agree("subtract.reduce", np.array([True, False]))
    agree("less.reduce", array(3))


@pytest.mark.full
def test_at_with_repeated_indices():
    index = array(40, dtype=np.int64) % 4
    for name in ("add", "multiply", "maximum", "hypot", "divide", "copysign"):
        agree(f"{name}.at", LONG[:10].copy(), index, LONG, modes=("eager",))
    for name in ("gcd", "bitwise_xor", "logical_xor", "lcm", "less"):
        agree(f"{name}.at", array(10, dtype=np.int32), index, array(40, dtype=np.int32), modes=("eager",))
    agree("bitwise_xor.at", array(10, dtype=np.int32), index, array(40, dtype=np.int32), modes=("graph", "xla"))


def test_at_broadcasts_the_second_operand():
    for b in (1, [1, 2], np.ones((3, 1)), np.ones((1, 2, 2)), np.ones(3), 300, 1j):
        agree("multiply.at", array(4, 2, dtype=np.int8), [0, 1], b, modes=("eager",))
    with pytest.raises(TypeError, match=r"tf\.Variable"):
        tfnp.add.at(tf.ones(3), 0, 1)


def test_functions_equal_methods():
    assert tfnp.sum(LONG) == tfnp.add.reduce(LONG)
    np.testing.assert_array_equal(tfnp.cumsum(LONG), tfnp.add.accumulate(LONG))


def test_resolve_dtypes():
    assert tfnp.add.resolve_dtypes((tf.float32, int, None)) == (tf.float32, tf.float32, tf.float32)
    assert tfnp.add.resolve_dtypes((None, np.int8, None), reduction=True) == (tf.int64,) * 3
    with pytest.raises(TypeError):
        tfnp.add.resolve_dtypes((np.object_, int, None))


@pytest.mark.full
@pytest.mark.parametrize(("name", "dtype"), [("hypot", float), ("gcd", int)])
def test_initial_values_keep_their_sign(name, dtype):
    values = np.array([3, -4, 12]).astype(dtype)
    for selected in ([False] * 3, [True, False, False]):
        agree(f"{name}.reduce", values, initial=-5, where=np.array(selected))


@pytest.mark.full
@pytest.mark.parametrize("name", ["logaddexp", "logaddexp2", "hypot", "fmod", "arctan2"])
def test_a_loop_of_bfloat16_for_other_operands(name):
    values = np.array([0.5, -1.25, 3.0, 2.0, 0.75])
    agree(f"{name}.accumulate", values, dtype=ml_dtypes.bfloat16)
    agree(f"{name}.reduceat", values, [0, 3], dtype=ml_dtypes.bfloat16)
    agree(f"{name}.reduce", values, dtype=ml_dtypes.bfloat16)


@pytest.mark.parametrize("name", ["maximum", "minimum", "fmax", "fmin"])
def test_accumulated_extremes_are_the_same_in_graphs(name):
    """Eager mode leaves them to NumPy, unless a gradient is recorded."""
    accumulate = getattr(tfnp, name).accumulate
    values = np.random.default_rng(1).choice([1.0, -0.0, 0.0, np.nan, 2.0, np.inf, -np.inf, -3.0], (7, 40))
    for x in (values, values.astype(np.float16), np.nan_to_num(values, posinf=9, neginf=-9).astype(np.int8)):
        for axis in (0, -1):
            expected = getattr(np, name).accumulate(x, axis)
            for function in (accumulate, tf.function(accumulate)):
                actual = function(tf.constant(x), axis).numpy()
                assert actual.dtype == expected.dtype
                np.testing.assert_array_equal(actual, expected)
                np.testing.assert_array_equal(np.signbit(actual), np.signbit(expected))
    x = tf.constant([1.0, 3.0, 2.0])
    assert take_gradient(lambda x: tf.reduce_sum(tfnp.maximum.accumulate(x)), x).numpy().tolist() == [1, 2, 0]


@pytest.mark.parametrize("name", ["add", "subtract", "multiply", "divide", "maximum", "fmin", "power", "arctan2"])
def test_at_has_gradients_of_both_operands(name):
    start, operand, index = np.array([1.0, 2.5, 5.0]), np.array([2.0, 3.0, 4.0]), [0, 1, 1]

    def calculate(first, second):
        changed = first.copy()
        getattr(np, name).at(changed, index, second)
        return (np.array([1.0, -2.0, 3.0]) * changed).sum()

    x, y = tfnp.numpy.array(start), tfnp.numpy.array(operand)
    with tf.GradientTape() as tape:
        tape.watch([x, y])
        changed = x * 1.0
        getattr(tfnp.numpy, name).at(changed, index, y)
        loss = (np.array([1.0, -2.0, 3.0]) * changed).sum()
    steps = 1e-6 * np.eye(3)
    expected = [
        [(calculate(start + step, operand) - calculate(start - step, operand)) / 2e-6 for step in steps],
        [(calculate(start, operand + step) - calculate(start, operand - step)) / 2e-6 for step in steps],
    ]
    np.testing.assert_allclose(
        [np.asarray(slope) for slope in tape.gradient(loss, [x, y])], expected, rtol=1e-5, atol=1e-4
    )
