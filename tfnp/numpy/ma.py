"""`numpy.ma`, which is NumPy's own: masked arrays are NumPy's, made of the memory of arrays."""
# ruff: noqa: F403 - the names are those of numpy.ma

from numpy.ma import *
