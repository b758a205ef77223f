"""NumPy's Generator."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any, ClassVar, Concatenate, Final, ParamSpec

import numpy as np
import tensorflow as tf

from tfnp._core import convert, dtypes, outputs, shapes
from tfnp._core.parameters import ArrayLike, DTypeLike, IntLike, Out, ShapeLike
from tfnp.random import bounds, gammas, multivariate, parameters, permutations, sampling, transforms, ziggurat
from tfnp.random.bit_generators import PCG64, BitGenerator, as_bit_generator
from tfnp.random.distributions import Distributions
from tfnp.random.generator_state import State

__all__ = ["Generator", "default_rng"]

_GAMMAS: Final = {tf.float64: gammas.standard_gamma, tf.float32: gammas.standard_gamma_float32}


P = ParamSpec("P")
Method = Callable[Concatenate["Generator", P], tf.Tensor]


def _use_preferred_dtype(method: Method[P]) -> Method[P]:
    """Make float32 the default dtype of a method if it is preferred and no argument has double precision."""
    signature = inspect.signature(method)

    @functools.wraps(method)
    def draw(self: Generator, *args: P.args, **kwargs: P.kwargs) -> tf.Tensor:
        if not dtypes.promotion.prefer_float32:
            return method(self, *args, **kwargs)
        bound = signature.bind(self, *args, **kwargs)
        if not any(map(parameters.is_double, bound.arguments.values())):
            bound.arguments.setdefault("dtype", np.float32)
        return method(*bound.args, **bound.kwargs)

    return draw


class Generator(Distributions):
    """Random numbers from a bit generator, of tfnp or of NumPy.

    A generator that is created while `tf.function` traces starts anew with each call; one that is created outside
    continues. For the same seed these methods give NumPy's values bit for bit: random, integers, bytes, uniform,
    standard_normal, normal, shuffle, permutation, permuted, and choice with replacement. Those of standard_exponential
    and its transforms agree up to the last digits. Other distributions use streams of their own.
    """

    _legacy: ClassVar[bool] = False
    _normals: ClassVar[Any] = staticmethod(ziggurat.normals)
    _exponentials: ClassVar[Any] = staticmethod(ziggurat.exponentials)

    def __init__(self, bit_generator: Any) -> None:
        self._bit_generator = as_bit_generator(bit_generator)
        self._algorithm = self._bit_generator._algorithm

    def __repr__(self) -> str:
        return f"Generator({self._bit_generator._algorithm.name})"

    @property
    def _state(self) -> State:  # type: ignore[override]
        return self._bit_generator._state

    @property
    def bit_generator(self) -> BitGenerator:
        return self._bit_generator

    def spawn(self, n_children: IntLike) -> list[Generator]:
        return [Generator(child) for child in self._bit_generator.spawn(n_children)]

    def bytes(self, length: IntLike) -> bytes:
        """Return Python bytes; raises TypeError while tracing."""
        count = max(int(length) - 1, 0) // 4 + 1
        return self._to_bytes(self.integers(0, 2**32, count, np.uint32), length)

    def integers(
        self,
        low: ArrayLike,
        high: ArrayLike | None = None,
        size: ShapeLike | None = None,
        dtype: DTypeLike = np.int64,
        endpoint: bool = False,
    ) -> tf.Tensor:
        """Scalar bounds give NumPy's own values; with arrays of bounds each element has its own stream."""
        return bounds.draw_integers(self, low, high, size, dtype, endpoint=endpoint)

    @_use_preferred_dtype
    def random(self, size: ShapeLike | None = None, dtype: DTypeLike = np.float64, out: Out = None) -> tf.Tensor:
        return self._draw_float("random", "uniform", size, dtype, out)

    @_use_preferred_dtype
    def standard_normal(
        self, size: ShapeLike | None = None, dtype: DTypeLike = np.float64, out: Out = None
    ) -> tf.Tensor:
        return self._draw_float("standard_normal", "normal", size, dtype, out)

    @_use_preferred_dtype
    def standard_exponential(
        self, size: ShapeLike | None = None, dtype: DTypeLike = np.float64, method: str = "zig", out: Out = None
    ) -> tf.Tensor:
        distribution = "exponential" if method == "zig" else "inverse exponential"
        return self._draw_float("standard_exponential", distribution, size, dtype, out)

    @_use_preferred_dtype
    def standard_gamma(
        self, shape: ArrayLike, size: ShapeLike | None = None, dtype: DTypeLike = np.float64, out: Out = None
    ) -> tf.Tensor:
        float_dtype = _as_float_dtype("standard_gamma", dtype)
        variable = _as_out(out, float_dtype, size)
        bound = parameters.prepare_floats("standard_gamma", (shape,), _resolve_size(variable, size), legacy=False)
        result = sampling.draw(self, _GAMMAS[float_dtype], bound.shape, *bound.tensors)
        return result if variable is None else outputs.write_output(result, variable)

    def _draw_float(self, name: str, distribution: str, size: Any, dtype: Any, out: Any) -> tf.Tensor:
        tf_dtype = _as_float_dtype(name, dtype)
        variable = _as_out(out, tf_dtype, size)
        shape = parameters.resolve_shape(_resolve_size(variable, size), ())
        result = sampling.draw(self, transforms.STANDARD[distribution][tf_dtype], shape)
        return result if variable is None else outputs.write_output(result, variable)

    def choice(
        self,
        a: ArrayLike,
        size: ShapeLike | None = None,
        replace: bool = True,
        p: ArrayLike | None = None,
        axis: IntLike = 0,
        shuffle: bool = True,
    ) -> tf.Tensor:
        """Without replacement, the order is that of random keys, so the values are not NumPy's, and `shuffle` has no
        effect.
        """
        return permutations.choice(self, a, size, replace, p, axis)

    def shuffle(self, x: ArrayLike, axis: IntLike = 0) -> None:
        """`x` is a tf.Variable, or in eager mode a Python list. For tensors, which are immutable, use `permutation`."""
        permutations.shuffle(self, x, axis)

    def permutation(self, x: ArrayLike, axis: IntLike = 0) -> tf.Tensor:
        return permutations.permutation(self, x, axis)

    def permuted(self, x: ArrayLike, *, axis: IntLike | None = None, out: Out = None) -> tf.Tensor:
        return permutations.permuted(self, x, axis, out)

    def multivariate_normal(
        self,
        mean: ArrayLike,
        cov: ArrayLike,
        size: ShapeLike | None = None,
        check_valid: str = "warn",
        tol: float = 1e-8,
        *,
        method: str = "svd",
    ) -> tf.Tensor:
        return multivariate.multivariate_normal(self, mean, cov, size, check_valid, tol, method, self._normals)

    def multivariate_hypergeometric(
        self, colors: ArrayLike, nsample: ArrayLike, size: ShapeLike | None = None, method: str = "marginals"
    ) -> tf.Tensor:
        return multivariate.multivariate_hypergeometric(self, colors, nsample, size, method)


def default_rng(seed: Any = None) -> Generator:
    """Generators and bit generators of NumPy are accepted, too. `seed` must be static inside `tf.function`."""
    if isinstance(seed, Generator):
        return seed
    if isinstance(seed, np.random.Generator):
        return Generator(seed.bit_generator)
    if isinstance(seed, BitGenerator | np.random.BitGenerator):
        return Generator(seed)
    return Generator(PCG64(seed))


def _as_float_dtype(name: str, dtype: Any) -> tf.DType:
    numpy_dtype = dtypes.as_numpy(dtype)
    if numpy_dtype not in (np.float32, np.float64):
        raise TypeError(f"Unsupported dtype {numpy_dtype!r} for {name}")
    return dtypes.as_dtype(numpy_dtype)


def _as_out(out: Any, dtype: tf.DType, size: Any) -> tf.Variable | None:
    if out is None:
        return None
    if not isinstance(out, tf.Variable | tf.Tensor | np.ndarray):
        raise ValueError(f"out must be a tf.Variable, not {type(out).__name__}")
    variable = outputs.as_variable(out)
    assert variable is not None
    if variable.dtype != dtype:
        raise TypeError(f"Supplied output array has the wrong type. Expected {dtype.name}, got {variable.dtype.name}")
    if size is not None and tuple(parameters.as_size(size)) != tuple(variable.shape):
        raise ValueError("size must match out.shape when used together")
    return variable


def _resolve_size(variable: tf.Variable | None, size: Any) -> Any:
    return size if variable is None else tuple(shapes.shape(convert.to_tensor(variable)))
