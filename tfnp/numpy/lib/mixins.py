"""`numpy.lib.mixins`, which is NumPy's own."""

from numpy.lib.mixins import NDArrayOperatorsMixin

__all__ = ["NDArrayOperatorsMixin"]
