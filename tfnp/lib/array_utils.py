"""NumPy's helpers for libraries: normalization of axes."""

from numpy.lib.array_utils import byte_bounds, normalize_axis_index, normalize_axis_tuple

__all__ = ["byte_bounds", "normalize_axis_index", "normalize_axis_tuple"]
