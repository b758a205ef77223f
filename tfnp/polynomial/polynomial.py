"""Series of powers of x, lowest degree first.

Coefficients are floating or complex; integers become floats. Trailing zeros are trimmed, in a graph when it runs. XLA
needs a `size`, to which the result is truncated or padded with zeros.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import tensorflow as tf

from tfnp._core.edge import array_function
from tfnp._core.parameters import ArrayLike, IntLike, ShapeLike
from tfnp.polynomial import evaluation, products
from tfnp.polynomial.bases import POWERS as BASIS
from tfnp.polynomial.basis_functions import BasisFunctions
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

_FUNCTIONS: Final = BasisFunctions(BASIS, __name__, "poly")


def polyline(off: ArrayLike, scl: ArrayLike) -> tf.Tensor:
    """The result has one coefficient if `scl` is a static zero, else two."""
    return products.make_line(BASIS, off, scl)


polyfromroots = _FUNCTIONS.fromroots
polyadd = _FUNCTIONS.add
polysub = _FUNCTIONS.sub
polymulx = _FUNCTIONS.mulx
polymul = _FUNCTIONS.mul
polydiv = _FUNCTIONS.div


@array_function(promotes=("c",), traces=("c",))
def polypow(c: ArrayLike, pow: IntLike, maxpower: IntLike | None = None, *, size: ShapeLike | None = None) -> tf.Tensor:
    """The exponent must be static. Trailing zeros are trimmed, so the length depends on values, which XLA does not
    support. With `size`, a keyword of tfnp's own, the result has that many coefficients.
    """
    return products.power(BASIS, c, pow, maxpower, size)


polyder = _FUNCTIONS.der
polyint = _FUNCTIONS.int
polyval = _FUNCTIONS.val


@array_function(promotes=("x",), traces=("x",))
def polyvalfromroots(x: ArrayLike, r: ArrayLike, tensor: bool = True) -> tf.Tensor:
    """The roots are along the first axis of `r`."""
    return evaluation.evaluate_from_roots(x, r, tensor)


polyval2d = _FUNCTIONS.val2d
polyval3d = _FUNCTIONS.val3d
polygrid2d = _FUNCTIONS.grid2d
polygrid3d = _FUNCTIONS.grid3d
polyvander = _FUNCTIONS.vander
polyvander2d = _FUNCTIONS.vander2d
polyvander3d = _FUNCTIONS.vander3d
polyfit = _FUNCTIONS.fit
polycompanion = _FUNCTIONS.companion
polyroots = _FUNCTIONS.roots


class Polynomial(Series):
    """A series of powers of x."""

    domain = polydomain
    window = polydomain
    basis_name = None
    _basis = BASIS
