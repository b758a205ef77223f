"""Series of Chebyshev polynomials of the first kind, lowest degree first.

Coefficients are floating or complex; integers become floats. Trailing zeros are trimmed, in a graph when it runs. XLA
needs a `size`, to which the result is truncated or padded with zeros.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np
import tensorflow as tf

from tfnp._core.edge import array_function
from tfnp._core.parameters import ArrayLike, IntLike
from tfnp.polynomial import fitting, products, quadrature
from tfnp.polynomial.arithmetic import minus, over, plus, times
from tfnp.polynomial.bases import CHEBYSHEV as BASIS
from tfnp.polynomial.basis_functions import BasisFunctions
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

_FUNCTIONS: Final = BasisFunctions(BASIS, __name__, "cheb")


def chebline(off: ArrayLike, scl: ArrayLike) -> tf.Tensor:
    """The result has one coefficient if `scl` is a static zero, else two."""
    return products.make_line(BASIS, off, scl)


chebfromroots = _FUNCTIONS.fromroots
chebadd = _FUNCTIONS.add
chebsub = _FUNCTIONS.sub
chebmulx = _FUNCTIONS.mulx
chebmul = _FUNCTIONS.mul
chebdiv = _FUNCTIONS.div
chebpow = _FUNCTIONS.pow
chebder = _FUNCTIONS.der
chebint = _FUNCTIONS.int
chebval = _FUNCTIONS.val
chebval2d = _FUNCTIONS.val2d
chebval3d = _FUNCTIONS.val3d
chebgrid2d = _FUNCTIONS.grid2d
chebgrid3d = _FUNCTIONS.grid3d
chebvander = _FUNCTIONS.vander
chebvander2d = _FUNCTIONS.vander2d
chebvander3d = _FUNCTIONS.vander3d
chebfit = _FUNCTIONS.fit
chebcompanion = _FUNCTIONS.companion
chebroots = _FUNCTIONS.roots
poly2cheb = _FUNCTIONS.from_powers
cheb2poly = _FUNCTIONS.to_powers


def chebgauss(deg: IntLike) -> tuple[tf.Tensor, tf.Tensor]:
    """`deg` must be static: the result is calculated by NumPy."""
    return quadrature.make_rule(np.polynomial.chebyshev.chebgauss, deg)


@array_function(promotes=("x",), traces=("x",))
def chebweight(x: ArrayLike) -> Any:
    """Return a tensor, or a Python float for a Python number."""
    x = quadrature.as_abscissae(x)
    return over(1.0, times(ufuncs.sqrt(plus(1.0, x)), ufuncs.sqrt(minus(1.0, x))))


def chebpts1(npts: IntLike) -> tf.Tensor:
    """`npts` must be static: the result is calculated by NumPy."""
    return quadrature.make_rule(np.polynomial.chebyshev.chebpts1, npts)


def chebpts2(npts: IntLike) -> tf.Tensor:
    """`npts` must be static: the result is calculated by NumPy."""
    return quadrature.make_rule(np.polynomial.chebyshev.chebpts2, npts)


def chebinterpolate(func: Callable[..., Any], deg: IntLike, args: Any = ()) -> tf.Tensor:
    """`deg` must be static. `func` is called once, with a tensor of points."""
    return fitting.interpolate(func, deg, args)


class Chebyshev(Series):
    """A series of Chebyshev polynomials of the first kind."""

    domain = chebdomain
    window = chebdomain
    basis_name = "T"
    _basis = BASIS

    @classmethod
    def interpolate(
        cls, func: Callable[..., Any], deg: IntLike, domain: ArrayLike | None = None, args: Any = ()
    ) -> Chebyshev:
        """`func` is called once, with a tensor of the Chebyshev points of the domain."""
        domain = cls.domain if domain is None else domain
        coef = chebinterpolate(lambda x: func(mapdomain(x, cls.window, domain), *args), deg)
        return cls(coef, domain=domain)
