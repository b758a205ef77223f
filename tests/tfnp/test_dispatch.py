"""What every ufunc shares: signatures, operands, keywords, errors, modes."""

from __future__ import annotations

import inspect
import pickle

import ml_dtypes
import numpy as np
import pytest
import tensorflow as tf

import tfnp
from oracle import Case, check

NAMES = [name for name in dir(np) if isinstance(getattr(np, name), np.ufunc)]


@pytest.mark.parametrize("name", NAMES)
def test_every_ufunc_has_numpys_signature_and_attributes(name):
    ours, numpys = getattr(tfnp, name), getattr(np, name)
    assert isinstance(ours, tfnp.ufunc)
    assert inspect.signature(ours) == inspect.signature(numpys)
    for attribute in ("nin", "nout", "nargs", "identity", "signature", "__name__", "__doc__"):
        assert getattr(ours, attribute) == getattr(numpys, attribute)
    assert repr(ours) == repr(numpys)
    assert ours.ntypes == len(ours.types)
    assert set(ours.types) <= set(numpys.types)
    assert pickle.loads(pickle.dumps(ours)) is ours


def test_aliases_are_the_same_objects_as_in_numpy():
    for name in NAMES:
        assert getattr(tfnp, name) is getattr(tfnp, getattr(np, name).__name__)


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda np_: np_.add(1), TypeError),
        (lambda np_: np_.add(1, 2, 3, 4), TypeError),
        (lambda np_: np_.add(1, 2, colour=3), TypeError),
        (lambda np_: np_.add(1, 2, order="Z"), ValueError),
        (lambda np_: np_.add(1, 2, casting="loose"), ValueError),
        (lambda np_: np_.add(1, 2, dtype="f8", signature="dd->d"), TypeError),
        (lambda np_: np_.add(np.ones(2), np.ones(3)), ValueError),
        (lambda np_: np_.add(np.ones(2), 1, where=np.array([1, 0]), out=None), TypeError),
        (lambda np_: np_.add(np.ones(2), 1, dtype=np.int32), TypeError),
        (lambda np_: np_.add(np.uint8([1]), 300), OverflowError),
        (lambda np_: np_.add(np.int8([1]), -129), OverflowError),
        (lambda np_: np_.add(np.int8([1]), 1, casting="equiv"), TypeError),
        (lambda np_: np_.add(np.ones(2, np.float16), 1.0, casting="equiv"), TypeError),
        (lambda np_: np_.ldexp(np.ones(2), 1, casting="equiv"), TypeError),
        (lambda np_: np_.remainder(np.ones(2), np.nan, dtype=np.int64), TypeError),
        (lambda np_: np_.power(np.nan, np.ones(2), signature="bb->b"), ValueError),
        (lambda np_: np_.logical_or(np.ones(2), 2**63), OverflowError),
        (lambda np_: np_.logical_xor(np.ones(2, ml_dtypes.bfloat16), 2**63), OverflowError),
        (lambda np_: np_.isnan(np.zeros(2, ">f4"), casting="no"), TypeError),
        (lambda np_: np_.subtract(True, False), TypeError),
        (lambda np_: np_.negative(np.array([True])), TypeError),
        (lambda np_: np_.bitwise_and(1.0, 2), TypeError),
        (lambda np_: np_.power(np.arange(3), -1), ValueError),
        (lambda np_: np_.isnat(1.0), TypeError),
        (lambda np_: np_.matmul(np.ones(2), 1), ValueError),
        (lambda np_: np_.matmul(np.ones((2, 3)), np.ones((2, 3))), ValueError),
        (lambda np_: np_.vecdot(np.ones(2), np.ones(3)), ValueError),
        (lambda np_: np_.modf(1.5, out=np.zeros(())), TypeError),
    ],
)
def test_errors_have_numpys_classes(call, error):
    for module in (np, tfnp):
        with pytest.raises(error):
            call(module)


def test_static_errors_are_raised_while_tracing():
    for bad, error in [(tf.ones(3), ValueError), (tf.constant("a"), TypeError)]:
        with pytest.raises(error):
            tf.function(tfnp.add, autograph=False).get_concrete_function(tf.ones(2), bad)


def test_python_ints_are_compared_exactly():
    small = np.array([0, 5, 255], np.uint8)
    for name in ("less", "less_equal", "equal", "not_equal", "greater", "greater_equal"):
        for value in (-1, 0, 5, 255, 256, 2**64, -(2**64)):
            for operands in ((small, value), (value, small)):
                expected = getattr(np, name)(*operands).tolist()
                assert getattr(tfnp, name)(*operands).numpy().tolist() == expected, (name, operands)


def test_a_python_int_is_equivalent_only_to_int64():
    for name, dtype in (("add", np.int64), ("equal", np.int8), ("logical_and", np.bool_), ("less", np.uint64)):
        call = getattr(tfnp, name)(np.ones(2, dtype), 1, casting="equiv")
        np.testing.assert_array_equal(call.numpy(), getattr(np, name)(np.ones(2, dtype), 1, casting="equiv"))


def test_python_ints_take_the_requested_dtype():
    assert tfnp.add(1, 2, dtype="u8").dtype == tf.uint64
    assert tfnp.add(1, 2, signature="BB->B").dtype == tf.uint8
    assert tfnp.add(1, 2.5, dtype="f4").dtype == tf.float32
    for call in (lambda np_: np_.add(1, -2, dtype="u8"), lambda np_: np_.add(1, 300, dtype="i1")):
        for module in (np, tfnp):
            with pytest.raises(OverflowError):
                call(module)


def test_numpy_scalars_are_strong_and_python_scalars_weak():
    x = tf.constant([1.5], tf.float32)
    assert tfnp.add(x, 2.5).dtype == tfnp.add(x, 2).dtype == tf.float32
    assert tfnp.add(x, np.float64(2.5)).dtype == tf.float64
    assert tfnp.add(x, 1j).dtype == tf.complex64
    half = tf.constant([1.5], tf.bfloat16)
    assert tfnp.multiply(half, 2.5).dtype == tf.bfloat16
    assert tfnp.equal(half, 1.5, dtype=bool).numpy().tolist() == [True]


@pytest.mark.full
def test_out_does_not_select_the_loop():
    half = np.array([0.5, 0.1, 3.0], ml_dtypes.bfloat16)
    for dtype in (np.float32, np.complex64, half.dtype):
        for name in ("add", "nextafter", "true_divide"):
            check(Case(name, (half, 1.3), {"out": np.zeros(3, dtype)}), ("eager", "graph", "xla"))


def test_out_must_be_variables():
    variable = tf.Variable(np.zeros((2, 3), np.float32))
    assert tfnp.add([1, 2, 3], 1, out=variable) is variable
    np.testing.assert_array_equal(variable.numpy(), [[2, 3, 4]] * 2)
    tfnp.multiply(np.arange(3), 2, variable, where=np.array([True, False, True]))
    np.testing.assert_array_equal(variable.numpy(), [[0, 3, 4]] * 2)
    integral, fraction = tf.Variable(0.0, dtype=tf.float64), tf.Variable(0.0, dtype=tf.float64)
    assert tfnp.modf(2.5, out=(fraction, integral)) == (fraction, integral)
    assert (fraction.numpy(), integral.numpy()) == (0.5, 2.0)
    for bad in (np.zeros(3), tf.zeros(3)):
        with pytest.raises(TypeError, match=r"tf\.Variable"):
            tfnp.add(1, 2, out=bad)
    with pytest.raises(ValueError, match="non-broadcastable"):
        tfnp.add(np.ones((2, 3)), 1, out=tf.Variable(np.zeros(3)))
    with pytest.raises(TypeError, match="Cannot cast"):
        tfnp.add(1.5, 1, out=tf.Variable([0]))


def test_all_outputs_are_checked_before_any_is_written():
    good, bad = tf.Variable(7.0, dtype=tf.float64), tf.Variable([7.0, 7.0], dtype=tf.float64)
    with pytest.raises(ValueError, match="non-broadcastable"):
        tfnp.modf(2.5, out=(bad, good))
    assert good.numpy() == 7
    assert bad.numpy().tolist() == [7, 7]


@pytest.mark.sample(6)
@pytest.mark.parametrize("rank", [6, 9])
@pytest.mark.parametrize("name", ["add", "floor_divide", "copysign", "divmod"])
def test_ranks_above_those_of_kernels(rank, name):
    x = np.arange(1.0, 1 + 2 ** ((rank + 1) // 2)).reshape([2, 1] * (rank // 2) + [2] * (rank % 2))
    y = x.reshape(x.shape[::-1])[..., :1] + 0.5
    expected = np.atleast_1d(getattr(np, name)(x, y))
    for run in (getattr(tfnp, name), tf.function(getattr(tfnp, name), autograph=False)):
        np.testing.assert_array_equal(np.asarray(run(tf.constant(x), tf.constant(y))).reshape(expected.shape), expected)


def test_unknown_shapes_and_ranks():
    for shape in ([None], None):
        spec = tf.TensorSpec(shape, tf.float32)
        run = tf.function(
            lambda x, y: tfnp.floor_divide(tfnp.add(x, 1), y), input_signature=[spec, spec], autograph=False
        )
        assert run(tf.constant([7.0, 8.0]), tf.constant([2.0])).numpy().tolist() == [4, 4]


def test_constants_of_a_graph_are_divided_as_in_eager():
    x = np.linspace(0.1, 9.7, 97, dtype=np.float32)
    for call in (
        lambda x: tfnp.divide(x, 3.0),
        lambda x: tfnp.divide(1.0, x),
        tfnp.reciprocal,
        lambda x: tfnp.add(-0.0, x),
    ):
        for compiled in (False, True):
            graph = tf.function(call, jit_compile=compiled, autograph=False)
            np.testing.assert_array_equal(graph(tf.constant(x)).numpy(), call(x).numpy())


def test_autograph_does_not_convert_ufuncs():
    files = []

    class Spy:
        def __array__(self, dtype=None, copy=None):
            files.extend(frame.filename for frame in inspect.stack(context=0))
            return np.array([2.0], np.float32)

    @tf.function
    def double(x):
        y = x
        if tf.reduce_sum(x) > 0:  # control flow of the user's, which AutoGraph has to find
            y = tfnp.add(Spy(), x)
        return y

    assert double(tf.constant([1.0])).numpy().tolist() == [3]
    inner = files[: max(index for index, file in enumerate(files) if file.endswith("_core/ufunc/dispatch.py")) + 1]
    assert not any("autograph" in file for file in inner)


def test_cached_scalars_keep_signs_of_zeros():
    zeros = tf.constant([-0.0, 0.0])
    for _ in range(2):
        assert np.signbit(tfnp.add(zeros, -0.0).numpy()).tolist() == [True, False]
        assert np.signbit(tfnp.add(zeros, 0.0).numpy()).tolist() == [False, False]
        assert np.signbit(tfnp.heaviside(tf.constant([-1.0]), 1.0).numpy()).tolist() == [False]


def test_cached_scalars_are_distinct_and_work_in_graphs():
    x = tf.constant([1.0], tf.float64)
    for _ in range(2):
        for value in (2.5, -2.5, 0.0, -0.0, 2, np.nan, np.inf, *np.arange(100.0).tolist()):
            np.testing.assert_array_equal(tfnp.copysign(x, value).numpy(), np.copysign([1.0], value))
            np.testing.assert_array_equal(tfnp.add(x, value).numpy(), np.add([1.0], value))
    assert tf.function(lambda: tfnp.add(x, 2.5), autograph=False)().numpy().tolist() == [3.5]
    assert tf.function(lambda y: tfnp.add(y, 2.5), autograph=False)(x).numpy().tolist() == [3.5]


def test_an_ellipsis_for_out_returns_a_tensor():
    assert tfnp.add(1.0, 2.0, out=...).numpy() == 3
    assert [part.numpy() for part in tfnp.modf(1.5, out=...)] == [0.5, 1]
    for wrong in ((...,), np.zeros(())):
        with pytest.raises(TypeError):
            tfnp.add(1.0, 2.0, out=wrong)


def test_sig_is_an_alias_of_signature():
    x = tf.constant([1.0, 2.0])
    assert tfnp.add(x, x, sig="dd->d").dtype == tf.float64
    assert tfnp.sin(x, sig=(None, np.float64)).dtype == tf.float64
    assert tfnp.matmul(x, x, sig="dd->d").dtype == tf.float64
    assert tfnp.add.outer(x, x, sig="dd->d").dtype == tf.float64
    with pytest.raises(TypeError, match="cannot specify both 'sig' and 'signature'"):
        tfnp.add(x, x, sig="dd->d", signature="dd->d")
    with pytest.raises(TypeError, match="cannot specify both 'signature' and 'dtype'"):
        tfnp.add(x, x, sig="dd->d", dtype="f8")
