"""Methods, attributes and operators of tensors and variables, while NumPy behaviour is on."""

from __future__ import annotations

import inspect
import operator

import numpy as np
import pytest
import tensorflow as tf

import tfnp
from oracle.harness import NAMES
from tests.tfnp.agreement import DTYPES, agree, array, gradient, traced
from tests.tfnp.test_signatures import is_same_default

FLOATS = array(2, 3, dtype=np.float64)
METHODS = [name.removeprefix("ndarray.") for name in NAMES if name.startswith("ndarray.")]
OTHERWISE = {
    **dict.fromkeys(("fill", "choose"), "NumPy says so of its method, but it takes its argument by position only"),
    "__iter__": "an iterator",
}
REFLECTED = ("add", "sub", "mul", "truediv", "floordiv", "mod", "divmod", "pow", "matmul")


@pytest.fixture(autouse=True)
def numpy_behavior():
    with tfnp.numpy_behavior():
        yield


@pytest.mark.sample(96)
@pytest.mark.parametrize("name", METHODS)
def test_every_name_is_there(name):
    assert hasattr(type(tf.Variable(0)), name)
    assert hasattr(tf.Tensor, name)


@pytest.mark.parametrize("name", [name for name in METHODS if not name.startswith("__")])
def test_a_method_is_called_as_numpys(name):
    method, numpys = getattr(tf.Tensor, name), getattr(np.ndarray, name)
    if not callable(numpys):
        return
    own, theirs = (list(inspect.signature(one).parameters.values()) for one in (method, numpys))
    same = [one.name for one in own] == [one.name for one in theirs] and all(
        one.kind is other.kind and is_same_default(one.default, other.default)
        for one, other in zip(own, theirs, strict=True)
    )
    assert same is (name not in OTHERWISE)


@pytest.mark.parametrize("part", [np.float32, np.float64])
def test_views_of_the_parts_of_complex_numbers_have_gradients(part):
    whole = np.result_type(part, np.complex64)
    for x, dtype, upstream in (
        (np.array([1 + 2j, 3 - 1j], whole), part, [1, 2, 3, 4]),
        (np.array([[1, 2], [3, -1]], part), whole, [[5 - 6j], [7j]]),
    ):
        agree("ndarray.view", x, dtype)
        source = tf.constant(x)
        with tf.GradientTape() as tape:
            tape.watch(source)
            result = source.view(dtype)
        gradient = tape.gradient(result, source, tf.constant(upstream, result.dtype))
        np.testing.assert_array_equal(gradient.view(result.dtype), upstream)


def test_every_byte_but_zero_viewed_as_bool_is_true():
    assert tf.constant([0, 1, 2, 255], tf.uint8).view(bool).numpy().tolist() == [False, True, True, True]


def test_an_operator_in_place_keeps_the_variable():
    variable = other = tf.Variable([1, 2, 3])
    variable += 1
    variable <<= 2
    variable[1:] -= 8
    assert variable is other
    assert variable.numpy().tolist() == [8, 4, 8]
    with pytest.raises(TypeError, match="same_kind"):
        variable += 1.5
    tensor = before = tf.constant([1, 2])
    tensor += 1
    assert (tensor.dtype, tensor.numpy().tolist(), before.numpy().tolist()) == (tf.int32, [2, 3], [1, 2])
    with pytest.raises(TypeError, match="same_kind"):
        tensor += 1.5


def test_in_place_inside_a_function():
    variable = tf.Variable([3.0, 1.0, 2.0])

    @tf.function(autograph=False)
    def change():
        held = variable
        held *= 2
        held.sort()
        return held.sum()

    assert float(change()) == 12.0
    assert variable.numpy().tolist() == [2.0, 4.0, 6.0]


@pytest.mark.parametrize(
    ("name", "args", "instead"),
    [
        ("sort", (), r"tfnp\.sort"),
        ("partition", (0,), r"tfnp\.partition"),
        ("fill", (0,), r"tfnp\.full_like"),
        ("put", ([0], [1]), r"at\[.*\.set"),
        ("resize", (3,), r"tfnp\.resize"),
        ("__setitem__", (0, 1), r"at\[.*\.set"),
    ],
)
def test_a_tensor_says_what_to_do_instead(name, args, instead):
    with pytest.raises(TypeError, match=rf"(?s)(tf\.Variable.*{instead}|{instead}.*tf\.Variable)"):
        getattr(tf.constant([1.0]), name)(*args)


def test_a_variable_of_any_shape_is_resized():
    variable = tf.Variable([1, 2, 3], shape=tf.TensorShape(None))
    variable.resize(2, 2)
    assert variable.numpy().tolist() == [[1, 2], [3, 0]]
    variable.resize((1,))
    assert variable.numpy().tolist() == [1]


@pytest.mark.parametrize("name", REFLECTED)
def test_arrays_and_tensors_meet_in_both_orders(name):
    operate = divmod if name == "divmod" else getattr(operator, name)
    first, second = np.array([[1.0, 2.0], [3.0, 4.0]]), np.array([[2.0, 1.0], [2.0, 3.0]], np.float32)
    expected = operate(first, second)
    for x, y in [
        (first, tf.constant(second)),
        (tf.constant(first), second),
        (first, tf.Variable(second)),
        (tf.Variable(first), tf.constant(second)),
    ]:
        found = operate(x, y)
        parts = found if name == "divmod" else (found,)
        assert all(isinstance(part, tf.Tensor) for part in parts)
        np.testing.assert_array_equal(np.stack(parts), np.stack(expected if name == "divmod" else (expected,)))


@pytest.mark.parametrize("compare", [operator.eq, operator.ne, operator.lt, operator.le, operator.gt, operator.ge])
def test_comparisons_meet_in_both_orders(compare):
    x, y = np.array([1.0, 2.0, 3.0]), np.array([2, 2, 2])
    for one, other in [(x, tf.constant(y)), (tf.constant(x), y), (np.float32(2), tf.constant(y)), (2, tf.Variable(y))]:
        found = compare(one, other)
        assert isinstance(found, tf.Tensor)
        np.testing.assert_array_equal(found, compare(np.asarray(one), np.asarray(other)))


@pytest.mark.parametrize(
    "function",
    [
        np.mean, np.sum, np.prod, np.max, np.min, np.std, np.var, np.all, np.any, np.argmax, np.argmin, np.cumsum,
        np.cumprod, np.round, np.squeeze, np.transpose, np.nonzero, np.real, np.argsort, np.size, np.ndim,
        lambda x: np.clip(x, 1, 2), lambda x: np.take(x, [0], axis=1), lambda x: np.repeat(x, 2, axis=0),
        lambda x: np.reshape(x, (3, 2)), lambda x: np.sum(x, axis=1, keepdims=True), lambda x: np.swapaxes(x, 0, 1),
        lambda x: np.compress([True, False], x, axis=0), lambda x: np.searchsorted(x[0], 3.0),
    ],
)  # fmt: skip
def test_numpys_functions_call_the_methods(function):
    for tensor in (tf.constant(FLOATS), tf.Variable(FLOATS)):
        found, expected = function(tensor), function(FLOATS)
        parts = zip(found, expected, strict=True) if isinstance(expected, tuple) else [(found, expected)]
        for part, wanted in parts:
            assert isinstance(part, tf.Tensor | int)
            np.testing.assert_array_equal(part, wanted)


def test_numpys_functions_write_to_a_variable():
    out = tf.Variable(np.zeros(3))
    assert np.sum(tf.constant(FLOATS), axis=0, out=out) is out
    np.testing.assert_array_equal(out, FLOATS.sum(0))


def test_python_and_numpy_ask_a_tensor():
    whole, number = tf.constant([[1, 2], [3, 4]]), tf.constant(2)
    for one, two in [(whole, number), (tf.Variable(whole), tf.Variable(number))]:
        assert (len(one), 3 in one, 9 in one, [int(row.sum()) for row in one]) == (2, True, False, [3, 7])
        assert (bool(two), int(two), float(two), complex(two), [5, 6, 7][two]) == (True, 2, 2.0, 2 + 0j, 7)
        assert (f"{two:03d}", one.ndim, one.size, one.itemsize, one.nbytes) == ("002", 2, 4, 4, 16)
        assert one.__array_namespace__() is tfnp
        assert (one.__array__("f8").dtype, np.array(one).tolist()) == (np.float64, [[1, 2], [3, 4]])
        assert np.from_dlpack(one).tolist() == [[1, 2], [3, 4]]
        assert ([*one.flat], one.tobytes()) == ([1, 2, 3, 4], np.asarray(one).tobytes())
    for many in (whole, tf.constant([])):
        with pytest.raises(ValueError, match="ambiguous"):
            bool(many)
    with pytest.raises(TypeError, match=r"unsized|no `len"):
        len(number)
    with pytest.raises(TypeError, match="0-d"):
        iter(number)
    assert (whole == "a").numpy().tolist() == [[False, False], [False, False]]


OUTSIDE = np.array([1.0, 2.0, 3.0])


@pytest.mark.sample(2)
@pytest.mark.parametrize("jit_compile", [False, True])
@pytest.mark.parametrize(
    "make",
    [
        lambda x: x, lambda x: tfnp.array([0.0, 1.0, 1.05]), lambda x: tfnp.array([1, 2, 3]), lambda x: tfnp.eye(3),
        lambda x: tfnp.linspace(0, 1, 3), lambda x: tfnp.hanning(3), lambda x: tfnp.asarray(OUTSIDE),
        lambda x: tfnp.zeros(3), lambda x: tfnp.geomspace(1.0, 4.0, 3), lambda x: tf.constant(OUTSIDE),
    ],
)  # fmt: skip
def test_what_is_made_of_constants_can_be_unpacked_in_a_graph(make, jit_compile):
    def unpack(x):
        first, second, third = make(x)
        return first + second * third, [item * 2 for item in make(x)], len(list(make(x)))

    x = tf.constant([4.0, 5.0, 6.0])
    found, expected = tf.function(unpack, jit_compile=jit_compile)(x), unpack(x)
    for one, other in zip(tf.nest.flatten(found), tf.nest.flatten(expected), strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-6)


def test_a_tensor_from_outside_can_be_unpacked_in_a_graph():
    outside, empty = tf.constant(OUTSIDE), tf.zeros((0, 2))

    @tf.function
    def unpack():
        first, second, third = outside
        return first + second + third + len(list(empty))

    assert unpack().numpy() == 6


def test_what_has_no_static_length_cannot_be_unpacked_in_a_graph():
    for spec in (tf.TensorSpec([None]), tf.TensorSpec(None)):
        with pytest.raises(TypeError, match="needs a static first dimension"):
            tf.function(list, autograph=False, input_signature=[spec])(tf.zeros(2))


def test_no_write_to_an_array_changes_a_tensor():
    source = np.ones(3)
    tensor, variable = tfnp.asarray(source), tf.Variable(source)
    source[:] = 5
    for made in (np.asarray(tensor), np.from_dlpack(tensor), tensor.__array__()):
        assert not made.flags.writeable
        assert np.shares_memory(made, np.asarray(tensor))
    assert np.asarray(memoryview(tensor)).flags.writeable is False
    for made in (
        np.array(tensor),
        tensor.numpy(),
        np.asarray(variable),
        np.array(variable),
        tensor.__array__(copy=True),
    ):
        if made.flags.writeable:
            made[:] = 7
    assert tensor.numpy().tolist() == variable.numpy().tolist() == [1.0, 1.0, 1.0]


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_a_dtype_answers_as_numpys(dtype):
    own, dtype = tfnp.zeros(1, dtype).dtype, np.dtype(dtype.name)
    for name in ("alignment", "byteorder", "char", "isnative", "itemsize", "kind", "num", "str", "type", "name"):
        assert getattr(own, name) == getattr(dtype, name)
    for name in ("base", "descr", "fields", "flags", "hasobject", "isalignedstruct", "isbuiltin", "metadata", "names"):
        assert getattr(own, name) == getattr(dtype, name)
    assert (own.ndim, own.shape, own.subdtype, own.newbyteorder("=")) == (0, (), None, dtype)
    for equal in (dtype, dtype.type, dtype.name, own):
        assert own == equal
        assert equal == own
        assert (own != equal) is False
    assert np.dtype(own) == np.result_type(tfnp.zeros(1, dtype)) == dtype
    assert np.issubdtype(own, dtype.type)


def test_a_shape_is_used_as_a_tuple():
    shape = tf.zeros((2, 3)).shape
    rows, columns = shape
    sides = (2, 3)
    assert (shape == sides, sides == shape, shape[0], shape[-1], shape[1:], rows, columns, len(shape)) == (
        *(True, True, 2, 3, (3,), 2, 3, 2),
    )
    assert (shape < (2, 4), shape > (2, 2), shape <= sides, shape > (3,), sides <= shape) == (
        *(True, True, True, False, True),
    )
    assert (f"{shape}", f"{shape!r}", f"{[shape]}") == ("(2, 3)", "(2, 3)", "[(2, 3)]")
    assert (shape * 2, 2 * shape, shape + sides, sides + shape) == ((2, 3, 2, 3),) * 4
    assert (shape.count(2), shape.index(3), np.zeros(shape).shape, hash(shape)) == (1, 1, (2, 3), hash((2, 3)))
    with pytest.raises(TypeError):
        shape < 3  # noqa: B015 - only the error matters


def test_a_shape_with_a_negative_dimension_is_a_tuple():
    shape, add = tf.zeros((2, 3)).shape, operator.add
    for found, expected in (
        (add(shape, (-1,)), (2, 3, -1)),
        (add(shape[:-1], (np.int64(-1), 1)), (2, -1, 1)),
        (add((-1,), shape), (-1, 2, 3)),
        (add(tf.zeros(()).shape, (-1,)), (-1,)),
    ):
        assert type(found) is tuple
        assert found == expected
    assert tf.zeros((2, 3)).reshape(add(shape[:-1], (-1,))).shape == (2, 3)
    for value in ((4,), [4], tf.TensorShape([4])):
        assert add(shape, value) == (2, 3, 4)
        assert add(value, shape) == (4, 2, 3)
        assert type(add(shape, value)) is type(add(value, shape)) is tf.TensorShape
    with pytest.raises(ValueError, match=">= 0"):
        add(shape, [-1])
    traced = []
    signature = [tf.TensorSpec([None, 2])]
    tf.function(lambda x: traced.append(add(x.shape, (-1,))), input_signature=signature)(tf.ones((1, 2)))
    assert traced == [(None, 2, -1)]
    with pytest.raises(ValueError, match="rank"):
        add(tf.TensorShape(None), (-1,))


def test_unknown_shapes_and_constants_in_a_graph():
    x = array(2, 3)
    np.testing.assert_array_equal(traced(lambda x: x.T @ x + x.mean(), x), x.T @ x + x.mean())
    np.testing.assert_array_equal(traced(lambda x: x.sum(axis=0) * x.size, x, rank=False), x.sum(0) * 6)
    np.testing.assert_array_equal(traced(lambda x: x * int(tf.constant(2)) ** 2, x), x * 4)
    with pytest.raises(TypeError, match=r"float\(\): the tensor must be static"):
        traced(lambda x: x * float(x[0, 0]), x)
    with pytest.raises(TypeError, match=r"len\(\) needs a static first dimension"):
        traced(lambda x: x * len(x), x)


def test_gradients_pass_methods_and_operators():
    (slope,) = gradient(lambda x: (x.T @ x).sum(axis=0) / 2, FLOATS)
    assert np.isfinite(slope).all()
    (slope,) = gradient(lambda x: x.reshape(-1)[1:4] ** 2, FLOATS)
    assert np.count_nonzero(slope) == np.count_nonzero(FLOATS.ravel()[1:4])


@pytest.mark.full
def test_powers_that_numpy_takes_by_a_shorter_way():
    agree("ndarray.__pow__", np.array([True, False]), 2)
    agree("ndarray.__pow__", np.array([True, False]), 3)
    agree("ndarray.__pow__", np.array([-0.0, -np.inf, 4.0], np.float16), 0.5)
    agree("ndarray.__pow__", np.array([-4.0, -np.inf, 1j], np.complex64), 0.5)


@pytest.mark.parametrize("dtype", ["f2", "f4", "f8", "c8", "c16"])
def test_a_square_is_a_product(dtype):
    with np.errstate(all="ignore"), tfnp.numpy_behavior():
        array = np.array([1.1, 3e20, -0.0, np.inf]).astype(dtype)
        np.testing.assert_array_equal(tf.constant(array) ** 2, array**2)


@pytest.mark.parametrize(
    ("method", "arguments"),
    [
        ("searchsorted", {"v": 2.0}), ("searchsorted", {"v": [2.0], "side": "right"}), ("take", {"indices": [0, 2]}),
        ("repeat", {"repeats": 2, "axis": 0}), ("argpartition", {"kth": 1}), ("compress", {"condition": [True, False]}),
        ("dot", {"b": [1.0, 2.0, 3.0]}), ("choose", {"choices": [1.0]}), ("take", {"axis": 0}),
    ],
)  # fmt: skip
def test_arguments_are_given_by_name_where_numpy_takes_them_so(method, arguments):
    values = np.array([1.0, 2.0, 3.0])
    try:
        expected = getattr(values, method)(**arguments)
    except TypeError:
        with pytest.raises(TypeError):
            getattr(tf.constant(values), method)(**arguments)
    else:
        assert getattr(tf.constant(values), method)(**arguments).numpy().tolist() == expected.tolist()


def test_a_variable_is_changed_by_arguments_with_names():
    v = tf.Variable([3.0, 1.0, 2.0])
    v.put(indices=[0], values=[5.0])
    v.partition(kth=1)
    assert v.numpy().tolist() == [1, 2, 5]


SAME_VALUE = [
    np.array([0.1, 1.0, np.nan, np.inf, -0.0, 300.0, -1.0, 2.0**53 + 2, 1e300, 70000.0]),
    np.array([1 + 0j, 1 + 1j, complex(np.nan, 0), complex(1, np.nan), 0.1 + 0j]),
    np.array([-1, 300, 2**53 + 1, 1, 0, 2**24 + 1, 2**63 - 1, -(2**63)]),
    np.array([2**63, 1, 2**64 - 1, 300], np.uint64),
    np.array([True, False]),
    np.array([0.1, np.nan, 70000.0], np.float32),
]


@pytest.mark.sample(8)
@pytest.mark.parametrize("values", SAME_VALUE, ids=lambda values: values.dtype.name)
@pytest.mark.parametrize("target", DTYPES, ids=str)
def test_a_cast_may_have_to_keep_every_value(values, target):
    cast = tf.function(lambda x: x.astype(target, casting="same_value"), autograph=False)
    for value in values:
        tensor = tf.constant(np.array([value], values.dtype))
        try:
            expected = np.array([value], values.dtype).astype(target, casting="same_value")
        except (ValueError, TypeError) as error:
            with pytest.raises(type(error), match=r"same_value|casting must be"):
                tensor.astype(target, casting="same_value")
            with pytest.raises((type(error), tf.errors.InvalidArgumentError), match=r"same_value|casting must be"):
                cast(tensor)
        else:
            for found in (tensor.astype(target, casting="same_value"), cast(tensor)):
                np.testing.assert_array_equal(found.numpy(), expected, strict=True)


@pytest.mark.parametrize("shape", [(), (0,), (1,), (5,), (2, 3), (1, 3), (3, 1), (3, 0), (0, 3), (2, 0, 3), (2, 3, 4)])
@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_the_layout_of_an_array_in_c_order(shape, dtype):
    array = np.zeros(shape, dtype)
    array.flags.writeable = False
    view = array.view()
    for own in (tfnp.asarray(array), tf.Variable(array)):
        is_variable = isinstance(own, tf.Variable)
        assert (len(own.strides), own.base) == (array.ndim, None)
        if array.size:  # NumPy does not specify those of an empty array
            assert own.strides == array.strides
        for name in ("C_CONTIGUOUS", "F_CONTIGUOUS", "ALIGNED", "OWNDATA", "WRITEBACKIFCOPY", "FNC", "FORC", "CARRAY"):
            if name != "CARRAY" or not is_variable:
                assert own.flags[name] == view.flags[name], name
            assert getattr(own.flags, name.lower()) == own.flags[name]
        assert own.flags["WRITEABLE"] is own.flags.writeable is is_variable
        assert f"WRITEABLE : {is_variable}" in repr(own.flags)
        with pytest.raises((ValueError, AttributeError)):
            own.flags.writeable = not is_variable
        with pytest.raises(AttributeError):
            own.strides = (1,)


def test_the_layout_of_text():
    assert tf.constant(["a", "b"]).strides == np.array(["a", "b"], "T").strides
    assert tf.constant(["a", "b"]).flags.c_contiguous


def test_the_layout_of_a_tensor_of_a_graph():
    @tf.function(input_signature=[tf.TensorSpec([None, 3]), tf.TensorSpec([2, None]), tf.TensorSpec(None)])
    def trace(known, unknown, ranked):
        assert known.strides == (12, 4)
        assert known.flags.c_contiguous
        assert known.base is unknown.base is ranked.base is None
        for x in (unknown, ranked):
            for name in ("strides", "flags"):
                assert not hasattr(x, name)
                with pytest.raises(AttributeError, match=r"static.*tf\.ensure_shape"):
                    getattr(x, name)
        return known

    trace(tf.ones((2, 3)), tf.ones((2, 3)), tf.ones(1))


def test_windows_by_strides():
    x = np.arange(6.0)
    expected = np.lib.stride_tricks.as_strided(x, (4, 3), x.strides * 2)
    y = tfnp.asarray(x)
    np.testing.assert_array_equal(tfnp.lib.stride_tricks.as_strided(y, (4, 3), y.strides * 2), expected)


def test_text_has_no_conjugate():
    for name in ("conj", "conjugate"):
        with pytest.raises(TypeError, match="cannot conjugate non-numeric dtype"):
            getattr(tf.constant("a"), name)()
