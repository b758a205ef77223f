"""`numpy.lib.introspect`, which is NumPy's own."""

from numpy.lib.introspect import opt_func_info

__all__ = ["opt_func_info"]
