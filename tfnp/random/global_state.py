"""The functions of `numpy.random`: methods of one global RandomState."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from tfnp._core.parameters import ArrayLike, DTypeLike, IntLike, ShapeLike
from tfnp.random.bit_generators import BitGenerator
from tfnp.random.random_state import RandomState

__all__ = [
    "beta",
    "binomial",
    "bytes",
    "chisquare",
    "choice",
    "dirichlet",
    "exponential",
    "f",
    "gamma",
    "geometric",
    "get_state",
    "gumbel",
    "hypergeometric",
    "laplace",
    "logistic",
    "lognormal",
    "logseries",
    "multinomial",
    "multivariate_normal",
    "negative_binomial",
    "noncentral_chisquare",
    "noncentral_f",
    "normal",
    "pareto",
    "permutation",
    "poisson",
    "power",
    "rand",
    "randint",
    "randn",
    "random",
    "random_integers",
    "random_sample",
    "ranf",
    "rayleigh",
    "sample",
    "seed",
    "set_state",
    "shuffle",
    "standard_cauchy",
    "standard_exponential",
    "standard_gamma",
    "standard_normal",
    "standard_t",
    "triangular",
    "uniform",
    "vonmises",
    "wald",
    "weibull",
    "zipf",
]

_random_state = RandomState()


def get_bit_generator() -> BitGenerator:
    """Return the bit generator of the global state."""
    return _random_state._bit_generator


def set_bit_generator(bitgen: Any) -> None:
    """Replace the global state by one that uses a bit generator."""
    global _random_state  # noqa: PLW0603 - NumPy has one, too
    _random_state = RandomState(bitgen)


def seed(seed: Any = None) -> None:
    """Inside `tf.function` the global state is seeded once, at trace time, not when the graph runs."""
    _random_state.seed(seed)


def get_state(legacy: Any = True) -> Any:
    """The state is in NumPy's format. It cannot be read while `tf.function` traces."""
    return _random_state.get_state(legacy)


def set_state(state: Any) -> None:
    """The state must be in NumPy's format, with static values."""
    _random_state.set_state(state)


def rand(*args: Any) -> tf.Tensor:
    """The values are NumPy's for the same seed."""
    return _random_state.rand(*args)


def randn(*args: Any) -> tf.Tensor:
    """The values are NumPy's for the same seed, up to the last digits of logarithms."""
    return _random_state.randn(*args)


def random_integers(low: ArrayLike, high: ArrayLike | None = None, size: ShapeLike | None = None) -> tf.Tensor:
    """Both ends are included. The function is deprecated in NumPy."""
    return _random_state.random_integers(low, high, size)


def ranf(*args: Any, **kwargs: Any) -> tf.Tensor:
    """The values are NumPy's for the same seed."""
    return _random_state.random_sample(*args, **kwargs)


def sample(*args: Any, **kwargs: Any) -> tf.Tensor:
    """The values are NumPy's for the same seed."""
    return _random_state.random_sample(*args, **kwargs)


def bytes(length: IntLike) -> Any:
    """The values are NumPy's for the same seed. Returns Python bytes, so it raises TypeError while `tf.function`
    traces.
    """
    return _random_state.bytes(length)


def beta(a: ArrayLike, b: ArrayLike, size: ShapeLike | None = None) -> tf.Tensor:
    """The values are not NumPy's for the same seed, but have the same distribution. The value for an invalid parameter
    that is unknown while tracing is nan.
    """
    return _random_state.beta(a, b, size)


def binomial(n: ArrayLike, p: ArrayLike, size: ShapeLike | None = None) -> tf.Tensor:
    """The values are not NumPy's for the same seed, but have the same distribution. The value for an invalid parameter
    that is unknown while tracing is the smallest int64.
    """
    return _random_state.binomial(n, p, size)


def chisquare(df: ArrayLike, size: ShapeLike | None = None) -> tf.Tensor:
    """The values are not NumPy's for the same seed, but have the same distribution. The value for an invalid parameter
    that is unknown while tracing is nan.
    """
    return _random_state.chisquare(df, size)


def choice(a: ArrayLike, size: ShapeLike | None = None, replace: bool = True, p: ArrayLike | None = None) -> tf.Tensor:
    """The values are NumPy's for the same seed, except without replacement with `p`."""
    return _random_state.choice(a, size, replace, p)


def dirichlet(alpha: ArrayLike, size: ShapeLike | None = None) -> tf.Tensor:
    """The values are not NumPy's for the same seed, but have the same distribution."""
    return _random_state.dirichlet(alpha, size)


def exponential(scale: ArrayLike = 1.0, size: ShapeLike | None = None) -> tf.Tensor:
    """The values are NumPy's for the same seed, up to the last digits of logarithms. Gradients flow to `scale`.
    Parameters that are unknown while tracing are not checked.
    """
    return _random_state.exponential(scale, size)


def f(dfnum: ArrayLike, dfden: ArrayLike, size: ShapeLike | None = None) -> tf.Tensor:
    """The values are not NumPy's for the same seed, but have the same distribution. The value for an invalid parameter
    that is unknown while tracing is nan.
    """
    return _random_state.f(dfnum, dfden, size)


def gamma(shape: ArrayLike, scale: ArrayLike = 1.0, size: ShapeLike | None = None) -> tf.Tensor:
    """The values are not NumPy's for the same seed, but have the same distribution. The value for an invalid parameter
    that is unknown while tracing is nan.
    """
    return _random_state.gamma(shape, scale, size)


def geometric(p: ArrayLike, size: ShapeLike | None = None) -> tf.Tensor:
    """The values are NumPy's for the same seed if `p` is below 1/3, up to the last digits of logarithms. The value for
    an invalid parameter that is unknown while tracing is the smallest int64.
    """
    return _random_state.geometric(p, size)


def gumbel(loc: ArrayLike = 0.0, scale: ArrayLike = 1.0, size: ShapeLike | None = None) -> tf.Tensor:
    """The values are NumPy's for the same seed, up to the last digits of logarithms. Gradients flow to `loc` and
    `scale`. Parameters that are unknown while tracing are not checked.
    """
    return _random_state.gumbel(loc, scale, size)


def hypergeometric(ngood: ArrayLike, nbad: ArrayLike, nsample: ArrayLike, size: ShapeLike | None = None) -> tf.Tensor:
    """The values are not NumPy's for the same seed, but have the same distribution. The value for an invalid parameter
    that is unknown while tracing is the smallest int64.
    """
    return _random_state.hypergeometric(ngood, nbad, nsample, size)


def laplace(loc: ArrayLike = 0.0, scale: ArrayLike = 1.0, size: ShapeLike | None = None) -> tf.Tensor:
    """The values are NumPy's for the same seed, up to the last digits of logarithms. Gradients flow to `loc` and
    `scale`. Parameters that are unknown while tracing are not checked.
    """
    return _random_state.laplace(loc, scale, size)


def logistic(loc: ArrayLike = 0.0, scale: ArrayLike = 1.0, size: ShapeLike | None = None) -> tf.Tensor:
    """The values are NumPy's for the same seed, up to the last digits of logarithms. Gradients flow to `loc` and
    `scale`. Parameters that are unknown while tracing are not checked.
    """
    return _random_state.logistic(loc, scale, size)


def lognormal(mean: ArrayLike = 0.0, sigma: ArrayLike = 1.0, size: ShapeLike | None = None) -> tf.Tensor:
    """The values are NumPy's for the same seed, up to the last digits of logarithms. Parameters that are unknown while
    tracing are not checked.
    """
    return _random_state.lognormal(mean, sigma, size)


def logseries(p: ArrayLike, size: ShapeLike | None = None) -> tf.Tensor:
    """The values are not NumPy's for the same seed, but have the same distribution. The value for an invalid parameter
    that is unknown while tracing is the smallest int64.
    """
    return _random_state.logseries(p, size)


def multinomial(n: ArrayLike, pvals: ArrayLike, size: ShapeLike | None = None) -> tf.Tensor:
    """The values are not NumPy's for the same seed, but have the same distribution. The value for an invalid parameter
    that is unknown while tracing is the smallest int64.
    """
    return _random_state.multinomial(n, pvals, size)


def multivariate_normal(
    mean: ArrayLike, cov: ArrayLike, size: ShapeLike | None = None, check_valid: str = "warn", tol: float = 1e-8
) -> tf.Tensor:
    """The factor of `cov` is NumPy's if `cov` is static, otherwise it comes from `eigh`."""
    return _random_state.multivariate_normal(mean, cov, size, check_valid, tol)


def negative_binomial(n: ArrayLike, p: ArrayLike, size: ShapeLike | None = None) -> tf.Tensor:
    """The values are not NumPy's for the same seed, but have the same distribution. The value for an invalid parameter
    that is unknown while tracing is the smallest int64.
    """
    return _random_state.negative_binomial(n, p, size)


def noncentral_chisquare(df: ArrayLike, nonc: ArrayLike, size: ShapeLike | None = None) -> tf.Tensor:
    """The values are not NumPy's for the same seed, but have the same distribution. The value for an invalid parameter
    that is unknown while tracing is nan.
    """
    return _random_state.noncentral_chisquare(df, nonc, size)


def noncentral_f(dfnum: ArrayLike, dfden: ArrayLike, nonc: ArrayLike, size: ShapeLike | None = None) -> tf.Tensor:
    """The values are not NumPy's for the same seed, but have the same distribution. The value for an invalid parameter
    that is unknown while tracing is nan.
    """
    return _random_state.noncentral_f(dfnum, dfden, nonc, size)


def normal(loc: ArrayLike = 0.0, scale: ArrayLike = 1.0, size: ShapeLike | None = None) -> tf.Tensor:
    """The values are NumPy's for the same seed, up to the last digits of logarithms. Gradients flow to `loc` and
    `scale`. Parameters that are unknown while tracing are not checked.
    """
    return _random_state.normal(loc, scale, size)


def pareto(a: ArrayLike, size: ShapeLike | None = None) -> tf.Tensor:
    """The values are NumPy's for the same seed, up to the last digits of logarithms. Parameters that are unknown while
    tracing are not checked.
    """
    return _random_state.pareto(a, size)


def permutation(x: ArrayLike) -> tf.Tensor:
    """The values are NumPy's for the same seed."""
    return _random_state.permutation(x)


def poisson(lam: ArrayLike = 1.0, size: ShapeLike | None = None) -> tf.Tensor:
    """The values are not NumPy's for the same seed, but have the same distribution. The value for an invalid parameter
    that is unknown while tracing is the smallest int64.
    """
    return _random_state.poisson(lam, size)


def power(a: ArrayLike, size: ShapeLike | None = None) -> tf.Tensor:
    """The values are NumPy's for the same seed, up to the last digits of logarithms. Parameters that are unknown while
    tracing are not checked.
    """
    return _random_state.power(a, size)


def randint(
    low: ArrayLike, high: ArrayLike | None = None, size: ShapeLike | None = None, dtype: DTypeLike = int
) -> tf.Tensor:
    """The values are NumPy's for the same seed. Arrays of bounds have one stream per element."""
    return _random_state.randint(low, high, size, dtype)


def random(size: ShapeLike | None = None) -> tf.Tensor:
    """The values are NumPy's for the same seed."""
    return _random_state.random(size)


def random_sample(size: ShapeLike | None = None) -> tf.Tensor:
    """The values are NumPy's for the same seed."""
    return _random_state.random_sample(size)


def rayleigh(scale: ArrayLike = 1.0, size: ShapeLike | None = None) -> tf.Tensor:
    """The values are NumPy's for the same seed, up to the last digits of logarithms. Gradients flow to `scale`.
    Parameters that are unknown while tracing are not checked.
    """
    return _random_state.rayleigh(scale, size)


def shuffle(x: ArrayLike) -> None:
    """The values are NumPy's for the same seed. `x` is a tf.Variable, or in eager mode a Python list. For tensors,
    which are immutable, use `permutation`.
    """
    _random_state.shuffle(x)


def standard_cauchy(size: ShapeLike | None = None) -> tf.Tensor:
    """The values are NumPy's for the same seed, up to the last digits of logarithms."""
    return _random_state.standard_cauchy(size)


def standard_exponential(size: ShapeLike | None = None) -> tf.Tensor:
    """The values are NumPy's for the same seed, up to the last digits of logarithms."""
    return _random_state.standard_exponential(size)


def standard_gamma(shape: ArrayLike, size: ShapeLike | None = None) -> tf.Tensor:
    """The values are not NumPy's for the same seed, but have the same distribution. The value for an invalid parameter
    that is unknown while tracing is nan.
    """
    return _random_state.standard_gamma(shape, size)


def standard_normal(size: ShapeLike | None = None) -> tf.Tensor:
    """The values are NumPy's for the same seed, up to the last digits of logarithms."""
    return _random_state.standard_normal(size)


def standard_t(df: ArrayLike, size: ShapeLike | None = None) -> tf.Tensor:
    """The values are not NumPy's for the same seed, but have the same distribution. The value for an invalid parameter
    that is unknown while tracing is nan.
    """
    return _random_state.standard_t(df, size)


def triangular(left: ArrayLike, mode: ArrayLike, right: ArrayLike, size: ShapeLike | None = None) -> tf.Tensor:
    """The values are NumPy's for the same seed, up to the last digits of logarithms. Parameters that are unknown while
    tracing are not checked.
    """
    return _random_state.triangular(left, mode, right, size)


def uniform(low: ArrayLike = 0.0, high: ArrayLike = 1.0, size: ShapeLike | None = None) -> tf.Tensor:
    """The values are NumPy's for the same seed. Gradients flow to `low` and `high`. Parameters that are unknown while
    tracing are not checked.
    """
    return _random_state.uniform(low, high, size)


def vonmises(mu: ArrayLike, kappa: ArrayLike, size: ShapeLike | None = None) -> tf.Tensor:
    """The values are not NumPy's for the same seed, but have the same distribution. The value for an invalid parameter
    that is unknown while tracing is nan.
    """
    return _random_state.vonmises(mu, kappa, size)


def wald(mean: ArrayLike, scale: ArrayLike, size: ShapeLike | None = None) -> tf.Tensor:
    """The values are not NumPy's for the same seed, but have the same distribution. Parameters that are unknown while
    tracing are not checked.
    """
    return _random_state.wald(mean, scale, size)


def weibull(a: ArrayLike, size: ShapeLike | None = None) -> tf.Tensor:
    """The values are NumPy's for the same seed, up to the last digits of logarithms. Parameters that are unknown while
    tracing are not checked.
    """
    return _random_state.weibull(a, size)


def zipf(a: ArrayLike, size: ShapeLike | None = None) -> tf.Tensor:
    """The values are not NumPy's for the same seed, but have the same distribution. The value for an invalid parameter
    that is unknown while tracing is the smallest int64.
    """
    return _random_state.zipf(a, size)
