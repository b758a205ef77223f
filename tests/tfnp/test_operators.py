"""Operators of tensors beside objects of other classes, and operators that rename a tensor: `x += y`."""

from __future__ import annotations

import datetime
import operator
from collections import deque
from decimal import Decimal
from fractions import Fraction
from typing import Any
from unittest import mock

import numpy as np
import pytest
import tensorflow as tf

import tfnp

EQUALITY = (operator.eq, operator.ne)
ARITHMETIC = (operator.add, operator.sub, operator.mul, operator.truediv, operator.floordiv, operator.mod)
ARITHMETIC += (operator.pow, operator.matmul, operator.and_, operator.or_, operator.xor, operator.lshift)
ARITHMETIC += (operator.rshift, divmod)
ORDER = (operator.lt, operator.le, operator.gt, operator.ge)
IN_PLACE = (operator.iadd, operator.isub, operator.imul, operator.itruediv, operator.ifloordiv, operator.imod)
IN_PLACE += (operator.ipow, operator.iand, operator.ior, operator.ixor, operator.ilshift, operator.irshift)
CODES = "?bBhiqQefdFD"


@pytest.fixture(autouse=True)
def behavior():
    with tfnp.numpy_behavior():
        yield


class Plain:
    """Has Python's own comparison, by identity."""


class Equal:
    """Is equal to everything."""

    __hash__ = None

    def __eq__(self, other):
        return True

    def __ne__(self, other):
        return False


OBJECTS: list[Any] = [
    *(object(), Plain(), Equal(), mock.ANY, {}, {"a": 1}, {1}, frozenset(), slice(1), ..., int, len, iter([1])),
    *(Decimal(1), Decimal("1.5"), Fraction(1), Fraction(1, 2), datetime.date(2020, 1, 1), np.dtype("f8")),
    *(np.datetime64("2020"), np.timedelta64(1, "D"), np.array([None, 1.0]), np.array(["2020"], "M8[D]")),
    *(np.longdouble(1), [None, {}], ["a", None], [Decimal(1), 2], (object(), 1.0)),
]


@pytest.mark.parametrize("compare", EQUALITY)
@pytest.mark.parametrize("value", OBJECTS, ids=lambda value: type(value).__name__)
@pytest.mark.parametrize("shape", [(2,), ()])
def test_no_object_makes_a_comparison_raise(compare, value, shape):
    array, dtypes = np.ones(shape), (np.float64, np.int8, np.bool_)
    for dtype in dtypes:
        expected = compare(array.astype(dtype), value)
        for x in (tfnp.asarray(array.astype(dtype)), tf.Variable(array.astype(dtype))):
            np.testing.assert_array_equal(compare(x, value), expected)
            if not isinstance(value, np.dtype):  # NumPy compares those with the dtype of any array but its own
                np.testing.assert_array_equal(compare(value, x), compare(value, array.astype(dtype)))
            assert isinstance(compare(x, value), tf.Tensor)


@pytest.mark.parametrize("value", OBJECTS, ids=lambda value: type(value).__name__)
def test_a_tensor_of_a_graph_equals_no_object(value):
    def traced(x):
        if isinstance(value, Fraction):  # which TensorFlow converts
            assert isinstance(x == value, tf.Tensor)
            return x
        if isinstance(value, Decimal | np.longdouble):
            for compare in EQUALITY:
                with pytest.raises(TypeError, match=r"a tensor of a graph cannot be compared with a \w+: convert it"):
                    compare(x, value)
            return x
        is_equal = isinstance(value, Equal) or value is mock.ANY
        assert (x == value) is is_equal
        assert (x != value) is not is_equal
        return x

    for dtype in (tf.float32, tf.float64):
        tf.function(traced, autograph=False)(tf.ones(2, dtype))


def test_text_equals_no_object():
    words = tf.constant(["a", "b"])
    for value in (object(), {}, Decimal(1), [None, {}], len):
        assert (words == value).numpy().tolist() == [False, False]
        assert (words != value).numpy().tolist() == [True, True]
    assert (words == mock.ANY).numpy().tolist() == [True, True]


def test_text_and_numbers_broadcast():
    x, words = tfnp.ones((2, 1)), np.array(["a", "b", "c"])
    assert (x == words).shape == (words == x).shape == (2, 3)
    assert (x != "a").numpy().tolist() == [[True], [True]]
    for value in (tfnp.ones(2), tf.Variable(tfnp.ones(2))):
        for compare in (*EQUALITY, lambda x, y: y in x):
            with pytest.raises(ValueError, match="could not be broadcast together"):
                compare(value, words)
    compare = tf.function(lambda x: x == "a", input_signature=[tf.TensorSpec(None)], autograph=False)
    assert compare(np.ones((2, 3), np.float32)).shape == (2, 3)


def test_arrays_of_other_libraries_are_compared_as_before():
    x = tfnp.asarray([1.0, 2.0])
    for value in (deque([1.0, 3.0]), range(1, 3), [1, tf.constant(3)], np.array(["a", "b"]), ["1.0", "b"], "1.0", b"a"):
        expected = np.asarray(x) == (np.array(value) if isinstance(value, list) else value)
        if not isinstance(value, deque):
            np.testing.assert_array_equal(x == value, expected)
    assert (x == None) is False  # noqa: E711 - it is what programs ask for
    with pytest.raises(ValueError, match="inhomogeneous"):
        x == [1, [2]]  # noqa: B015 - only the error matters


def test_membership_of_lists():
    x = tfnp.asarray([1.0, 2.0])
    assert x[0] in ["a", None, {}, 1]
    assert x[0] not in ["a", None, {}, object()]
    assert [None, x[1]].index(2) == 1
    assert {"a": x[0]} == {"a": 1.0}


@pytest.mark.parametrize("value", [None, *OBJECTS], ids=lambda value: type(value).__name__)
def test_an_array_contains_an_object_as_in_numpy(value):
    array = np.array([1.0, 2.0])
    for x in (tfnp.asarray(array), tf.Variable(array)):
        assert (value in x) is (value in array)
    if not isinstance(value, Decimal | Fraction | np.longdouble):
        traced = []
        tf.function(lambda x: traced.append(value in x), autograph=False)(array)
        assert traced == [isinstance(value, Equal) or value is mock.ANY]


def test_approx_of_pytest():
    x = tfnp.asarray([1.0, 2.0])
    assert x == pytest.approx([1, 2])
    assert pytest.approx([1, 2]) == x
    assert x == pytest.approx(x)
    assert x[0] == pytest.approx(1.0)
    assert x[0] == pytest.approx(x[0])
    assert x != pytest.approx([1, 3])
    assert (x[0], 2) == pytest.approx((1, 2))
    assert [x[0], x[1]] == pytest.approx([1, 2])
    assert {"a": x[0]} == pytest.approx({"a": 1})


class Deferred:
    """Opts out of ufuncs, and so decides about operators."""

    __array_ufunc__ = None

    def _answer(self, *operands):
        return "its own"

    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = _answer
    __radd__ = __rsub__ = __rmul__ = __rtruediv__ = __rfloordiv__ = __rmod__ = __rpow__ = __rmatmul__ = _answer
    __rand__ = __ror__ = __rxor__ = __rlshift__ = __rrshift__ = __rdivmod__ = _answer
    __hash__ = None

    def __array__(self, dtype=None, copy=None):
        return np.ones(2, dtype)


class Prior(Deferred):
    """Has no part in ufuncs, and a higher priority than tensors."""

    __array_priority__ = 1000


del Prior.__base__.__array_ufunc__
Deferred = type("Deferred", (Deferred,), {"__array_ufunc__": None})


class Lower(Prior):
    """Has a lower priority than tensors."""

    __array_priority__ = 10


@pytest.mark.parametrize("operate", [*ARITHMETIC, *ORDER, *EQUALITY])
@pytest.mark.parametrize("cls", [Deferred, Prior])
def test_operators_defer_to_a_class_that_says_so(operate, cls):
    for x in (tf.ones(2), tf.constant([1, 2]), tf.Variable([1.0, 2.0])):
        assert operate(x, cls()) == "its own"
    traced = []
    tf.function(lambda x: traced.append(operate(x, cls())), autograph=False)(tf.ones(2))
    assert traced == ["its own"]
    with tfnp.numpy_behavior(dtype_conversion_mode="all"):
        assert operate(tf.ones(2), cls()) == "its own"


def test_operators_do_not_defer_to_a_lower_priority():
    assert (tf.ones(2) + Lower()).numpy().tolist() == [2, 2]


def test_a_class_that_defines_no_operator_is_an_error():
    class Silent:
        __array_ufunc__ = None

    for operate in (*ARITHMETIC, *ORDER):
        with pytest.raises(TypeError, match=r"unsupported operand|not supported between"):
            operate(tf.ones(2), Silent())
        with pytest.raises(TypeError, match=r"unsupported operand|not supported between"):
            operate(Silent(), tf.ones(2))


def update(operate: Any, x: Any, y: Any) -> Any:
    try:
        return operate(x, y)
    except (TypeError, ValueError) as error:
        return type(error) if type(error) is ValueError else TypeError


def check_update(operate, array, other, run):
    """Compare `x += y` with NumPy's: dtype, shape and values, or the class of the error."""
    expected = update(operate, array.copy(), other)
    found = update(run, tf.constant(array), other)
    if isinstance(expected, type):
        assert found is expected
    else:
        assert (found.dtype, tuple(found.shape)) == (expected.dtype, expected.shape)
        np.testing.assert_allclose(found, expected)


@pytest.mark.sample(4)
@pytest.mark.parametrize("operate", IN_PLACE)
@pytest.mark.parametrize("code", CODES)
@pytest.mark.filterwarnings("ignore")
def test_the_dtype_and_shape_of_a_tensor_stay_as_in_numpy(operate, code):
    array = np.array([1, 2, 1]).astype(code)
    others = [np.array(values).astype(other) for other in CODES for values in ([1, 1, 2], 1)]
    others += [2, 0.5, 1j, True, [1, 2, 3], [0.5, 1, 2], np.float32(2), np.ones((1, 3), code), np.ones(1, code)]
    for other in others:
        check_update(operate, array, other, operate)
        if isinstance(other, np.ndarray):
            check_update(operate, array, other, lambda x, y: operate(x, tf.constant(y)))


@pytest.mark.parametrize("operate", [operator.iadd, operator.itruediv, operator.ipow])
@pytest.mark.parametrize("code", ["B", "q", "f", "F"])
def test_the_dtype_of_a_tensor_of_a_graph_stays(operate, code):
    array = np.array([1, 2, 1]).astype(code)
    for other in (np.array([1, 1, 2], "d"), np.ones((2, 3), code), 2, 1j, np.ones(1, code)):
        run = tf.function(lambda x, y: operate(x, y), autograph=False)  # noqa: PLW0108 - TensorFlow is not the caller
        check_update(operate, array, other, run)


def test_products_in_place():
    x = np.array([[1.0, 2.0], [3.0, 4.0]], np.float32)
    for other in (np.eye(2), np.ones((2, 2), np.float32), np.ones((2, 3)), np.ones(2), np.ones((2, 2), complex)):
        check_update(operator.imatmul, x, other, operator.imatmul)


def test_a_dtype_does_not_change_without_an_error():
    x = tfnp.ones(2, "float32")
    x += tfnp.ones(2)
    assert x.dtype == tf.float32
    for dtype, other in (("int64", tfnp.ones(2)), ("uint8", tfnp.ones(2, int)), ("int32", 0.5)):
        x = tfnp.ones(2, dtype)
        with pytest.raises(TypeError, match=r"Cannot cast ufunc 'add' output from dtype\(.*\) to dtype\(.*same_kind"):
            x += other
    x = tfnp.ones(())
    with pytest.raises(ValueError, match=r"non-broadcastable output operand with shape \(\).*shape \(2,\)"):
        x += tfnp.ones(2)


def test_gradients_pass_an_update_of_a_lower_precision():
    x = tf.constant([1.0, 2.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x
        y *= np.array([3.0, 4.0])
    assert tape.gradient(y, x).numpy().tolist() == [3, 4]


def test_dimensions_that_a_graph_does_not_know_are_not_compared():
    @tf.function(input_signature=[tf.TensorSpec([None, 2]), tf.TensorSpec(None)], autograph=False)
    def add(x, y):
        x += y
        y += x
        return y

    assert add(tf.ones((3, 2)), tf.ones(2)).numpy().tolist() == [[3, 3]] * 3


@pytest.mark.parametrize("framework", ["tensorflow", "tensorflow.python.ops", "keras", "keras.src.layers"])
def test_code_of_frameworks_keeps_its_meaning(framework):
    """TensorFlow's and Keras's code adds to scalars, divides integers in place, and takes lists for tuples."""
    values = {"loss": tf.zeros(()), "count": tf.constant(3), "small": tf.constant([3], tf.int8)}
    scope: dict[str, Any] = {"__name__": framework, **values, "x": tf.constant([[1, 2], [3, 4]])}
    exec("loss += [1.0, 2.0]\ncount /= 2\nhalf = small / 2\nx = x[[0, 1]]", scope)
    assert (scope["loss"].numpy().tolist(), scope["count"].numpy(), scope["x"].numpy()) == ([1, 2], 1.5, 2)
    assert scope["half"].dtype == tf.float32
    scope = {"__name__": "tensorflow_of_mine", **values, "x": tf.constant([[1, 2], [3, 4]])}
    with pytest.raises(ValueError, match="non-broadcastable"):
        exec("half = small / 2\nx = x[[0, 1]]\nloss += [1.0, 2.0]", scope)
    assert (scope["half"].dtype, scope["x"].shape) == (tf.float64, (2, 2))


@pytest.mark.parametrize("mode", ["all", "safe"])
def test_updates_promote_in_the_modes_of_tensorflow(mode):
    with tfnp.numpy_behavior(dtype_conversion_mode=mode):
        x = tf.constant([1, 2], tf.int32)
        x += tf.constant([1, 2], tf.int64)
        assert x.dtype == tf.int64
