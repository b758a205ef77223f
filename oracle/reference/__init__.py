"""NumPy's own answer to a case: the reference that every other outcome is compared with."""
