"""NumPy's RandomState.

It uses MT19937 and NumPy's older algorithms. `seed(0)` gives NumPy's own values for random, rand, randn, randint,
uniform, normal, shuffle, permutation, choice and bytes, up to the last digits of logarithms.
"""

from __future__ import annotations

import operator
from typing import Any, ClassVar

import numpy as np
import tensorflow as tf

from tfnp._core.parameters import ArrayLike, DTypeLike, IntLike, ShapeLike
from tfnp.random import bounds, gammas, multivariate, permutations, transforms, ziggurat
from tfnp.random.bit_generators import MT19937, BitGenerator, as_bit_generator
from tfnp.random.distributions import Distributions
from tfnp.random.generator_state import State
from tfnp.random.parameters import as_seed

__all__ = ["RandomState"]


class RandomState(Distributions):
    """The legacy interface, which NumPy keeps unchanged."""

    _legacy: ClassVar[bool] = True
    _normals: ClassVar[Any] = staticmethod(ziggurat.polar_normals)
    _exponentials: ClassVar[Any] = staticmethod(transforms.inverse_exponentials)

    def __init__(self, seed: Any = None) -> None:
        if isinstance(seed, BitGenerator | np.random.BitGenerator):
            self._bit_generator = as_bit_generator(seed)
        else:
            self._bit_generator = MT19937()
            self.seed(seed)
        self._algorithm = self._bit_generator._algorithm

    def __repr__(self) -> str:
        return f"RandomState({self._bit_generator._algorithm.name})"

    @property
    def _state(self) -> State:  # type: ignore[override]
        return self._bit_generator._state

    def seed(self, seed: Any = None) -> None:
        """Inside `tf.function` the state is seeded once, at trace time, not when the graph runs."""
        if not isinstance(self._bit_generator, MT19937):
            raise TypeError("can only re-seed a MT19937 BitGenerator")
        state = np.random.RandomState(as_seed(seed)).get_state(legacy=False)
        self._bit_generator.state = state

    def get_state(self, legacy: Any = True) -> Any:
        """The state is in NumPy's format. It cannot be read while `tf.function` traces."""
        row = self._state.peek()
        size = self._algorithm.size
        state = {**self._bit_generator.state}
        state["has_gauss"] = int(row[size + 2])
        state["gauss"] = float(row[size + 3 : size + 4].view(np.float64)[0])
        if not legacy or not isinstance(self._bit_generator, MT19937):
            return state
        inner = state["state"]
        return ("MT19937", inner["key"], inner["pos"], state["has_gauss"], state["gauss"])

    def set_state(self, state: Any) -> None:
        host = np.random.RandomState(self._bit_generator._host)
        host.set_state(state)
        state_dict = host.get_state(legacy=False)
        self._bit_generator.state = state_dict
        row = self._state.peek().copy()
        size = self._algorithm.size
        row[size + 2] = state_dict["has_gauss"]
        row[size + 3 : size + 4] = np.array([state_dict["gauss"]]).view(np.uint64)
        self._state.put(row)

    def bytes(self, length: IntLike) -> bytes:
        """Return Python bytes; raises TypeError while tracing."""
        count = max(operator.index(length) - 1, 0) // 4 + 1
        return self._to_bytes(self.randint(0, 2**32, count, np.uint32), length)

    def choice(
        self, a: ArrayLike, size: ShapeLike | None = None, replace: bool = True, p: ArrayLike | None = None
    ) -> tf.Tensor:
        return permutations.choice(self, a, size, replace, p, 0)

    def multivariate_normal(
        self,
        mean: ArrayLike,
        cov: ArrayLike,
        size: ShapeLike | None = None,
        check_valid: str = "warn",
        tol: float = 1e-8,
    ) -> tf.Tensor:
        return multivariate.multivariate_normal(self, mean, cov, size, check_valid, tol, "svd", self._normals)

    def permutation(self, x: ArrayLike) -> tf.Tensor:
        return permutations.permutation(self, x, 0)

    def rand(self, *args: Any) -> tf.Tensor:
        return self.random_sample(args or None)

    def randint(
        self, low: ArrayLike, high: ArrayLike | None = None, size: ShapeLike | None = None, dtype: DTypeLike = int
    ) -> tf.Tensor:
        return bounds.draw_integers(self, low, high, size, dtype)

    def randn(self, *args: Any) -> tf.Tensor:
        return self.standard_normal(args or None)

    def random(self, size: ShapeLike | None = None) -> tf.Tensor:
        return self.random_sample(size)

    def random_integers(
        self, low: ArrayLike, high: ArrayLike | None = None, size: ShapeLike | None = None
    ) -> tf.Tensor:
        """Draw integers with both ends included; deprecated in NumPy."""
        first, last = (1, low) if high is None else (low, high)
        return self.randint(first, operator.index(last) + 1, size)

    def random_sample(self, size: ShapeLike | None = None) -> tf.Tensor:
        return self._draw_standard(transforms.doubles, size)

    def shuffle(self, x: ArrayLike) -> None:
        """`x` is a tf.Variable, or in eager mode a Python list. For tensors, which are immutable, use `permutation`."""
        permutations.shuffle(self, x, 0)

    def standard_exponential(self, size: ShapeLike | None = None) -> tf.Tensor:
        return self._draw_standard(self._exponentials, size)

    def standard_gamma(self, shape: ArrayLike, size: ShapeLike | None = None) -> tf.Tensor:
        return self._draw("standard_gamma", gammas.standard_gamma, (shape,), size)

    def standard_normal(self, size: ShapeLike | None = None) -> tf.Tensor:
        return self._draw_standard(self._normals, size)

    def tomaxint(self, size: ShapeLike | None = None) -> tf.Tensor:
        """Draw integers from 0 to the largest int64, exclusive."""
        return self.randint(0, np.iinfo(np.int64).max, size, np.int64)
