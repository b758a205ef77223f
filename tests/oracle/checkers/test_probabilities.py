"""Tail probabilities, and their inverse."""

from __future__ import annotations

from statistics import NormalDist

import numpy as np

from oracle.checkers.probabilities import normal_scores, normal_tails


def test_scores_have_their_tail_probabilities() -> None:
    scores = np.linspace(-37, 37, 1001)
    lower, upper = normal_tails(scores)
    np.testing.assert_allclose(normal_scores(lower, upper), scores, rtol=0, atol=1e-6)


def test_scores_are_those_of_the_standard_library() -> None:
    tail = np.random.default_rng(0).random(1000) / 2
    expected = [NormalDist().inv_cdf(probability) for probability in tail]
    np.testing.assert_allclose(normal_scores(tail, 1 - tail), expected, rtol=0, atol=1e-6)
    assert normal_scores(np.array([0.5]), np.array([0.5]))[0] == 0
