"""Tolerances: families of functions, and the table of measured distances."""
