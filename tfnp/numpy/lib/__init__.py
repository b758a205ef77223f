"""`numpy.lib` of arrays."""

from numpy.lib import NumpyVersion

from tfnp.numpy.lib import array_utils, introspect, mixins, scimath, stride_tricks

__all__ = ["NumpyVersion", "array_utils", "introspect", "mixins", "scimath", "stride_tricks"]
