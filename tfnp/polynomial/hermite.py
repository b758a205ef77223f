"""Series of Hermite polynomials of the physicists' kind, lowest degree first.

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
from tfnp.polynomial.arithmetic import minus
from tfnp.polynomial.bases import HERMITE as BASIS
from tfnp.polynomial.basis_functions import BasisFunctions
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

_FUNCTIONS: Final = BasisFunctions(BASIS, __name__, "herm")


def hermline(off: ArrayLike, scl: ArrayLike) -> tf.Tensor:
    """The result has one coefficient if `scl` is a static zero, else two."""
    return products.make_line(BASIS, off, scl)


hermfromroots = _FUNCTIONS.fromroots
hermadd = _FUNCTIONS.add
hermsub = _FUNCTIONS.sub
hermmulx = _FUNCTIONS.mulx
hermmul = _FUNCTIONS.mul
hermdiv = _FUNCTIONS.div
hermpow = _FUNCTIONS.pow
hermder = _FUNCTIONS.der
hermint = _FUNCTIONS.int
hermval = _FUNCTIONS.val
hermval2d = _FUNCTIONS.val2d
hermval3d = _FUNCTIONS.val3d
hermgrid2d = _FUNCTIONS.grid2d
hermgrid3d = _FUNCTIONS.grid3d
hermvander = _FUNCTIONS.vander
hermvander2d = _FUNCTIONS.vander2d
hermvander3d = _FUNCTIONS.vander3d
hermfit = _FUNCTIONS.fit
hermcompanion = _FUNCTIONS.companion
hermroots = _FUNCTIONS.roots
poly2herm = _FUNCTIONS.from_powers
herm2poly = _FUNCTIONS.to_powers


def hermgauss(deg: IntLike) -> tuple[tf.Tensor, tf.Tensor]:
    """`deg` must be static: the result is calculated by NumPy."""
    return quadrature.make_rule(np.polynomial.hermite.hermgauss, deg)


@array_function(promotes=("x",), traces=("x",))
def hermweight(x: ArrayLike) -> Any:
    """Return a tensor, or a Python float for a Python number."""
    return ufuncs.exp(minus(0, quadrature.square(quadrature.as_abscissae(x))))


class Hermite(Series):
    """A series of Hermite polynomials, the physicists' kind."""

    domain = hermdomain
    window = hermdomain
    basis_name = "H"
    _basis = BASIS
