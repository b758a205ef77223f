"""`numpy.dtypes`, which are NumPy's own classes."""
# ruff: noqa: F403 - the names are those of numpy.dtypes

from numpy.dtypes import *
