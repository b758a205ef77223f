"""The six bases: their recurrences, and what follows from them.

A basis is a sequence of polynomials P0 = 1, P1, P2, ..., each of which follows from the two before it. The formulas are
those of the Digital Library of Mathematical Functions (https://dlmf.nist.gov/18.9), evaluated in NumPy's order.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np
import tensorflow as tf

from tfnp._core import convert, dtypes
from tfnp._core.parameters import ArrayLike, IntLike
from tfnp.polynomial.arithmetic import minus, over, plus, reject_sequence, times
from tfnp.polynomial.coefficients import add_series, subtract_series
from tfnp.routines.math import ufuncs

MultiplyByX = Callable[[Any], Any]
Coefficients = list[tf.Tensor]


class Basis:
    """The power basis; the other bases override what differs."""

    restores_axis: bool = True  # whether the derivative restores the axis when no coefficient is left

    def line(self, off: ArrayLike, scl: ArrayLike) -> tuple[Any, Any]:
        """Return the coefficients of off + scl x."""
        return off, scl

    def first(self, x: ArrayLike) -> Any:
        """Return P1."""
        return x

    def next(self, n: int, x: ArrayLike, last: Any, before: ArrayLike) -> Any:
        """Return Pn from the two polynomials before it."""
        return times(last, x)

    def step(self, n: IntLike, x: ArrayLike, c: ArrayLike, c0: ArrayLike, c1: ArrayLike) -> tuple[Any, Any]:
        """Clenshaw's step: rewrite c P(n-2) + c0 P(n-1) + c1 Pn as a sum of the first two."""
        return c, plus(c0, times(c1, x))

    def step_series(self, n: IntLike, by_x: MultiplyByX, c: ArrayLike, c0: ArrayLike, c1: ArrayLike) -> tuple[Any, Any]:
        """Do the same for series: `by_x` multiplies by x."""
        return c, add_series(c0, by_x(c1))

    def first_series(self, by_x: MultiplyByX, c1: ArrayLike) -> Any:
        """Return c1 P1."""
        return by_x(c1)

    def multiply_by_x(self, c: tf.Tensor) -> tf.Tensor:
        """Multiply a series by x; its last coefficient must be zero, best a negative one."""
        return shift_up(c)

    def differentiate(self, c: Coefficients) -> Coefficients:
        return [times(j, c[j]) for j in range(1, len(c))]

    def integrate(self, c: Coefficients) -> Coefficients:
        """Integrate, with an arbitrary constant."""
        return [times(c[0], 0), c[0], *[over(c[j], j + 1) for j in range(1, len(c))]]

    def root(self, c0: ArrayLike, c1: ArrayLike) -> Any:
        """Return the root of c0 + c1 P1."""
        return over(ufuncs.negative(c0), c1)

    def frame(self, n: int) -> np.ndarray:
        """Return the companion matrix of degree n, without what is subtracted from its last column."""
        return np.eye(n, k=-1)

    def last_column(self, c: tf.Tensor, n: int) -> tf.Tensor:
        """Return what is subtracted from the last column of the companion matrix."""
        return over(c[:-1], c[-1])


def shift_up(c: tf.Tensor) -> tf.Tensor:
    """Raise every coefficient by one degree and drop the last. The first is zero, or nan where it was infinite."""
    return tf.concat([times(c[:1], 0), c[:-1]], 0)


def shift_down(c: tf.Tensor) -> tf.Tensor:
    """Lower every coefficient by one degree and drop the first; to be added to other coefficients."""
    return tf.concat([c[1:], _make_negative_zeros(c[:1])], 0)


def _make_negative_zeros(c: tf.Tensor) -> tf.Tensor:
    """Return zeros that leave the signs of those to which they are added as they are."""
    return tf.negative(tf.zeros_like(c))


def degrees(c: tf.Tensor) -> Any:
    """Return 0, 1, 2, ... in the dtype of the coefficients, broadcast against their trailing axes."""
    shape = (-1, *[1] * (len(c.shape) - 1))
    if c.shape[0] is None:
        return tf.reshape(convert.cast(tf.range(tf.shape(c)[0]), c.dtype), shape)
    return np.arange(c.shape[0]).astype(dtypes.as_numpy(c.dtype)).reshape(shape)


def make_symmetric(row: np.ndarray) -> np.ndarray:
    """Return the matrix with these values above and below its diagonal."""
    return np.diag(row, 1) + np.diag(row, -1)


def match_dtype(values: np.ndarray, c: tf.Tensor) -> Any:
    """Return float64 values, cast to the dtype of the coefficients if promotion is off."""
    return convert.to_tensor(values, c.dtype) if dtypes.promotion.mode == "off" else values


class ChebyshevBasis(Basis):
    """Chebyshev polynomials of the first kind."""

    def next(self, n: int, x: ArrayLike, last: Any, before: ArrayLike) -> Any:
        return minus(times(last, times(2, x)), before)

    def step(self, n: IntLike, x: ArrayLike, c: ArrayLike, c0: ArrayLike, c1: ArrayLike) -> tuple[Any, Any]:
        return minus(c, c1), plus(c0, times(c1, times(2, x)))

    def step_series(self, n: IntLike, by_x: MultiplyByX, c: ArrayLike, c0: ArrayLike, c1: ArrayLike) -> tuple[Any, Any]:
        return subtract_series(c, c1), add_series(c0, times(by_x(c1), 2))

    def multiply_by_x(self, c: tf.Tensor) -> tf.Tensor:
        half = over(c[1:], 2)
        return plus(shift_up(tf.concat([c[:1], half], 0)), tf.concat([half, _make_negative_zeros(c[:1])], 0))

    def differentiate(self, c: Coefficients) -> Coefficients:
        c, result = list(c), []
        for j in range(len(c) - 1, 2, -1):
            result.append(times(2 * j, c[j]))
            c[j - 2] = plus(c[j - 2], over(times(j, c[j]), j - 2))
        return [c[1], *[times(4, row) for row in c[2:3]], *result[::-1]]

    def integrate(self, c: Coefficients) -> Coefficients:
        result = [times(c[0], 0), c[0], *[over(c[1], 4) for _ in c[1:2]]]
        for j in range(2, len(c)):
            result.append(over(c[j], 2 * (j + 1)))
            result[j - 1] = minus(result[j - 1], over(c[j], 2 * (j - 1)))
        return result

    def frame(self, n: int) -> np.ndarray:
        return make_symmetric(np.array([np.sqrt(0.5), *[0.5] * (n - 2)]))

    def last_column(self, c: tf.Tensor, n: int) -> tf.Tensor:
        scale = np.array([1.0] + [np.sqrt(0.5)] * (n - 1))
        return times(times(over(c[:-1], c[-1]), match_dtype(scale / scale[-1], c)), 0.5)


class LegendreBasis(Basis):
    """Legendre polynomials, orthogonal on [-1, 1]."""

    def next(self, n: int, x: ArrayLike, last: Any, before: ArrayLike) -> Any:
        return over(minus(times(times(last, x), 2 * n - 1), times(before, n - 1)), n)

    def step(self, n: IntLike, x: ArrayLike, c: ArrayLike, c0: ArrayLike, c1: ArrayLike) -> tuple[Any, Any]:
        return minus(c, times(c1, (n - 1) / n)), plus(c0, times(times(c1, x), (2 * n - 1) / n))

    def step_series(self, n: IntLike, by_x: MultiplyByX, c: ArrayLike, c0: ArrayLike, c1: ArrayLike) -> tuple[Any, Any]:
        return subtract_series(c, over(times(c1, n - 1), n)), add_series(c0, over(times(by_x(c1), 2 * n - 1), n))

    def multiply_by_x(self, c: tf.Tensor) -> tf.Tensor:
        i = degrees(c)
        return plus(shift_up(over(times(c, i + 1), 2 * i + 1)), shift_down(over(times(c, i), 2 * i + 1)))

    def differentiate(self, c: Coefficients) -> Coefficients:
        c, result = list(c), []
        for j in range(len(c) - 1, 2, -1):
            result.append(times(2 * j - 1, c[j]))
            c[j - 2] = plus(c[j - 2], c[j])
        return [c[1], *[times(3, row) for row in c[2:3]], *result[::-1]]

    def integrate(self, c: Coefficients) -> Coefficients:
        result = [times(c[0], 0), c[0], *[over(c[1], 3) for _ in c[1:2]]]
        for j in range(2, len(c)):
            result.append(over(c[j], 2 * j + 1))
            result[j - 1] = minus(result[j - 1], result[j + 1])
        return result

    def frame(self, n: int) -> np.ndarray:
        scale = _compute_legendre_scale(n)
        return make_symmetric(np.arange(1, n) * scale[:-1] * scale[1:])

    def last_column(self, c: tf.Tensor, n: int) -> tf.Tensor:
        scale = _compute_legendre_scale(n)
        return times(times(over(c[:-1], c[-1]), match_dtype(scale / scale[-1], c)), n / (2 * n - 1))


def _compute_legendre_scale(n: int) -> np.ndarray:
    return 1.0 / np.sqrt(2 * np.arange(n) + 1)


class HermiteEBasis(Basis):
    """Hermite polynomials of the probabilists' kind."""

    restores_axis = False  # NumPy forgets it in hermeder

    def next(self, n: int, x: ArrayLike, last: Any, before: ArrayLike) -> Any:
        return minus(times(last, x), times(before, n - 1))

    def step(self, n: IntLike, x: ArrayLike, c: ArrayLike, c0: ArrayLike, c1: ArrayLike) -> tuple[Any, Any]:
        return minus(c, times(c1, n - 1)), plus(c0, times(c1, x))

    def step_series(self, n: IntLike, by_x: MultiplyByX, c: ArrayLike, c0: ArrayLike, c1: ArrayLike) -> tuple[Any, Any]:
        return subtract_series(c, times(c1, n - 1)), add_series(c0, by_x(c1))

    def multiply_by_x(self, c: tf.Tensor) -> tf.Tensor:
        return plus(shift_up(c), shift_down(times(c, degrees(c))))

    def frame(self, n: int) -> np.ndarray:
        return make_symmetric(np.sqrt(np.arange(1, n)))

    def last_column(self, c: tf.Tensor, n: int) -> tf.Tensor:
        return over(times(match_dtype(_compute_hermite_scale(1.0, n), c), c[:-1]), c[-1])


def _compute_hermite_scale(factor: float, n: int) -> np.ndarray:
    return np.multiply.accumulate(np.hstack((1.0, 1.0 / np.sqrt(factor * np.arange(n - 1, 0, -1)))))[::-1]


class HermiteBasis(HermiteEBasis):
    """Hermite polynomials of the physicists' kind."""

    restores_axis = True

    def line(self, off: ArrayLike, scl: ArrayLike) -> tuple[Any, Any]:
        return off, over(reject_sequence(scl), 2)

    def first(self, x: ArrayLike) -> Any:
        return times(x, 2)

    def next(self, n: int, x: ArrayLike, last: Any, before: ArrayLike) -> Any:
        return minus(times(last, times(x, 2)), times(before, 2 * (n - 1)))

    def step(self, n: IntLike, x: ArrayLike, c: ArrayLike, c0: ArrayLike, c1: ArrayLike) -> tuple[Any, Any]:
        return minus(c, times(c1, 2 * (n - 1))), plus(c0, times(c1, times(x, 2)))

    def step_series(self, n: IntLike, by_x: MultiplyByX, c: ArrayLike, c0: ArrayLike, c1: ArrayLike) -> tuple[Any, Any]:
        return subtract_series(c, times(c1, 2 * (n - 1))), add_series(c0, times(by_x(c1), 2))

    def first_series(self, by_x: MultiplyByX, c1: ArrayLike) -> Any:
        return times(by_x(c1), 2)

    def multiply_by_x(self, c: tf.Tensor) -> tf.Tensor:
        return plus(shift_up(over(c, 2)), shift_down(times(c, degrees(c))))

    def differentiate(self, c: Coefficients) -> Coefficients:
        return [times(2 * j, c[j]) for j in range(1, len(c))]

    def integrate(self, c: Coefficients) -> Coefficients:
        return [times(c[0], 0), *[over(c[j], 2 * (j + 1)) for j in range(len(c))]]

    def root(self, c0: ArrayLike, c1: ArrayLike) -> Any:
        return times(-0.5, over(c0, c1))

    def frame(self, n: int) -> np.ndarray:
        return make_symmetric(np.sqrt(0.5 * np.arange(1, n)))

    def last_column(self, c: tf.Tensor, n: int) -> tf.Tensor:
        return over(times(match_dtype(_compute_hermite_scale(2.0, n), c), c[:-1]), times(2.0, c[-1]))


class LaguerreBasis(Basis):
    """Laguerre polynomials, orthogonal on [0, infinity)."""

    def line(self, off: ArrayLike, scl: ArrayLike) -> tuple[Any, Any]:
        return plus(off, reject_sequence(scl)), minus(0, scl)

    def first(self, x: ArrayLike) -> Any:
        return minus(1, x)

    def next(self, n: int, x: ArrayLike, last: Any, before: ArrayLike) -> Any:
        return over(minus(times(last, minus(2 * n - 1, x)), times(before, n - 1)), n)

    def step(self, n: IntLike, x: ArrayLike, c: ArrayLike, c0: ArrayLike, c1: ArrayLike) -> tuple[Any, Any]:
        return minus(c, over(times(c1, n - 1), n)), plus(c0, over(times(c1, minus(2 * n - 1, x)), n))

    def step_series(self, n: IntLike, by_x: MultiplyByX, c: ArrayLike, c0: ArrayLike, c1: ArrayLike) -> tuple[Any, Any]:
        return subtract_series(c, over(times(c1, n - 1), n)), add_series(
            c0, over(subtract_series(times(2 * n - 1, c1), by_x(c1)), n)
        )

    def first_series(self, by_x: MultiplyByX, c1: ArrayLike) -> Any:
        return subtract_series(c1, by_x(c1))

    def multiply_by_x(self, c: tf.Tensor) -> tf.Tensor:
        i = degrees(c)
        higher = times(ufuncs.negative(c), i + 1)
        diagonal = plus(tf.concat([_make_negative_zeros(c[:1]), higher[:-1]], 0), times(c, 2 * i + 1))
        return minus(diagonal, tf.concat([times(c, i)[1:-1], tf.zeros_like(c[:2])], 0))

    def differentiate(self, c: Coefficients) -> Coefficients:
        c, result = list(c), []
        for j in range(len(c) - 1, 0, -1):
            result.append(ufuncs.negative(c[j]))
            c[j - 1] = plus(c[j - 1], c[j])
        return result[::-1]

    def integrate(self, c: Coefficients) -> Coefficients:
        result = [c[0], ufuncs.negative(c[0])]
        for j in range(1, len(c)):
            result[j] = plus(result[j], c[j])
            result.append(ufuncs.negative(c[j]))
        return result

    def root(self, c0: ArrayLike, c1: ArrayLike) -> Any:
        return plus(1, over(c0, c1))

    def frame(self, n: int) -> np.ndarray:
        return make_symmetric(-np.arange(1.0, n)) + np.diag(2.0 * np.arange(n) + 1.0)

    def last_column(self, c: tf.Tensor, n: int) -> tf.Tensor:
        return ufuncs.negative(times(over(c[:-1], c[-1]), n))


POWERS: Final = Basis()
CHEBYSHEV: Final = ChebyshevBasis()
LEGENDRE: Final = LegendreBasis()
HERMITE: Final = HermiteBasis()
HERMITE_E: Final = HermiteEBasis()
LAGUERRE: Final = LaguerreBasis()
CONVOLVED: Final = (POWERS, CHEBYSHEV)  # bases whose products are convolutions, of any length
