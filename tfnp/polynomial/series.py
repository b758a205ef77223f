"""Series as objects with operators: what the six classes share.

Coefficients are a tensor. In eager, operators leave out zeros after the last coefficient, as in NumPy. In a graph,
where their number is not known, they stay, so that degrees are known: a degree there is a bound.
"""

from __future__ import annotations

import numbers
from collections.abc import Iterator
from typing import Any, ClassVar, Self

import numpy as np
import tensorflow as tf

from tfnp._core import convert, dtypes
from tfnp._core.convert import to_tensor
from tfnp.polynomial import calculus, dynamic_length, evaluation, fitting, products, root_finding
from tfnp.polynomial.arithmetic import Symbolic, is_python, over, plus, times
from tfnp.polynomial.bases import Basis
from tfnp.polynomial.coefficients import dim, is_open, length, longer, resize, series
from tfnp.polynomial.polyutils import ends, getdomain, mapdomain, mapparms, trimcoef
from tfnp.routines.creation.ranges import linspace
from tfnp.routines.math import ufuncs


class Series(Symbolic):
    """A series in a basis, on a domain that is mapped to the window of the basis."""

    __hash__ = None  # type: ignore[assignment]
    __array_ufunc__ = None
    maxpower: ClassVar[int] = 100
    basis_name: ClassVar[str | None]
    domain: Any
    window: Any
    coef: tf.Tensor
    _basis: ClassVar[Basis]
    _use_unicode: ClassVar[bool] = True

    def __init__(self, coef: Any, domain: Any = None, window: Any = None, symbol: Any = "x") -> None:
        (self.coef,) = series(coef, trim=False)
        if domain is not None:
            self.domain = _pair(domain, "Domain")
        if window is not None:
            self.window = _pair(window, "Window")
        if not hasattr(symbol, "isidentifier"):
            raise TypeError("Symbol must be a non-empty string")
        if not symbol.isidentifier():
            raise ValueError("Symbol string must be a valid Python identifier")
        self._symbol = symbol

    @property
    def symbol(self) -> str:
        """What stands for the variable when the series is written."""
        return self._symbol

    def _like(self, coef: Any) -> Self:
        """Another series of this domain, window and symbol."""
        return self.__class__(coef, self.domain, self.window, self.symbol)

    def has_samecoef(self, other: Any) -> Any:
        """False, if they are not as many."""
        first, second = self.coef, other.coef
        if is_open(first, second):
            size = longer(dim(first), dim(second))
            same = _equal(resize(first, size), resize(second, size))
            return tf.logical_and(same, tf.equal(dim(first), dim(second)))
        return len(self) == len(other) and _equal(first, second)

    def has_samedomain(self, other: Any) -> tf.Tensor:
        return _equal(self.domain, other.domain)

    def has_samewindow(self, other: Any) -> tf.Tensor:
        return _equal(self.window, other.window)

    def has_sametype(self, other: Any) -> bool:
        return isinstance(other, self.__class__)

    def _coefficients_of(self, other: Any) -> Any:
        """Of another series that goes with this one, the coefficients; else what was given."""
        if not isinstance(other, Series):
            return other
        if not isinstance(other, self.__class__):
            raise TypeError("Polynomial types differ")
        if not _is_same(self.domain, other.domain):
            raise TypeError("Domains differ")
        if not _is_same(self.window, other.window):
            raise TypeError("Windows differ")
        if self.symbol != other.symbol:
            raise ValueError("Polynomial symbols differ")
        return other.coef

    def __repr__(self) -> str:
        coef, domain, window = (_inside(part) for part in (self.coef, self.domain, self.window))
        return f"{type(self).__name__}({coef}, domain={domain}, window={window}, symbol={self.symbol!r})"

    def __format__(self, fmt_str: str) -> str:
        twin = self._twin()
        if twin is None:
            return repr(self)
        return format(twin, fmt_str or ("unicode" if self._use_unicode else "ascii"))

    def __str__(self) -> str:
        return format(self, "")

    def _repr_latex_(self) -> str:
        twin = self._twin()
        return repr(self) if twin is None else twin._repr_latex_()

    def _twin(self) -> Any:
        """NumPy's series of these numbers, which knows how to write them; None where a graph does not know them."""
        static = [convert.static_value(part) for part in (self.coef, self.domain, self.window)]
        name = next(kind.__name__ for kind in type(self).__mro__ if kind.__module__.startswith("tfnp.polynomial"))
        return None if any(part is None for part in static) else getattr(np.polynomial, name)(*static, self.symbol)

    def __call__(self, arg: Any) -> Any:
        x = mapdomain(arg, self.domain, self.window)
        if isinstance(x, Series) and is_open(self.coef):
            return x._like(dynamic_length.compose(self._basis, self.coef, x._basis, x.coef))
        return evaluation.value(self._basis, x, self.coef)

    def __iter__(self) -> Iterator[tf.Tensor]:
        return iter(tf.unstack(self.coef))

    def __len__(self) -> int:
        return length(self.coef)

    def __neg__(self) -> Self:
        return self._like(ufuncs.negative(self.coef))

    def __pos__(self) -> Self:
        return self

    def __add__(self, other: Any) -> Self:
        return self._of_sum(products.add, self.coef, self._coefficients_of(other))

    def __radd__(self, other: Any) -> Self:
        return self._of_sum(products.add, other, self.coef)

    def __sub__(self, other: Any) -> Self:
        return self._of_sum(products.subtract, self.coef, self._coefficients_of(other))

    def __rsub__(self, other: Any) -> Self:
        return self._of_sum(products.subtract, other, self.coef)

    def __mul__(self, other: Any) -> Self:
        return self._of_product(self.coef, self._coefficients_of(other))

    def __rmul__(self, other: Any) -> Self:
        return self._of_product(other, self.coef)

    def _of_sum(self, function: Any, first: Any, second: Any) -> Self:
        both = _both(first, second)
        return NotImplemented if both is None else self._like(function(*both, size=_bound(*both, size=max)))

    def _of_product(self, first: Any, second: Any) -> Self:
        both = _both(first, second)
        if both is None:
            return NotImplemented
        size = _bound(*both, size=lambda n, m: n + m - 1)
        return self._like(products.multiply(self._basis, *both, size=size))

    def __truediv__(self, other: Any) -> Self:
        is_number = isinstance(other, numbers.Number) and not isinstance(other, bool)
        if not is_number and not (isinstance(other, tf.Tensor) and other.shape.rank == 0):
            raise TypeError(f"unsupported types for true division: '{type(self)}', '{type(other)}'")
        return self // other

    def __rtruediv__(self, other: Any) -> Any:
        return NotImplemented

    def __divmod__(self, other: Any) -> tuple[Self, Self]:
        return self._quotient(self.coef, self._coefficients_of(other))

    def __rdivmod__(self, other: Any) -> tuple[Self, Self]:
        return self._quotient(other, self.coef)

    def __floordiv__(self, other: Any) -> Self:
        both = self.__divmod__(other)
        return both if both is NotImplemented else both[0]

    def __rfloordiv__(self, other: Any) -> Self:
        both = self.__rdivmod__(other)
        return both if both is NotImplemented else both[0]

    def __mod__(self, other: Any) -> Self:
        both = self.__divmod__(other)
        return both if both is NotImplemented else both[1]

    def __rmod__(self, other: Any) -> Self:
        both = self.__rdivmod__(other)
        return both if both is NotImplemented else both[1]

    def _quotient(self, first: Any, second: Any) -> tuple[Self, Self]:
        both = _both(first, second)
        if both is None:
            return NotImplemented
        quotient, remaining = products.divide(self._basis, *both, size=_bound(*both, size=max))
        return self._like(quotient), self._like(remaining)

    def __pow__(self, other: Any) -> Self:
        size = _bound(self.coef, size=lambda n: max((n - 1) * int(other), 0) + 1)
        return self._like(products.power(self._basis, self.coef, other, self.maxpower, size))

    def __eq__(self, other: Any) -> Any:
        if not isinstance(other, self.__class__) or self.symbol != other.symbol:
            return False
        same = self.has_samecoef(other)
        if same is False:
            return False
        pairs = ((self.domain, other.domain), (self.window, other.window))
        found = tf.reduce_all(tf.stack([same, *[_equal(*pair) for pair in pairs]]))
        static = convert.static_value(found)
        return found if static is None else bool(static)

    def __ne__(self, other: Any) -> Any:
        same = self.__eq__(other)
        return tf.logical_not(same) if isinstance(same, tf.Tensor) else not same

    def copy(self) -> Self:
        return self._like(self.coef)

    def degree(self) -> Any:
        """In a graph a bound of it."""
        held = self.coef if isinstance(self, Series) else self  # NumPy takes whatever has a length
        return (dim(held) if isinstance(held, tf.Tensor) and held.shape.rank != 0 else len(held)) - 1

    def cutdeg(self, deg: Any) -> Self:
        return self.truncate(deg + 1)

    def trim(self, tol: Any = 0) -> Self:
        """In a graph coefficients are made zero, not left out."""
        return self._like(trimcoef(self.coef, tol, size=_bound(self.coef, size=int)))

    def truncate(self, size: Any) -> Self:
        count = products.static_int(size, "size must be a positive integer")
        if count < 1:
            raise ValueError("size must be a positive integer")
        return self._like(self.coef[:count])

    def convert(self, domain: Any = None, kind: Any = None, window: Any = None) -> Any:
        kind = self.__class__ if kind is None else kind
        domain = kind.domain if domain is None else domain
        window = kind.window if window is None else window
        return self(kind.identity(domain, window=window, symbol=self.symbol))

    def mapparms(self) -> tuple[Any, Any]:
        return mapparms(self.domain, self.window)

    def integ(self, m: Any = 1, k: Any = [], lbnd: Any = None) -> Self:  # noqa: B006 - NumPy's default
        if isinstance(lbnd, list | tuple):
            raise TypeError("can't multiply sequence by non-int")
        off, scl = self.mapparms()
        bound = 0 if lbnd is None else plus(off, times(scl, lbnd))
        return self._like(calculus.integral(self._basis, self.coef, m, k, bound, over(1.0, scl), open_ended=False))

    def deriv(self, m: Any = 1) -> Self:
        return self._like(calculus.derivative(self._basis, self.coef, m, self.mapparms()[1]))

    def roots(self) -> Any:
        """As the function of the module finds them."""
        return mapdomain(root_finding.roots(self._basis, self.coef), self.window, self.domain)

    def linspace(self, n: Any = 100, domain: Any = None) -> tuple[tf.Tensor, tf.Tensor]:
        x = linspace(*ends(self.domain if domain is None else domain), n)
        if dtypes.promotion.mode != "off":
            return x, self(x)
        x = convert.cast(x, self.coef.dtype.real_dtype) if not x.dtype.is_complex else x
        return x, self(convert.cast(x, self.coef.dtype))

    @classmethod
    def fit(
        cls,
        x: Any,
        y: Any,
        deg: Any,
        domain: Any = None,
        rcond: Any = None,
        full: Any = False,
        w: Any = None,
        window: Any = None,
        symbol: Any = "x",
    ) -> Any:
        if domain is None:
            domain = _not_empty(getdomain(x))
        elif isinstance(domain, list) and len(domain) == 0:
            domain = cls.domain
        window = cls.window if window is None else window
        found = fitting.fit(cls._basis, mapdomain(x, domain, window), y, deg, rcond, full, w)
        coef, *status = found if full else (found,)
        fitted = cls(coef, domain=domain, window=window, symbol=symbol)
        return (fitted, status[0]) if full else fitted

    @classmethod
    def fromroots(cls, roots: Any, domain: Any = [], window: Any = None, symbol: Any = "x") -> Self:  # noqa: B006
        (roots,) = series(roots, trim=False)
        if domain is None:
            domain = getdomain(roots)
        elif isinstance(domain, list) and len(domain) == 0:
            domain = cls.domain
        window = cls.window if window is None else window
        off, scl = mapparms(domain, window)
        coef = products.from_roots(cls._basis, plus(off, times(scl, roots)))
        count = dim(roots)
        scale = scl**count if is_python(scl) and isinstance(count, int) else ufuncs.power(scl, count)
        return cls(over(coef, scale), domain=domain, window=window, symbol=symbol)

    @classmethod
    def identity(cls, domain: Any = None, window: Any = None, symbol: Any = "x") -> Self:
        domain = cls.domain if domain is None else domain
        window = cls.window if window is None else window
        return cls(products.line(cls._basis, *mapparms(window, domain)), domain, window, symbol)

    @classmethod
    def basis(cls, deg: Any, domain: Any = None, window: Any = None, symbol: Any = "x") -> Self:
        number = products.static_int(deg, "deg must be non-negative integer")
        if number < 0:
            raise ValueError("deg must be non-negative integer")
        domain = cls.domain if domain is None else domain
        return cls([0] * number + [1], domain, cls.window if window is None else window, symbol)

    @classmethod
    def cast(cls, series: Any, domain: Any = None, window: Any = None) -> Any:
        domain = cls.domain if domain is None else domain
        return series.convert(domain, cls, cls.window if window is None else window)


def _pair(value: Any, name: str) -> Any:
    """Python's numbers as those of a class, which have no dtype of their own where no dtypes meet."""
    (found,) = series(value, trim=False)
    is_weak = isinstance(value, list | tuple) and all(type(end) in (bool, int, float) for end in value)
    if is_weak and dtypes.promotion.mode == "off" and len(value) == 2:
        return np.array(value, np.float64)
    if found.shape[0] not in {2, None}:
        raise ValueError(f"{name} has wrong number of elements.")
    return found if found.shape[0] == 2 else tf.ensure_shape(found, [2])


def _equal(first: Any, second: Any) -> tf.Tensor:
    return tf.reduce_all(ufuncs.equal(to_tensor(first), to_tensor(second)))


def _is_same(first: Any, second: Any) -> bool:
    """Whether two domains or windows are equal, which must be known."""
    if first is second:
        return True
    pair = convert.static_value(first), convert.static_value(second)
    if any(one is None for one in pair):
        raise TypeError("whether domains and windows are the same must be known while tracing")
    return np.array_equal(*pair)


def _both(first: Any, second: Any) -> tuple[tf.Tensor, tf.Tensor] | None:
    """Two operands as series; None of what is none."""
    try:
        one, other = series(first, second)
    except (TypeError, ValueError):
        return None
    return one, other


def _bound(*coefficients: tf.Tensor, size: Any) -> int | None:
    """How many coefficients there can be, of so many each, where a graph does not know them but how many they are."""
    if is_open(*coefficients) or all(convert.static_value(c) is not None for c in coefficients):
        return None
    return int(size(*map(length, coefficients)))


def _not_empty(domain: tf.Tensor) -> tf.Tensor:
    """One point widened."""
    wider = ufuncs.add(domain, convert.cast(tf.constant([-1.0, 1.0]), domain.dtype))
    return tf.where(tf.equal(domain[0], domain[1]), wider, domain)


def _inside(value: Any) -> str:
    """What NumPy writes between the brackets of `array()`."""
    static = convert.static_value(value)
    return str(value) if static is None else repr(np.asarray(static))[6:-1]


def set_default_printstyle(style: Any) -> None:
    """For tfnp's series, not for NumPy's."""
    if style not in ("unicode", "ascii"):
        raise ValueError(f"Unsupported format string '{style}'. Valid options are 'ascii' and 'unicode'")
    Series._use_unicode = style == "unicode"
