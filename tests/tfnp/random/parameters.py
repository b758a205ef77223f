"""Parameters of every distribution that has any, before `size`: usual ones, and those where an algorithm changes."""

from __future__ import annotations

from typing import Any

COVARIANCE = [[2.0, 0.5], [0.5, 1.0]]
PARAMETERS: dict[str, list[tuple[Any, ...]]] = {
    "beta": [(2.0, 3.0), (0.2, 0.3)],
    "binomial": [(20, 0.3), (1000, 0.7), (5, 1.0)],
    "chisquare": [(3.0,)],
    "dirichlet": [([0.3, 2.0, 5.0],)],
    "exponential": [(2.0,)],
    "f": [(3.0, 8.0)],
    "gamma": [(0.3, 2.0), (7.5, 1.0)],
    "geometric": [(0.05,), (0.7,)],
    "gumbel": [(1.0, 2.0)],
    "hypergeometric": [(30, 40, 25), (5, 100, 6), (1000, 20, 900)],
    "laplace": [(1.0, 2.0)],
    "logistic": [(1.0, 2.0)],
    "lognormal": [(0.5, 1.5)],
    "logseries": [(0.2,), (0.95,)],
    "multinomial": [(20, [0.2, 0.3, 0.5])],
    "multivariate_hypergeometric": [([10, 20, 30], 25)],
    "multivariate_normal": [([0.0, 1.0], COVARIANCE)],
    "negative_binomial": [(3.5, 0.3), (50, 0.1)],
    "noncentral_chisquare": [(0.5, 3.0), (4.0, 1.0)],
    "noncentral_f": [(3.0, 8.0, 2.0)],
    "normal": [(1.0, 2.0)],
    "pareto": [(3.0,)],
    "poisson": [(0.5,), (8.0,), (1000.0,)],
    "power": [(3.0,)],
    "rayleigh": [(2.0,)],
    "standard_cauchy": [()],
    "standard_exponential": [()],
    "standard_gamma": [(1.5,), (0.2,)],
    "standard_normal": [()],
    "standard_t": [(2.5,)],
    "triangular": [(0.0, 1.0, 3.0)],
    "uniform": [(-1.0, 2.0)],
    "vonmises": [(1.0, 0.5), (0.0, 40.0)],
    "wald": [(1.0, 2.0)],
    "weibull": [(1.5,)],
    "zipf": [(1.6,), (4.0,)],
}
