"""How an outcome departs from NumPy's: status, structure, dtype, shape, value."""
