"""Series of powers of x, the lowest degree first.

Coefficients are floating or complex: integers become floats. Zeros after the last coefficient are left out, which a
graph does when it runs; XLA needs to be told a `size`, to which a result is cut or filled with zeros. Of complex
roots see `tfnp.polynomial.zeros`.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import tensorflow as tf

from tfnp._core.edge import array_function
from tfnp.polynomial import calculus, evaluation, fitting, products, root_finding
from tfnp.polynomial.bases import POWERS as BASIS
from tfnp.polynomial.polyutils import trimcoef
from tfnp.polynomial.series import Series

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


@array_function(promotes=("roots",))
def polyfromroots(roots: Any) -> tf.Tensor:
    return products.from_roots(BASIS, roots)


@array_function(promotes=("c1", "c2"))
def polyadd(c1: Any, c2: Any, *, size: Any = None) -> tf.Tensor:
    return products.add(c1, c2, size)


@array_function(promotes=("c1", "c2"))
def polysub(c1: Any, c2: Any, *, size: Any = None) -> tf.Tensor:
    return products.subtract(c1, c2, size)


@array_function(promotes=("c",))
def polymulx(c: Any, *, size: Any = None) -> tf.Tensor:
    return products.multiply_by_x(BASIS, c, size)


@array_function(promotes=("c1", "c2"))
def polymul(c1: Any, c2: Any, *, size: Any = None) -> tf.Tensor:
    return products.multiply(BASIS, c1, c2, size)


@array_function(promotes=("c1", "c2"))
def polydiv(c1: Any, c2: Any, *, size: Any = None) -> tuple[tf.Tensor, tf.Tensor]:
    return products.divide(BASIS, c1, c2, size)


@array_function(promotes=("c",))
def polypow(c: Any, pow: Any, maxpower: Any = None, *, size: Any = None) -> tf.Tensor:
    return products.power(BASIS, c, pow, maxpower, size)


@array_function(promotes=("c", "m"))
def polyder(c: Any, m: Any = 1, scl: Any = 1, axis: Any = 0) -> tf.Tensor:
    return calculus.derivative(BASIS, c, m, scl, axis)


@array_function(promotes=("c", "m"))
def polyint(c: Any, m: Any = 1, k: Any = [], lbnd: Any = 0, scl: Any = 1, axis: Any = 0) -> tf.Tensor:  # noqa: B006
    return calculus.integral(BASIS, c, m, k, lbnd, scl, axis)


@array_function(promotes=("x", "c"))
def polyval(x: Any, c: Any, tensor: Any = True) -> tf.Tensor:
    return evaluation.value(BASIS, x, c, tensor)


@array_function(promotes=("x",))
def polyvalfromroots(x: Any, r: Any, tensor: Any = True) -> tf.Tensor:
    return evaluation.value_from_roots(x, r, tensor)


@array_function(promotes=("x", "y", "c"))
def polyval2d(x: Any, y: Any, c: Any) -> tf.Tensor:
    return evaluation.value_together(BASIS, c, x, y)


@array_function(promotes=("x", "y", "z", "c"))
def polyval3d(x: Any, y: Any, z: Any, c: Any) -> tf.Tensor:
    return evaluation.value_together(BASIS, c, x, y, z)


@array_function(promotes=("x", "y", "c"))
def polygrid2d(x: Any, y: Any, c: Any) -> tf.Tensor:
    return evaluation.value_on_grid(BASIS, c, x, y)


@array_function(promotes=("x", "y", "z", "c"))
def polygrid3d(x: Any, y: Any, z: Any, c: Any) -> tf.Tensor:
    return evaluation.value_on_grid(BASIS, c, x, y, z)


@array_function(promotes=("x",))
def polyvander(x: Any, deg: Any) -> tf.Tensor:
    return evaluation.vandermonde(BASIS, x, deg)


@array_function(promotes=("x", "y"))
def polyvander2d(x: Any, y: Any, deg: Any) -> tf.Tensor:
    return evaluation.vandermonde_together(BASIS, (x, y), deg)


@array_function(promotes=("x", "y", "z"))
def polyvander3d(x: Any, y: Any, z: Any, deg: Any) -> tf.Tensor:
    return evaluation.vandermonde_together(BASIS, (x, y, z), deg)


@array_function(promotes=("x", "y", "w"))
def polyfit(x: Any, y: Any, deg: Any, rcond: Any = None, full: Any = False, w: Any = None) -> Any:
    return fitting.fit(BASIS, x, y, deg, rcond, full, w)


@array_function(promotes=("c",))
def polycompanion(c: Any) -> tf.Tensor:
    return root_finding.companion(BASIS, c)


@array_function(promotes=("c",))
def polyroots(c: Any) -> tf.Tensor:
    return root_finding.roots(BASIS, c)


class Polynomial(Series):
    """A series of powers of x."""

    domain = polydomain
    window = polydomain
    basis_name = None
    _basis = BASIS
