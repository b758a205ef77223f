"""Series of Hermite polynomials of the probabilists' kind, lowest degree first.

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
from tfnp.polynomial.arithmetic import times
from tfnp.polynomial.bases import HERMITE_E as BASIS
from tfnp.polynomial.basis_functions import BasisFunctions
from tfnp.polynomial.polyutils import trimcoef
from tfnp.polynomial.series import Series
from tfnp.routines.math import ufuncs

__all__ = [
    "HermiteE",
    "herme2poly",
    "hermeadd",
    "hermecompanion",
    "hermeder",
    "hermediv",
    "hermedomain",
    "hermefit",
    "hermefromroots",
    "hermegauss",
    "hermegrid2d",
    "hermegrid3d",
    "hermeint",
    "hermeline",
    "hermemul",
    "hermemulx",
    "hermeone",
    "hermepow",
    "hermeroots",
    "hermesub",
    "hermetrim",
    "hermeval",
    "hermeval2d",
    "hermeval3d",
    "hermevander",
    "hermevander2d",
    "hermevander3d",
    "hermeweight",
    "hermex",
    "hermezero",
    "poly2herme",
]

hermedomain: Final = np.array([-1.0, 1.0])
hermezero: Final = np.array([0])
hermeone: Final = np.array([1])
hermex: Final = np.array([0, 1])
hermetrim = trimcoef

_FUNCTIONS: Final = BasisFunctions(BASIS, __name__, "herme")


def hermeline(off: ArrayLike, scl: ArrayLike) -> tf.Tensor:
    """The result has one coefficient if `scl` is a static zero, else two."""
    return products.make_line(BASIS, off, scl)


hermefromroots = _FUNCTIONS.fromroots
hermeadd = _FUNCTIONS.add
hermesub = _FUNCTIONS.sub
hermemulx = _FUNCTIONS.mulx
hermemul = _FUNCTIONS.mul
hermediv = _FUNCTIONS.div
hermepow = _FUNCTIONS.pow
hermeder = _FUNCTIONS.der
hermeint = _FUNCTIONS.int
hermeval = _FUNCTIONS.val
hermeval2d = _FUNCTIONS.val2d
hermeval3d = _FUNCTIONS.val3d
hermegrid2d = _FUNCTIONS.grid2d
hermegrid3d = _FUNCTIONS.grid3d
hermevander = _FUNCTIONS.vander
hermevander2d = _FUNCTIONS.vander2d
hermevander3d = _FUNCTIONS.vander3d
hermefit = _FUNCTIONS.fit
hermecompanion = _FUNCTIONS.companion
hermeroots = _FUNCTIONS.roots
poly2herme = _FUNCTIONS.from_powers
herme2poly = _FUNCTIONS.to_powers


def hermegauss(deg: IntLike) -> tuple[tf.Tensor, tf.Tensor]:
    """`deg` must be static: the result is calculated by NumPy."""
    return quadrature.make_rule(np.polynomial.hermite_e.hermegauss, deg)


@array_function(promotes=("x",))
def hermeweight(x: ArrayLike) -> Any:
    """Return a tensor, or a Python float for a Python number."""
    return ufuncs.exp(times(-0.5, quadrature.square(quadrature.as_abscissae(x))))


class HermiteE(Series):
    """A series of Hermite polynomials, the probabilists' kind."""

    domain = hermedomain
    window = hermedomain
    basis_name = "He"
    _basis = BASIS
