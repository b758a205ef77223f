"""What functions of the user and iterators get is an array of `tfnp.numpy` or a scalar, never a tensor."""

from __future__ import annotations

import numpy
import pytest
import tensorflow as tf

import tfnp.numpy as np


def make():
    return np.arange(6.0).reshape(2, 3)


ITERATED = {
    "nditer": lambda: list(np.nditer([make(), None])),
    "nditer in chunks": lambda: list(np.nditer(make(), flags=["external_loop"])),
    "attributes of nditer": lambda: [
        getattr(np.nditer([make(), None]), name) for name in ("operands", "itviews", "value")
    ],
    "item of nditer": lambda: np.nditer(make())[0],
    "nested_iters": lambda: [list(inner) for outer, inner in [np.nested_iters(make(), [[0], [1]])] for _ in outer],
    "broadcast": lambda: list(np.broadcast(make(), 1)),
    "iters of broadcast": lambda: list(map(list, np.broadcast(make(), 1).iters)),
    "flat": lambda: list(make().flat),
    "ndenumerate": lambda: list(np.ndenumerate(make())),
    "class of polynomials": lambda: [np.polynomial.Hermite.domain, np.polynomial.Chebyshev.window],
    "polynomial": lambda: [getattr(np.polynomial.Legendre([1, 2.0]), name) for name in ("coef", "domain", "window")],
    "poly1d": lambda: [np.poly1d([1, 2.0]).c, np.poly1d([1, 2.0]).roots, list(np.poly1d([1, 2.0]))],
    "real and imag": lambda: [np.real(numpy.ones(2)), np.imag(numpy.ones(2)), np.real(numpy.ones(2, complex))],
}
CALLED = {
    "apply_along_axis": lambda function: np.apply_along_axis(function, 0, make(), np.ones(2)),
    "apply_over_axes": lambda function: np.apply_over_axes(function, make(), [0]),
    "fromfunction": lambda function: np.fromfunction(function, (2, 3)),
    "piecewise": lambda function: np.piecewise(make(), [make() < 2], [function, function], np.ones(1)),
    "frompyfunc": lambda function: np.frompyfunc(function, 2, 1).outer(make(), make()),
    "vectorize": lambda function: np.vectorize(function)(make()),
    "vectorize, excluded": lambda function: np.vectorize(function, excluded={1})(make(), np.ones(3)),
    "vectorize, excluded name": lambda function: np.vectorize(function, excluded={"y"})(make(), y=np.ones(3)),
    "vectorize, signature": lambda function: np.vectorize(function, signature="(n)->(n)")(make()),
    "vectorize as decorator": lambda function: np.vectorize(otypes=[float])(function)(make()),
}


def list_foreign(value):
    """Return the classes of tensors and NumPy's arrays of numbers among values."""
    if isinstance(value, tuple | list):
        return [cls for item in value for cls in list_foreign(item)]
    is_numpys = type(value) is numpy.ndarray and value.dtype.kind in "biufc"
    return [type(value)] if is_numpys or isinstance(value, tf.Tensor | tf.Variable) else []


@pytest.mark.parametrize("policy", ["auto", "tensorflow"])
def test_iterators_and_attributes_give_arrays(policy):
    with np.calculate_with(policy):
        assert {name: list_foreign(call()) for name, call in ITERATED.items()} == {name: [] for name in ITERATED}


@pytest.mark.parametrize("name", CALLED)
def test_functions_of_the_user_get_arrays(name):
    seen = []

    def function(*args, **kwargs):
        seen.append([*args, *kwargs.values()])
        return args[0]

    for policy in ("auto", "tensorflow"):
        with np.calculate_with(policy):
            assert list_foreign([CALLED[name](function)]) == []
    tf.function(lambda: CALLED[name](function), autograph=False)()
    assert seen
    assert list_foreign(seen) == []


@pytest.mark.parametrize("policy", ["auto", "tensorflow"])
def test_writes_through_nditer_reach_the_array(policy):
    def square(x):
        with np.nditer([x, None]) as iterator:
            for one, other in iterator:
                other[...] = one * one
            return iterator.operands[1]

    with np.calculate_with(policy):
        x = make()
        with np.nditer(x, op_flags=["readwrite"]) as iterator:
            for item in iterator:
                item[...] *= 2
                item += 1  # noqa: PLW2901 - this writes to the array, which is what is tested
        numpy.testing.assert_array_equal(x, 2 * numpy.arange(6.0).reshape(2, 3) + 1)
        numpy.testing.assert_array_equal(square(x), x * x)
        numpy.testing.assert_array_equal(tf.function(lambda: square(make()))(), make() * make())
        assert [iterator.multi_index for iterator in [np.nditer(x, flags=["multi_index"])] for _ in iterator][-1] == (
            1,
            2,
        )


def test_decorators_make_as_many_functions_as_they_decorate():
    decorate = np.vectorize(otypes=[float], excluded={1})
    double, triple = decorate(lambda x, y: 2 * x), decorate(lambda x, y: 3 * x)
    for function, factor in ((double, 2), (triple, 3)):
        result = function(make(), np.ones(3))
        assert type(result) is np.ndarray
        numpy.testing.assert_array_equal(result, factor * make())


def test_the_domain_of_a_polynomial_is_its_own():
    series = np.polynomial.Polynomial([1.0, 2.0], domain=[0, 1])
    series.domain = np.array([0.0, 3.0])
    assert series.domain.tolist() == [0, 3]
    assert np.polynomial.Polynomial.domain.tolist() == [-1, 1]
