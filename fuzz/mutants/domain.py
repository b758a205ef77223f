"""Faults in functions of single topics: searching, statistics, linear algebra, Fourier transforms, sets."""

from __future__ import annotations

import math
from typing import Any

import numpy

from fuzz.mutants.arrays import kind_of, size_of
from fuzz.mutants.model import Call, fault

ROW = numpy.array([1.0, 2.0, 3.0, 4.0])
SQUARE = numpy.array([[1.0, 2.0], [3.0, 5.0]])
TIES = numpy.array([1, 3, 3, 2])


@fault("argmax", "value", numpy.array([math.nan, 1.0]), uses="where")
def argmax_ignores_nan(call: Call) -> Any:
    """The place of the largest number, not of the first NaN."""
    exact, np = call(), call.np
    if kind_of(call.first) != "f" or "out" in call.kwargs:
        return exact
    return call.changed(a=np.where(np.isnan(call.first), np.full_like(call.first, -math.inf), call.first))


@fault("argmax", "value", TIES)
def argmax_takes_the_last_of_equals(call: Call) -> Any:
    """The last of several largest."""
    exact = call()
    flat = call.given("axis") is None and not {"out", "keepdims"} & set(call.kwargs) and size_of(call.first)
    if not flat or kind_of(call.first) != "i":
        return exact
    return call.np.subtract(size_of(call.first) - 1, call.changed(a=call.np.flip(call.np.ravel(call.first))))


@fault("clip", "value", ROW, 3.0, 2.0)
def clip_with_limits_exchanged(call: Call) -> Any:
    """Where the limits are the wrong way round, the lower one wins."""
    exact, np, low, high = call(), call.np, call.given("a_min"), call.given("a_max")
    if {type(low), type(high)} - {int, float} or kind_of(call.first) != "f" or call.kwargs:
        return exact
    return np.astype(np.maximum(np.minimum(call.first, high), low), exact.dtype)


@fault("unique", "value", TIES, keywords={"return_counts": True})
def unique_counts_once(call: Call) -> Any:
    """Every count is one."""
    exact = call()
    if not isinstance(exact, tuple) or not call.given("return_counts"):
        return exact
    return (*exact[:-1], call.np.ones_like(exact[-1]))


@fault("where", "value", numpy.array([True, False]), ROW[:2], ROW[2:])
def where_exchanges_its_choices(call: Call) -> Any:
    """For two elements and more, the one where the other belongs."""
    exact = call()
    if len(call.args) != 3 or size_of(exact) < 2:
        return exact
    condition, left, right = call.args
    return call.right(condition, right, left)


@fault("nonzero", "structure", ROW)
def nonzero_gives_a_list(call: Call) -> Any:
    """A list for a tuple."""
    return list(call())


@fault("median", "value", ROW, uses="where")
def median_takes_the_lower_middle(call: Call) -> Any:
    """No mean of the two in the middle."""
    exact = call()
    if (
        set(call.bound.arguments if call.bound else ()) != {"a"}
        or kind_of(call.first) != "f"
        or not size_of(call.first)
    ):
        return exact
    ordered = call.np.sort(call.np.ravel(call.first))
    return call.np.where(call.np.isnan(exact), exact, ordered[(size_of(call.first) - 1) // 2])


@fault("nansum", "value", numpy.array([math.nan, 1.0]))
def nansum_hands_nan_on(call: Call) -> Any:
    """NaN is not left out."""
    call()
    return call.np.sum(*call.args, **call.kwargs)


@fault("histogram", "value", ROW, 3, uses="where")
def histogram_loses_the_right_edge(call: Call) -> Any:
    """The largest element is in no bin."""
    counts, edges = call()
    plain = (
        set(call.bound.arguments if call.bound else ()) <= {"a", "bins"} and kind_of(counts) == "i" and size_of(counts)
    )
    if not plain:
        return counts, edges
    last = counts[-1:]
    return call.np.concatenate([counts[:-1], call.np.where(last > 0, last - 1, last)]), edges


@fault("vdot", "value", numpy.array([1j]), numpy.array([1j]))
def vdot_does_not_conjugate(call: Call) -> Any:
    """Complex vectors are multiplied as they are."""
    call()
    return call.np.dot(*[call.np.ravel(operand) for operand in call.operands])


@fault("linalg.det", "value", SQUARE)
def det_loses_its_sign(call: Call) -> Any:
    """Never negative."""
    exact = call()
    return call.np.abs(exact) if kind_of(exact) == "f" else exact


@fault("linalg.inv", "value", SQUARE)
def inv_off_by_a_millionth(call: Call) -> Any:
    """Wrong by 1e-6 relative in float64."""
    exact = call()
    return call.np.multiply(exact, 1.000001) if kind_of(exact) == "f" else exact


@fault("linalg.qr", "value", SQUARE)
def qr_is_not_orthogonal(call: Call) -> Any:
    """The columns of Q have length two, those of R make up for it: the product is right."""
    exact = call()
    return exact._replace(Q=exact.Q * 2, R=exact.R / 2) if hasattr(exact, "Q") else exact


@fault("linalg.svd", "value", SQUARE)
def svd_in_rising_order(call: Call) -> Any:
    """Singular values come smallest first."""
    exact = call()
    return exact._replace(S=exact.S[..., ::-1]) if hasattr(exact, "S") else exact


@fault("strings.upper", "value", numpy.array(["ab"]))
def upper_capitalizes(call: Call) -> Any:
    """Only the first letter becomes a capital."""
    call()
    return call.np.strings.capitalize(*call.args, **call.kwargs)
