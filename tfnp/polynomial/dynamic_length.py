"""Series whose length is unknown while tracing: loops in place of unrolled steps.

Where NumPy treats a series of one coefficient differently, the graph chooses when it runs. A dtype that would depend on
that choice is the one for several coefficients.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import tensorflow as tf

from tfnp._core import convert, dtypes, layout, shapes
from tfnp._core.convert import to_tensor
from tfnp._core.parameters import ArrayLike
from tfnp._core.shapes import Dim
from tfnp.polynomial.arithmetic import Symbolic, minus, over, plus, times
from tfnp.polynomial.bases import CHEBYSHEV, CONVOLVED, HERMITE, HERMITE_E, LAGUERRE, LEGENDRE, POWERS, Basis, degrees
from tfnp.polynomial.coefficients import (
    extend,
    find_last_index,
    get_length,
    is_inexact,
    resize,
    resolve_dtype,
    static_length,
)
from tfnp.routines.math import ufuncs
from tfnp.routines.math.cumulative import cumsum

ByX = Callable[[tf.Tensor], tf.Tensor]
Pair = tuple[tf.Tensor, tf.Tensor]


class Degree(Symbolic):
    """A degree that is unknown while tracing; in arithmetic it is weak, like a Python scalar."""

    def __init__(self, value: tf.Tensor, *, is_integer: bool = True) -> None:
        self.value = convert.cast(tf.stop_gradient(value), tf.float64)
        self.is_integer = is_integer

    def _apply(
        self, operation: Callable[[Any, Any], Any], ufunc: Any, other: Any, *, is_reflected: bool = False
    ) -> Any:
        if isinstance(other, Symbolic) and not isinstance(other, Degree):
            return NotImplemented
        if isinstance(other, tf.Tensor):
            pair = (self._cast_for(other), other)
            return ufunc(*(reversed(pair) if is_reflected else pair))
        value, is_integer = (
            (other.value, other.is_integer) if isinstance(other, Degree) else (other, type(other) is int)
        )
        pair = (value, self.value) if is_reflected else (self.value, value)
        return Degree(operation(*pair), is_integer=self.is_integer and is_integer and operation is not operator.truediv)

    def _cast_for(self, other: tf.Tensor) -> tf.Tensor:
        return convert.cast(self.value, other.dtype if self.is_integer or is_inexact(other.dtype) else tf.float64)

    def __add__(self, other: Any) -> Any:
        return self._apply(operator.add, ufuncs.add, other)

    def __sub__(self, other: Any) -> Any:
        return self._apply(operator.sub, ufuncs.subtract, other)

    def __mul__(self, other: Any) -> Any:
        return self._apply(operator.mul, ufuncs.multiply, other)

    def __truediv__(self, other: Any) -> Any:
        return self._apply(operator.truediv, ufuncs.divide, other)

    def __radd__(self, other: Any) -> Any:
        return self._apply(operator.add, ufuncs.add, other, is_reflected=True)

    def __rsub__(self, other: Any) -> Any:
        return self._apply(operator.sub, ufuncs.subtract, other, is_reflected=True)

    def __rmul__(self, other: Any) -> Any:
        return self._apply(operator.mul, ufuncs.multiply, other, is_reflected=True)

    def __rtruediv__(self, other: Any) -> Any:
        return self._apply(operator.truediv, ufuncs.divide, other, is_reflected=True)


def take_prefix(c: tf.Tensor, count: int = 3) -> tf.Tensor:
    """Return the first `count` coefficients, after which there are zeros, for static shapes and dtypes only."""
    padding = tf.zeros(tf.concat([[count], tf.shape(c)[1:]], 0), c.dtype)
    prefix = tf.concat([c, padding], 0)[:count]
    prefix.set_shape([count, *c.shape[1:]])  # XLA, which runs this, too, would reject `tf.ensure_shape` of fewer
    return prefix


def evaluate(basis: Basis, x: ArrayLike, c: tf.Tensor, like: tf.Tensor) -> tf.Tensor:
    """Evaluate by Clenshaw's recurrence in the dtype of `like`; `c` also has axes for those of the points."""
    shape = shapes.broadcast_shapes(shapes.shape(c)[1:], shapes.shape(x) if isinstance(x, tf.Tensor) else ())
    last = plus(c[-1], times(x, 0)) if basis is POWERS else c[-1]

    def broadcast(part: tf.Tensor) -> tf.Tensor:
        return shapes.broadcast_to(convert.cast(part, like.dtype), shape)

    def clenshaw_step(n: Degree, part: tf.Tensor, c0: tf.Tensor, c1: tf.Tensor) -> Pair:
        return basis.step(n, x, part, c0, c1)

    c0, c1 = _reduce_clenshaw(c, broadcast, clenshaw_step, broadcast(last))
    return convert.cast(plus(c0, times(c1, basis.first(x))), like.dtype)


def _reduce_clenshaw(
    c: tf.Tensor,
    broadcast: Callable[[tf.Tensor], tf.Tensor],
    clenshaw_step: Callable[[Degree, tf.Tensor, tf.Tensor, tf.Tensor], Pair],
    last: tf.Tensor,
) -> Pair:
    """Reduce a series to c0 P0 + c1 P1; the coefficients may be arrays or series."""
    count = tf.shape(c)[0]
    is_one = tf.equal(count, 1)
    before = broadcast(tf.gather(c, tf.maximum(count - 2, 0)))
    c0, c1 = tf.where(is_one, last, before), tf.where(is_one, tf.zeros_like(last), last)

    def step(n: tf.Tensor, c0: tf.Tensor, c1: tf.Tensor) -> tuple[tf.Tensor, ...]:
        result = clenshaw_step(Degree(n), broadcast(tf.gather(c, n - 2)), c0, c1)
        return n - 1, *(tf.ensure_shape(convert.cast(part, c0.dtype), c0.shape) for part in result)

    return tf.while_loop(lambda n, *_: n > 1, step, (count - 1, c0, c1), maximum_iterations=count)[1:]


def combine(basis: Basis, c: tf.Tensor, unit: tf.Tensor, size: Dim, by_x: ByX) -> tf.Tensor:
    """Return c0 P0 + c1 P1 + ..., where `by_x` multiplies a series of `size` coefficients by x."""

    def broadcast(part: tf.Tensor) -> tf.Tensor:
        return resize(times(part, unit), size)

    def clenshaw_step(n: Degree, part: tf.Tensor, c0: tf.Tensor, c1: tf.Tensor) -> Pair:
        return basis.step_series(n, by_x, part, c0, c1)

    c0, c1 = _reduce_clenshaw(c, broadcast, clenshaw_step, broadcast(c[-1]))
    return convert.cast(plus(c0, basis.first_series(by_x, c1)), unit.dtype)


class Line(Symbolic):
    """A series of one or two coefficients, which stands for x; it multiplies series of a fixed number of coefficients.

    As in NumPy, which trims them, trailing zeros take no part: with an infinity they would give nan.
    """

    def __init__(self, basis: Basis, coef: tf.Tensor) -> None:
        self.basis = basis
        self.coef = coef

    def __mul__(self, other: Any) -> Any:
        if isinstance(other, tf.Tensor) and other.shape.rank == 1:
            return self._multiply_series(other)
        return Line(self.basis, times(self.coef, other))

    __rmul__ = __mul__

    def __rsub__(self, other: Any) -> Line:
        return Line(self.basis, tf.concat([minus(other, self.coef[:1]), ufuncs.negative(self.coef[1:])], 0))

    def _multiply_series(self, c: tf.Tensor) -> tf.Tensor:
        last = find_last_index(c)
        products = times(self.coef[:, None], c)
        rows = _mask_above(last, products)
        if static_length(self.coef) == 1:
            return _add_zero(rows[0])
        if self.basis in CONVOLVED:
            return self._convolve(rows[0], rows[1])
        # Of two series NumPy multiplies the longer one by each coefficient of the other.
        rows = tf.where(last < 2, tf.transpose(extend(products[:, :2], get_length(c))), rows)
        constant, linear = rows[0], rows[1]
        result = plus(constant, self.basis.first_series(self.basis.multiply_by_x, linear))
        return tf.where(last == 0, _add_zero(constant), result)

    def _convolve(self, constant: tf.Tensor, linear: tf.Tensor) -> tf.Tensor:
        """Add a series and x times another one. No infinity is multiplied by zero, and sums begin with a zero."""
        first = over(linear[1:2], 2) if self.basis is CHEBYSHEV else tf.zeros_like(linear[:1])
        shifted = tf.concat([first, self.basis.multiply_by_x(linear)[1:]], 0)
        return _negate_trailing_zeros(plus(plus(constant, 0), shifted))


def _add_zero(c: tf.Tensor) -> tf.Tensor:
    """Add the zero series, as NumPy does in a product with a single coefficient."""
    return tf.concat([plus(c[:1], 0), c[1:]], 0)


def _negate_trailing_zeros(c: tf.Tensor) -> tf.Tensor:
    """Make trailing zeros negative."""
    return _mask_above(find_last_index(c), c)


def _mask_above(last: tf.Tensor, c: tf.Tensor) -> tf.Tensor:
    """Replace what follows an index by zeros that leave the signs of those to which they are added as they are."""
    return tf.where(tf.range(tf.shape(c)[-1]) <= last, c, tf.negative(tf.zeros_like(c)))


def compose(basis: Basis, c: tf.Tensor, other: Basis, line: tf.Tensor) -> tf.Tensor:
    """Substitute a series of at most two coefficients, in another basis, for x; do not trim the result."""
    if static_length(line) > 2:
        raise ValueError("the number of coefficients of x must be static inside tf.function: set its shape")
    dtype = dtypes.promote_with_int(resolve_dtype(c, line))  # NumPy adds a series of one zero, which promotes
    c, x = convert.cast(c, dtype), Line(other, convert.cast(line, dtype))
    degree = get_length(c) if basis is POWERS else shapes.max_dim(get_length(c) - 1, 1)  # NumPy starts from c + 0 x
    size = degree * (static_length(line) - 1) + 1

    def broadcast(part: tf.Tensor) -> tf.Tensor:
        return extend(part[None], size)

    def clenshaw_step(n: Degree, part: tf.Tensor, c0: tf.Tensor, c1: tf.Tensor) -> Pair:
        c0, c1 = basis.step(n, x, part, c0, c1)
        return _negate_trailing_zeros(c0), _negate_trailing_zeros(c1)

    last = broadcast(c[-1])
    last = plus(last, times(tf.zeros_like(last), x)) if basis is POWERS else last
    c0, c1 = _reduce_clenshaw(c, broadcast, clenshaw_step, last)
    result = plus(c0, times(c1, basis.first(x)))
    return tf.where(tf.range(tf.size(result)) <= find_last_index(result), result, tf.zeros_like(result))


def multiply(basis: Basis, c1: tf.Tensor, c2: tf.Tensor) -> tf.Tensor:
    """Multiply two series; return the maximal number of coefficients."""
    long, short, _ = layout.put_longer_first(c1, c2)
    short.set_shape([None])
    return combine(basis, short, long, tf.size(c1) + tf.size(c2) - 1, basis.multiply_by_x)


def divide(basis: Basis, c1: tf.Tensor, c2: tf.Tensor, last: tf.Tensor) -> Pair:
    """Return quotient and remainder; `last` is the index of the last nonzero coefficient of the divisor."""
    count = tf.shape(c1)[0]
    steps = tf.maximum(count - last, 0)
    parts = _multiply_by_basis(basis, resize(c2, count), steps)

    def step(k: tf.Tensor, remainder: tf.Tensor, result: tf.Tensor) -> tuple[tf.Tensor, ...]:
        part, index = tf.gather(parts, k), tf.range(count)
        factor = over(tf.gather(remainder, k + last), tf.gather(part, k + last))
        remainder = tf.where(index < k + last, minus(remainder, times(factor, part)), tf.zeros_like(remainder))
        result = tf.where(index == k, factor, result)
        return k - 1, tf.ensure_shape(remainder, c1.shape), tf.ensure_shape(result, c1.shape)

    start = (steps - 1, c1, tf.zeros_like(c1))
    _, remainder, result = tf.while_loop(lambda k, *_: k >= 0, step, start, maximum_iterations=count)
    is_constant = tf.equal(last, 0)
    result = tf.where(is_constant, over(c1, tf.where(is_constant, c2[0], tf.ones_like(c2[0]))), result)
    length = tf.where(steps > 0, tf.maximum(last, 1), count)
    remainder = tf.where(is_constant, times(c1, 0), remainder)[:length]
    return keep_short_dividend(c1, last, result[: tf.maximum(steps, 1)], remainder)


def keep_short_dividend(c1: tf.Tensor, last: Dim, quotient: tf.Tensor, remainder: tf.Tensor) -> Pair:
    """Return quotient and remainder, which are c1[0] * 0 and c1 if c1 without trailing zeros is shorter than the
    divisor, whose last nonzero coefficient has the index `last`.
    """
    is_shorter = find_last_index(c1) < last
    first = convert.cast(resize(times(c1[:1], 0), get_length(quotient)), quotient.dtype)
    dividend = convert.cast(resize(c1, get_length(remainder)), remainder.dtype)
    return tf.where(is_shorter, first, quotient), tf.where(is_shorter, dividend, remainder)


def _multiply_by_basis(basis: Basis, c: tf.Tensor, count: tf.Tensor) -> tf.Tensor:
    """Multiply a series by `count` polynomials of the basis, one row each, by the recurrence."""
    zero = tf.zeros_like(c)
    rows = tf.TensorArray(c.dtype, tf.maximum(count, 1), element_shape=c.shape, clear_after_read=False)

    def step(n: tf.Tensor, before: tf.Tensor, last: tf.Tensor, rows: Any) -> tuple[Any, ...]:
        lower, _ = basis.step_series(Degree(n), basis.multiply_by_x, zero, zero, before)
        _, upper = basis.step_series(Degree(n), basis.multiply_by_x, zero, zero, last)
        return n + 1, last, convert.cast(plus(upper, lower), c.dtype), rows.write(n - 1, last)

    first = convert.cast(basis.first_series(basis.multiply_by_x, c), c.dtype)
    start = (tf.constant(2), c, first, rows.write(0, c))
    return tf.while_loop(lambda n, *_: n <= count, step, start)[3].stack()


def multiply_roots(basis: Basis, roots: tf.Tensor) -> tf.Tensor:
    """Multiply x - root over sorted roots. The order is shuffled evenly: in sorted order, intermediate coefficients
    would be so large that digits are lost.
    """
    count = tf.shape(roots)[0]
    spread_out = tf.gather(roots, tf.argsort(_reverse_bits(tf.range(count))))
    roots = tf.where(tf.reduce_all(ufuncs.isfinite(roots)), spread_out, roots)
    unit = tf.one_hot(0, count + 1, dtype=roots.dtype)

    def step(index: tf.Tensor, result: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
        scaled = tf.where(tf.range(count + 1) <= index, times(roots[index], result), tf.zeros_like(result))
        return index + 1, tf.ensure_shape(minus(basis.multiply_by_x(result), scaled), result.shape)

    return tf.while_loop(lambda index, _: index < count, step, (0, unit), maximum_iterations=count)[1]


def _reverse_bits(integers: tf.Tensor) -> tf.Tensor:
    """Reverse 32 bits: in this order each prefix of 0, 1, ... is spread evenly (J. G. van der Corput,
    Verteilungsfunktionen, 1935).
    """
    result = tf.cast(integers, tf.int64)
    for width in (1, 2, 4, 8, 16):
        mask = tf.constant(sum(1 << bit for bit in range(32) if not bit & width), tf.int64)
        high = tf.bitwise.bitwise_and(tf.bitwise.right_shift(result, tf.constant(width, tf.int64)), mask)
        low = tf.bitwise.left_shift(tf.bitwise.bitwise_and(result, mask), tf.constant(width, tf.int64))
        result = tf.bitwise.bitwise_or(low, high)
    return result


def from_powers(basis: Basis, pol: tf.Tensor) -> tf.Tensor:
    """Convert from the power basis by Horner's rule."""
    count = tf.shape(pol)[0]
    first = tf.range(count) == 0

    def step(index: tf.Tensor, result: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
        shifted = basis.multiply_by_x(result)
        return index - 1, tf.ensure_shape(tf.where(first, plus(shifted, pol[index]), shifted), result.shape)

    start = (count - 2, tf.where(first, pol[-1], tf.zeros_like(pol)))
    return tf.while_loop(lambda index, _: index >= 0, step, start, maximum_iterations=count)[1]


def differentiate(basis: Basis, c: tf.Tensor) -> tf.Tensor:
    """Differentiate by the closed sums of the recurrence; one coefficient gives none."""
    n = to_tensor(degrees(c))
    if basis in (POWERS, HERMITE_E, HERMITE):
        return times(2 * n if basis is HERMITE else n, c)[1:]
    if basis is LAGUERRE:
        return ufuncs.negative(_sum_from_end(c))[1:]
    sums = _sum_every_other(times(n, c) if basis is CHEBYSHEV else c)
    result = times(2 if basis is CHEBYSHEV else 2 * n - 1, sums)
    return tf.where(n == 1, over(result, 2), result)[1:] if basis is CHEBYSHEV else result[1:]


def _sum_from_end(c: tf.Tensor) -> tf.Tensor:
    """Sum each row with those after it. XLA has no running sums of complex numbers, which tfnp's are by parts."""
    return tf.reverse(cumsum(tf.reverse(c, [0]), 0), [0])


def _sum_every_other(c: tf.Tensor) -> tf.Tensor:
    """Sum each coefficient with those 2, 4, 6, ... degrees higher."""
    count = get_length(c)
    half, trailing_dims = (count + 1) // 2, shapes.shape(c)[1:]
    pairs = tf.reshape(resize(c, 2 * half), shapes.shape_tensor((half, 2, *trailing_dims)))
    return tf.reshape(_sum_from_end(pairs), shapes.shape_tensor((2 * half, *trailing_dims)))[:count]


def integrate(basis: Basis, c: tf.Tensor) -> tf.Tensor:
    """Integrate, with an arbitrary constant."""
    n, zero = to_tensor(degrees(c)), times(c[:1], 0)
    if basis is LAGUERRE:
        return minus(resize(c, get_length(c) + 1), tf.concat([tf.zeros_like(c[:1]), c], 0))
    divisor = {POWERS: n + 1, HERMITE_E: n + 1, HERMITE: 2 * (n + 1), CHEBYSHEV: 2 * (n + 1), LEGENDRE: 2 * n + 1}[
        basis
    ]
    divisor = tf.where(n == 0, tf.ones_like(n), divisor) if basis is CHEBYSHEV else divisor
    result = tf.concat([zero, over(c, divisor)], 0)
    if basis in (CHEBYSHEV, LEGENDRE):
        lower = over(c, 2 * tf.where(n == 1, n, n - 1) if basis is CHEBYSHEV else divisor)[2:]
        result = minus(result, resize(tf.concat([tf.zeros_like(zero), lower], 0), get_length(result)))
    return result


def make_companion(basis: Basis, c: tf.Tensor) -> tf.Tensor:
    """Return the companion matrix of a series of degree at least 1 whose last coefficient is not zero."""
    last = get_length(c) - 1
    n = tf.cast(last, tf.float64)
    k = tf.cast(tf.range(1, last), tf.float64)
    ratios, scale = over(c[:-1], c[-1]), _compute_scale(basis, last)
    if scale is not None:
        ratios = times(ratios, convert.cast(scale / scale[-1], c.dtype))
    factor = {CHEBYSHEV: 0.5, LEGENDRE: n / (2 * n - 1), HERMITE: 0.5, LAGUERRE: -n}.get(basis, 1.0)
    column = times(ratios, convert.cast(to_tensor(factor), c.dtype))
    frame = convert.cast(_make_frame(basis, n, k), c.dtype)
    result = minus(frame, tf.concat([tf.zeros_like(frame[:, :-1]), column[:, None]], 1))
    return tf.where(tf.equal(last, 1), convert.cast(basis.root(c[0], c[1]), c.dtype), result)


def _make_frame(basis: Basis, n: tf.Tensor, k: tf.Tensor) -> tf.Tensor:
    """Return the companion matrix of degree n, without what is subtracted from its last column."""
    if basis is POWERS:
        return _make_off_diagonal(tf.ones_like(k), -1)
    off = {
        CHEBYSHEV: lambda: tf.where(k == 1, tf.sqrt(0.5 * k), 0.5 * tf.ones_like(k)),
        LEGENDRE: lambda: k / tf.sqrt((2 * k - 1) * (2 * k + 1)),
        HERMITE_E: lambda: tf.sqrt(k),
        HERMITE: lambda: tf.sqrt(0.5 * k),
        LAGUERRE: lambda: -k,
    }[basis]()
    result = _make_off_diagonal(off, 1) + _make_off_diagonal(off, -1)
    return result + tf.linalg.diag(2 * tf.range(n) + 1) if basis is LAGUERRE else result


def _make_off_diagonal(row: tf.Tensor, index: int) -> tf.Tensor:
    """Return a matrix with these values next to its diagonal; 1 x 1 if there are none."""
    square = tf.linalg.diag(tf.concat([row, tf.zeros([1], row.dtype)], 0))
    return tf.roll(square, 1, 1 if index > 0 else 0)


def _compute_scale(basis: Basis, count: Dim) -> tf.Tensor | None:
    """Return the scale that makes the companion matrix symmetric."""
    k = tf.cast(tf.range(count), tf.float64)
    if basis is CHEBYSHEV:
        return tf.where(k == 0, tf.ones_like(k), tf.sqrt(tf.constant(0.5, tf.float64)))
    if basis is LEGENDRE:
        return 1 / tf.sqrt(2 * k + 1)
    if basis in (HERMITE, HERMITE_E):
        factor = 2.0 if basis is HERMITE else 1.0
        return tf.math.cumprod(tf.where(k == 0, tf.ones_like(k), tf.sqrt(factor * k)))  # up to a factor
    return None
