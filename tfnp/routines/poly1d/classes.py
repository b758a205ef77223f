"""`poly1d`, NumPy's older class of polynomials."""

from __future__ import annotations

import operator
from collections.abc import Iterator
from typing import Any

import numpy as np
import tensorflow as tf

from tfnp._core import convert, layout, shapes
from tfnp._core.convert import to_tensor
from tfnp._core.parameters import ArrayLike, IntLike
from tfnp.routines.math import ufuncs
from tfnp.routines.poly1d.arithmetic import (
    PowerSeries,
    as_coefficients,
    multiply_repeatedly,
    polyadd,
    polyder,
    polydiv,
    polyint,
    polymul,
    polysub,
    polyval,
)
from tfnp.routines.poly1d.root_finding import poly, roots

__all__ = ["poly1d"]


class poly1d(PowerSeries):  # noqa: N801 - NumPy's name
    """The coefficients are a tensor, which `p[power] = value` replaces by another one.

    Leading zeros are dropped only where the coefficients are static, as they are in eager mode: the order is always
    static.
    """

    __hash__ = None  # type: ignore[assignment]
    _variable: Any

    def __init__(self, c_or_r: ArrayLike, r: ArrayLike = False, variable: Any = None) -> None:
        if isinstance(c_or_r, poly1d):
            self.__dict__.update(c_or_r.__dict__)
            self._variable = c_or_r._variable if variable is None else variable
            return
        coeffs = as_coefficients(poly(c_or_r) if r else c_or_r)
        if shapes.rank(coeffs) > 1:
            raise ValueError("Polynomial must be 1d only.")
        static = convert.static_value(coeffs)
        if static is not None:
            coeffs = coeffs[len(static) - len(np.trim_zeros(static, "f")) :]
        self._coeffs = tf.zeros((1,), coeffs.dtype) if coeffs.shape[0] == 0 else coeffs
        self._variable = "x" if variable is None else variable

    @property
    def coeffs(self) -> tf.Tensor:
        """The coefficients."""
        return self._coeffs

    @coeffs.setter
    def coeffs(self, value: Any) -> None:
        if value is not self._coeffs:
            raise AttributeError("Cannot set attribute")

    @property
    def variable(self) -> Any:
        """The name of the variable in the text of the polynomial."""
        return self._variable

    @property
    def order(self) -> int:
        """The highest power."""
        return shapes.as_int(shapes.shape(self._coeffs)[0]) - 1

    @property
    def roots(self) -> tf.Tensor:
        """The roots, as the function of this name returns them."""
        return roots(self._coeffs)

    r = roots
    c = coef = coefficients = coeffs
    o = order

    def __array__(self, t: Any = None, copy: Any = None) -> np.ndarray:
        return np.array(self._coeffs, t)

    def __tf_tensor__(self, dtype: tf.DType | None = None, name: str | None = None) -> tf.Tensor:
        return tf.convert_to_tensor(self._coeffs, dtype, name=name)

    def __repr__(self) -> str:
        return f"poly1d({_format_coefficients(self._coeffs)})"

    def __str__(self) -> str:
        static = convert.static_value(self._coeffs)
        return repr(self) if static is None else str(np.poly1d(static, variable=self.variable))

    def __len__(self) -> int:
        return self.order

    def __call__(self, val: Any) -> Any:
        return polyval(self._coeffs, val)

    def __iter__(self) -> Iterator[Any]:
        return iter(tf.unstack(self._coeffs))

    def __neg__(self) -> poly1d:
        return poly1d(ufuncs.negative(self._coeffs))

    def __pos__(self) -> poly1d:
        return self

    def __mul__(self, other: Any) -> poly1d:
        if _is_scalar(other):
            return poly1d(ufuncs.multiply(self._coeffs, other))
        return poly1d(_multiply(self._coeffs, poly1d(other)._coeffs))

    __rmul__ = __mul__

    def __add__(self, other: Any) -> poly1d:
        return poly1d(polyadd(self._coeffs, poly1d(other)._coeffs))

    __radd__ = __add__

    def __sub__(self, other: Any) -> poly1d:
        return poly1d(polysub(self._coeffs, poly1d(other)._coeffs))

    def __rsub__(self, other: Any) -> poly1d:
        return poly1d(polysub(poly1d(other)._coeffs, self._coeffs))

    def __pow__(self, val: Any) -> poly1d:
        if not _is_scalar(val) or int(val) != val or val < 0:
            raise ValueError("Power to non-negative integers only.")
        count, one = operator.index(val), to_tensor([1])
        return poly1d(multiply_repeatedly(_multiply, _multiply(self._coeffs, one), count) if count else one)

    def __truediv__(self, other: Any) -> Any:
        if _is_scalar(other):
            return poly1d(ufuncs.divide(self._coeffs, other))
        return polydiv(self, poly1d(other))

    def __rtruediv__(self, other: Any) -> Any:
        if _is_scalar(other):
            return poly1d(ufuncs.divide(other, self._coeffs))
        return polydiv(poly1d(other), self)

    def __eq__(self, other: Any) -> Any:
        if not isinstance(other, poly1d):
            return NotImplemented
        if self.order != other.order:
            return False
        return tf.reduce_all(ufuncs.equal(self._coeffs, other._coeffs))

    def __ne__(self, other: Any) -> Any:
        same = self.__eq__(other)
        return same if same is NotImplemented else ufuncs.logical_not(same)

    def __getitem__(self, val: Any) -> tf.Tensor:
        """Return the coefficient of a power, zero beyond the order."""
        if val > self.order or val < 0:
            return tf.zeros((), self._coeffs.dtype)
        return self._coeffs[self.order - val]

    def __setitem__(self, key: Any, val: Any) -> None:
        if key < 0:
            raise ValueError("Does not support negative powers.")
        padded = layout.pad(self._coeffs, [(max(key - self.order, 0), 0)])
        index = shapes.as_int(padded.shape[0]) - 1 - key
        self._coeffs = tf.concat([padded[:index], to_tensor(val, padded.dtype)[None], padded[index + 1 :]], 0)

    def integ(self, m: IntLike = 1, k: ArrayLike = 0) -> poly1d:
        """Return the integral, as `polyint` does."""
        return poly1d(polyint(self._coeffs, m, k))

    def deriv(self, m: IntLike = 1) -> poly1d:
        """Return the derivative, as `polyder` does."""
        return poly1d(polyder(self._coeffs, m))


def _is_scalar(value: Any) -> bool:
    return np.isscalar(value) or (isinstance(value, tf.Tensor) and value.shape.rank == 0)


def _multiply(a: tf.Tensor, b: tf.Tensor) -> tf.Tensor:
    """Multiply coefficients. In a graph, the product has the largest possible number of them."""
    if convert.static_value(a) is not None and convert.static_value(b) is not None:
        return polymul(a, b)
    return polymul(a, b, size=shapes.as_int(a.shape[0]) + shapes.as_int(b.shape[0]) - 1)


def _format_coefficients(a: tf.Tensor) -> str:
    """Return coefficients as text: what NumPy writes between the parentheses of `array()`."""
    static = convert.static_value(a)
    return str(a) if static is None else repr(static)[6:-1]
