"""Convolution, windows, padding."""
