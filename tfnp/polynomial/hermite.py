"""Series of Hermite polynomials, the physicists' kind, the lowest degree first.

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
from tfnp.polynomial.arithmetic import minus
from tfnp.polynomial.bases import HERMITE as BASIS
from tfnp.polynomial.polyutils import trimcoef
from tfnp.polynomial.series import Series
from tfnp.routines.math import ufuncs

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


@array_function(promotes=("roots",))
def hermfromroots(roots: Any) -> tf.Tensor:
    return products.from_roots(BASIS, roots)


@array_function(promotes=("c1", "c2"))
def hermadd(c1: Any, c2: Any, *, size: Any = None) -> tf.Tensor:
    return products.add(c1, c2, size)


@array_function(promotes=("c1", "c2"))
def hermsub(c1: Any, c2: Any, *, size: Any = None) -> tf.Tensor:
    return products.subtract(c1, c2, size)


@array_function(promotes=("c",))
def hermmulx(c: Any, *, size: Any = None) -> tf.Tensor:
    return products.multiply_by_x(BASIS, c, size)


@array_function(promotes=("c1", "c2"))
def hermmul(c1: Any, c2: Any, *, size: Any = None) -> tf.Tensor:
    return products.multiply(BASIS, c1, c2, size)


@array_function(promotes=("c1", "c2"))
def hermdiv(c1: Any, c2: Any, *, size: Any = None) -> tuple[tf.Tensor, tf.Tensor]:
    return products.divide(BASIS, c1, c2, size)


@array_function(promotes=("c",))
def hermpow(c: Any, pow: Any, maxpower: Any = 16, *, size: Any = None) -> tf.Tensor:
    return products.power(BASIS, c, pow, maxpower, size)


@array_function(promotes=("c", "m"))
def hermder(c: Any, m: Any = 1, scl: Any = 1, axis: Any = 0) -> tf.Tensor:
    return calculus.derivative(BASIS, c, m, scl, axis)


@array_function(promotes=("c", "m"))
def hermint(c: Any, m: Any = 1, k: Any = [], lbnd: Any = 0, scl: Any = 1, axis: Any = 0) -> tf.Tensor:  # noqa: B006
    return calculus.integral(BASIS, c, m, k, lbnd, scl, axis)


@array_function(promotes=("x", "c"))
def hermval(x: Any, c: Any, tensor: Any = True) -> tf.Tensor:
    return evaluation.value(BASIS, x, c, tensor)


@array_function(promotes=("x", "y", "c"))
def hermval2d(x: Any, y: Any, c: Any) -> tf.Tensor:
    return evaluation.value_together(BASIS, c, x, y)


@array_function(promotes=("x", "y", "z", "c"))
def hermval3d(x: Any, y: Any, z: Any, c: Any) -> tf.Tensor:
    return evaluation.value_together(BASIS, c, x, y, z)


@array_function(promotes=("x", "y", "c"))
def hermgrid2d(x: Any, y: Any, c: Any) -> tf.Tensor:
    return evaluation.value_on_grid(BASIS, c, x, y)


@array_function(promotes=("x", "y", "z", "c"))
def hermgrid3d(x: Any, y: Any, z: Any, c: Any) -> tf.Tensor:
    return evaluation.value_on_grid(BASIS, c, x, y, z)


@array_function(promotes=("x",))
def hermvander(x: Any, deg: Any) -> tf.Tensor:
    return evaluation.vandermonde(BASIS, x, deg)


@array_function(promotes=("x", "y"))
def hermvander2d(x: Any, y: Any, deg: Any) -> tf.Tensor:
    return evaluation.vandermonde_together(BASIS, (x, y), deg)


@array_function(promotes=("x", "y", "z"))
def hermvander3d(x: Any, y: Any, z: Any, deg: Any) -> tf.Tensor:
    return evaluation.vandermonde_together(BASIS, (x, y, z), deg)


@array_function(promotes=("x", "y", "w"))
def hermfit(x: Any, y: Any, deg: Any, rcond: Any = None, full: Any = False, w: Any = None) -> Any:
    return fitting.fit(BASIS, x, y, deg, rcond, full, w)


@array_function(promotes=("c",))
def hermcompanion(c: Any) -> tf.Tensor:
    return root_finding.companion(BASIS, c)


@array_function(promotes=("c",))
def hermroots(c: Any) -> tf.Tensor:
    return root_finding.roots(BASIS, c)


@array_function(promotes=("pol",))
def poly2herm(pol: Any, *, size: Any = None) -> tf.Tensor:
    return products.from_powers(BASIS, pol, size)


@array_function(promotes=("c",))
def herm2poly(c: Any, *, size: Any = None) -> tf.Tensor:
    return products.to_powers(BASIS, c, size)


def hermgauss(deg: Any) -> tuple[tf.Tensor, tf.Tensor]:
    return quadrature.make_rule(np.polynomial.hermite.hermgauss, deg)


@array_function(promotes=("x",))
def hermweight(x: Any) -> Any:
    return ufuncs.exp(minus(0, quadrature.squared(quadrature.abscissae(x))))


class Hermite(Series):
    """A series of Hermite polynomials, the physicists' kind."""

    domain = hermdomain
    window = hermdomain
    basis_name = "H"
    _basis = BASIS
