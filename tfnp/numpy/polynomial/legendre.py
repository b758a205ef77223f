"""`numpy.polynomial.legendre`: the functions of `tfnp.polynomial.legendre`, lifted."""

from __future__ import annotations

from tfnp.numpy.lifting import lift_function
from tfnp.numpy.multiarray import make_array
from tfnp.numpy.polynomial.series import Legendre
from tfnp.polynomial import legendre

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

leg2poly = lift_function(legendre.leg2poly)
legadd = lift_function(legendre.legadd)
legcompanion = lift_function(legendre.legcompanion)
legder = lift_function(legendre.legder)
legdiv = lift_function(legendre.legdiv)
legdomain = make_array(legendre.legdomain)
legfit = lift_function(legendre.legfit)
legfromroots = lift_function(legendre.legfromroots)
leggauss = lift_function(legendre.leggauss)
leggrid2d = lift_function(legendre.leggrid2d)
leggrid3d = lift_function(legendre.leggrid3d)
legint = lift_function(legendre.legint)
legline = lift_function(legendre.legline)
legmul = lift_function(legendre.legmul)
legmulx = lift_function(legendre.legmulx)
legone = make_array(legendre.legone)
legpow = lift_function(legendre.legpow)
legroots = lift_function(legendre.legroots)
legsub = lift_function(legendre.legsub)
legtrim = lift_function(legendre.legtrim)
legval = lift_function(legendre.legval)
legval2d = lift_function(legendre.legval2d)
legval3d = lift_function(legendre.legval3d)
legvander = lift_function(legendre.legvander)
legvander2d = lift_function(legendre.legvander2d)
legvander3d = lift_function(legendre.legvander3d)
legweight = lift_function(legendre.legweight)
legx = make_array(legendre.legx)
legzero = make_array(legendre.legzero)
poly2leg = lift_function(legendre.poly2leg)
