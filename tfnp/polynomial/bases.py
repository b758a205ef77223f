"""The six bases: their recurrences, and what follows from them.

Each is a sequence of polynomials P0 = 1, P1, P2 ..., of which every one follows from the two before it. Formulas are
those of the Digital Library of Mathematical Functions (https://dlmf.nist.gov/18.9), in the order in which NumPy rounds.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np
import tensorflow as tf

from tfnp._core import convert, dtypes
from tfnp.polynomial.arithmetic import minus, number, over, plus, times
from tfnp.routines.math import ufuncs

ByX = Callable[[Any], Any]
Rows = list[tf.Tensor]


class Basis:
    """Powers of x: other bases say where they differ."""

    moves_axis: bool = True  # to its place again, when all is derived away

    def line(self, off: Any, scl: Any) -> tuple[Any, Any]:
        """The coefficients of off + scl x."""
        return off, scl

    def first(self, x: Any) -> Any:
        """P1."""
        return x

    def next(self, n: int, x: Any, last: Any, before: Any) -> Any:
        """Pn, of the two polynomials before it."""
        return times(last, x)

    def fold(self, n: Any, x: Any, c: Any, c0: Any, c1: Any) -> tuple[Any, Any]:
        """Clenshaw's step: c P(n-2) + c0 P(n-1) + c1 Pn as a sum of the first two."""
        return c, plus(c0, times(c1, x))

    def fold_series(self, n: Any, by_x: ByX, c: Any, c0: Any, c1: Any) -> tuple[Any, Any]:
        """The same where x is no number: `by_x` multiplies by it."""
        return c, plus(c0, by_x(c1))

    def first_series(self, by_x: ByX, c1: Any) -> Any:
        """c1 P1."""
        return by_x(c1)

    def by_x(self, c: tf.Tensor) -> tf.Tensor:
        """The coefficients of x times a series, the last of which must be zero."""
        return raised(c)

    def derived(self, c: Rows) -> Rows:
        return [times(j, c[j]) for j in range(1, len(c))]

    def integrated(self, c: Rows) -> Rows:
        """With any constant."""
        return [times(c[0], 0), c[0], *[over(c[j], j + 1) for j in range(1, len(c))]]

    def root(self, c0: Any, c1: Any) -> Any:
        """Where c0 + c1 P1 is zero."""
        return over(ufuncs.negative(c0), c1)

    def frame(self, n: int) -> np.ndarray:
        """The companion matrix of degree n but for what its last column has less."""
        return np.eye(n, k=-1)

    def column(self, c: tf.Tensor, n: int) -> tf.Tensor:
        """What the last column of the companion matrix has less."""
        return over(c[:-1], c[-1])


def raised(c: tf.Tensor) -> tf.Tensor:
    """Every coefficient one degree higher; the last is lost. The first is zero, or nan where it was infinite."""
    return tf.concat([times(c[:1], 0), c[:-1]], 0)


def lowered(c: tf.Tensor) -> tf.Tensor:
    """Every coefficient one degree lower; the first is lost."""
    return tf.concat([c[1:], tf.zeros_like(c[:1])], 0)


def degrees(c: tf.Tensor) -> Any:
    """0, 1, 2 ... in the dtype of the coefficients, beside as many series as there are."""
    shape = (-1, *[1] * (len(c.shape) - 1))
    if c.shape[0] is None:
        return tf.reshape(convert.cast(tf.range(tf.shape(c)[0]), c.dtype), shape)
    return np.arange(c.shape[0]).astype(dtypes.as_numpy(c.dtype)).reshape(shape)


def symmetric(row: np.ndarray) -> np.ndarray:
    """A matrix with these numbers on both sides of its diagonal."""
    return np.diag(row, 1) + np.diag(row, -1)


def beside(numbers: np.ndarray, c: tf.Tensor) -> Any:
    """Doubles that coefficients meet, in the dtype of these where no dtypes meet."""
    return convert.to_tensor(numbers, c.dtype) if dtypes.promotion.mode == "off" else numbers


class ChebyshevBasis(Basis):
    """Of the first kind."""

    def next(self, n: int, x: Any, last: Any, before: Any) -> Any:
        return minus(times(last, times(2, x)), before)

    def fold(self, n: Any, x: Any, c: Any, c0: Any, c1: Any) -> tuple[Any, Any]:
        return minus(c, c1), plus(c0, times(c1, times(2, x)))

    def fold_series(self, n: Any, by_x: ByX, c: Any, c0: Any, c1: Any) -> tuple[Any, Any]:
        return minus(c, c1), plus(c0, times(by_x(c1), 2))

    def by_x(self, c: tf.Tensor) -> tf.Tensor:
        half = over(c[1:], 2)
        return plus(raised(tf.concat([c[:1], half], 0)), tf.concat([half, tf.zeros_like(c[:1])], 0))

    def derived(self, c: Rows) -> Rows:
        c, found = list(c), []
        for j in range(len(c) - 1, 2, -1):
            found.append(times(2 * j, c[j]))
            c[j - 2] = plus(c[j - 2], over(times(j, c[j]), j - 2))
        return [c[1], *[times(4, row) for row in c[2:3]], *found[::-1]]

    def integrated(self, c: Rows) -> Rows:
        found = [times(c[0], 0), c[0], *[over(c[1], 4) for _ in c[1:2]]]
        for j in range(2, len(c)):
            found.append(over(c[j], 2 * (j + 1)))
            found[j - 1] = minus(found[j - 1], over(c[j], 2 * (j - 1)))
        return found

    def frame(self, n: int) -> np.ndarray:
        return symmetric(np.array([np.sqrt(0.5), *[0.5] * (n - 2)]))

    def column(self, c: tf.Tensor, n: int) -> tf.Tensor:
        scale = np.array([1.0] + [np.sqrt(0.5)] * (n - 1))
        return times(times(over(c[:-1], c[-1]), beside(scale / scale[-1], c)), 0.5)


class LegendreBasis(Basis):
    """Orthogonal on [-1, 1]."""

    def next(self, n: int, x: Any, last: Any, before: Any) -> Any:
        return over(minus(times(times(last, x), 2 * n - 1), times(before, n - 1)), n)

    def fold(self, n: Any, x: Any, c: Any, c0: Any, c1: Any) -> tuple[Any, Any]:
        return minus(c, times(c1, (n - 1) / n)), plus(c0, times(times(c1, x), (2 * n - 1) / n))

    def fold_series(self, n: Any, by_x: ByX, c: Any, c0: Any, c1: Any) -> tuple[Any, Any]:
        return minus(c, over(times(c1, n - 1), n)), plus(c0, over(times(by_x(c1), 2 * n - 1), n))

    def by_x(self, c: tf.Tensor) -> tf.Tensor:
        i = degrees(c)
        return plus(raised(over(times(c, i + 1), 2 * i + 1)), lowered(over(times(c, i), 2 * i + 1)))

    def derived(self, c: Rows) -> Rows:
        c, found = list(c), []
        for j in range(len(c) - 1, 2, -1):
            found.append(times(2 * j - 1, c[j]))
            c[j - 2] = plus(c[j - 2], c[j])
        return [c[1], *[times(3, row) for row in c[2:3]], *found[::-1]]

    def integrated(self, c: Rows) -> Rows:
        found = [times(c[0], 0), c[0], *[over(c[1], 3) for _ in c[1:2]]]
        for j in range(2, len(c)):
            found.append(over(c[j], 2 * j + 1))
            found[j - 1] = minus(found[j - 1], found[j + 1])
        return found

    def frame(self, n: int) -> np.ndarray:
        scale = _legendre_scale(n)
        return symmetric(np.arange(1, n) * scale[:-1] * scale[1:])

    def column(self, c: tf.Tensor, n: int) -> tf.Tensor:
        scale = _legendre_scale(n)
        return times(times(over(c[:-1], c[-1]), beside(scale / scale[-1], c)), n / (2 * n - 1))


def _legendre_scale(n: int) -> np.ndarray:
    return 1.0 / np.sqrt(2 * np.arange(n) + 1)


class HermiteEBasis(Basis):
    """The probabilists' kind."""

    moves_axis = False  # in NumPy, which this follows

    def next(self, n: int, x: Any, last: Any, before: Any) -> Any:
        return minus(times(last, x), times(before, n - 1))

    def fold(self, n: Any, x: Any, c: Any, c0: Any, c1: Any) -> tuple[Any, Any]:
        return minus(c, times(c1, n - 1)), plus(c0, times(c1, x))

    def fold_series(self, n: Any, by_x: ByX, c: Any, c0: Any, c1: Any) -> tuple[Any, Any]:
        return minus(c, times(c1, n - 1)), plus(c0, by_x(c1))

    def by_x(self, c: tf.Tensor) -> tf.Tensor:
        return plus(raised(c), lowered(times(c, degrees(c))))

    def frame(self, n: int) -> np.ndarray:
        return symmetric(np.sqrt(np.arange(1, n)))

    def column(self, c: tf.Tensor, n: int) -> tf.Tensor:
        return over(times(beside(_hermite_scale(1.0, n), c), c[:-1]), c[-1])


def _hermite_scale(factor: float, n: int) -> np.ndarray:
    return np.multiply.accumulate(np.hstack((1.0, 1.0 / np.sqrt(factor * np.arange(n - 1, 0, -1)))))[::-1]


class HermiteBasis(HermiteEBasis):
    """The physicists' kind."""

    moves_axis = True

    def line(self, off: Any, scl: Any) -> tuple[Any, Any]:
        return off, over(number(scl), 2)

    def first(self, x: Any) -> Any:
        return times(x, 2)

    def next(self, n: int, x: Any, last: Any, before: Any) -> Any:
        return minus(times(last, times(x, 2)), times(before, 2 * (n - 1)))

    def fold(self, n: Any, x: Any, c: Any, c0: Any, c1: Any) -> tuple[Any, Any]:
        return minus(c, times(c1, 2 * (n - 1))), plus(c0, times(c1, times(x, 2)))

    def fold_series(self, n: Any, by_x: ByX, c: Any, c0: Any, c1: Any) -> tuple[Any, Any]:
        return minus(c, times(c1, 2 * (n - 1))), plus(c0, times(by_x(c1), 2))

    def first_series(self, by_x: ByX, c1: Any) -> Any:
        return times(by_x(c1), 2)

    def by_x(self, c: tf.Tensor) -> tf.Tensor:
        return plus(raised(over(c, 2)), lowered(times(c, degrees(c))))

    def derived(self, c: Rows) -> Rows:
        return [times(2 * j, c[j]) for j in range(1, len(c))]

    def integrated(self, c: Rows) -> Rows:
        return [times(c[0], 0), *[over(c[j], 2 * (j + 1)) for j in range(len(c))]]

    def root(self, c0: Any, c1: Any) -> Any:
        return over(times(-0.5, c0), c1)

    def frame(self, n: int) -> np.ndarray:
        return symmetric(np.sqrt(0.5 * np.arange(1, n)))

    def column(self, c: tf.Tensor, n: int) -> tf.Tensor:
        return over(times(beside(_hermite_scale(2.0, n), c), c[:-1]), times(2.0, c[-1]))


class LaguerreBasis(Basis):
    """Orthogonal on [0, infinity)."""

    def line(self, off: Any, scl: Any) -> tuple[Any, Any]:
        return plus(off, number(scl)), minus(0, scl)

    def first(self, x: Any) -> Any:
        return minus(1, x)

    def next(self, n: int, x: Any, last: Any, before: Any) -> Any:
        return over(minus(times(last, minus(2 * n - 1, x)), times(before, n - 1)), n)

    def fold(self, n: Any, x: Any, c: Any, c0: Any, c1: Any) -> tuple[Any, Any]:
        return minus(c, over(times(c1, n - 1), n)), plus(c0, over(times(c1, minus(2 * n - 1, x)), n))

    def fold_series(self, n: Any, by_x: ByX, c: Any, c0: Any, c1: Any) -> tuple[Any, Any]:
        return minus(c, over(times(c1, n - 1), n)), plus(c0, over(minus(times(2 * n - 1, c1), by_x(c1)), n))

    def first_series(self, by_x: ByX, c1: Any) -> Any:
        return minus(c1, by_x(c1))

    def by_x(self, c: tf.Tensor) -> tf.Tensor:
        i = degrees(c)
        higher = times(ufuncs.negative(c), i + 1)
        here = plus(tf.concat([tf.zeros_like(c[:1]), higher[:-1]], 0), times(c, 2 * i + 1))
        return minus(here, lowered(times(c, i)))

    def derived(self, c: Rows) -> Rows:
        c, found = list(c), []
        for j in range(len(c) - 1, 0, -1):
            found.append(ufuncs.negative(c[j]))
            c[j - 1] = plus(c[j - 1], c[j])
        return found[::-1]

    def integrated(self, c: Rows) -> Rows:
        found = [c[0], ufuncs.negative(c[0])]
        for j in range(1, len(c)):
            found[j] = plus(found[j], c[j])
            found.append(ufuncs.negative(c[j]))
        return found

    def root(self, c0: Any, c1: Any) -> Any:
        return plus(1, over(c0, c1))

    def frame(self, n: int) -> np.ndarray:
        return symmetric(-np.arange(1.0, n)) + np.diag(2.0 * np.arange(n) + 1.0)

    def column(self, c: tf.Tensor, n: int) -> tf.Tensor:
        return ufuncs.negative(times(over(c[:-1], c[-1]), n))


POWERS: Final = Basis()
CHEBYSHEV: Final = ChebyshevBasis()
LEGENDRE: Final = LegendreBasis()
HERMITE: Final = HermiteBasis()
HERMITE_E: Final = HermiteEBasis()
LAGUERRE: Final = LaguerreBasis()
