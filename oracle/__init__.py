"""One case, every mode, one verdict: how a library that promises NumPy's API departs from NumPy."""

from oracle.case import Case

__all__ = ["Case"]
