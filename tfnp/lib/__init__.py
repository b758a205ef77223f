"""The part of `numpy.lib` that makes sense for tensors. What does not calculate is NumPy's own."""

from numpy.lib import NumpyVersion

from tfnp.lib import array_utils, introspect, mixins, scimath, stride_tricks

__all__ = ["NumpyVersion", "array_utils", "introspect", "mixins", "scimath", "stride_tricks"]
