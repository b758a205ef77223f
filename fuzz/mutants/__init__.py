"""Mutation testing of the harness: each mutant is a correct namespace with one function that is wrong in a known way.

A mutant, called a fault here, is made by an operator from a parameter of one of NumPy's functions; or it is written by
hand, as a row of a table, or as a decorated function whose docstring says what is wrong, in a module for each topic.
By hand are those that operators cannot make: of tensors and views, of processes, and those that few drawn calls show.
"""

from fuzz.mutants import (
    arguments,
    behaviour,
    derivatives,
    edges,
    form,
    historical,
    indexing,
    layout,
    linear_algebra,
    manipulation,
    porting,
    reductions,
    sorting,
    values,
    views,
)
from fuzz.mutants.model import FAULTS, Fault, plant

__all__ = [
    "FAULTS",
    "Fault",
    "arguments",
    "behaviour",
    "derivatives",
    "edges",
    "form",
    "historical",
    "indexing",
    "layout",
    "linear_algebra",
    "manipulation",
    "plant",
    "porting",
    "reductions",
    "sorting",
    "values",
    "views",
]
