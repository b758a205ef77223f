"""Mutation testing of the harness: each mutant is a correct namespace with one function that is wrong in a known way.

A mutant, called a fault here, is defined by a decorated function, in a module for each kind of fault. Its docstring
says what is wrong.
"""

from fuzz.mutants import (
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
    parameters,
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
    "parameters",
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
