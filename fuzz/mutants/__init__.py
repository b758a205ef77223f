"""Mutation testing of the harness: each mutant is a correct namespace with one function that is wrong in a known way.

A mutant, called a fault here, is made by an operator from a parameter of one of NumPy's functions; or it is written by
hand, as a row of a table, or as a decorated function whose docstring says what is wrong, in a module for each topic.
"""

from fuzz.mutants import (
    arguments,
    arithmetic,
    behaviour,
    derivatives,
    domain,
    edges,
    errors,
    form,
    historical,
    indexing,
    layout,
    linear_algebra,
    manipulation,
    polynomials,
    porting,
    random_sampling,
    reductions,
    signal,
    sorting,
    strings,
    values,
    views,
)
from fuzz.mutants.model import FAULTS, Fault, plant

__all__ = [
    "FAULTS",
    "Fault",
    "arguments",
    "arithmetic",
    "behaviour",
    "derivatives",
    "domain",
    "edges",
    "errors",
    "form",
    "historical",
    "indexing",
    "layout",
    "linear_algebra",
    "manipulation",
    "plant",
    "polynomials",
    "porting",
    "random_sampling",
    "reductions",
    "signal",
    "sorting",
    "strings",
    "values",
    "views",
]
