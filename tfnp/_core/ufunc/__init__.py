"""Ufuncs: dispatch to kernels, and their methods."""
