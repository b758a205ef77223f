"""Series whose length is known only when a graph runs: loops, where elsewhere every step is written out.

What NumPy does in one way for a series of one coefficient and in another for more is chosen when the graph runs. A
dtype that hangs on that choice is the one of more coefficients.
"""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable
from typing import Any

import tensorflow as tf

from tfnp._core import convert, dtypes, shapes
from tfnp._core.convert import to_tensor
from tfnp._core.shapes import Dim
from tfnp.polynomial.arithmetic import Symbolic, minus, over, plus, times
from tfnp.polynomial.bases import CHEBYSHEV, HERMITE, HERMITE_E, LAGUERRE, LEGENDRE, POWERS, Basis, degrees
from tfnp.polynomial.coefficients import dim, is_inexact, length, resize, trimmed
from tfnp.routines.math import ufuncs

ByX = Callable[[tf.Tensor], tf.Tensor]
Pair = tuple[tf.Tensor, tf.Tensor]


class Degree(Symbolic):
    """A degree that is known when the graph runs, and what is calculated with it: weak, as Python's numbers are."""

    def __init__(self, number: tf.Tensor, *, is_whole: bool = True) -> None:
        self.number = convert.cast(tf.stop_gradient(number), tf.float64)
        self.is_whole = is_whole

    def _with(self, operation: Callable[[Any, Any], Any], ufunc: Any, other: Any, *, is_reflected: bool = False) -> Any:
        if isinstance(other, tf.Tensor):
            pair = (self._beside(other), other)
            return ufunc(*(reversed(pair) if is_reflected else pair))
        number, is_whole = (other.number, other.is_whole) if isinstance(other, Degree) else (other, type(other) is int)
        pair = (number, self.number) if is_reflected else (self.number, number)
        return Degree(operation(*pair), is_whole=self.is_whole and is_whole and operation is not operator.truediv)

    def _beside(self, other: tf.Tensor) -> tf.Tensor:
        return convert.cast(self.number, other.dtype if self.is_whole or is_inexact(other.dtype) else tf.float64)

    def __add__(self, other: Any) -> Any:
        return self._with(operator.add, ufuncs.add, other)

    def __sub__(self, other: Any) -> Any:
        return self._with(operator.sub, ufuncs.subtract, other)

    def __mul__(self, other: Any) -> Any:
        return self._with(operator.mul, ufuncs.multiply, other)

    def __truediv__(self, other: Any) -> Any:
        return self._with(operator.truediv, ufuncs.divide, other)

    def __radd__(self, other: Any) -> Any:
        return self._with(operator.add, ufuncs.add, other, is_reflected=True)

    def __rsub__(self, other: Any) -> Any:
        return self._with(operator.sub, ufuncs.subtract, other, is_reflected=True)

    def __rmul__(self, other: Any) -> Any:
        return self._with(operator.mul, ufuncs.multiply, other, is_reflected=True)

    def __rtruediv__(self, other: Any) -> Any:
        return self._with(operator.truediv, ufuncs.divide, other, is_reflected=True)


def as_if(c: tf.Tensor, count: int = 3) -> tf.Tensor:
    """So many coefficients of a series, of which only dtypes and shapes are asked."""
    return tf.ensure_shape(c[:count], [count, *c.shape[1:]])


def value(basis: Basis, x: Any, c: tf.Tensor, like: tf.Tensor) -> tf.Tensor:
    """By Clenshaw's recurrence, of the dtype of `like`; `c` has axes for those of points, too."""
    shape = shapes.broadcast_shapes(shapes.shape(c)[1:], shapes.shape(x) if isinstance(x, tf.Tensor) else ())
    last = plus(c[-1], times(x, 0)) if basis is POWERS else c[-1]

    def spread(part: tf.Tensor) -> tf.Tensor:
        return shapes.broadcast_to(convert.cast(part, like.dtype), shape)

    def fold(n: Degree, part: tf.Tensor, c0: tf.Tensor, c1: tf.Tensor) -> Pair:
        return basis.fold(n, x, part, c0, c1)

    c0, c1 = _folded(c, spread, fold, spread(last))
    return convert.cast(plus(c0, times(c1, basis.first(x))), like.dtype)


def _folded(
    c: tf.Tensor,
    spread: Callable[[tf.Tensor], tf.Tensor],
    fold: Callable[[Degree, tf.Tensor, tf.Tensor, tf.Tensor], Pair],
    last: tf.Tensor,
) -> Pair:
    """A sum of P0 and P1 instead of all, the coefficients of which may be arrays, or series."""
    count = tf.shape(c)[0]
    is_one = tf.equal(count, 1)
    before = spread(tf.gather(c, tf.maximum(count - 2, 0)))
    c0, c1 = tf.where(is_one, last, before), tf.where(is_one, tf.zeros_like(last), last)

    def step(n: tf.Tensor, c0: tf.Tensor, c1: tf.Tensor) -> tuple[tf.Tensor, ...]:
        found = fold(Degree(n), spread(tf.gather(c, n - 2)), c0, c1)
        return n - 1, *(tf.ensure_shape(convert.cast(part, c0.dtype), c0.shape) for part in found)

    return tf.while_loop(lambda n, *_: n > 1, step, (count - 1, c0, c1), maximum_iterations=count)[1:]


def combine(basis: Basis, c: tf.Tensor, unit: tf.Tensor, size: Dim, by_x: ByX) -> tf.Tensor:
    """c0 P0 + c1 P1 + ... of what `by_x` multiplies by x, with room for that."""

    def spread(part: tf.Tensor) -> tf.Tensor:
        return resize(times(part, unit), size)

    def fold(n: Degree, part: tf.Tensor, c0: tf.Tensor, c1: tf.Tensor) -> Pair:
        return basis.fold_series(n, by_x, part, c0, c1)

    c0, c1 = _folded(c, spread, fold, spread(c[-1]))
    return convert.cast(plus(c0, basis.first_series(by_x, c1)), unit.dtype)


def compose(basis: Basis, c: tf.Tensor, other: Basis, line: tf.Tensor) -> tf.Tensor:
    """A series of what is, in another basis, of a degree of at most 1."""
    if length(line) > 2:
        raise ValueError("the length of a series must be known while tracing: set its shape")
    off, *scl = tf.unstack(line)

    def by_line(series: tf.Tensor) -> tf.Tensor:
        parts = [times(part, other.first_series(other.by_x, series)) for part in scl]
        return functools.reduce(plus, parts, times(off, series))

    dtype = dtypes.result_type(c, line)
    return trimmed(combine(basis, convert.cast(c, dtype), tf.ones([1], dtype), tf.shape(c)[0], by_line))


def product(basis: Basis, c1: tf.Tensor, c2: tf.Tensor) -> tf.Tensor:
    """As many coefficients as there can be."""
    first, second = tf.shape(c1)[0], tf.shape(c2)[0]
    short, long = tf.cond(first > second, lambda: (c2, c1), lambda: (c1, c2))
    short.set_shape([None])
    return combine(basis, short, long, first + second - 1, basis.by_x)


def quotient(basis: Basis, c1: tf.Tensor, c2: tf.Tensor, last: tf.Tensor) -> Pair:
    """Quotient and remainder, given the place of the last coefficient of the divisor that is not zero."""
    count = tf.shape(c1)[0]
    steps = tf.maximum(count - last, 0)
    parts = _raised(basis, resize(c2, count), steps)

    def step(k: tf.Tensor, remaining: tf.Tensor, found: tf.Tensor) -> tuple[tf.Tensor, ...]:
        part, index = tf.gather(parts, k), tf.range(count)
        share = over(tf.gather(remaining, k + last), tf.gather(part, k + last))
        remaining = tf.where(index < k + last, minus(remaining, times(share, part)), tf.zeros_like(remaining))
        found = tf.where(index == k, share, found)
        return k - 1, tf.ensure_shape(remaining, c1.shape), tf.ensure_shape(found, c1.shape)

    start = (steps - 1, c1, tf.zeros_like(c1))
    _, remaining, found = tf.while_loop(lambda k, *_: k >= 0, step, start, maximum_iterations=count)
    is_number = tf.equal(last, 0)
    found = tf.where(is_number, over(c1, tf.where(is_number, c2[0], tf.ones_like(c2[0]))), found)
    left = tf.where(steps > 0, tf.maximum(last, 1), count)
    return found[: tf.maximum(steps, 1)], tf.where(is_number, times(c1, 0), remaining)[:left]


def _raised(basis: Basis, c: tf.Tensor, count: tf.Tensor) -> tf.Tensor:
    """A series times so many polynomials of the basis, a row for each: each by the two before it."""
    zero = tf.zeros_like(c)
    rows = tf.TensorArray(c.dtype, tf.maximum(count, 1), element_shape=c.shape, clear_after_read=False)

    def step(n: tf.Tensor, before: tf.Tensor, last: tf.Tensor, rows: Any) -> tuple[Any, ...]:
        lower, _ = basis.fold_series(Degree(n), basis.by_x, zero, zero, before)
        _, upper = basis.fold_series(Degree(n), basis.by_x, zero, zero, last)
        return n + 1, last, convert.cast(plus(upper, lower), c.dtype), rows.write(n - 1, last)

    first = convert.cast(basis.first_series(basis.by_x, c), c.dtype)
    start = (tf.constant(2), c, first, rows.write(0, c))
    return tf.while_loop(lambda n, *_: n <= count, step, start)[3].stack()


def product_of_roots(basis: Basis, roots: tf.Tensor) -> tf.Tensor:
    """Times x less each root, of roots in order. Those that come first are spread over all of them: in order, they make
    coefficients so large that what cancels them later is lost.
    """
    count = tf.shape(roots)[0]
    spread = tf.gather(roots, tf.argsort(_reversed_bits(tf.range(count))))
    roots = tf.where(tf.reduce_all(ufuncs.isfinite(roots)), spread, roots)
    unit = tf.one_hot(0, count + 1, dtype=roots.dtype)

    def step(index: tf.Tensor, found: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
        there = tf.where(tf.range(count + 1) <= index, times(roots[index], found), tf.zeros_like(found))
        return index + 1, tf.ensure_shape(minus(basis.by_x(found), there), found.shape)

    return tf.while_loop(lambda index, _: index < count, step, (0, unit), maximum_iterations=count)[1]


def _reversed_bits(numbers: tf.Tensor) -> tf.Tensor:
    """Their 32 bits read backwards: in the order of these, each beginning of 0, 1, ... is spread evenly (J. G. van der
    Corput, Verteilungsfunktionen, 1935).
    """
    found = tf.cast(numbers, tf.int64)
    for width in (1, 2, 4, 8, 16):
        half = tf.constant(sum(1 << bit for bit in range(32) if not bit & width), tf.int64)
        high = tf.bitwise.bitwise_and(tf.bitwise.right_shift(found, tf.constant(width, tf.int64)), half)
        low = tf.bitwise.left_shift(tf.bitwise.bitwise_and(found, half), tf.constant(width, tf.int64))
        found = tf.bitwise.bitwise_or(low, high)
    return found


def from_powers(basis: Basis, pol: tf.Tensor) -> tf.Tensor:
    """By Horner's rule."""
    count = tf.shape(pol)[0]
    first = tf.range(count) == 0

    def step(index: tf.Tensor, found: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
        moved = basis.by_x(found)
        return index - 1, tf.ensure_shape(tf.where(first, plus(moved, pol[index]), moved), found.shape)

    start = (count - 2, tf.where(first, pol[-1], tf.zeros_like(pol)))
    return tf.while_loop(lambda index, _: index >= 0, step, start, maximum_iterations=count)[1]


def differentiate(basis: Basis, c: tf.Tensor) -> tf.Tensor:
    """By the closed sums to which the recurrences amount; of one coefficient nothing."""
    n = to_tensor(degrees(c))
    if basis in (POWERS, HERMITE_E, HERMITE):
        return times(2 * n if basis is HERMITE else n, c)[1:]
    if basis is LAGUERRE:
        return ufuncs.negative(tf.cumsum(c, reverse=True))[1:]
    sums = _every_other(times(n, c) if basis is CHEBYSHEV else c)
    found = times(2 if basis is CHEBYSHEV else 2 * n - 1, sums)
    return tf.where(n == 1, over(found, 2), found)[1:] if basis is CHEBYSHEV else found[1:]


def _every_other(c: tf.Tensor) -> tf.Tensor:
    """Of each coefficient the sum with those that are 2, 4, 6 ... degrees higher."""
    count = dim(c)
    half, others = (count + 1) // 2, shapes.shape(c)[1:]
    pairs = tf.reshape(resize(c, 2 * half), shapes.shape_tensor((half, 2, *others)))
    return tf.reshape(tf.cumsum(pairs, reverse=True), shapes.shape_tensor((2 * half, *others)))[:count]


def integrate(basis: Basis, c: tf.Tensor) -> tf.Tensor:
    """With any constant."""
    n, nothing = to_tensor(degrees(c)), times(c[:1], 0)
    if basis is LAGUERRE:
        return minus(resize(c, dim(c) + 1), tf.concat([tf.zeros_like(c[:1]), c], 0))
    divisor = {POWERS: n + 1, HERMITE_E: n + 1, HERMITE: 2 * (n + 1), CHEBYSHEV: 2 * (n + 1), LEGENDRE: 2 * n + 1}[
        basis
    ]
    divisor = tf.where(n == 0, tf.ones_like(n), divisor) if basis is CHEBYSHEV else divisor
    found = tf.concat([nothing, over(c, divisor)], 0)
    if basis in (CHEBYSHEV, LEGENDRE):
        lower = over(c, 2 * tf.where(n == 1, n, n - 1) if basis is CHEBYSHEV else divisor)[2:]
        found = minus(found, resize(tf.concat([tf.zeros_like(nothing), lower], 0), dim(found)))
    return found


def companion(basis: Basis, c: tf.Tensor) -> tf.Tensor:
    """Of a degree of at least 1, where the last coefficient is not zero."""
    last = dim(c) - 1
    n = tf.cast(last, tf.float64)
    k = tf.cast(tf.range(1, last), tf.float64)
    share, scale = over(c[:-1], c[-1]), _scale(basis, last)
    if scale is not None:
        share = times(share, convert.cast(scale / scale[-1], c.dtype))
    factor = {CHEBYSHEV: 0.5, LEGENDRE: n / (2 * n - 1), HERMITE: 0.5, LAGUERRE: -n}.get(basis, 1.0)
    column = times(share, convert.cast(to_tensor(factor), c.dtype))
    frame = convert.cast(_frame(basis, n, k), c.dtype)
    found = minus(frame, tf.concat([tf.zeros_like(frame[:, :-1]), column[:, None]], 1))
    return tf.where(tf.equal(last, 1), convert.cast(basis.root(c[0], c[1]), c.dtype), found)


def _frame(basis: Basis, n: tf.Tensor, k: tf.Tensor) -> tf.Tensor:
    """The companion matrix of degree n but for what its last column has less."""
    if basis is POWERS:
        return _beside_diagonal(tf.ones_like(k), -1)
    off = {
        CHEBYSHEV: lambda: tf.where(k == 1, tf.sqrt(0.5 * k), 0.5 * tf.ones_like(k)),
        LEGENDRE: lambda: k / tf.sqrt((2 * k - 1) * (2 * k + 1)),
        HERMITE_E: lambda: tf.sqrt(k),
        HERMITE: lambda: tf.sqrt(0.5 * k),
        LAGUERRE: lambda: -k,
    }[basis]()
    found = _beside_diagonal(off, 1) + _beside_diagonal(off, -1)
    return found + tf.linalg.diag(2 * tf.range(n) + 1) if basis is LAGUERRE else found


def _beside_diagonal(row: tf.Tensor, index: int) -> tf.Tensor:
    """A matrix with these numbers above its diagonal, or below; of one element if there are none."""
    square = tf.linalg.diag(tf.concat([row, tf.zeros([1], row.dtype)], 0))
    return tf.roll(square, 1, 1 if index > 0 else 0)


def _scale(basis: Basis, count: Dim) -> tf.Tensor | None:
    """What makes the matrix symmetric."""
    k = tf.cast(tf.range(count), tf.float64)
    if basis is CHEBYSHEV:
        return tf.where(k == 0, tf.ones_like(k), tf.sqrt(tf.constant(0.5, tf.float64)))
    if basis is LEGENDRE:
        return 1 / tf.sqrt(2 * k + 1)
    if basis in (HERMITE, HERMITE_E):
        factor = 2.0 if basis is HERMITE else 1.0
        return tf.math.cumprod(tf.where(k == 0, tf.ones_like(k), tf.sqrt(factor * k)))  # but for a factor
    return None
