"""The classes of polynomials, lifted."""

from __future__ import annotations

from tfnp import polynomial
from tfnp.numpy.objects import LiftedSeries


class Polynomial(LiftedSeries):
    """A polynomial in powers of x."""

    _inner_class = polynomial.Polynomial


class Chebyshev(LiftedSeries):
    """A series of Chebyshev polynomials."""

    _inner_class = polynomial.Chebyshev


class Hermite(LiftedSeries):
    """A series of the physicists' Hermite polynomials."""

    _inner_class = polynomial.Hermite


class HermiteE(LiftedSeries):
    """A series of the probabilists' Hermite polynomials."""

    _inner_class = polynomial.HermiteE


class Laguerre(LiftedSeries):
    """A series of Laguerre polynomials."""

    _inner_class = polynomial.Laguerre


class Legendre(LiftedSeries):
    """A series of Legendre polynomials."""

    _inner_class = polynomial.Legendre
