"""Tolerances: families of functions, and the table of measured errors."""
