"""The bit generator of TensorFlow's kernels: one stream in every mode, which draws never share."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest
import tensorflow as tf

import tfnp
from tfnp.random import Generator, TensorFlowPhilox, host, sampling

DRAWS = {
    "random": lambda rng, n: rng.random(n),
    "float32": lambda rng, n: rng.random(n, np.float32),
    "normals": lambda rng, n: rng.standard_normal(n),
    "float32 normals": lambda rng, n: rng.standard_normal(n, np.float32),
    "integers": lambda rng, n: rng.integers(-5, 17, n),
    "bytes": lambda rng, n: rng.integers(0, 256, n, np.uint8),
    "words": lambda rng, n: rng.integers(0, 2**64, n, np.uint64),
    "highest": lambda rng, n: rng.integers(2**64 - 9, 2**64 - 1, n, np.uint64, endpoint=True),
    "large range": lambda rng, n: rng.integers(-(2**62), 2**62, n),
    "uniform": lambda rng, n: rng.uniform([0.0], [2.0], n),
    "normal": lambda rng, n: rng.normal(3, 2, n),
    "exponential": lambda rng, n: rng.exponential(3, n),
    "permutation": lambda rng, n: rng.permutation(n),
    "choice": lambda rng, n: rng.choice(5, n),
}


def make(seed: Any = 1) -> Generator:
    return Generator(TensorFlowPhilox(seed))


@pytest.mark.sample(1)
@pytest.mark.parametrize("name", DRAWS)
def test_modes_draw_one_stream(name: str) -> None:
    """Two draws in each mode are those of eager mode; the last digits of logarithms may differ."""
    draw = DRAWS[name]
    eager = make()
    expected = [draw(eager, 7).numpy() for _ in range(2)]
    assert not np.array_equal(*expected)
    for options in ({}, {"jit_compile": True}):
        rng = make()
        function = tf.function(lambda rng=rng: draw(rng, 7), autograph=False, **options)
        for one in expected:
            actual = function().numpy()
            assert actual.dtype == one.dtype
            tolerance = 1e-5 if one.dtype == np.float32 else 1e-12
            np.testing.assert_allclose(actual, one, tolerance, tolerance)
            if name in ("random", "float32", "words", "bytes", "integers", "permutation"):
                np.testing.assert_array_equal(actual, one)


@pytest.mark.parametrize("name", ["random", "normals", "integers", "exponential", "choice"])
def test_sizes_may_be_dynamic(name: str) -> None:
    function = tf.function(
        lambda n: DRAWS[name](make(), n), autograph=False, input_signature=[tf.TensorSpec([], tf.int64)]
    )
    np.testing.assert_allclose(function(7), DRAWS[name](make(), 7), 1e-12)


def test_draws_are_those_of_the_stateless_ops() -> None:
    state = TensorFlowPhilox(3).state["state"]
    options = {"key": [state["key"]], "counter": state["counter"], "alg": 1}
    uniforms = tf.raw_ops.StatelessRandomUniformV2(shape=[5], dtype=tf.float64, **options)
    np.testing.assert_array_equal(make(3).random(5), uniforms)
    normals = tf.raw_ops.StatelessRandomNormalV2(shape=[5], dtype=tf.float32, **options)
    np.testing.assert_array_equal(make(3).standard_normal(5, np.float32), normals)


def test_draws_do_not_overlap() -> None:
    rng = make()
    words = np.concatenate([rng.bit_generator.random_raw(count).numpy() for count in (1, 2, 3, 1, 50, 1, 7)])
    assert np.unique(words).size == words.size
    rng = make()
    numbers = np.concatenate([rng.random(count).numpy() for count in (1, 5, 3, 1, 50)])
    assert np.unique(numbers).size == numbers.size


@pytest.mark.parametrize("name", ["random", "float32", "normals", "uniform", "normal", "exponential", "integers"])
def test_moments(name: str) -> None:
    mean, deviation = {
        "normals": (0, 1),
        "uniform": (1, 3**-0.5),
        "normal": (3, 2),
        "exponential": (3, 3),
        "integers": (5.5, ((22**2 - 1) / 12) ** 0.5),
    }.get(name, (0.5, 12**-0.5))
    drawn = DRAWS[name](make(), 40000).numpy().astype(float)
    assert abs(drawn.mean() - mean) < 5 * deviation / 200
    assert abs(drawn.std() - deviation) < 0.03 * deviation


@pytest.mark.parametrize("dtype", "?bBhHiIlL")
def test_integers_of_every_dtype(dtype: str) -> None:
    low, high = (0, 1) if dtype == "?" else (np.iinfo(dtype).min, np.iinfo(dtype).max)
    for first, last in ((low, high), (high, high), (low, low), (high - 1, high)):
        drawn = make().integers(first, last, (3, 50), dtype, endpoint=True).numpy()
        assert drawn.dtype == np.dtype(dtype)
        assert drawn.min() >= first
        assert drawn.max() <= last
        assert last == first or np.unique(drawn).size > 1
    with pytest.raises(ValueError, match="low >="):
        make().integers(5, 5)


@pytest.mark.full
def test_permutations() -> None:
    rng = make()
    for length in (0, 1, 2, 50):
        np.testing.assert_array_equal(np.sort(rng.permutation(length)), np.arange(length))
    rows = rng.permuted(np.tile(np.arange(20), (3, 1)), axis=1).numpy()
    np.testing.assert_array_equal(np.sort(rows, 1), np.tile(np.arange(20), (3, 1)))
    assert not np.array_equal(rows[0], rows[1])
    firsts = np.bincount([int(rng.permutation(3)[0]) for _ in range(300)], minlength=3)
    assert firsts.min() > 50


def test_the_state_is_read_and_written() -> None:
    rng = make()
    rng.random(5)
    state = rng.bit_generator.state
    copy = pickle.loads(pickle.dumps(rng.bit_generator))
    expected = rng.random(3)
    np.testing.assert_array_equal(Generator(copy).random(3), expected)
    rng.bit_generator.state = state
    np.testing.assert_array_equal(rng.random(3), expected)
    ahead = make().bit_generator.advance(5)
    np.testing.assert_array_equal(Generator(ahead).random(3), expected)
    ahead.advance(-8)
    np.testing.assert_array_equal(Generator(ahead).random(3), make().random(3))
    for wrong in ({"bit_generator": "PCG64"}, {**state, "state": {"key": 1, "counter": [1]}}):
        with pytest.raises(ValueError, match="must"):
            rng.bit_generator.state = wrong
    assert repr(rng) == "Generator(TensorFlowPhilox)"


def test_the_counter_has_a_carry() -> None:
    bits = TensorFlowPhilox(0)
    bits.state = {"bit_generator": "TensorFlowPhilox", "state": {"key": 5, "counter": [2**64 - 2, 7]}}
    Generator(bits).random(4)
    assert bits.state["state"]["counter"].tolist() == [2, 8]


def test_seeds() -> None:
    assert not np.array_equal(make(1).random(3), make(2).random(3))
    np.testing.assert_array_equal(make(np.random.SeedSequence(5)).random(3), make(5).random(3))
    children = TensorFlowPhilox(5).spawn(2)
    assert not np.array_equal(*(Generator(child).random(3) for child in children))
    assert not np.array_equal(make(None).random(3), make(None).random(3))


def test_gradients_go_to_locations_and_scales() -> None:
    scale = tf.Variable(2.0, dtype=tf.float64)
    with tf.GradientTape() as tape:
        drawn = tf.reduce_sum(make().normal(0.0, scale, 3))
    np.testing.assert_allclose(tape.gradient(drawn, scale), np.sum(make().standard_normal(3)))


def test_preferred_float32_and_out() -> None:
    with tfnp.numpy_behavior(prefer_float32=True):
        assert make().random(3).dtype == make().normal(size=3).dtype == tf.float32
    out = tf.Variable(tf.zeros(3, tf.float64))
    make().random(out=out)
    np.testing.assert_array_equal(out, make().random(3))


def test_numbers_of_a_legacy_class() -> None:
    rng = tfnp.random.RandomState(TensorFlowPhilox(1))
    assert rng.randn(3).shape == rng.randint(0, 9, 3).shape == (3,)


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("gamma", ([0.3, 5.0], 2.0)),
        ("binomial", (100, 0.4)),
        ("zipf", (3.0,)),
        ("dirichlet", ([1.0, 2.0],)),
        ("multinomial", (9, [0.5, 0.5])),
        ("integers", (0, [5, 9])),
    ],
)
def test_arrays_give_the_bits_of_tensors(
    name: str, arguments: tuple[Any, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """In eager mode NumPy draws from lanes under a key of this generator."""
    drawn = []
    for is_on_host in (True, False):
        if not is_on_host:
            monkeypatch.setattr(host, "is_eager_on_cpu", lambda source: False)
        source = make(3)
        sizes = (7, 2) if name in ("gamma", "integers") else 7
        drawn.append([*(getattr(source, name)(*arguments, sizes).numpy() for _ in range(2)), source.random(2).numpy()])
    for one, other in zip(*drawn, strict=True):
        np.testing.assert_array_equal(one, other)


def test_eager_draws_from_lanes_use_no_tensors(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sampling, "_run_sampler", None)
    assert make(3).beta(2.0, 3.0, 5).shape == (5,)
