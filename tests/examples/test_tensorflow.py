"""What the examples do with TensorFlow: gradients, variables, Keras, datasets and models, against NumPy by hand."""

from __future__ import annotations

import functools
from types import SimpleNamespace

import numpy
import pytest
import tensorflow as tf

import tfnp
from tests.examples.programs import compare, load

RNG = numpy.random.default_rng(3)


def sigmoid(x):
    return 1 / (1 + numpy.exp(-x))


@pytest.mark.sample(1)
@pytest.mark.parametrize("compiled", [False, True])
def test_gradients_of_each_example(compiled):
    module = load("per_example_gradients", tfnp)
    weights, bias, x, y = RNG.normal(size=(3, 1)), RNG.normal(size=1), RNG.normal(size=(5, 3)), RNG.normal(size=(5, 1))
    slopes = 2 * (x @ weights + bias - y)
    function = tf.function(module.example_gradients, jit_compile=compiled)
    compare([x[:, :, None] * slopes[:, None], slopes], function(*map(tf.constant, (weights, bias, x, y))))


@pytest.mark.full
@pytest.mark.parametrize("compiled", [False, True])
def test_newton_step_of_logistic_regression(compiled):
    weights, x, y = RNG.normal(size=3), RNG.normal(size=(9, 3)), RNG.integers(0, 2, 9).astype(float)
    shares = sigmoid(x @ weights)
    gradient = x.T @ (shares - y) / 9 + 0.002 * weights
    hessian = x.T @ (x * (shares * (1 - shares))[:, None]) / 9 + 0.002 * numpy.eye(3)
    step = tf.function(load("logistic_regression", tfnp).newton_step, jit_compile=compiled)
    compare(weights - numpy.linalg.solve(hessian, gradient), step(*map(tf.constant, (weights, x, y))))


def test_derivatives_of_the_minimised_function():
    x, y = -1.2, 1.0
    gradient = [-400 * x * (y - x**2) - 2 * (1 - x), 200 * (y - x**2)]
    hessian = [[1200 * x**2 - 400 * y + 2, -400 * x], [-400 * x, 200.0]]
    found = load("minimisation", tfnp).derivatives(tf.constant([x, y], tf.float64))
    compare([numpy.array(gradient), numpy.array(hessian)], found)


@pytest.mark.sample(1)
@pytest.mark.parametrize("options", [None, {"jit_compile": False}, {"jit_compile": True}])
def test_training_steps(options):
    module = load("training_loop", tfnp)
    w1, b1, w2, b2 = values = [RNG.normal(size=shape) for shape in [(2, 4), 4, (4, 1), 1]]
    x, y = RNG.normal(size=(9, 2)), RNG.integers(0, 2, 9).astype(float)
    parameters = [tf.Variable(value) for value in values]
    step = module.make_step(parameters, rate=0.5)
    (tf.function(step, **options) if options else step)(tf.constant(x), tf.constant(y))

    hidden = numpy.tanh(x @ w1 + b1)
    slopes = (sigmoid((hidden @ w2 + b2)[:, 0]) - y)[:, None] / 9
    inner = slopes @ w2.T * (1 - hidden**2)
    gradients = [x.T @ inner, inner.sum(0), hidden.T @ slopes, slopes.sum(0)]
    compare([value - 0.5 * gradient for value, gradient in zip(values, gradients, strict=True)], parameters)


@pytest.mark.full
@pytest.mark.parametrize("options", [{}, {"jit_compile": True}])
def test_a_keras_layer_and_its_training(options):
    module, reference = load("keras_layer", tfnp), load("keras_layer", numpy)
    x, y = RNG.normal(size=(8, 4)).astype("f4"), RNG.normal(size=(8, 1)).astype("f4")
    w, b = numpy.ones((4, 1), "f4"), numpy.zeros(1, "f4")

    def predict(w, b):
        return reference.Normalised.call(SimpleNamespace(w=w, b=b), x)

    model = module.make_model()
    compare(predict(w, b), model(x))
    if options:
        model.compile(optimizer="sgd", loss="mse", **options)
        model.optimizer.learning_rate = 0.1
    model.fit(x, y, batch_size=8, epochs=1, verbose=0)
    scaled = numpy.concatenate([predict(column[:, None], b) for column in numpy.eye(4, dtype="f4")], axis=1)
    slopes = 2 * (predict(w, b) - y) / 8
    compare([w - 0.1 * scaled.T @ slopes, b - 0.1 * slopes.sum(0)], [v.numpy() for v in model.trainable_weights])


def test_a_loop_under_xla_is_a_loop():
    module, reference = load("ode", tfnp), load("ode", numpy)
    state, expected = tf.constant([1.0, 1.0, 1.0], tf.float64), numpy.ones(3)
    for _ in range(20):
        expected = reference.runge_kutta(expected, 0.01)
    arguments = (state, tf.constant(0.01, tf.float64), tf.constant(20))
    compare(expected, module.integrate(*arguments))
    nodes = {node.op for node in module.integrate.get_concrete_function(*arguments).graph.as_graph_def().node}
    assert nodes & {"While", "StatelessWhile"}


def test_the_delta_of_an_option():
    module, reference = load("monte_carlo_option", tfnp), load("monte_carlo_option", numpy)
    normals, stock = RNG.normal(size=200), tf.Variable(100.0, dtype=tf.float64)
    terms = (100.0, 0.05, 0.2, 1.0)
    with tf.GradientTape() as tape:
        value = module.price(stock, *terms, tf.constant(normals))
    slope = (reference.price(100.001, *terms, normals) - reference.price(99.999, *terms, normals)) / 0.002
    assert abs(tape.gradient(value, stock) - slope) < 1e-5


def test_maxima_written_into_a_variable():
    groups, values = RNG.integers(0, 4, 20), RNG.normal(size=20)
    expected = numpy.array([values[groups == group].max() for group in numpy.unique(groups)])
    compare(expected, load("group_statistics", tfnp).group_maxima(tf.constant(groups), tf.constant(values)))


def test_a_dataset_of_batches():
    rows = RNG.normal(size=(10, 3))
    reference = load("data_pipeline", numpy)
    expected = [reference.prepare(part) for part in (rows[:4], rows[4:8], rows[8:])]
    compare(expected, list(load("data_pipeline", tfnp).make_dataset(rows, 4)))


def test_a_saved_model_answers_without_the_source(tmp_path):
    model = load("saved_model", tfnp).make_classifier(seed=0)
    x = RNG.normal(size=(5, 3)).astype("f4")
    tf.saved_model.save(model, tmp_path)
    tfnp.disable_numpy_behavior()
    scores = (x - 1) / 2 @ model.w.numpy()
    compare(load("saved_model", numpy).softmax(scores).astype("f4"), tf.saved_model.load(tmp_path)(tf.constant(x)))


def test_lengths_are_exported_with_their_gradient(tmp_path):
    module = load("exported_gradients", tfnp)
    points = RNG.normal(size=(5, 2))
    points[2] = 0
    tf.saved_model.save(module.Lengths(), tmp_path)
    lengths = numpy.hypot(*points.T)
    gradient = points / numpy.where(lengths, lengths, 1)[:, None]
    compare([lengths, gradient], module.differentiate(tf.saved_model.load(tmp_path), tf.constant(points)))


@pytest.mark.parametrize("compiled", [False, True])
def test_hessian_vector_products(compiled):
    module = load("hessian_vector_products", tfnp)
    x, vector = RNG.normal(size=6), RNG.normal(size=6)
    neighbours = 2 * numpy.eye(6) - numpy.eye(6, k=1) - numpy.eye(6, k=-1)
    neighbours[0, 0] = neighbours[-1, -1] = 1
    hessian = numpy.diag(numpy.cosh(x)) + neighbours
    product = functools.partial(module.hessian_vector_product, module.loss)
    function = tf.function(product, jit_compile=True) if compiled else product
    compare(hessian @ vector, function(tf.constant(x), tf.constant(vector)))
    slope = numpy.sinh(x) + neighbours @ x
    compare(x - numpy.linalg.solve(hessian, slope), module.newton_step(tf.constant(x)))
