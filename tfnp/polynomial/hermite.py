"""Series of Hermite polynomials, the physicists' kind, the lowest degree first.

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
from tfnp.polynomial.arithmetic import minus
from tfnp.polynomial.bases import HERMITE as BASIS
from tfnp.polynomial.polyutils import trimcoef
from tfnp.polynomial.series_objects import Series
from tfnp.routines import ufuncs

__all__ = [
    "Hermite",
    "herm2poly",
    "hermadd",
    "hermcompanion",
    "hermder",
    "hermdiv",
    "hermdomain",
    "hermfit",
    "hermfromroots",
    "hermgauss",
    "hermgrid2d",
    "hermgrid3d",
    "hermint",
    "hermline",
    "hermmul",
    "hermmulx",
    "hermone",
    "hermpow",
    "hermroots",
    "hermsub",
    "hermtrim",
    "hermval",
    "hermval2d",
    "hermval3d",
    "hermvander",
    "hermvander2d",
    "hermvander3d",
    "hermweight",
    "hermx",
    "hermzero",
    "poly2herm",
]

hermdomain: Final = np.array([-1.0, 1.0])
hermzero: Final = np.array([0])
hermone: Final = np.array([1])
hermx: Final = np.array([0, 0.5])
hermtrim = trimcoef


def hermline(off: Any, scl: Any) -> tf.Tensor:
    return products.line(BASIS, off, scl)


@weakly
def hermfromroots(roots: Any) -> tf.Tensor:
    return products.from_roots(BASIS, roots)


@weakly
def hermadd(c1: Any, c2: Any, *, size: Any = None) -> tf.Tensor:
    return products.add(c1, c2, size)


@weakly
def hermsub(c1: Any, c2: Any, *, size: Any = None) -> tf.Tensor:
    return products.subtract(c1, c2, size)


@weakly
def hermmulx(c: Any, *, size: Any = None) -> tf.Tensor:
    return products.multiply_by_x(BASIS, c, size)


@weakly
def hermmul(c1: Any, c2: Any, *, size: Any = None) -> tf.Tensor:
    return products.multiply(BASIS, c1, c2, size)


@weakly
def hermdiv(c1: Any, c2: Any, *, size: Any = None) -> tuple[tf.Tensor, tf.Tensor]:
    return products.divide(BASIS, c1, c2, size)


@weakly
def hermpow(c: Any, pow: Any, maxpower: Any = 16, *, size: Any = None) -> tf.Tensor:
    return products.power(BASIS, c, pow, maxpower, size)


@weakly
def hermder(c: Any, m: Any = 1, scl: Any = 1, axis: Any = 0) -> tf.Tensor:
    return calculus.derivative(BASIS, c, m, scl, axis)


@weakly
def hermint(c: Any, m: Any = 1, k: Any = [], lbnd: Any = 0, scl: Any = 1, axis: Any = 0) -> tf.Tensor:  # noqa: B006
    return calculus.integral(BASIS, c, m, k, lbnd, scl, axis)


@weakly
def hermval(x: Any, c: Any, tensor: Any = True) -> tf.Tensor:
    return evaluation.value(BASIS, x, c, tensor)


@weakly
def hermval2d(x: Any, y: Any, c: Any) -> tf.Tensor:
    return evaluation.value_together(BASIS, c, x, y)


@weakly
def hermval3d(x: Any, y: Any, z: Any, c: Any) -> tf.Tensor:
    return evaluation.value_together(BASIS, c, x, y, z)


@weakly
def hermgrid2d(x: Any, y: Any, c: Any) -> tf.Tensor:
    return evaluation.value_on_grid(BASIS, c, x, y)


@weakly
def hermgrid3d(x: Any, y: Any, z: Any, c: Any) -> tf.Tensor:
    return evaluation.value_on_grid(BASIS, c, x, y, z)


@weakly
def hermvander(x: Any, deg: Any) -> tf.Tensor:
    return evaluation.vandermonde(BASIS, x, deg)


@weakly
def hermvander2d(x: Any, y: Any, deg: Any) -> tf.Tensor:
    return evaluation.vandermonde_together(BASIS, (x, y), deg)


@weakly
def hermvander3d(x: Any, y: Any, z: Any, deg: Any) -> tf.Tensor:
    return evaluation.vandermonde_together(BASIS, (x, y, z), deg)


@weakly
def hermfit(x: Any, y: Any, deg: Any, rcond: Any = None, full: Any = False, w: Any = None) -> Any:
    return fitting.fit(BASIS, x, y, deg, rcond, full, w)


@weakly
def hermcompanion(c: Any) -> tf.Tensor:
    return zeros.companion(BASIS, c)


@weakly
def hermroots(c: Any) -> tf.Tensor:
    return zeros.roots(BASIS, c)


@weakly
def poly2herm(pol: Any, *, size: Any = None) -> tf.Tensor:
    return products.from_powers(BASIS, pol, size)


@weakly
def herm2poly(c: Any, *, size: Any = None) -> tf.Tensor:
    return products.to_powers(BASIS, c, size)


def hermgauss(deg: Any) -> tuple[tf.Tensor, tf.Tensor]:
    return weighting.made(np.polynomial.hermite.hermgauss, deg)


@weakly
def hermweight(x: Any) -> Any:
    return ufuncs.exp(minus(0, weighting.squared(weighting.abscissae(x))))


class Hermite(Series):
    """A series of Hermite polynomials, the physicists' kind."""

    domain = hermdomain
    window = hermdomain
    basis_name = "H"
    _basis = BASIS
