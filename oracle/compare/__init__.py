"""Comparison of an outcome with NumPy's: status, structure, dtype, shape, values."""
