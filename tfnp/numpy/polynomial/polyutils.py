"""`numpy.polynomial.polyutils`: the functions of `tfnp.polynomial.polyutils`, lifted."""

from __future__ import annotations

from tfnp.numpy.lifting import lift_function
from tfnp.polynomial import polyutils

__all__ = [
    "as_series",
    "format_float",
    "getdomain",
    "mapdomain",
    "mapparms",
    "trimcoef",
    "trimseq",
]

as_series = lift_function(polyutils.as_series)
format_float = lift_function(polyutils.format_float)
getdomain = lift_function(polyutils.getdomain)
mapdomain = lift_function(polyutils.mapdomain)
mapparms = lift_function(polyutils.mapparms)
trimcoef = lift_function(polyutils.trimcoef)
trimseq = lift_function(polyutils.trimseq)
