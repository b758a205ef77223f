"""Eager draws from arrays: the bits and the states of the samplers on tensors."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import tensorflow as tf

from tests import tiers
from tests.tfnp.random.everywhere import EVERY, new_source
from tfnp import random
from tfnp._core import traces
from tfnp.random import arrays, bounds, elementary, gammas, global_state, host, host_streams, sampling, ziggurat

SPECIAL = [0.0, -0.0, np.inf, -np.inf, np.nan, 1.0, -1.0, 0.5, 1e300, 1e-300, np.nextafter(1, 0), np.nextafter(1, 2)]


def draw_twice(name: str, index: int, count: int) -> tuple[list[np.ndarray], np.ndarray]:
    """Return what two draws give, and the words of the state after them."""
    source = new_source(name)
    drawn = [np.asarray(EVERY[name][index](source, length)) for length in (count, 3)]
    generator = global_state.get_bit_generator() if source is random else source._bit_generator
    state, size = generator._state.peek().copy(), generator._algorithm.size
    if not state[size]:
        state[size + 1] = 0  # no half word is left over: what is there was used
    return drawn, state


def assert_same_bits(actual: tuple[Any, np.ndarray], expected: tuple[Any, np.ndarray], message: str) -> None:
    for one, other in zip(actual[0], expected[0], strict=True):
        assert (one.dtype, one.tobytes()) == (other.dtype, other.tobytes()), message
    np.testing.assert_array_equal(actual[1], expected[1], message)


@pytest.mark.sample(6)
@pytest.mark.parametrize("name", EVERY)
def test_arrays_give_the_bits_of_tensors(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for index in range(len(EVERY[name])):
        by_arrays = draw_twice(name, index, 50)
        with monkeypatch.context() as patch:
            patch.setattr(host, "is_eager_on_cpu", lambda source: False)
            by_tensors = draw_twice(name, index, 50)
        assert_same_bits(by_arrays, by_tensors, f"{name} {index}")


def test_long_draws_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Parts, blocks and the ways to draw rejected lanes change no bit."""
    for name in tiers.sample([*EVERY], 30):
        for index in range(len(EVERY[name])):
            expected = draw_twice(name, index, 150)
            with monkeypatch.context() as patch:
                patch.setattr(host, "PART", 64)
                patch.setattr(arrays, "BLOCK", 16)
                patch.setattr(host_streams, "ROWS", 7)
                patch.setattr(arrays, "_FEW", 1)
                assert_same_bits(draw_twice(name, index, 150), expected, f"{name} {index}")


@pytest.mark.parametrize("call", [0, 4])
def test_few_lanes_draw_alone(call: int, monkeypatch: pytest.MonkeyPatch) -> None:
    parameters = ([0.3, 1.0, 40.0], 2.0, (300, 3))
    expected = random.default_rng(3).gamma(*parameters)
    monkeypatch.setattr("tfnp.random.counter_streams.CALL", call)
    monkeypatch.setattr("tfnp.random.counter_streams.SPARSE", 1e-9 if call else 1e9)
    np.testing.assert_array_equal(random.default_rng(3).gamma(*parameters), expected)


@pytest.mark.sample(1)
@pytest.mark.parametrize("jit", [False, True])
def test_lanes_in_work_follow_each_other(jit: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each has its own attempts and parameters, however many are in work; one that needs no number ends at once."""
    monkeypatch.setattr("tfnp.random.counter_streams.LANES_AT_ONCE", 5)
    traces.forget_traces()
    source, parameters = random.default_rng(3), np.array([0.3, 0.0, 40.0, np.nan] * 20)
    draw = tf.function(lambda: source.standard_gamma(parameters), autograph=False, jit_compile=jit)
    np.testing.assert_array_equal(draw(), random.default_rng(3).standard_gamma(parameters))
    traces.forget_traces()


@pytest.mark.full
@pytest.mark.parametrize("jit", [False, True])
def test_no_lanes(jit: bool) -> None:
    source = random.default_rng(3)
    draw = tf.function(lambda: source.standard_gamma(2.0, 0), autograph=False, jit_compile=jit)
    assert draw().shape == (0,)


def test_eager_draws_trace_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any) -> None:
        raise AssertionError("a draw traced its sampler")

    monkeypatch.setattr(sampling, "_trace_sampler", fail)
    monkeypatch.setattr(traces, "TRACE_AFTER", 0)
    for name in EVERY:
        for index, draw in enumerate(EVERY[name]):
            if "choice" in name and index == 3:
                continue  # without replacement, by probabilities: sorts tensors
            draw(new_source(name), 4)


def test_parameters_at_the_edge(monkeypatch: pytest.MonkeyPatch) -> None:
    """Subnormal numbers count as zeros, and results that would be subnormal are."""
    tiny = np.array([5e-324, 1e-310, 1e-3, 2e-3, 0.0, 1.0] * 40)
    calls = {
        "gamma": lambda source: source.gamma(tiny, 1.0),
        "gamma of tiny scale": lambda source: source.gamma(2.0, tiny),
        "poisson": lambda source: source.poisson(tiny),
        "poisson of zero": lambda source: source.poisson(0.0, 5),
        "noncentral_chisquare": lambda source: source.noncentral_chisquare([[3.0], [0.5], [1.0]], [0.0, 2.0], (3, 2)),
        "lognormal": lambda source: source.lognormal(np.tile([-745.0, -720.0, 0.0, 708.0], 60), 3.0),
        "weibull": lambda source: source.weibull(tiny),
        "beta": lambda source: source.beta(np.maximum(tiny, 1e-310), 1e-3),
        "binomial": lambda source: source.binomial(np.tile([0, 1, 10**15], 80), np.repeat([0.0, 0.5, 1.0], 80)),
    }
    for name, draw in calls.items():
        by_arrays = np.asarray(draw(random.default_rng(5)))
        with monkeypatch.context() as patch:
            patch.setattr(host, "is_eager_on_cpu", lambda source: False)
            by_tensors = np.asarray(draw(random.default_rng(5)))
        np.testing.assert_array_equal(by_arrays, by_tensors, name)


@pytest.mark.parametrize("name", ["log", "exp", "expm1", "log1p", "cos_turns", "arctan", "log_gamma", "arccos"])
def test_elementary_functions_of_arrays(name: str) -> None:
    function = getattr(elementary, name)
    generator = np.random.default_rng(2)
    many = np.concatenate([generator.uniform(0, 1, 2000), generator.uniform(-800, 800, 2000), SPECIAL])
    if name in ("arctan", "arccos", "log_gamma"):
        many = many[(many >= 0) & (many <= (1 if name == "arccos" else np.inf))]
    for values in (many, many[:50], np.float64(0.25)):
        with np.errstate(all="ignore"):
            by_arrays = np.asarray(function(values))
        np.testing.assert_array_equal(by_arrays, function(tf.constant(values)).numpy())


def test_what_is_surely_accepted_is_accepted() -> None:
    generator = np.random.default_rng(1)
    size = 200_000
    d = 10 ** generator.uniform(np.log10(2 / 3), 14, size)
    x = generator.normal(size=size) * 10 ** generator.uniform(-6, 0.5, size)
    root = 1 + x / np.sqrt(9 * d)
    u, x, d = ((row[root > 0]) for row in (1 - 10 ** generator.uniform(-16, 0, size), x, d))
    log_v = 3 * elementary.log(root[root > 0])
    is_sure = gammas._is_surely_below(u, x, d)
    assert is_sure.mean() > 0.2
    assert gammas._is_below(u, x, log_v, d)[is_sure].all()


@pytest.mark.parametrize(
    ("long", "starts"),
    [([], []), ([0], [0]), ([0, 1], [0]), ([0, 1, 2, 5, 6, 9], [0, 2, 5, 9]), ([3, 4, 5, 6], [3, 5])],
)
def test_attempts_of_two_words(long: list[int], starts: list[int]) -> None:
    assert ziggurat._find_long_starts(np.array(long, np.int64)).tolist() == starts


@pytest.mark.full
def test_xla_makes_attempts_once() -> None:
    """It does not make them anew for each distance between words."""

    @tf.function(jit_compile=True, autograph=False)
    def find_starts(row: tf.Tensor) -> tf.Tensor:
        lengths = tf.where(tf.sin(row) > 0.9, 13, 1)
        return ziggurat._find_starts(lengths, 13) & (lengths > 1)

    program = find_starts.experimental_get_compiler_ir(tf.zeros(100_000, tf.float64))(stage="optimized_hlo")
    assert 1 <= program.count(" sine(") <= 2


def test_random_state_in_eager_mode_and_graphs_in_turn() -> None:
    """The normal number that a call leaves over is the first of the next one, in either."""
    expected, actual = np.random.RandomState(3), random.RandomState(3)
    draw = tf.function(lambda: actual.standard_normal(3), autograph=False)
    for _ in range(2):
        for ours in (draw, lambda: actual.standard_normal(3), lambda: actual.standard_normal(0)):
            drawn = ours().numpy()
            np.testing.assert_allclose(drawn, expected.standard_normal(drawn.size), rtol=1e-13)


def test_a_test_of_no_elements_is_not_made() -> None:
    def fail(*_: Any) -> None:
        raise AssertionError("nothing is open")

    assert not arrays.decide(np.zeros(3, bool), fail, np.ones(3)).any()


def test_selections_of_one_operand_are_no_copies() -> None:
    x, y = np.zeros(arrays._FEW), np.ones(arrays._FEW)
    assert arrays.where(x == 0.0, x, y) is x
    assert arrays.where(x != 0.0, x, y) is y
    assert arrays.where(np.bool_(True), x, np.float64(1.0)) is x
    assert arrays.where(np.bool_(False), np.float64(1.0), y) is y
    assert arrays.where(np.bool_(True), np.float64(1.0), y).shape == y.shape


@pytest.mark.sample(1)
@pytest.mark.parametrize("cov", [[[1e-300, 0.0], [0.0, 1.0]], [[4e-320, 0.0], [0.0, 1.0]], [[1e308, 0.0], [0.0, 1.0]]])
def test_normal_vectors_of_extreme_covariances(cov: list[list[float]]) -> None:
    """Products that are subnormal are zeros, as in graphs."""
    draw = tf.function(lambda source: source.multivariate_normal([0.0, 0.0], cov, 50), autograph=False)
    eager, in_graph = random.default_rng(3), random.default_rng(3)
    drawn = eager.multivariate_normal([0.0, 0.0], cov, 50)
    np.testing.assert_array_equal(drawn, draw(in_graph))


@pytest.mark.parametrize("dtype", [np.bool_, np.int8, np.int64, np.uint8, np.uint64])
def test_bounds_of_every_dtype_as_words(dtype: Any) -> None:
    values = np.array([0, 1, 127, 200, 2**63]).astype(np.uint64).astype(dtype)
    expected = [int(value) % 2**64 for value in values]
    assert bounds._make_words(values).tolist() == expected
    assert bounds._make_words(values.astype(object)).tolist() == expected


def test_select_bits() -> None:
    condition = np.arange(8) % 3 == 0
    for x, y in [
        (np.arange(8.0), np.float64(np.nan)),
        (np.int64(-1), np.arange(8)),
        (np.arange(8, dtype=np.uint64), np.uint64(2**64 - 1)),
    ]:
        np.testing.assert_array_equal(arrays._select_bits(condition, x, y), np.where(condition, x, y))


def test_a_point_of_no_dimensions_has_no_numbers() -> None:
    assert random.default_rng(1).dirichlet([]).shape == (0,)
    assert random.default_rng(1).dirichlet([], 3).shape == (3, 0)
    for size in (None, 2, (2, 0)):
        expected = np.random.default_rng(1).multinomial(3, [1.0], size)
        np.testing.assert_array_equal(random.default_rng(1).multinomial(3, [1.0], size), expected)


@pytest.mark.parametrize(
    "k",
    [
        np.arange(9000.0),
        np.array([0.0, 1.0, 4095.0]),
        np.array([0.5, 3.0]),
        np.array([1e9]),
        *map(np.float64, (7, 0.5)),
    ],
)
def test_factorials_from_the_table_have_the_digits_of_the_series(k):
    expected = elementary.log_gamma(tf.constant(k + 1.0)).numpy()
    np.testing.assert_array_equal(elementary.log_factorial(k), expected)
    np.testing.assert_array_equal(elementary.log_factorial(tf.constant(k)), expected)
