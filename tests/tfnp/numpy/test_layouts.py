"""Arrays in Fortran order, and the orders in which elements are read, with those of NumPy."""

from __future__ import annotations

import pickle

import numpy
import pytest
import tensorflow as tf

import tfnp.numpy as np

ROWS = [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]
EXPRESSIONS = """
f
f.T
f[0]
f[:, 1:]
f.ravel()
f.ravel(order)
f.T.ravel(order)
f.flatten(order)
c.T.flatten(order)
f.reshape(3, 2, order=order)
c.reshape(3, 2, order=order)
np.reshape(f, -1, order)
f.copy(order)
c.T.copy(order)
np.copy(c.T, order)
np.copy(np.copy(f))
np.array(c.T)
np.array(f, order=order)
np.asarray(c, order=order)
np.ascontiguousarray(f)
np.asfortranarray(c)
f.astype(int, order)
f.astype(np.float32)
f.view("i8")
np.zeros((2, 3), order="F")
np.ones_like(f, order=order)
np.full_like(c.T, 2.0)
np.eye(3, 2, order="F")
np.ndarray((2, 3), int, order="F").strides
np.array([ROWS, ROWS]).transpose(1, 2, 0).copy("K")
np.isfortran(f), np.isfortran(c.T), np.isfortran(c)
f.tobytes(order)
[float(item) for item in np.nditer(f)]
pickle.loads(pickle.dumps(c.T))
f.base is None, f.flags.owndata, np.asfortranarray(f) is f, np.asarray(f, order="C") is f
""".strip().splitlines()


def describe(value):
    if not isinstance(value, numpy.ndarray | np.ndarray):
        return value
    return value.tolist(), str(value.dtype), value.strides, value.flags.c_contiguous, value.flags.f_contiguous


def evaluate(namespace, expression, order):
    names = {"np": namespace, "ROWS": ROWS, "order": order, "pickle": pickle}
    c, f = namespace.array(ROWS), namespace.array(ROWS, order="F")
    return describe(eval(expression, {**names, "c": c, "f": f}))


@pytest.mark.parametrize("order", ["C", "F", "A", "K"])
def test_an_array_has_numpys_layout(order):
    for expression in EXPRESSIONS:
        if order == "K" and ("reshape" in expression or "tobytes" in expression) and "order" in expression:
            continue  # NumPy has no such order
        assert evaluate(np, expression, order) == evaluate(numpy, expression, order), expression


def write_in_orders(np, w):
    f = np.asfortranarray(w)
    read = f.ravel("K")
    read[1] = 7.0
    f[0] *= 2.0
    return f, read, np.array(f, order="C").ravel("K"), np.zeros_like(f) + f.flatten("A").sum()


@pytest.mark.parametrize("mode", ["eager", "graph", "unknown dims", "xla"])
def test_writes_reach_an_array_in_fortran_order(mode):
    if mode == "eager":
        results = write_in_orders(np, np.array(ROWS))
    else:
        options = {"unknown dims": {"input_signature": [np.ArraySpec([None, None], "float64")]}}.get(mode, {})
        function = tf.function(lambda w: write_in_orders(np, w), jit_compile=mode == "xla", autograph=False, **options)
        results = function(np.array(ROWS))
    for actual, expected in zip(results, write_in_orders(numpy, numpy.array(ROWS)), strict=True):
        numpy.testing.assert_array_equal(actual, expected)


def test_arrays_in_fortran_order_have_gradients():
    w = np.array(ROWS, order="F")
    with tf.GradientTape() as tape:
        tape.watch(w)
        loss = (np.asfortranarray(w)[0] ** 2).sum() + w.ravel("K")[1] ** 3
    numpy.testing.assert_allclose(tape.gradient(loss, w), [[2, 4, 6], [48, 0, 0]])


@pytest.mark.parametrize("requirements", ["F", "C", ["F", "W"], "O", ["E", "A"], None])
def test_require_copies_where_the_argument_does_not_meet_requirements(requirements):
    for transpose in (False, True):
        array, expected_array = np.ones((2, 3)), numpy.ones((2, 3))
        if transpose:
            array, expected_array = array.T, expected_array.T
        actual = np.require(array, requirements=requirements)
        expected = numpy.require(expected_array, requirements=requirements)
        assert (actual is array) is (expected is expected_array)
        assert actual.flags.f_contiguous is expected.flags.f_contiguous
        assert actual.tolist() == expected.tolist()
    assert np.require(np.broadcast_to(np.ones(3), (2, 3)), requirements="W").flags.writeable
    with pytest.raises(ValueError, match="both"):
        np.require([1.0], requirements=["C", "F"])
