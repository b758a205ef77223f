"""Planted faults: each one function of a correct namespace, wrong in one known way, which the harness must find.

A fault is entered by its definition, in a module for each sort of fault.
"""

from fuzz.faults import (
    algebra,
    arithmetic,
    conduct,
    elements,
    forms,
    layouts,
    options,
    ordering,
    polynomials,
    rearranging,
    reductions,
    refusals,
    sampling,
    signals,
    specialities,
    texts,
)
from fuzz.faults.planting import FAULTS, Fault, planted

__all__ = [
    "FAULTS",
    "Fault",
    "algebra",
    "arithmetic",
    "conduct",
    "elements",
    "forms",
    "layouts",
    "options",
    "ordering",
    "planted",
    "polynomials",
    "rearranging",
    "reductions",
    "refusals",
    "sampling",
    "signals",
    "specialities",
    "texts",
]
