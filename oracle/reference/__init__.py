"""NumPy's outcome of a case: the reference that all other outcomes are compared with."""
