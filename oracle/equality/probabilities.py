"""Tail probabilities of basic distributions, as functions of arrays.

Each returns `(P(X <= x), P(X > x))`, with the smaller of the two accurate relative to itself, so that draws far out in
either tail can be judged; nan where a series did not converge. Sources: the NIST Digital Library of Mathematical
Functions (DLMF), and Press et al., Numerical Recipes, chapter 6.
"""

from __future__ import annotations

import math
from functools import lru_cache
from statistics import NormalDist
from typing import Any

import numpy as np

Tails = tuple[np.ndarray, np.ndarray]

MOST_STEPS = 3000
CONVERGED = 1e-13
_TINY = 1e-300
_erfc = np.frompyfunc(math.erfc, 1, 1)
_STIRLING = (1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188, -691 / 360360)
LARGE_SHAPE = 2000.0
"""From here on the cube root of a gamma variate is as good as normal."""


def log_gamma(x: Any) -> np.ndarray:
    """Return the logarithm of the gamma function: Stirling's series (DLMF 5.11.1) after a shift by 10."""
    x = np.asarray(x, float)
    is_small = x < 10
    shifted = np.where(is_small, x + 10, x)
    result = (shifted - 0.5) * np.log(shifted) - shifted + 0.5 * math.log(2 * math.pi) + _stirling_series(shifted)
    if not is_small.any():
        return result
    product = np.where(is_small, x, 1.0)
    for step in range(1, 10):
        product = product * np.where(is_small, x + step, 1.0)
    return result - np.log(product)


def _stirling_series(x: np.ndarray) -> np.ndarray:
    """Return the rest of Stirling's formula for x >= 10, in powers of 1 / x."""
    inverse = 1 / x
    series, square = np.zeros_like(x), inverse * inverse
    for term in reversed(_STIRLING):
        series = series * square + term
    return series * inverse


def normal_tails(z: Any) -> Tails:
    """Return the tails of the standard normal distribution (DLMF 7.2.2)."""
    z = np.asarray(z, float) / math.sqrt(2)
    return 0.5 * _erfc(-z).astype(float), 0.5 * _erfc(z).astype(float)


def normal_scores(lower: np.ndarray, upper: np.ndarray) -> np.ndarray:
    """Return the numbers that have these tail probabilities under the standard normal distribution, to within 1e-6.

    They are interpolated between scores of NormalDist's, which takes a microsecond for each.
    """
    tail = np.clip(np.minimum(lower, upper), _TINY, 0.5)
    return np.where(lower < upper, -1.0, 1.0) * np.interp(np.sqrt(-np.log(tail)), *_tabulate_scores())


@lru_cache(maxsize=1)
def _tabulate_scores() -> tuple[np.ndarray, np.ndarray]:
    """Return scores of upper tails, by the square root of minus the logarithm, in which they are nearly linear."""
    roots = np.linspace(math.sqrt(math.log(2)), math.sqrt(-math.log(_TINY)), 20_000)
    inverse = NormalDist().inv_cdf
    return roots, np.array([-inverse(min(math.exp(-(root**2)), 0.5)) for root in roots])


def log_normal_tail(z: np.ndarray) -> np.ndarray:
    """Return the logarithm of P(Z > z) for z >= 0: from its asymptotic series (DLMF 7.12.1) where it is too small."""
    near = np.log(normal_tails(np.minimum(z, 30))[1])
    far = np.maximum(z, 30)
    series = -0.5 * far**2 - np.log(far * math.sqrt(2 * math.pi)) + np.log1p(-1 / far**2 + 3 / far**4)
    return np.where(z < 30, near, series)


def gamma_tails(a: Any, x: Any) -> Tails:
    """Return the incomplete gamma functions P(a, x) and Q(a, x) (DLMF 8.7.1, 8.9.2); for a = 0 all is at zero."""
    a, x = (part.ravel() for part in np.broadcast_arrays(np.asarray(a, float), np.asarray(x, float)))
    lower, upper = np.where(x < 0, 0.0, np.nan), np.where(x < 0, 1.0, np.nan)
    for chosen, tails in (((a <= 0) & (x >= 0), (1.0, 0.0)), ((a > 0) & (x <= 0), (0.0, 1.0))):
        lower[chosen], upper[chosen] = tails
    inside = (a > 0) & (x > 0)
    lower[inside & np.isinf(x)], upper[inside & np.isinf(x)] = 1.0, 0.0
    inside &= np.isfinite(x) & np.isfinite(a)
    large = inside & (a > LARGE_SHAPE)
    root = np.cbrt(x[large] / a[large])  # Wilson and Hilferty, 1931
    lower[large], upper[large] = normal_tails((root - 1 + 1 / (9 * a[large])) * 3 * np.sqrt(a[large]))
    below, above = inside & ~large & (x < a + 1), inside & ~large & (x >= a + 1)
    lower[below] = _gamma_series(a[below], x[below])
    upper[below] = 1 - lower[below]
    upper[above] = _gamma_fraction(a[above], x[above])
    lower[above] = 1 - upper[above]
    return lower, upper


def _gamma_series(a: np.ndarray, x: np.ndarray) -> np.ndarray:
    term = np.ones_like(x)
    total = term.copy()
    for step in range(1, MOST_STEPS):
        term = term * x / (a + step)
        total += term
        if not (term > 1e-17 * total).any():
            break
    return np.minimum(total * np.exp(a * np.log(x) - x - log_gamma(a + 1)), 1.0)


def _gamma_fraction(a: np.ndarray, x: np.ndarray) -> np.ndarray:
    """Evaluate the continued fraction of Q(a, x) by Lentz's algorithm."""
    b = x + 1 - a
    c, d = np.full_like(x, 1 / _TINY), 1 / b
    total = d.copy()
    for step in range(1, MOST_STEPS):
        factor = -step * (step - a)
        b = b + 2
        d = 1 / _away_from_zero(factor * d + b)
        c = _away_from_zero(b + factor / c)
        total *= c * d
        if not (np.abs(c * d - 1) > CONVERGED).any():
            break
    return total * np.exp(a * np.log(x) - x - log_gamma(a))


def _away_from_zero(x: np.ndarray) -> np.ndarray:
    return np.where(np.abs(x) < _TINY, _TINY, x)


def beta_tails(a: Any, b: Any, x: Any, y: Any) -> Tails:
    """Return the regularized incomplete beta function and its complement at x, where y = 1 - x (DLMF 8.17.22)."""
    a, b, x, y = (part.ravel() for part in np.broadcast_arrays(*(np.asarray(part, float) for part in (a, b, x, y))))
    lower, upper = np.full(x.shape, np.nan), np.full(x.shape, np.nan)
    is_zero, is_one = (x <= 0) | ((b <= 0) & (y > 0)), (y <= 0) | ((a <= 0) & (x > 0))
    lower[is_zero], upper[is_zero] = 0.0, 1.0
    lower[is_one], upper[is_one] = 1.0, 0.0
    inside = ~is_zero & ~is_one & np.isfinite(a) & np.isfinite(b)
    near = inside & (x < (a + 1) / (a + b + 2))
    far = inside & ~near
    lower[near] = _beta_fraction(a[near], b[near], x[near], y[near])
    upper[near] = 1 - lower[near]
    upper[far] = _beta_fraction(b[far], a[far], y[far], x[far])
    lower[far] = 1 - upper[far]
    return lower, upper


def log_beta(a: Any, b: Any) -> np.ndarray:
    """Return the logarithm of the beta function; of large arguments without the difference of two large logarithms."""
    a, b = np.broadcast_arrays(np.asarray(a, float), np.asarray(b, float))
    small, large = np.minimum(a, b), np.maximum(a, b)
    is_large = large >= 10
    safe = np.where(is_large, large, 10.0)
    total = safe + small
    leading = small - (safe - 0.5) * np.log1p(small / safe) - small * np.log(total)
    quotient = leading + _stirling_series(safe) - _stirling_series(total)
    usual = log_gamma(np.where(is_large, 1.0, large)) - log_gamma(np.where(is_large, 1.0, large + small))
    return log_gamma(small) + np.where(is_large, quotient, usual)


def _beta_fraction(a: np.ndarray, b: np.ndarray, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Evaluate the continued fraction of the incomplete beta function by Lentz's algorithm."""
    c, d = np.ones_like(x), 1 / _away_from_zero(1 - (a + b) * x / (a + 1))
    total, change = d.copy(), np.ones_like(x)
    for step in range(1, MOST_STEPS):
        even, odd = a + 2 * step, a + 2 * step + 1
        change = np.ones_like(x)
        for factor in (step * (b - step) * x / ((even - 1) * even), -(a + step) * (a + b + step) * x / (even * odd)):
            d = 1 / _away_from_zero(1 + factor * d)
            c = _away_from_zero(1 + factor / c)
            change = change * c * d
        total *= change
        if not (np.abs(change - 1) > CONVERGED).any():
            break
    probability = total * np.exp(a * np.log(x) + b * np.log(y) - log_beta(a, b)) / a
    return np.where(np.abs(change - 1) < 1e-9, np.clip(probability, 0, 1), np.nan)


def poisson_weights(rate: Any, count: int) -> np.ndarray:
    """Return the probabilities of 0 to count - 1 events, along a new first axis."""
    rate = np.asarray(rate, float)
    events = np.arange(count).reshape(-1, *[1] * rate.ndim)
    return np.where(rate > 0, np.exp(events * np.log(rate) - rate - log_gamma(events + 1)), events == 0)


def hurwitz_zeta(a: Any, first: Any) -> np.ndarray:
    """Return the sum of j ** -a for j >= first: ten terms, then Euler-Maclaurin's formula (DLMF 25.11.28)."""
    a, first = np.asarray(a, float), np.asarray(first, float)
    beyond = first + 10
    terms = sum((first + i) ** -a for i in range(10))
    series = beyond / (a - 1) + 0.5 + a / (12 * beyond) - a * (a + 1) * (a + 2) / (720 * beyond**3)
    return terms + beyond**-a * (series + a * (a + 1) * (a + 2) * (a + 3) * (a + 4) / (30240 * beyond**5))


def table_tails(weights: np.ndarray, row: np.ndarray, column: np.ndarray) -> Tails:
    """Return the tails of tables of probabilities, one in each row of `weights`: up to and after `column` of the table
    `row`.
    """
    weights = weights / weights.sum(axis=1, keepdims=True)
    lower = np.minimum(np.cumsum(weights, axis=1), 1.0)
    from_here = np.cumsum(weights[:, ::-1], axis=1)[:, ::-1]
    upper = np.concatenate([from_here[:, 1:], np.zeros((len(weights), 1))], axis=1)
    last = weights.shape[1] - 1
    inside = np.clip(column, 0, last).astype(int)
    is_below, is_last = column < 0, column >= last
    return (
        np.where(is_below, 0.0, np.where(is_last, 1.0, lower[row, inside])),
        np.where(is_below, 1.0, np.where(is_last, 0.0, upper[row, inside])),
    )
