"""Series of Legendre polynomials, the lowest degree first.

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
from tfnp.polynomial.arithmetic import plus, times
from tfnp.polynomial.bases import LEGENDRE as BASIS
from tfnp.polynomial.polyutils import trimcoef
from tfnp.polynomial.series_objects import Series

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


@weakly
def legfromroots(roots: Any) -> tf.Tensor:
    return products.from_roots(BASIS, roots)


@weakly
def legadd(c1: Any, c2: Any, *, size: Any = None) -> tf.Tensor:
    return products.add(c1, c2, size)


@weakly
def legsub(c1: Any, c2: Any, *, size: Any = None) -> tf.Tensor:
    return products.subtract(c1, c2, size)


@weakly
def legmulx(c: Any, *, size: Any = None) -> tf.Tensor:
    return products.multiply_by_x(BASIS, c, size)


@weakly
def legmul(c1: Any, c2: Any, *, size: Any = None) -> tf.Tensor:
    return products.multiply(BASIS, c1, c2, size)


@weakly
def legdiv(c1: Any, c2: Any, *, size: Any = None) -> tuple[tf.Tensor, tf.Tensor]:
    return products.divide(BASIS, c1, c2, size)


@weakly
def legpow(c: Any, pow: Any, maxpower: Any = 16, *, size: Any = None) -> tf.Tensor:
    return products.power(BASIS, c, pow, maxpower, size)


@weakly
def legder(c: Any, m: Any = 1, scl: Any = 1, axis: Any = 0) -> tf.Tensor:
    return calculus.derivative(BASIS, c, m, scl, axis)


@weakly
def legint(c: Any, m: Any = 1, k: Any = [], lbnd: Any = 0, scl: Any = 1, axis: Any = 0) -> tf.Tensor:  # noqa: B006
    return calculus.integral(BASIS, c, m, k, lbnd, scl, axis)


@weakly
def legval(x: Any, c: Any, tensor: Any = True) -> tf.Tensor:
    return evaluation.value(BASIS, x, c, tensor)


@weakly
def legval2d(x: Any, y: Any, c: Any) -> tf.Tensor:
    return evaluation.value_together(BASIS, c, x, y)


@weakly
def legval3d(x: Any, y: Any, z: Any, c: Any) -> tf.Tensor:
    return evaluation.value_together(BASIS, c, x, y, z)


@weakly
def leggrid2d(x: Any, y: Any, c: Any) -> tf.Tensor:
    return evaluation.value_on_grid(BASIS, c, x, y)


@weakly
def leggrid3d(x: Any, y: Any, z: Any, c: Any) -> tf.Tensor:
    return evaluation.value_on_grid(BASIS, c, x, y, z)


@weakly
def legvander(x: Any, deg: Any) -> tf.Tensor:
    return evaluation.vandermonde(BASIS, x, deg)


@weakly
def legvander2d(x: Any, y: Any, deg: Any) -> tf.Tensor:
    return evaluation.vandermonde_together(BASIS, (x, y), deg)


@weakly
def legvander3d(x: Any, y: Any, z: Any, deg: Any) -> tf.Tensor:
    return evaluation.vandermonde_together(BASIS, (x, y, z), deg)


@weakly
def legfit(x: Any, y: Any, deg: Any, rcond: Any = None, full: Any = False, w: Any = None) -> Any:
    return fitting.fit(BASIS, x, y, deg, rcond, full, w)


@weakly
def legcompanion(c: Any) -> tf.Tensor:
    return zeros.companion(BASIS, c)


@weakly
def legroots(c: Any) -> tf.Tensor:
    return zeros.roots(BASIS, c)


@weakly
def poly2leg(pol: Any, *, size: Any = None) -> tf.Tensor:
    return products.from_powers(BASIS, pol, size)


@weakly
def leg2poly(c: Any, *, size: Any = None) -> tf.Tensor:
    return products.to_powers(BASIS, c, size)


def leggauss(deg: Any) -> tuple[tf.Tensor, tf.Tensor]:
    return weighting.made(np.polynomial.legendre.leggauss, deg)


@weakly
def legweight(x: Any) -> Any:
    x = weighting.abscissae(x)
    return plus(times(x, 0.0), 1.0)


class Legendre(Series):
    """A series of Legendre polynomials."""

    domain = legdomain
    window = legdomain
    basis_name = "P"
    _basis = BASIS
