"""TensorFlow and Keras programs that do not call tfnp give the same results with NumPy behavior on and off."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from typing import Any

import keras
import numpy as np
import pytest
import tensorflow as tf

import tfnp

Program = Callable[[], Any]
PROGRAMS: list[Program] = []
VALUES = np.array([1.0, -2.0, 3.0, 0.5], np.float32)
MATRIX = np.array([[1.0, 2.0, -1.0], [0.5, -2.0, 3.0]], np.float32)
LABELS = np.array([[1.0], [0.0]], np.float32)


def program(function: Program) -> Program:
    """Register a program, which returns tensors, arrays and Python objects in any structure."""
    PROGRAMS.append(function)
    return function


# Control flow that reads by an index


@program
def differentiate_loop_over_variable():
    w = tf.Variable(VALUES)

    @tf.function
    def run():
        with tf.GradientTape() as tape:
            total = tf.constant(0.0)
            for i in tf.range(4):
                total = total + w[i] ** 2
        return tape.gradient(total, w)

    return tf.convert_to_tensor(run())


@program
def differentiate_condition_over_gather():
    @tf.function
    def run(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.gather(x * 2, [0, 2]) if tf.reduce_sum(x) > 0 else x[:2]
            total = tf.reduce_sum(y**2)
        return tape.gradient(total, x)

    return run(tf.constant(VALUES))


@program
def differentiate_map_fn_over_variable():
    w = tf.Variable(VALUES)

    @tf.function
    def run():
        with tf.GradientTape() as tape:
            total = tf.reduce_sum(tf.map_fn(lambda i: w[i] ** 2, tf.range(3), fn_output_signature=tf.float32))
        return tf.convert_to_tensor(tape.gradient(total, w))

    return run()


@program
def differentiate_gather_by_tf_gradients():
    @tf.function
    def run(x):
        return tf.gradients(tf.reduce_sum(tf.gather(x * 2, [0, 2, 0]) ** 2), x)

    return run(tf.constant(VALUES))


@program
def differentiate_variable_by_tf_gradients():
    w = tf.Variable(VALUES)

    @tf.function
    def run():
        return [tf.convert_to_tensor(g) for g in tf.gradients([tf.gather(w, [0, 2]), tf.gather(w, [1, 1])], w)]

    return run()


@program
def train_embedding_in_loop():
    layer = keras.layers.Embedding(5, 3, embeddings_initializer="ones")
    layer.build((None,))
    optimizer = keras.optimizers.SGD(0.1)

    @tf.function
    def step(ids):
        with tf.GradientTape() as tape:
            state = tf.zeros((3,))
            for i in tf.range(4):
                state = tf.tanh(state + layer(ids[i]))
            loss = tf.reduce_sum(state**2)
        gradients = tape.gradient(loss, layer.trainable_variables)
        optimizer.apply(gradients, layer.trainable_variables)
        return loss

    return [step(tf.constant([0, 2, 2, 4])) for _ in range(2)], layer.embeddings.numpy()


@program
def differentiate_while_loop():
    @tf.function
    def run(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            _, y = tf.while_loop(lambda i, y: i < 3, lambda i, y: (i + 1, y * x[i]), (0, tf.constant(1.0)))
        return tape.gradient(y, x)

    return run(tf.constant(VALUES))


@program
def differentiate_power_in_loop():
    """Its gradient subtracts 1 from the exponent."""
    x = tf.constant(MATRIX)

    @tf.function
    def run():
        with tf.GradientTape() as tape:
            tape.watch(x)
            total = tf.constant(0.0)
            for i in tf.range(2):
                total += tf.reduce_sum(tf.pow(tf.gather(x, i), 2.0))
        return tape.gradient(total, x)

    return run()


@program
def differentiate_fourier_transform_in_map_fn():
    x = tf.constant(MATRIX)

    @tf.function
    def run():
        with tf.GradientTape() as tape:
            tape.watch(x)
            parts = tf.map_fn(lambda i: tf.signal.rfft(tf.gather(x, i)), tf.range(2), fn_output_signature=tf.complex64)
            total = tf.reduce_sum(tf.abs(parts) ** 2)
        return tape.gradient(total, x)

    return run()


@program
def differentiate_scan():
    @tf.function
    def run(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.scan(lambda total, element: total * 0.5 + element, x)
        return y, tape.gradient(y, x)

    return run(tf.constant(VALUES))


@program
def fill_tensor_array():
    @tf.function
    def run(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            parts = tf.TensorArray(tf.float32, size=0, dynamic_size=True)
            for i in tf.range(3):
                parts = parts.write(i, x[i] ** 2)
            y = parts.stack()
        return y, tape.gradient(y, x)

    return run(tf.constant(VALUES))


# AutoGraph


@program
def break_and_continue():
    @tf.function
    def run(x):
        total = 0.0
        for element in x:
            if element < 0:
                continue
            if element > 2.5:
                break
            total += element
        return total

    return run(tf.constant(VALUES))


@program
def decide_by_python_and_tensor():
    @tf.function
    def run(x, flag):
        if flag and tf.reduce_sum(x) > 0 and not tf.reduce_any(x > 100):
            return x
        return -x

    return run(tf.constant(VALUES), True), run(tf.constant(VALUES), False), run(tf.constant(-VALUES), True)


@program
def assert_and_print():
    @tf.function
    def run(x):
        tf.debugging.Assert(tf.reduce_all(x > -5), [x])
        tf.print(x, output_stream="file:///dev/null")
        tf.debugging.assert_equal(tf.shape(x), [4])
        return x + 1

    return run(tf.constant(VALUES))


@program
def loop_over_dataset():
    @tf.function
    def run(dataset):
        total = tf.constant(0.0)
        for element in dataset:
            total += tf.reduce_sum(element)
        return total

    return run(tf.data.Dataset.from_tensor_slices(MATRIX))


# Gradients


@program
def differentiate_variable_read_by_index():
    w = tf.Variable(VALUES)
    with tf.GradientTape() as tape:
        total = tf.reduce_sum(tf.gather(w, [0, 2, 0]) ** 2)
    gradient = tape.gradient(total, w)
    return bool(gradient), gradient.values, gradient.indices, tf.convert_to_tensor(gradient)


@program
def look_for_missing_gradients():
    w, unused = tf.Variable(VALUES), tf.Variable(1.0)
    with tf.GradientTape() as tape:
        total = tf.reduce_sum(tf.gather(w, [1, 1]))
    gradients = tape.gradient(total, [w, unused])
    return [g is None for g in gradients], any(gradients), [bool(g) for g in gradients], gradients.index(None)


@program
def clip_slices():
    slices = tf.IndexedSlices(tf.constant([[1.0], [2.0]]), tf.constant([1, 1]), tf.constant([3, 1]))
    (clipped,), norm = tf.clip_by_global_norm([slices], 1.0)
    return norm, clipped.values, slices == slices, slices != slices, bool(slices), len({slices, slices})  # noqa: PLR0124 - equality is by identity


@program
def convert_slices_in_graph():
    @tf.function
    def run(values):
        slices = tf.IndexedSlices(values, tf.constant([0, 2]), tf.constant([3]))
        doubled = tf.math.scalar_mul(2.0, slices)
        return tf.convert_to_tensor(doubled), tf.add_n([tf.convert_to_tensor(slices)] * 2), bool(slices)

    return run(tf.constant([1.0, 2.0]))


@program
def differentiate_custom_gradient():
    @tf.custom_gradient
    def clip(x):
        return x * x, lambda upstream: tf.clip_by_value(upstream * 2 * x, -1.0, 1.0)

    x = tf.constant(VALUES)

    def run(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = clip(x)
        return y, tape.gradient(y, x)

    return run(x), tf.function(run)(x)


@program
def take_jacobians():
    x = tf.constant(MATRIX)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = tf.tanh(x) * x
    return tape.jacobian(y, x), tape.batch_jacobian(y, x)


@program
def run_forward_mode():
    x = tf.constant(VALUES)
    with tf.autodiff.ForwardAccumulator(x, tf.ones_like(x)) as accumulator:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.reduce_sum(tf.gather(x, [0, 2, 2]) ** 3)
        gradient = tf.convert_to_tensor(tape.gradient(y, x))
    return accumulator.jvp(y), gradient, accumulator.jvp(gradient)


@program
def stop_and_switch_gradients():
    x = tf.constant(VALUES)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.where(x > 0, x, tf.stop_gradient(x) * 2) + tf.grad_pass_through(tf.round)(x)
    return y, tape.gradient(y, x)


# Keras


def make_model(*layers):
    return keras.Sequential([keras.Input((3,)), *layers])


@program
def fit_dense_model():
    model = make_model(keras.layers.Dense(4, "relu"), keras.layers.Dense(1))
    model.compile("adam", "mse", metrics=["mae"])
    history = model.fit(MATRIX, LABELS, epochs=2, verbose=0, shuffle=False)
    return history.history, model.predict(MATRIX, verbose=0), model.get_weights()


@program
def train_step_by_hand():
    model = make_model(keras.layers.Dense(4, "tanh"), keras.layers.Dropout(0.5), keras.layers.Dense(1))
    optimizer, loss = keras.optimizers.RMSprop(), keras.losses.BinaryCrossentropy(from_logits=True)

    @tf.function
    def step(x, y):
        with tf.GradientTape() as tape:
            value = loss(y, model(x, training=False)) + tf.add_n([tf.nn.l2_loss(w.value) for w in model.weights])
        gradients = tape.gradient(value, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables, strict=True))
        return value

    return [step(MATRIX, LABELS) for _ in range(2)]


@program
def run_recurrent_layers():
    x = tf.reshape(tf.range(24, dtype=tf.float32), (2, 4, 3)) / 10
    layers = [keras.layers.LSTM(2, use_cudnn=False), keras.layers.GRU(2, use_cudnn=False, return_sequences=True)]
    return [layer(x) for layer in layers]


@program
def run_convolutions():
    x = tf.reshape(tf.range(32, dtype=tf.float32), (1, 4, 4, 2))
    for layer in (keras.layers.Conv2D(2, 3, padding="same"), keras.layers.MaxPooling2D(), keras.layers.Flatten()):
        x = layer(x)
    return x


@program
def run_attention_with_mask():
    x = tf.reshape(tf.range(24, dtype=tf.float32), (2, 4, 3)) / 10
    layer = keras.layers.MultiHeadAttention(2, 2)
    return layer(x, x, attention_mask=tf.linalg.band_part(tf.ones((2, 4, 4)), -1, 0), use_causal_mask=True)


@program
def normalise_batches():
    layer = keras.layers.BatchNormalization()
    return layer(MATRIX, training=True), layer(MATRIX, training=False), layer.moving_mean.numpy()


@program
def embed_with_mask():
    layer = keras.layers.Embedding(5, 2, mask_zero=True)
    ids = tf.constant([[1, 2, 0], [3, 0, 0]])
    return layer(ids), layer.compute_mask(ids), keras.layers.LSTM(2, use_cudnn=False)(layer(ids))


@program
def update_metrics():
    metrics = [keras.metrics.AUC(), keras.metrics.Mean(), keras.metrics.SparseTopKCategoricalAccuracy(1)]
    metrics[0].update_state(LABELS, [[0.3], [0.6]])
    metrics[1].update_state(VALUES)
    metrics[2].update_state([0, 1], [[0.3, 0.7], [0.1, 0.9]])
    return [metric.result() for metric in metrics]


@program
def apply_optimizers():
    results = []
    for make in (keras.optimizers.Adagrad, keras.optimizers.Ftrl, keras.optimizers.Lion, keras.optimizers.Nadam):
        v = keras.Variable(np.ones((3, 1), "f4"))
        slices = tf.IndexedSlices(tf.constant([[1.0], [2.0]]), tf.constant([1, 1]), tf.constant([3, 1]))
        make(0.1).apply([slices], [v])
        results.append(v.numpy())
    return results


@program
def preprocess_text():
    layer = keras.layers.TextVectorization(output_sequence_length=3)
    layer.adapt(["a b", "b c"])
    return layer(tf.constant(["b a", "d"])), layer.get_vocabulary()


# Data, ragged and sparse tensors, text


@program
def read_dataset():
    data = tf.data.Dataset.range(10).filter(lambda x: x % 3 != 0).map(lambda x: (x, tf.cast(x, tf.float32) ** 2))
    return list(data.shuffle(4, seed=1).batch(3, drop_remainder=True).as_numpy_iterator())


@program
def window_and_reduce_dataset():
    data = tf.data.Dataset.from_tensor_slices({"a": VALUES, "b": VALUES > 0})
    windows = data.window(2).flat_map(lambda w: w["a"].batch(2))
    return list(windows), data.reduce(np.float32(0), lambda total, row: total + row["a"])


@program
def batch_ragged():
    data = tf.data.Dataset.range(4).map(tf.range).ragged_batch(4)
    (ragged,) = data
    return ragged.to_list(), tf.reduce_sum(ragged, 1), (ragged + 1).flat_values, ragged[1:3].row_lengths()


@program
def differentiate_ragged():
    values = tf.constant(VALUES)
    with tf.GradientTape() as tape:
        tape.watch(values)
        ragged = tf.RaggedTensor.from_row_lengths(values, [1, 0, 3])
        total = tf.reduce_sum(tf.map_fn(tf.reduce_sum, ragged, fn_output_signature=tf.float32) ** 2)
    return total, tape.gradient(total, values)


@program
def multiply_sparse():
    sparse = tf.sparse.from_dense(MATRIX)
    with tf.GradientTape() as tape:
        x = tf.Variable(MATRIX.T)
        y = tf.sparse.sparse_dense_matmul(sparse, x)
    total = tf.sparse.add(sparse, tf.sparse.reorder(sparse * 2.0))
    return y, tape.gradient(y, x), tf.sparse.to_dense(total), sparse.shape, bool(sparse)


# Functions, modules, strategies, files


@program
def retrace_by_dtype_and_shape():
    traces = []

    @tf.function
    def run(x, scale=2):
        traces.append((x.dtype, x.shape, x.dtype == float, x.dtype == "float32", x.dtype == "f4", x.shape == (4,)))
        return x * scale

    results = [run(tf.constant(VALUES)), run(tf.constant(MATRIX)), run(tf.constant([1])), run(tf.constant(VALUES), 3)]
    return results, [(dtype.name, tuple(shape), *equal) for dtype, shape, *equal in traces]


@program
def run_nested_structures():
    @tf.function
    def run(batch):
        return tf.nest.map_structure(lambda x: x + 1, batch), {"total": tf.add_n(tf.nest.flatten(batch))}

    return run({"a": tf.constant(1.0), "b": (tf.constant(2.0), [tf.constant(3.0)])})


@program
def map_vectorized():
    x = tf.constant(MATRIX)
    return tf.vectorized_map(lambda row: tf.tensordot(row, row, 1) + row[0], x, fallback_to_while_loop=False)


@program
def call_python_from_graph():
    @tf.function
    def run(x):
        return tf.numpy_function(lambda a: a + 1, [x], tf.float32), tf.py_function(lambda a: a * 2, [x], tf.float32)

    return run(tf.constant(VALUES))


@program
def save_and_load():
    class Model(tf.Module):
        def __init__(self):
            super().__init__()
            self.w = tf.Variable(MATRIX)

        @tf.function(input_signature=[tf.TensorSpec([None], tf.int32)])
        def __call__(self, ids):
            return tf.gather(self.w, ids)

    model = Model()
    with tempfile.TemporaryDirectory() as directory:
        tf.saved_model.save(model, directory)
        loaded = tf.saved_model.load(directory)
    with tf.GradientTape() as tape:
        total = tf.reduce_sum(loaded([0, 1, 1]) ** 2)
    return total, tf.convert_to_tensor(tape.gradient(total, loaded.w))


@program
def train_with_strategy():
    with tf.distribute.MirroredStrategy(["CPU:0"]).scope() as _:
        strategy = tf.distribute.get_strategy()
        v = tf.Variable(VALUES)
        dataset = strategy.experimental_distribute_dataset(tf.data.Dataset.from_tensors(VALUES))

        def replica(x):
            with tf.GradientTape() as tape:
                loss = tf.reduce_sum(tf.gather(v, [0, 0]) * x[0])
            gradient = tf.convert_to_tensor(tape.gradient(loss, v))
            v.assign_sub(gradient)
            return loss

        @tf.function
        def step(x):
            return strategy.reduce("SUM", strategy.run(replica, args=(x,)), axis=None)

        return [step(x) for x in dataset], v.numpy()


@program
def update_variables():
    v = tf.Variable(VALUES)
    v.scatter_add(tf.IndexedSlices(tf.constant([1.0, 2.0]), tf.constant([0, 0])))
    v[1:3].assign([5.0, 6.0])
    v.assign_add(tf.ones(4))
    return v.numpy(), (v == v).numpy().tolist(), v.shape, v.dtype.name  # noqa: PLR0124 - equality is by element


@program
def use_v1_graph():
    with tf.Graph().as_default(), tf.compat.v1.Session() as session:
        x = tf.compat.v1.placeholder(tf.float32, [None])
        y = tf.compat.v1.cond(tf.reduce_sum(x) > 0, lambda: tf.gather(x, [0, 0]), lambda: x)
        (gradient,) = tf.gradients(tf.reduce_sum(y**2), x)
        return session.run([y, gradient], {x: VALUES})


@program
def index_and_slice():
    x = tf.constant(MATRIX)
    return x[0], x[..., 1], x[:, ::2], x[:, tf.newaxis, -1], tf.boolean_mask(x, x > 0), tf.gather_nd(x, [[0, 1]])


@program
def decompose_matrices():
    x = tf.constant([[2.0, 1.0], [1.0, 3.0]])
    return tf.linalg.cholesky(x), tf.linalg.eigvalsh(x), tf.linalg.solve(x, x), tf.einsum("ij,jk->ik", x, x), x @ x


@program
def compare_dtypes_and_shapes():
    shape = tf.TensorShape([2, None])
    names = {tf.float32: 1, tf.int64: 2}
    equal = [tf.float32 == other for other in (np.float32, "float32", float, "f4", "d", None, 1)]
    return equal, names[tf.as_dtype("int64")], shape == [2, None], len(shape), bool(shape), shape.as_list(), shape[0]


# The test


def simplify(result: Any) -> Any:
    """Return a structure of lists, tuples and dictionaries of arrays and Python objects."""
    if isinstance(result, dict):
        return {str(key): simplify(value) for key, value in result.items()}
    if isinstance(result, list | tuple):
        return [simplify(value) for value in result]
    if isinstance(result, tf.TensorShape):
        return tuple(result.as_list())
    if isinstance(result, tf.IndexedSlices):
        return np.asarray(tf.convert_to_tensor(result))
    return np.asarray(result) if isinstance(result, tf.Tensor | tf.Variable | np.ndarray | np.generic) else result


def run_with_seed(run: Program) -> Any:
    keras.utils.set_random_seed(0)
    return simplify(run())


@pytest.mark.sample(12)
@pytest.mark.parametrize("run", PROGRAMS, ids=lambda run: run.__name__)
def test_programs_give_the_same_results(run: Program) -> None:
    expected = run_with_seed(run)
    with tfnp.numpy_behavior():
        actual = run_with_seed(run)
    tf.nest.map_structure(compare, expected, actual)


def compare(expected: Any, actual: Any) -> None:
    assert type(actual) is type(expected)
    if isinstance(expected, np.ndarray):
        assert actual.dtype == expected.dtype
        np.testing.assert_array_equal(actual, expected)
    else:
        assert actual == expected


@pytest.mark.parametrize("cls", [tf.DType, tf.IndexedSlices, tf.RaggedTensor, tf.SparseTensor, tf.TensorShape])
def test_truth_length_and_equality_change_only_of_tensors_and_variables(cls: type) -> None:
    names = ("__bool__", "__contains__", "__eq__", "__hash__", "__iter__", "__len__", "__ne__")
    before = [getattr(cls, name, None) for name in names]
    with tfnp.numpy_behavior():
        assert [getattr(cls, name, None) for name in names] == before
