"""Kernels of complex numbers."""
