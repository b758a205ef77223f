"""`numpy.polynomial.laguerre`: the functions of `tfnp.polynomial.laguerre`, lifted."""

from __future__ import annotations

from tfnp.numpy.lifting import lift_function
from tfnp.numpy.multiarray import make_array
from tfnp.numpy.polynomial.series import Laguerre
from tfnp.polynomial import laguerre

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

lag2poly = lift_function(laguerre.lag2poly)
lagadd = lift_function(laguerre.lagadd)
lagcompanion = lift_function(laguerre.lagcompanion)
lagder = lift_function(laguerre.lagder)
lagdiv = lift_function(laguerre.lagdiv)
lagdomain = make_array(laguerre.lagdomain)
lagfit = lift_function(laguerre.lagfit)
lagfromroots = lift_function(laguerre.lagfromroots)
laggauss = lift_function(laguerre.laggauss)
laggrid2d = lift_function(laguerre.laggrid2d)
laggrid3d = lift_function(laguerre.laggrid3d)
lagint = lift_function(laguerre.lagint)
lagline = lift_function(laguerre.lagline)
lagmul = lift_function(laguerre.lagmul)
lagmulx = lift_function(laguerre.lagmulx)
lagone = make_array(laguerre.lagone)
lagpow = lift_function(laguerre.lagpow)
lagroots = lift_function(laguerre.lagroots)
lagsub = lift_function(laguerre.lagsub)
lagtrim = lift_function(laguerre.lagtrim)
lagval = lift_function(laguerre.lagval)
lagval2d = lift_function(laguerre.lagval2d)
lagval3d = lift_function(laguerre.lagval3d)
lagvander = lift_function(laguerre.lagvander)
lagvander2d = lift_function(laguerre.lagvander2d)
lagvander3d = lift_function(laguerre.lagvander3d)
lagweight = lift_function(laguerre.lagweight)
lagx = make_array(laguerre.lagx)
lagzero = make_array(laguerre.lagzero)
poly2lag = lift_function(laguerre.poly2lag)
