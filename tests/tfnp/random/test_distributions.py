"""Every distribution against NumPy's, by the greatest distance between what was drawn (Kolmogorov and Smirnov)."""

from __future__ import annotations

import math
import zlib

import numpy as np
import pytest
import tensorflow as tf

from tests.tfnp.random.parameters import PARAMETERS
from tfnp import random

LEVEL = 1e-6
SEEDS = range(20)
COUNT = 500
OF_EACH_ALGORITHM = {"binomial", "gamma", "hypergeometric", "poisson"}
CASES = [(name, given) for name, every in PARAMETERS.items() for given in every]


def generator(seed):
    return random.Generator(random.Philox(seed))


def distance(first, second):
    """The greatest between two empirical distribution functions, of each column."""
    grid = np.sort(np.concatenate([first, second]), 0)
    return max(
        np.abs(
            np.searchsorted(np.sort(a), g, "right") / len(a) - np.searchsorted(np.sort(b), g, "right") / len(b)
        ).max()
        for a, b, g in zip(first.T, second.T, grid.T, strict=True)
    )


def limit(first, second, tests):
    """What it passes by chance in one of so many tests, at the level."""
    total = len(first) * len(second) / (len(first) + len(second))
    return math.sqrt(math.log(2 * tests / LEVEL) / (2 * total))


def mark_full(name, given):
    return pytest.param(name, given, marks=[] if name in OF_EACH_ALGORITHM else pytest.mark.full)


@pytest.mark.parametrize(("name", "given"), [mark_full(*case) for case in CASES], ids=str)
def test_a_distribution_is_numpys(name, given):
    check_distribution(generator, name, given)


@pytest.mark.full
@pytest.mark.parametrize(("name", "given"), [("gamma", (0.3, 2.0)), ("lognormal", (0.5, 1.5))], ids=str)
def test_of_the_older_interface(name, given):
    """The others are all that `python -m tests.tfnp.random.everywhere --distributions` has time for."""
    check_distribution(random.RandomState, name, given)


def check_distribution(source, name, given):
    """Of each seed, and of all together."""
    numpys = getattr(np.random.default_rng(zlib.crc32(name.encode())), name)(*given, size=20000)
    drawn = [getattr(source(seed), name)(*given, size=COUNT).numpy() for seed in SEEDS]
    assert drawn[0].dtype == numpys.dtype
    assert drawn[0].shape[1:] == numpys.shape[1:]
    numpys, drawn = numpys.reshape(20000, -1), [one.reshape(COUNT, -1) for one in drawn]
    columns = numpys.shape[1]
    for one in drawn:
        assert distance(one, numpys) < limit(one, numpys, len(SEEDS) * columns)
    every = np.concatenate(drawn)
    assert distance(every, numpys) < limit(every, numpys, columns)


def test_streams_of_neighbours_are_independent():
    rows = np.stack([generator(seed).gamma(2.0, size=COUNT).numpy() for seed in SEEDS])
    found = np.corrcoef(rows) - np.eye(len(SEEDS))
    assert np.abs(found).max() < 5.5 / math.sqrt(COUNT)
    later = np.corrcoef(rows[:, :-1].ravel(), rows[:, 1:].ravel())[0, 1]
    assert abs(later) < 5 / math.sqrt(rows.size)


@pytest.mark.parametrize("count", [1, 2, 6])
def test_orders_are_equally_likely(count):
    """By chi-square, of which the 1e-6 quantile is taken from Wilson and Hilferty's cube."""
    rng = generator(9)
    rows = rng.permuted(np.tile(np.arange(min(count, 4)), (4000, 1)), axis=1).numpy()
    _, seen = np.unique(rows, axis=0, return_counts=True)
    orders = math.factorial(rows.shape[1])
    assert len(seen) == orders
    free = max(orders - 1, 1)
    quantile = free * (1 - 2 / (9 * free) + 4.753 * math.sqrt(2 / (9 * free))) ** 3
    assert np.sum((seen - 4000 / orders) ** 2) / (4000 / orders) < quantile


@pytest.mark.full
def test_choices_without_replacement():
    rng = generator(9)
    chances = np.array([0.1, 0.0, 0.4, 0.5])
    drawn = np.array([rng.choice(4, 2, replace=False, p=chances).numpy() for _ in range(200)])
    assert 1 not in drawn
    assert np.all(drawn[:, 0] != drawn[:, 1])
    assert abs(np.mean(drawn[:, 0] == 3) - 0.5) < 5 * math.sqrt(0.25 / 200)
    assert sorted(rng.choice(5, 5, replace=False).numpy()) == [0, 1, 2, 3, 4]


@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("gamma", (0.0, 1.0)),
        ("binomial", (0, 0.5)),
        ("binomial", (10, 0.0)),
        ("poisson", (0.0,)),
        ("geometric", (1.0,)),
        ("weibull", (0.0,)),
        ("zipf", (2000.0,)),
        ("hypergeometric", (0, 5, 3)),
        ("hypergeometric", (5, 0, 3)),
        ("negative_binomial", (3, 1.0)),
        ("logseries", (0.0,)),
        ("exponential", (0.0,)),
        ("normal", (3.0, 0.0)),
    ],
)
def test_what_is_certain(name, given):
    found = getattr(generator(1), name)(*given, size=20)
    np.testing.assert_array_equal(found, getattr(np.random.default_rng(1), name)(*given, size=20))


@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("poisson", (9e18,)),
        ("binomial", (2**62, 0.3)),
        ("gamma", (1e300,)),
        ("zipf", (1.0000001,)),
        ("vonmises", (0.0, 1e5)),
    ],
)
def test_what_is_huge_ends(name, given):
    assert np.all(np.isfinite(getattr(generator(1), name)(*given, size=5)))


@pytest.mark.full
@pytest.mark.parametrize("compiled", [False, True])
def test_standard_gamma_keeps_the_shape_of_its_parameter(compiled):
    def sample(shape):
        return random.default_rng(3).standard_gamma(shape)

    expected = np.random.default_rng(3).standard_gamma([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    result = (tf.function(sample) if compiled else sample)(tf.constant([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]))
    assert result.shape == expected.shape


@pytest.mark.full
@pytest.mark.parametrize("name", ["pareto", "power", "weibull"])
def test_parameters_that_cannot_be_checked_give_nan(name):
    sample = tf.function(getattr(random.default_rng(3), name))
    assert np.isnan(sample(tf.constant(-1.0)))
    assert sample(tf.constant(2.0)) > 0
