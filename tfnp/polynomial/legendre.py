"""Series of Legendre polynomials, the lowest degree first.

Coefficients are floating or complex: integers become floats. Zeros after the last coefficient are left out, which a
graph does when it runs; XLA needs to be told a `size`, to which a result is cut or filled with zeros. Of complex
roots see `tfnp.polynomial.zeros`.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import tensorflow as tf

from tfnp._core.edge import array_function
from tfnp.polynomial import calculus, evaluation, fitting, products, quadrature, root_finding
from tfnp.polynomial.arithmetic import plus, times
from tfnp.polynomial.bases import LEGENDRE as BASIS
from tfnp.polynomial.polyutils import trimcoef
from tfnp.polynomial.series import Series

__all__ = [
    "Legendre",
    "leg2poly",
    "legadd",
    "legcompanion",
    "legder",
    "legdiv",
    "legdomain",
    "legfit",
    "legfromroots",
    "leggauss",
    "leggrid2d",
    "leggrid3d",
    "legint",
    "legline",
    "legmul",
    "legmulx",
    "legone",
    "legpow",
    "legroots",
    "legsub",
    "legtrim",
    "legval",
    "legval2d",
    "legval3d",
    "legvander",
    "legvander2d",
    "legvander3d",
    "legweight",
    "legx",
    "legzero",
    "poly2leg",
]

legdomain: Final = np.array([-1.0, 1.0])
legzero: Final = np.array([0])
legone: Final = np.array([1])
legx: Final = np.array([0, 1])
legtrim = trimcoef


def legline(off: Any, scl: Any) -> tf.Tensor:
    return products.line(BASIS, off, scl)


@array_function(promotes=("roots",))
def legfromroots(roots: Any) -> tf.Tensor:
    return products.from_roots(BASIS, roots)


@array_function(promotes=("c1", "c2"))
def legadd(c1: Any, c2: Any, *, size: Any = None) -> tf.Tensor:
    return products.add(c1, c2, size)


@array_function(promotes=("c1", "c2"))
def legsub(c1: Any, c2: Any, *, size: Any = None) -> tf.Tensor:
    return products.subtract(c1, c2, size)


@array_function(promotes=("c",))
def legmulx(c: Any, *, size: Any = None) -> tf.Tensor:
    return products.multiply_by_x(BASIS, c, size)


@array_function(promotes=("c1", "c2"))
def legmul(c1: Any, c2: Any, *, size: Any = None) -> tf.Tensor:
    return products.multiply(BASIS, c1, c2, size)


@array_function(promotes=("c1", "c2"))
def legdiv(c1: Any, c2: Any, *, size: Any = None) -> tuple[tf.Tensor, tf.Tensor]:
    return products.divide(BASIS, c1, c2, size)


@array_function(promotes=("c",))
def legpow(c: Any, pow: Any, maxpower: Any = 16, *, size: Any = None) -> tf.Tensor:
    return products.power(BASIS, c, pow, maxpower, size)


@array_function(promotes=("c", "m"))
def legder(c: Any, m: Any = 1, scl: Any = 1, axis: Any = 0) -> tf.Tensor:
    return calculus.derivative(BASIS, c, m, scl, axis)


@array_function(promotes=("c", "m"))
def legint(c: Any, m: Any = 1, k: Any = [], lbnd: Any = 0, scl: Any = 1, axis: Any = 0) -> tf.Tensor:  # noqa: B006
    return calculus.integral(BASIS, c, m, k, lbnd, scl, axis)


@array_function(promotes=("x", "c"))
def legval(x: Any, c: Any, tensor: Any = True) -> tf.Tensor:
    return evaluation.value(BASIS, x, c, tensor)


@array_function(promotes=("x", "y", "c"))
def legval2d(x: Any, y: Any, c: Any) -> tf.Tensor:
    return evaluation.value_together(BASIS, c, x, y)


@array_function(promotes=("x", "y", "z", "c"))
def legval3d(x: Any, y: Any, z: Any, c: Any) -> tf.Tensor:
    return evaluation.value_together(BASIS, c, x, y, z)


@array_function(promotes=("x", "y", "c"))
def leggrid2d(x: Any, y: Any, c: Any) -> tf.Tensor:
    return evaluation.value_on_grid(BASIS, c, x, y)


@array_function(promotes=("x", "y", "z", "c"))
def leggrid3d(x: Any, y: Any, z: Any, c: Any) -> tf.Tensor:
    return evaluation.value_on_grid(BASIS, c, x, y, z)


@array_function(promotes=("x",))
def legvander(x: Any, deg: Any) -> tf.Tensor:
    return evaluation.vandermonde(BASIS, x, deg)


@array_function(promotes=("x", "y"))
def legvander2d(x: Any, y: Any, deg: Any) -> tf.Tensor:
    return evaluation.vandermonde_together(BASIS, (x, y), deg)


@array_function(promotes=("x", "y", "z"))
def legvander3d(x: Any, y: Any, z: Any, deg: Any) -> tf.Tensor:
    return evaluation.vandermonde_together(BASIS, (x, y, z), deg)


@array_function(promotes=("x", "y", "w"))
def legfit(x: Any, y: Any, deg: Any, rcond: Any = None, full: Any = False, w: Any = None) -> Any:
    return fitting.fit(BASIS, x, y, deg, rcond, full, w)


@array_function(promotes=("c",))
def legcompanion(c: Any) -> tf.Tensor:
    return root_finding.companion(BASIS, c)


@array_function(promotes=("c",))
def legroots(c: Any) -> tf.Tensor:
    return root_finding.roots(BASIS, c)


@array_function(promotes=("pol",))
def poly2leg(pol: Any, *, size: Any = None) -> tf.Tensor:
    return products.from_powers(BASIS, pol, size)


@array_function(promotes=("c",))
def leg2poly(c: Any, *, size: Any = None) -> tf.Tensor:
    return products.to_powers(BASIS, c, size)


def leggauss(deg: Any) -> tuple[tf.Tensor, tf.Tensor]:
    return quadrature.make_rule(np.polynomial.legendre.leggauss, deg)


@array_function(promotes=("x",))
def legweight(x: Any) -> Any:
    x = quadrature.abscissae(x)
    return plus(times(x, 0.0), 1.0)


class Legendre(Series):
    """A series of Legendre polynomials."""

    domain = legdomain
    window = legdomain
    basis_name = "P"
    _basis = BASIS
