"""What TensorFlow and Keras take and give back where arrays of `tfnp.numpy` are their arguments: a table of calls.

`python -m tests.tfnp.numpy.borders` prints it as the page docs/borders.md.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any, Final

import keras
import numpy
import tensorflow as tf

import tfnp.numpy as np

Dataset = tf.data.Dataset
WORKS: Final = {
    "Conversions and operations": (
        "tf.convert_to_tensor(x, tf.float32)",
        "tf.Variable(x, dtype=tf.float32)",
        "tf.constant(x, tf.float32)",
        "tf.Variable(tf.zeros(3)).assign(x)",
        "tf.Variable(tf.zeros(3)).assign_add(x)",
        "tf.matmul(tf.ones((2, 2)), m)",
        "tf.add(tf.ones(3), x)",
        "tf.ones(3) + x",
        "x + tf.ones(3)",
        "tf.where([True, False, True], tf.ones(3), x)",
        "tf.maximum(tf.ones(3), x)",
        "tf.concat([tf.ones(3), x], 0)",
        "tf.stack([tf.ones(3), x])",
        'tf.einsum("ij,jk->ik", tf.ones((2, 2)), m)',
        "tf.clip_by_value(tf.ones(3), x, x + 1)",
        "tf.tensor_scatter_nd_update(tf.ones(3), np.array([[0]]), x[:1])",
        "tf.gather(tf.ones(3), i3)",
        "tf.reduce_sum(x, axis=np.array(0))",
        "tf.reshape(tf.ones(4), np.array([2, 2]))",
        "tf.fill(np.array([2]), 1.0)",
        "tf.one_hot(i3, 3)",
        "tf.cast(x, tf.float32)",
        "tf.ones(3)[i3[0]:i3[2]]",
        "tf.pad(x, np.array([[1, 1]]))",
        "tf.tile(x, np.array([2]))",
        "tf.linalg.solve(tf.ones((2, 2)) + tf.eye(2), m)",
        "tf.boolean_mask(tf.ones(3), np.array([True, False, True]))",
        "tf.random.normal(np.array([2]))",
        "tf.add(tf.ones(3), i3)",
        "tf.clip_by_global_norm([x, m], 1.0)",
        "tf.function(lambda v: v * 2, jit_compile=True)(x)",
        "tf.image.resize(np.ones((2, 2, 1)), np.array([4, 4])).shape",
        "tf.io.serialize_tensor(x)",
        "tf.train.Feature(float_list=tf.train.FloatList(value=x))",
        "tf.lookup.KeyValueTensorInitializer(np.array([1, 2]), np.array([3, 4]))",
        "tf.math.confusion_matrix(np.array([0, 1]), np.array([0, 1]))",
        "tf.nn.softmax_cross_entropy_with_logits(np.ones((1, 2)), tf.ones((1, 2)))",
        "tf.nn.embedding_lookup(m, np.array([0]))",
        "tf.split(x, np.array([1, 2]))",
        "tf.unstack(x)",
        "[float(v) for v in x]",
        "tf.bitcast(x, tf.int64)",
    ),
    "Keras: layers, losses, metrics, optimizers": (
        'keras.ops.convert_to_tensor(x, "float32")',
        'keras.Variable(x, dtype="float32")',
        'keras.Variable(numpy.zeros(3), dtype="float32").assign(x)',
        "keras.ops.add(x, x)",
        "built(keras.layers.Dense(2)).set_weights([np.ones((2, 2)), np.zeros(2)])",
        "keras.layers.Embedding(2, 2, weights=[np.ones((2, 2))])(np.array([0, 1]))",
        "float(keras.losses.MeanSquaredError()(np.ones((2, 2)), np.zeros((2, 2))))",
        "keras.losses.SparseCategoricalCrossentropy()(np.array([0, 1]), np.full((2, 2), 0.5))",
        "keras.losses.binary_crossentropy(np.ones((2, 2)), np.full((2, 2), 0.5))",
        "keras.losses.MeanSquaredError()(np.ones((2, 2)), tf.zeros((2, 2)))",
        "update(keras.metrics.BinaryAccuracy(), np.array([0.0, 1.0]), np.array([0.2, 0.8]))",
        "update(keras.metrics.AUC(), np.array([0.0, 1.0]), np.array([0.2, 0.8]))",
        "update(keras.metrics.Mean(), x)",
        "keras.losses.MeanSquaredError()(np.ones((2, 2)), np.zeros((2, 2)), sample_weight=np.ones(2))",
        "keras.layers.Normalization().adapt(np.ones((4, 2)))",
        "keras.layers.IntegerLookup(vocabulary=np.array([1, 2]))(np.array([1, 2]))",
        "keras.layers.Normalization(mean=np.ones(2), variance=np.ones(2))(np.ones((1, 2)))",
        "keras.layers.Dense(2, bias_initializer=keras.initializers.Constant(np.ones(2))).build((None, 2))",
        "keras.optimizers.SGD(0.1).apply([np.ones(3)], [single()])",
        "keras.optimizers.Adam(0.1).apply_gradients([(np.ones(3), single())])",
    ),
    "Keras: models": (
        "model().fit(xs, ys, verbose=0)",
        "model().fit(xs, ys, batch_size=3, verbose=0, validation_split=0.25)",
        "model().fit(xs, ys, sample_weight=np.ones(8), verbose=0)",
        "model().fit(xs, ys, validation_data=(xs, ys), verbose=0)",
        "model().evaluate(xs, ys, verbose=0)",
        "model().predict(xs, verbose=0).shape",
        "model().train_on_batch(xs, ys)",
        "model().test_on_batch(xs, ys)",
        "model().predict_on_batch(xs).shape",
        "model()(xs).shape",
        "model().fit(Dataset.from_tensor_slices((xs, ys)).batch(4), verbose=0)",
        "model().fit(Dataset.from_tensor_slices((xs, np.arange(8))).batch(4), verbose=0)",
        "classify(Dataset.from_tensor_slices((xs, np.arange(8) % 2)).batch(4))",
        "model().fit(((xs, ys) for _ in range(2)), verbose=0)",
        "keras.Sequential([keras.Input((2,)), Layer(), keras.layers.Dense(1)])(xs).shape",
        "fit_functional()",
        "compiled(loss=lambda a, b: np.mean((a - b) ** 2)).fit(xs, ys, verbose=0)",
        "compiled(metrics=[lambda a, b: np.abs(a - b).mean()]).fit(xs, ys, verbose=0)",
        "Layer()(tf.ones((2, 2))).shape",
        "len(keras.Sequential([keras.Input((2,)), LayerWithTable(np.ones(2))]).to_json())",
        "keras.saving.deserialize_keras_object(keras.saving.serialize_keras_object(np.ones(2)))",
        'keras.layers.Dense(2, dtype="mixed_float16")(np.ones((2, 2))).dtype',
        "keras.Variable(numpy.zeros(2)).assign(np.ones(2))",
        "keras.utils.to_categorical(np.array([0, 1])).shape",
        "keras.utils.pad_sequences([np.array([1, 2]), np.array([3])]).shape",
        "keras.utils.normalize(np.ones((2, 2))).shape",
        "len(list(keras.utils.timeseries_dataset_from_array(np.arange(8.0), np.arange(8.0), 2)))",
    ),
    "Functions, structures, control flow": (
        "tf.function(lambda v: v * 2)(x)",
        "tf.function(lambda v: v * 2, input_signature=[tf.TensorSpec([None], tf.float64)])(x)",
        "tf.function(lambda v: v * 2, input_signature=[tf.TensorSpec([None], tf.float32)])(x)",
        "tf.function(lambda v: v * 2, input_signature=[np.ArraySpec([None])])(x)",
        "tf.function(lambda v: v * 2, input_signature=[np.ArraySpec([None])])(tf.ones(3, tf.float64))",
        "tf.function(lambda v: v * 2).get_concrete_function(x)(x)",
        'tf.nest.map_structure(lambda v: v + 1, [x, {"a": x}])',
        "tf.nest.flatten([x, (m,)])",
        "tf.function(lambda v: tf.cond(tf.reduce_sum(v) > 0, lambda: v * 1, lambda: v * 2))(x)",
        "tf.while_loop(lambda i, v: i < 3, lambda i, v: (i + 1, v * 2), [tf.constant(0), x])",
        "tf.case([(tf.constant(True), lambda: x)])",
        "tf.switch_case(tf.constant(0), [lambda: x, lambda: x * 2])",
        "tf.map_fn(lambda v: v * 2, np.ones((3, 2)))",
        "tf.map_fn(lambda v: v * 2, np.ones((3, 2)), fn_output_signature=tf.float64)",
        "tf.map_fn(lambda v: v[0] + v[1], (np.ones((3, 2)), np.ones((3, 2))), fn_output_signature=tf.float64)",
        "tf.scan(lambda a, b: a + b, np.ones((3, 2)))",
        "tf.foldl(lambda a, b: a + b, np.ones((3, 2)))",
        "tf.numpy_function(lambda v: np.asarray(v) * 2, [x], tf.float64)",
        "tf.debugging.assert_equal(x, x)",
        "tf.debugging.assert_near(x, x)",
        'tf.debugging.check_numerics(x, "")',
        "tf.shape(x)",
        "tf.rank(x)",
        "tf.ensure_shape(x, [3])",
        "tf.TensorArray(tf.float64, 3).unstack(x).stack()",
        "tf.RaggedTensor.from_row_lengths(x, np.array([1, 2]))",
        "tf.sparse.from_dense(m)",
        "tf.SparseTensor(np.array([[0, 0]]), np.ones(1), np.array([2, 2]))",
        "tf.convert_to_tensor(tf.IndexedSlices(np.ones((1, 2)), np.array([0]), tf.constant([2, 2])))",
    ),
    "Gradients": (
        "slope('gradient', np.square) == [2, 4, 6]",
        "slope('gradient', lambda v: (v[1:] * 2).sum()) == [0, 2, 2]",
        "slope('gradient', lambda v: tf.constant(1.0), unconnected_gradients='zero') == [0, 0, 0]",
        "slope('gradient', np.square, output_gradients=np.ones(3)) == [2, 4, 6]",
        "slope('jacobian', np.square) == numpy.diag([2, 4, 6])",
        "slope('jacobian', np.square, experimental_use_pfor=False) == numpy.diag([2, 4, 6])",
        "slope('jacobian', np.cumsum) == numpy.tri(3)",
        "tf.function(lambda: slope('jacobian', np.square))() == numpy.diag([2, 4, 6])",
        "slope('batch_jacobian', np.square, x=np.ones((1, 2))) == [[[2, 0], [0, 2]]]",
        "tf.function(lambda: slope('batch_jacobian', np.square, x=np.ones((1, 2))))() == [[[2, 0], [0, 2]]]",
        "slope('gradient', tf.custom_gradient(lambda v: (v * 2, lambda d: d * 5))) == [5, 5, 5]",
        "slope('gradient', tf.recompute_grad(np.square)) == [2, 4, 6]",
        "forward(np.square) == [2, 4, 6]",
        "tf.vectorized_map(np.sum, np.ones((3, 2))) == [2, 2, 2]",
        "tf.function(lambda v: tf.gradients(v * v, v)[0])(np.arange(3.0)) == [0, 2, 4]",
        "tf.stop_gradient(x)",
    ),
    "Saved models and checkpoints": (
        'save_and_load(WithSpec(), "__call__")',
        'save_and_load(WithTensorSpec(), "f")',
        'save_and_load(Traced(), "f")',
        "serve()",
        "restore_checkpoint()",
    ),
    "Data sets": (
        "list(Dataset.from_tensor_slices(x))",
        "list(Dataset.from_tensors(x))",
        "list(Dataset.from_tensor_slices(x).map(lambda v: np.sin(v)))",
        "list(Dataset.from_tensor_slices(m).batch(2))",
        "list(Dataset.from_tensor_slices(x).as_numpy_iterator())",
        'list(Dataset.from_tensor_slices({"a": x}).as_numpy_iterator())',
        "save_dataset()",
        "list(Dataset.from_generator(lambda: iter([x, x]), output_signature=tf.TensorSpec([3], tf.float64)))",
        'list(Dataset.from_generator(lambda: iter([x, x]), output_signature=np.ArraySpec([3], "float64")))',
        "list(Dataset.from_tensor_slices(x).filter(lambda v: v > 0))",
        "Dataset.from_tensor_slices(x).reduce(np.float64(0), lambda a, b: a + b)",
        "Dataset.from_tensor_slices(m).reduce(np.zeros(2), lambda a, b: a + b)",
        "list(Dataset.from_tensor_slices(x).shuffle(3).repeat(2).prefetch(1))",
        "list(Dataset.zip((Dataset.from_tensor_slices(x), Dataset.from_tensor_slices(x))))",
        "list(Dataset.from_tensor_slices(x).interleave(lambda v: Dataset.from_tensors(v)))",
        "list(Dataset.from_tensors(m).unbatch())",
        "list(Dataset.from_tensor_slices(x).cache())",
        "Dataset.from_tensor_slices(x).element_spec",
        "list(Dataset.sample_from_datasets([Dataset.from_tensor_slices(x)] * 2, weights=np.array([0.5, 0.5])))",
    ),
}
"""By section: the calls that work, as they work with NumPy's arrays or with tensors; a comparison must hold."""
WRITE: Final = {
    "tf.map_fn(np.sum, m)": "tf.map_fn(np.sum, m, fn_output_signature=tf.float64)",
    "tf.py_function(np.sin, [x], tf.float64)": (
        "tf.py_function(lambda v: tf.convert_to_tensor(np.sin(v)), [x], tf.float64)"
    ),
    "list(Dataset.from_tensor_slices(x).scan(np.zeros(()), lambda s, v: (s + v, v)))": (
        "list(Dataset.from_tensor_slices(x).map(tf.convert_to_tensor)"
        ".scan(tf.zeros((), tf.float64), lambda s, v: (s + v, v)))"
    ),
    "list(Dataset.from_tensor_slices(x).window(2))": "list(Dataset.from_tensor_slices(x).batch(2))",
    "list(Dataset.from_tensor_slices(x).padded_batch(2))": (
        "list(Dataset.from_tensor_slices(x).map(tf.convert_to_tensor).padded_batch(2))"
    ),
    "list(Dataset.from_tensor_slices(x).concatenate(Dataset.from_tensor_slices(tf.ones(2, tf.float64))))": (
        "list(Dataset.from_tensor_slices(x).concatenate(Dataset.from_tensor_slices(np.ones(2))))"
    ),
}
"""Calls that raise an error, and what to write."""


def evaluate(call: str, namespace: Any = np) -> Any:
    """Return the result of a call with arrays of a namespace."""
    values = {"np": namespace, "x": namespace.arange(3.0), "m": namespace.ones((2, 2)), "i3": namespace.arange(3)}
    values |= {"xs": namespace.ones((8, 2)), "ys": namespace.ones((8, 1))}
    result = eval(call, {**globals(), **values})
    return bool(numpy.all(result)) if " == " in call else result


def slope(method: str, function: Any, x: Any = None, **options: Any) -> Any:
    x = np.arange(1.0, 4.0) if x is None else x
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = function(x)
    return (
        numpy.asarray(getattr(tape, method)(y, x, **options)) if tf.executing_eagerly() else getattr(tape, method)(y, x)
    )


def tape_of_tape() -> Any:
    x = np.arange(1.0, 4.0)
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = (x**3).sum()
        first = inner.gradient(y, x)
    return outer.gradient(first, x)


def forward(function: Any) -> Any:
    x = np.arange(1.0, 4.0)
    with tf.autodiff.ForwardAccumulator(x, np.ones(3)) as accumulator:
        y = function(x)
    return accumulator.jvp(y)


def compiled(**options: Any) -> Any:
    network = keras.Sequential([keras.Input((2,)), keras.layers.Dense(1)])
    network.compile("sgd", **{"loss": "mse", **options})
    return network


def model() -> Any:
    return compiled()


def classify(data: Any) -> Any:
    network = keras.Sequential([keras.layers.Dense(2, activation="softmax")])
    network.compile("sgd", "sparse_categorical_crossentropy")
    network.fit(data, verbose=0)
    return network.evaluate(data, verbose=0)


def built(layer: Any) -> Any:
    layer.build((None, 2))
    return layer


def single() -> Any:
    return keras.Variable(numpy.zeros(3), dtype="float32")


def update(metric: Any, *values: Any) -> Any:
    metric.update_state(*values)
    return metric.result()


class Layer(keras.layers.Layer):
    def call(self, x: Any) -> Any:
        return np.tanh(x) * 2


class LayerWithTable(keras.layers.Layer):
    def __init__(self, table: Any, **options: Any) -> None:
        super().__init__(**options)
        self.table = table

    def call(self, x: Any) -> Any:
        return x * self.table

    def get_config(self) -> dict[str, Any]:
        return {**super().get_config(), "table": self.table}


def fit_functional() -> Any:
    inputs = keras.Input((2,))
    network = keras.Model(inputs, keras.layers.Dense(1)(Layer()(inputs)))
    network.compile("sgd", "mse")
    network.fit(np.ones((8, 2)), np.ones((8, 1)), verbose=0)
    return network.predict(np.ones((8, 2)), verbose=0).shape


class WithSpec(tf.Module):
    @tf.function(input_signature=[np.ArraySpec([None, 2], "float64")])
    def __call__(self, v: Any) -> Any:
        return v * 2


class WithTensorSpec(tf.Module):
    @tf.function(input_signature=[tf.TensorSpec([None, 2], tf.float64)])
    def f(self, v: Any) -> Any:
        return np.tanh(v)


class Traced(tf.Module):
    @tf.function
    def f(self, v: Any) -> Any:
        return {"a": np.tanh(v), "b": [v.sum()]}


def save_and_load(module: Any, method: str) -> Any:
    folder = tempfile.mkdtemp()
    getattr(module, method)(np.ones((3, 2)))
    tf.saved_model.save(module, folder)
    return getattr(tf.saved_model.load(folder), method)(np.ones((3, 2)))


def serve() -> Any:
    module, folder = WithTensorSpec(), tempfile.mkdtemp()
    function = tf.function(lambda v: {"out": np.tanh(v)})
    signature = function.get_concrete_function(tf.TensorSpec([None, 2], tf.float64, name="v"))
    tf.saved_model.save(module, folder, signatures={"serving_default": signature})
    return tf.saved_model.load(folder).signatures["serving_default"](v=tf.ones((1, 2), tf.float64))


def restore_checkpoint() -> Any:
    variable = tf.Variable(np.ones(2))
    path = tf.train.Checkpoint(v=variable).save(tempfile.mktemp())
    variable.assign(np.zeros(2))
    tf.train.Checkpoint(v=variable).restore(path)
    return variable


def save_dataset() -> Any:
    folder = tempfile.mkdtemp()
    Dataset.from_tensor_slices(np.arange(3.0)).save(folder)
    return list(Dataset.load(folder))


def make_page() -> str:
    """Return the table as a page."""
    lines = [
        "# TensorFlow and Keras with arrays of tfnp.numpy",
        "",
        "Where TensorFlow and Keras take a tensor, they take an array of `tfnp.numpy`, and cast it where they cast",
        "NumPy's arrays. Each line is a test; `x`, `xs` and `ys` are arrays of floats, `m` a matrix, `i3` integers.",
        "Helpers and layers are those of `tests/tfnp/numpy/borders.py`.",
        "",
    ]
    for section, calls in WORKS.items():
        lines += [f"## {section}", "", "| works |", "|---|", *(f"| `{_escape(call)}` |" for call in calls), ""]
    lines += ["## What to write instead", "", "| raises an error | write this |", "|---|---|"]
    lines += [f"| `{_escape(call)}` | `{_escape(other)}` |" for call, other in WRITE.items()]
    return "\n".join(lines) + "\n"


def _escape(text: str) -> str:
    return text.replace("|", "\\|")


if __name__ == "__main__":
    Path(__file__).parents[3].joinpath("docs", "borders.md").write_text(make_page())
