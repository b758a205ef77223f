"""Series of Laguerre polynomials, the lowest degree first.

Coefficients are floating or complex: integers become floats. Zeros after the last coefficient are left out, which a
graph does when it runs; XLA needs to be told a `size`, to which a result is cut or filled with zeros. Of complex
roots see `tfnp.polynomial.zeros`.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import tensorflow as tf

from tfnp._core.weak_results import weakly
from tfnp.polynomial import calculus, evaluation, fitting, products, weighting, zeros
from tfnp.polynomial.bases import LAGUERRE as BASIS
from tfnp.polynomial.polyutils import trimcoef
from tfnp.polynomial.series_objects import Series
from tfnp.routines import ufuncs

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


@weakly
def lagfromroots(roots: Any) -> tf.Tensor:
    return products.from_roots(BASIS, roots)


@weakly
def lagadd(c1: Any, c2: Any, *, size: Any = None) -> tf.Tensor:
    return products.add(c1, c2, size)


@weakly
def lagsub(c1: Any, c2: Any, *, size: Any = None) -> tf.Tensor:
    return products.subtract(c1, c2, size)


@weakly
def lagmulx(c: Any, *, size: Any = None) -> tf.Tensor:
    return products.multiply_by_x(BASIS, c, size)


@weakly
def lagmul(c1: Any, c2: Any, *, size: Any = None) -> tf.Tensor:
    return products.multiply(BASIS, c1, c2, size)


@weakly
def lagdiv(c1: Any, c2: Any, *, size: Any = None) -> tuple[tf.Tensor, tf.Tensor]:
    return products.divide(BASIS, c1, c2, size)


@weakly
def lagpow(c: Any, pow: Any, maxpower: Any = 16, *, size: Any = None) -> tf.Tensor:
    return products.power(BASIS, c, pow, maxpower, size)


@weakly
def lagder(c: Any, m: Any = 1, scl: Any = 1, axis: Any = 0) -> tf.Tensor:
    return calculus.derivative(BASIS, c, m, scl, axis)


@weakly
def lagint(c: Any, m: Any = 1, k: Any = [], lbnd: Any = 0, scl: Any = 1, axis: Any = 0) -> tf.Tensor:  # noqa: B006
    return calculus.integral(BASIS, c, m, k, lbnd, scl, axis)


@weakly
def lagval(x: Any, c: Any, tensor: Any = True) -> tf.Tensor:
    return evaluation.value(BASIS, x, c, tensor)


@weakly
def lagval2d(x: Any, y: Any, c: Any) -> tf.Tensor:
    return evaluation.value_together(BASIS, c, x, y)


@weakly
def lagval3d(x: Any, y: Any, z: Any, c: Any) -> tf.Tensor:
    return evaluation.value_together(BASIS, c, x, y, z)


@weakly
def laggrid2d(x: Any, y: Any, c: Any) -> tf.Tensor:
    return evaluation.value_on_grid(BASIS, c, x, y)


@weakly
def laggrid3d(x: Any, y: Any, z: Any, c: Any) -> tf.Tensor:
    return evaluation.value_on_grid(BASIS, c, x, y, z)


@weakly
def lagvander(x: Any, deg: Any) -> tf.Tensor:
    return evaluation.vandermonde(BASIS, x, deg)


@weakly
def lagvander2d(x: Any, y: Any, deg: Any) -> tf.Tensor:
    return evaluation.vandermonde_together(BASIS, (x, y), deg)


@weakly
def lagvander3d(x: Any, y: Any, z: Any, deg: Any) -> tf.Tensor:
    return evaluation.vandermonde_together(BASIS, (x, y, z), deg)


@weakly
def lagfit(x: Any, y: Any, deg: Any, rcond: Any = None, full: Any = False, w: Any = None) -> Any:
    return fitting.fit(BASIS, x, y, deg, rcond, full, w)


@weakly
def lagcompanion(c: Any) -> tf.Tensor:
    return zeros.companion(BASIS, c)


@weakly
def lagroots(c: Any) -> tf.Tensor:
    return zeros.roots(BASIS, c)


@weakly
def poly2lag(pol: Any, *, size: Any = None) -> tf.Tensor:
    return products.from_powers(BASIS, pol, size)


@weakly
def lag2poly(c: Any, *, size: Any = None) -> tf.Tensor:
    return products.to_powers(BASIS, c, size)


def laggauss(deg: Any) -> tuple[tf.Tensor, tf.Tensor]:
    return weighting.made(np.polynomial.laguerre.laggauss, deg)


@weakly
def lagweight(x: Any) -> Any:
    x = int(x) if type(x) is bool else x  # which Python can negate, as NumPy cannot
    return ufuncs.exp(ufuncs.negative(weighting.abscissae(x)))


class Laguerre(Series):
    """A series of Laguerre polynomials."""

    domain = lagdomain
    window = lagdomain
    basis_name = "L"
    _basis = BASIS
