"""`tfnp.emath`, by NumPy's other name."""

from tfnp.emath import arccos, arcsin, arctanh, log, log2, log10, logn, power, sqrt

__all__ = ["arccos", "arcsin", "arctanh", "log", "log2", "log10", "logn", "power", "sqrt"]
