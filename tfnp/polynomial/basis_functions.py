"""The functions that the modules of all bases have in common, such as `legadd` and `hermadd`, written once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

import tensorflow as tf

from tfnp._core.edge import array_function
from tfnp.polynomial import calculus, evaluation, fitting, products, root_finding
from tfnp.polynomial.bases import Basis

F = TypeVar("F", bound=Callable[..., Any])


class _Function:
    """A descriptor: read from an instance, the function with the name and the module of its basis."""

    def __init__(
        self, method: Callable[..., Any], name: str, promotes: tuple[str, ...], traces: tuple[str, ...]
    ) -> None:
        self._method = method
        self._name = name
        self._promotes = promotes
        self._traces = traces

    def __get__(self, functions: BasisFunctions, owner: type) -> Callable[..., Any]:
        function = array_function(promotes=self._promotes, traces=self._traces)(self._method.__get__(functions))
        function.__name__ = function.__qualname__ = self._name.format(functions.prefix)
        function.__module__ = functions.module
        return function


def _define_function(name: str, *promotes: str, traces: tuple[str, ...] | None = None) -> Callable[[F], F]:
    """Decorate a method that becomes a function of this name, in which {} stands for the prefix of the basis.

    Calls that recur are traced with the parameters `traces`, by default those that promote.
    """

    def decorate(method: F) -> F:
        return cast("F", _Function(method, name, promotes, promotes if traces is None else traces))

    return decorate


class BasisFunctions:
    """The functions of one basis. Reading an attribute makes the function, so each module does it once."""

    def __init__(self, basis: Basis, module: str, prefix: str) -> None:
        self.basis = basis
        self.module = module
        self.prefix = prefix

    @_define_function("{}fromroots", "roots")
    def fromroots(self, roots: Any) -> tf.Tensor:
        """The coefficients are float64 or complex128. Factors are multiplied in another order than in NumPy, so last
        digits differ.
        """
        return products.from_roots(self.basis, roots)

    @_define_function("{}add", "c1", "c2")
    def add(self, c1: Any, c2: Any, *, size: Any = None) -> tf.Tensor:
        """Trailing zeros are trimmed, so the length depends on values, which XLA does not support. With `size`, a
        keyword of tfnp's own, the result has that many coefficients.
        """
        return products.add(c1, c2, size)

    @_define_function("{}sub", "c1", "c2")
    def sub(self, c1: Any, c2: Any, *, size: Any = None) -> tf.Tensor:
        """Trailing zeros are trimmed, so the length depends on values, which XLA does not support. With `size`, a
        keyword of tfnp's own, the result has that many coefficients.
        """
        return products.subtract(c1, c2, size)

    @_define_function("{}mulx", "c")
    def mulx(self, c: Any, *, size: Any = None) -> tf.Tensor:
        """Trailing zeros are trimmed, so the length depends on values, which XLA does not support. With `size`, a
        keyword of tfnp's own, the result has that many coefficients.
        """
        return products.multiply_by_x(self.basis, c, size)

    @_define_function("{}mul", "c1", "c2", traces=())  # NumPy's dtype depends on how many coefficients are not zero
    def mul(self, c1: Any, c2: Any, *, size: Any = None) -> tf.Tensor:
        """Trailing zeros are trimmed, so the length depends on values, which XLA does not support. With `size`, a
        keyword of tfnp's own, the result has that many coefficients.
        """
        return products.multiply(self.basis, c1, c2, size)

    @_define_function("{}div", "c1", "c2", traces=())  # a graph keeps zeros that end `c1` if it divides by nan
    def div(self, c1: Any, c2: Any, *, size: Any = None) -> tuple[tf.Tensor, tf.Tensor]:
        """Division by zero raises ZeroDivisionError in eager mode and InvalidArgumentError when a graph runs. The
        lengths depend on data: XLA needs `size`, the number of coefficients of both results.
        """
        return products.divide(self.basis, c1, c2, size)

    @_define_function("{}pow", "c", traces=())  # likewise
    def pow(self, c: Any, pow: Any, maxpower: Any = 16, *, size: Any = None) -> tf.Tensor:
        """The exponent must be static. Trailing zeros are trimmed, so the length depends on values, which XLA does not
        support. With `size`, a keyword of tfnp's own, the result has that many coefficients.
        """
        return products.power(self.basis, c, pow, maxpower, size)

    @_define_function("{}der", "c", "m", traces=("c",))
    def der(self, c: Any, m: Any = 1, scl: Any = 1, axis: Any = 0) -> tf.Tensor:
        """`m` and `axis` must be static; integer coefficients become floats."""
        return calculus.differentiate(self.basis, c, m, scl, axis)

    @_define_function("{}int", "c", "m", traces=("c",))
    def int(
        self,
        c: Any,
        m: Any = 1,
        k: Any = [],  # noqa: B006 - NumPy's default
        lbnd: Any = 0,
        scl: Any = 1,
        axis: Any = 0,
    ) -> tf.Tensor:
        """`m` and `axis` must be static. The integral of a single zero coefficient has one coefficient, so that of one
        unknown coefficient has a length that depends on data; XLA rejects it.
        """
        return calculus.integrate(self.basis, c, m, k, lbnd, scl, axis)

    @_define_function("{}val", "x", "c")
    def val(self, x: Any, c: Any, tensor: Any = True) -> tf.Tensor:
        """The value is calculated by Clenshaw's recurrence, in a loop if there are many coefficients."""
        return evaluation.evaluate(self.basis, x, c, tensor)

    @_define_function("{}val2d", "x", "y", "c")
    def val2d(self, x: Any, y: Any, c: Any) -> tf.Tensor:
        """`x` and `y` must have the same shape; unknown dimensions are checked when a graph runs."""
        return evaluation.evaluate_together(self.basis, c, x, y)

    @_define_function("{}val3d", "x", "y", "z", "c")
    def val3d(self, x: Any, y: Any, z: Any, c: Any) -> tf.Tensor:
        """The coordinates must have the same shape; unknown dimensions are checked when a graph runs."""
        return evaluation.evaluate_together(self.basis, c, x, y, z)

    @_define_function("{}grid2d", "x", "y", "c")
    def grid2d(self, x: Any, y: Any, c: Any) -> tf.Tensor:
        """The coordinates may have different shapes."""
        return evaluation.evaluate_on_grid(self.basis, c, x, y)

    @_define_function("{}grid3d", "x", "y", "z", "c")
    def grid3d(self, x: Any, y: Any, z: Any, c: Any) -> tf.Tensor:
        """The coordinates may have different shapes."""
        return evaluation.evaluate_on_grid(self.basis, c, x, y, z)

    @_define_function("{}vander", "x")
    def vander(self, x: Any, deg: Any) -> tf.Tensor:
        """`deg` must be static."""
        return evaluation.make_vandermonde(self.basis, x, deg)

    @_define_function("{}vander2d", "x", "y")
    def vander2d(self, x: Any, y: Any, deg: Any) -> tf.Tensor:
        """`deg` must be static."""
        return evaluation.make_joint_vandermonde(self.basis, (x, y), deg)

    @_define_function("{}vander3d", "x", "y", "z")
    def vander3d(self, x: Any, y: Any, z: Any, deg: Any) -> tf.Tensor:
        """`deg` must be static."""
        return evaluation.make_joint_vandermonde(self.basis, (x, y, z), deg)

    @_define_function("{}fit", "x", "y", "w")
    def fit(self, x: Any, y: Any, deg: Any, rcond: Any = None, full: Any = False, w: Any = None) -> Any:
        """`deg` must be static. The fit is calculated in double precision. With `full`, the number of residuals depends
        on data, which XLA rejects.
        """
        return fitting.fit(self.basis, x, y, deg, rcond, full, w)

    @_define_function("{}companion", "c")
    def companion(self, c: Any) -> tf.Tensor:
        """Trailing zeros are trimmed, so the shape depends on data inside `tf.function`; XLA rejects it."""
        return root_finding.make_companion(self.basis, c)

    @_define_function("{}roots", "c", traces=())  # real or complex, which depends on the values
    def roots(self, c: Any) -> tf.Tensor:
        """In eager mode the roots are real if all are; in a graph they are complex for degrees above 1. XLA has no
        kernel for them.
        """
        return root_finding.find_roots(self.basis, c)

    @_define_function("poly2{}", "pol")
    def from_powers(self, pol: Any, *, size: Any = None) -> tf.Tensor:
        """Trailing zeros are trimmed, so the length depends on values, which XLA does not support. With `size`, a
        keyword of tfnp's own, the result has that many coefficients.
        """
        return products.from_powers(self.basis, pol, size)

    @_define_function("{}2poly", "c")
    def to_powers(self, c: Any, *, size: Any = None) -> tf.Tensor:
        """Trailing zeros are trimmed, so the length depends on values, which XLA does not support. With `size`, a
        keyword of tfnp's own, the result has that many coefficients.
        """
        return products.to_powers(self.basis, c, size)
