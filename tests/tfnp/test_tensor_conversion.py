"""Objects that TensorFlow itself converts, such as Keras's variables: in gradients, graphs and layers."""

from __future__ import annotations

import keras
import numpy as np
import pytest
import tensorflow as tf
from tensorflow.python.distribute.sharded_variable import ShardedVariable

import tfnp
from tfnp._core.tensor_conversion import apply_conversion, has_conversion, is_tensor

MATRIX = np.array([[3.0, 1.0], [2.0, 5.0]], np.float32)


class Held:
    """An object that only TensorFlow knows how to read."""

    def __init__(self, tensor):
        self.tensor = tensor

    def __tf_tensor__(self, dtype=None, name=None):
        return tf.convert_to_tensor(self.tensor, dtype, name=name)

    def __array__(self, *args, **kwargs):
        raise AssertionError("read as an array, without gradient")


class Registered:
    """The same by a registered function."""

    __array__ = Held.__array__


tf.register_tensor_conversion_function(
    Registered, lambda value, dtype, name, as_ref: tf.constant(MATRIX, dtype, name=name)
)


class Series:
    """What knows NumPy only."""

    def __init__(self, values):
        self.values = np.asarray(values)

    def __array__(self, dtype=None, copy=None):
        return self.values if dtype is None else self.values.astype(dtype)


FUNCTIONS = {
    "ufunc": tfnp.square,
    "ufunc, left": lambda v: tfnp.multiply(v, 2.0),
    "ufunc, right": lambda v: tfnp.power(tf.constant(MATRIX), v),
    "ufunc, where": lambda v: tfnp.add(v, v, where=[True, False]),
    "ufunc, dtype": lambda v: tfnp.add(v, 1, dtype="f8"),
    "outer": lambda v: tfnp.multiply.outer(v, v),
    "reduce": lambda v: tfnp.multiply.reduce(v, 1),
    "reduceat": lambda v: tfnp.add.reduceat(v, [0, 1]),
    "accumulate": tfnp.multiply.accumulate,
    "matmul": lambda v: tfnp.matmul(v, MATRIX),
    "vecdot": lambda v: tfnp.vecdot(v, v),
    "mean": lambda v: tfnp.mean(v * v if isinstance(v, tf.Tensor) else tfnp.square(v), 0),
    "std": tfnp.std,
    "nanmax": lambda v: tfnp.nanmax(v, 0),
    "median": lambda v: tfnp.median(v, 0),
    "cumprod": lambda v: tfnp.cumprod(v, 0),
    "reshape": lambda v: tfnp.reshape(v, 4) ** 2,
    "concatenate": lambda v: tfnp.concatenate([v, MATRIX]) ** 2,
    "stack in lists": lambda v: tfnp.array([v, [[1.0, 2.0], [3.0, 4.0]]]) ** 2,
    "pad": lambda v: tfnp.pad(v, 1, "reflect") ** 2,
    "sort": lambda v: tfnp.sort(v, 0) ** 2,
    "take": lambda v: tfnp.take(v, [1, 0, 1], 0) ** 2,
    "take_along_axis": lambda v: tfnp.take_along_axis(v, np.array([[1], [0]]), 1) ** 2,
    "split": lambda v: tfnp.split(v, 2)[0] ** 2,
    "delete": lambda v: tfnp.delete(v, 0, 0) ** 2,
    "where": lambda v: tfnp.where([True, False], v, 0.0) ** 2,
    "select": lambda v: tfnp.select([tfnp.greater(v, 2)], [v], 1.0) ** 2,
    "clip": lambda v: tfnp.clip(v, None, 2.0) ** 2,
    "interp": lambda v: tfnp.interp([1.5, 2.5], [1.0, 2.0, 3.0], tfnp.ravel(v)[:3]),
    "full_like": lambda v: tfnp.full_like(v, 2.0),
    "linspace": lambda v: tfnp.linspace(0.0, v, 3),
    "einsum": lambda v: tfnp.einsum("ij,kj->ik", v, v),
    "inv": tfnp.linalg.inv,
    "polyval": lambda v: tfnp.polyval([1.0, 2.0, 3.0], v),
    "chebval": lambda v: tfnp.polynomial.chebyshev.chebval(v, [1.0, 2.0, 3.0]),
    "fft": lambda v: tfnp.abs(tfnp.fft.fft(v)),
    "piecewise": lambda v: tfnp.piecewise(v, [tfnp.greater(v, 2)], [lambda x: x * x, 0.0]),
}  # fmt: skip


def slope(function, operand, variable):
    with tf.GradientTape() as tape:
        result = tfnp.sum(function(operand))
    gradient = tape.gradient(result, variable)
    return None if gradient is None else tf.convert_to_tensor(gradient).numpy()


@pytest.mark.sample(7)
@pytest.mark.parametrize("name", FUNCTIONS)
def test_values_and_gradients_are_those_of_a_variable(name):
    function, variable = FUNCTIONS[name], tf.Variable(MATRIX)
    held = Held(variable)
    expected, slopes = function(variable), slope(function, variable, variable)
    assert (slopes is not None) == (name != "full_like")
    np.testing.assert_array_equal(function(held), expected)
    np.testing.assert_array_equal(slope(function, held, variable), slopes)
    np.testing.assert_array_equal(tf.function(lambda: function(held), autograph=False)(), expected)


@pytest.mark.sample(3)
@pytest.mark.parametrize("name", ["ufunc", "matmul", "mean", "einsum", "concatenate", "where"])
@pytest.mark.parametrize("jit_compile", [False, True])
def test_a_variable_of_keras_has_gradients_in_graphs_too(name, jit_compile):
    function, variable = FUNCTIONS[name], keras.Variable(MATRIX)

    @tf.function(jit_compile=jit_compile)
    def run():
        with tf.GradientTape() as tape:
            result = tfnp.sum(function(variable))
        return tape.gradient(result, variable.value)

    plain = tf.Variable(MATRIX)
    np.testing.assert_allclose(run(), slope(function, plain, plain), rtol=1e-6)
    np.testing.assert_allclose(slope(function, variable, variable.value), run(), rtol=1e-6)


@pytest.mark.parametrize("mode", ["legacy", "all", "safe", "off"])
def test_in_every_mode_of_promotion(mode):
    with tfnp.numpy_behavior(dtype_conversion_mode=mode):
        for value in (keras.Variable(MATRIX), Held(tf.constant(MATRIX)), Registered()):
            assert tfnp.add(value, 1).dtype == tfnp.sum(value).dtype == np.float32
            assert tfnp.result_type(value) == np.float32
            assert (tf.constant(MATRIX) * value).numpy().tolist() == (MATRIX * MATRIX).tolist()


def test_operators_promote_beside_a_variable_of_keras():
    v, x = keras.Variable(MATRIX), tf.ones((2, 2), tf.float64)
    with tfnp.numpy_behavior():
        for result in (x + v, x @ v, x < v, x**v):
            assert isinstance(result, tf.Tensor)
        assert (x + v).dtype == np.float64
        mutable = tf.Variable(x)
        mutable += v
    assert mutable.numpy().tolist() == (MATRIX + 1).tolist()


class Dense(keras.layers.Layer):
    """A layer written in NumPy's functions."""

    def build(self, shape):
        self.w = self.add_weight(shape=(shape[-1], 2), initializer="ones")

    def call(self, x):
        if tfnp.ndim(x) > 3:
            return x
        return tfnp.tanh(tfnp.matmul(x, self.w)) + tfnp.mean(tfnp.square(self.w))


@pytest.mark.full
@pytest.mark.parametrize("jit_compile", [False, True])
def test_a_layer_is_built_and_trained(jit_compile):
    inputs = keras.Input((3,))
    model = keras.Model(inputs, keras.layers.Dense(1)(Dense()(inputs)))
    model.compile("sgd", "mse", jit_compile=jit_compile)
    before = model.trainable_weights[0].numpy()
    model.fit(np.ones((4, 3)), np.zeros((4, 1)), verbose=0)
    assert np.abs(model.trainable_weights[0].numpy() - before).max() > 0
    assert model.predict(np.ones((2, 3)), verbose=0).shape == (2, 1)


def test_an_automatic_cast_of_keras_is_obeyed():
    layer = Dense(dtype="mixed_float16")
    assert layer(tf.ones((4, 3))).dtype == tf.float16
    assert layer.w.dtype == "float32"


@pytest.mark.parametrize(
    "call", [tfnp.sin, tfnp.sum, tfnp.ravel, lambda x: tfnp.add(x, 1), lambda x: tfnp.where(x, x, 0)]
)
def test_symbolic_inputs_of_keras_are_refused_in_its_words(call):
    with pytest.raises(ValueError, match="KerasTensor cannot be used as input to a TensorFlow function"):
        call(keras.Input((3,)))


def test_symbolic_inputs_of_keras_know_the_operators():
    with tfnp.numpy_behavior():
        assert (tf.ones(3) + keras.Input((3,))).shape == (None, 3)


@pytest.mark.parametrize(
    "write",
    [
        lambda v: tfnp.add([1.0], 1.0, out=v), lambda v: tfnp.sum([[1.0]], 0, out=v), lambda v: tfnp.put(v, 0, 1),
        lambda v: tfnp.copyto(v, 1.0), lambda v: tfnp.add.at(v, 0, 1), lambda v: tfnp.take([1.0], [0], out=v),
    ],
)  # fmt: skip
def test_what_is_to_be_written_is_the_variable_that_keras_holds(write):
    v = keras.Variable([5.0])
    with pytest.raises(TypeError, match=r"must be a tf.Variable, not keras\S*Variable: pass .* `value`"):
        write(v)
    write(v.value)
    assert v.numpy().tolist() in ([2.0], [1.0], [6.0])


def test_sharded_variables_and_gradients_are_whole():
    shards = ShardedVariable([tf.Variable([1.0, 2.0]), tf.Variable([3.0])])
    slices = tf.IndexedSlices(tf.constant([1.0, 2.0, 4.0]), tf.constant([2, 0, 2]), tf.constant([3]))
    for value, expected in ((shards, [1.0, 2.0, 3.0]), (slices, [2.0, 0.0, 5.0])):
        assert tfnp.add(value, 1).numpy().tolist() == [item + 1 for item in expected]
        assert tfnp.sum(value).numpy() == sum(expected)
        assert tfnp.asarray(value).numpy().tolist() == expected
        assert tfnp.array([value, value]).shape == (2, 3)


READS = {
    "index": lambda v: v[[0, 2, 0]],
    "sort": tfnp.sort,
    "take_along_axis": lambda v: tfnp.take_along_axis(v, np.array([1, 0, 1]), 0),
    "pad": lambda v: tfnp.pad(v, 1, "reflect"),
    "permutation": lambda v: tfnp.random.default_rng(0).permutation(v),
    "roll": lambda v: tfnp.roll(v, 1),
}


def descend(v, x):
    """Every kind of operator, method and index, of a gradient `x`."""
    parts = [v - 0.1 * x, x * 2, x @ x, -x, abs(x), x**2, 1 / (x + 1), x > 1, x[1:], x[0]]
    parts += [x.mean(), x.T, x.astype("f8"), x.reshape(3, 1), x.ndim, x.size]
    parts += [tfnp.multiply(0.1, x), tfnp.linalg.norm(x), tfnp.where(x > 1, x, 0)]
    x += v
    return [np.asarray(tf.convert_to_tensor(part)).tolist() for part in (*parts, x)]


@pytest.mark.parametrize("read", READS)
def test_a_gradient_by_indices_is_an_array_as_others_are(read):
    v = tf.Variable([3.0, 1.0, 2.0])
    with tfnp.numpy_behavior():
        with tf.GradientTape() as tape:
            result = tfnp.sum(READS[read](v) ** 2)
        gradient = tape.gradient(result, v)
        assert descend(v, gradient) == descend(v, tf.convert_to_tensor(gradient))
        np.testing.assert_array_equal(np.asarray(gradient), tf.convert_to_tensor(gradient))
        v -= 0.1 * gradient
        assert next(iter(gradient)).shape == ()
    assert read == "roll" or isinstance(gradient, tf.IndexedSlices)


def test_a_gradient_by_indices_stays_one_for_tensorflow():
    slices = tf.IndexedSlices(tf.constant([[1.0], [2.0]]), tf.constant([1, 1]), tf.constant([3, 1]))
    v = keras.Variable(np.zeros((3, 1), "f4"))
    with tfnp.numpy_behavior():
        assert isinstance(-slices, tf.IndexedSlices)
        assert len({slices}) == 1
        keras.optimizers.SGD(1.0).apply([slices], [v])
        tf.keras.optimizers.Adam(1.0).apply([slices], [v])
        (clipped,), _ = tf.clip_by_global_norm([slices], 1.0)
    assert isinstance(clipped, tf.IndexedSlices)
    assert v.numpy()[1] != 0
    with pytest.raises(TypeError, match="unsupported operand"):
        slices * 2


@pytest.mark.parametrize("value", [tf.ragged.constant([[1], [2, 3]]), tf.sparse.eye(2)], ids=["ragged", "sparse"])
def test_composite_tensors_are_no_arrays(value):
    for function in (tfnp.sin, tfnp.sum, tfnp.ndim, tfnp.asarray, tfnp.sort):
        with pytest.raises(TypeError, match="is not an array: convert it"):
            function(value)


def test_what_knows_only_numpy_is_read_by_numpy():
    series = Series([1, 2, 3])
    assert not has_conversion(series)
    assert tfnp.add(series, series).dtype == np.int64
    assert tfnp.mean(series).numpy() == 2
    assert tfnp.asarray(Series(np.float32(1.5))).dtype == np.float32


@pytest.mark.parametrize(
    "value", [1, 2.0, "text", None, [1], (2,), range(3), np.ones(2), np.float32(1), tf.TensorShape([2])]
)
def test_numpy_reads_what_both_know(value):
    assert not is_tensor(value)
    assert apply_conversion(value) is value


def test_a_shape_is_int64():
    assert tfnp.asarray(tf.TensorShape([2, 3])).dtype == np.int64
