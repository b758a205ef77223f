"""Table of univariate distributions: parameters, support, moments and tail probabilities.

Moments are those of NumPy's reference manual of `numpy.random`, or of Johnson, Kotz and Balakrishnan, Continuous and
Univariate Discrete Distributions. `oracle.equality.tails` names the sources of the tail probabilities.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from oracle.equality import tails
from oracle.equality.probabilities import Tails, hurwitz_zeta, log_gamma, normal_tails

INFINITY = float("inf")
EULER = 0.57721566490153286


def _constant(value: Any) -> Callable[..., Any]:
    return lambda *parameters: value


_EVERYWHERE, _NOT_NEGATIVE = _constant((-INFINITY, INFINITY)), _constant((0.0, INFINITY))
_AT_LEAST_ONE, _UNIT_INTERVAL = _constant((1.0, INFINITY)), _constant((0.0, 1.0))
_NONE, _ALWAYS = _constant(math.nan), _constant(True)


@dataclass(frozen=True)
class Distribution:
    """One row. All functions take the parameters, as arrays; `tails` takes the draws before them.

    `support` gives the bounds, both closed. `point` is the only value where the distribution has one, else nan;
    `is_known` says where `tails` describes what NumPy draws. Mean and variance are nan where there are none. `examples`
    are parameters to test with.
    """

    parameters: tuple[str, ...]
    support: Callable[..., tuple[Any, Any]]
    mean: Callable[..., Any]
    variance: Callable[..., Any]
    tails: Callable[..., Tails]
    examples: tuple[tuple[float, ...], ...] = ((),)
    is_discrete: bool = False
    point: Callable[..., Any] = _NONE
    is_known: Callable[..., Any] = _ALWAYS


def _zero_where(condition: Any) -> np.ndarray:
    return np.where(condition, 0.0, np.nan)


def _where(condition: Any, value: Any) -> np.ndarray:
    return np.where(condition, value, np.nan)


LEAST_DEGREES = 0.2
"""Quotients of chi-squared numbers with fewer degrees of freedom underflow in both parts."""


def _where_wrapped(mu: Any, kappa: Any) -> np.ndarray:
    """Return the largest angle: beyond a concentration of 1e6 NumPy brings only one turn back into the circle."""
    return np.where((kappa > 1e6) & (np.abs(mu) > math.pi), INFINITY, math.pi)


def _weibull_moment(a: Any, order: int) -> Any:
    return np.exp(log_gamma(1 + order / a))


def _zipf_moment(a: Any, order: int) -> Any:
    return _where(a > order + 1, hurwitz_zeta(np.maximum(a - order, 1.01), 1.0) / hurwitz_zeta(a, 1.0))


def _logseries_mean(p: Any) -> Any:
    return -p / ((1 - p) * np.log1p(-p))


CONTINUOUS: dict[str, Distribution] = {
    "beta": Distribution(
        ("a", "b"),
        _UNIT_INTERVAL,
        lambda a, b: a / (a + b),
        lambda a, b: a * b / ((a + b) ** 2 * (a + b + 1)),
        tails.unit_beta_tails,
        ((2.0, 3.0), (0.5, 0.5), (1.0, 20.0)),
    ),
    "chisquare": Distribution(
        ("df",), _NOT_NEGATIVE, lambda df: df, lambda df: 2 * df, tails.chisquare_tails, ((1.0,), (3.5,), (80.0,))
    ),
    "exponential": Distribution(
        ("scale",),
        _NOT_NEGATIVE,
        lambda scale: scale,
        lambda scale: scale**2,
        tails.exponential_tails,
        ((1.0,), (0.25,), (300.0,)),
        point=lambda scale: _zero_where(scale == 0),
    ),
    "f": Distribution(
        ("dfnum", "dfden"),
        _NOT_NEGATIVE,
        lambda m, n: _where(n > 2, n / (n - 2)),
        lambda m, n: _where(n > 4, 2 * n**2 * (m + n - 2) / (m * (n - 2) ** 2 * (n - 4))),
        tails.f_tails,
        ((5.0, 9.0), (1.0, 2.0), (30.0, 12.0)),
        is_known=lambda m, n: (m >= LEAST_DEGREES) & (n >= LEAST_DEGREES),
    ),
    "gamma": Distribution(
        ("shape", "scale"),
        _NOT_NEGATIVE,
        lambda shape, scale: shape * scale,
        lambda shape, scale: shape * scale**2,
        tails.scaled_gamma_tails,
        ((2.0, 1.0), (0.3, 4.0), (50.0, 0.5)),
        point=lambda shape, scale: _zero_where((shape == 0) | (scale == 0)),
    ),
    "gumbel": Distribution(
        ("loc", "scale"),
        _EVERYWHERE,
        lambda loc, scale: loc + EULER * scale,
        lambda loc, scale: (math.pi * scale) ** 2 / 6,
        tails.gumbel_tails,
        ((0.0, 1.0), (-2.0, 0.5)),
        point=lambda loc, scale: _where(scale == 0, loc),
    ),
    "laplace": Distribution(
        ("loc", "scale"),
        _EVERYWHERE,
        lambda loc, scale: loc,
        lambda loc, scale: 2 * scale**2,
        tails.laplace_tails,
        ((0.0, 1.0), (5.0, 0.1)),
        point=lambda loc, scale: _where(scale == 0, loc),
    ),
    "logistic": Distribution(
        ("loc", "scale"),
        _EVERYWHERE,
        lambda loc, scale: loc,
        lambda loc, scale: (math.pi * scale) ** 2 / 3,
        tails.logistic_tails,
        ((0.0, 1.0), (-5.0, 3.0)),
        point=lambda loc, scale: _where(scale == 0, loc),
    ),
    "lognormal": Distribution(
        ("mean", "sigma"),
        _NOT_NEGATIVE,
        lambda mean, sigma: np.exp(mean + sigma**2 / 2),
        lambda mean, sigma: np.expm1(sigma**2) * np.exp(2 * mean + sigma**2),
        tails.lognormal_tails,
        ((0.0, 1.0), (2.0, 0.25)),
        point=lambda mean, sigma: _where(sigma == 0, np.exp(mean)),
    ),
    "noncentral_chisquare": Distribution(
        ("df", "nonc"),
        _NOT_NEGATIVE,
        lambda df, nonc: df + nonc,
        lambda df, nonc: 2 * (df + 2 * nonc),
        tails.noncentral_chisquare_tails,
        ((3.0, 2.0), (0.5, 1.0), (4.0, 0.0)),
        is_known=lambda df, nonc: (nonc <= 1000) & (df <= 1000),
    ),
    "noncentral_f": Distribution(
        ("dfnum", "dfden", "nonc"),
        _NOT_NEGATIVE,
        lambda m, n, nonc: _where(n > 2, n * (m + nonc) / (m * (n - 2))),
        lambda m, n, nonc: _where(
            n > 4,
            2 * (n / m) ** 2 * ((m + nonc) ** 2 + (m + 2 * nonc) * (n - 2)) / ((n - 2) ** 2 * (n - 4)),
        ),
        tails.noncentral_f_tails,
        ((3.0, 20.0, 3.0), (2.0, 5.0, 0.5)),
        is_known=lambda m, n, nonc: (nonc <= 1000) & (np.maximum(m, n) <= 1000) & (np.minimum(m, n) >= LEAST_DEGREES),
    ),
    "normal": Distribution(
        ("loc", "scale"),
        _EVERYWHERE,
        lambda loc, scale: loc,
        lambda loc, scale: scale**2,
        tails.gaussian_tails,
        ((0.0, 1.0), (-3.0, 0.5), (1e6, 20.0)),
        point=lambda loc, scale: _where(scale == 0, loc),
    ),
    "pareto": Distribution(
        ("a",),
        _NOT_NEGATIVE,
        lambda a: _where(a > 1, 1 / (a - 1)),
        lambda a: _where(a > 2, a / ((a - 1) ** 2 * (a - 2))),
        tails.pareto_tails,
        ((3.0,), (0.8,), (20.0,)),
    ),
    "power": Distribution(
        ("a",),
        _UNIT_INTERVAL,
        lambda a: a / (a + 1),
        lambda a: a / ((a + 2) * (a + 1) ** 2),
        tails.power_tails,
        ((5.0,), (0.5,), (1.0,)),
    ),
    "random": Distribution(
        (), lambda: (0.0, 1 - 2.0**-53), lambda: 0.5, lambda: 1 / 12, lambda x: tails.uniform_tails(x, 0.0, 1.0)
    ),
    "rayleigh": Distribution(
        ("scale",),
        _NOT_NEGATIVE,
        lambda scale: scale * math.sqrt(math.pi / 2),
        lambda scale: scale**2 * (2 - math.pi / 2),
        tails.rayleigh_tails,
        ((1.0,), (0.1,)),
        point=lambda scale: _zero_where(scale == 0),
    ),
    "standard_cauchy": Distribution((), _EVERYWHERE, _NONE, _NONE, tails.standard_cauchy_tails),
    "standard_exponential": Distribution(
        (), _NOT_NEGATIVE, lambda: 1.0, lambda: 1.0, lambda x: tails.exponential_tails(x, 1.0)
    ),
    "standard_gamma": Distribution(
        ("shape",),
        _NOT_NEGATIVE,
        lambda shape: shape,
        lambda shape: shape,
        tails.scaled_gamma_tails,
        ((1.0,), (0.4,), (30.0,)),
        point=lambda shape: _zero_where(shape == 0),
    ),
    "standard_normal": Distribution((), _EVERYWHERE, lambda: 0.0, lambda: 1.0, normal_tails),
    "standard_t": Distribution(
        ("df",),
        _EVERYWHERE,
        lambda df: _where(df > 1, 0.0),
        lambda df: _where(df > 2, df / (df - 2)),
        tails.standard_t_tails,
        ((10.0,), (1.5,), (3.0,)),
        is_known=lambda df: df >= LEAST_DEGREES,
    ),
    "triangular": Distribution(
        ("left", "mode", "right"),
        lambda left, mode, right: (left, right),
        lambda left, mode, right: (left + mode + right) / 3,
        lambda a, c, b: (a * a + b * b + c * c - a * b - a * c - b * c) / 18,
        tails.triangular_tails,
        ((0.0, 0.5, 1.0), (-3.0, 2.0, 2.0), (1.0, 1.0, 9.0)),
    ),
    "uniform": Distribution(
        ("low", "high"),
        lambda low, high: (np.minimum(low, high), np.maximum(low, high)),
        lambda low, high: (low + high) / 2,
        lambda low, high: (high - low) ** 2 / 12,
        lambda x, low, high: tails.uniform_tails(x, np.minimum(low, high), np.maximum(low, high)),
        ((0.0, 1.0), (-2.0, 5.0), (100.0, 100.5)),
        point=lambda low, high: _where(low == high, low),
        is_known=lambda low, high: np.isfinite(high - low),
    ),
    "vonmises": Distribution(
        ("mu", "kappa"),
        lambda mu, kappa: (-_where_wrapped(mu, kappa), _where_wrapped(mu, kappa)),
        _NONE,
        _NONE,
        tails.vonmises_tails,
        ((0.0, 4.0), (2.0, 0.5), (-3.0, 100.0), (1.0, 0.0)),
        is_known=lambda mu, kappa: np.isfinite(_where_wrapped(mu, kappa)),
    ),
    "wald": Distribution(
        ("mean", "scale"),
        _NOT_NEGATIVE,
        lambda mean, scale: mean,
        lambda mean, scale: mean**3 / scale,
        tails.wald_tails,
        ((3.0, 2.0), (1.0, 10.0), (0.5, 0.1)),
        is_known=lambda mean, scale: mean <= 1e4 * scale,
    ),
    "weibull": Distribution(
        ("a",),
        _NOT_NEGATIVE,
        lambda a: _weibull_moment(a, 1),
        lambda a: _weibull_moment(a, 2) - _weibull_moment(a, 1) ** 2,
        tails.weibull_tails,
        ((5.0,), (0.7,), (1.0,)),
        point=lambda a: _zero_where(a == 0),
    ),
}

DISCRETE: dict[str, Distribution] = {
    "binomial": Distribution(
        ("n", "p"),
        lambda n, p: (0.0, n),
        lambda n, p: n * p,
        lambda n, p: n * p * (1 - p),
        tails.binomial_tails,
        ((10.0, 0.5), (100.0, 0.1), (3.0, 0.9)),
        is_discrete=True,
        point=lambda n, p: np.where((n == 0) | (p == 0), 0.0, _where(p == 1, n)),
    ),
    "geometric": Distribution(
        ("p",),
        _AT_LEAST_ONE,
        lambda p: 1 / p,
        lambda p: (1 - p) / p**2,
        tails.geometric_tails,
        ((0.35,), (0.01,), (0.9,)),
        is_discrete=True,
        point=lambda p: _where(p == 1, 1.0),
        is_known=lambda p: p > 1e-12,
    ),
    "hypergeometric": Distribution(
        ("ngood", "nbad", "nsample"),
        lambda g, b, s: (np.maximum(s - b, 0), np.minimum(g, s)),
        lambda g, b, s: s * g / (g + b),
        lambda g, b, s: _where(g + b > 1, s * (g / (g + b)) * (b / (g + b)) * (g + b - s) / np.maximum(g + b - 1, 1)),
        tails.hypergeometric_tails,
        ((100.0, 20.0, 10.0), (15.0, 15.0, 15.0), (50.0, 450.0, 100.0)),
        is_discrete=True,
        point=lambda g, b, s: np.where(g * s == 0, 0.0, np.where(b == 0, s, _where(s == g + b, g))),
    ),
    "logseries": Distribution(
        ("p",),
        _AT_LEAST_ONE,
        _logseries_mean,
        lambda p: _logseries_mean(p) * (1 / (1 - p) - _logseries_mean(p)),
        tails.logseries_tails,
        ((0.6,), (0.99,), (0.2,)),
        is_discrete=True,
        point=lambda p: _where(p == 0, 1.0),
    ),
    "negative_binomial": Distribution(
        ("n", "p"),
        _NOT_NEGATIVE,
        lambda n, p: n * (1 - p) / p,
        lambda n, p: n * (1 - p) / p**2,
        tails.negative_binomial_tails,
        ((1.0, 0.1), (8.5, 0.5), (3.0, 0.9)),
        is_discrete=True,
        point=lambda n, p: _zero_where(p == 1),
        is_known=lambda n, p: n * (1 - p) <= 1e9 * p,
    ),
    "poisson": Distribution(
        ("lam",),
        _NOT_NEGATIVE,
        lambda lam: lam,
        lambda lam: lam,
        tails.poisson_tails,
        ((1.0,), (5.5,), (100.0,)),
        is_discrete=True,
        point=lambda lam: _zero_where(lam == 0),
    ),
    "zipf": Distribution(
        ("a",),
        _AT_LEAST_ONE,
        lambda a: _zipf_moment(a, 1),
        lambda a: _zipf_moment(a, 2) - _zipf_moment(a, 1) ** 2,
        tails.zipf_tails,
        ((2.0,), (4.0,), (1.5,)),
        is_discrete=True,
        point=lambda a: _where(a >= 1025, 1.0),
        is_known=lambda a: a >= 1.25,  # below, NumPy loses the digits of T - 1 for draws past 1e14
    ),
}

TABLE = {**CONTINUOUS, **DISCRETE}
"""By the last part of the name of the function and of the method."""

SYNONYMS = {
    "rand": "random",
    "random_sample": "random",
    "ranf": "random",
    "sample": "random",
    "randn": "standard_normal",
}
"""Functions that draw from the distribution of another one."""


def find_distribution(name: str) -> Distribution | None:
    """Return the row of a dotted name; None where it does not draw single numbers of a named distribution."""
    last = name.rpartition(".")[2]
    return TABLE.get(SYNONYMS.get(last, last))
