"""Series as objects with operators: the base class of the six classes.

Coefficients are a tensor. In eager mode operators trim trailing zeros, as in NumPy. In a graph, where their number is
unknown, operators calculate with all of them, so that lengths are static. The attribute `coef` and `degree` leave them
out when the graph runs; under XLA, where lengths are static, `coef` has them.
"""

from __future__ import annotations

import numbers
from collections.abc import Iterator
from typing import Any, ClassVar, Final, Self

import numpy as np
import tensorflow as tf

from tfnp._core import convert, dtypes, shapes
from tfnp._core.convert import to_tensor
from tfnp._core.eager_tensors import executing_eagerly
from tfnp._core.errors import requires_static
from tfnp._core.parameters import ArrayLike, IntLike, ShapeLike
from tfnp._core.xla import is_for_xla
from tfnp.polynomial import calculus, evaluation, fitting, products, root_finding
from tfnp.polynomial.arithmetic import Symbolic, is_python_scalar, over, plus, times
from tfnp.polynomial.bases import Basis
from tfnp.polynomial.coefficients import (
    as_series_list,
    find_last_index,
    get_length,
    is_dynamic,
    resize,
    static_length,
    trim,
    truncate,
)
from tfnp.polynomial.polyutils import getdomain, mapdomain, mapparms, split_domain, trimcoef
from tfnp.routines.creation.ranges import linspace
from tfnp.routines.math import ufuncs

MAX_UNROLLED: Final = 2  # longer series of lines use a loop


class Series(Symbolic):
    """A series in a basis, on a domain that is mapped to the window of the basis."""

    __hash__ = None  # type: ignore[assignment]
    __array_ufunc__ = None
    maxpower: ClassVar[int] = 100
    basis_name: ClassVar[str | None]
    domain: Any
    window: Any
    _coef: tf.Tensor
    _is_padded: bool = False  # may have zeros after the last coefficient, which a graph has not trimmed
    _basis: ClassVar[Basis]
    _use_unicode: ClassVar[bool] = True

    def __init__(
        self, coef: ArrayLike, domain: ArrayLike | None = None, window: ArrayLike | None = None, symbol: str = "x"
    ) -> None:
        (self._coef,) = as_series_list(coef, trim=False)
        if domain is not None:
            self.domain = _as_pair(domain, "Domain")
        if window is not None:
            self.window = _as_pair(window, "Window")
        if not hasattr(symbol, "isidentifier"):
            raise TypeError("Symbol must be a non-empty string")
        if not symbol.isidentifier():
            raise ValueError("Symbol string must be a valid Python identifier")
        self._symbol = symbol

    @property
    def symbol(self) -> str:
        """The symbol of the variable in the printed series."""
        return self._symbol

    @property
    def coef(self) -> tf.Tensor:
        """The coefficients, without zeros after the last one that operators have left."""
        return trim(self._coef) if self._is_padded and not is_for_xla() else self._coef

    @coef.setter
    def coef(self, value: tf.Tensor) -> None:
        self._coef, self._is_padded = value, False

    def _make_like(self, coef: Any, *, is_padded: bool = False) -> Self:
        """Return a series with the same domain, window and symbol."""
        series = self.__class__(coef, self.domain, self.window, self.symbol)
        series._is_padded = is_padded
        return series

    def has_samecoef(self, other: Any) -> Any:
        """Return False if the lengths differ, else a boolean tensor."""
        first, second = self._coef, other._coef
        if self._is_padded or other._is_padded:
            first, second = (series.coef if not is_for_xla() else series._coef for series in (self, other))
            size = shapes.max_dim(get_length(first), get_length(second))
            is_same = _are_equal(resize(first, size), resize(second, size))
            return tf.logical_and(is_same, tf.equal(self.degree(), other.degree()))
        if is_dynamic(first, second):
            size = shapes.max_dim(get_length(first), get_length(second))
            is_same = _are_equal(resize(first, size), resize(second, size))
            return tf.logical_and(is_same, tf.equal(get_length(first), get_length(second)))
        return len(self) == len(other) and _are_equal(first, second)

    def has_samedomain(self, other: Any) -> tf.Tensor:
        return _are_equal(self.domain, other.domain)

    def has_samewindow(self, other: Any) -> tf.Tensor:
        return _are_equal(self.window, other.window)

    def has_sametype(self, other: Any) -> bool:
        return isinstance(other, self.__class__)

    def _extract_coefficients(self, other: Any) -> Any:
        """Return the coefficients of a compatible series; anything else is returned as it is."""
        if not isinstance(other, Series):
            return other
        if not isinstance(other, self.__class__):
            raise TypeError("Polynomial types differ")
        if not _is_same_static(self.domain, other.domain):
            raise TypeError("Domains differ")
        if not _is_same_static(self.window, other.window):
            raise TypeError("Windows differ")
        if self.symbol != other.symbol:
            raise ValueError("Polynomial symbols differ")
        return other._coef

    def __repr__(self) -> str:
        coef, domain, window = (_format_values(part) for part in (self._coef, self.domain, self.window))
        return f"{type(self).__name__}({coef}, domain={domain}, window={window}, symbol={self.symbol!r})"

    def __format__(self, fmt_str: str) -> str:
        twin = self._to_numpy()
        if twin is None:
            return repr(self)
        return format(twin, fmt_str or ("unicode" if self._use_unicode else "ascii"))

    def __str__(self) -> str:
        return format(self, "")

    def _repr_latex_(self) -> str:
        twin = self._to_numpy()
        return repr(self) if twin is None else twin._repr_latex_()

    def _to_numpy(self) -> Any:
        """Return NumPy's series of the same values, for printing; None if they are not static."""
        static = [convert.static_value(part) for part in (self._coef, self.domain, self.window)]
        name = next(
            series_class.__name__
            for series_class in type(self).__mro__
            if series_class.__module__.startswith("tfnp.polynomial")
        )
        return None if any(part is None for part in static) else getattr(np.polynomial, name)(*static, self.symbol)

    def __call__(self, arg: Any) -> Any:
        x = mapdomain(arg, self.domain, self.window)
        is_line = isinstance(x, Series) and x._coef.shape[0] in {1, 2}
        if isinstance(x, Series) and (is_dynamic(self._coef) or (is_line and len(self) > MAX_UNROLLED)):
            return x._make_like(products.compose(self._basis, self._coef, x._basis, x._coef), is_padded=True)
        return evaluation.evaluate(self._basis, x, self._coef)

    def __iter__(self) -> Iterator[tf.Tensor]:
        return iter(tf.unstack(self._coef))

    def __len__(self) -> int:
        return static_length(self._coef)

    def __neg__(self) -> Self:
        return self._make_like(ufuncs.negative(self._coef), is_padded=self._is_padded)

    def __pos__(self) -> Self:
        return self

    def __add__(self, other: Any) -> Self:
        return self._combine(products.add, self._coef, self._extract_coefficients(other))

    def __radd__(self, other: Any) -> Self:
        return self._combine(products.add, other, self._coef)

    def __sub__(self, other: Any) -> Self:
        return self._combine(products.subtract, self._coef, self._extract_coefficients(other))

    def __rsub__(self, other: Any) -> Self:
        return self._combine(products.subtract, other, self._coef)

    def __mul__(self, other: Any) -> Self:
        return self._multiply(self._coef, self._extract_coefficients(other))

    def __rmul__(self, other: Any) -> Self:
        return self._multiply(other, self._coef)

    def _combine(self, function: Any, first: Any, second: Any) -> Self:
        operands = _as_operands(first, second)
        if operands is None:
            return NotImplemented
        size = _bound_length(*operands, size=max)
        return self._make_like(function(*operands, size=size), is_padded=size is not None)

    def _multiply(self, first: Any, second: Any) -> Self:
        operands = _as_operands(first, second)
        if operands is None:
            return NotImplemented
        size = _bound_length(*operands, size=lambda n, m: n + m - 1)
        return self._make_like(products.multiply(self._basis, *operands, size=size), is_padded=size is not None)

    def __truediv__(self, other: Any) -> Self:
        is_scalar = isinstance(other, numbers.Number) and not isinstance(other, bool)
        if not is_scalar and not (isinstance(other, tf.Tensor) and other.shape.rank == 0):
            raise TypeError(f"unsupported types for true division: '{type(self)}', '{type(other)}'")
        return self // other

    def __rtruediv__(self, other: Any) -> Any:
        return NotImplemented

    def __divmod__(self, other: Any) -> tuple[Self, Self]:
        return self._divmod(self._coef, self._extract_coefficients(other))

    def __rdivmod__(self, other: Any) -> tuple[Self, Self]:
        return self._divmod(other, self._coef)

    def __floordiv__(self, other: Any) -> Self:
        results = self.__divmod__(other)
        return results if results is NotImplemented else results[0]

    def __rfloordiv__(self, other: Any) -> Self:
        results = self.__rdivmod__(other)
        return results if results is NotImplemented else results[0]

    def __mod__(self, other: Any) -> Self:
        results = self.__divmod__(other)
        return results if results is NotImplemented else results[1]

    def __rmod__(self, other: Any) -> Self:
        results = self.__rdivmod__(other)
        return results if results is NotImplemented else results[1]

    def _divmod(self, first: Any, second: Any) -> tuple[Self, Self]:
        operands = _as_operands(first, second)
        if operands is None:
            return NotImplemented
        size = _bound_length(*operands, size=max)
        quotient, remainder = products.divide(self._basis, *operands, size=size)
        is_padded = size is not None
        return self._make_like(quotient, is_padded=is_padded), self._make_like(remainder, is_padded=is_padded)

    def __pow__(self, other: Any) -> Self:
        size = _bound_length(self._coef, size=lambda n: max((n - 1) * int(other), 0) + 1)
        result = products.power(self._basis, self._coef, other, self.maxpower, size)
        return self._make_like(result, is_padded=size is not None)

    def __eq__(self, other: Any) -> Any:
        if not isinstance(other, self.__class__) or self.symbol != other.symbol:
            return False
        is_same = self.has_samecoef(other)
        if is_same is False:
            return False
        pairs = ((self.domain, other.domain), (self.window, other.window))
        result = tf.reduce_all(tf.stack([is_same, *[_are_equal(*pair) for pair in pairs]]))
        static = convert.static_value(result)
        return result if static is None else bool(static)

    def __ne__(self, other: Any) -> Any:
        is_same = self.__eq__(other)
        return tf.logical_not(is_same) if isinstance(is_same, tf.Tensor) else not is_same

    def copy(self) -> Self:
        return self._make_like(self._coef, is_padded=self._is_padded)

    def degree(self) -> Any:
        """Return the degree; in a graph it is a tensor where the zeros that operators leave are not known."""
        if isinstance(self, Series) and self._is_padded and convert.static_value(self._coef) is None:
            return tf.cast(find_last_index(self._coef), tf.int64)
        coef = self.coef if isinstance(self, Series) else self  # NumPy accepts anything with a length
        return (get_length(coef) if isinstance(coef, tf.Tensor) and coef.shape.rank != 0 else len(coef)) - 1

    def cutdeg(self, deg: IntLike) -> Self:
        return self.truncate(deg + 1)

    def trim(self, tol: ArrayLike = 0) -> Self:
        size = _bound_length(self._coef, size=int)
        return self._make_like(trimcoef(self._coef, tol, size=size), is_padded=size is not None)

    def truncate(self, size: ShapeLike) -> Self:
        count = products.static_int(size, "size must be a positive integer")
        if count < 1:
            raise ValueError("size must be a positive integer")
        return self._make_like(truncate(self._coef, count), is_padded=self._is_padded)

    def convert(self, domain: ArrayLike | None = None, kind: Any = None, window: ArrayLike | None = None) -> Any:
        kind = self.__class__ if kind is None else kind
        domain = kind.domain if domain is None else domain
        window = kind.window if window is None else window
        return self(kind.identity(domain, window=window, symbol=self.symbol))

    def mapparms(self) -> tuple[Any, Any]:
        return mapparms(self.domain, self.window)

    def integ(self, m: IntLike = 1, k: ArrayLike = [], lbnd: ArrayLike | None = None) -> Self:  # noqa: B006 - NumPy's default
        if isinstance(lbnd, list | tuple):
            raise TypeError("can't multiply sequence by non-int")
        off, scl = self.mapparms()
        bound = 0 if lbnd is None else plus(off, times(scl, lbnd))
        # In eager mode a call that recurs is traced, and the integral of a zero has one coefficient then, too.
        open_ended = executing_eagerly()
        return self._make_like(
            calculus.integrate(self._basis, self._coef, m, k, bound, over(1.0, scl), open_ended=open_ended),
            is_padded=self._is_padded,
        )

    def deriv(self, m: IntLike = 1) -> Self:
        derivative = calculus.differentiate(self._basis, self._coef, m, self.mapparms()[1])
        return self._make_like(derivative, is_padded=self._is_padded)

    def roots(self) -> Any:
        """The dtype of the roots, and support by XLA, are as for the module's function."""
        return mapdomain(root_finding.find_roots(self._basis, self._coef), self.window, self.domain)

    def linspace(self, n: IntLike = 100, domain: ArrayLike | None = None) -> tuple[tf.Tensor, tf.Tensor]:
        x = linspace(*split_domain(self.domain if domain is None else domain), n)
        if dtypes.promotion.mode != "off":
            return x, self(x)
        x = convert.cast(x, self._coef.dtype.real_dtype) if not x.dtype.is_complex else x
        return x, self(convert.cast(x, self._coef.dtype))

    @classmethod
    def fit(
        cls,
        x: ArrayLike,
        y: ArrayLike,
        deg: ArrayLike,
        domain: ArrayLike | None = None,
        rcond: ArrayLike | None = None,
        full: bool = False,
        w: ArrayLike | None = None,
        window: ArrayLike | None = None,
        symbol: str = "x",
    ) -> Any:
        if domain is None:
            domain = _widen_point(getdomain(x))
        elif isinstance(domain, list) and len(domain) == 0:
            domain = cls.domain
        window = cls.window if window is None else window
        result = fitting.fit(cls._basis, mapdomain(x, domain, window), y, deg, rcond, full, w)
        coef, *status = result if full else (result,)
        series_fit = cls(coef, domain=domain, window=window, symbol=symbol)
        return (series_fit, status[0]) if full else series_fit

    @classmethod
    def fromroots(cls, roots: ArrayLike, domain: Any = [], window: ArrayLike | None = None, symbol: str = "x") -> Self:  # noqa: B006
        (roots,) = as_series_list(roots, trim=False)
        if domain is None:
            domain = getdomain(roots)
        elif isinstance(domain, list) and len(domain) == 0:
            domain = cls.domain
        window = cls.window if window is None else window
        off, scl = mapparms(domain, window)
        coef = products.from_roots(cls._basis, plus(off, times(scl, roots)))
        count = get_length(roots)
        scale = scl**count if is_python_scalar(scl) and isinstance(count, int) else ufuncs.power(scl, count)
        return cls(over(coef, scale), domain=domain, window=window, symbol=symbol)

    @classmethod
    def identity(cls, domain: ArrayLike | None = None, window: ArrayLike | None = None, symbol: str = "x") -> Self:
        domain = cls.domain if domain is None else domain
        window = cls.window if window is None else window
        return cls(products.make_line(cls._basis, *mapparms(window, domain)), domain, window, symbol)

    @classmethod
    def basis(
        cls, deg: IntLike, domain: ArrayLike | None = None, window: ArrayLike | None = None, symbol: str = "x"
    ) -> Self:
        degree = products.static_int(deg, "deg must be non-negative integer")
        if degree < 0:
            raise ValueError("deg must be non-negative integer")
        domain = cls.domain if domain is None else domain
        return cls([0] * degree + [1], domain, cls.window if window is None else window, symbol)

    @classmethod
    def cast(cls, series: Any, domain: ArrayLike | None = None, window: ArrayLike | None = None) -> Any:
        domain = cls.domain if domain is None else domain
        return series.convert(domain, cls, cls.window if window is None else window)


def _as_pair(value: Any, name: str) -> Any:
    """Convert a domain or window. Python numbers stay a NumPy array if promotion is off, so that they combine with any
    dtype.
    """
    (result,) = as_series_list(value, trim=False)
    is_weak = isinstance(value, list | tuple) and all(type(end) in (bool, int, float) for end in value)
    if is_weak and dtypes.promotion.mode == "off" and len(value) == 2:
        return np.array(value, np.float64)
    if result.shape[0] not in {2, None}:
        raise ValueError(f"{name} has wrong number of elements.")
    return result if result.shape[0] == 2 else tf.ensure_shape(result, [2])


def _are_equal(first: Any, second: Any) -> tf.Tensor:
    return tf.reduce_all(ufuncs.equal(to_tensor(first), to_tensor(second)))


def _is_same_static(first: Any, second: Any) -> bool:
    """Return whether two domains or windows are equal; both must be static."""
    if first is second:
        return True
    pair = convert.static_value(first), convert.static_value(second)
    if any(value is None for value in pair):
        raise requires_static("domain and window", "series arithmetic")
    return np.array_equal(*pair)


def _as_operands(first: Any, second: Any) -> tuple[tf.Tensor, tf.Tensor] | None:
    """Return two operands as series, or None if one is not a series."""
    try:
        first, second = as_series_list(first, second)
    except (TypeError, ValueError):
        return None
    return first, second


def _bound_length(*coefficients: tf.Tensor, size: Any) -> int | None:
    """Return the maximal number of coefficients of a result in a graph; None where values are static or lengths
    unknown.
    """
    if is_dynamic(*coefficients) or all(convert.static_value(c) is not None for c in coefficients):
        return None
    return int(size(*map(static_length, coefficients)))


def _widen_point(domain: tf.Tensor) -> tf.Tensor:
    """Widen a domain of a single point by 1 on both sides."""
    widened = ufuncs.add(domain, convert.cast(tf.constant([-1.0, 1.0]), domain.dtype))
    return tf.where(tf.equal(domain[0], domain[1]), widened, domain)


def _format_values(value: Any) -> str:
    """Return what NumPy prints between the parentheses of `array()`."""
    static = convert.static_value(value)
    return str(value) if static is None else repr(np.asarray(static))[6:-1]


def set_default_printstyle(style: str) -> None:
    """The style applies to the series of tfnp, not to those of NumPy."""
    if style not in ("unicode", "ascii"):
        raise ValueError(f"Unsupported format string '{style}'. Valid options are 'ascii' and 'unicode'")
    Series._use_unicode = style == "unicode"
