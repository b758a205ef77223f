"""The same numbers wherever they are drawn, and other ones with each call."""

from __future__ import annotations

import math
import os
import subprocess
import sys

import numpy as np
import pytest
import tensorflow as tf

import tfnp
from tests.tfnp.random.everywhere import EVERY
from tests.tfnp.random.parameters import PARAMETERS
from tfnp import random
from tfnp._core import traces
from tfnp.random import elementary, global_state, host, sampling


def generator(seed):
    return random.Generator(random.Philox(seed))


DRAWS = {
    "integers": lambda rng: rng.integers(0, 3 * 2**30, 40),
    "normal": lambda rng: rng.normal(1.0, 2.0, 200),
    "permutation": lambda rng: rng.permutation(20),
    "gamma": lambda rng: rng.gamma([0.3, 5.0], 2.0, (50, 2)),
}


@pytest.mark.full
@pytest.mark.parametrize("name", DRAWS)
def test_the_same_in_every_mode(name):
    eager = generator(1)
    expected = [DRAWS[name](eager).numpy() for _ in range(2)]
    for compiled in (False, True):
        rng = generator(1)
        function = tf.function(lambda rng=rng: DRAWS[name](rng), autograph=False, jit_compile=compiled)
        for found in expected:
            np.testing.assert_array_equal(function(), found)


@pytest.mark.full
@pytest.mark.parametrize("name", ["gamma", "exponential", "zipf"])
def test_first_draws_are_those_of_the_traced_sampler(name, monkeypatch):
    """They run op by op: the numbers are the same, and so is the state after them."""
    drawn = []
    monkeypatch.setattr(host, "is_eager_on_cpu", lambda source: False)
    for limit in (10**9, 0):
        monkeypatch.setattr(traces, "TRACE_AFTER", limit)
        traces.forget_traces()
        rng = generator(3)
        numbers = [getattr(rng, name)(*PARAMETERS[name][0], size=6).numpy() for _ in range(2)]
        drawn.append((numbers, rng.bit_generator.state))
    np.testing.assert_equal(drawn[1], drawn[0])


def test_first_draws_trace_nothing(monkeypatch):
    def refuse(*_):
        raise AssertionError("a draw traced its sampler")

    monkeypatch.setattr(sampling, "_trace_sampler", refuse)
    traces.forget_traces()
    monkeypatch.setattr(host, "is_eager_on_cpu", lambda source: False)
    assert generator(3).wald(1.0, 2.0, 3).shape == (3,)
    with pytest.raises(AssertionError, match="traced"):
        random.Generator(random.SFC64(3)).wald(1.0, 2.0, 1000)


def test_all_that_draws_is_shown_everywhere():
    methods = {f"Generator.{name}" for name in dir(np.random.Generator) if not name.startswith("_")}
    methods -= {"Generator.bit_generator", "Generator.bytes", "Generator.spawn"}
    functions = set(global_state.__all__) - {"bytes", "get_state", "seed", "set_state"}
    assert methods | functions <= set(EVERY)


WAYS = [(mode, single) for mode in ("legacy", "off", "all", "safe") for single in (False, True)]


def test_promotion():
    """Numbers are the same in every way, of int64, or of float64; of float32 where that is preferred."""
    draws = {name: PARAMETERS[name][0] for name in ("gumbel", "poisson", "multivariate_normal", "dirichlet")}
    drawn = {name: getattr(generator(1), name)(*given, size=3) for name, given in draws.items()}
    for mode, single in WAYS:
        with tfnp.numpy_behavior(prefer_float32=single, dtype_conversion_mode=mode):
            for name, given in draws.items():
                found, expected = getattr(generator(1), name)(*given, size=3), drawn[name].numpy()
                wanted = np.float32 if single and expected.dtype == np.float64 else expected.dtype
                assert found.dtype == wanted, name
                np.testing.assert_array_equal(found, expected.astype(wanted), name)


@pytest.mark.full
def test_doubles_that_are_asked_for():
    with tfnp.numpy_behavior(prefer_float32=True):
        rng = generator(1)
        assert {rng.random().dtype, rng.random(dtype=None).dtype, rng.random(dtype=float).dtype} == {tf.float32}
        assert rng.random(3, np.float64).dtype == rng.standard_gamma(np.float64(2)).dtype == tf.float64
        assert rng.standard_normal(out=tf.Variable(np.zeros(3))).dtype == tf.float64
        assert {rng.normal([1.0, np.float64(2)]).dtype, rng.normal(np.zeros(2)).dtype} == {tf.float64}
        assert {rng.normal([1.0, 2]).dtype, rng.normal(np.float32(2)).dtype, rng.standard_cauchy(2).dtype} == {
            tf.float32
        }
        np.testing.assert_array_equal(generator(1).random(4), generator(1).random(4, np.float32))
        assert {random.rand(2).dtype, random.random_sample().dtype, random.standard_gamma(2).dtype} == {tf.float32}


def test_one_made_in_a_graph_starts_anew():
    function = tf.function(lambda: generator(3).random(2))
    np.testing.assert_array_equal(function(), function())
    np.testing.assert_array_equal(function(), np.random.Generator(np.random.Philox(3)).random(2))


def test_one_made_outside_goes_on_in_loops():
    rng = generator(3)

    @tf.function
    def total():
        result = tf.zeros((), tf.float64)
        for _ in tf.range(3):
            result += rng.random()
        return result

    np.testing.assert_allclose(total(), np.random.Generator(np.random.Philox(3)).random(3).sum())
    assert total() != total()


@pytest.mark.full
def test_lengths_known_late():
    rng = generator(3)
    function = tf.function(lambda count: rng.normal(size=(count, 2)), input_signature=[tf.TensorSpec([], tf.int32)])
    expected = np.random.Generator(np.random.Philox(3))
    for count in (3, 0, 5):
        np.testing.assert_array_equal(function(count), expected.normal(size=(count, 2)))


@pytest.mark.parametrize(
    "make",
    [
        lambda: random.default_rng(5),
        lambda: random.RandomState(5),
        lambda: random.Generator(random.TensorFlowPhilox(5)),
    ],
    ids=["Generator", "RandomState", "TensorFlowPhilox"],
)
@pytest.mark.parametrize("shape", [[None], None], ids=["length", "rank"])
def test_choice_of_an_array_of_unknown_shape_is_the_same(make, shape):
    late, early = make(), make()
    function = tf.function(lambda a: late.choice(a, 4), input_signature=[tf.TensorSpec(shape, tf.int64)])
    for length in (2, 5, 100):
        numbers = np.arange(length)
        np.testing.assert_array_equal(function(numbers), early.choice(numbers, 4))


def test_choice_by_probabilities_along_an_axis_of_unknown_rank():
    late, early = generator(3), generator(3)
    specs = [tf.TensorSpec(None, tf.int64), tf.TensorSpec(None, tf.float64)]
    function = tf.function(lambda a, p: late.choice(a, (2, 2), p=p, axis=-1), input_signature=specs)
    numbers, p = np.arange(12).reshape(3, 4), np.array([0.1, 0.2, 0.3, 0.4])
    np.testing.assert_array_equal(function(numbers, p), early.choice(numbers, (2, 2), p=p, axis=-1))


@pytest.mark.full
def test_parameters_known_late():
    rng = generator(3)
    function = tf.function(rng.poisson, input_signature=[tf.TensorSpec([None], tf.float64)])
    found = function([1.0, np.nan, -1.0, 100.0, 0.0]).numpy()
    assert found[1] == found[2] == -(2**63)
    assert found[4] == 0


def test_gradients_of_a_list_of_locations():
    locations = [tf.constant(0.5, tf.float64), tf.constant(2.0, tf.float64)]
    with tf.GradientTape() as tape:
        tape.watch(locations)
        drawn = tfnp.random.default_rng(1).normal(locations, 2.0, (3, 2))
    assert [float(slope) for slope in tape.gradient(drawn, locations)] == [3.0, 3.0]


def test_gradients_of_locations_and_scales():
    rng = generator(3)
    loc, scale = tf.constant([1.0, 2.0], tf.float64), tf.constant(3.0, tf.float64)
    with tf.GradientTape() as tape:
        tape.watch([loc, scale])
        drawn = rng.normal(loc, scale)
    slopes = tape.gradient(drawn, [loc, scale])
    np.testing.assert_array_equal(slopes[0], [1.0, 1.0])
    np.testing.assert_allclose(slopes[1], np.sum((drawn - loc) / scale))


@pytest.mark.sample(2)
@pytest.mark.parametrize("name", ["exponential", "gumbel", "laplace", "logistic", "normal", "rayleigh", "uniform"])
def test_scales_have_gradients(name):
    """By differences: the numbers of one seed are a function of the parameters."""
    rng = generator(3)
    given = [2.0] if name in {"exponential", "rayleigh"} else [1.0, 2.0]

    @tf.function(autograph=False)
    def differentiate(scale):
        with tf.GradientTape() as tape:
            tape.watch(scale)
            drawn = getattr(rng, name)(*given[:-1], scale, size=5)
        return tape.gradient(drawn, scale)

    low, high = (getattr(generator(3), name)(*given[:-1], scale, size=5).numpy().sum() for scale in (2.0, 3.0))
    np.testing.assert_allclose(differentiate(tf.constant(2.0, tf.float64)), high - low, rtol=1e-12)


@pytest.mark.sample(1)
@pytest.mark.parametrize("jit", [False, True])
@pytest.mark.parametrize("method", ["svd", "eigh", "cholesky"])
def test_variances_known_late_give_numpys_numbers(method, jit):
    """Eigenvectors of a diagonal matrix have one sign; NumPy's singular values fall, and its eigenvalues rise."""
    covariance = np.diag([1.0, 4.0, 0.25])
    draw = tf.function(
        lambda cov: tfnp.random.default_rng(3).multivariate_normal(np.zeros(3), cov, size=4, method=method),
        autograph=False,
        jit_compile=jit,
    )
    expected = np.random.default_rng(3).multivariate_normal(np.zeros(3), covariance, size=4, method=method)
    np.testing.assert_allclose(draw(tf.constant(covariance)), expected, rtol=1e-12)


@pytest.mark.parametrize("is_known", [True, False])
@pytest.mark.parametrize("method", ["svd", "eigh", "cholesky"])
def test_a_covariance_has_a_gradient(method, is_known):
    covariance = np.array([[4.0, 1.0], [1.0, 3.0]])
    change = np.array([[0.5, 0.25], [0.25, -1.0]])

    def draw(cov):
        return tfnp.random.default_rng(3).multivariate_normal(np.zeros(2), cov, size=4, method=method)

    run = draw if is_known else tf.function(draw, autograph=False)
    cov = tf.constant(covariance)
    with tf.GradientTape() as tape:
        tape.watch(cov)
        drawn = run(cov)
        total = tf.reduce_sum(drawn * [1.0, 2.0])
    slope = np.sum(tape.gradient(total, cov) * change)
    lower, higher = (np.sum(run(tf.constant(covariance + step * change)) * [1.0, 2.0]) for step in (-1e-6, 1e-6))
    np.testing.assert_allclose(slope, (higher - lower) / 2e-6, rtol=1e-6)
    if is_known:
        expected = np.random.default_rng(3).multivariate_normal(np.zeros(2), covariance, size=4, method=method)
        np.testing.assert_allclose(drawn, expected, rtol=1e-12)


def test_a_singular_covariance_known_late():
    """Of its eigenvalues all but one are zero but for rounding: some are negative."""
    deviations = np.arange(1.0, 9.0)
    draw = tf.function(lambda cov: generator(3).multivariate_normal(np.zeros(8), cov, size=4), autograph=False)
    drawn = draw(tf.constant(np.outer(deviations, deviations)))
    assert np.isfinite(drawn).all()
    np.testing.assert_allclose(drawn, drawn[:, :1] * deviations, atol=1e-5)


def test_elementary_functions():
    x = np.random.default_rng(1).uniform(-700, 700, 500)
    for ours, numpys in {elementary.exp: np.exp, elementary.expm1: np.expm1}.items():
        np.testing.assert_allclose(ours(tf.constant(x)), numpys(x), 1e-15)
    x = np.exp(x / 2)
    np.testing.assert_allclose(elementary.log(tf.constant(x)), np.log(x), 5e-16)
    np.testing.assert_allclose(elementary.log1p(tf.constant(x)), np.log1p(x), 5e-16)
    np.testing.assert_array_equal(
        elementary.log(tf.constant([0.0, -1, np.inf, 1], tf.float64)), [-np.inf, np.nan, np.inf, 0]
    )
    x = np.random.default_rng(1).uniform(0.01, 50, 200)
    expected = [math.lgamma(value) for value in x]
    np.testing.assert_allclose(elementary.log_gamma(tf.constant(x)), expected, 1e-13, 1e-13)


def test_a_generator_whose_state_is_first_read_in_a_graph_is_traced_once() -> None:
    generator = tfnp.random.default_rng(1)
    draw = tf.function(lambda: generator.random(2), autograph=False)
    np.testing.assert_array_equal(np.stack([draw(), draw()]), np.random.default_rng(1).random((2, 2)))
    assert draw.experimental_get_tracing_count() == 1


class Noise(tf.Module):
    def __init__(self, generator):
        self.generator = generator

    @tf.function(input_signature=[], autograph=False)
    def draw(self):
        return self.generator.uniform(size=2)


@pytest.mark.parametrize("make", [np.random.default_rng, np.random.RandomState])
@pytest.mark.parametrize("is_drawn", [False, True])
def test_a_model_is_saved_with_its_generator(make, is_drawn, tmp_path):
    """It goes on where the generator stood; a checkpoint brings it back there."""
    expected = make(4).uniform(size=6)
    noise = Noise(getattr(random, make.__name__)(4))
    if is_drawn:
        np.testing.assert_array_equal(noise.draw(), expected[:2])
    tf.saved_model.save(noise, tmp_path / "model")
    loaded = tf.saved_model.load(tmp_path / "model")
    path = tf.train.Checkpoint(noise).write(tmp_path / "checkpoint")
    for drawer in (loaded, noise):
        for first in (2, 4) if is_drawn else (0, 2):
            np.testing.assert_array_equal(drawer.draw(), expected[first : first + 2])
    tf.train.Checkpoint(noise).read(path).assert_consumed()
    np.testing.assert_array_equal(noise.draw(), expected[2:4] if is_drawn else expected[:2])


@pytest.mark.full
@pytest.mark.parametrize("name", ["standard_normal", "randint", "permutation"])
def test_xla_compiles_once_for_all_states(name, tmp_path):
    code = f"""
import os, tensorflow as tf, tfnp
source = tfnp.random.RandomState(0)
draw = tf.function(lambda: source.{name}(9), jit_compile=True)
draw()
before = sorted(os.listdir({str(tmp_path)!r}))
draw()
draw()
assert before and sorted(os.listdir({str(tmp_path)!r})) == before
"""
    environment = os.environ | {"XLA_FLAGS": f"--xla_dump_to={tmp_path} --xla_dump_hlo_as_text"}
    subprocess.run([sys.executable, "-c", code], check=True, env=environment)


@pytest.mark.full
@pytest.mark.parametrize("dtype", [np.uint8, np.int32, np.int64])
def test_powers_of_two_of_many_integers_compile_at_once(dtype):
    """A mask of what is accepted that is constant would be folded, element by element."""
    source = tfnp.random.default_rng(0)
    draw = tf.function(lambda: source.integers(0, 8, 400_000, dtype), jit_compile=True)
    graph = draw.get_concrete_function().graph.as_graph_def()
    nodes = [*graph.node, *(node for function in graph.library.function for node in function.node_def)]
    assert "Cumsum" not in {node.op for node in nodes}
    expected = np.random.default_rng(0).integers(0, 8, 400_000, dtype)
    np.testing.assert_array_equal(draw(), expected)
