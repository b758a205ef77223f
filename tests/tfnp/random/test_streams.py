"""NumPy's own numbers, one by one: of every generator of bits, and of what is drawn from it."""

from __future__ import annotations

import numpy as np
import pytest
import tensorflow as tf

from tfnp import random

KINDS = ["MT19937", "PCG64", "PCG64DXSM", "Philox", "SFC64"]
DTYPES = ["int64", "uint64", "int32", "uint32", "int16", "uint16", "int8", "uint8", "bool"]


def pair(kind, seed=7):
    return random.Generator(getattr(random, kind)(seed)), np.random.Generator(getattr(np.random, kind)(seed))


def same(first, second):
    if isinstance(first, dict):
        return first.keys() == second.keys() and all(same(first[key], second[key]) for key in first)
    return np.array_equal(first, second)


@pytest.mark.sample(1)
@pytest.mark.parametrize("kind", KINDS)
def test_words_and_states(kind):
    ours, numpys = getattr(random, kind)(3), getattr(np.random, kind)(3)
    for size in (1, 3, 0, (2, 5)):
        np.testing.assert_array_equal(ours.random_raw(size), numpys.random_raw(size))
        assert same(ours.state, numpys.state)
    ours.state = getattr(np.random, kind)(4).state
    assert ours.random_raw().numpy() == getattr(np.random, kind)(4).random_raw()


def test_jumps_and_children():
    ours, numpys = random.Philox(1), np.random.Philox(1)
    ours.random_raw(3), numpys.random_raw(3)
    assert ours.jumped().random_raw().numpy() == numpys.jumped().random_raw()
    ours.advance(10**30), numpys.advance(10**30)
    assert ours.random_raw().numpy() == numpys.random_raw()
    children = random.default_rng(5).spawn(2), np.random.default_rng(5).spawn(2)
    for one, other in zip(*children, strict=True):
        np.testing.assert_array_equal(one.random(3), other.random(3))


@pytest.mark.parametrize("kind", ["Philox"])
def test_integers_of_every_width(kind):
    ours, numpys = pair(kind)
    for dtype in DTYPES:
        low, high = (0, 1) if dtype == "bool" else (np.iinfo(dtype).min, np.iinfo(dtype).max)
        for last in {low, low + 1, min(low + 2**31 + 1, high), high - 1, high}:
            given = {"size": 9, "dtype": dtype, "endpoint": True}
            np.testing.assert_array_equal(ours.integers(low, last, **given), numpys.integers(low, last, **given))
    np.testing.assert_array_equal(ours.random(3), numpys.random(3))


@pytest.mark.parametrize("kind", ["Philox"])
def test_what_a_generator_draws(kind):
    ours, numpys = pair(kind)
    array = np.arange(24).reshape(4, 6)
    for _ in range(2):
        for name, args in {
            "random": [(5,), ((2, 3), np.float32), ()],
            "integers": [(10, None, 5), (-5, 5, (3, 4))],
            "uniform": [(2, [3, 4, 5.0]), (0, 1, (2, 3))],
            "standard_normal": [(3000,)],
            "normal": [([1.0, 2.0], 3)],
            "permutation": [(1,), (2,), (100,), (array,), (array, 1)],
            "choice": [(10, 5), ([1.5, 2.5], (2, 2), True, [0.25, 0.75])],
            "permuted": [(array,)],
            "bytes": [(0,), (11,)],
        }.items():
            for given in args:
                np.testing.assert_array_equal(getattr(ours, name)(*given), getattr(numpys, name)(*given), name)
        np.testing.assert_array_equal(ours.permuted(array, axis=0), numpys.permuted(array, axis=0))
    np.testing.assert_allclose(ours.standard_exponential(3000), numpys.standard_exponential(3000), 1e-15)


def test_a_million():
    ours, numpys = pair("Philox", 2026)
    count = 10**6
    np.testing.assert_array_equal(ours.random(count), numpys.random(count))
    np.testing.assert_array_equal(ours.integers(0, 1000, count), numpys.integers(0, 1000, count))
    assert ours.bytes(count) == numpys.bytes(count)


@pytest.mark.full
def test_what_follows_from_logarithms():
    ours, numpys = pair("Philox")
    for name, given in {
        "exponential": (2.0,),
        "lognormal": (0.5, 2.0),
        "laplace": (1.0, 2.0),
        "gumbel": (1.0, 2.0),
        "logistic": (1.0, 2.0),
        "rayleigh": (2.0,),
        "pareto": (3.0,),
        "weibull": (2.0,),
        "power": (3.0,),
        "triangular": (0.0, 1.0, 3.0),
        "geometric": (0.1,),
    }.items():
        np.testing.assert_allclose(
            getattr(ours, name)(*given, 50), getattr(numpys, name)(*given, 50), 1e-12, 0, False, name
        )


@pytest.mark.full
def test_the_older_interface():
    random.seed(42), np.random.seed(42)
    for name, args in {
        "rand": [(3,), ()],
        "random_sample": [((2, 2),)],
        "randint": [(10,), (0, 100, 7), (0, 200, 5, np.uint8)],
        "uniform": [(-1, 1, 3)],
        "permutation": [(10,), (np.arange(6).reshape(3, 2),)],
        "choice": [(5, 3), (5, 3, False), ([1, 2, 3], 4, True, [0.1, 0.2, 0.7])],
        "bytes": [(5,)],
    }.items():
        for given in args:
            np.testing.assert_array_equal(getattr(random, name)(*given), getattr(np.random, name)(*given), name)
    for name, given in {"randn": (3,), "normal": (1.0, 2.0, 2), "standard_exponential": (3,)}.items():
        np.testing.assert_allclose(getattr(random, name)(*given), getattr(np.random, name)(*given), 1e-13)
    ours, numpys = [1, 2, 3, 4, 5], [1, 2, 3, 4, 5]
    random.shuffle(ours), np.random.shuffle(numpys)
    assert ours == numpys
    state = np.random.get_state()
    np.random.randn()
    random.set_state(state), np.random.set_state(state)
    assert random.randn().numpy() == np.random.randn()
    assert same(random.get_state()[1], np.random.get_state()[1])


def test_a_variable_is_shuffled():
    ours, numpys = pair("PCG64")
    array, variable = np.arange(12.0).reshape(3, 4), tf.Variable(np.arange(12.0).reshape(3, 4))
    ours.shuffle(variable, 1), numpys.shuffle(array, 1)
    np.testing.assert_array_equal(variable, array)
    with pytest.raises(TypeError, match=r"tf\.Variable"):
        ours.shuffle(tf.constant([1, 2]))
