"""`numpy.lib.array_utils` of arrays."""

from numpy.lib.array_utils import normalize_axis_index, normalize_axis_tuple

from tfnp.numpy.layouts import byte_bounds

__all__ = ["byte_bounds", "normalize_axis_index", "normalize_axis_tuple"]
