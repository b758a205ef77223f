"""`numpy.polynomial.hermite_e`: the functions of `tfnp.polynomial.hermite_e`, lifted."""

from __future__ import annotations

from tfnp.numpy.lifting import lift_function
from tfnp.numpy.multiarray import make_array
from tfnp.numpy.polynomial.series import HermiteE
from tfnp.polynomial import hermite_e

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

herme2poly = lift_function(hermite_e.herme2poly)
hermeadd = lift_function(hermite_e.hermeadd)
hermecompanion = lift_function(hermite_e.hermecompanion)
hermeder = lift_function(hermite_e.hermeder)
hermediv = lift_function(hermite_e.hermediv)
hermedomain = make_array(hermite_e.hermedomain)
hermefit = lift_function(hermite_e.hermefit)
hermefromroots = lift_function(hermite_e.hermefromroots)
hermegauss = lift_function(hermite_e.hermegauss)
hermegrid2d = lift_function(hermite_e.hermegrid2d)
hermegrid3d = lift_function(hermite_e.hermegrid3d)
hermeint = lift_function(hermite_e.hermeint)
hermeline = lift_function(hermite_e.hermeline)
hermemul = lift_function(hermite_e.hermemul)
hermemulx = lift_function(hermite_e.hermemulx)
hermeone = make_array(hermite_e.hermeone)
hermepow = lift_function(hermite_e.hermepow)
hermeroots = lift_function(hermite_e.hermeroots)
hermesub = lift_function(hermite_e.hermesub)
hermetrim = lift_function(hermite_e.hermetrim)
hermeval = lift_function(hermite_e.hermeval)
hermeval2d = lift_function(hermite_e.hermeval2d)
hermeval3d = lift_function(hermite_e.hermeval3d)
hermevander = lift_function(hermite_e.hermevander)
hermevander2d = lift_function(hermite_e.hermevander2d)
hermevander3d = lift_function(hermite_e.hermevander3d)
hermeweight = lift_function(hermite_e.hermeweight)
hermex = make_array(hermite_e.hermex)
hermezero = make_array(hermite_e.hermezero)
poly2herme = lift_function(hermite_e.poly2herme)
