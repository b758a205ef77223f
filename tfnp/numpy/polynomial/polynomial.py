"""`numpy.polynomial.polynomial`: the functions of `tfnp.polynomial.polynomial`, lifted."""

from __future__ import annotations

from tfnp.numpy.lifting import lift_function
from tfnp.numpy.multiarray import make_array
from tfnp.numpy.polynomial.series import Polynomial
from tfnp.polynomial import polynomial

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

polyadd = lift_function(polynomial.polyadd)
polycompanion = lift_function(polynomial.polycompanion)
polyder = lift_function(polynomial.polyder)
polydiv = lift_function(polynomial.polydiv)
polydomain = make_array(polynomial.polydomain)
polyfit = lift_function(polynomial.polyfit)
polyfromroots = lift_function(polynomial.polyfromroots)
polygrid2d = lift_function(polynomial.polygrid2d)
polygrid3d = lift_function(polynomial.polygrid3d)
polyint = lift_function(polynomial.polyint)
polyline = lift_function(polynomial.polyline)
polymul = lift_function(polynomial.polymul)
polymulx = lift_function(polynomial.polymulx)
polyone = make_array(polynomial.polyone)
polypow = lift_function(polynomial.polypow)
polyroots = lift_function(polynomial.polyroots)
polysub = lift_function(polynomial.polysub)
polytrim = lift_function(polynomial.polytrim)
polyval = lift_function(polynomial.polyval)
polyval2d = lift_function(polynomial.polyval2d)
polyval3d = lift_function(polynomial.polyval3d)
polyvalfromroots = lift_function(polynomial.polyvalfromroots)
polyvander = lift_function(polynomial.polyvander)
polyvander2d = lift_function(polynomial.polyvander2d)
polyvander3d = lift_function(polynomial.polyvander3d)
polyx = make_array(polynomial.polyx)
polyzero = make_array(polynomial.polyzero)
