"""Series of Laguerre polynomials, lowest degree first.

Coefficients are floating or complex; integers become floats. Trailing zeros are trimmed, in a graph when it runs. XLA
needs a `size`, to which the result is truncated or padded with zeros.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import tensorflow as tf

from tfnp._core.edge import array_function
from tfnp._core.parameters import ArrayLike, IntLike
from tfnp.polynomial import products, quadrature
from tfnp.polynomial.bases import LAGUERRE as BASIS
from tfnp.polynomial.basis_functions import BasisFunctions
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

_FUNCTIONS: Final = BasisFunctions(BASIS, __name__, "lag")


def lagline(off: ArrayLike, scl: ArrayLike) -> tf.Tensor:
    """The result has one coefficient if `scl` is a static zero, else two."""
    return products.make_line(BASIS, off, scl)


lagfromroots = _FUNCTIONS.fromroots
lagadd = _FUNCTIONS.add
lagsub = _FUNCTIONS.sub
lagmulx = _FUNCTIONS.mulx
lagmul = _FUNCTIONS.mul
lagdiv = _FUNCTIONS.div
lagpow = _FUNCTIONS.pow
lagder = _FUNCTIONS.der
lagint = _FUNCTIONS.int
lagval = _FUNCTIONS.val
lagval2d = _FUNCTIONS.val2d
lagval3d = _FUNCTIONS.val3d
laggrid2d = _FUNCTIONS.grid2d
laggrid3d = _FUNCTIONS.grid3d
lagvander = _FUNCTIONS.vander
lagvander2d = _FUNCTIONS.vander2d
lagvander3d = _FUNCTIONS.vander3d
lagfit = _FUNCTIONS.fit
lagcompanion = _FUNCTIONS.companion
lagroots = _FUNCTIONS.roots
poly2lag = _FUNCTIONS.from_powers
lag2poly = _FUNCTIONS.to_powers


def laggauss(deg: IntLike) -> tuple[tf.Tensor, tf.Tensor]:
    """`deg` must be static: the result is calculated by NumPy."""
    return quadrature.make_rule(np.polynomial.laguerre.laggauss, deg)


@array_function(promotes=("x",))
def lagweight(x: ArrayLike) -> Any:
    """Return a tensor, or a Python float for a Python number."""
    x = int(x) if type(x) is bool else x  # which Python can negate, as NumPy cannot
    return ufuncs.exp(ufuncs.negative(quadrature.as_abscissae(x)))


class Laguerre(Series):
    """A series of Laguerre polynomials."""

    domain = lagdomain
    window = lagdomain
    basis_name = "L"
    _basis = BASIS
