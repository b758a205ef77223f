"""Tail probabilities, and their inverse."""

from __future__ import annotations

from statistics import NormalDist

import numpy as np
import pytest

from oracle.equality.probabilities import gamma_tails, log_beta, normal_scores, normal_tails
from oracle.equality.uniformity import is_usual


def test_scores_have_their_tail_probabilities() -> None:
    scores = np.linspace(-37, 37, 1001)
    lower, upper = normal_tails(scores)
    np.testing.assert_allclose(normal_scores(lower, upper), scores, rtol=0, atol=1e-6)


def test_scores_are_those_of_the_standard_library() -> None:
    tail = np.random.default_rng(0).random(1000) / 2
    expected = [NormalDist().inv_cdf(probability) for probability in tail]
    np.testing.assert_allclose(normal_scores(tail, 1 - tail), expected, rtol=0, atol=1e-6)
    assert normal_scores(np.array([0.5]), np.array([0.5]))[0] == 0


@pytest.mark.parametrize("count", [2, 7, 8, 20, 1000, 20_000])
def test_usual_sums_of_squares_are_not_in_a_tail(count: int) -> None:
    squares = np.concatenate([np.geomspace(1e-9, 1, 500), np.linspace(1, 10, 500)]) * count
    usual = np.array([is_usual(one, count) for one in squares])
    assert usual.any() == (count >= 8)
    lower, upper = gamma_tails(count / 2, squares[usual] / 2)
    assert (np.minimum(lower, upper) > 1e-6).all()
    lower, upper = gamma_tails(count / 2, squares / 2)
    assert not usual[np.minimum(lower, upper) < 1e-6].any()


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        (1, 1, 0.0),
        (2, 30, -np.log(930)),
        (12, 1, -np.log(12)),
        (8.3e15, 1, -np.log(8.3e15)),
        (2, 1e12, -np.log(1e12) - np.log(1e12 + 1)),
        (3, 8.3e15, np.log(2) - 3 * np.log(8.3e15)),
    ],
)
def test_the_beta_function_of_whole_numbers(a: float, b: float, expected: float) -> None:
    np.testing.assert_allclose(log_beta([a, b], [b, a]), expected, rtol=1e-14, atol=1e-13)
