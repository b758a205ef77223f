"""Arrays behave as NumPy's: attributes, scalars, protocols, errors."""

from __future__ import annotations

import copy
import io
import json
import pickle
import statistics

import numpy
import pytest
import tensorflow as tf

import tfnp.numpy as np

EXPRESSIONS = {
    "attributes": "(x.shape, x.dtype, x.strides, x.ndim, x.size, x.nbytes, x.itemsize, x.T.strides, x[::-1].strides)",
    "flags": "(x.flags.c_contiguous, x.T.flags.f_contiguous, x[:, 1].flags['C'], x.T.flags['FNC'], x.T.flags.owndata)",
    "shape": "(json.dumps(x.shape), '%d x %d' % x.shape, x.shape + (-1,), np.array(1).shape or (1,))",
    "classes": "(type(x[0, 0]), type(x.sum()), type(x[0, 0] + 1), type(x.tolist()), isinstance(x.mean(), float))",
    "scalars": "([7] * np.arange(3)[2], (1, 2) * np.argmax([0, 0, 1]), 'ab' * np.arange(3)[2], x[0, 0].is_integer())",
    "text": "(str(x), repr(x), f'{x[0, 0]:.2f}', '%s' % x, repr(x[0, 0]), str(x.dtype))",
    "membership": "(np.array(3) in x, np.int8(3) in x, np.array([1]) in x, x.__contains__(np.array(-7)), 'a' in x)",
    "comparison": "(x == None, x != 'a', x[0, 0] in ['a', None, 1.0], 3.0 in x, (x == object()).any())",
    "dtype": "(x.dtype == float, x.dtype.names, {x.dtype: 1}[np.dtype('f8')], isinstance(x.dtype, np.dtype))",
    "iteration": "([row.tolist() for row in x], list(np.ndenumerate(x))[1], [float(one) for one in x.flat])",
    "random": "(type(np.random.rand()), type(np.random.randint(3)), type(np.random.default_rng(0).integers(3)))",
    "python": "(bool(x[0, 0]), int(x[0, 1]), complex(x[0, 1]), statistics.mean(x[0]), len(x), max(x[0]))",
    "rank 0": "(type(np.array(1)), type(np.array(1) + 1), type(np.zeros(())), type(np.squeeze([1])), np.array(2)[()])",
    "bools": "(np.allclose(x, x), np.array_equal(x, x), type(np.any(x)))",
    "copies": "(copy.copy(x), copy.deepcopy([x]), pickle.loads(pickle.dumps(x.T)))",
}


@pytest.mark.parametrize("expression", EXPRESSIONS.values(), ids=EXPRESSIONS)
def test_an_expression_has_numpys_value(expression):
    values = []
    for namespace in (np, numpy):
        x = namespace.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
        modules = {"json": json, "copy": copy, "pickle": pickle, "statistics": statistics}
        values.append(eval(expression, {"np": namespace, "x": x, **modules}))
    actual, expected = values
    assert repr(actual) == repr(expected).replace("numpy.ndarray", "tfnp.numpy.multiarray.ndarray")


ERRORS = {
    "casting": ("x += 1.5", "arange(3)"),
    "shape": ("x += np.ones((2, 3))", "arange(3.0)"),
    "index": ("x[3] = 1", "arange(3)"),
    "too many": ("x[0, 0]", "arange(3)"),
    "value": ("x[:2] = [1, 2, 3]", "arange(3)"),
    "read-only": ("np.broadcast_to(x, (2, 3))[0, 0] = 1", "arange(3)"),
    "truth": ("bool(x)", "arange(3)"),
    "length": ("len(x[0, ...])", "arange(3)"),
    "set shape": ("x.T.shape = (6,)", "ones((2, 3))"),
    "float": ("float(x)", "arange(3)"),
    "sort": ("x.sort(axis=5)", "arange(3)"),
    "power": ("x **= -1", "arange(3)"),
}


@pytest.mark.parametrize(("statement", "value"), ERRORS.values(), ids=ERRORS)
def test_an_error_is_numpys(statement, value):
    errors = []
    for namespace in (np, numpy):
        with pytest.raises(Exception) as error:  # noqa: PT011 - NumPy's error is expected
            exec(statement, {"np": namespace, "x": eval(f"np.{value}", {"np": namespace})})
        errors.append(error.value)
    assert isinstance(errors[0], type(errors[1])), errors


def test_an_output_may_be_a_positional_argument():
    x, out = np.arange(4.0), np.zeros(())
    assert np.percentile(x, 50, None, out, False) is out
    assert np.sum(x, None, None, out, False) is out
    assert out[()] == 6.0
    assert np.clip(x, 1, 2, x) is x
    first, second = np.zeros(4), np.zeros(4)
    assert np.divmod(x, 2, first, second)[1] is second
    assert second.tolist() == [1.0, 1.0, 0.0, 0.0]


def test_a_class_may_return_an_array_from_its_array_method():
    class Data:
        def __array__(self, dtype=None, copy=None):
            return np.array([1.0, 2.0])

    x = np.zeros(2)
    x[:] = Data()
    assert x.tolist() == [1.0, 2.0]
    assert np.add(Data(), 1).tolist() == [2.0, 3.0]
    assert (x + Data()).tolist() == [2.0, 4.0]
    assert np.asarray(Data()).sum() == 3.0


def test_views_know_their_base():
    x = np.arange(6.0)
    view = x[1:].reshape(5, 1)
    assert view.base is x
    assert view.T.base is x
    assert x.base is None
    assert (x + 1).base is None
    assert np.may_share_memory(x, view)
    assert not np.shares_memory(x[:2], x[3:])
    assert not np.may_share_memory(x, x.copy())


def test_a_read_only_array_cannot_be_written_to():
    x = np.zeros(3)
    view = x[1:]
    x.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        x[0] = 1
    with pytest.raises(ValueError, match="read-only"):
        x += 1
    with pytest.raises(ValueError, match="read-only"):
        np.add(x, 1, out=x)
    view[0] = 5
    assert x.tolist() == [0.0, 5.0, 0.0]
    with pytest.raises(ValueError, match="WRITEABLE"):
        np.broadcast_to(x, (2, 3)).flags.writeable = True


def test_shape_and_dtype_can_be_set():
    x = np.arange(6, dtype="i8")
    view = x[:]
    x.shape = (2, 3)
    x[1] = 9
    assert x.shape == (2, 3)
    assert view.tolist() == [0, 1, 2, 9, 9, 9]
    bits = np.ones(2).view("i8")
    bits[0] = 0
    assert bits.dtype == np.int64
    assert bits.tolist() == numpy.array([0, 1.0]).view("i8").tolist()[:1] * 1 + [numpy.ones(1).view("i8").tolist()[0]]


@pytest.mark.usefixtures("auto_policy")
def test_an_update_writes_to_the_memory():
    x = np.ones(4, "float32")
    memory, shared = numpy.asarray(x), x[1:]
    x += numpy.float64(0.5)
    shared *= np.array([1.0, 2.0, 3.0])
    shared -= tf.constant([0.5, 0.5, 0.5])
    x **= [2, 2, 2, 3]
    assert x.dtype == "float32"
    numpy.testing.assert_array_equal(x, [2.25, 1.0, 6.25, 64.0])
    numpy.testing.assert_array_equal(memory, x)
    with pytest.raises(np._core._exceptions.UFuncTypeError, match="Cannot cast ufunc"):
        x += 1j
    with pytest.warns(RuntimeWarning, match="divide by zero"):
        x /= 0.0


@pytest.mark.parametrize("dtype", ["float64", "complex64", "int16", "bool"])
def test_large_memory_is_copied_for_tensors(dtype):
    x = np.ones((300, 700), dtype)
    part = x[::2, 1::3]
    before = part.tensor()
    x[0, 1] = 0
    numpy.testing.assert_array_equal(before, numpy.ones((150, 233), dtype))
    assert part.tensor()[0, 0].numpy() == 0


def test_methods_work_in_place():
    x = np.array([3, 1, 2])
    x.sort()
    x.put([0], [7])
    x.resize((5,))
    assert x.tolist() == [7, 2, 3, 0, 0]
    np.random.default_rng(0).shuffle(x)
    assert sorted(x.tolist()) == [0, 0, 2, 3, 7]
    x.fill(4)
    assert x.sum() == 20


def test_numpys_arrays_are_instances_and_of_another_class():
    assert isinstance(numpy.ones(1), np.ndarray)
    assert isinstance(np.ones(1), np.ndarray)
    assert not isinstance(1.0, np.ndarray)
    assert not issubclass(np.ndarray, numpy.ndarray)


def test_numpys_functions_return_arrays():
    x = np.array([1.0, 4.0])
    assert isinstance(numpy.sqrt(x), np.ndarray)
    assert numpy.sqrt(x).tolist() == [1.0, 2.0]
    assert (numpy.float64(2) * x).tolist() == [2.0, 8.0]
    assert numpy.concatenate([x, numpy.ones(1)]).tolist() == [1.0, 4.0, 1.0]
    target = numpy.zeros(2)
    assert numpy.add(x, 1, out=target) is target
    assert target.tolist() == [2.0, 5.0]


def test_exported_memory_is_shared_while_it_is_alive():
    x = np.arange(4.0)
    memory = numpy.asarray(x[1:])[1:]
    memory[0] = 9.0
    assert x.sum() == 13.0
    x[2] = 1.0
    assert memory.tolist() == [1.0, 3.0]
    x += 1.0
    assert memory.tolist() == [2.0, 4.0]


def test_approx_and_other_classes_are_asked():
    x = np.array([1.0, 2.0])
    assert x == pytest.approx([1.0, 2.0])
    assert x[0] == pytest.approx(1.0)
    assert (x[0], 2) == pytest.approx((1, 2))

    class Other:
        __array_ufunc__ = None

        def __radd__(self, other):
            return "other"

        __eq__ = __radd__
        __hash__ = None

    assert x + Other() == "other"
    assert (x == Other()) == "other"


@pytest.mark.parametrize("order", ["C", "F", "A", "K"])
def test_ravel_is_a_view_of_contiguous_elements_only(order):
    parts = [lambda x: x, lambda x: x.T, lambda x: x[1:], lambda x: x[0, ::2], lambda x: x[:, 1], lambda x: x[::-1]]
    for part in [*parts, lambda x: x.reshape(3, 2, 2).transpose(2, 0, 1), lambda x: x[:0]]:
        results = []
        for namespace in (numpy, np):
            x = namespace.arange(12.0).reshape(3, 4)
            flat = part(x).ravel(order)
            results.append((flat.tolist(), namespace.shares_memory(x, flat)))
        assert results[0] == results[1]


def test_masked_arrays_that_hide_something_are_refused_in_a_graph():
    masked = numpy.ma.array([1.0, 2.0], mask=[True, False])
    with pytest.raises(TypeError, match="masked"):
        tf.function(lambda: np.mean(masked))()


def test_tensors_and_variables_are_arguments():
    variable = tf.Variable([1.0, 2.0])
    assert np.sum(variable) == 3.0
    x = np.asarray(variable)
    x[0] = 5.0
    assert variable.numpy().tolist() == [1.0, 2.0]
    assert tf.add(x, 1.0).numpy().tolist() == [6.0, 3.0]
    assert np.asarray(tf.constant([1, 2]))[1] == 2


def test_a_subclass_is_a_view():
    class Signal(np.ndarray):
        def __array_finalize__(self, array):
            self.rate = getattr(array, "rate", 10)

    x = np.zeros(3)
    signal = x.view(Signal)
    signal[0] = 2.0
    assert type(signal) is Signal
    assert signal.rate == 10
    assert x[0] == 2.0
    assert type(signal.view(np.ndarray)) is np.ndarray


DIMS = """
x / x.shape[0]
x.shape[1] ** 0.5 * x
x.sum() / x.size
x * (1 / len(x.shape))
np.add(x, x.shape[0])
np.where(x > 0, x, x.shape[0])
x.T @ x / (x.shape[0] - 1)
x.mean() * np.sqrt(x.shape[0])
x.astype("int8") + x.shape[1]
x.shape[0] // 2
divmod(x.shape[1], 2)
np.eye(x.shape[0], x.shape[1], 1)
np.identity(x.shape[0])
np.tri(x.shape[0], k=-1, dtype=int)
np.fft.fftfreq(x.shape[0], 0.5)
np.fft.rfftfreq(x.shape[1])
np.ones((1, x.shape[0]))
x.reshape(x.shape[0] * 2, -1)
np.arange(x.size).reshape(x.shape)
""".strip().splitlines()


def test_dims_that_a_graph_does_not_know_are_python_integers():
    for expression in DIMS:
        names = {"np": np}
        traced = tf.function(
            lambda x, expression=expression, names=names: eval(expression, {**names, "x": x}),
            autograph=False,
            input_signature=[np.ArraySpec([None, None], "float32")],
        )
        x = numpy.arange(12, dtype="float32").reshape(3, 4)
        expected, actual = eval(expression, {"np": numpy, "x": x}), traced(np.array(x))
        for one, other in zip(numpy.atleast_1d(actual), numpy.atleast_1d(expected), strict=True):
            numpy.testing.assert_allclose(one, other, rtol=1e-6, err_msg=expression)
            assert one.dtype == other.dtype, expression


def test_a_graph_that_does_not_know_a_length_calls_len():
    @tf.function(input_signature=[np.ArraySpec([None, 2], "float32")])
    def divide(x):
        total = x.sum(axis=0)
        for index in range(len(x)):
            if index == len(x) - 1:
                total = total / len(x)
        return total

    result = divide(np.ones((4, 2), "float32"))
    assert result.dtype == numpy.float32
    assert result.tolist() == [1.0, 1.0]


def scale_by_shape(x):
    if x.shape == (3, 2):
        y = 2 * x
    elif x.shape[:1] != (4,):
        y = -x
    else:
        y = 0 * x
    return y


@pytest.mark.parametrize(("length", "factor"), [(3, 2.0), (5, -1.0), (4, 0.0)])
def test_a_shape_with_unknown_dims_is_compared_when_the_graph_runs(length, factor):
    traced = tf.function(scale_by_shape, input_signature=[np.ArraySpec([None, 2], "float64")])
    x = np.ones((length, 2))
    numpy.testing.assert_array_equal(traced(x), factor * numpy.ones((length, 2)))


def test_a_shape_with_unknown_dims_is_compared_at_once_where_a_known_dim_differs():
    def compare(x):
        results = x.shape == (3, 3), x.shape == (3,), x.shape != (3, 3), x.shape == x.shape[:], x.shape == [3, 2]
        assert [type(result) for result in results if not isinstance(result, np.ndarray)] == [bool, bool, bool, bool]
        return np.array([*results[:3], results[4]])

    signature = [np.ArraySpec([None, 2], "float64")]
    traced = tf.function(compare, input_signature=signature, autograph=False)
    assert traced(np.ones((3, 2))).tolist() == [False, False, True, False]


class TestMemory:
    """The memory of an array, as `memoryview`, files and `numpy.frombuffer` ask for it from Python 3.12 on."""

    def test_what_is_written_to_it_is_an_element(self):
        array = np.arange(6.0).reshape(2, 3)
        memory = array.__buffer__(0)
        assert (memory.shape, memory.format, memory.readonly) == ((2, 3), "d", False)
        memory[0, 1] = 7.0
        assert array.tolist() == [[0, 7, 2], [3, 4, 5]]

    def test_that_of_a_view_has_its_elements(self):
        assert np.arange(6.0).reshape(2, 3)[:, ::2].__buffer__(0).tolist() == [[0, 2], [3, 5]]

    def test_that_of_a_protected_array_is_protected(self):
        array = np.arange(3)
        array.flags.writeable = False
        assert array.__buffer__(0).readonly

    def test_files_take_it(self):
        array, file = np.arange(3.0), io.BytesIO()
        assert file.write(array.__buffer__(0)) == 24
        assert numpy.frombuffer(file.getvalue()).tolist() == [0, 1, 2]

    def test_a_tensor_of_a_graph_has_none(self):
        @tf.function
        def read(tensor):
            with pytest.raises(TypeError, match="static"):
                np.asarray(tensor).__buffer__(0)
            return tensor

        read(tf.constant([1.0]))


def change_fields(np):
    numbers, whole, columns = np.array([[1.5, 2.0], [0.5, 3.0]]), np.array(7, "i8"), np.arange(6.0).reshape(2, 3)
    part = numbers.getfield("i4", 4)
    part += 1
    whole.setfield(3, "u1", 1)
    return numbers, part, whole, columns.T.getfield("u2", 6), numbers.getfield(float)


def test_fields_are_views_of_some_bytes():
    for actual, expected in zip(change_fields(np), change_fields(numpy), strict=True):
        assert type(actual) is np.ndarray
        assert actual.dtype == expected.dtype
        numpy.testing.assert_array_equal(actual, expected)
    for actual, expected in zip(tf.function(lambda: change_fields(np))(), change_fields(numpy), strict=True):
        numpy.testing.assert_array_equal(actual, expected)
    for offset in (-1, 1):
        with pytest.raises(ValueError, match="offset"):
            np.zeros(2).getfield("f8", offset)


def test_arrays_are_pickled_by_their_methods(tmp_path):
    x = np.arange(3.0)
    x.dump(tmp_path / "x")
    assert pickle.loads(x.dumps()).tolist() == pickle.loads((tmp_path / "x").read_bytes()).tolist() == [0.0, 1.0, 2.0]
    with pytest.raises(ValueError, match="cannot delete"):
        del x[0]
