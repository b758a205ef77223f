"""Kernels of real numbers."""
