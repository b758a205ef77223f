"""Allowances: differences from NumPy that are accepted, each with its reason."""
