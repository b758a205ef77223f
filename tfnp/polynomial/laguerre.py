"""Series of Laguerre polynomials, the lowest degree first.

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
from tfnp.polynomial.bases import LAGUERRE as BASIS
from tfnp.polynomial.polyutils import trimcoef
from tfnp.polynomial.series import Series
from tfnp.routines.math import ufuncs

__all__ = [
    "Laguerre",
    "lag2poly",
    "lagadd",
    "lagcompanion",
    "lagder",
    "lagdiv",
    "lagdomain",
    "lagfit",
    "lagfromroots",
    "laggauss",
    "laggrid2d",
    "laggrid3d",
    "lagint",
    "lagline",
    "lagmul",
    "lagmulx",
    "lagone",
    "lagpow",
    "lagroots",
    "lagsub",
    "lagtrim",
    "lagval",
    "lagval2d",
    "lagval3d",
    "lagvander",
    "lagvander2d",
    "lagvander3d",
    "lagweight",
    "lagx",
    "lagzero",
    "poly2lag",
]

lagdomain: Final = np.array([0.0, 1.0])
lagzero: Final = np.array([0])
lagone: Final = np.array([1])
lagx: Final = np.array([1, -1])
lagtrim = trimcoef


def lagline(off: Any, scl: Any) -> tf.Tensor:
    return products.line(BASIS, off, scl)


@array_function(promotes=("roots",))
def lagfromroots(roots: Any) -> tf.Tensor:
    return products.from_roots(BASIS, roots)


@array_function(promotes=("c1", "c2"))
def lagadd(c1: Any, c2: Any, *, size: Any = None) -> tf.Tensor:
    return products.add(c1, c2, size)


@array_function(promotes=("c1", "c2"))
def lagsub(c1: Any, c2: Any, *, size: Any = None) -> tf.Tensor:
    return products.subtract(c1, c2, size)


@array_function(promotes=("c",))
def lagmulx(c: Any, *, size: Any = None) -> tf.Tensor:
    return products.multiply_by_x(BASIS, c, size)


@array_function(promotes=("c1", "c2"))
def lagmul(c1: Any, c2: Any, *, size: Any = None) -> tf.Tensor:
    return products.multiply(BASIS, c1, c2, size)


@array_function(promotes=("c1", "c2"))
def lagdiv(c1: Any, c2: Any, *, size: Any = None) -> tuple[tf.Tensor, tf.Tensor]:
    return products.divide(BASIS, c1, c2, size)


@array_function(promotes=("c",))
def lagpow(c: Any, pow: Any, maxpower: Any = 16, *, size: Any = None) -> tf.Tensor:
    return products.power(BASIS, c, pow, maxpower, size)


@array_function(promotes=("c", "m"))
def lagder(c: Any, m: Any = 1, scl: Any = 1, axis: Any = 0) -> tf.Tensor:
    return calculus.derivative(BASIS, c, m, scl, axis)


@array_function(promotes=("c", "m"))
def lagint(c: Any, m: Any = 1, k: Any = [], lbnd: Any = 0, scl: Any = 1, axis: Any = 0) -> tf.Tensor:  # noqa: B006
    return calculus.integral(BASIS, c, m, k, lbnd, scl, axis)


@array_function(promotes=("x", "c"))
def lagval(x: Any, c: Any, tensor: Any = True) -> tf.Tensor:
    return evaluation.value(BASIS, x, c, tensor)


@array_function(promotes=("x", "y", "c"))
def lagval2d(x: Any, y: Any, c: Any) -> tf.Tensor:
    return evaluation.value_together(BASIS, c, x, y)


@array_function(promotes=("x", "y", "z", "c"))
def lagval3d(x: Any, y: Any, z: Any, c: Any) -> tf.Tensor:
    return evaluation.value_together(BASIS, c, x, y, z)


@array_function(promotes=("x", "y", "c"))
def laggrid2d(x: Any, y: Any, c: Any) -> tf.Tensor:
    return evaluation.value_on_grid(BASIS, c, x, y)


@array_function(promotes=("x", "y", "z", "c"))
def laggrid3d(x: Any, y: Any, z: Any, c: Any) -> tf.Tensor:
    return evaluation.value_on_grid(BASIS, c, x, y, z)


@array_function(promotes=("x",))
def lagvander(x: Any, deg: Any) -> tf.Tensor:
    return evaluation.vandermonde(BASIS, x, deg)


@array_function(promotes=("x", "y"))
def lagvander2d(x: Any, y: Any, deg: Any) -> tf.Tensor:
    return evaluation.vandermonde_together(BASIS, (x, y), deg)


@array_function(promotes=("x", "y", "z"))
def lagvander3d(x: Any, y: Any, z: Any, deg: Any) -> tf.Tensor:
    return evaluation.vandermonde_together(BASIS, (x, y, z), deg)


@array_function(promotes=("x", "y", "w"))
def lagfit(x: Any, y: Any, deg: Any, rcond: Any = None, full: Any = False, w: Any = None) -> Any:
    return fitting.fit(BASIS, x, y, deg, rcond, full, w)


@array_function(promotes=("c",))
def lagcompanion(c: Any) -> tf.Tensor:
    return root_finding.companion(BASIS, c)


@array_function(promotes=("c",))
def lagroots(c: Any) -> tf.Tensor:
    return root_finding.roots(BASIS, c)


@array_function(promotes=("pol",))
def poly2lag(pol: Any, *, size: Any = None) -> tf.Tensor:
    return products.from_powers(BASIS, pol, size)


@array_function(promotes=("c",))
def lag2poly(c: Any, *, size: Any = None) -> tf.Tensor:
    return products.to_powers(BASIS, c, size)


def laggauss(deg: Any) -> tuple[tf.Tensor, tf.Tensor]:
    return quadrature.make_rule(np.polynomial.laguerre.laggauss, deg)


@array_function(promotes=("x",))
def lagweight(x: Any) -> Any:
    x = int(x) if type(x) is bool else x  # which Python can negate, as NumPy cannot
    return ufuncs.exp(ufuncs.negative(quadrature.abscissae(x)))


class Laguerre(Series):
    """A series of Laguerre polynomials."""

    domain = lagdomain
    window = lagdomain
    basis_name = "L"
    _basis = BASIS
