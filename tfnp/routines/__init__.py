"""NumPy's functions by the topics of its reference manual, a module a topic."""
