"""Polynomial series: a class and a module of functions for each of six bases.

Constants, domains and windows are NumPy arrays, since importing a module must not create tensors.
"""

from __future__ import annotations

import numpy as _np

from tfnp._core.autograph import leave_unconverted as _leave_unconverted
from tfnp._core.docs import document as _document
from tfnp.polynomial import chebyshev, hermite, hermite_e, laguerre, legendre, polynomial, polyutils
from tfnp.polynomial.chebyshev import Chebyshev
from tfnp.polynomial.hermite import Hermite
from tfnp.polynomial.hermite_e import HermiteE
from tfnp.polynomial.laguerre import Laguerre
from tfnp.polynomial.legendre import Legendre
from tfnp.polynomial.polynomial import Polynomial
from tfnp.polynomial.series import Series as _Series
from tfnp.polynomial.series import set_default_printstyle

__all__ = [
    "Chebyshev",
    "Hermite",
    "HermiteE",
    "Laguerre",
    "Legendre",
    "Polynomial",
    "chebyshev",
    "hermite",
    "hermite_e",
    "laguerre",
    "legendre",
    "polynomial",
    "polyutils",
    "set_default_printstyle",
]

_leave_unconverted(globals().values())
for _owner in (chebyshev, hermite, hermite_e, laguerre, legendre, polynomial, polyutils):
    _leave_unconverted(vars(_owner).values())
for _owner in (chebyshev, hermite, hermite_e, laguerre, legendre, polynomial, polyutils):
    _name = _owner.__name__.rpartition(".")[2]
    _document(vars(_owner), getattr(_np.polynomial, _name), _owner.__name__)
_document(vars(_Series), _np.polynomial.Polynomial, "tfnp.polynomial")
_document(globals(), _np.polynomial, "tfnp.polynomial")
