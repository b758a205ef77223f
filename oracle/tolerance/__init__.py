"""Tolerances: how far the kernels of libraries were measured to be from NumPy."""
