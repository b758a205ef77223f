"""Calls of NumPy itself, where no tensor has the dtype, or `tfnp` no such name."""

from __future__ import annotations

import copy
import decimal
import fractions
import functools
import io
import operator
import pickle

import numpy
import pytest
import tensorflow as tf

import tfnp
import tfnp.numpy as np
from tests.tables import check_each
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


class Quantity:
    """A number of another package, which adds itself to other numbers."""

    def __init__(self, value):
        self.value = value

    def __radd__(self, other):
        return Quantity(other + self.value)

    def __eq__(self, other):
        return self.value == other.value

    __hash__ = None


OBJECTS = numpy.array([1, "a", None, 2.5], dtype=object)
CALLS_OF_OBJECTS = (
    """
np.empty((1, 1), dtype=np.ndarray)
np.reshape(OBJECTS, (2, 2)); np.transpose(OBJECTS[None]); np.ravel(OBJECTS[None]); np.squeeze(OBJECTS[None])
np.broadcast_to(OBJECTS, (2, 4)); np.concatenate([OBJECTS, np.array([1])]); np.stack([OBJECTS, OBJECTS])
np.roll(OBJECTS, 1); np.flip(OBJECTS); np.tile(OBJECTS, 2); np.take(OBJECTS, np.array([0])); OBJECTS[np.array([0, 1])]
np.where([True, False], numpy.array([1, None], object), np.zeros(2)); np.isin(OBJECTS, [1]); np.full(2, None)
np.random.RandomState(0).choice([1, None, "x"], 3); np.random.RandomState(0).choice([None, 1], p=[0.5, 0.5])
np.random.default_rng(0).choice([1, None, "x"], 2); np.random.RandomState(0).permutation([1, None, "x"])
np.random.default_rng(0).permutation(OBJECTS); np.random.default_rng(0).permutation(OBJECTS[None], axis=1)
np.array([1, 2]) * Decimal(2); Decimal(2) * np.array([1, 2]); np.array([1, 2]) + Decimal(2); np.array([Decimal(1)]) * 2
np.array([1, 2]) / Fraction(1, 2); (np.array([1.0]) + Quantity(2))[0].value; np.array([1, 2]) == Decimal(1)
np.mean([Decimal(1), Decimal(2)]); np.full(2, Decimal(1)); np.unique(numpy.array([3, 1, 3], object))
np.ones(2) + MASKED; np.dot(np.eye(2), MASKED); np.add(np.ones(2), MASKED); np.log(MASKED - 1); MASKED * np.ones(2)
np.sum(HIDING); (np.ones(2) * HIDING).tolist(); np.median(HIDING)
np.genfromtxt(io.StringIO("a,b\n1,2"), delimiter=",", names=True); np.genfromtxt(io.StringIO("1,2"), delimiter=",")
np.polynomial.Polynomial([1.0, 2.0]).convert(kind=np.polynomial.Chebyshev).coef
np.polynomial.Polynomial([Fraction(1, 3), 2])(Fraction(1, 2)); np.polynomial.chebyshev.chebval(Fraction(1, 3), [1, 2])
np.polynomial.polynomial.polyvander(numpy.array([Fraction(1, 2)]), 2)
np.vectorize(lambda x: [x], otypes=[object])(np.arange(2)); np.vectorize(lambda x: {"a": int(x)})(np.arange(2))
np.vectorize(lambda x, y: x + y)(np.arange(2), 1); np.vectorize(lambda x: None)(np.arange(2))
np.frompyfunc(lambda x: x + 1, 1, 1)(np.array([1, 2])); np.frompyfunc(lambda x, y: x + y, 2, 1).reduce(np.array([1, 2]))
np.datetime64("2020-01-01") + np.arange(2)
np.array(["2020-01-01"], dtype="datetime64[D]")
np.diff(numpy.array(["2020-01-01", "2020-01-02"], "M8[D]")); np.zeros(2, dtype=[("a", int)])["a"]
np.array([1], np.longdouble) + 1
""".replace("\n", ";")
    .replace(";1,2", "\\n1,2")
    .split(";")
)


def test_objects_are_numpys_by_one_fallback():
    names = {"OBJECTS": OBJECTS, "Decimal": decimal.Decimal, "Fraction": fractions.Fraction, "Quantity": Quantity}
    names |= {"numpy": numpy, "io": io, "MASKED": numpy.ma.array([1.0, 2.0], mask=[0, 0])}
    names |= {"HIDING": numpy.ma.array([1.0, 2.0], mask=[0, 1])}

    def check(call):
        actual, expected = eval(call, {**names, "np": np}), eval(call, {**names, "np": numpy})
        assert type(actual) is type(expected) or type(actual) is np.ndarray
        assert numpy.asarray(actual).dtype == numpy.asarray(expected).dtype
        assert numpy.asarray(actual).tolist() == numpy.asarray(expected).tolist()

    check_each([call.strip() for call in CALLS_OF_OBJECTS if call.strip()], check)


FUNCTIONS = (
    *(
        "sum",
        "add",
        "linalg.norm",
        "fft.fft",
        "polynomial.chebyshev.chebval",
        "mean",
        "reshape",
        "sort",
        "strings.upper",
    ),
    *("random.normal", "concatenate", "max", "transpose", "absolute", "linalg.det", "isclose", "sin"),
)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions_are_pickled_by_their_names(name):
    function = operator.attrgetter(name)(np)
    assert pickle.loads(pickle.dumps(function)) is function
    assert copy.deepcopy(function) is function
    partial = pickle.loads(pickle.dumps(functools.partial(function, 2)))
    assert partial.func is function


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


def test_generators_are_numpys_to_other_packages():
    generator, theirs = np.random.default_rng(0), numpy.random.default_rng(0)
    assert isinstance(generator, numpy.random.Generator)
    assert numpy.random.default_rng(generator) is generator
    assert np.random.default_rng(generator) is generator
    assert type(generator.random(3)) is np.ndarray
    assert theirs.random(3).tolist() == np.random.default_rng(0).random(3).tolist()
    assert pickle.loads(pickle.dumps(generator)).random() == generator.random()
    legacy = np.random.RandomState(3)
    assert isinstance(legacy, numpy.random.RandomState)
    assert legacy.rand(2).tolist() == numpy.random.RandomState(3).rand(2).tolist()
    of_legacy = numpy.random.default_rng(numpy.random.RandomState(3)).random()
    assert np.random.default_rng(np.random.RandomState(3)).random() == of_legacy


def test_no_method_of_generators_is_numpys():
    for cls in (np.random.Generator, np.random.RandomState):
        inherited = [name for name in dir(cls) if not name.startswith("_") and name in vars(cls.__mro__[-2])]
        assert [name for name in inherited if getattr(cls, name) is vars(cls.__mro__[-2])[name]] == []


@pytest.mark.parametrize(
    ("name", "advice"),
    [
        ("Inf", "np.inf"),
        ("in1d", "use isin"),
        ("float", "use float"),
        ("product", "did you mean prod"),
        ("nothing_near", ""),
    ],
)
def test_names_of_older_versions_have_advice(name, advice, recwarn):
    with pytest.raises(AttributeError, match=rf"module 'tfnp.numpy' has no attribute '{name}'.*{advice}"):
        getattr(np, name)
    assert not recwarn.list
