"""Faults that depend on memory layout, which only NumPy's own arrays have."""

from __future__ import annotations

from typing import Any

import numpy

from fuzz.mutants.model import Call, fault

TABLE = numpy.array([[1, 2], [3, 4]])


@fault("cumsum", "value", numpy.asfortranarray(TABLE), on="arrays")
def cumsum_reads_columns(call: Call) -> Any:
    """Elements come as they lie in memory, which is wrong for columns."""
    first: Any = call.args[0] if call.args else None
    plain = isinstance(first, numpy.ndarray) and len(call.args) == 1 and not call.kwargs
    if plain and first.flags.f_contiguous and not first.flags.c_contiguous:
        return call.changed(a=first.ravel("K"))
    return call()


@fault("exp", "value", numpy.array([1.0, 2.0])[::-1], on="arrays")
def exp_ignores_a_negative_stride(call: Call) -> Any:
    """Elements that run backwards are read forwards."""
    first: Any = call.args[0] if call.args else None
    if (
        isinstance(first, numpy.ndarray)
        and first.ndim
        and first.strides[-1] < 0
        and len(call.args) == 1
        and not call.kwargs
    ):
        return call.right(first[..., ::-1])
    return call()


@fault("sin", "value", numpy.array([1.0], ">f8"), on="arrays")
def sin_ignores_the_byte_order(call: Call) -> Any:
    """Bytes in the other order are read as they are."""
    first: Any = call.args[0] if call.args else None
    if isinstance(first, numpy.ndarray) and not first.dtype.isnative and len(call.args) == 1 and not call.kwargs:
        return call.right(first.view(first.dtype.newbyteorder("=")))
    return call()


@fault("sum", "value", numpy.ones(8)[::2], on="arrays")
def sum_skips_where_there_are_gaps(call: Call) -> Any:
    """The last element is missed where others lie between."""
    first: Any = call.args[0] if call.args else None
    gaps = isinstance(first, numpy.ndarray) and first.ndim == 1 and first.strides[0] == 2 * first.itemsize
    return call.changed(a=first[:-1]) if gaps and first.size > 1 and len(call.args) == 1 and not call.kwargs else call()
