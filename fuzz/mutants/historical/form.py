"""Wrong results of NumPy's functions in the form of the right ones: dtype, and scalar or array."""

from __future__ import annotations

from typing import Any

import numpy

from fuzz.mutants.model import Call


def formed(value: Any, exact: Any) -> Any:
    """Return numbers in the dtype of the right result; as a scalar if that is one and the shapes are equal."""
    with numpy.errstate(all="ignore"):
        array = numpy.asarray(value).astype(numpy.asarray(exact).dtype)
    return array[()] if isinstance(exact, numpy.generic) and not array.ndim else array


def operand(call: Call, name: str) -> numpy.ndarray:
    """Return an argument as an array."""
    return numpy.asarray(call.given(name))


def is_real(value: Any) -> bool:
    """Return whether a value is an array, or a scalar, of floats."""
    return isinstance(value, numpy.ndarray | numpy.generic) and value.dtype.kind == "f"


def lacks_options(call: Call, *names: str) -> bool:
    """Return whether the call gives no optional argument but these."""
    return call.bound is not None and set(call.kwargs) <= set(names)
