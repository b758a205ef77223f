"""NumPy's Generator: every method, on tensors."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any, ClassVar, Concatenate, Final, ParamSpec

import numpy as np
import tensorflow as tf

from tfnp._core import convert, dtypes, outputs, shapes
from tfnp.random import bounds, gammas, multivariate, parameters, permutations, sampling, transforms, ziggurat
from tfnp.random.bit_generators import PCG64, BitGenerator, as_bit_generator
from tfnp.random.distributions import Distributions
from tfnp.random.generator_state import State

__all__ = ["Generator", "default_rng"]

_GAMMAS: Final = {tf.float64: gammas.standard_gamma, tf.float32: gammas.standard_gamma_float32}


P = ParamSpec("P")
Method = Callable[Concatenate["Generator", P], tf.Tensor]


def _with_preferred_dtype(method: Method[P]) -> Method[P]:
    """Around a method that draws doubles unless asked for others: singles where these are preferred, and nothing that
    it is given is a double.
    """
    signature = inspect.signature(method)

    @functools.wraps(method)
    def draw(self: Generator, *args: P.args, **kwargs: P.kwargs) -> tf.Tensor:
        if not dtypes.promotion.prefer_float32:
            return method(self, *args, **kwargs)
        given = signature.bind(self, *args, **kwargs)
        if not any(map(parameters.is_double, given.arguments.values())):
            given.arguments.setdefault("dtype", np.float32)
        return method(*given.args, **given.kwargs)

    return draw


class Generator(Distributions):
    """Numbers from a generator of bits, one of these or of NumPy's.

    Made while a function is traced, it starts anew with each call of the function; made outside, it goes on. NumPy's
    numbers, bit by bit, are `random integers bytes uniform standard_normal normal shuffle permutation permuted`, and
    `choice` with replacement; `standard_exponential` and what is made of it but for last digits.
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

    def spawn(self, n_children: Any) -> list[Generator]:
        return [Generator(child) for child in self._bit_generator.spawn(n_children)]

    def bytes(self, length: Any) -> bytes:
        """Python's bytes; not while tracing."""
        count = max(int(length) - 1, 0) // 4 + 1
        return self._to_bytes(self.integers(0, 2**32, count, np.uint32), length)

    def integers(
        self, low: Any, high: Any = None, size: Any = None, dtype: Any = np.int64, endpoint: Any = False
    ) -> tf.Tensor:
        """With bounds of one value each, NumPy's own numbers; of arrays of bounds, each element draws for itself."""
        return bounds.draw_integers(self, low, high, size, dtype, endpoint=endpoint)

    @_with_preferred_dtype
    def random(self, size: Any = None, dtype: Any = np.float64, out: Any = None) -> tf.Tensor:
        return self._draw_float("random", "uniform", size, dtype, out)

    @_with_preferred_dtype
    def standard_normal(self, size: Any = None, dtype: Any = np.float64, out: Any = None) -> tf.Tensor:
        return self._draw_float("standard_normal", "normal", size, dtype, out)

    @_with_preferred_dtype
    def standard_exponential(
        self, size: Any = None, dtype: Any = np.float64, method: Any = "zig", out: Any = None
    ) -> tf.Tensor:
        kind = "exponential" if method == "zig" else "inverse exponential"
        return self._draw_float("standard_exponential", kind, size, dtype, out)

    @_with_preferred_dtype
    def standard_gamma(self, shape: Any, size: Any = None, dtype: Any = np.float64, out: Any = None) -> tf.Tensor:
        kind = _float_dtype("standard_gamma", dtype)
        given = parameters.prepare_floats("standard_gamma", (shape,), None, legacy=False)
        target = _as_out(out, kind, size)
        dims = parameters.resolve_shape(_resolve_size(target, size), given.tensors)
        tensors = [parameters.flatten(tensor, dims) for tensor in given.tensors]
        found = sampling.draw(self, _GAMMAS[kind], dims, *tensors)
        return found if target is None else outputs.write_output(found, target)

    def _draw_float(self, name: str, kind: str, size: Any, dtype: Any, out: Any) -> tf.Tensor:
        expected = _float_dtype(name, dtype)
        target = _as_out(out, expected, size)
        shape = parameters.resolve_shape(_resolve_size(target, size), ())
        found = sampling.draw(self, transforms.STANDARD[kind][expected], shape)
        return found if target is None else outputs.write_output(found, target)

    def choice(
        self, a: Any, size: Any = None, replace: Any = True, p: Any = None, axis: Any = 0, shuffle: Any = True
    ) -> tf.Tensor:
        """Without replacement by an order of its own, that of random keys; `shuffle` makes no difference."""
        return permutations.choice(self, a, size, replace, p, axis)

    def shuffle(self, x: Any, axis: Any = 0) -> None:
        """In place: of a tf.Variable, or of a Python list in eager."""
        permutations.shuffle(self, x, axis)

    def permutation(self, x: Any, axis: Any = 0) -> tf.Tensor:
        return permutations.permutation(self, x, axis)

    def permuted(self, x: Any, *, axis: Any = None, out: Any = None) -> tf.Tensor:
        return permutations.permuted(self, x, axis, out)

    def multivariate_normal(
        self,
        mean: Any,
        cov: Any,
        size: Any = None,
        check_valid: Any = "warn",
        tol: Any = 1e-8,
        *,
        method: Any = "svd",
    ) -> tf.Tensor:
        return multivariate.multivariate_normal(self, mean, cov, size, check_valid, tol, method, self._normals)

    def multivariate_hypergeometric(
        self, colors: Any, nsample: Any, size: Any = None, method: Any = "marginals"
    ) -> tf.Tensor:
        return multivariate.multivariate_hypergeometric(self, colors, nsample, size, method)


def default_rng(seed: Any = None) -> Generator:
    """A Generator on PCG64, as NumPy's. Of a Generator, or a bit generator, itself."""
    if isinstance(seed, Generator):
        return seed
    if isinstance(seed, np.random.Generator):
        return Generator(seed.bit_generator)
    if isinstance(seed, BitGenerator | np.random.BitGenerator):
        return Generator(seed)
    return Generator(PCG64(as_seed(seed)))


def as_seed(seed: Any) -> Any:
    """What NumPy makes a seed of: a value, which must be known."""
    found = parameters.to_static(seed)
    if found is parameters.UNKNOWN:
        raise TypeError("a seed must be known while tracing: an int, or make the generator outside")
    if isinstance(seed, tf.Tensor | tf.Variable):
        return found.item() if found.ndim == 0 else found
    return found


def _float_dtype(name: str, dtype: Any) -> tf.DType:
    expected = dtypes.as_numpy(dtype)
    if expected not in (np.float32, np.float64):
        raise TypeError(f"Unsupported dtype {expected!r} for {name}")
    return dtypes.as_dtype(expected)


def _as_out(out: Any, dtype: tf.DType, size: Any) -> tf.Variable | None:
    if out is None:
        return None
    if not isinstance(out, tf.Variable | tf.Tensor | np.ndarray):
        raise ValueError("Supplied output array must be a tf.Variable: an array that can be written to")
    target = outputs.as_variable(out)
    assert target is not None
    if target.dtype != dtype:
        raise TypeError(f"Supplied output array has the wrong type. Expected {dtype.name}, got {target.dtype.name}")
    if size is not None and tuple(parameters.as_size(size)) != tuple(target.shape):
        raise ValueError("size must match out.shape when used together")
    return target


def _resolve_size(target: tf.Variable | None, size: Any) -> Any:
    return size if target is None else tuple(shapes.shape(convert.to_tensor(target)))
