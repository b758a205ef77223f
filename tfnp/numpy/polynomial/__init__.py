"""`numpy.polynomial` of arrays."""

from tfnp.numpy.polynomial import chebyshev, hermite, hermite_e, laguerre, legendre, polynomial, polyutils
from tfnp.numpy.polynomial.series import Chebyshev, Hermite, HermiteE, Laguerre, Legendre, Polynomial
from tfnp.polynomial import set_default_printstyle

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
