"""Calls of NumPy itself, where no tensor has the dtype, or `tfnp` no such name."""

from __future__ import annotations

import fractions

import numpy
import pytest
import tensorflow as tf

import tfnp
import tfnp.numpy as np
from tfnp.numpy.numpy_calls import COUNTS


@pytest.mark.parametrize(
    "call",
    [
        lambda np: np.array([1, None], dtype=object),
        lambda np: np.zeros(2, "M8[s]"),
        lambda np: np.sum(numpy.array([fractions.Fraction(1, 2), 3], object)),
        lambda np: np.add(np.arange(2), numpy.array([fractions.Fraction(1, 2), 3], object)),
        lambda np: np.arange(2) + numpy.array([fractions.Fraction(1, 2), 3], object),
        lambda np: np.arange(2).astype(object),
        lambda np: np.ones(2, np.longdouble),
        lambda np: np.ndarray(2, object),
        lambda np: np.array([(1, 2.0)], dtype=[("a", int), ("b", float)])["b"],
        lambda np: np.sort(numpy.array(["2020-01-02", "2020-01-01"], "M8[D]")),
    ],
)
def test_arrays_that_no_tensor_holds_are_numpys(call):
    actual, expected = call(np), call(numpy)
    assert type(actual) is type(expected) or isinstance(actual, np.ndarray)
    numpy.testing.assert_array_equal(actual, expected)
    assert numpy.asarray(actual).dtype == expected.dtype if hasattr(expected, "dtype") else True


NUMBERS = """
np.zeros((2, 3), np.int16)
np.array([1, 2.5, np.float32(3)])
np.asarray(np.array([[1.0, 2.0]])[0, 0])
np.where(np.array(True), 1.0, np.float32(2.0))
np.isclose(1.0, 1.0 + 1e-9)
np.round(2.567, 2)
np.linspace(0.1, 0.7, 4)
np.meshgrid(1, 2)
np.empty(3)
np.arange(5, dtype=complex)
np.array([np.array([1, 2]), [3, 4]])
np.array("text")
np.sum(2**70)
""".strip().splitlines()


@pytest.mark.usefixtures("auto_policy")
def test_functions_of_numbers_alone_are_numpys():
    for expression in NUMBERS:
        actual, expected = eval(expression, {"np": np}), eval(expression, {"np": numpy})
        assert repr(actual) == repr(expected if "empty" not in expression else numpy.zeros(3)), expression
        assert type(actual) is type(expected) or type(actual) is np.ndarray, expression
    assert np.zeros(3)._storage.tensor is None
    x = np.array(2.0)
    y = np.where(True, x, 0.0)
    y[()] = 5.0
    assert x == 2.0


def test_numbers_of_another_promotion_are_tfnps():
    with tfnp.numpy_behavior(prefer_float32=True):
        assert np.zeros(3).dtype == numpy.float32
    assert tf.function(lambda: np.zeros(3), autograph=False)().dtype == numpy.float64


def test_other_errors_are_raised():
    with pytest.raises(TypeError, match="unexpected keyword"):
        np.sum([1], unknown=2)


def test_a_graph_has_no_such_arrays():
    with pytest.raises(TypeError, match="object"):
        tf.function(lambda: np.ones(2, object))()


def test_names_that_are_left_out_are_numpys_and_counted():
    COUNTS.clear()
    x = np.arange(3)
    assert [int(item) for item in np.nditer(x)] == [0, 1, 2]
    with np.nditer(x, op_flags=["readwrite"]) as iterator:
        for item in iterator:
            item[...] = 2 * item
    assert x.tolist() == [0, 2, 4]
    assert np.busday_count("2011-01", "2011-02") == 21
    assert COUNTS["nditer"] == 2
    assert COUNTS["busday_count"] == 1
    with pytest.raises(AttributeError):
        np.no_such_name  # noqa: B018


def test_a_module_that_is_left_out_is_numpys():
    from tfnp.numpy import rec

    assert rec.array is numpy.rec.array
    with pytest.raises(ModuleNotFoundError):
        import tfnp.numpy.no_such_module  # noqa: F401


def test_masked_arrays_keep_their_masks():
    masked = numpy.ma.array([1.0, 2.0, 300.0], mask=[False, False, True])
    assert np.mean(masked) == 1.5
    for call in (lambda np: np.ones(3) + masked, lambda np: masked * np.ones(3), lambda np: np.sqrt(masked)):
        actual, expected = call(np), call(numpy)
        assert actual.mask.tolist() == expected.mask.tolist()
        assert actual.compressed().tolist() == expected.compressed().tolist()


def test_views_as_records_are_numpys():
    x = np.array([[1, 2], [3, 4], [1, 2]])
    records = x.view([("first", int), ("second", int)])
    assert np.unique(records).tolist() == [(1, 2), (3, 4)]
    records["second"][0] = 7
    assert x.tolist() == [[1, 7], [3, 4], [1, 2]]
