"""NumPy's mixin of operators for classes that define `__array_ufunc__`."""

from numpy.lib.mixins import NDArrayOperatorsMixin

__all__ = ["NDArrayOperatorsMixin"]
