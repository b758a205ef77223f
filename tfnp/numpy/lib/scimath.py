"""`numpy.lib.scimath`, by its other name `numpy.emath`."""

from tfnp.numpy.emath import arccos, arcsin, arctanh, log, log2, log10, logn, power, sqrt

__all__ = ["arccos", "arcsin", "arctanh", "log", "log2", "log10", "logn", "power", "sqrt"]
