"""Faults in functions of single topics: searching, statistics, linear algebra, Fourier transforms, sets."""

from __future__ import annotations

import math
from typing import Any

import numpy

from fuzz.mutants.arrays import kind_of, size_of
from fuzz.mutants.model import Call, fault
from fuzz.mutants.rows import spoils

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


spoils("unique_counts_once", "unique", "value", TIES, keywords={"return_counts": True},
       when=lambda exact, call: isinstance(exact, tuple) and call.given("return_counts"),
       by=lambda np, exact, call: (*exact[:-1], np.ones_like(exact[-1])))  # fmt: skip


@fault("where", "value", numpy.array([True, False]), ROW[:2], ROW[2:])
def where_exchanges_its_choices(call: Call) -> Any:
    """For two elements and more, the one where the other belongs."""
    exact = call()
    if len(call.args) != 3 or size_of(exact) < 2:
        return exact
    condition, left, right = call.args
    return call.right(condition, right, left)


spoils("nonzero_gives_a_list", "nonzero", "structure", ROW, by=lambda np, exact, call: list(exact))


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


spoils("det_loses_its_sign", "linalg.det", "value", SQUARE,
       when=lambda exact, call: kind_of(exact) == "f",
       by=lambda np, exact, call: np.abs(exact))  # fmt: skip
spoils("inv_off_by_a_millionth", "linalg.inv", "value", SQUARE,
       when=lambda exact, call: kind_of(exact) == "f",
       by=lambda np, exact, call: np.multiply(exact, 1.000001))  # fmt: skip
spoils("qr_is_not_orthogonal", "linalg.qr", "value", SQUARE,
       when=lambda exact, call: hasattr(exact, "Q"),
       by=lambda np, exact, call: exact._replace(Q=exact.Q * 2, R=exact.R / 2))  # fmt: skip
spoils("svd_in_rising_order", "linalg.svd", "value", SQUARE,
       when=lambda exact, call: hasattr(exact, "S"),
       by=lambda np, exact, call: exact._replace(S=exact.S[..., ::-1]))  # fmt: skip


@fault("strings.upper", "value", numpy.array(["ab"]))
def upper_capitalizes(call: Call) -> Any:
    """Only the first letter becomes a capital."""
    call()
    return call.np.strings.capitalize(*call.args, **call.kwargs)
