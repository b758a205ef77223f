"""`numpy.emath`, a name a line: the functions of `tfnp.emath`, lifted."""

from __future__ import annotations

import tfnp
from tfnp.numpy.lifting import lift_function

__all__ = [
    "arccos",
    "arcsin",
    "arctanh",
    "log",
    "log2",
    "log10",
    "logn",
    "power",
    "sqrt",
]

arccos = lift_function(tfnp.emath.arccos)
arcsin = lift_function(tfnp.emath.arcsin)
arctanh = lift_function(tfnp.emath.arctanh)
log = lift_function(tfnp.emath.log)
log10 = lift_function(tfnp.emath.log10)
log2 = lift_function(tfnp.emath.log2)
logn = lift_function(tfnp.emath.logn)
power = lift_function(tfnp.emath.power)
sqrt = lift_function(tfnp.emath.sqrt)
