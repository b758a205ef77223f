"""Mutation testing of the harness: each mutant is a function of a correct namespace, wrong in one known way.

A fault is entered by its definition, in a module for each sort of fault.
"""

from fuzz.mutants import (
    arithmetic,
    behaviour,
    domain,
    errors,
    form,
    layout,
    linear_algebra,
    manipulation,
    parameters,
    polynomials,
    random_sampling,
    reductions,
    signal,
    sorting,
    strings,
    values,
)
from fuzz.mutants.model import FAULTS, Fault, planted

__all__ = [
    "FAULTS",
    "Fault",
    "arithmetic",
    "behaviour",
    "domain",
    "errors",
    "form",
    "layout",
    "linear_algebra",
    "manipulation",
    "parameters",
    "planted",
    "polynomials",
    "random_sampling",
    "reductions",
    "signal",
    "sorting",
    "strings",
    "values",
]
