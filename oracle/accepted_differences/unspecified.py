"""Results that NumPy does not specify: the rows of `unspecified.toml`, and the functions that check each.

A row is counted, and has examples and a largest share, as the other accepted differences have.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from oracle.accepted_differences import (
    chosen,
    elements,
    fits,
    matrices,
    order,
    overflow,
    polynomials,
    powers,
    ranges,
    sets,
    sums,
    ufunc_methods,
    uninitialised,
)
from oracle.accepted_differences.model import Allowance, Query, Reason, by_answer_to
from oracle.case.model import Case
from oracle.equality.table import TRAITS, relation_of
from oracle.inventory import NAMES
from oracle.reference.outcome import Outcome


class Check(NamedTuple):
    """Functions by which a row is checked: of a case and NumPy's outcome, and of an answer."""

    applies: Callable[[Case, Outcome], bool]
    holds: Callable[[Query], Any]


def _gives_a_value(case: Case, expected: Outcome) -> bool:
    return expected.ok


CHECKS: dict[str, Check] = {
    "element.uninitialised": Check(uninitialised.leaves_elements_open, uninitialised.are_unspecified),
    "order.of-terms": Check(sums.has_order, sums.are_within_order),
    "range.on-the-way": Check(ranges.overflows_on_the_way, ranges.are_right_in_more_precision),
    "spread.of-too-few": Check(ranges.has_few_terms, ranges.have_few_terms),
    "index.of-no-number": Check(ranges.has_undefined_rows, ranges.are_within_rows),
    "rounding.within-bound": Check(sums.adds_terms, sums.are_within_bound),
    "matrix.at-the-edge": Check(matrices.may_raise_or_return, matrices.is_at_the_edge),
    "factors.of-another-choice": Check(matrices.is_factored, matrices.is_right_choice),
    "roots.of-one-polynomial": Check(matrices.finds_roots, matrices.are_of_one_polynomial),
    "order.unspecified": Check(order.leaves_order_open, order.is_other_order),
    "zero.of-either-sign": Check(chosen.has_opposite_zeros, chosen.are_of_either_sign),
    "set.order": Check(sets.asks_for_no_order, sets.are_in_another_order),
    "set.which-nan": Check(sets.chooses_among_nan, sets.are_other_nan),
    "set.inverse-of-nan": Check(sets.tells_nan_apart, sets.are_indices_of_nan),
    "fit.least-squares": Check(fits.is_fit, fits.solves_equations),
    "fit.beside-infinity": Check(fits.has_finite_columns, fits.are_fits_of_their_columns),
    "element.undefined-cast": Check(_gives_a_value, elements.are_undefined_casts),
    "element.rounded-integer": Check(_gives_a_value, elements.are_decided_by_rounding),
    "element.sign-of-nan": Check(elements.reads_sign_of_nan, elements.take_sign_of_nan),
    "element.parts-of-nan": Check(elements.has_nan_median, elements.are_nan_in_both),
    "element.of-a-layout": Check(**by_answer_to(elements.in_standard_layout)),
    "dtype.barely-real": Check(matrices.is_barely_real, matrices.is_of_either_kind),
    "poly.of-near-matrices": Check(matrices.is_of_a_matrix, matrices.are_of_near_matrices),
    "power.of-one-half": Check(powers.takes_half_powers, powers.are_roots_or_powers),
    "overflow.in-fourier-sums": Check(overflow.transforms_past_single, overflow.are_past_single),
    "overflow.of-terms": Check(overflow.has_lost_elements, overflow.overflow_with_terms),
    "overflow.of-several-factors": Check(overflow.multiplies_past_range, overflow.are_of_some_order),
    "overflow.by-an-infinite-factor": Check(overflow.multiplies_by_infinity, overflow.are_lost_in_both),
    "overflow.in-complex-products": Check(overflow.multiplies_to_lost_parts, overflow.are_lost_in_both),
    "reduce.not-in-order": Check(ufunc_methods.joins_several, ufunc_methods.are_in_order),
    "reduce.nan-and-overflow": Check(ufunc_methods.has_nan, ufunc_methods.is_nan_or_overflow),
    "reduce.half-in-single": Check(ufunc_methods.joins_halves, ufunc_methods.are_rounded_in_order),
    "accumulate.errors-that-grow": Check(ufunc_methods.accumulates_complex, ufunc_methods.are_near_or_lost),
    "at.real-parts-of-quotients": Check(ufunc_methods.divides_by_complex, ufunc_methods.are_real_parts),
    "polynomial.sign-of-zero": Check(polynomials.is_single_call, polynomials.are_zeros),
    "polynomial.remainder-of-rounding": Check(polynomials.divides, polynomials.is_remainder_of_rounding),
}


def _list_rows() -> Iterator[dict[str, Any]]:
    """Yield the rows by field: those for rules, checks and traits with the names that have these."""
    text = Path(__file__).with_name("unspecified.toml").read_text(encoding="utf-8")
    for row in tomllib.loads(text)["unspecified"]:
        words = {key: row.get(key, "").split() for key in ("names", "rules", "checks", "traits", "modes")}
        names = words["names"] + [name for trait in words["traits"] for name in sorted(TRAITS[trait])]
        names += [name for name in NAMES if {relation_of(name, kind).rule for kind in "fc"} & {*words["rules"]}]
        names += [name for name in NAMES if relation_of(name).check in words["checks"]]
        fields = {key: value for key, value in row.items() if key not in words}
        lists = {"kinds": row.get("kinds", ()), "modes": words["modes"]}
        fields |= {key: tuple(values) for key, values in lists.items() if values}
        yield fields | {"names": tuple(names), "why": " ".join(row["why"].split())}


UNSPECIFIED = tuple(
    Allowance(reason=Reason.NUMPY_OPEN, applies=CHECKS[row["id"]].applies, holds=CHECKS[row["id"]].holds, **row)
    for row in _list_rows()
)
"""The rows, in the order in which it is tried."""
