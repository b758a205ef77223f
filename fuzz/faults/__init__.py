"""Planted faults: each one function of a correct namespace, wrong in one known way, which the harness must find.

A fault is entered by its definition, in a module for each sort of fault.
"""

from fuzz.faults import conduct, elements, forms, layouts, options, refusals, specialities
from fuzz.faults.planting import FAULTS, Fault, planted

__all__ = [
    "FAULTS",
    "Fault",
    "conduct",
    "elements",
    "forms",
    "layouts",
    "options",
    "planted",
    "refusals",
    "specialities",
]
