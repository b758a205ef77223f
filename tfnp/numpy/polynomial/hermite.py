"""`numpy.polynomial.hermite`: the functions of `tfnp.polynomial.hermite`, lifted."""

from __future__ import annotations

from tfnp.numpy.lifting import lift_function
from tfnp.numpy.multiarray import make_array
from tfnp.numpy.polynomial.series import Hermite
from tfnp.polynomial import hermite

__all__ = [
    "Hermite",
    "herm2poly",
    "hermadd",
    "hermcompanion",
    "hermder",
    "hermdiv",
    "hermdomain",
    "hermfit",
    "hermfromroots",
    "hermgauss",
    "hermgrid2d",
    "hermgrid3d",
    "hermint",
    "hermline",
    "hermmul",
    "hermmulx",
    "hermone",
    "hermpow",
    "hermroots",
    "hermsub",
    "hermtrim",
    "hermval",
    "hermval2d",
    "hermval3d",
    "hermvander",
    "hermvander2d",
    "hermvander3d",
    "hermweight",
    "hermx",
    "hermzero",
    "poly2herm",
]

herm2poly = lift_function(hermite.herm2poly)
hermadd = lift_function(hermite.hermadd)
hermcompanion = lift_function(hermite.hermcompanion)
hermder = lift_function(hermite.hermder)
hermdiv = lift_function(hermite.hermdiv)
hermdomain = make_array(hermite.hermdomain)
hermfit = lift_function(hermite.hermfit)
hermfromroots = lift_function(hermite.hermfromroots)
hermgauss = lift_function(hermite.hermgauss)
hermgrid2d = lift_function(hermite.hermgrid2d)
hermgrid3d = lift_function(hermite.hermgrid3d)
hermint = lift_function(hermite.hermint)
hermline = lift_function(hermite.hermline)
hermmul = lift_function(hermite.hermmul)
hermmulx = lift_function(hermite.hermmulx)
hermone = make_array(hermite.hermone)
hermpow = lift_function(hermite.hermpow)
hermroots = lift_function(hermite.hermroots)
hermsub = lift_function(hermite.hermsub)
hermtrim = lift_function(hermite.hermtrim)
hermval = lift_function(hermite.hermval)
hermval2d = lift_function(hermite.hermval2d)
hermval3d = lift_function(hermite.hermval3d)
hermvander = lift_function(hermite.hermvander)
hermvander2d = lift_function(hermite.hermvander2d)
hermvander3d = lift_function(hermite.hermvander3d)
hermweight = lift_function(hermite.hermweight)
hermx = make_array(hermite.hermx)
hermzero = make_array(hermite.hermzero)
poly2herm = lift_function(hermite.poly2herm)
