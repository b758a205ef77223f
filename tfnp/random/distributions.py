"""The distributions that Generator and RandomState have in common, as methods.

Parameters and `size` broadcast as in NumPy. The result is always a tensor, of float64 or int64; with `prefer_float32`
floats are rounded to float32 unless a parameter has double precision. Gradients flow to locations and scales.

Distributions that transform single uniform, normal or exponential numbers give NumPy's values for the same seed, up to
the last digits of logarithms and exponentials: uniform, normal, exponential, lognormal, laplace, gumbel, logistic,
rayleigh, pareto, weibull, power, standard_cauchy, triangular, and geometric with a small probability. The others use
streams of their own. Eager calls on the CPU draw arrays (see `host`). Elsewhere the first eager calls of each
distribution run its sampler op by op, and later ones trace it once.
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
import tensorflow as tf

from tfnp._core import convert
from tfnp._core.parameters import ArrayLike, ShapeLike
from tfnp._core.tensorflow_internals import Trackable
from tfnp.random import continuous_rare, discrete, discrete_rare, gammas, multivariate, parameters, sampling, transforms
from tfnp.random.generator_state import State


class Distributions(Trackable):
    """Distributions over a stream of bits; a subclass chooses the samplers of normal and exponential numbers.

    As an attribute of a `tf.Module` or a Keras layer, it is saved in checkpoints and in a SavedModel, with its state.
    """

    _state: State
    _algorithm: Any
    _legacy: ClassVar[bool]
    _normals: ClassVar[Any]
    _exponentials: ClassVar[Any]

    def _trackable_children(self, *args: Any, **kwargs: Any) -> dict[str, Any]:
        """Return the variable of the state, for TensorFlow to save."""
        children = super()._trackable_children(*args, **kwargs)
        return {**children, "state": self._state.variable} if self._state.is_outside_graphs else children

    def _draw(self, name: str, sampler: Any, values: tuple[Any, ...], size: Any, **static: Any) -> tf.Tensor:
        """Return numbers from a distribution with real parameters."""
        prepared = parameters.prepare_floats(name, values, size, legacy=self._legacy)
        return parameters.cast_to_preferred(
            sampling.draw(self, sampler, prepared.shape, *prepared.tensors, **static), *values
        )

    def _draw_standard(self, sampler: Any, size: Any, **static: Any) -> tf.Tensor:
        return parameters.cast_to_preferred(sampling.draw(self, sampler, parameters.resolve_shape(size, ()), **static))

    def beta(self, a: ArrayLike, b: ArrayLike, size: ShapeLike | None = None) -> tf.Tensor:
        return self._draw("beta", gammas.beta, (a, b), size)

    def binomial(self, n: ArrayLike, p: ArrayLike, size: ShapeLike | None = None) -> tf.Tensor:
        return self._draw("binomial", discrete.binomial, (n, p), size)

    def chisquare(self, df: ArrayLike, size: ShapeLike | None = None) -> tf.Tensor:
        return self._draw("chisquare", gammas.chisquare, (df,), size)

    def dirichlet(self, alpha: ArrayLike, size: ShapeLike | None = None) -> tf.Tensor:
        return multivariate.dirichlet(self, alpha, size)

    def exponential(self, scale: ArrayLike = 1.0, size: ShapeLike | None = None) -> tf.Tensor:
        return self._draw("exponential", transforms.scale_by, (scale,), size, base=self._exponentials)

    def f(self, dfnum: ArrayLike, dfden: ArrayLike, size: ShapeLike | None = None) -> tf.Tensor:
        return self._draw("f", gammas.f, (dfnum, dfden), size)

    def gamma(self, shape: ArrayLike, scale: ArrayLike = 1.0, size: ShapeLike | None = None) -> tf.Tensor:
        return self._draw("gamma", gammas.gamma, (shape, scale), size)

    def geometric(self, p: ArrayLike, size: ShapeLike | None = None) -> tf.Tensor:
        return self._draw("geometric", discrete_rare.geometric, (p,), size, base=self._exponentials)

    def gumbel(self, loc: ArrayLike = 0.0, scale: ArrayLike = 1.0, size: ShapeLike | None = None) -> tf.Tensor:
        return self._draw("gumbel", transforms.gumbel, (loc, scale), size)

    def hypergeometric(
        self, ngood: ArrayLike, nbad: ArrayLike, nsample: ArrayLike, size: ShapeLike | None = None
    ) -> tf.Tensor:
        return self._draw("hypergeometric", discrete_rare.hypergeometric, (ngood, nbad, nsample), size)

    def laplace(self, loc: ArrayLike = 0.0, scale: ArrayLike = 1.0, size: ShapeLike | None = None) -> tf.Tensor:
        return self._draw("laplace", transforms.laplace, (loc, scale), size)

    def logistic(self, loc: ArrayLike = 0.0, scale: ArrayLike = 1.0, size: ShapeLike | None = None) -> tf.Tensor:
        return self._draw("logistic", transforms.logistic, (loc, scale), size)

    def lognormal(self, mean: ArrayLike = 0.0, sigma: ArrayLike = 1.0, size: ShapeLike | None = None) -> tf.Tensor:
        return self._draw("lognormal", transforms.lognormal, (mean, sigma), size, base=self._normals)

    def logseries(self, p: ArrayLike, size: ShapeLike | None = None) -> tf.Tensor:
        return self._draw("logseries", discrete_rare.logseries, (p,), size)

    def multinomial(self, n: ArrayLike, pvals: ArrayLike, size: ShapeLike | None = None) -> tf.Tensor:
        return multivariate.multinomial(self, n, pvals, size)

    def negative_binomial(self, n: ArrayLike, p: ArrayLike, size: ShapeLike | None = None) -> tf.Tensor:
        return self._draw("negative_binomial", discrete_rare.negative_binomial, (n, p), size)

    def noncentral_chisquare(self, df: ArrayLike, nonc: ArrayLike, size: ShapeLike | None = None) -> tf.Tensor:
        return self._draw("noncentral_chisquare", gammas.noncentral_chisquare, (df, nonc), size)

    def noncentral_f(
        self, dfnum: ArrayLike, dfden: ArrayLike, nonc: ArrayLike, size: ShapeLike | None = None
    ) -> tf.Tensor:
        return self._draw("noncentral_f", gammas.noncentral_f, (dfnum, dfden, nonc), size)

    def normal(self, loc: ArrayLike = 0.0, scale: ArrayLike = 1.0, size: ShapeLike | None = None) -> tf.Tensor:
        return self._draw("normal", transforms.shift_and_scale, (loc, scale), size, base=self._normals)

    def pareto(self, a: ArrayLike, size: ShapeLike | None = None) -> tf.Tensor:
        return self._draw("pareto", transforms.pareto, (a,), size, base=self._exponentials)

    def poisson(self, lam: ArrayLike = 1.0, size: ShapeLike | None = None) -> tf.Tensor:
        return self._draw("poisson", discrete.poisson, (lam,), size)

    def power(self, a: ArrayLike, size: ShapeLike | None = None) -> tf.Tensor:
        return self._draw("power", transforms.power, (a,), size, base=self._exponentials)

    def rayleigh(self, scale: ArrayLike = 1.0, size: ShapeLike | None = None) -> tf.Tensor:
        return self._draw("rayleigh", transforms.rayleigh, (scale,), size, base=self._exponentials)

    def standard_cauchy(self, size: ShapeLike | None = None) -> tf.Tensor:
        return self._draw_standard(transforms.standard_cauchy, size, base=self._normals)

    def standard_t(self, df: ArrayLike, size: ShapeLike | None = None) -> tf.Tensor:
        return self._draw("standard_t", gammas.standard_t, (df,), size)

    def triangular(
        self, left: ArrayLike, mode: ArrayLike, right: ArrayLike, size: ShapeLike | None = None
    ) -> tf.Tensor:
        return self._draw("triangular", transforms.triangular, (left, mode, right), size)

    def uniform(self, low: ArrayLike = 0.0, high: ArrayLike = 1.0, size: ShapeLike | None = None) -> tf.Tensor:
        return self._draw("uniform", transforms.uniform, (low, high), size)

    def vonmises(self, mu: ArrayLike, kappa: ArrayLike, size: ShapeLike | None = None) -> tf.Tensor:
        return self._draw("vonmises", continuous_rare.vonmises, (mu, kappa), size)

    def wald(self, mean: ArrayLike, scale: ArrayLike, size: ShapeLike | None = None) -> tf.Tensor:
        return self._draw("wald", continuous_rare.wald, (mean, scale), size)

    def weibull(self, a: ArrayLike, size: ShapeLike | None = None) -> tf.Tensor:
        return self._draw("weibull", transforms.weibull, (a,), size, base=self._exponentials)

    def zipf(self, a: ArrayLike, size: ShapeLike | None = None) -> tf.Tensor:
        return self._draw("zipf", discrete_rare.zipf, (a,), size)

    def _to_bytes(self, drawn: tf.Tensor, length: Any) -> bytes:
        """Return 32-bit integers as little-endian bytes."""
        if not tf.executing_eagerly():
            raise TypeError("bytes: a graph cannot return Python bytes; draw integers of dtype uint8 instead")
        return convert.to_numpy(drawn).astype(np.dtype("<u4")).tobytes()[: int(length)]
