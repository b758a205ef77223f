"""Properties of a call that make it an edge call, read from its arguments, however they were drawn.

An ordinary call is one that NumPy's manual describes, with numbers that people have: finite, of moderate size, in
arrays that are not empty and whose dtype and memory layout are usual. An edge call has at least one property that is
none of these; `find_edges` names them. An invalid call is one that NumPy rejects, which its arguments do not tell.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import ml_dtypes
import numpy as np

from fuzz.generate.arrays import BFLOAT16, kind
from fuzz.generate.call_classes import EDGE, INVALID, ORDINARY
from fuzz.generate.signatures import parameters_of
from oracle import Case
from oracle.harness import is_of_ops

LARGEST_RANK = 4
MOST_OPTIONS = 4
LARGEST_INTEGER = 2**31 - 1
LARGEST_EXPONENT = {8: 15, 11: 100, 24: 20, 53: 50}
"""By the bits of a float's significand: a magnitude from 2**-e to 2**e is moderate, so that squares and sums of squares
are far from overflow and underflow."""


def classify_call(case: Case, is_rejected: bool = False) -> str:
    """Return the class of a call or program; `is_rejected` says that NumPy raises an error."""
    if is_rejected:
        return INVALID
    return EDGE if next(find_edges(case), None) else ORDINARY


def find_edges(case: Case) -> Iterator[str]:
    """Yield each property of a call that makes it an edge call, in the order of its arguments."""
    for call in () if is_of_ops(case) else case.calls():
        if len(call.kwargs) + len(call.args) - count_required(call.name) > MOST_OPTIONS:
            yield f"more than {MOST_OPTIONS} optional arguments"
    for value in case.leaves():
        if isinstance(value, np.ndarray):
            yield from _find_array_edges(value if not is_of_ops(case) else value.copy())  # a constant is read-only
        elif isinstance(value, np.generic):
            yield from _find_element_edges(np.asarray(value))
        elif isinstance(value, int) and not isinstance(value, bool) and abs(value) > LARGEST_INTEGER:
            yield "a large integer"
        elif isinstance(value, float | complex):
            yield from _find_element_edges(np.asarray(value))


def count_required(name: str) -> int:
    """Return how many arguments a function requires: all, if it takes any number of them."""
    parameters = parameters_of(name).values()
    if any(one.kind is one.VAR_POSITIONAL for one in parameters):
        return 1 << 30
    return sum(one.default is one.empty and one.kind is not one.VAR_KEYWORD for one in parameters)


def _find_array_edges(array: np.ndarray) -> Iterator[str]:
    if not array.size:
        yield "an empty array"
    if array.ndim > LARGEST_RANK:
        yield f"more than {LARGEST_RANK} dimensions"
    if not array.dtype.isnative:
        yield "byte-swapped elements"
    if not array.flags.writeable:
        yield "a read-only array"
    if not array.flags.aligned:
        yield "a misaligned array"
    if array.size > 1 and min(array.strides, default=0) <= 0:
        strides = [stride for stride, dim in zip(array.strides, array.shape, strict=True) if dim > 1]
        if min(strides, default=1) < 0:
            yield "negative strides"
        elif 0 in strides:
            yield "elements that share memory"
    if array.size:
        yield from _find_element_edges(array)


def _find_element_edges(array: np.ndarray) -> Iterator[str]:
    native = array.dtype.newbyteorder("=")
    sort = kind(native)
    if native in (BFLOAT16, np.float16):
        yield "half precision"
    if sort in "iu":
        limits = np.iinfo(native)
        if np.any(np.abs(array.astype(np.float64)) > LARGEST_INTEGER):
            yield "a large integer"
        elif native.itemsize < 8 and (np.any(array == limits.max) or (limits.min and np.any(array == limits.min))):
            yield "a bound of the dtype"
    elif sort in "fc":
        yield from _find_float_edges(array)


def _find_float_edges(array: np.ndarray) -> Iterator[str]:
    parts = (array.real, array.imag) if array.dtype.kind == "c" else (array,)
    bits = ml_dtypes.finfo(parts[0].dtype.newbyteorder("=")).nmant + 1
    exponent = LARGEST_EXPONENT.get(bits, LARGEST_EXPONENT[53])
    for part in parts:
        wide = part.astype(np.longdouble) if bits > 53 else part.astype(np.float64)
        if not np.all(np.isfinite(wide)):
            yield "nan" if np.any(np.isnan(wide)) else "an infinity"
            continue
        magnitude = np.abs(wide)
        if np.any((wide == 0) & np.signbit(wide)):
            yield "a negative zero"
        if np.any(magnitude > math.ldexp(1, exponent)):
            yield "a large magnitude"
        if np.any((magnitude > 0) & (magnitude < math.ldexp(1, -exponent))):
            yield "a small magnitude"
