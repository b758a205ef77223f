"""Series of powers of x, the lowest degree first.

Coefficients are floating or complex: integers become floats. Zeros after the last coefficient are left out, which a
graph does when it runs; XLA needs to be told a `size`, to which a result is cut or filled with zeros. Of complex
roots see `tfnp.polynomial.zeros`.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import tensorflow as tf

from tfnp._core.weak_results import weakly
from tfnp.polynomial import calculus, evaluation, fitting, products, zeros
from tfnp.polynomial.bases import POWERS as BASIS
from tfnp.polynomial.polyutils import trimcoef
from tfnp.polynomial.series_objects import Series

__all__ = [
    "Polynomial",
    "polyadd",
    "polycompanion",
    "polyder",
    "polydiv",
    "polydomain",
    "polyfit",
    "polyfromroots",
    "polygrid2d",
    "polygrid3d",
    "polyint",
    "polyline",
    "polymul",
    "polymulx",
    "polyone",
    "polypow",
    "polyroots",
    "polysub",
    "polytrim",
    "polyval",
    "polyval2d",
    "polyval3d",
    "polyvalfromroots",
    "polyvander",
    "polyvander2d",
    "polyvander3d",
    "polyx",
    "polyzero",
]

polydomain: Final = np.array([-1.0, 1.0])
polyzero: Final = np.array([0])
polyone: Final = np.array([1])
polyx: Final = np.array([0, 1])
polytrim = trimcoef


def polyline(off: Any, scl: Any) -> tf.Tensor:
    return products.line(BASIS, off, scl)


@weakly
def polyfromroots(roots: Any) -> tf.Tensor:
    return products.from_roots(BASIS, roots)


@weakly
def polyadd(c1: Any, c2: Any, *, size: Any = None) -> tf.Tensor:
    return products.add(c1, c2, size)


@weakly
def polysub(c1: Any, c2: Any, *, size: Any = None) -> tf.Tensor:
    return products.subtract(c1, c2, size)


@weakly
def polymulx(c: Any, *, size: Any = None) -> tf.Tensor:
    return products.multiply_by_x(BASIS, c, size)


@weakly
def polymul(c1: Any, c2: Any, *, size: Any = None) -> tf.Tensor:
    return products.multiply(BASIS, c1, c2, size)


@weakly
def polydiv(c1: Any, c2: Any, *, size: Any = None) -> tuple[tf.Tensor, tf.Tensor]:
    return products.divide(BASIS, c1, c2, size)


@weakly
def polypow(c: Any, pow: Any, maxpower: Any = None, *, size: Any = None) -> tf.Tensor:
    return products.power(BASIS, c, pow, maxpower, size)


@weakly
def polyder(c: Any, m: Any = 1, scl: Any = 1, axis: Any = 0) -> tf.Tensor:
    return calculus.derivative(BASIS, c, m, scl, axis)


@weakly
def polyint(c: Any, m: Any = 1, k: Any = [], lbnd: Any = 0, scl: Any = 1, axis: Any = 0) -> tf.Tensor:  # noqa: B006
    return calculus.integral(BASIS, c, m, k, lbnd, scl, axis)


@weakly
def polyval(x: Any, c: Any, tensor: Any = True) -> tf.Tensor:
    return evaluation.value(BASIS, x, c, tensor)


@weakly
def polyvalfromroots(x: Any, r: Any, tensor: Any = True) -> tf.Tensor:
    return evaluation.value_from_roots(x, r, tensor)


@weakly
def polyval2d(x: Any, y: Any, c: Any) -> tf.Tensor:
    return evaluation.value_together(BASIS, c, x, y)


@weakly
def polyval3d(x: Any, y: Any, z: Any, c: Any) -> tf.Tensor:
    return evaluation.value_together(BASIS, c, x, y, z)


@weakly
def polygrid2d(x: Any, y: Any, c: Any) -> tf.Tensor:
    return evaluation.value_on_grid(BASIS, c, x, y)


@weakly
def polygrid3d(x: Any, y: Any, z: Any, c: Any) -> tf.Tensor:
    return evaluation.value_on_grid(BASIS, c, x, y, z)


@weakly
def polyvander(x: Any, deg: Any) -> tf.Tensor:
    return evaluation.vandermonde(BASIS, x, deg)


@weakly
def polyvander2d(x: Any, y: Any, deg: Any) -> tf.Tensor:
    return evaluation.vandermonde_together(BASIS, (x, y), deg)


@weakly
def polyvander3d(x: Any, y: Any, z: Any, deg: Any) -> tf.Tensor:
    return evaluation.vandermonde_together(BASIS, (x, y, z), deg)


@weakly
def polyfit(x: Any, y: Any, deg: Any, rcond: Any = None, full: Any = False, w: Any = None) -> Any:
    return fitting.fit(BASIS, x, y, deg, rcond, full, w)


@weakly
def polycompanion(c: Any) -> tf.Tensor:
    return zeros.companion(BASIS, c)


@weakly
def polyroots(c: Any) -> tf.Tensor:
    return zeros.roots(BASIS, c)


class Polynomial(Series):
    """A series of powers of x."""

    domain = polydomain
    window = polydomain
    basis_name = None
    _basis = BASIS
