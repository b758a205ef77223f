"""Series of Chebyshev polynomials of the first kind, the lowest degree first.

Coefficients are floating or complex: integers become floats. Zeros after the last coefficient are left out, which a
graph does when it runs; XLA needs to be told a `size`, to which a result is cut or filled with zeros. Of complex
roots see `tfnp.polynomial.zeros`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np
import tensorflow as tf

from tfnp._core.edge import array_function
from tfnp.polynomial import calculus, evaluation, fitting, products, quadrature, root_finding
from tfnp.polynomial.arithmetic import minus, over, plus, times
from tfnp.polynomial.bases import CHEBYSHEV as BASIS
from tfnp.polynomial.polyutils import mapdomain, trimcoef
from tfnp.polynomial.series import Series
from tfnp.routines.math import ufuncs

__all__ = [
    "Chebyshev",
    "cheb2poly",
    "chebadd",
    "chebcompanion",
    "chebder",
    "chebdiv",
    "chebdomain",
    "chebfit",
    "chebfromroots",
    "chebgauss",
    "chebgrid2d",
    "chebgrid3d",
    "chebint",
    "chebinterpolate",
    "chebline",
    "chebmul",
    "chebmulx",
    "chebone",
    "chebpow",
    "chebpts1",
    "chebpts2",
    "chebroots",
    "chebsub",
    "chebtrim",
    "chebval",
    "chebval2d",
    "chebval3d",
    "chebvander",
    "chebvander2d",
    "chebvander3d",
    "chebweight",
    "chebx",
    "chebzero",
    "poly2cheb",
]

chebdomain: Final = np.array([-1.0, 1.0])
chebzero: Final = np.array([0])
chebone: Final = np.array([1])
chebx: Final = np.array([0, 1])
chebtrim = trimcoef


def chebline(off: Any, scl: Any) -> tf.Tensor:
    return products.line(BASIS, off, scl)


@array_function(promotes=("roots",))
def chebfromroots(roots: Any) -> tf.Tensor:
    return products.from_roots(BASIS, roots)


@array_function(promotes=("c1", "c2"))
def chebadd(c1: Any, c2: Any, *, size: Any = None) -> tf.Tensor:
    return products.add(c1, c2, size)


@array_function(promotes=("c1", "c2"))
def chebsub(c1: Any, c2: Any, *, size: Any = None) -> tf.Tensor:
    return products.subtract(c1, c2, size)


@array_function(promotes=("c",))
def chebmulx(c: Any, *, size: Any = None) -> tf.Tensor:
    return products.multiply_by_x(BASIS, c, size)


@array_function(promotes=("c1", "c2"))
def chebmul(c1: Any, c2: Any, *, size: Any = None) -> tf.Tensor:
    return products.multiply(BASIS, c1, c2, size)


@array_function(promotes=("c1", "c2"))
def chebdiv(c1: Any, c2: Any, *, size: Any = None) -> tuple[tf.Tensor, tf.Tensor]:
    return products.divide(BASIS, c1, c2, size)


@array_function(promotes=("c",))
def chebpow(c: Any, pow: Any, maxpower: Any = 16, *, size: Any = None) -> tf.Tensor:
    return products.power(BASIS, c, pow, maxpower, size)


@array_function(promotes=("c", "m"))
def chebder(c: Any, m: Any = 1, scl: Any = 1, axis: Any = 0) -> tf.Tensor:
    return calculus.derivative(BASIS, c, m, scl, axis)


@array_function(promotes=("c", "m"))
def chebint(c: Any, m: Any = 1, k: Any = [], lbnd: Any = 0, scl: Any = 1, axis: Any = 0) -> tf.Tensor:  # noqa: B006
    return calculus.integral(BASIS, c, m, k, lbnd, scl, axis)


@array_function(promotes=("x", "c"))
def chebval(x: Any, c: Any, tensor: Any = True) -> tf.Tensor:
    return evaluation.value(BASIS, x, c, tensor)


@array_function(promotes=("x", "y", "c"))
def chebval2d(x: Any, y: Any, c: Any) -> tf.Tensor:
    return evaluation.value_together(BASIS, c, x, y)


@array_function(promotes=("x", "y", "z", "c"))
def chebval3d(x: Any, y: Any, z: Any, c: Any) -> tf.Tensor:
    return evaluation.value_together(BASIS, c, x, y, z)


@array_function(promotes=("x", "y", "c"))
def chebgrid2d(x: Any, y: Any, c: Any) -> tf.Tensor:
    return evaluation.value_on_grid(BASIS, c, x, y)


@array_function(promotes=("x", "y", "z", "c"))
def chebgrid3d(x: Any, y: Any, z: Any, c: Any) -> tf.Tensor:
    return evaluation.value_on_grid(BASIS, c, x, y, z)


@array_function(promotes=("x",))
def chebvander(x: Any, deg: Any) -> tf.Tensor:
    return evaluation.vandermonde(BASIS, x, deg)


@array_function(promotes=("x", "y"))
def chebvander2d(x: Any, y: Any, deg: Any) -> tf.Tensor:
    return evaluation.vandermonde_together(BASIS, (x, y), deg)


@array_function(promotes=("x", "y", "z"))
def chebvander3d(x: Any, y: Any, z: Any, deg: Any) -> tf.Tensor:
    return evaluation.vandermonde_together(BASIS, (x, y, z), deg)


@array_function(promotes=("x", "y", "w"))
def chebfit(x: Any, y: Any, deg: Any, rcond: Any = None, full: Any = False, w: Any = None) -> Any:
    return fitting.fit(BASIS, x, y, deg, rcond, full, w)


@array_function(promotes=("c",))
def chebcompanion(c: Any) -> tf.Tensor:
    return root_finding.companion(BASIS, c)


@array_function(promotes=("c",))
def chebroots(c: Any) -> tf.Tensor:
    return root_finding.roots(BASIS, c)


@array_function(promotes=("pol",))
def poly2cheb(pol: Any, *, size: Any = None) -> tf.Tensor:
    return products.from_powers(BASIS, pol, size)


@array_function(promotes=("c",))
def cheb2poly(c: Any, *, size: Any = None) -> tf.Tensor:
    return products.to_powers(BASIS, c, size)


def chebgauss(deg: Any) -> tuple[tf.Tensor, tf.Tensor]:
    return quadrature.make_rule(np.polynomial.chebyshev.chebgauss, deg)


@array_function(promotes=("x",))
def chebweight(x: Any) -> Any:
    x = quadrature.abscissae(x)
    return over(1.0, times(ufuncs.sqrt(plus(1.0, x)), ufuncs.sqrt(minus(1.0, x))))


def chebpts1(npts: Any) -> tf.Tensor:
    return quadrature.make_rule(np.polynomial.chebyshev.chebpts1, npts)


def chebpts2(npts: Any) -> tf.Tensor:
    return quadrature.make_rule(np.polynomial.chebyshev.chebpts2, npts)


def chebinterpolate(func: Callable[..., Any], deg: Any, args: Any = ()) -> tf.Tensor:
    return fitting.interpolate(func, deg, args)


class Chebyshev(Series):
    """A series of Chebyshev polynomials of the first kind."""

    domain = chebdomain
    window = chebdomain
    basis_name = "T"
    _basis = BASIS

    @classmethod
    def interpolate(cls, func: Callable[..., Any], deg: Any, domain: Any = None, args: Any = ()) -> Chebyshev:
        """Through a function's values at the Chebyshev points of a domain."""
        domain = cls.domain if domain is None else domain
        coef = chebinterpolate(lambda x: func(mapdomain(x, cls.window, domain), *args), deg)
        return cls(coef, domain=domain)
