"""Series of Hermite polynomials, the probabilists' kind, the lowest degree first.

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
from tfnp.polynomial.arithmetic import times
from tfnp.polynomial.bases import HERMITE_E as BASIS
from tfnp.polynomial.polyutils import trimcoef
from tfnp.polynomial.series_objects import Series
from tfnp.routines import ufuncs

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


def hermeline(off: Any, scl: Any) -> tf.Tensor:
    return products.line(BASIS, off, scl)


@weakly
def hermefromroots(roots: Any) -> tf.Tensor:
    return products.from_roots(BASIS, roots)


@weakly
def hermeadd(c1: Any, c2: Any, *, size: Any = None) -> tf.Tensor:
    return products.add(c1, c2, size)


@weakly
def hermesub(c1: Any, c2: Any, *, size: Any = None) -> tf.Tensor:
    return products.subtract(c1, c2, size)


@weakly
def hermemulx(c: Any, *, size: Any = None) -> tf.Tensor:
    return products.multiply_by_x(BASIS, c, size)


@weakly
def hermemul(c1: Any, c2: Any, *, size: Any = None) -> tf.Tensor:
    return products.multiply(BASIS, c1, c2, size)


@weakly
def hermediv(c1: Any, c2: Any, *, size: Any = None) -> tuple[tf.Tensor, tf.Tensor]:
    return products.divide(BASIS, c1, c2, size)


@weakly
def hermepow(c: Any, pow: Any, maxpower: Any = 16, *, size: Any = None) -> tf.Tensor:
    return products.power(BASIS, c, pow, maxpower, size)


@weakly
def hermeder(c: Any, m: Any = 1, scl: Any = 1, axis: Any = 0) -> tf.Tensor:
    return calculus.derivative(BASIS, c, m, scl, axis)


@weakly
def hermeint(c: Any, m: Any = 1, k: Any = [], lbnd: Any = 0, scl: Any = 1, axis: Any = 0) -> tf.Tensor:  # noqa: B006
    return calculus.integral(BASIS, c, m, k, lbnd, scl, axis)


@weakly
def hermeval(x: Any, c: Any, tensor: Any = True) -> tf.Tensor:
    return evaluation.value(BASIS, x, c, tensor)


@weakly
def hermeval2d(x: Any, y: Any, c: Any) -> tf.Tensor:
    return evaluation.value_together(BASIS, c, x, y)


@weakly
def hermeval3d(x: Any, y: Any, z: Any, c: Any) -> tf.Tensor:
    return evaluation.value_together(BASIS, c, x, y, z)


@weakly
def hermegrid2d(x: Any, y: Any, c: Any) -> tf.Tensor:
    return evaluation.value_on_grid(BASIS, c, x, y)


@weakly
def hermegrid3d(x: Any, y: Any, z: Any, c: Any) -> tf.Tensor:
    return evaluation.value_on_grid(BASIS, c, x, y, z)


@weakly
def hermevander(x: Any, deg: Any) -> tf.Tensor:
    return evaluation.vandermonde(BASIS, x, deg)


@weakly
def hermevander2d(x: Any, y: Any, deg: Any) -> tf.Tensor:
    return evaluation.vandermonde_together(BASIS, (x, y), deg)


@weakly
def hermevander3d(x: Any, y: Any, z: Any, deg: Any) -> tf.Tensor:
    return evaluation.vandermonde_together(BASIS, (x, y, z), deg)


@weakly
def hermefit(x: Any, y: Any, deg: Any, rcond: Any = None, full: Any = False, w: Any = None) -> Any:
    return fitting.fit(BASIS, x, y, deg, rcond, full, w)


@weakly
def hermecompanion(c: Any) -> tf.Tensor:
    return zeros.companion(BASIS, c)


@weakly
def hermeroots(c: Any) -> tf.Tensor:
    return zeros.roots(BASIS, c)


@weakly
def poly2herme(pol: Any, *, size: Any = None) -> tf.Tensor:
    return products.from_powers(BASIS, pol, size)


@weakly
def herme2poly(c: Any, *, size: Any = None) -> tf.Tensor:
    return products.to_powers(BASIS, c, size)


def hermegauss(deg: Any) -> tuple[tf.Tensor, tf.Tensor]:
    return weighting.made(np.polynomial.hermite_e.hermegauss, deg)


@weakly
def hermeweight(x: Any) -> Any:
    return ufuncs.exp(times(-0.5, weighting.squared(weighting.abscissae(x))))


class HermiteE(Series):
    """A series of Hermite polynomials, the probabilists' kind."""

    domain = hermedomain
    window = hermedomain
    basis_name = "He"
    _basis = BASIS
