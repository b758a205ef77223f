"""Classes of calls. The class is decided before the arguments are drawn, and decides what they may be.

An ordinary call is one that NumPy's manual describes, of numbers that people have. An edge call has one of EDGES, or
all. An invalid call is an ordinary one with a single planted fault. A hostile call may have any number of faults.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from oracle import Case

ORDINARY, EDGE, INVALID, HOSTILE = "ordinary", "edge", "invalid", "hostile"

NUMBERS = "numbers"  # nan, infinities, zeros of either sign, subnormal and extreme numbers
SHAPES = "shapes"  # no elements
LAYOUTS = "layouts"  # byte-swapped, misaligned, read-only, with repeated rows, reversed, strided, in Fortran order
DTYPES = "dtypes"  # bfloat16; dtypes that differ from one another in width and sign
OPTIONS = "options"  # most of the options at once
EDGES = frozenset((NUMBERS, SHAPES, LAYOUTS, DTYPES, OPTIONS))
PLAIN: frozenset[str] = frozenset()

AXIS = "axis out of bounds or repeated"
SHAPE = "shape that does not fit"
DTYPE = "unsupported dtype"
BOUND = "value out of bounds"
OPTION = "unknown option"
COUNT = "wrong number of arguments"
SORTS = (AXIS, SHAPE, DTYPE, BOUND, OPTION, COUNT)


@dataclass(frozen=True)
class PlantedFault:
    """The one reason for which NumPy should reject an invalid call: the parameter at fault, and one of SORTS."""

    parameter: str
    sort: str


@dataclass(frozen=True)
class DrawnCall:
    """A call with its class, as it was meant to be; an invalid one with its planted fault."""

    case: Case
    call_class: str
    fault: PlantedFault | None = None

    def data(self) -> dict[str, Any]:
        """Return class and fault as JSON-serializable data."""
        fault = self.fault
        return {"class": self.call_class} | ({"fault": [fault.parameter, fault.sort]} if fault else {})
