"""`numpy.polynomial.chebyshev`: the functions of `tfnp.polynomial.chebyshev`, lifted."""

from __future__ import annotations

from tfnp.numpy.lifting import lift_function
from tfnp.numpy.multiarray import make_array
from tfnp.numpy.polynomial.series import Chebyshev
from tfnp.polynomial import chebyshev

__all__ = [
    "Chebyshev",
    "cheb2poly",
    "chebadd",
    "chebcompanion",
    "chebder",
    "chebdiv",
    "chebdomain",
    "chebfit",
    "chebfromroots",
    "chebgauss",
    "chebgrid2d",
    "chebgrid3d",
    "chebint",
    "chebinterpolate",
    "chebline",
    "chebmul",
    "chebmulx",
    "chebone",
    "chebpow",
    "chebpts1",
    "chebpts2",
    "chebroots",
    "chebsub",
    "chebtrim",
    "chebval",
    "chebval2d",
    "chebval3d",
    "chebvander",
    "chebvander2d",
    "chebvander3d",
    "chebweight",
    "chebx",
    "chebzero",
    "poly2cheb",
]

cheb2poly = lift_function(chebyshev.cheb2poly)
chebadd = lift_function(chebyshev.chebadd)
chebcompanion = lift_function(chebyshev.chebcompanion)
chebder = lift_function(chebyshev.chebder)
chebdiv = lift_function(chebyshev.chebdiv)
chebdomain = make_array(chebyshev.chebdomain)
chebfit = lift_function(chebyshev.chebfit)
chebfromroots = lift_function(chebyshev.chebfromroots)
chebgauss = lift_function(chebyshev.chebgauss)
chebgrid2d = lift_function(chebyshev.chebgrid2d)
chebgrid3d = lift_function(chebyshev.chebgrid3d)
chebint = lift_function(chebyshev.chebint)
chebinterpolate = lift_function(chebyshev.chebinterpolate)
chebline = lift_function(chebyshev.chebline)
chebmul = lift_function(chebyshev.chebmul)
chebmulx = lift_function(chebyshev.chebmulx)
chebone = make_array(chebyshev.chebone)
chebpow = lift_function(chebyshev.chebpow)
chebpts1 = lift_function(chebyshev.chebpts1)
chebpts2 = lift_function(chebyshev.chebpts2)
chebroots = lift_function(chebyshev.chebroots)
chebsub = lift_function(chebyshev.chebsub)
chebtrim = lift_function(chebyshev.chebtrim)
chebval = lift_function(chebyshev.chebval)
chebval2d = lift_function(chebyshev.chebval2d)
chebval3d = lift_function(chebyshev.chebval3d)
chebvander = lift_function(chebyshev.chebvander)
chebvander2d = lift_function(chebyshev.chebvander2d)
chebvander3d = lift_function(chebyshev.chebvander3d)
chebweight = lift_function(chebyshev.chebweight)
chebx = make_array(chebyshev.chebx)
chebzero = make_array(chebyshev.chebzero)
poly2cheb = lift_function(chebyshev.poly2cheb)
