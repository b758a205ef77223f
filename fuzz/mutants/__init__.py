"""Mutation testing of the harness: each mutant is a correct namespace with one function that is wrong in a known way.

A mutant, called a fault here, is made by an operator from a parameter of one of NumPy's functions; or it is written by
hand, as a decorated function whose docstring says what is wrong. By hand are bugs that users reported, and the kinds
that operators cannot make: of modes, derivatives, views and processes, and under conditions.
"""

from fuzz.mutants import behaviour, conditions, derivatives, historical, indexing, views
from fuzz.mutants.model import FAULTS, Fault, plant

__all__ = [
    "FAULTS",
    "Fault",
    "behaviour",
    "conditions",
    "derivatives",
    "historical",
    "indexing",
    "plant",
    "views",
]
