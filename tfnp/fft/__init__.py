"""Discrete Fourier transforms."""
# ruff: noqa: F403 - a front door; every public name has its line in the `__all__` of its topic

from tfnp.fft.frequencies import *
from tfnp.fft.transforms import *
