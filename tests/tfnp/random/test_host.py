"""Eager draws by NumPy: the numbers and the states of NumPy's generators, and of the samplers in graphs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import tensorflow as tf

import tfnp
from tfnp.random import host

BIT_GENERATORS = ("PCG64", "PCG64DXSM", "Philox", "MT19937", "SFC64")
CALLS: dict[str, Any] = {
    "random": lambda g: g.random(5),
    "random of float32": lambda g: g.random((3, 2), dtype=np.float32),
    "no numbers": lambda g: g.random(0),
    "a number": lambda g: g.random(),
    "normal": lambda g: g.standard_normal(7),
    "normal of float32": lambda g: g.standard_normal((2, 3), dtype=np.float32),
    "int8": lambda g: g.integers(-100, 100, 7, np.int8),
    "uint16": lambda g: g.integers(0, 2**16, 3, np.uint16),
    "bool": lambda g: g.integers(0, 2, 37, bool),
    "int32": lambda g: g.integers(-5, 2**31 - 1, 3, np.int32, endpoint=True),
    "all int64": lambda g: g.integers(-(2**63), 2**63 - 1, 4, endpoint=True),
    "an integer": lambda g: g.integers(5),
    "one value": lambda g: g.integers(3, 4, 5),
    "uint64": lambda g: g.integers(0, 2**40, (2, 2), np.uint64),
    "permutation": lambda g: g.permutation(11),
    "empty permutation": lambda g: g.permutation(0),
    "permuted": lambda g: g.permuted(np.arange(12.0).reshape(3, 4), axis=1),
    "permutation of rows": lambda g: g.permutation(np.arange(10.0).reshape(5, 2)),
    "choice": lambda g: g.choice(20, 6),
}
LONGER_CALLS: dict[str, Any] = {
    "a row of states": lambda g: g.random(1024),
    "rejected bytes": lambda g: g.integers(0, 100, 256, np.uint8),
    "rejected words": lambda g: g.integers(0, 2**63 + 1, 40, np.uint64),
    "int64 of 32 bits": lambda g: g.integers(0, 2**32, 8),
}
"""Draws that end where the samplers might miss by one."""


def pair(name: str, seed: int = 7) -> tuple[np.random.Generator, Any]:
    """Return NumPy's generator and ours, of one seed."""
    numpys, ours = getattr(np.random, name)(seed), getattr(tfnp.random, name)(seed)
    return np.random.Generator(numpys), tfnp.random.Generator(ours)


def assert_same_state(expected: np.random.Generator, actual: Any) -> None:
    np.testing.assert_equal(actual.bit_generator.state, expected.bit_generator.state)


@pytest.mark.parametrize("name", BIT_GENERATORS)
def test_numbers_and_states_are_numpys(name: str) -> None:
    """In any order: words that one call leaves over are used by the next."""
    expected, actual = pair(name)
    for call in np.random.default_rng(3).permutation(np.repeat(list(CALLS), 2)):
        np.testing.assert_array_equal(CALLS[call](actual), CALLS[call](expected), err_msg=call)
        assert_same_state(expected, actual)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("name", BIT_GENERATORS)
def test_exponential_numbers_use_as_many_words_as_numpys(name: str, dtype: Any) -> None:
    """Also where those that are drawn at first do not suffice, and where the last attempt takes two."""
    expected, actual = pair(name)
    for count in (*range(4), *np.random.default_rng(5).integers(50, 400, 60)):
        drawn = [generator.standard_exponential(int(count), dtype) for generator in (actual, expected)]
        np.testing.assert_allclose(*drawn, rtol=2 * np.finfo(dtype).eps)
        np.testing.assert_equal(*(clear_used(generator.bit_generator.state) for generator in (actual, expected)))


@pytest.mark.parametrize("counter", [0, 2**64 - 1, 2**256 - 1])
def test_the_buffer_of_philox_is_empty_before_the_first_draw(counter: int) -> None:
    expected, actual = np.random.Philox(3, counter=counter), tfnp.random.Philox(3, counter=counter)
    for draws in (0, 1, 4, 2):
        np.testing.assert_array_equal(actual.random_raw(draws), expected.random_raw(draws))
        np.testing.assert_equal(actual.state, expected.state)
    np.testing.assert_equal(actual.advance(5).state, expected.advance(5).state)
    np.testing.assert_array_equal(actual.random_raw(3), expected.random_raw(3))


def clear_used(state: dict[str, Any]) -> dict[str, Any]:
    """Return a state without what it holds of numbers that were used: no number is made of that."""
    if state.get("has_uint32") == 0:
        state["uinteger"] = 0
    return state


@pytest.mark.sample(1)
@pytest.mark.parametrize("name", BIT_GENERATORS)
def test_samplers_draw_the_same(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The samplers, which run in graphs, have NumPy's numbers and states."""
    monkeypatch.setattr(host, "is_eager_on_cpu", lambda source: False)
    expected, actual = pair(name)
    for call in np.random.default_rng(4).permutation(np.repeat([*CALLS, *LONGER_CALLS], 2)):
        draw = CALLS.get(call) or LONGER_CALLS[call]
        np.testing.assert_array_equal(draw(actual), draw(expected), err_msg=call)
        states = [clear_used(generator.bit_generator.state) for generator in (actual, expected)]
        np.testing.assert_equal(*states, err_msg=call)


def test_eager_and_graph_in_turn() -> None:
    expected, actual = pair("PCG64")
    draw = tf.function(lambda: actual.random(3), autograph=False)
    for _ in range(2):
        np.testing.assert_array_equal(actual.random(2), expected.random(2))
        np.testing.assert_array_equal(draw(), expected.random(3))
        np.testing.assert_array_equal(actual.integers(0, 9, 3), expected.integers(0, 9, 3))


def test_random_state_keeps_its_normal_number() -> None:
    expected, actual = np.random.RandomState(3), tfnp.random.RandomState(3)
    for call in ("standard_normal", "random_sample", "permutation", "standard_normal", "random_sample"):
        np.testing.assert_allclose(getattr(actual, call)(3), getattr(expected, call)(3), rtol=1e-13, err_msg=call)


def test_a_generator_of_numpys_is_not_advanced() -> None:
    given = np.random.PCG64(5)
    before = given.state
    tfnp.random.Generator(given).random(3)
    assert given.state == before


def test_parameters_have_gradients() -> None:
    loc, scale = tf.Variable(2.0, dtype=tf.float64), tf.Variable([3.0], dtype=tf.float64)
    expected, actual = pair("PCG64")
    with tf.GradientTape() as tape:
        total = tf.reduce_sum(actual.normal(loc, scale, 4))
    by_loc, by_scale = tape.gradient(total, (loc, scale))
    assert by_loc.numpy() == 4
    np.testing.assert_allclose(by_scale, [expected.standard_normal(4).sum()])
    np.testing.assert_array_equal(actual.uniform([1, 2], 5), expected.uniform([1, 2], 5))
