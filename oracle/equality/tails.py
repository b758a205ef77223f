"""Tail probabilities of NumPy's distributions: `(P(X <= x), P(X > x))`, nan where they are not known.

They take the draws and the parameters as arrays that broadcast. Where NumPy's manual of `numpy.random.Generator` gives
no distribution function, the source is named: Johnson, Kotz and Balakrishnan, Continuous (JKB) or Univariate Discrete
Distributions (JKK), or the NIST Digital Library of Mathematical Functions (DLMF).
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from oracle.equality.probabilities import (
    Tails,
    beta_tails,
    gamma_tails,
    hurwitz_zeta,
    log_beta,
    log_gamma,
    log_normal_tail,
    normal_tails,
    poisson_weights,
    table_tails,
)

LARGEST = float(2**63 - 1)
"""Draws past the largest integer are drawn again, or clipped."""


def gaussian_tails(x: Any, loc: Any, scale: Any) -> Tails:
    return normal_tails((x - loc) / scale)


def scaled_gamma_tails(x: Any, shape: Any, scale: Any = 1.0) -> Tails:
    return gamma_tails(shape, x / scale)


def chisquare_tails(x: Any, df: Any) -> Tails:
    return gamma_tails(df / 2, x / 2)


def unit_beta_tails(x: Any, a: Any, b: Any) -> Tails:
    return beta_tails(a, b, x, 1 - x)


def standard_cauchy_tails(x: Any) -> Tails:
    return np.arctan2(1, -x) / math.pi, np.arctan2(1, x) / math.pi


def exponential_tails(x: Any, scale: Any) -> Tails:
    z = np.maximum(x / scale, 0)
    return -np.expm1(-z), np.exp(-z)


def uniform_tails(x: Any, low: Any, high: Any) -> Tails:
    return np.clip((x - low) / (high - low), 0, 1), np.clip((high - x) / (high - low), 0, 1)


def gumbel_tails(x: Any, loc: Any, scale: Any) -> Tails:
    power = np.exp(-(x - loc) / scale)
    return np.exp(-power), -np.expm1(-power)


def laplace_tails(x: Any, loc: Any, scale: Any) -> Tails:
    z = (x - loc) / scale
    tail = 0.5 * np.exp(-np.abs(z))
    return np.where(z < 0, tail, 1 - tail), np.where(z < 0, 1 - tail, tail)


def logistic_tails(x: Any, loc: Any, scale: Any) -> Tails:
    z = (x - loc) / scale
    return 1 / (1 + np.exp(-z)), 1 / (1 + np.exp(z))


def lognormal_tails(x: Any, mean: Any, sigma: Any) -> Tails:
    return normal_tails((np.log(np.maximum(x, 0)) - mean) / sigma)


def pareto_tails(x: Any, a: Any) -> Tails:
    power = a * np.log1p(np.maximum(x, 0))
    return -np.expm1(-power), np.exp(-power)


def power_tails(x: Any, a: Any) -> Tails:
    power = a * np.log(np.clip(x, 0, 1))
    return np.exp(power), -np.expm1(power)


def weibull_tails(x: Any, a: Any) -> Tails:
    power = np.maximum(x, 0) ** a
    return -np.expm1(-power), np.exp(-power)


def rayleigh_tails(x: Any, scale: Any) -> Tails:
    return exponential_tails(0.5 * np.maximum(x / scale, 0) ** 2, 1.0)


def _ratio(quotient: Any) -> tuple[np.ndarray, np.ndarray]:
    """Return the parts r / (1 + r) and 1 / (1 + r)."""
    quotient = np.clip(quotient, 0, np.finfo(float).max)
    return np.where(quotient < 1, quotient / (1 + quotient), 1 / (1 + 1 / quotient)), 1 / (1 + quotient)


def f_tails(x: Any, dfnum: Any, dfden: Any) -> Tails:
    return beta_tails(dfnum / 2, dfden / 2, *_ratio(x * (dfnum / dfden)))


def standard_t_tails(x: Any, df: Any) -> Tails:
    outside = beta_tails(df / 2, 0.5, *_ratio(np.sqrt(df) / np.abs(x) * (np.sqrt(df) / np.abs(x))))[0] / 2
    return np.where(x < 0, outside, 1 - outside), np.where(x < 0, 1 - outside, outside)


def triangular_tails(x: Any, left: Any, mode: Any, right: Any) -> Tails:
    x = np.clip(x, left, right)
    below, above = (
        (x - left) ** 2 / ((right - left) * (mode - left)),
        (right - x) ** 2 / ((right - left) * (right - mode)),
    )
    is_left = x < mode
    return np.where(is_left, below, 1 - above), np.where(is_left, 1 - below, above)


def vonmises_tails(x: Any, mu: Any, kappa: Any) -> Tails:
    """Integrate by the trapezoidal rule around the mean direction; nan for more than 64 different concentrations."""
    angle = np.mod(x - mu + math.pi, 2 * math.pi) - math.pi
    angle, kappa = np.broadcast_arrays(angle, kappa)
    lower = np.full(angle.shape, np.nan)
    for value in np.unique(kappa)[:64]:
        width = min(math.pi, 12 / math.sqrt(value)) if value else math.pi
        grid = np.linspace(-width, width, 8193)
        density = np.exp(-2 * value * np.sin(grid / 2) ** 2)
        area = np.concatenate([[0.0], np.cumsum(density[1:] + density[:-1])])
        chosen = kappa == value
        lower[chosen] = np.interp(angle[chosen], grid, area / area[-1])
    return lower, 1 - lower


def wald_tails(x: Any, mean: Any, scale: Any) -> Tails:
    """Return the tails of the inverse Gaussian distribution (JKB 15.4)."""
    x = np.maximum(x, 1e-300)
    root = np.sqrt(scale / x)
    second = np.exp(2 * scale / mean + log_normal_tail(root * (x / mean + 1)))
    first, above = normal_tails(root * (x / mean - 1))
    return np.minimum(first + second, 1), np.maximum(above - second, 0)


def _count_terms(nonc: Any) -> int:
    rate = float(np.max(nonc, initial=0.0)) / 2
    return int(rate + 12 * math.sqrt(rate)) + 40


def _first_if_all_equal(values: np.ndarray) -> np.ndarray:
    return values[:1] if (values == values[:1]).all() else values


def noncentral_chisquare_tails(x: Any, df: Any, nonc: Any) -> Tails:
    """Return the mixture by Poisson weights (JKB 29.3), by recurrences that add positive terms only (DLMF 8.8.5,
    8.8.6).
    """
    x, df, nonc = np.broadcast_arrays(np.maximum(x, 0) / 2, df / 2, nonc)
    count = _count_terms(nonc)
    weights = poisson_weights(_first_if_all_equal(nonc) / 2, count)
    powers = _first_if_all_equal(df) + np.arange(count).reshape(-1, 1)
    terms = np.exp(powers * np.log(x) - x - log_gamma(powers + 1))
    lower_last, upper_first = gamma_tails(df + count, x)[0], gamma_tails(df, x)[1]
    return _mixture(weights, terms, lower_last, upper_first, x)


def noncentral_f_tails(x: Any, dfnum: Any, dfden: Any, nonc: Any) -> Tails:
    """Return the mixture by Poisson weights (JKB 30.3), by the recurrence in the first parameter (DLMF 8.17.20)."""
    x, dfnum, b, nonc = np.broadcast_arrays(np.maximum(x, 0) * (dfnum / dfden), dfnum, dfden / 2, nonc)
    below, above = _ratio(x)
    count = _count_terms(nonc)
    weights = poisson_weights(_first_if_all_equal(nonc) / 2, count)
    a = _first_if_all_equal(dfnum) / 2 + np.arange(count).reshape(-1, 1)
    terms = np.exp(a * np.log(below) + b * np.log(above) - log_beta(a, _first_if_all_equal(b))) / a
    lower_last = beta_tails(dfnum / 2 + count, b, below, above)[0]
    return _mixture(weights, terms, lower_last, beta_tails(dfnum / 2, b, below, above)[1], x)


def _mixture(weights: np.ndarray, terms: np.ndarray, lower_last: np.ndarray, upper_first: np.ndarray, x: Any) -> Tails:
    """Add up tails of which each one's lower is the next one's and its term, and its upper the last one's and it."""
    lowers = lower_last + np.cumsum(terms[::-1], axis=0)[::-1]
    uppers = upper_first + np.cumsum(terms, axis=0) - terms
    lower, upper = (weights * lowers).sum(axis=0), (weights * uppers).sum(axis=0)
    is_zero = x <= 0
    return np.where(is_zero, 0.0, np.minimum(lower, 1)), np.where(is_zero, 1.0, np.minimum(upper, 1))


def binomial_tails(k: Any, n: Any, p: Any) -> Tails:
    k = np.floor(k)
    upper, lower = beta_tails(k + 1, n - k, p, 1 - p)
    is_below, is_last = k < 0, k >= n
    return np.where(is_below, 0.0, np.where(is_last, 1.0, lower)), np.where(
        is_below, 1.0, np.where(is_last, 0.0, upper)
    )


def geometric_tails(k: Any, p: Any) -> Tails:
    power = np.maximum(np.floor(k), 0) * np.log1p(-p)
    return -np.expm1(power), np.where(k >= LARGEST, 0.0, np.exp(power))


MOST_CELLS = 4_000_000
"""In tables of probabilities."""


def _log_choose(n: Any, k: Any) -> np.ndarray:
    return log_gamma(n + 1) - log_gamma(k + 1) - log_gamma(n - k + 1)


def hypergeometric_tails(k: Any, ngood: Any, nbad: Any, nsample: Any) -> Tails:
    """Return the tails from a table of all probabilities; nan where it would be too large."""
    parameters = np.stack(np.broadcast_arrays(k, ngood, nbad, nsample)[1:])
    (good, bad, sample), row = np.unique(parameters, axis=1, return_inverse=True)
    first, last = np.maximum(0, sample - bad), np.minimum(good, sample)
    width = int((last - first).max(initial=0)) + 1
    if width * good.size > MOST_CELLS:
        return np.full(parameters.shape[1:], np.nan), np.full(parameters.shape[1:], np.nan)
    good, bad, sample, first, last = (part.reshape(-1, 1) for part in (good, bad, sample, first, last))
    values = np.minimum(first + np.arange(width), last)
    exponents = _log_choose(good, values) + _log_choose(bad, sample - values)
    weights = np.exp(exponents - exponents.max(axis=1, keepdims=True)) * (first + np.arange(width) <= last)
    row = row.ravel()
    column = np.where(k >= last[row, 0], width - 1, np.floor(k) - first[row, 0])
    return table_tails(weights, row, column)


def logseries_tails(k: Any, p: Any) -> Tails:
    """Return the tails from a table; in the upper tail, which it cannot resolve, from the bound by a geometric
    series.
    """
    k, p = np.broadcast_arrays(np.maximum(np.floor(k), 0), p)
    values, row = np.unique(p, return_inverse=True)
    last = int(np.minimum(k.max(initial=0), 2 * MOST_CELLS)) + 1
    if last * values.size > MOST_CELLS:
        return np.full(k.shape, np.nan), np.full(k.shape, np.nan)
    terms = np.arange(1, last + 1)
    table = np.cumsum(-np.exp(terms * np.log(values)[:, None]) / (terms * np.log1p(-values)[:, None]), axis=1)
    lower = np.where(k < 1, 0.0, table[row.ravel(), np.maximum(k.astype(int), 1) - 1])
    bound = -np.exp((k + 1) * np.log(p)) / ((k + 1) * (1 - p) * np.log1p(-p))
    upper = 1 - lower
    return np.minimum(lower, 1), np.where(upper < 1e-9, np.minimum(bound, 1), upper)


def negative_binomial_tails(k: Any, n: Any, p: Any) -> Tails:
    k = np.floor(k)
    lower, upper = beta_tails(n, k + 1, p, 1 - p)
    return np.where(k < 0, 0.0, lower), np.where(k < 0, 1.0, upper)


def poisson_tails(k: Any, lam: Any) -> Tails:
    k = np.floor(k)
    upper, lower = gamma_tails(np.maximum(k + 1, 0), lam)
    return np.where(k < 0, 0.0, lower), np.where(k < 0, 1.0, upper)


def zipf_tails(k: Any, a: Any) -> Tails:
    """Return the tails of the zeta distribution (JKK 11.2.20) up to the largest integer."""
    k = np.maximum(np.floor(k), 0)
    beyond = hurwitz_zeta(a, LARGEST)
    total, above = hurwitz_zeta(a, 1.0) - beyond, np.maximum(hurwitz_zeta(a, k + 1) - beyond, 0)
    return np.maximum(1 - above / total, 0), np.minimum(above / total, 1)


def discrete_uniform_tails(index: Any, count: Any) -> Tails:
    """Return the tails of the uniform distribution over 0 to count - 1."""
    inside = np.clip(np.floor(index) + 1, 0, count)
    return inside / count, (count - inside) / count
