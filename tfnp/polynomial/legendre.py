"""Series of Legendre polynomials, lowest degree first.

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
from tfnp.polynomial.arithmetic import plus, times
from tfnp.polynomial.bases import LEGENDRE as BASIS
from tfnp.polynomial.basis_functions import BasisFunctions
from tfnp.polynomial.polyutils import trimcoef
from tfnp.polynomial.series import Series

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

_FUNCTIONS: Final = BasisFunctions(BASIS, __name__, "leg")


def legline(off: ArrayLike, scl: ArrayLike) -> tf.Tensor:
    """The result has one coefficient if `scl` is a static zero, else two."""
    return products.make_line(BASIS, off, scl)


legfromroots = _FUNCTIONS.fromroots
legadd = _FUNCTIONS.add
legsub = _FUNCTIONS.sub
legmulx = _FUNCTIONS.mulx
legmul = _FUNCTIONS.mul
legdiv = _FUNCTIONS.div
legpow = _FUNCTIONS.pow
legder = _FUNCTIONS.der
legint = _FUNCTIONS.int
legval = _FUNCTIONS.val
legval2d = _FUNCTIONS.val2d
legval3d = _FUNCTIONS.val3d
leggrid2d = _FUNCTIONS.grid2d
leggrid3d = _FUNCTIONS.grid3d
legvander = _FUNCTIONS.vander
legvander2d = _FUNCTIONS.vander2d
legvander3d = _FUNCTIONS.vander3d
legfit = _FUNCTIONS.fit
legcompanion = _FUNCTIONS.companion
legroots = _FUNCTIONS.roots
poly2leg = _FUNCTIONS.from_powers
leg2poly = _FUNCTIONS.to_powers


def leggauss(deg: IntLike) -> tuple[tf.Tensor, tf.Tensor]:
    """`deg` must be static: the result is calculated by NumPy."""
    return quadrature.make_rule(np.polynomial.legendre.leggauss, deg)


@array_function(promotes=("x",))
def legweight(x: ArrayLike) -> Any:
    """Return a tensor, or a Python float for a Python number."""
    x = quadrature.as_abscissae(x)
    return plus(times(x, 0.0), 1.0)


class Legendre(Series):
    """A series of Legendre polynomials."""

    domain = legdomain
    window = legdomain
    basis_name = "P"
    _basis = BASIS
