"""The part of `numpy.lib` that makes sense for tensors. What does not calculate is NumPy's own."""

from numpy.lib import NumpyVersion, array_utils, introspect, mixins

from tfnp.lib import stride_tricks

__all__ = ["NumpyVersion", "array_utils", "introspect", "mixins", "stride_tricks"]
